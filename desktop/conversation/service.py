"""The use cases of threads: list, rename, delete with undo, Trash, search, drafts; announces every change once."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from desktop.conversation.entities import USUAL_OPTIONS, SearchHit, Thread, ThreadOptions
from desktop.conversation.ports import ThreadRepository
from desktop.conversation.trash import TRASH_DAYS
from desktop.core.clock import Clock, utc_now
from desktop.core.receipt import Receipt
from desktop.core.signal import Signal

_TRASH_PAGE = 1000


class ConversationService:
    """What a front end does with threads.

    Signals:
        thread_changed: a thread was made, renamed, restored, got other options or a message; carries it as it is now.
        thread_removed: a thread went to the Trash or was purged; carries its id. Temporary threads are announced like
            all others: whoever lists threads leaves them out.
        trash_emptied: all that was in the Trash was purged; comes after ``thread_removed`` of each.
        many_changed: many threads came or changed at once, which are not announced one by one: an import; carries the
            ids of those that were here and have more messages now.
    """

    def __init__(self, repository: ThreadRepository, *, clock: Clock = utc_now) -> None:
        self._repository = repository
        self._clock = clock
        self._setting_options = asyncio.Lock()
        self.thread_changed = Signal[Thread]()
        self.thread_removed = Signal[str]()
        self.trash_emptied: Signal[[]] = Signal()
        self.many_changed = Signal[frozenset[str]]()

    async def list_threads(self, *, limit: int = 200, offset: int = 0) -> tuple[Thread, ...]:
        return await self._repository.list_threads(limit=limit, offset=offset)

    async def list_trash(self, *, limit: int = 200, offset: int = 0) -> tuple[Thread, ...]:
        return await self._repository.list_threads(limit=limit, offset=offset, deleted=True)

    async def get_thread(self, thread_id: str) -> Thread | None:
        return await self._repository.get_thread(thread_id)

    async def last_thread(self) -> Thread | None:
        return await self._repository.last_thread()

    async def create_thread(self, options: ThreadOptions | None = None) -> Thread:
        thread = await self._repository.create_thread(options=options or USUAL_OPTIONS)
        self.thread_changed.emit(thread)
        return thread

    async def rename(self, thread_id: str, title: str) -> None:
        """Set the title that the user gave, on one line; blank is ignored."""
        title = " ".join(title.split())
        if title:
            await self._repository.rename_thread(thread_id, title, by_user=True)
            await self.announce(thread_id)

    async def suggest_title(self, thread_id: str, title: str) -> None:
        """Set a title made by the app; one that the user gave stays."""
        await self._repository.rename_thread(thread_id, title, by_user=False)
        await self.announce(thread_id)

    async def set_options(self, thread_id: str, options: ThreadOptions) -> None:
        """Set what the thread does in its own way, from its next answer on."""
        async with self._setting_options:
            await self._repository.set_thread_options(thread_id, options)
        await self.announce(thread_id)

    async def options_of(self, thread_id: str) -> ThreadOptions:
        """Return what the thread does in its own way, with what is being set at this moment: what was chosen before a
        message holds for it, however slow the disk is."""
        async with self._setting_options:
            thread = await self._repository.get_thread(thread_id)
        return thread.options if thread is not None else USUAL_OPTIONS

    async def branch(self, message_id: str, *, title: str) -> Thread:
        """Make a thread that begins with what leads to this message; see ``ThreadRepository.branch``."""
        thread = await self._repository.branch(message_id, title=title)
        self.thread_changed.emit(thread)
        return thread

    async def delete(self, thread_id: str) -> None:
        """Move to the Trash. What runs in the thread is stopped by ``ChatService.delete_thread``; call that."""
        await self._repository.delete_thread(thread_id)
        self.thread_removed.emit(thread_id)

    async def restore(self, thread_id: str) -> None:
        await self._repository.restore_thread(thread_id)
        await self.announce(thread_id)

    async def purge(self, thread_id: str, *more: str) -> Receipt:
        """Remove threads and every byte of their text from the data folder; return what went."""
        receipt = await self._repository.purge_thread(thread_id, *more)
        for each in (thread_id, *more):
            self.thread_removed.emit(each)
        return receipt

    async def keep(self, thread_id: str) -> None:
        """Let a temporary thread be a usual one from now on: it is listed, found and remembered like any other."""
        async with self._setting_options:
            thread = await self._repository.get_thread(thread_id)
            if thread is None or not thread.options.is_temporary:
                return
            options = replace(thread.options, is_temporary=False, memory=None)
            await self._repository.set_thread_options(thread_id, options)
        await self.announce(thread_id)

    async def purge_temporary(self) -> None:
        """Remove every temporary thread and every byte of its text; for the end of the program."""
        await self._repository.purge_temporary()

    async def purge_expired(self) -> Receipt:
        """Purge what has been in the Trash for more than ``TRASH_DAYS``."""
        return await self._repository.purge_deleted_before(self._clock() - timedelta(days=TRASH_DAYS))

    async def trash(self) -> tuple[Thread, ...]:
        """Return all that is in the Trash, however much that is."""
        trashed: list[Thread] = []
        while page := await self._repository.list_threads(limit=_TRASH_PAGE, offset=len(trashed), deleted=True):
            trashed.extend(page)
        return tuple(trashed)

    async def purge_trash(self) -> Receipt:
        """Purge all that is in the Trash; return what went."""
        trashed = await self.trash()
        # The latest moment there is: after a clock was set back, a thread may have been deleted in the future.
        receipt = await self._repository.purge_deleted_before(datetime.max.replace(tzinfo=UTC))
        for thread in trashed:
            self.thread_removed.emit(thread.id)
        self.trash_emptied.emit()
        return receipt

    async def search(self, query: str, *, limit: int = 50) -> tuple[SearchHit, ...]:
        """Find threads and messages; an empty query finds nothing."""
        return await self._repository.search(query, limit=limit) if query.strip() else ()

    async def save_draft(self, thread_id: str, text: str) -> None:
        await self._repository.save_draft(thread_id, text)

    async def load_draft(self, thread_id: str) -> str:
        return await self._repository.load_draft(thread_id)

    async def edited_message(self, thread_id: str) -> str:
        """Return the id of the message of the thread that is being changed, empty where none is."""
        return await self._repository.edited_message(thread_id)

    async def save_new_thread_options(self, options: ThreadOptions) -> None:
        """Keep what was chosen for a thread that begins with its first message."""
        await self._repository.save_new_thread_options(options)

    async def load_new_thread_options(self) -> ThreadOptions:
        return await self._repository.load_new_thread_options()

    async def announce(self, thread_id: str) -> None:
        """Tell everybody how the thread is now."""
        thread = await self._repository.get_thread(thread_id)
        if thread is not None and thread.deleted_at is None:
            self.thread_changed.emit(thread)
