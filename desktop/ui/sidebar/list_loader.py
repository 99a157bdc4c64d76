"""Fills the list of chats from the store: page by page, each part by itself, and anew where many came at once."""

import asyncio
from collections.abc import Iterable

from PySide6.QtCore import QObject

from desktop.conversation.entities import Thread
from desktop.conversation.lists import Folder, ListKind, PageKey, ThreadPage
from desktop.ui.presenting import Worker
from desktop.ui.services import UiServices
from desktop.ui.sidebar.chats_page import ChatsPage
from desktop.ui.sidebar.thread_list_model import OTHERS
from desktop.ui.sidebar.thread_sections import PINNED

PAGE = 200
FOLDER_PAGE = 50
"""Chats of a folder, or pinned ones, that are shown before further ones are asked for."""


class ListLoader(QObject):
    """Reads what comes into sight. A part of the list is ``OTHERS``, ``PINNED`` or the id of a folder."""

    def __init__(self, page: ChatsPage, services: UiServices, parent: QObject) -> None:
        super().__init__(parent)
        self._page = page
        self._services = services
        self._worker = Worker(services)
        self._next: dict[str, PageKey | None] = {}
        """Where each part that was begun goes on; None where it is complete."""
        self._others_read = 0
        self._is_stale = False
        """Many threads came since the list was read."""
        self._are_folders_stale = False
        page.model.more_requested.connect(lambda part: self._worker.start(self._load_more(part), "load threads"))
        services.conversations.thread_changed.connect(self._thread_changed)
        services.conversations.thread_removed.connect(self._thread_removed)
        services.conversations.many_changed.connect(self._many_changed)
        services.lists.folders_changed.connect(self._show_folders)

    async def load(self) -> None:
        """Read the folders and the first page of what is in sight, and show all of it at once."""
        folders, pinned, others = await asyncio.gather(
            self._services.lists.folders(), self._read(PINNED), self._read(OTHERS)
        )
        filed = [(folder.id, await self._read(folder.id)) for folder in folders if folder.is_open and folder.chats]
        self._page.set_folders(folders)
        for part, page in ((PINNED, pinned), *filed, (OTHERS, others)):
            self._show(part, page)

    async def _load_more(self, part: str) -> None:
        after = self._next.get(part)
        if after is not None or part not in self._next:
            self._show(part, await self._read(part, after))

    async def _read(self, part: str, after: PageKey | None = None) -> ThreadPage:
        lists = self._services.lists
        if part == OTHERS:
            return await lists.page(ListKind.OTHERS, limit=PAGE, after=after)
        if part == PINNED:
            return await lists.page(ListKind.PINNED, limit=FOLDER_PAGE, after=after)
        return await lists.page(ListKind.FOLDER, folder_id=part, limit=FOLDER_PAGE, after=after)

    def _show(self, part: str, page: ThreadPage) -> None:
        self._next[part] = page.next
        if part == OTHERS:
            self._others_read += len(page.threads)
        self._page.append(page.threads, complete=page.next is None, part=part)

    def _show_folders(self, folders: tuple[Folder, ...]) -> None:
        self._page.set_folders(folders)
        for part in set(self._next) - {OTHERS, PINNED} - {folder.id for folder in folders}:
            del self._next[part]
        self._begin(folder.id for folder in folders if folder.is_open and folder.chats)

    def _begin(self, folder_ids: Iterable[str]) -> None:
        for folder_id in folder_ids:
            if folder_id not in self._next:
                self._next[folder_id] = None  # it is being read
                self._worker.start(self._begin_folder(folder_id), "load a folder")

    async def _begin_folder(self, folder_id: str) -> None:
        self._show(folder_id, await self._read(folder_id))

    def _thread_changed(self, thread: Thread) -> None:
        if thread.folder_id is not None and not thread.options.is_temporary:
            self._count_folders()

    def _thread_removed(self, _thread_id: str) -> None:
        if self._page.model.folders:
            self._count_folders()

    def _count_folders(self) -> None:
        """How much is in each may be another number now."""
        self._are_folders_stale = True
        self._worker.start_once(self._recount(), "count folders")

    async def _recount(self) -> None:
        while self._are_folders_stale:
            self._are_folders_stale = False
            await self._services.lists.announce_folders()

    def _many_changed(self, _grown: frozenset[str]) -> None:
        self._is_stale = True
        self._worker.start_once(self._reload(), "load threads again")

    async def _reload(self) -> None:
        """Read all that was loaded once more, and a page of each part at least; again where more came meanwhile.

        What is there stays where it is; only then goes what is not there any more.
        """
        while self._is_stale:
            self._is_stale = False
            wanted, self._others_read = self._others_read, 0
            parts = [part for part in self._next if part != OTHERS]
            found: set[str] = set()
            self._page.set_folders(await self._services.lists.folders())
            for part in parts:
                page = await self._read(part)
                self._show(part, page)
                found |= {thread.id for thread in page.threads}
            after: PageKey | None = None
            while True:
                page = await self._read(OTHERS, after)
                self._show(OTHERS, page)
                found |= {thread.id for thread in page.threads}
                after = page.next
                if after is None or self._others_read >= wanted:
                    break
            self._page.keep_only(found)
        self._count_folders()
