"""The bar to find words in a chat: a field, how many places there are, and the ways from one to the next."""

from PySide6.QtCore import QEvent, QLocale, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QWidget

from desktop.ui.controls import announce, describe, prepare_icon_button, set_property
from desktop.ui.search_field import SearchField
from desktop.ui.shortcuts import keys_of
from desktop.ui.theme.theme_manager import ThemeManager

WIDTH = 440


class FindBar(QFrame):
    """Stands above the messages, at the right; hidden until it is begun with.

    Signals:
        edited: other words are to be found; carries them.
        step_requested: 1 for the next place, -1 for the one before.
        closed: Escape, or its button.
    """

    edited = Signal(str)
    step_requested = Signal(int)
    closed = Signal()

    def __init__(self, theme: ThemeManager, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._state: tuple[int, int, bool] | None = None
        self.setObjectName("findBar")
        self.field = SearchField("findField", theme)
        self.field.textChanged.connect(self.edited)
        self._count = QLabel()
        self._count.setObjectName("findCount")
        self._count.setProperty("role", "small")
        self._count.setTextFormat(Qt.TextFormat.PlainText)
        self._previous, self._next, self._close = QToolButton(), QToolButton(), QToolButton()
        prepare_icon_button(self._previous, theme, "findPrevious", "chevron-up")
        prepare_icon_button(self._next, theme, "findNext", "chevron-down")
        prepare_icon_button(self._close, theme, "findClose", "x")
        self._previous.clicked.connect(lambda: self.step_requested.emit(-1))
        self._next.clicked.connect(lambda: self.step_requested.emit(1))
        self._close.clicked.connect(self.closed)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(8, 6, 6, 6)
        layout.setSpacing(4)
        layout.addWidget(self.field, 1)
        layout.addSpacing(4)
        for widget in (self._count, self._previous, self._next, self._close):
            layout.addWidget(widget)
        theme.changed.connect(self._take_size)
        self._take_size()
        self.retranslate()
        self.hide()

    def begin(self, text: str) -> None:
        """Come into sight, with ``text`` selected in the field; without one what stood there."""
        self.show()
        if text:
            self.field.setText(text)
        self.field.selectAll()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def show_count(self, number: int, total: int, *, is_searching: bool) -> None:
        """Say which of how many places is shown, 0 for none; the count grows while it ``is_searching``."""
        self._state = (number, total, is_searching)
        self._fill()

    def show_nothing(self) -> None:
        """Nothing is looked for."""
        self._state = None
        self._fill()

    def tell(self) -> None:
        """Let a screen reader say what stands there."""
        if text := self._count.text():
            announce(self, text)

    def _fill(self) -> None:
        text, is_missing = "", False
        if self._state is not None:
            number, total, is_searching = self._state
            locale = QLocale()
            if total:
                words = self.tr("%1 of %2…") if is_searching else self.tr("%1 of %2")
                text = words.replace("%1", locale.toString(number)).replace("%2", locale.toString(total))
            elif is_searching:
                text = self.tr("Searching…")
            else:
                text, is_missing = self.tr("Not found"), True
        has_any = self._state is not None and self._state[1] > 0
        self._previous.setEnabled(has_any)
        self._next.setEnabled(has_any)
        self._count.setText(text)
        self._count.setVisible(bool(text))
        set_property(self._count, "missing", is_missing)

    def _take_size(self) -> None:
        self.setMaximumWidth(self._theme.px(WIDTH))

    def retranslate(self) -> None:
        self.setAccessibleName(self.tr("Find in this chat"))
        self.field.setPlaceholderText(self.tr("Find in this chat"))
        describe(self.field, self.tr("Find in this chat"), tooltip="")
        describe(self._previous, self.tr("Previous place"), shortcut=keys_of("find_previous"))
        describe(self._next, self.tr("Next place"), shortcut=keys_of("find_next"))
        describe(self._close, self.tr("Close the search"), shortcut="Esc")
        self._fill()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.step_requested.emit(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        else:
            event.ignore()
            return
        event.accept()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
