"""The window of the help: its parts in a list, a search through them, and the part that is read."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QListWidget, QListWidgetItem, QPushButton, QVBoxLayout, QWidget

from desktop.ui.controls import describe
from desktop.ui.dialogs.parts import plain_label
from desktop.ui.dialogs.returning_dialog import ReturningDialog
from desktop.ui.help.help_html import plain_words
from desktop.ui.help.help_view import HelpView
from desktop.ui.help.pages import HelpPart, read_parts
from desktop.ui.links import LinkOpener
from desktop.ui.search_field import SearchField
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.translations import Translations

_WIDTH, _HEIGHT = 920, 640
_LIST_WIDTH = 200
_NARROW = 620
"""Below this width the list stands above what is read."""
_ROWS_WHEN_NARROW = 3
_NO_LIMIT = 16777215
"""Qt's own for a width that is not limited."""


class HelpWindow(ReturningDialog):
    """Shown with ``show()`` beside the main window; deletes itself when closed. ``page``: ``guide`` or ``news``."""

    def __init__(self, page: str, theme: ThemeManager, translations: Translations, parent: QWidget) -> None:
        super().__init__(parent)
        self.page = page
        self._theme = theme
        self._translations = translations
        self._parts: Sequence[HelpPart] = ()
        self.setObjectName(f"help-{page}")
        self.setProperty("prompt", True)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.search = SearchField("helpSearch", theme)
        self.search.textChanged.connect(self._find)
        self.list = QListWidget()
        self.list.setObjectName("helpParts")
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.currentItemChanged.connect(lambda item: self._show(item))
        self._nothing = plain_label("", "muted")
        self._nothing.setObjectName("helpNothing")
        self.view = HelpView(theme, self)
        links = LinkOpener(theme, self)
        self.view.link_followed.connect(links.ask)
        self._close = QPushButton()
        self._close.setObjectName("helpClose")
        self._close.setAutoDefault(False)
        self._close.clicked.connect(self.close)
        self._side = QWidget()
        self._side.setProperty("role", "clear")
        side = QVBoxLayout(self._side)
        side.setContentsMargins(0, 0, 0, 0)
        side.setSpacing(8)
        for widget in (self.search, self.list, self._nothing):
            side.addWidget(widget)
        self._columns = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._columns.setSpacing(12)
        self._columns.addWidget(self._side)
        self._columns.addWidget(self.view, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(18, 16, 18, 14)
        layout.setSpacing(10)
        layout.addLayout(self._columns, 1)
        layout.addWidget(self._close, 0, Qt.AlignmentFlag.AlignRight)
        self.setMinimumSize(420, 320)
        self.resize(theme.px(_WIDTH), theme.px(_HEIGHT))
        theme.changed.connect(self._arrange)
        self._retranslate()
        self._arrange()
        self.list.setFocus()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        is_narrow, width = self.width() < self._theme.px(_NARROW), self._theme.px(_LIST_WIDTH)
        way = QBoxLayout.Direction
        self._columns.setDirection(way.TopToBottom if is_narrow else way.LeftToRight)
        self._side.setMinimumWidth(0 if is_narrow else width)
        self._side.setMaximumWidth(_NO_LIMIT if is_narrow else width)
        row = max(1, self.list.sizeHintForRow(0))
        self.list.setMaximumHeight(row * _ROWS_WHEN_NARROW if is_narrow else _NO_LIMIT)

    def _retranslate(self) -> None:
        title = self.tr("User guide") if self.page == "guide" else self.tr("What’s new")
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        describe(self.search, self.tr("Search the help"), tooltip="")
        self.search.setPlaceholderText(self.tr("Search"))
        describe(self.list, self.tr("Contents"), tooltip="")
        self._nothing.setText(self.tr("Nothing was found."))
        self._close.setText(self.tr("Close"))
        describe(self._close, self.tr("Close"), tooltip="")
        row = max(0, self.list.currentRow())
        self._parts = read_parts(self.page, self._translations.language)
        self.list.clear()
        for number, part in enumerate(self._parts):
            item = QListWidgetItem(part.title)
            item.setToolTip(part.title)
            item.setData(Qt.ItemDataRole.UserRole, number)
            self.list.addItem(item)
        self.list.setCurrentRow(min(row, len(self._parts) - 1))
        self._find()

    def _find(self) -> None:
        """Leave in the list the parts in which all words stand, and show one of them."""
        words = self._words()
        rows = [self.list.item(row) for row in range(self.list.count())]
        for item, part in zip(rows, self._parts, strict=True):
            text = plain_words(part)
            item.setHidden(not all(word in text for word in words))
        found = [item for item in rows if not item.isHidden()]
        self._nothing.setVisible(not found)
        current = self.list.currentItem()
        if found and (current is None or current.isHidden()):
            self.list.setCurrentItem(found[0])
        else:
            self._show(current)

    def _show(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            part = self._parts[item.data(Qt.ItemDataRole.UserRole)]
            self.view.show_part(part, self._translations.language, self._words())

    def _words(self) -> list[str]:
        return self.search.text().casefold().split()
