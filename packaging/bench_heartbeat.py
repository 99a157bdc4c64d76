"""How late the loop calls a timer: for so long the window stands still. And what of that is the loop's own work."""

import asyncio
import contextlib
import time
from collections.abc import Iterator

from PySide6.QtCore import QObject, Qt, QTimer

HEARTBEAT_MS = 5


class Heartbeat(QObject):
    """A timer that notes how late the event loop calls it."""

    def __init__(self) -> None:
        super().__init__()
        self.lateness_ms: list[float] = []
        self._seconds = HEARTBEAT_MS / 1000
        self._due = 0.0
        self._timer = QTimer(self, interval=HEARTBEAT_MS, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)

    def start(self) -> None:
        self.lateness_ms = []
        self._due = time.perf_counter() + self._seconds
        self._timer.start()

    def stop(self) -> list[float]:
        """Return how late each beat was, and how late the next one is already."""
        self._timer.stop()
        self._beat()
        return self.lateness_ms

    def _beat(self) -> None:
        now = time.perf_counter()
        self.lateness_ms.append(max(0.0, (now - self._due) * 1000))
        self._due = now + self._seconds


@contextlib.contextmanager
def longest_step() -> Iterator[list[float]]:
    """Within the block note the longest processor time that the loop's thread took for one callback, in milliseconds: the
    one item of the list. Unlike a gap it does not depend on what else the computer does."""
    plain, longest = asyncio.Handle._run, [0.0]

    def run(self: asyncio.Handle) -> None:
        begin = time.thread_time()
        plain(self)
        longest[0] = max(longest[0], (time.thread_time() - begin) * 1000)

    asyncio.Handle._run = run
    try:
        yield longest
    finally:
        asyncio.Handle._run = plain
