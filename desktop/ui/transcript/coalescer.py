"""Gathers the changes of a streaming row and shows only the newest state, some forty times a second."""

import math
import time
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from desktop.ui.state.transcript_state import RowState

PAUSE_MS = 21
"""With what an update and its painting take, a chunk is seen within 33 ms."""
COST_FACTOR = 4
"""The pause is at least this many times what updates cost of late, so that input never waits behind them."""
COST_MEMORY = 0.75
"""How much of the mean is what earlier updates cost: a single dear one does not hold up the next."""


class Coalescer(QObject):
    """``flushed`` carries what an update took, in milliseconds."""

    flushed = Signal(float)

    def __init__(self, show: Callable[[RowState], None], parent: QObject) -> None:
        super().__init__(parent)
        self._show = show
        self._pending: RowState | None = None
        self._cost_ms = 0.0
        self._shown_at = 0.0
        self._timer = QTimer(self, singleShot=True, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self.flush)

    @property
    def wait_seconds(self) -> float:
        """The time until the next update is due; what is put before that is not shown before."""
        pause = max(PAUSE_MS, COST_FACTOR * self._cost_ms) / 1000
        return max(0.0, self._shown_at + pause - time.perf_counter())

    def put(self, row: RowState) -> None:
        """Show ``row``, or a later one instead of it: at once after a pause, else when the next update is due."""
        self._pending = row
        if self._timer.isActive():
            return
        if wait := self.wait_seconds:
            self._timer.start(math.ceil(wait * 1000))
        else:
            self.flush()

    def flush(self) -> None:
        """Show what waits, now."""
        self._timer.stop()
        row, self._pending = self._pending, None
        if row is not None:
            begin = time.perf_counter()
            self._show(row)
            self._shown_at = time.perf_counter()
            took_ms = (self._shown_at - begin) * 1000
            self._cost_ms = COST_MEMORY * self._cost_ms + (1 - COST_MEMORY) * took_ms
            self.flushed.emit(took_ms)

    def clear(self) -> None:
        """Forget what waits."""
        self._timer.stop()
        self._pending = None
