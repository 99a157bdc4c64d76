"""Messages that wait until the answer before them has ended, the place where a chat is read, and the ports that keep both."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from desktop.conversation.entities import AttachmentPart


@dataclass(frozen=True, kw_only=True)
class QueuedMessage:
    """A message that was written while its thread answered, to be sent after that."""

    id: str
    thread_id: str
    text: str
    """As it is sent; empty only beside files."""
    attachments: tuple[AttachmentPart, ...] = ()


class QueueStore(Protocol):
    """Keeps the messages that wait, in their order. ``ThreadRepository.begin_turn`` takes one out when it is sent.

    Of a temporary thread no text is kept, and nothing here is found again; its files are noted as belonging to it.
    A thread in the Trash keeps its queue; one that is purged takes it along.
    """

    async def add(self, message: QueuedMessage, *, ends_draft: bool = True) -> None:
        """Put a message behind those that wait: one transaction, in which the thread's draft ends, unless it was another.

        Its files belong to the thread from now on. Raises ``StorageError("storage.thread_missing")`` when the thread
        does not exist or is in the Trash.
        """
        ...

    async def of_thread(self, thread_id: str) -> tuple[QueuedMessage, ...]:
        """What waits in the thread, the next one first."""
        ...

    async def change(self, message_id: str, text: str) -> None:
        """Let a message have another text; one that is not there any more stays away."""
        ...

    async def arrange(self, thread_id: str, message_ids: Sequence[str]) -> None:
        """Put what waits in the thread in this order; messages that are not named follow as they were."""
        ...

    async def remove(self, message_ids: Sequence[str]) -> None:
        """Take messages out; until ``forget_removed`` they can be put back."""
        ...

    async def put_back(self, message_ids: Sequence[str]) -> None:
        """Let removed messages wait again, where they stood."""
        ...

    async def forget_removed(self, message_ids: Sequence[str] | None = None) -> int:
        """Delete for good what was removed, or these of it, with the files; returns how many messages that were."""
        ...


@dataclass(frozen=True)
class ReadingPlace:
    """The first block that is seen of a chat: which message it belongs to, which block of it, and where its top lies."""

    message_id: str
    block: int
    y: int
    """Pixels below the upper edge; negative where the block begins above it."""


class ReadingPlaces(Protocol):
    """Keeps where each chat is read; None stands for its end."""

    async def save(self, thread_id: str, place: ReadingPlace | None) -> None:
        """Of a temporary thread, or one that is gone, nothing is kept."""
        ...

    async def load(self, thread_id: str) -> ReadingPlace | None: ...
