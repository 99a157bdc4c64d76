"""What the memory domain needs from outside: texts and vectors on disk, an index of vectors, and an embedder.

A vector is ``bytes``: 32-bit floats, little endian, of length one. SQLite holds the texts and the vectors and is the
truth; a ``VectorIndex`` holds keys and vectors only, may be lost at any time, and is filled again from SQLite.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from desktop.core.costs import Cost
from desktop.core.language_model import Usage
from desktop.core.receipt import Receipt
from desktop.memory.candidates import Said
from desktop.memory.entities import MemoryItem, MemoryKind, MemoryStatus, Passage, PassageKind, RecallScope

Vector = bytes

PREPARATION = 2
"""How passages become vectors (``memory.embedding``). It is part of the id of every embedder: raise it when that changes, and
all is embedded anew in the background."""


@dataclass(frozen=True)
class Likeness:
    """How alike unrelated texts are for an embedder: mean and standard deviation of their cosines, measured."""

    mean: float
    deviation: float


class Embedder(Protocol):
    """Turns texts into vectors. Loads itself at first use, never on the loop's thread."""

    async def prepare(self) -> None:
        """Find out what the properties tell; harmless when that is known. Raises ``RecallError``."""
        ...

    @property
    def id(self) -> str:
        """Name, version and preparation of the texts: vectors of different ids are never compared."""
        ...

    @property
    def dimensions(self) -> int: ...

    @property
    def unrelated(self) -> Likeness: ...

    async def embed(self, texts: Sequence[str], *, are_queries: bool = False) -> list[Vector]:
        """Return a vector for each text, in order. Texts of any kind and length are taken, long ones by their beginning.

        Raises ``RecallError``: ``memory.embedder_failed`` where it may be the text's fault, other codes where it is not.
        """
        ...

    async def close(self) -> None:
        """End what runs; nothing may be asked afterwards."""
        ...


@dataclass(frozen=True)
class Measured:
    """What was measured of an embedder when it was asked first."""

    dimensions: int
    unrelated: Likeness


class MeasuredStore(Protocol):
    """Keeps what was measured, so that it is measured once. Raises ``StorageError``."""

    async def measured(self, name: str) -> Measured | None: ...

    async def keep_measured(self, name: str, measured: Measured) -> None: ...


@dataclass(frozen=True)
class Near:
    key: str
    cosine: float


class VectorIndex(Protocol):
    """The nearest vectors, found quickly. All methods may raise ``RecallError`` with ``memory.index_broken``: the index
    is of no use then and is to be made anew with ``clear`` and ``put``."""

    async def open(self, embedder_id: str, dimensions: int) -> int:
        """Open the index of this embedder, an empty one where there is none; return how many vectors it holds."""
        ...

    async def put(self, vectors: Mapping[str, Vector]) -> None:
        """Add or replace, in pieces small enough that the window does not stall."""
        ...

    async def remove(self, keys: Sequence[str]) -> None:
        """Let these not be found any more; unknown keys are no error. Their bytes leave the disk with ``erase``."""
        ...

    async def keys(self) -> frozenset[str]: ...

    async def nearest(self, vector: Vector, count: int, kind: PassageKind) -> list[Near]:
        """Return the nearest of this kind, best first; keys begin with the kind (see ``key_of``)."""
        ...

    async def erase(self) -> None:
        """Remove every byte of what was removed before from the disk.

        Raises ``RecallError`` with ``memory.index_waits`` where that cannot be done yet.
        """
        ...

    @property
    def is_makeshift(self) -> bool:
        """Whether another index stands in for the one that was wanted, until the next ``open``."""
        ...

    async def clear(self) -> None:
        """Throw everything away, whatever its state, and begin an empty index."""
        ...

    async def close(self) -> None: ...


def key_of(kind: PassageKind, passage_id: str) -> str:
    """Return under which key a passage stands in the index."""
    return f"{kind}:{passage_id}"


def kind_of(key: str) -> PassageKind:
    """Return the kind of what stands under a key. Raises ``ValueError`` where it is none."""
    return PassageKind(key.partition(":")[0])


@dataclass(frozen=True)
class WordHit:
    passage_id: str
    bm25: float
    """Higher is better."""
    shared: float = 0.0
    """Which part of the question's words it holds, 0 to 1; known of the best few. Unlike ``bm25`` it says as much
    where little is stored."""


@dataclass(frozen=True)
class VectorChange:
    """What an index of vectors has not followed yet."""

    key: str
    number: int
    vector: Vector | None
    """What stands under the key now; None where that is nothing."""
    erases: bool
    """Whether what stood there before must leave the disk."""


