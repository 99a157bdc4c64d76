"""Connects the sidebar with the services: the list and its marks, search, rename, delete with undo, the Trash."""

import asyncio
import unicodedata
from collections.abc import Sequence

from PySide6.QtCore import QObject, QTimer, Signal

from desktop.agent.run import Run
from desktop.conversation.entities import Role, SearchHit, Thread
from desktop.core.memory_settings import EmbedderKind
from desktop.core.receipt import Receipt
from desktop.memory.entities import Passage
from desktop.memory.indexing import IndexingState
from desktop.ui.memory.purging import ask_to_purge
from desktop.ui.presenting import Worker
from desktop.ui.services import UiServices
from desktop.ui.shortcuts import keys_of
from desktop.ui.sidebar.sidebar import Sidebar
from desktop.ui.sidebar.thread_list_model import ThreadMark
from desktop.ui.state.outcomes import Outcome, Outcomes
from desktop.ui.toast import Toast

PAGE = 200
MOST_LIKE = 8
"""Messages that are shown as found by their meaning."""
MEANING_DELAY_SECONDS = 0.2
"""After the words were looked up: half a word means nothing, or something else."""
LIKE_AGAIN_MS = 500
"""While vectors are made, there are more of them many times a second."""
LEAST_ASKED = 3
"""In letters, of which a Chinese character counts two."""
SNIPPET_LENGTH = 160


