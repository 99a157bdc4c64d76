"""What exchange needs of a store, and of whoever reads the files of other programs."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from desktop.conversation.entities import AttachmentKind, Thread
from desktop.conversation.interchange.records import (
    ChatRecord,
    FileRecord,
    ImportedChat,
    MessageRecord,
    Outcome,
    Why,
)
from desktop.core.tool_content import ItemKind, ResultItem


@dataclass(frozen=True, kw_only=True)
class OpenChat:
    """A chat that is being exported: what it is, and of which messages and files, as it was when it was opened."""

    chat: ChatRecord
    numbers: tuple[int, ...]
    """Of its messages, each after its parent: what ``messages`` takes."""
    shown: Mapping[int, int]
    """``MessageRecord.shown`` by number; empty where all were shown last as they came."""
    files: Mapping[str, FileRecord]


@dataclass(frozen=True, kw_only=True)
class KeptFile:
    """What was made of a file when it was kept here; its bytes belong to no thread yet."""

    attachment_id: str
    size: int = 0
    media_type: str = ""
    sent_size: int = 0
    width: int = 0
    height: int = 0
    kind: AttachmentKind | None = None
    """As its bytes say, where whoever names it does not know."""
    text: str = ""
    pages: int = 0
    pages_read: int = 0

    def of_item(self, item: ResultItem) -> dict[str, str | int]:
        """Return the fields of a tool's result that say how it is kept."""
        if item.kind is not ItemKind.IMAGE or item.problem is not None:
            return {"attachment_id": self.attachment_id}
        return {
            "attachment_id": self.attachment_id,
            "sent_type": self.media_type,
            "sent_size": self.sent_size,
            "width": self.width or item.width,
            "height": self.height or item.height,
        }


class ChatExchange(Protocol):
    """Whole chats out of the store and into it. Raises ``StorageError``."""

    async def threads(self, *, deleted: bool = False) -> tuple[Thread, ...]:
        """Return all chats, newest change first, or with ``deleted`` those in the Trash; temporary ones are left out."""
        ...

    async def open(self, thread_id: str) -> OpenChat | None:
        """Return what a chat is, also of one in the Trash; None for one that is not there, or temporary."""
        ...

    async def messages(self, chat: OpenChat, numbers: Sequence[int]) -> tuple[MessageRecord, ...]:
        """Return messages of a chat that was opened; those that went meanwhile are left out."""
        ...

    async def missing(self, chat: ImportedChat) -> frozenset[str]:
        """Return the ids of the messages that ``take_in`` would add."""
        ...

    async def take_in(self, chat: ImportedChat, files: Mapping[str, KeptFile]) -> Outcome:
        """Add the chat, or what it has that is not here, in one transaction; nothing that is here is changed.

        ``files`` are those that were kept for it; from then on they belong to it. It gets no permission, no folder and
        no mode that would let a tool do more; where it holds what tools or pages said, it counts as foreign text.
        """
        ...

    async def index(self) -> None:
        """Let all that was taken in be found by a search, in small pieces."""
        ...


@dataclass(frozen=True, kw_only=True)
class Progress:
    """How far the reading of a file is, in bytes."""

    done: int
    total: int


@dataclass(frozen=True, kw_only=True)
class ChatFile:
    """A file of the chat that came last."""

    key: str
    name: str
    data: bytes


@dataclass(frozen=True, kw_only=True)
class SkippedEntry:
    """Something of a file that cannot be read, or is not."""

    name: str
    why: Why


Found = ImportedChat | ChatFile | SkippedEntry | Progress
"""After a chat come its files, as far as they are there."""


class ChatFileReader(Protocol):
    """Reads what other programs exported. Neither a broken nor a hostile file can hang or exhaust the program."""

    def read(self, path: Path) -> AbstractAsyncContextManager[AsyncGenerator[Found, None]]:
        """Read a file, or a folder with files. Leaving the context ends the reading.

        Raises ``FileError``, also where no chat is in it.
        """
        ...
