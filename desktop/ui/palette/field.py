"""The field of the palette: keys that move through the list below stay in it, and an input method has its Enter to itself."""

import time

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QInputMethodEvent, QKeyEvent

from desktop.ui.search_field import SearchField
from desktop.ui.theme.theme_manager import ThemeManager

COMPOSED_JUST_NOW = 0.05
"""Seconds after the end of a composition in which Enter still belongs to it: some systems send it afterwards."""
_STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
_PAGES = {Qt.Key.Key_PageUp: -1, Qt.Key.Key_PageDown: 1}
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class PaletteField(SearchField):
    """Signals:
    moved: one row on (1) or back (-1).
    paged: the same by pages.
    accepted: Enter, outside of a composition.
    given_up: Escape.
    widened: Backspace where nothing stands.
    left: the focus went elsewhere in the window.
    """

    moved = Signal(int)
    paged = Signal(int)
    accepted = Signal()
    given_up = Signal()
    widened = Signal()
    left = Signal()

    def __init__(self, theme: ThemeManager) -> None:
        super().__init__("paletteField", theme)
        self._is_composing = False
        self._composed_at = 0.0

    @property
    def is_composing(self) -> bool:
        """Whether an input method holds text that is not committed, or did until just now."""
        return self._is_composing or time.monotonic() - self._composed_at < COMPOSED_JUST_NOW

    def event(self, event: QEvent) -> bool:
        tabs = (Qt.Key.Key_Tab, Qt.Key.Key_Backtab)
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() in tabs:
            self.moved.emit(1 if event.key() == Qt.Key.Key_Tab else -1)
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        key = event.key()
        is_plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if key in _ENTER or key == Qt.Key.Key_Escape:
            if not self.is_composing:
                (self.accepted if key in _ENTER else self.given_up).emit()
        elif is_plain and key in _STEPS:
            self.moved.emit(_STEPS[Qt.Key(key)])
        elif is_plain and key in _PAGES:
            self.paged.emit(_PAGES[Qt.Key(key)])
        elif key == Qt.Key.Key_Backspace and not self.text():
            self.widened.emit()
        else:
            super().keyPressEvent(event)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:  # noqa: N802
        was_composing = self._is_composing
        self._is_composing = bool(event.preeditString())
        super().inputMethodEvent(event)
        if was_composing and not self._is_composing:
            self._composed_at = time.monotonic()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        super().focusOutEvent(event)
        self._is_composing = False
        if event.reason() not in (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason):
            self.left.emit()