class SidebarPresenter(QObject):
    """Keeps the sidebar true to the services.

    Signals:
        open_requested: the user chose a thread, perhaps a message in it; ids, the second one may be empty.
        restored: threads came back from the Trash by undo; their ids.
        purged: threads were deleted for good; carries the ``Receipt``.
    """

    open_requested = Signal(str, str)
    restored = Signal(list)
    purged = Signal(object)

    def __init__(self, sidebar: Sidebar, toast: Toast, services: UiServices, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._sidebar = sidebar
        self._toast = toast
        self._services = services
        self._worker = Worker(services)
        self._waiting: set[str] = set()
        self._failed: set[str] = set()
        self._outcomes = Outcomes()
        self._searches = 0
        self._finds_by_meaning = True
        """As far as is known: the last time it was asked."""
        self._is_stale = False
        """Many threads came since the list was read."""
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.setInterval(LIKE_AGAIN_MS)
        self._again.timeout.connect(self._find_like_again)
        self._connect()

    async def load(self) -> None:
        """Read the first page and the count of the Trash."""
        threads = await self._services.conversations.list_threads(limit=PAGE)
        self._sidebar.append_threads(threads, complete=len(threads) < PAGE)
        await self._count_trash()

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
        bar.search_changed.connect(self._search)
        bar.more_requested.connect(lambda count: self._worker.start(self._load_more(count), "load threads"))
        bar.footer.trash_requested.connect(self._toggle_trash)
        bar.trash.back_requested.connect(self._leave_trash)
        bar.trash.restore_requested.connect(self._restore_from_trash)
        bar.trash.purge_requested.connect(lambda ids: self._worker.start_once(self._purge(ids), "purge threads"))
        bar.trash.model.more_requested.connect(
            lambda count: self._worker.start(self._load_more_trash(count), "load Trash")
        )
        self._services.conversations.thread_changed.connect(self._thread_changed)
        self._services.conversations.thread_removed.connect(self._thread_removed)
        self._services.conversations.trash_emptied.connect(self._trash_emptied)
        self._services.conversations.many_changed.connect(self._many_changed)
        self._services.chat.run_started.connect(self._run_started)
        self._services.chat.run_ended.connect(self._run_ended)
        self._services.memory.indexing.changed.connect(self._indexing_changed)

    # -- what the services announce

    def _thread_changed(self, thread: Thread) -> None:
        if not thread.options.is_temporary:
            self._sidebar.put_thread(thread)

    def _thread_removed(self, thread_id: str) -> None:
        self._sidebar.remove_thread(thread_id)
        self._sidebar.trash.remove(thread_id)
        self._failed.discard(thread_id)
        if self._sidebar.search_text and self._sidebar.results_model.holds(thread_id):
            self._search(self._sidebar.search_text)

    def _trash_emptied(self) -> None:
        self._toast.dismiss()  # what it offers to bring back is gone
        self._worker.start(self._refresh_trash(), "count Trash")

    def _run_started(self, run: Run) -> None:
        self._failed.discard(run.thread_id)
        self._show_mark(run.thread_id)

    def _run_ended(self, run: Run) -> None:
        if not self._services.chat.runs_of(run.thread_id):
            self._waiting.discard(run.thread_id)
        has_failed = self._outcomes.note(run) is Outcome.FAILED
        (self._failed.add if has_failed else self._failed.discard)(run.thread_id)
        self._show_mark(run.thread_id)

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

    def _many_changed(self, _grown: frozenset[str]) -> None:
        self._is_stale = True
        self._worker.start_once(self._reload(), "load threads again")

    async def _reload(self) -> None:
        """Read all that was loaded, and a page at least, once more; and again where more came meanwhile."""
        while self._is_stale:
            self._is_stale = False
            count = max(PAGE, self._sidebar.model.thread_count)
            threads = await self._services.conversations.list_threads(limit=count)
            self._sidebar.reload_threads(threads, complete=len(threads) < count)
            await self._refresh_trash()

    # -- what the user asks for

    async def _load_more(self, count: int) -> None:
        threads = await self._services.conversations.list_threads(limit=PAGE, offset=count)
        self._sidebar.append_threads(threads, complete=len(threads) < PAGE)

    def _search(self, text: str) -> None:
        self._searches += 1
        if text:
            self._worker.start(self._find(text, self._searches), "search")
        else:
            self._sidebar.show_threads()

    async def _find(self, text: str, number: int) -> None:
        """By words at once, and by meaning when nothing was typed for a moment."""
        hits = await self._services.conversations.search(text)
        if number != self._searches:  # a newer search is under way, or it was ended
            return
        asks = _is_worth_asking(text) and self._services.settings.settings.memory.embedder is not EmbedderKind.NONE
        self._sidebar.show_hits(text, hits, goes_on=asks)
        if asks:
            await asyncio.sleep(MEANING_DELAY_SECONDS)
            if number == self._searches:
                await self._find_like(text, number)

    async def _find_like(self, text: str, number: int) -> None:
        hits: list[SearchHit] = []
        try:
            found = await self._services.memory.like(text, MOST_LIKE)
            self._finds_by_meaning = found is not None
            for one in found or ():
                thread = await self._services.conversations.get_thread(one.passage.thread_id)
                if thread is not None:
                    hits.append(_hit_of(one.passage, thread))
        finally:  # else it would be waited for
            if number == self._searches:
                self._sidebar.set_finds_by_meaning(self._finds_by_meaning)
                self._sidebar.add_like(text, hits)

    def _indexing_changed(self, state: IndexingState) -> None:
        """Vectors were only being made ready when they were asked, or there are more of them now."""
        is_wanted = state.embedder_id is not None and _is_worth_asking(self._sidebar.search_text)
        if is_wanted and not self._again.isActive():
            self._again.start()

    def _find_like_again(self) -> None:
        if _is_worth_asking(text := self._sidebar.search_text):
            self._worker.start(self._find_like(text, self._searches), "search by meaning")

    async def _delete(self, thread_ids: list[str]) -> None:
        deleted: list[str] = []
        try:
            for thread_id in thread_ids:
                await self._services.chat.delete_thread(thread_id)
                deleted.append(thread_id)
        finally:
            if deleted:
                self._offer_undo(deleted)
            await self._refresh_trash()

    def _offer_undo(self, deleted: list[str]) -> None:
        self._toast.present(
            lambda: self.tr("%n chats deleted", "", len(deleted)),
            lambda: self.tr("Undo"),
            lambda: self._worker.start(self._undo(deleted), "undo delete"),
            shortcut=keys_of("undo"),
        )

    async def _undo(self, thread_ids: list[str]) -> None:
        await self._restore(thread_ids)
        self.restored.emit(thread_ids)

    def _restore_from_trash(self, thread_ids: list[str]) -> None:
        self._worker.start(self._restore(thread_ids), "restore threads")

    async def _restore(self, thread_ids: list[str]) -> None:
        try:
            for thread_id in thread_ids:
                await self._services.conversations.restore(thread_id)
                self._sidebar.trash.remove(thread_id)
        finally:
            await self._refresh_trash()

    async def _purge(self, thread_ids: list[str]) -> None:
        """Ask, then delete for good."""
        thread = self._sidebar.trash.model.get(thread_ids[0])
        if len(thread_ids) == 1 and thread is not None:
            title = self.tr("Delete “%1” for good?").replace("%1", thread.title or self.tr("New chat"))
        else:
            title = self.tr("Delete %n chats for good?", "", len(thread_ids))
        text = self.tr("All its text is removed from this computer. This cannot be undone.")
        label = self.tr("Delete for good")
        window, services = self._sidebar.window(), self._services
        agreed = await ask_to_purge(window, services, thread_ids, title=title, text=text, confirm_label=label)
        if agreed is None:
            return
        self._toast.dismiss()  # what it offers to bring back may be gone now
        receipt = Receipt()
        try:
            receipt += await agreed.forget(services)
            receipt += await services.chat.purge_thread(*thread_ids)
        finally:
            await self._refresh_trash()
            self.purged.emit(await services.memory.follow_removal(receipt))

    def _toggle_trash(self) -> None:
        if self._sidebar.is_trash_shown:
            self._leave_trash()
        else:
            self._worker.start(self._show_trash(), "open Trash")

    def _leave_trash(self) -> None:
        self._sidebar.show_main_page()
        self._sidebar.list.setFocus()

    async def _show_trash(self) -> None:
        threads = await self._services.conversations.list_trash(limit=PAGE)
        self._sidebar.show_trash(threads, complete=len(threads) < PAGE)
        self._sidebar.footer.set_trash_count(len(threads), is_more=len(threads) == PAGE)

    async def _load_more_trash(self, count: int) -> None:
        threads = await self._services.conversations.list_trash(limit=PAGE, offset=count)
        self._sidebar.trash.model.append(threads, complete=len(threads) < PAGE)

    async def _refresh_trash(self) -> None:
        if self._sidebar.is_trash_shown:
            await self._show_trash()
        else:
            await self._count_trash()

    async def _count_trash(self) -> None:
        threads = await self._services.conversations.list_trash(limit=PAGE)
        self._sidebar.footer.set_trash_count(len(threads), is_more=len(threads) == PAGE)


def _is_worth_asking(text: str) -> bool:
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text) >= LEAST_ASKED


def _hit_of(passage: Passage, thread: Thread) -> SearchHit:
    """Return a hit that shows how the message begins: which of its words mean the same nobody can say."""
    line = " ".join(passage.text[: 4 * SNIPPET_LENGTH].split())
    return SearchHit(
        thread_id=thread.id,
        thread_title=thread.title,
        message_id=passage.id,
        role=Role(passage.speaker) if passage.speaker in list(Role) else None,
        snippet=line if len(line) <= SNIPPET_LENGTH else f"{line[: SNIPPET_LENGTH - 1]}…",
        highlights=(),
        created_at=passage.at,
    )