class PassageStore(Protocol):
    """The texts that can be recalled with their words and vectors. Messages come into it by themselves once they are
    finished and leave it with their thread, items with ``MemoryRepository``. Raises ``StorageError``."""

    async def by_words(self, query: str, kind: PassageKind, limit: int, scope: RecallScope) -> list[WordHit]:
        """Return what shares words with the query, best first; what is in the Trash or does not count is left out."""
        ...

    async def passages(self, kind: PassageKind, ids: Sequence[str], scope: RecallScope) -> dict[str, Passage]:
        """Return those that are there and may be recalled in this scope."""
        ...

    async def vectors(self, kind: PassageKind, ids: Sequence[str], embedder_id: str) -> dict[str, Vector]: ...

    async def without_vector(self, embedder_id: str, limit: int) -> list[Passage]:
        """Return passages that this embedder has not seen yet, the newest first, facts before messages,
        those before documents."""
        ...

    async def put_vectors(
        self, embedder_id: str, vectors: Sequence[tuple[Passage, Vector]], *, is_asked: bool = True
    ) -> None:
        """Keep vectors; of passages that are gone, or say something else meanwhile, nothing is kept.

        An index follows only those of the embedder that ``is_asked``.
        """
        ...

    async def progress(self, embedder_id: str) -> tuple[int, int]:
        """Return how many passages have a vector of this embedder, and how many there will be."""
        ...

    async def vector_keys(self, embedder_id: str) -> frozenset[str]:
        """Return the keys (``key_of``) of all vectors of this embedder."""
        ...

    async def all_vectors(self, embedder_id: str, after: str, limit: int) -> list[tuple[str, Vector]]:
        """Return keys (``key_of``) and vectors in the order of their keys, from behind ``after`` on."""
        ...

    async def vector_changes(self, embedder_id: str, limit: int) -> list[VectorChange]:
        """Return what came, changed or went since an index followed last, the oldest change first."""
        ...

    async def settle(self, changes: Sequence[VectorChange]) -> None:
        """Forget these changes: the index has followed. Those that came meanwhile stay."""
        ...

    async def keep_vectors_of(self, embedder_id: str) -> None:
        """Remove the vectors of all other embedders."""
        ...

    async def catch_up(self) -> None:
        """Take in the words of what is not found by them yet; after an update of the program that may be everything."""
        ...

    async def count(self, kind: PassageKind) -> int: ...


class MemoryRepository(Protocol):
    """Durable memory items. Every method that writes returns only when the change is on disk. Raises ``StorageError``."""

    async def add(self, *items: MemoryItem, changed: Sequence[MemoryItem] = ()) -> None:
        """Store new items, and with them the ``changed`` ones: all of them, or none.

        Of many at once, the words are found after ``PassageStore.catch_up``.
        """
        ...

    async def get(self, item_id: str) -> MemoryItem | None:
        return (await self.get_all([item_id])).get(item_id)

    async def get_all(self, item_ids: Sequence[str]) -> dict[str, MemoryItem]:
        """Return the items that are there, in the order of these ids."""
        ...

    async def update(self, *items: MemoryItem) -> None:
        """Store changed items, all of them or none; words and vectors follow their texts."""
        ...

    async def search(
        self,
        text: str = "",
        *,
        statuses: Sequence[MemoryStatus] = (MemoryStatus.ACTIVE,),
        kinds: Sequence[MemoryKind] = (),
        limit: int = 200,
        offset: int = 0,
    ) -> tuple[MemoryItem, ...]:
        """Newest first, pinned before others; with ``text`` those that hold all of its words, with ``kinds`` only these."""
        ...

    async def of_messages(self, message_ids: Sequence[str]) -> tuple[MemoryItem, ...]:
        """Return the items that come from these messages, the oldest first, whatever their status."""
        ...

    async def from_threads(self, thread_ids: Sequence[str]) -> tuple[MemoryItem, ...]:
        """Return the items that come from these threads, or count in them alone, whatever their status."""
        ...

    async def forget(self, item_ids: Sequence[str], *, changed: Sequence[MemoryItem] = ()) -> Receipt:
        """Remove items with every byte of their text and vectors, and keep in mind that they must not come back.

        Together with that the ``changed`` ones are stored. Returns what was removed; ids of items that are not there
        are no error.
        """
        ...

    async def forgotten(self, items: Sequence[MemoryItem]) -> frozenset[str]:
        """Return the ids of those of whose text, or from whose words of the user, one was forgotten.

        Where the message is known that is quoted, also from other words of the same clause.
        """
        ...

    async def note_use(self, item_ids: Sequence[str]) -> None: ...


@dataclass(frozen=True)
class Found:
    """A new item that what was said has brought."""

    item: MemoryItem
    is_asked_for: bool = False
    """The user asked that it be remembered: that it was once forgotten counts only for the message of that time."""


@dataclass(frozen=True, kw_only=True)
class ReadingTook:
    """What it took to ask a model about what was said."""

    model: str
    usage: Usage
    cost: Cost | None = None


class Readings(Protocol):
    """How far the threads were read for facts. Raises ``StorageError``.

    Only what was said since there is memory counts, outside the Trash and temporary threads.
    """

    async def unread_threads(self) -> tuple[str, ...]:
        """Return the threads in which the user said something that was not read, the one that changed last at the end."""
        ...

    async def unread(self, thread_id: str, limit: int) -> tuple[Said, ...]:
        """Return what the user said there, the oldest first, up to the first message that is still being answered.

        What does not stand on the path that the thread shows has no text: it was said otherwise since.
        """
        ...

    async def keep(
        self, thread_id: str, until: str, found: Sequence[Found] = (), *, took: ReadingTook | None = None
    ) -> tuple[MemoryItem, ...]:
        """Add what was found, and note that the thread was read up to the message ``until``: together, or not at all.

        An item that takes another's place (``supersedes_id``) closes it, unless it waits itself. Returns what was added:
        nothing where it was read so far before, and not what the user once had forgotten (``MemoryRepository.forgotten``).
        """
        ...

    async def skip(self, thread_id: str | None = None) -> None:
        """Let all that was said until now, in one thread or in all, count as read."""
        ...
