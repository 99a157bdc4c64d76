"""What the conversation domain needs of a store. Implemented in ``storage``; the contract suite runs on every one."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from desktop.conversation.entities import (
    Message,
    MessageOutline,
    MessageStatus,
    Part,
    SearchHit,
    StartedTurn,
    Thread,
    ThreadOptions,
)


class ThreadRepository(Protocol):
    """Durable threads. Every method that writes returns only when the change is on disk, and raises ``StorageError``."""

    async def create_thread(
        self, *, title: str = "", system_prompt: str | None = None, temperature: float | None = None
    ) -> Thread: ...

    async def get_thread(self, thread_id: str) -> Thread | None:
        """Return the thread, also one in the Trash; None when there is none."""
        ...

    async def list_threads(self, *, limit: int = 200, offset: int = 0, deleted: bool = False) -> tuple[Thread, ...]:
        """Newest change first; with ``deleted`` the Trash, newest deletion first."""
        ...

    async def last_thread(self) -> Thread | None:
        """The thread changed last that is not in the Trash."""
        ...

    async def rename_thread(self, thread_id: str, title: str, *, by_user: bool) -> None:
        """Set the title. A title that the user gave is never replaced when ``by_user`` is False."""
        ...

    async def set_thread_options(self, thread_id: str, *, system_prompt: str | None, temperature: float | None) -> None:
        """Set what the thread does in its own way (see ``ThreadOptions``); its place in the list stays."""
        ...

    async def delete_thread(self, thread_id: str) -> None:
        """Move to the Trash."""
        ...

    async def restore_thread(self, thread_id: str) -> None: ...

    async def purge_thread(self, thread_id: str) -> None:
        """Remove every row and every byte of its text from the files (secure delete, checkpoint)."""
        ...

    async def purge_deleted_before(self, moment: datetime) -> int:
        """Purge the threads that went to the Trash before ``moment``; returns how many."""
        ...

    async def outline(self, thread_id: str) -> tuple[MessageOutline, ...]:
        """The path from the root to the tip. Ten thousand rows take some tens of milliseconds."""
        ...

    async def messages(self, message_ids: Sequence[str]) -> tuple[Message, ...]:
        """The messages with all parts, in the order asked for; unknown ids are left out."""
        ...

    async def path(self, thread_id: str, *, last: int | None = None) -> tuple[Message, ...]:
        """The messages from the root to the tip, or only the ``last`` ones of it."""
        ...

    async def begin_turn(
        self, thread_id: str, text: str, *, model: str, from_new_thread: bool = False
    ) -> StartedTurn:
        """One transaction: the user's message below the tip, an answer with status ``streaming``, the turn, the tip.

        It ends the thread's draft, and for a message ``from_new_thread`` the draft and the options of a new thread.
        Raises ``StorageError("storage.thread_missing")`` when the thread does not exist or is in the Trash.
        """
        ...

    async def save_parts(self, message_id: str, parts: Sequence[Part]) -> None:
        """Replace the stored parts of a streaming answer by ``parts``, writing only what changed.

        Parts are only appended to or their text extended, so a store may compare by position.
        """
        ...

    async def finish_turn(
        self,
        turn_id: str,
        *,
        parts: Sequence[Part],
        status: MessageStatus,
        reason: str,
        input_tokens: int | None,
        output_tokens: int | None,
        duration_seconds: float,
    ) -> Message:
        """The last commit of a turn; afterwards its text can be searched."""
        ...

    async def recover(self) -> int:
        """Mark every ``streaming`` answer ``interrupted`` and give each orphan call a result; returns how many.

        A call that had been started (see ``tools.ports.ToolJournal``) gets UNKNOWN, another one INTERRUPTED.
        Runs once at start, before anything else.
        """
        ...

    async def search(self, query: str, *, limit: int = 50) -> tuple[SearchHit, ...]:
        """Titles and message texts, newest first, threads in the Trash left out. ``query`` is text, never syntax.

        All words must occur; the last one may be a prefix; Chinese is found from one character.
        """
        ...

    async def save_draft(self, thread_id: str, text: str) -> None:
        """Keep what the composer holds; empty text forgets it. ``""`` as id is the draft of a new thread."""
        ...

    async def load_draft(self, thread_id: str) -> str: ...

    async def save_new_thread_options(self, *, system_prompt: str | None, temperature: float | None) -> None:
        """Keep what was chosen for a thread that does not exist yet, until its first message (``begin_turn``)."""
        ...

    async def load_new_thread_options(self) -> ThreadOptions: ...
