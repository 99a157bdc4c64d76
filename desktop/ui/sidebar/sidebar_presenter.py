"""Connects the sidebar with the services: the list and its marks, search, rename, delete with undo, the Trash."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal

from desktop.agent.run import Run
from desktop.conversation.entities import Thread
from desktop.ui.presenting import Worker
from desktop.ui.services import UiServices
from desktop.ui.shortcuts import keys_of
from desktop.ui.sidebar.arranging_presenter import ArrangingPresenter
from desktop.ui.sidebar.list_loader import ListLoader
from desktop.ui.sidebar.search_presenter import SearchPresenter
from desktop.ui.sidebar.sidebar import Sidebar
from desktop.ui.sidebar.thread_roles import ThreadMark
from desktop.ui.sidebar.trash_presenter import TrashPresenter
from desktop.ui.state.outcomes import Outcome, Outcomes
from desktop.ui.toast import Toast


class SidebarPresenter(QObject):
    """Keeps the sidebar true to the services; ``search`` does so for what is found.

    Signals:
        open_requested: the user chose a thread, perhaps a message in it; ids, the second one may be empty.
        restored: threads came back from the Trash by undo; their ids.
        purged: threads were deleted for good; carries the ``Receipt``.
        left: the open chat was put away: a new one is to be shown in its place.
    """

    open_requested = Signal(str, str)
    restored = Signal(list)
    purged = Signal(object)
    left = Signal()

    def __init__(self, sidebar: Sidebar, toast: Toast, services: UiServices, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._sidebar = sidebar
        self._toast = toast
        self._services = services
        self._worker = Worker(services)
        self._waiting: set[str] = set()
        self._failed: set[str] = set()
        self._marked_unread: set[str] = set()
        """Also those of which it is not on disk yet."""
        self._outcomes = Outcomes()
        self._archived_open: str | None = None
        self._open_id: str | None = None
        self.is_covered: Callable[[], bool] = lambda: False
        """Whether something stands in the place of the open chat, or the window is not in sight."""
        self.loader = ListLoader(sidebar.chats, services, self)
        self.arranging = ArrangingPresenter(sidebar, toast, services, self)
        self.trash = TrashPresenter(sidebar, toast, services, self)
        self.search = SearchPresenter(sidebar, services, self)
        self._connect()

    async def load(self) -> None:
        """Read what is in sight first, and the count of the Trash."""
        await self.loader.load()
        await self.trash.count()

    async def ensure_loaded(self, thread_id: str) -> Thread | None:
        """Make sure that the thread has its row; returns it, or None when it is gone."""
        thread = self._sidebar.model.get(thread_id)
        if thread is None:
            thread = await self._services.conversations.get_thread(thread_id)
            if thread is None or thread.deleted_at is not None:
                return None
            self._thread_changed(thread)
        return thread

    def set_waiting(self, thread_id: str, waiting: bool) -> None:
        """Mark that the run of the thread waits for the user, or no longer."""
        (self._waiting.add if waiting else self._waiting.discard)(thread_id)
        self._show_mark(thread_id)

    def forget_failure(self, thread_id: str) -> None:
        """The user has seen how the answer failed."""
        if thread_id in self._failed:
            self._failed.discard(thread_id)
            self._show_mark(thread_id)

    def opened(self, thread_id: str | None, *, has_begun: bool = False) -> None:
        """This chat is open now: what went on in it is seen. ``has_begun``: only now, where nothing went on before."""
        self._open_id = thread_id
        if thread_id is not None:
            if not has_begun:  # its first answer may have failed by now
                self.forget_failure(thread_id)
            self.seen()

    def seen(self) -> None:
        """The open chat is in sight."""
        if self._open_id is not None and not self.is_covered():
            self._worker.start(self._note_read(self._open_id), "note that a chat was read")

    async def _note_read(self, thread_id: str) -> None:
        thread = await self._services.conversations.get_thread(thread_id)
        if thread is not None and (thread.is_unread or thread_id in self._marked_unread):
            self._marked_unread.discard(thread_id)
            await self._services.lists.mark_unread([thread_id], False)

    def delete(self, thread_ids: Sequence[str]) -> None:
        self._worker.start(self._delete(list(thread_ids)), "delete threads")

    def rename(self, thread_id: str, title: str) -> None:
        self._worker.start(self._services.conversations.rename(thread_id, title), "rename thread")

    def _connect(self) -> None:
        bar = self._sidebar
        bar.thread_selected.connect(lambda thread_id: self.open_requested.emit(thread_id, ""))
        bar.hit_activated.connect(self.open_requested)
        bar.delete_requested.connect(self.delete)
        bar.rename_requested.connect(self.rename)
        self.trash.purged.connect(self.purged)
        self.arranging.archived.connect(self._archived)
        self.arranging.brought_back.connect(self._brought_back)
        self._services.conversations.thread_changed.connect(self._thread_changed)
        self._services.conversations.thread_removed.connect(self._thread_removed)
        self._services.chat.run_started.connect(self._run_started)
        self._services.chat.run_ended.connect(self._run_ended)

    # -- what the services announce

    def _thread_changed(self, thread: Thread) -> None:
        if not thread.options.is_temporary:
            self._sidebar.put_thread(thread)

    def _thread_removed(self, thread_id: str) -> None:
        self._sidebar.chats.remove(thread_id)
        self._sidebar.trash.remove(thread_id)
        self._failed.discard(thread_id)

    def _run_started(self, run: Run) -> None:
        self._failed.discard(run.thread_id)
        self._show_mark(run.thread_id)

    def _run_ended(self, run: Run) -> None:
        if not self._services.chat.runs_of(run.thread_id):
            self._waiting.discard(run.thread_id)
        outcome = self._outcomes.note(run)
        (self._failed.add if outcome is Outcome.FAILED else self._failed.discard)(run.thread_id)
        self._show_mark(run.thread_id)
        if outcome is not Outcome.STOPPED and (run.thread_id != self._open_id or self.is_covered()):
            self._marked_unread.add(run.thread_id)
            self.arranging.mark_unread([run.thread_id])

    def _show_mark(self, thread_id: str) -> None:
        if thread_id in self._waiting:
            mark = ThreadMark.WAITING
        elif self._services.chat.runs_of(thread_id):
            mark = ThreadMark.RUNNING
        elif thread_id in self._failed:
            mark = ThreadMark.FAILED
        else:
            mark = ThreadMark.NONE
        self._sidebar.set_mark(thread_id, mark)

    def _archived(self, thread_ids: list[str]) -> None:
        """What was put away is not on the screen any more."""
        self._archived_open = self._open_id if self._open_id in thread_ids else None
        if self._archived_open is not None:
            self.left.emit()

    def _brought_back(self, thread_ids: list[str]) -> None:
        """Undo brings back what was on the screen, unless the user has gone elsewhere."""
        if self._archived_open in thread_ids and self._open_id is None:
            self.open_requested.emit(self._archived_open, "")

    # -- what the user asks for

    async def _delete(self, thread_ids: list[str]) -> None:
        deleted: list[str] = []
        try:
            for thread_id in thread_ids:
                await self._services.chat.delete_thread(thread_id)
                deleted.append(thread_id)
        finally:
            if deleted:
                self._offer_undo(deleted)
            await self.trash.refresh()

    def _offer_undo(self, deleted: list[str]) -> None:
        self._toast.present(
            lambda: self.tr("%n chats deleted", "", len(deleted)),
            lambda: self.tr("Undo"),
            lambda: self._worker.start(self._undo(deleted), "undo delete"),
            shortcut=keys_of("undo"),
        )

    async def _undo(self, thread_ids: list[str]) -> None:
        await self.trash.restore(thread_ids)
        self.restored.emit(thread_ids)
