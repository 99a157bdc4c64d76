"""A field that shows the keys that are pressed in it instead of doing what they mean."""

from PySide6.QtCore import QEvent, QKeyCombination, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit

from desktop.ui.keyboard.rules import MODIFIER_KEYS, without_pad

_LEAVING = (Qt.Key.Key_Tab, Qt.Key.Key_Backtab, Qt.Key.Key_Escape)


class KeyRecorder(QLineEdit):
    """Tab and Escape alone leave it, Enter alone takes what was pressed: none of them is a key for an action.

    Signals:
        recorded: keys were pressed; carries a ``QKeyCombination``.
        finished: Enter alone was pressed. Where ``takes_enter`` the first one is recorded.
    """

    recorded = Signal(object)
    finished = Signal()

    def __init__(self, *, takes_enter: bool) -> None:
        super().__init__()
        self.setObjectName("keyRecorder")
        self.setReadOnly(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, False)
        self._takes_enter = takes_enter

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress):
            if event.key() in _LEAVING and not event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier:
                return super().event(event)
            event.accept()
            if event.type() == QEvent.Type.KeyPress and not event.isAutoRepeat():
                self._press(event)
            return True
        return super().event(event)

    def _press(self, event: QKeyEvent) -> None:
        if event.key() in MODIFIER_KEYS:
            return
        keys = without_pad(QKeyCombination(_modifiers(event), Qt.Key(event.key())))
        if keys.key() == Qt.Key.Key_Return and not keys.keyboardModifiers() and not self._takes_enter:
            self.finished.emit()
            return
        self._takes_enter = self._takes_enter and keys.key() != Qt.Key.Key_Return
        self.recorded.emit(keys)


def _modifiers(event: QKeyEvent) -> Qt.KeyboardModifier:
    """Without the Shift that a sign such as ``?`` is typed with: other keyboards have it elsewhere."""
    text = event.text()
    modifiers = event.modifiers()
    if text and text.isprintable() and not text.isalnum() and not text.isspace():
        modifiers &= ~Qt.KeyboardModifier.ShiftModifier
    return modifiers
