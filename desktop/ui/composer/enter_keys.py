"""What Enter does while a message is written: it sends, or begins a line, as the keys of both say."""

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QKeyEvent

from desktop.ui.shortcuts import pressed, shown_keys

_Modifier = Qt.KeyboardModifier


def is_enter(event: QKeyEvent) -> bool:
    return event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)


def sends(event: QKeyEvent) -> bool:
    """Whether these keys send the message. Enter with Ctrl always does, where it does not begin a line."""
    if pressed(event, "send"):
        return True
    breaks = _Modifier.ShiftModifier | _Modifier.AltModifier
    with_control = event.modifiers() & (_Modifier.ControlModifier | _Modifier.MetaModifier)
    return is_enter(event) and bool(with_control) and not event.modifiers() & breaks and not begins_line(event)


def begins_line(event: QKeyEvent) -> bool:
    """Whether these keys begin a line by themselves; any Enter that does not send does, too."""
    return pressed(event, "new_line")


def placeholder() -> str:
    """Return what stands in the empty field of a message."""
    send, line = shown_keys("send"), shown_keys("new_line")
    translate = QCoreApplication.translate
    if not send or not line:
        return translate("Composer", "Message")
    words = translate("Composer", "Message — %1 to send, %2 for a new line")
    return words.replace("%2", line).replace("%1", send)
