"""The lists in which threads stand: pinned, in folders, all others, archived, in the Trash; and the port that keeps them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from desktop.conversation.entities import Thread

LONGEST_FOLDER_NAME = 120
PageKey = tuple[int, ...]
"""Where a page ended; only its store knows what it means."""


class ListKind(StrEnum):
    """Each thread stands in exactly one of them: in the last of these that it could stand in."""

    OTHERS = "others"
    FOLDER = "folder"
    PINNED = "pinned"
    ARCHIVE = "archive"
    TRASH = "trash"


@dataclass(frozen=True, kw_only=True)
class ThreadPage:
    threads: tuple[Thread, ...]
    next: PageKey | None
    """For the page that follows; None where this is the last one."""


@dataclass(frozen=True, kw_only=True)
class Folder:
    id: str
    name: str
    position: int
    is_open: bool = True
    """Its threads are shown."""
    chats: int = 0
    """Threads that stand in it, without those that are pinned, archived or in the Trash."""
    unread: int = 0
    """How many of them were not read yet."""


@dataclass(frozen=True, kw_only=True)
class Place:
    """What decides in which list a thread stands, but for the Trash."""

    pinned_at: datetime | None = None
    archived_at: datetime | None = None
    folder_id: str | None = None

    @classmethod
    def of(cls, thread: Thread) -> "Place":
        return cls(pinned_at=thread.pinned_at, archived_at=thread.archived_at, folder_id=thread.folder_id)


def list_of(thread: Thread) -> ListKind:
    """Return the list in which the thread stands."""
    if thread.deleted_at is not None:
        return ListKind.TRASH
    if thread.archived_at is not None:
        return ListKind.ARCHIVE
    if thread.pinned_at is not None:
        return ListKind.PINNED
    return ListKind.OTHERS if thread.folder_id is None else ListKind.FOLDER


class ThreadListRepository(Protocol):
    """The lists on disk. Every method that writes returns when that is done, and raises ``StorageError``.

    Temporary threads stand in none of them. What is not there any more is left out without a word.
    """

    async def page(
        self, kind: ListKind, *, folder_id: str = "", limit: int = 200, after: PageKey | None = None
    ) -> ThreadPage:
        """A page of a list, as fast at its end as at its beginning. ``folder_id`` says of ``ListKind.FOLDER`` which one.

        Pinned ones come in the order in which they were pinned, archived and deleted ones likewise, the newest first;
        all others by their last change.
        """
        ...

    async def threads(self, thread_ids: Sequence[str]) -> tuple[Thread, ...]:
        """The threads, also those in the Trash, in the order asked for."""
        ...

    async def set_places(self, places: Mapping[str, Place]) -> None:
        """Put threads into other lists, all at once. A folder that is not there counts as none."""
        ...

    async def set_unread(self, thread_ids: Sequence[str], unread: bool) -> None: ...

    async def folders(self) -> tuple[Folder, ...]:
        """In their order."""
        ...

    async def create_folder(self, name: str) -> Folder:
        """Make an open folder below the others."""
        ...

    async def rename_folder(self, folder_id: str, name: str) -> None: ...

    async def set_folder_open(self, folder_id: str, is_open: bool) -> None: ...

    async def move_folder(self, folder_id: str, before: str | None) -> None:
        """Put a folder before another one, with None below all."""
        ...

    async def delete_folder(self, folder_id: str) -> tuple[str, ...]:
        """Delete the folder alone; return the ids of the threads that were in it, which stay."""
        ...

    async def restore_folder(self, folder: Folder, thread_ids: Sequence[str]) -> None:
        """Take the deletion back. Threads that were put into another folder meanwhile stay there."""
        ...
