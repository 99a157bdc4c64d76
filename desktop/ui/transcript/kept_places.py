"""Where each chat is read: in memory while the program runs, and on disk for its next start."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from desktop.conversation.queued import ReadingPlace
from desktop.ui.presenting import Worker
from desktop.ui.services import UiServices
from desktop.ui.transcript.reading_position import ReadingPosition

if TYPE_CHECKING:
    from desktop.ui.transcript.view import TranscriptView

SAVE_DELAY_MS = 2000
"""After somebody scrolled: a crash costs no more than that."""


class KeptPlaces(QObject):
    """Only a place that is not the end is on disk, and it is written only where it became another one."""

    def __init__(self, services: UiServices, parent: QObject) -> None:
        super().__init__(parent)
        self._store = services.places
        self._worker = Worker(services)
        self._positions: dict[str, ReadingPosition] = {}
        self._stored: dict[str, ReadingPlace | None] = {}
        self._view: TranscriptView | None = None
        self._shown: Callable[[], str | None] = lambda: None
        self._timer = QTimer(self, singleShot=True, interval=SAVE_DELAY_MS)
        self._timer.timeout.connect(self._look)
        services.conversations.thread_removed.connect(self._thread_removed)

    def watch(self, view: "TranscriptView", shown: Callable[[], str | None]) -> None:
        """Note where ``view`` is read; ``shown`` tells which thread it shows, None for none."""
        self._view, self._shown = view, shown
        view.verticalScrollBar().valueChanged.connect(self._scrolled)

    def keep(self, thread_id: str, position: ReadingPosition | None) -> None:
        """The thread is read here."""
        if position is None:
            return
        self._positions[thread_id] = position
        if self._place_to_store(thread_id) != self._stored.get(thread_id):
            self._worker.start(self._save(thread_id), "keep the reading place")

    async def find(self, thread_id: str) -> ReadingPosition | None:
        """Return where the thread was read last; None where that was never noted, or was its end. Raises ``StorageError``."""
        if thread_id not in self._positions and thread_id not in self._stored:
            self._stored[thread_id] = await self._store.load(thread_id)
        place = self._stored.get(thread_id)
        stored = None if place is None else ReadingPosition(place.message_id, place.block, place.y, is_at_end=False)
        return self._positions.get(thread_id, stored)

    async def flush(self) -> None:
        """Write where the shown thread is read; for the end of the program. Raises ``StorageError``."""
        self._timer.stop()
        thread_id = self._shown()
        if thread_id is not None and self._view is not None:
            if (position := self._view.reading_position()) is not None:
                self._positions[thread_id] = position
            await self._save(thread_id)

    def _scrolled(self) -> None:
        if not self._timer.isActive():
            self._timer.start()

    def _look(self) -> None:
        if self._view is not None and (thread_id := self._shown()) is not None:
            self.keep(thread_id, self._view.reading_position())

    def _place_to_store(self, thread_id: str) -> ReadingPlace | None:
        position = self._positions.get(thread_id)
        if position is None or position.is_at_end:
            return None
        return ReadingPlace(position.message_id, position.cell_index, position.y)

    async def _save(self, thread_id: str) -> None:
        place = self._place_to_store(thread_id)
        if place != self._stored.get(thread_id):
            self._stored[thread_id] = place
            await self._store.save(thread_id, place)

    def _thread_removed(self, thread_id: str) -> None:
        """What is on disk comes back with the thread."""
        self._positions.pop(thread_id, None)
        self._stored.pop(thread_id, None)
