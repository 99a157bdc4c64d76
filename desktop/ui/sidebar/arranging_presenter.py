"""What puts chats in order: pin, archive, folders, read or not; for one chat or many, each with one Undo for all."""

from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from PySide6.QtCore import QObject, Signal

from desktop.conversation.entities import Thread
from desktop.conversation.list_service import DeletedFolder, Places
from desktop.conversation.lists import ListKind, PageKey
from desktop.ui.presenting import Worker
from desktop.ui.services import UiServices
from desktop.ui.shortcuts import keys_of
from desktop.ui.sidebar.list_loader import PAGE
from desktop.ui.sidebar.sidebar import Sidebar
from desktop.ui.toast import Toast

Work = Coroutine[Any, Any, object]


class ArrangingPresenter(QObject):
    """Acts on the requests of the list, and on those of whoever else has chats to be put in order.

    ``archived`` and ``brought_back`` carry the ids of threads that went into the archive, and that an Undo took out again.
    """

    archived = Signal(list)
    brought_back = Signal(list)

    def __init__(self, sidebar: Sidebar, toast: Toast, services: UiServices, parent: QObject) -> None:
        super().__init__(parent)
        self._sidebar = sidebar
        self._toast = toast
        self._services = services
        self._worker = Worker(services)
        self._next: PageKey | None = None
        view, archive = sidebar.list, sidebar.archive
        view.pin_requested.connect(lambda ids, pins: self.pin(ids) if pins else self.unpin(ids))
        view.archive_requested.connect(lambda ids, _: self.archive(ids))
        view.unread_requested.connect(self.mark_unread)
        view.move_requested.connect(self.move)
        view.new_folder_requested.connect(self.new_folder)
        view.folder_opened.connect(self.open_folder)
        view.folder_deleted.connect(self.delete_folder)
        view.folder_moved.connect(lambda key, before: self._start(services.lists.move_folder(key, before)))
        sidebar.model.folder_rename_requested.connect(lambda key, name: self._rename_folder(key, name))
        sidebar.footer.archive_requested.connect(self.toggle_archive)
        archive.back_requested.connect(self._leave_archive)
        archive.unarchive_requested.connect(self.unarchive)
        archive.model.more_requested.connect(lambda _: self._start(self._load_more()))
        services.conversations.thread_changed.connect(self._thread_changed)
        services.conversations.thread_removed.connect(lambda thread_id: archive.remove(thread_id))

    # -- chats

    def pin(self, thread_ids: Sequence[str]) -> None:
        self._change(self._services.lists.pin(thread_ids), lambda n: self.tr("%n chats pinned", "", n))

    def unpin(self, thread_ids: Sequence[str]) -> None:
        self._change(self._services.lists.unpin(thread_ids), lambda n: self.tr("%n chats unpinned", "", n))

    def archive(self, thread_ids: Sequence[str]) -> None:
        """Put chats away; they are kept, and found by the search."""
        ids = list(thread_ids)
        self._change(
            self._services.lists.archive(ids),
            lambda n: self.tr("%n chats archived", "", n),
            then=lambda: self.archived.emit(ids),
            after_undo=lambda: self.brought_back.emit(ids),
        )

    def unarchive(self, thread_ids: Sequence[str]) -> None:
        self._change(self._services.lists.unarchive(thread_ids), lambda n: self.tr("%n chats brought back", "", n))

    def move(self, thread_ids: Sequence[str], folder_id: str | None) -> None:
        """Put chats into a folder; with None out of every folder."""
        self._change(self._services.lists.move(thread_ids, folder_id), lambda n: self.tr("%n chats moved", "", n))

    def mark_unread(self, thread_ids: Sequence[str], unread: bool = True) -> None:
        self._start(self._services.lists.mark_unread(thread_ids, unread))

    # -- folders

    def new_folder(self, thread_ids: Sequence[str] = ()) -> None:
        """Make a folder with these chats, and let its name be typed."""
        self._start(self._make_folder(list(thread_ids)))

    def open_folder(self, folder_id: str, is_open: bool) -> None:
        self._start(self._services.lists.open_folder(folder_id, is_open))

    def delete_folder(self, folder_id: str) -> None:
        """Delete a folder; its chats stay."""
        self._start(self._delete_folder(folder_id))

    # -- the archive

    def toggle_archive(self) -> None:
        """Show the archive, or the list again."""
        if self._sidebar.is_archive_shown:
            self._leave_archive()
        else:
            self._start(self._show_archive())

    # -- inside

    def _start(self, work: Work) -> None:
        self._worker.start(work, "put chats in order")

    def _change(
        self,
        work: Coroutine[Any, Any, Places],
        words: Callable[[int], str],
        *,
        then: Callable[[], object] | None = None,
        after_undo: Callable[[], object] | None = None,
    ) -> None:
        """Do it, then offer to take all of it back."""

        async def change() -> None:
            before = await work
            if not before:
                return
            if then is not None:
                then()
            self._offer_undo(lambda: words(len(before)), lambda: self._put_back(before, after_undo))

        self._start(change())

    def _offer_undo(self, words: Callable[[], str], undo: Callable[[], Work]) -> None:
        self._toast.present(words, lambda: self.tr("Undo"), lambda: self._start(undo()), shortcut=keys_of("undo"))

    async def _put_back(self, places: Places, then: Callable[[], object] | None) -> None:
        await self._services.lists.put_back(places)
        if then is not None:
            then()

    async def _make_folder(self, thread_ids: list[str]) -> None:
        lists = self._services.lists
        folder = await lists.create_folder(self.tr("New folder"))
        if folder is None:
            return
        if thread_ids:
            before = await lists.move(thread_ids, folder.id)
            self._offer_undo(lambda: self.tr("%n chats moved", "", len(before)), lambda: self._put_back(before, None))
        self._sidebar.show_threads()
        self._sidebar.list.edit_folder(folder.id)

    def _rename_folder(self, folder_id: str, name: str) -> None:
        self._start(self._services.lists.rename_folder(folder_id, name))

    async def _delete_folder(self, folder_id: str) -> None:
        deleted = await self._services.lists.delete_folder(folder_id)
        if deleted is None:
            return

        def words() -> str:
            return self.tr("Folder “%1” deleted, its chats are kept").replace("%1", deleted.folder.name)

        self._offer_undo(words, lambda: self._bring_back(deleted))

    async def _bring_back(self, deleted: DeletedFolder) -> None:
        await self._services.lists.restore_folder(deleted)

    async def _show_archive(self, *, again: bool = False) -> None:
        """``again``: it is shown, and stays away if it was left while it was read anew."""
        page = await self._services.lists.page(ListKind.ARCHIVE, limit=PAGE)
        if again and not self._sidebar.is_archive_shown:
            return
        self._next = page.next
        self._sidebar.show_archive(page.threads, complete=page.next is None)

    async def _load_more(self) -> None:
        page = await self._services.lists.page(ListKind.ARCHIVE, limit=PAGE, after=self._next)
        self._next = page.next
        self._sidebar.archive.model.append(page.threads, complete=page.next is None)

    def _leave_archive(self) -> None:
        self._sidebar.show_main_page()
        self._sidebar.list.setFocus()

    def _thread_changed(self, thread: Thread) -> None:
        """Keep the archive true while it is shown."""
        archive = self._sidebar.archive
        if thread.archived_at is None:
            archive.remove(thread.id)
        elif archive.model.get(thread.id) is not None:
            archive.model.put(thread)
        elif self._sidebar.is_archive_shown:
            self._start(self._show_archive(again=True))
