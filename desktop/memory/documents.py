"""Files as knowledge: what the user added, how far it was read, and what reading and keeping it needs from outside."""

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from desktop.core.receipt import Receipt
from desktop.memory.entities import Place

NEW_THREAD = ""
"""As ``only_thread_id``: counts for the thread that the next message of a new one begins."""


class DocumentState(StrEnum):
    WAITING = "waiting"
    """Is to be read, for the first time or again; what was read of it before is recalled meanwhile."""
    READY = "ready"
    GONE = "gone"
    """The file is not there any more; its pieces are kept in case it comes back, and not recalled."""
    FAILED = "failed"


class LeftOut(StrEnum):
    """Why something in a folder is not read."""

    HIDDEN = "hidden"
    """Hidden files and folders, those of version control, and folders that programs fill."""
    KIND = "kind"
    """By its name no document, text or code."""
    TOO_LARGE = "too_large"
    TOO_DEEP = "too_deep"
    TOO_MANY = "too_many"
    LEADS_OUT = "leads_out"
    """A link to a place outside the folder."""
    UNREADABLE = "unreadable"


@dataclass(frozen=True, kw_only=True)
class DocumentRoot:
    """A file or a folder, as the user added it."""

    id: str
    path: Path
    is_folder: bool
    added_at: datetime
    only_thread_id: str | None = None
    """The one thread in which it counts (or ``NEW_THREAD``); None when it counts in all."""
    left_out: Mapping[LeftOut, int] = field(default_factory=dict[LeftOut, int])
    """How many of a folder's files and folders are not read."""


@dataclass(frozen=True, kw_only=True)
class RootSummary:
    """What became of a root so far."""

    root: DocumentRoot
    states: Mapping[DocumentState, int] = field(default_factory=dict[DocumentState, int])
    """How many files are in each state."""
    changed: int = 0
    """How many of those that wait were read before."""
    pieces: int = 0
    size: int = 0
    """In bytes, of all files."""
    read_at: datetime | None = None
    """When the last file was read."""
    failure: "Document | None" = None
    """A file that could not be read, where there is one."""
    partly: int = 0
    """How many files were read in part because they are too long."""

    @property
    def files(self) -> int:
        return sum(self.states.values())

    def count(self, state: DocumentState) -> int:
        return self.states.get(state, 0)


@dataclass(frozen=True, kw_only=True)
class Document:
    """A file of a root."""

    id: str
    path: Path
    state: DocumentState
    size: int = 0
    modified: int = 0
    """In nanoseconds, as the file system has it."""
    digest: bytes | None = None
    read_at: datetime | None = None
    pieces: int = 0
    parts: int = 0
    """How many parts it has, such as pages; and how many of them were read."""
    parts_read: int = 0
    reason: str = ""
    """The code of why it could not be read."""
    reason_params: Mapping[str, str | int] = field(default_factory=dict[str, str | int])


@dataclass(frozen=True, kw_only=True)
class FoundFile:
    """A file as it stands on the disk now."""

    path: Path
    size: int
    modified: int


@dataclass(frozen=True, kw_only=True)
class Look:
    """What stands below a root now."""

    files: Sequence[FoundFile] = ()
    left_out: Mapping[LeftOut, int] = field(default_factory=dict[LeftOut, int])


@dataclass(frozen=True, kw_only=True)
class DocumentPiece:
    """A piece of a document, of some 800 to 1,200 characters."""

    text: str
    place: Place


@dataclass(frozen=True, kw_only=True)
class ReadDocument:
    """A file that was read, as it is now."""

    document: Document
    pieces: Sequence[DocumentPiece] | None
    """None where it holds what it held before."""


@dataclass(frozen=True, kw_only=True)
class Progress:
    """How far the reading of one file is, in its own parts; 0 of 0 where that is not known."""

    done: int = 0
    total: int = 0


class DocumentFiles(Protocol):
    """The user's files. Nothing of it writes."""

    async def look(self, root: DocumentRoot) -> Look | None:
        """Return what is there, within bounds; None when the root itself is not there."""
        ...

    async def read(self, path: Path) -> bytes:
        """Return what stands in a file. Raises ``FileError``."""
        ...


class DocumentReader(Protocol):
    """Reads files that nobody has looked at. Neither a broken nor a hostile one can hang or exhaust the program."""

    def pieces(self, name: str, data: bytes, told: Callable[[Progress], object]) -> AsyncGenerator[DocumentPiece, None]:
        """Yield the pieces of a document in their order; ``told`` hears how far it is. Raises ``FileError``."""
        ...

    async def rest(self) -> None:
        """Hold nothing while nothing is to be read."""
        ...


class DocumentRepository(Protocol):
    """What was added and read, on disk. Raises ``StorageError``. Pieces come to recall as passages by themselves."""

    async def add_root(self, root: DocumentRoot, files: Sequence[Path] = ()) -> bool:
        """Keep a root; False where the same place counts for the same threads already. ``files`` were seen in it
        elsewhere, and are gone until they are found here."""
        ...

    async def roots(self) -> tuple[DocumentRoot, ...]:
        """Return those that were not removed, in the order in which they were added."""
        ...

    async def summaries(self) -> tuple[RootSummary, ...]:
        """Return how far each root is, in the order of ``roots``."""
        ...

    async def documents(self, root_id: str) -> tuple[Document, ...]:
        """Return the files of a root by their path."""
        ...

    async def note_look(self, root_id: str, look: Look | None) -> bool:
        """Keep what was found: new and changed files are to be read, those that went are gone; True where it differs."""
        ...

    async def read_again(self, root_id: str) -> None:
        """Let all files of a root be read once more, whether they changed or not."""
        ...

    async def next_waiting(self, limit: int) -> tuple[Document, ...]:
        """Return files that are to be read, the oldest request first."""
        ...

    async def take_in(self, files: Sequence["ReadDocument"]) -> None:
        """Keep files that were read whole, in one step; those that are wanted no more are left out."""
        ...

    async def begin(self, document_id: str) -> bool:
        """Pieces of a file follow now; False when it is wanted no more."""
        ...

    async def put(self, document_id: str, first: int, pieces: Sequence[DocumentPiece]) -> bool:
        """Keep pieces, from number ``first`` on. One that says the same as before stays what it was."""
        ...

    async def finish(self, document: Document) -> None:
        """All of it was read, or it failed: what the file does not hold any more goes, and its state is this."""
        ...

    async def remove(self, root_id: str) -> None:
        """Let a root count no more; it can be restored until it is purged."""
        ...

    async def restore(self, root_id: str) -> None: ...

    async def purge(self, root_ids: Sequence[str] | None = None) -> Receipt:
        """Remove removed roots (all of them with None) for good, with every byte of their pieces and vectors."""
        ...

    async def document_of(self, piece_id: str) -> Document | None:
        """Return the file that a piece is of."""
        ...
