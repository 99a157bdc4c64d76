"""What the conversation domain needs of a store. Implemented in ``storage``; the contract suite runs on every one."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

from desktop.conversation.branches import MessageNode
from desktop.conversation.entities import (
    USUAL_OPTIONS,
    AttachmentPart,
    Message,
    MessageOutline,
    MessageStatus,
    Part,
    SearchHit,
    StartedTurn,
    Thread,
    ThreadOptions,
    UsageTotal,
)
from desktop.core.costs import Cost
from desktop.core.language_model import Usage
from desktop.core.receipt import Receipt


class ThreadRepository(Protocol):
    """Durable threads. Every method that writes returns only when the change is on disk, and raises ``StorageError``."""

    async def create_thread(self, *, title: str = "", options: ThreadOptions = USUAL_OPTIONS) -> Thread: ...

    async def get_thread(self, thread_id: str) -> Thread | None:
        """Return the thread, also one in the Trash; None when there is none."""
        ...

    async def list_threads(self, *, limit: int = 200, offset: int = 0, deleted: bool = False) -> tuple[Thread, ...]:
        """Newest change first; with ``deleted`` the Trash, newest deletion first. Temporary threads are left out."""
        ...

    async def last_thread(self) -> Thread | None:
        """The thread changed last that is neither temporary nor in the Trash."""
        ...

    async def rename_thread(self, thread_id: str, title: str, *, by_user: bool) -> None:
        """Set the title. A title that the user gave is never replaced when ``by_user`` is False."""
        ...

    async def set_thread_options(self, thread_id: str, options: ThreadOptions) -> None:
        """Set what the thread does in its own way; its place in the list stays."""
        ...

    async def delete_thread(self, thread_id: str) -> None:
        """Move to the Trash."""
        ...

    async def restore_thread(self, thread_id: str) -> None: ...

    async def purge_thread(self, thread_id: str, *more: str) -> Receipt:
        """Remove every row and every byte of its text from the files (secure delete, checkpoint); return what went.

        ``more`` threads go with it: the files are gone through but once for all of them. Where one is missing none goes.
        """
        ...

    async def purge_deleted_before(self, moment: datetime) -> Receipt:
        """Purge the threads that went to the Trash before ``moment``; return what went."""
        ...

    async def purge_temporary(self) -> int:
        """Purge every thread whose options say that it leaves nothing; returns how many."""
        ...

    async def outline(self, thread_id: str) -> tuple[MessageOutline, ...]:
        """The path from the root to the tip. Ten thousand rows take some tens of milliseconds."""
        ...

    async def messages(self, message_ids: Sequence[str]) -> tuple[Message, ...]:
        """The messages with all parts, in the order asked for; unknown ids are left out."""
        ...

    async def path(self, thread_id: str, *, last: int | None = None, until: str | None = None) -> tuple[Message, ...]:
        """The messages from the root to the tip, or only the ``last`` ones of them.

        With ``until`` they end with that message instead, which need not lie on the path to the tip; none when it is
        not there.
        """
        ...

    async def around(self, thread_id: str, message_id: str, count: int) -> tuple[Message, ...]:
        """At most ``count`` messages of the path to the tip, in whose middle this one stands; none when it is not on it.

        Where there are fewer below it, there are more above; near the root there are fewer.
        """
        ...

    async def answers(self, message_id: str) -> tuple[Message, ...]:
        """All answers to the message that ``message_id`` answers (or is), in the order in which they were begun.

        Running ones, too, as far as they are on disk. None when it is not there.
        """
        ...

    async def beside(self, message_id: str) -> tuple[str, ...]:
        """The ids of the messages that stand in one place, this one among them, in the order in which they were begun.

        Of an answer all answers to the same message; of a message by the user all that it was sent as. None when it is
        not there.
        """
        ...

    async def tree(self, thread_id: str) -> tuple[MessageNode, ...]:
        """Every message of the thread, on its path or not; each after the one that it follows."""
        ...

    async def branch(self, message_id: str, *, title: str) -> Thread:
        """Make a thread that has everything up to an answer, or before a message by the user, which becomes its draft.

        Everything in it is its own: texts, files, the summary of its beginning, and whether it holds foreign text. What
        was read there for memory is not read again, what was forgotten there stays forgotten, and what its answers took
        was counted there. Permissions for that thread alone do not come along. An answer that is being written counts
        as stopped. Raises ``StorageError("storage.thread_missing")`` when the message is not there or its thread is in
        the Trash.
        """
        ...

    async def choose_answer(self, message_id: str) -> None:
        """Let the thread's path go through this message, and on below it as it went when that was last shown.

        Where it never was, on to the newest message. Any message may be named, for example one that a search found.
        The thread's place in the list stays. Raises ``StorageError("storage.thread_missing")`` when it is not there or
        its thread is in the Trash.
        """
        ...

    async def begin_turn(
        self,
        thread_id: str,
        text: str,
        *,
        model: str,
        from_new_thread: bool = False,
        attachments: Sequence[AttachmentPart] = (),
        instead_of: str | None = None,
        from_queue: str | None = None,
    ) -> StartedTurn:
        """One transaction: the user's message below the tip, an answer with status ``streaming``, the turn, the tip.

        The files belong to the thread from now on; they stand before the text, which may be empty beside them.
        ``instead_of`` puts it beside that message by the user, which stays with all that follows it.

        It ends the thread's draft, or the one of what it stands ``instead_of``, and for a message ``from_new_thread``
        the draft and the options of a new thread. A message ``from_queue`` (its id there) leaves that instead, and the
        draft stays. Raises ``StorageError("storage.thread_missing")`` when the thread, or what it stands instead of,
        does not exist or is in the Trash.
        """
        ...

    async def add_answer(self, message_id: str, *, model: str, chosen: bool = False) -> StartedTurn:
        """Begin another answer beside ``message_id``, to the same message: one transaction.

        The tip stays, unless the new answer is ``chosen``: then the path ends with it. Raises
        ``StorageError("storage.thread_missing")`` when ``message_id`` is no answer of a thread outside the Trash.
        """
        ...

    async def reopen_turn(self, message_id: str, *, model: str, parts: Sequence[Part]) -> StartedTurn:
        """Let an answer that has ended be written again: one transaction, in which it becomes ``streaming``.

        It begins with ``parts``, and ``model`` is who writes it from now on; its tokens and its time stay. Until it
        is finished anew it cannot be found by a search. Results that were removed from it are erased, so that
        nothing comes back among what is written now. Raises ``StorageError("storage.thread_missing")`` when it is
        not the last message of a thread outside the Trash, or is being written.
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
        usage: Usage,
        duration_seconds: float,
        cost: Cost | None = None,
    ) -> Message:
        """The last commit of a turn; afterwards its text can be searched."""
        ...

    async def usage_totals(self, *, thread_id: str | None = None) -> tuple[UsageTotal, ...]:
        """What the answers used, of one thread or of all that is not deleted for good; newest month first."""
        ...

    async def recover(self) -> int:
        """Mark every ``streaming`` answer ``interrupted`` and give each orphan call a result; returns how many.

        A call that had been started (see ``tools.ports.ToolJournal``) gets UNKNOWN, another one INTERRUPTED. What a
        temporary thread left behind is purged. Runs once at start, before anything else; the path stays as it was.
        """
        ...

    async def search(self, query: str, *, limit: int = 50) -> tuple[SearchHit, ...]:
        """Titles, messages and tool calls, newest first, without the Trash and temporary threads. ``query`` is text.

        All words must occur; the last one may be a prefix; Chinese is found from one character.
        """
        ...

    async def save_draft(self, thread_id: str, text: str) -> None:
        """Keep what the composer holds; empty text forgets it. ``""`` as id is the draft of a new thread.

        The id of a message by the user is the draft of what shall be sent in its place. Of a temporary thread nothing is
        kept.
        """
        ...

    async def load_draft(self, thread_id: str) -> str: ...

    async def edited_message(self, thread_id: str) -> str:
        """The id of the message of the thread for which there is a draft, the newest of them; empty where there is none."""
        ...

    async def save_new_thread_options(self, options: ThreadOptions) -> None:
        """Keep what was chosen for a thread that does not exist yet, until its first message (``begin_turn``)."""
        ...

    async def load_new_thread_options(self) -> ThreadOptions: ...


