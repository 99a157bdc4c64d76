"""What every page of the settings is made of: sections with rows, each a title, an explanation and a control."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QMouseEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QCheckBox, QFrame, QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from desktop.ui.controls import describe, hand_focus, set_enabled, set_property, tab_stops
from desktop.ui.plain_label import PlainLabel
from desktop.ui.settings.layouts import WordsAndControl
from desktop.ui.settings.steady_control import SteadyControl
from desktop.ui.settings.unsaved_mark import UnsavedMark

CONTENT_END = 950
"""Where a page's content ends in a wide window, from the window's left edge: wider lines are hard to read. Controls
stand at this edge, so it must not depend on how wide the navigation is in the present font."""
MARGIN = 28


_SETTLE = QEvent.Type(QEvent.registerEventType())
_LOOK_CHANGES = (QEvent.Type.FontChange, QEvent.Type.StyleChange, QEvent.Type.LanguageChange)


class SettingRow(QFrame):
    """One setting. A screen reader hears title and explanation with the control; a click on the title goes to it.

    With ``wide`` the control stands below the words, over the whole width; also where the row is too narrow for both.
    """

    def __init__(self, control: QWidget, *, wide: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "settingRow")
        self.control = control
        self.goes_to = control
        """What a click on the words and the search lead to. Not a focus proxy where the control holds several things:
        Tab stops at whatever has one, wherever that stands in the chain, and goes from there to the proxy."""
        self._keywords = ""
        self._unsaved: UnsavedMark | None = None
        self._title = _words("settingTitle")
        self._title.setBuddy(control)
        self._description = _words("muted")
        self._description.hide()
        words = QWidget()
        column = self._words = QVBoxLayout(words)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self._title)
        column.addWidget(self._description)
        layout = WordsAndControl(words, control, always_below=wide)
        layout.setContentsMargins(16, 12, 16, 12)
        self.setLayout(layout)

    def set_texts(self, title: str, description: str = "", *, keywords: str = "") -> None:
        """Set the words shown. ``keywords`` are further words that the search finds this row by."""
        self._title.setText(title)
        self._description.setText(description)
        self._description.setVisible(bool(description))
        self._keywords = keywords
        self.control.setAccessibleName(title)
        self.control.setAccessibleDescription(description)
        if self._unsaved is not None:
            self._unsaved.set_setting(title)

    def set_unsaved(self, is_unsaved: bool, retry: Callable[[], object]) -> None:
        """Say that what stands in the control could not be stored, or no longer; ``retry`` is to try it again."""
        if is_unsaved and self._unsaved is None:
            self._unsaved = UnsavedMark(self._title.text())
            self._unsaved.retry_requested.connect(retry)
            self._words.addWidget(self._unsaved)
        if self._unsaved is not None:
            hand_focus(self._unsaved.button, self.goes_to)
            self._unsaved.setVisible(is_unsaved)

    def matches(self, words: Sequence[str]) -> bool:
        """Tell whether all the (case-folded) words occur in what this row says."""
        text = f"{self._title.text()} {self._description.text()} {self._keywords}".casefold()
        return all(word in text for word in words)

    def set_marked(self, marked: bool) -> None:
        """Make the row stand out as something that was found."""
        set_property(self, "marked", marked)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """A click on the words goes to the control, and turns a switch."""
        super().mouseReleaseEvent(event)
        if not self.rect().contains(event.position().toPoint()) or not self.control.isEnabled():
            return
        self.goes_to.setFocus(Qt.FocusReason.MouseFocusReason)
        if isinstance(self.control, QCheckBox):
            self.control.click()


class SettingsSection(QWidget):
    """A card with a heading above it and rows or other widgets inside, divided by lines."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: list[SettingRow] = []
        self._heading = _words("sectionHeading")
        self._heading.hide()
        self._card = QFrame()
        self._card.setProperty("role", "settingCard")
        self._inside = QVBoxLayout(self._card)
        self._inside.setContentsMargins(0, 0, 0, 0)
        self._inside.setSpacing(0)
        self._lines: dict[QObject, QFrame] = {}
        """By what stands in the card, the line above it."""
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(self._heading)
        layout.addWidget(self._card)

    def set_heading(self, text: str) -> None:
        self._heading.setText(text)
        self._heading.setVisible(bool(text))

    def add_row(self, control: QWidget, *, wide: bool = False) -> SettingRow:
        """Add a row for ``control``; give it its words with ``set_texts``."""
        row = SettingRow(control, wide=wide)
        self.rows.append(row)
        self.add_widget(row)
        return row

    def add_widget(self, widget: QWidget) -> None:
        """Add something that is no row, for example a list."""
        if self._inside.count():
            line = QFrame()
            line.setProperty("role", "settingLine")
            line.setFixedHeight(1)
            self._inside.addWidget(line)
            self._lines[widget] = line
            widget.installEventFilter(self)
        self._inside.addWidget(widget)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """A list that is hidden takes the line above it along, which would lie on the edge of the card."""
        if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
            line = self._lines.get(watched)
            if line is not None and isinstance(watched, QWidget):
                line.setVisible(not watched.isHidden())
        return super().eventFilter(watched, event)


