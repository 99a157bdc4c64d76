"""The search box of the sidebar: its field, a button that lists the filters, and below it the filters that were understood."""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from desktop.ui.controls import describe, prepare_icon_button
from desktop.ui.popup import round_corners
from desktop.ui.search_field import SearchField
from desktop.ui.sidebar.filter_words import FilterLine, chip_text, filter_list
from desktop.ui.theme.theme_manager import ThemeManager

if TYPE_CHECKING:
    from desktop.conversation.search_wish import FoundFilter

_GAP = 4


class SearchBox(QWidget):
    """Everything is said by the text of ``field``: a filter is put into it, and taken out of it."""

    def __init__(self, theme: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.field = SearchField("searchEdit", theme)
        self.help = QToolButton()
        prepare_icon_button(self.help, theme, "searchFilters", "list-filter")
        self.help.clicked.connect(self.show_help)
        self.chips = _Chips(self, theme)
        line = QHBoxLayout()
        line.setSpacing(4)
        line.addWidget(self.field, 1)
        line.addWidget(self.help)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addLayout(line)
        layout.addWidget(self.chips)
        self.chips.hide()
        self._retranslate()

    def focus_stops(self) -> list[QWidget]:
        """Where Tab stops, in reading order."""
        return [self.field, self.help]

    def show_filters(self, filters: Sequence["FoundFilter"]) -> None:
        """Show which parts of the text were read as filters."""
        self.chips.show_filters(filters)

    def show_help(self) -> None:
        """List the filters; the chosen one is put into the text."""
        menu = self.help_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.help.mapToGlobal(QPoint(0, self.help.height() + 2)))

    def help_menu(self) -> QMenu:
        menu = QMenu(self)
        round_corners(menu)
        menu.setObjectName("searchFilterMenu")
        for group in filter_list(datetime.now().astimezone()):
            for line in group:
                action = menu.addAction(f"{line.text}\t{line.words}".replace("&", "&&"))
                action.triggered.connect(lambda _=False, line=line: self.insert(line))
            menu.addSeparator()
        return menu

    def insert(self, line: FilterLine) -> None:
        """Put a filter behind the text; an example in it is selected, so that it is overwritten."""
        text = self.field.text().rstrip()
        before = f"{text} {line.token}" if text else line.token
        self.field.setText(f"{before}{line.example} ")
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        if line.example:
            quotes = line.example.startswith('"')
            self.field.setSelection(len(before) + quotes, len(line.example) - 2 * quotes)

    def remove(self, found: "FoundFilter") -> None:
        """Take a filter out of the text."""
        text = self.field.text()
        self.field.setText(f"{text[: found.start].rstrip()} {text[found.end :].lstrip()}".strip())
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _retranslate(self) -> None:
        describe(self.help, self.tr("Filters for the search"))
        self.chips.retranslate()


class _Chips(QWidget):
    """Small buttons, in as many lines as they need; a click takes the filter away."""

    def __init__(self, box: SearchBox, theme: ThemeManager) -> None:
        super().__init__(box)
        self._box = box
        self._theme = theme
        self._filters: Sequence[FoundFilter] = ()
        self._buttons: list[QToolButton] = []
        self.setObjectName("searchChips")
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_filters(self, filters: Sequence["FoundFilter"]) -> None:
        if tuple(filters) == tuple(self._filters):
            return
        self._filters = tuple(filters)
        for button in self._buttons:
            button.hide()
            button.deleteLater()
        self._buttons = [self._chip(found) for found in filters]
        self.retranslate()
        self.setVisible(bool(filters))
        self.updateGeometry()
        self._place()

    def _chip(self, found: "FoundFilter") -> QToolButton:
        button = QToolButton(self)
        button.setObjectName("searchChip")
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the cross behind the words
        self._theme.set_icon(button, "x", "muted", 12)
        button.clicked.connect(lambda: self._box.remove(found))
        button.show()
        return button

    def retranslate(self) -> None:
        for button, found in zip(self._buttons, self._filters, strict=True):
            words = chip_text(found.name, found.value)
            button.setText(words if len(words) <= 28 else f"{words[:27]}…")
            describe(button, self.tr("Take the filter away: {filter}").format(filter=words))
        self._place()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(100, self.heightForWidth(self.width()))

    def heightForWidth(self, width: int) -> int:  # noqa: N802
        places = self._places(width)
        return places[-1].bottom() + 1 if places else 0

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        for button, place in zip(self._buttons, self._places(self.width()), strict=True):
            button.setGeometry(place)

    def _places(self, width: int) -> list[QRect]:
        places: list[QRect] = []
        x = y = 0
        for button in self._buttons:
            size = button.sizeHint().boundedTo(QSize(max(40, width), 1000))
            if x and x + size.width() > width:
                x, y = 0, y + size.height() + _GAP
            places.append(QRect(QPoint(x, y), size))
            x += size.width() + _GAP
        return places
