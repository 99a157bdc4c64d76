"""Gathers the changes of a streaming row and shows only the newest state, twenty to thirty times a second."""

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from desktop.ui.state.transcript_state import RowState

INTERVAL_MS = 33
RELAXED_MS = 50
RELAXED_FACTOR = 25
"""Up to ``RELAXED_MS`` the pause is this many times what the last update cost: still fluent, for less processor time."""
COST_FACTOR = 5
"""The pause is at least this many times what the last update cost, so that input never waits behind updates."""


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
    def pause_seconds(self) -> float:
        """The time from one update to the next; what is put more often is not shown."""
        relaxed = min(RELAXED_MS, RELAXED_FACTOR * self._cost_ms)
        return max(INTERVAL_MS, relaxed, COST_FACTOR * self._cost_ms) / 1000

    def put(self, row: RowState) -> None:
        """Show ``row`` soon, or a later one instead of it."""
        self._pending = row
        if not self._timer.isActive():
            elapsed = time.perf_counter() - self._shown_at
            self._timer.start(max(0, int((self.pause_seconds - elapsed) * 1000)))

    def flush(self) -> None:
        """Show what waits, now."""
        self._timer.stop()
        row, self._pending = self._pending, None
        if row is not None:
            begin = time.perf_counter()
            self._show(row)
            self._shown_at = time.perf_counter()
            self._cost_ms = (self._shown_at - begin) * 1000
            self.flushed.emit(self._cost_ms)

    def clear(self) -> None:
        """Forget what waits."""
        self._timer.stop()
        self._pending = None