@dataclass(frozen=True, kw_only=True)
class ReadPicture:
    """What was made of a picture: nothing but pixels is left in it."""

    media_type: str
    data: bytes
    thumbnail: bytes
    width: int
    height: int
    """Of the picture as it was given."""
    file_format: str
    """Of the picture as it was given, for example ``png``."""


@dataclass(frozen=True, kw_only=True)
class ReadPdf:
    text: str
    pages: int
    pages_read: int


class FileReader(Protocol):
    """Reads files that nobody has looked at. Neither a broken nor a hostile one can hang or exhaust the program."""

    async def picture(self, data: bytes) -> ReadPicture:
        """Raises ``FileError``."""
        ...

    async def pdf(self, data: bytes) -> ReadPdf:
        """Raises ``FileError``, also where the file holds no text."""
        ...


class AttachmentStore(Protocol):
    """Keeps the files that go along with messages, in the data folder.

    A file belongs to a thread from ``ThreadRepository.begin_turn`` on and goes when that is purged.
    """

    async def add(
        self, original: bytes, *, suffix: str, sent: bytes | None = None, thumbnail: bytes | None = None
    ) -> str:
        """Keep a file that belongs to no thread yet; returns its id when all of it is on disk.

        ``suffix`` is the ending of its name that says to other programs what it is. Raises ``StorageError``.
        """
        ...

    async def discard(self, attachment_id: str) -> None:
        """Delete a file that was not sent after all; one that belongs to a thread stays."""
        ...

    def original(self, attachment_id: str) -> Path | None:
        """Where the file lies as it was given; None when it is gone."""
        ...

    async def sent(self, attachment_id: str) -> bytes | None:
        """The picture as it is sent; None when it is gone."""
        ...

    async def thumbnail(self, attachment_id: str) -> bytes | None: ...

    async def save_draft(self, thread_id: str, attachments: Sequence[AttachmentPart]) -> None:
        """Keep which files stand beside a draft; its id is as in ``ThreadRepository.save_draft``. ``begin_turn`` ends it."""
        ...

    async def load_draft(self, thread_id: str) -> tuple[AttachmentPart, ...]: ...

    async def sweep(self, before: datetime) -> int:
        """Delete files that came before then and belong to neither a thread nor a draft; returns how many."""
        ...
