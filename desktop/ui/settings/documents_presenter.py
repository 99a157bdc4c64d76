"""Connects the page Documents with what was added: adds, reads again, removes with Undo, and follows the reading."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QTimer

from desktop.core.errors import FileError
from desktop.memory.document_service import ReadingState
from desktop.memory.documents import NEW_THREAD, RootSummary
from desktop.ui.documents.choosing import choose_paths
from desktop.ui.documents.words import name_of
from desktop.ui.links import open_folder
from desktop.ui.presenting import Worker
from desktop.ui.settings.context import SettingsContext
from desktop.ui.settings.documents_page import DocumentsPage

SHOWN_EVERY_MS = 250
"""While a folder is read its state changes many times a second."""


class DocumentsPresenter(QObject):
    """Belongs to the page; reads when the page is seen, and again whenever something changes meanwhile."""

    def __init__(self, page: DocumentsPage, context: SettingsContext) -> None:
        super().__init__(page)
        self._page = page
        self._context = context
        self._documents = context.services.documents
        self._worker = Worker(context.services)
        self._summaries: Sequence[RootSummary] = ()
        self._titles: dict[str, str] = {}
        self._folder = str(Path.home())
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SHOWN_EVERY_MS)
        self._timer.timeout.connect(self._reload)
        page.shown.connect(self._shown)
        page.files_requested.connect(lambda: self._choose(folders=False))
        page.folder_requested.connect(lambda: self._choose(folders=True))
        page.remove_requested.connect(lambda root_id: self._worker.start(self._remove(root_id), "remove a document"))
        page.read_requested.connect(
            lambda root_id: self._worker.start(self._documents.read_again(root_id), "read a document again")
        )
        page.open_requested.connect(self._open)
        page.thread_requested.connect(context.open_thread)
        self._documents.changed.connect(self._changed)
        self._documents.reading_changed.connect(self._reading_changed)

    def add(self, paths: Sequence[Path]) -> None:
        """Add files and folders for all chats."""
        self._worker.start(self._documents.add(paths, only_thread_id=None), "add documents")

    def _shown(self) -> None:
        self._documents.start()
        self._documents.look_soon()
        self._reload()

    def _changed(self) -> None:
        if self._page.isVisible() and not self._timer.isActive():
            self._timer.start()

    def _reading_changed(self, _state: ReadingState) -> None:
        if self._page.isVisible() and self._summaries:
            self._show()

    def _reload(self) -> None:
        self._worker.start(self._load(), "load documents")

    async def _load(self) -> None:
        summaries = await self._documents.summaries()
        titles: dict[str, str] = {}
        for thread_id in {one.root.only_thread_id for one in summaries if one.root.only_thread_id}:
            thread = await self._context.services.conversations.get_thread(thread_id)
            titles[thread_id] = (thread.title if thread is not None else "") or self.tr("New chat")
        self._summaries, self._titles = summaries, {**titles, NEW_THREAD: self.tr("New chat")}
        self._show()

    def _show(self) -> None:
        self._page.show_documents(self._summaries, self._titles, self._documents.reading)

    async def _remove(self, root_id: str) -> None:
        summary = next((one for one in self._summaries if one.root.id == root_id), None)
        await self._documents.remove(root_id)
        await self._load()
        if summary is not None:
            name = name_of(summary.root.path)
            self._context.offer_undo(
                lambda: self.tr("“%1” is no longer used. The file itself stays.").replace("%1", name),
                lambda: self._worker.start(self._restore(root_id), "restore a document"),
                over=lambda: self._worker.start(self._purge(root_id), "remove a document for good"),
            )

    async def _restore(self, root_id: str) -> None:
        await self._documents.restore(root_id)
        await self._load()

    async def _purge(self, root_id: str) -> None:
        receipt = await self._documents.purge([root_id])
        if not receipt.is_empty:
            self._context.offer_receipt(receipt)

    def _open(self, root_id: str) -> None:
        summary = next((one for one in self._summaries if one.root.id == root_id), None)
        if summary is not None and not open_folder(summary.root.path.parent):
            self._context.services.report_error(
                FileError("file.unreadable", name=name_of(summary.root.path), detail=self.tr("Its folder is gone."))
            )

    def _choose(self, *, folders: bool) -> None:
        title = self.tr("Add a folder as knowledge") if folders else self.tr("Add files as knowledge")
        dialog = choose_paths(self._context.window, title, self._folder, self._chosen, folders=folders)
        dialog.setObjectName("documents-dialog")

    def _chosen(self, paths: Sequence[Path]) -> None:
        if paths:
            self._folder = str(paths[0].parent)
            self.add(paths)
