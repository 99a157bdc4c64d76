"""What stands over the column of the transcript: the frame of the message, and above it what waits to be sent."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

if TYPE_CHECKING:
    from desktop.ui.composer.queue_panel import QueuePanel


class ComposerColumn(QWidget):
    """``changed`` comes when Tab stops elsewhere in what stands above."""

    changed = Signal()

    def __init__(self, frame: QWidget) -> None:
        super().__init__()
        self._frame = frame
        self._panel: QueuePanel | None = None
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(6)
        self._rows.addWidget(frame)

    def place_above(self, panel: "QueuePanel") -> None:
        self._panel = panel
        self._rows.insertWidget(0, panel)
        panel.stackUnder(self._frame)  # the order in which a screen reader meets them
        panel.focus_stops_changed.connect(self.changed)
        self.changed.emit()

    def focus_stops(self) -> list[QWidget]:
        return [] if self._panel is None else self._panel.focus_stops()
