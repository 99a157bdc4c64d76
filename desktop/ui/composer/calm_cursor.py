"""A text cursor that blinks while somebody writes and then stands still: each blink wakes the processor."""

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

REST_AFTER_MS = 10_000
"""As in GTK."""
_AS_THE_SYSTEM_SAYS = -1
_SIGNS_OF_LIFE = (
    QEvent.Type.FocusIn,
    QEvent.Type.InputMethod,
    QEvent.Type.KeyPress,
    QEvent.Type.MouseButtonPress,
)


class CalmCursor(QObject):
    """Watches a text field. Qt has one pace of blinking for all fields, and only the one with the focus shows it."""

    def __init__(self, field: QWidget, rest_after_ms: int = REST_AFTER_MS) -> None:
        super().__init__(field)
        self._rest = QTimer(self, singleShot=True, interval=rest_after_ms)
        self._rest.timeout.connect(lambda: _blink_every(0))
        field.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        kind = event.type()
        if kind in _SIGNS_OF_LIFE or kind == QEvent.Type.FocusOut:
            if not self._rest.isActive():
                _blink_every(_AS_THE_SYSTEM_SAYS)
            if kind == QEvent.Type.FocusOut:
                self._rest.stop()
            else:
                self._rest.start()
        return False


def _blink_every(milliseconds: int) -> None:
    QGuiApplication.styleHints().setCursorFlashTime(milliseconds)
