"""Import and export of memories: which file, what an import would do, and where an export went."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import QObject, Qt

from desktop.core.clock import utc_now
from desktop.core.errors import FileError, ThreadwellError
from desktop.core.settings import write_atomically
from desktop.memory import transfer
from desktop.memory.entities import MemoryItem, MemoryKind, MemoryStatus
from desktop.memory.transfer import Entry, Planned, Problem, Reading, Verdict
from desktop.ui.dialogs.returning_dialog import ReturningFileDialog, documents_folder
from desktop.ui.dialogs.save_dialog import save_dialog
from desktop.ui.links import open_folder
from desktop.ui.memory.import_dialog import MemoryImportDialog
from desktop.ui.memory.words import kind_word
from desktop.ui.picked_files import read_picked
from desktop.ui.presenting import Worker
from desktop.ui.services import UiServices
from desktop.ui.theme.theme_manager import ThemeManager

if TYPE_CHECKING:
    from desktop.ui.main_window import MainWindow

_PAGE = 2_000


class TransferPresenter(QObject):
    """Belongs to the memory page."""

    def __init__(
        self,
        parent: QObject,
        window: "MainWindow",
        services: UiServices,
        theme: ThemeManager,
        hidden: Callable[[], frozenset[str]],
    ) -> None:
        """``hidden`` tells the ids of items that are about to be forgotten: they are not exported."""
        super().__init__(parent)
        self._hidden = hidden
        self._window = window
        self._services = services
        self._theme = theme
        self._worker = Worker(services)

    # -- import

    def choose_file(self) -> None:
        """Ask for a file, then show what an import of it would do."""
        dialog = ReturningFileDialog(self._window, self.tr("Import memories"), documents_folder())
        dialog.setObjectName("memoryImportFile")
        dialog.setFileMode(ReturningFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters([self.tr("Memories (*.json *.md *.markdown *.txt)"), self.tr("All files (*)")])
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda name: self.look_at(Path(name)))
        dialog.open()

    def look_at(self, path: Path) -> None:
        """Show what an import of this file would do."""
        self._worker.start_once(self._look_at(path), f"read memories from {path}")

    async def _look_at(self, path: Path) -> None:
        data = await read_picked(path, transfer.MOST_BYTES)
        now = utc_now()
        reading = Reading(problem=Problem.TOO_LARGE)
        if len(data) <= transfer.MOST_BYTES:
            reading = await asyncio.to_thread(transfer.read, data, now)
        planned = await self._plan(reading.entries) if reading.problem is None else ()
        dialog = MemoryImportDialog(self._window, self._theme, path.name, planned, reading.problem)
        new = [one.item for one in planned if one.verdict is Verdict.NEW and one.item is not None]
        dialog.add_requested.connect(lambda: self._worker.start(self._add(dialog, new), "import memories"))
        dialog.open()

    async def _plan(self, entries: Sequence[Entry]) -> Sequence[Planned]:
        items = [entry.item for entry in entries if entry.item is not None]
        there = await self._all()
        known = await asyncio.to_thread(lambda: {transfer.normal(item.text) for item in there})
        forgotten = await self._services.memory.forgotten(items)
        wanted = {item.only_thread_id for item in items if item.only_thread_id is not None}
        chats = {chat for chat in wanted if await self._services.conversations.get_thread(chat)}
        return await asyncio.to_thread(transfer.plan, entries, known=known, forgotten=forgotten, chats=chats)

    async def _add(self, dialog: MemoryImportDialog, items: Sequence[MemoryItem]) -> None:
        """Store all of them, or none."""
        try:
            await self._services.memory.add(items)
        except ThreadwellError as error:
            if not shiboken6.isValid(dialog):
                raise
            dialog.show_failure(error)
            return
        if shiboken6.isValid(dialog):
            dialog.accept()
        if shiboken6.isValid(self._window):
            count = len(items)
            self._window.toast.tell(lambda: self.tr("%n memories added", "", count))

    # -- export

    def export(self, kind: str) -> None:
        """Ask where ``json`` or ``md`` shall go, then write it."""
        title, file_name = self.tr("Export memories"), f"threadwell-memories-{datetime.now():%Y-%m-%d}.{kind}"
        dialog = save_dialog(self._window, title, documents_folder(), "memoryExportFile", file_name)
        dialog.setDefaultSuffix(kind)
        dialog.fileSelected.connect(
            lambda name: self._worker.start(self.write_file(Path(name), kind), "export memories")
        )
        dialog.open()

    async def write_file(self, path: Path, kind: str) -> None:
        """Write ``json`` or ``md``, and say where it went. Raises ``FileError`` and ``StorageError``."""
        items = [item for item in await self._all() if item.id not in self._hidden()]
        if kind == "json":
            text = await asyncio.to_thread(transfer.to_json, items)
        else:
            items = [item for item in items if item.status is MemoryStatus.ACTIVE]
            text = transfer.to_markdown(items, self.tr("Memories"), {one: kind_word(one) for one in MemoryKind})
        try:
            await asyncio.to_thread(write_atomically, path, text)
        except OSError as error:
            raise FileError("file.not_saved", name=path.name, detail=error.strerror or str(error)) from error
        count = len(items)
        self._window.toast.present(
            lambda: self.tr("%n memories exported to %1", "", count).replace("%1", path.name),
            lambda: self.tr("Show the folder"),
            lambda: open_folder(path.parent),
        )

    async def _all(self) -> list[MemoryItem]:
        items: list[MemoryItem] = []
        statuses = tuple(MemoryStatus)
        while some := await self._services.memory.search(statuses=statuses, limit=_PAGE, offset=len(items)):
            items += some
        return items
