"""Fakes for what waits in a thread and where it is read, kept in memory."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace

from desktop.conversation.entities import Thread
from desktop.conversation.queued import QueuedMessage, ReadingPlace
from desktop.core.errors import StorageError
from tests.support.in_memory_attachments import InMemoryAttachments

FindThread = Callable[[str], Awaitable[Thread | None]]


@dataclass
class InMemoryQueue:
    """See ``conversation.queued.QueueStore``. ``forget_draft`` ends the draft of a thread."""

    find_thread: FindThread
    attachments: InMemoryAttachments
    forget_draft: Callable[[str], object]
    messages: list[QueuedMessage] = field(default_factory=list[QueuedMessage])
    removed: set[str] = field(default_factory=set[str])

    async def add(self, message: QueuedMessage, *, ends_draft: bool = True) -> None:
        thread = await self.find_thread(message.thread_id)
        if thread is None or thread.deleted_at is not None:
            raise StorageError("storage.thread_missing", thread_id=message.thread_id)
        self.attachments.claim(thread.id, message.attachments)
        if ends_draft:
            self.forget_draft(thread.id)
            self.attachments.drafts.pop(thread.id, None)
        if not thread.options.is_temporary:
            self.messages.append(message)

    async def of_thread(self, thread_id: str) -> tuple[QueuedMessage, ...]:
        return tuple(m for m in self.messages if m.thread_id == thread_id and m.id not in self.removed)

    async def change(self, message_id: str, text: str) -> None:
        self.messages = [replace(m, text=text) if m.id == message_id else m for m in self.messages]

    async def arrange(self, thread_id: str, message_ids: Sequence[str]) -> None:
        wanted = {message_id: place for place, message_id in enumerate(message_ids)}
        self.messages.sort(key=lambda m: wanted.get(m.id, len(wanted)) if m.thread_id == thread_id else -1)

    async def remove(self, message_ids: Sequence[str]) -> None:
        self.removed.update(message_ids)

    async def put_back(self, message_ids: Sequence[str]) -> None:
        self.removed.difference_update(message_ids)

    async def forget_removed(self, message_ids: Sequence[str] | None = None) -> int:
        chosen = self.removed if message_ids is None else self.removed & set(message_ids)
        gone = [m for m in self.messages if m.id in chosen]
        self.messages = [m for m in self.messages if m.id not in chosen]
        self.removed -= chosen
        self.attachments.forget(part.attachment_id for message in gone for part in message.attachments)
        return len(gone)

    def leave(self, message_id: str) -> None:
        """What the beginning of a turn does to a message that waited."""
        self.messages = [m for m in self.messages if m.id != message_id]

    def forget_thread(self, thread_id: str) -> int:
        """What a purge does to all that waits in a thread."""
        left = [m for m in self.messages if m.thread_id != thread_id]
        count, self.messages = len(self.messages) - len(left), left
        return count


@dataclass
class InMemoryPlaces:
    """See ``conversation.queued.ReadingPlaces``."""

    find_thread: FindThread
    places: dict[str, ReadingPlace] = field(default_factory=dict[str, ReadingPlace])

    async def save(self, thread_id: str, place: ReadingPlace | None) -> None:
        thread = await self.find_thread(thread_id)
        if place is None:
            self.places.pop(thread_id, None)
        elif thread is not None and not thread.options.is_temporary:
            self.places[thread_id] = place

    async def load(self, thread_id: str) -> ReadingPlace | None:
        return self.places.get(thread_id) if await self.find_thread(thread_id) is not None else None
