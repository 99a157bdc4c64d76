"""What prose and code have in common: the transcript hears of mouse and keys first, to select across blocks."""

from typing import TYPE_CHECKING

from PySide6.QtGui import QKeyEvent, QMouseEvent

from desktop.ui.transcript.context import BlockContext

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget as _Base
else:
    _Base = object


class SelectableText(_Base):
    """Mixed into a read-only text widget. Overrides instead of an event filter, which would see every event."""

    _context: BlockContext

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        if not self._context.text_events.mouse(event):
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        if not self._context.text_events.mouse(event):
            super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        if not self._context.text_events.mouse(event):
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if not self._context.text_events.key_pressed(event):
            super().keyPressEvent(event)
