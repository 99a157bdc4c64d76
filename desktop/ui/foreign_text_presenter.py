"""Shows in the header whether the chat that is open holds text by somebody else."""

from PySide6.QtCore import QObject

from desktop.ui.foreign_text_chip import ForeignTextChip
from desktop.ui.presenting import Worker
from desktop.ui.services import UiServices


class ForeignTextPresenter(QObject):
    """Shows the chip of the chat that is open."""

    def __init__(self, chip: ForeignTextChip, services: UiServices, parent: QObject) -> None:
        super().__init__(parent)
        self._chip = chip
        self._services = services
        self._worker = Worker(services)
        self._thread_id: str | None = None
        services.taints.changed.connect(self._taken_in)

    def show_thread(self, thread_id: str | None) -> None:
        """Another chat is open; None is a new one."""
        self._thread_id = thread_id
        self._chip.show_taint(None)
        if thread_id is not None:
            self._worker.start(self._load(thread_id), "look for foreign text")

    def _taken_in(self, thread_id: str) -> None:
        if thread_id == self._thread_id:
            self._worker.start(self._load(thread_id), "look for foreign text")

    async def _load(self, thread_id: str) -> None:
        taint = await self._services.taints.of(thread_id)
        if thread_id == self._thread_id:
            self._chip.show_taint(taint)