class SettingsPage(QScrollArea):
    """One subject of the settings. A subclass adds sections and sets all words in ``retranslate``.

    Signals:
        reset_requested: the user wants this page as it was at first.
    """

    reset_requested = Signal()

    def __init__(self, key: str, icon: str, *, can_reset: bool = True, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.key = key
        """For example ``appearance``; also names the page for tests (``settingsPage-appearance``)."""
        self.icon = icon
        self.sections: list[SettingsSection] = []
        self._is_stale = False
        self.setObjectName(f"settingsPage-{key}")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # what a control does not want of the keys scrolls it anyway
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._title = _words("heading")
        self._description = _words("muted")
        self._reset = QPushButton()
        self._reset.setObjectName(f"reset-{key}")
        self._reset.clicked.connect(self.reset_requested)
        if not can_reset:
            self._reset.hide()
        self._column = QVBoxLayout()
        self._column.setSpacing(18)
        self._content = QWidget()
        self._across = QHBoxLayout()
        self._arrange()

    @property
    def title(self) -> str:
        return self._title.text()

    def set_texts(self, title: str, description: str) -> None:
        self._title.setText(title)
        self._description.setText(description)
        self.setAccessibleName(title)
        text = self.tr("Reset this page")
        self._reset.setText(text)
        describe(self._reset, text, tooltip=self.tr("Back to the defaults; this can be undone"))

    def add_section(self) -> SettingsSection:
        section = SettingsSection()
        self.sections.append(section)
        self._column.addWidget(section)
        return section

    def add_widget(self, widget: QWidget) -> None:
        """Add something outside the cards."""
        self._column.addWidget(widget)

    def set_can_reset(self, can_reset: bool) -> None:
        """Enable Reset only where something differs from how it was at first."""
        set_enabled(self._reset, can_reset)

    def focus_first(self) -> None:
        """Go to the first control that can be used."""
        for widget in tab_stops(self):
            if widget.isVisible() and widget.isEnabled() and widget not in (self, self._reset):
                widget.setFocus(Qt.FocusReason.ShortcutFocusReason)
                return

    def search(self, query: str) -> list[SettingRow]:
        """Mark the rows that contain all words of ``query``, and return them; an empty query marks none."""
        words = query.casefold().split()
        found: list[SettingRow] = []
        for section in self.sections:
            for row in section.rows:
                matches = bool(words) and row.matches(words)
                row.set_marked(matches)
                if matches:
                    found.append(row)
        return found

    def title_matches(self, query: str) -> bool:
        text = f"{self._title.text()} {self._description.text()}".casefold()
        return all(word in text for word in query.casefold().split())

    def retranslate(self) -> None:
        """Set every word of the page; called when it was made and when the language changed."""
        raise NotImplementedError

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()

    def event(self, event: QEvent) -> bool:
        """Measure all rows once after a change of the look, not several times during it; unseen, when they are seen."""
        kind = event.type()
        if kind == _SETTLE:
            self._settle()
            return True
        if kind in _LOOK_CHANGES and self.isVisible():
            self.steady.hold()
        if kind == QEvent.Type.StyleChange or (kind == QEvent.Type.LayoutRequest and not self.isVisible()):
            if not self._is_stale:
                self._is_stale = True
                QCoreApplication.postEvent(self, QEvent(_SETTLE))
            return True
        return super().event(event)

    def _settle(self) -> None:
        if self._is_stale and self.isVisible():
            self._is_stale = False
            super().event(QEvent(QEvent.Type.StyleChange))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Let the content end where it did, also when the navigation got wider or the scroll bar came."""
        beside = self.mapTo(self.window(), QPoint()).x()
        self._content.setMaximumWidth(max(CONTENT_END - beside - MARGIN, 1))
        margins = self._across.contentsMargins()
        margins.setRight(MARGIN - (self.width() - self.viewport().width()))
        self._across.setContentsMargins(margins)
        super().resizeEvent(event)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self._settle()
        self._reach_reset_last()

    def _reach_reset_last(self) -> None:
        """Let Tab come to Reset, which was made first, after all that the page has got since."""
        stops = [stop for stop in tab_stops(self) if stop is not self._reset]
        if stops:
            self.setTabOrder(stops[-1], self._reset)

    def _arrange(self) -> None:
        content = self._content
        content.setObjectName("settingsContent")
        inside = QVBoxLayout(content)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(18)
        head = QVBoxLayout()
        head.setSpacing(4)
        head.addWidget(self._title)
        head.addWidget(self._description)
        inside.addLayout(head)
        inside.addLayout(self._column)
        inside.addWidget(self._reset, 0, Qt.AlignmentFlag.AlignLeft)
        inside.addStretch(1)
        page = QWidget()
        page.setObjectName("settingsCanvas")
        self._across.setContentsMargins(MARGIN, 24, MARGIN, MARGIN)
        self._across.addWidget(content, 1000)
        self._across.addStretch(1)
        page.setLayout(self._across)
        self.setWidget(page)
        self.steady = SteadyControl(self, page)


def _words(role: str) -> QLabel:
    return PlainLabel(role=role)
