"""Keeps vectors and their index up to date in the background, and makes the index anew when it is of no use.

SQLite has the texts, the vectors, and what the index has not followed yet; so it does not matter when this ends.
"""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass

from desktop.core.errors import RecallError, StorageError
from desktop.core.signal import Signal
from desktop.core.tasks import TaskSupervisor
from desktop.memory.entities import Passage, PassageKind
from desktop.memory.ports import Embedder, PassageStore, Vector, VectorIndex
from desktop.memory.recall import Meaning, Meanings

logger = logging.getLogger(__name__)

_EMBEDDED_AT_ONCE = 32
_PUT_AT_ONCE = 500
_CHANGES_AT_ONCE = 5_000
_EMBEDDED_CHARACTERS = 800
"""Of a message: a vector over more says little of any of it. Its words are found in all of it."""
_HARMLESS = "hello"
_NO_EMBEDDER = "none"


@dataclass(frozen=True)
class IndexingState:
    """How far the vectors are, for the window."""

    embedder_id: str | None
    """Of the vectors that are asked now; None while only words are compared."""
    is_working: bool = False
    """Texts are being embedded."""
    is_changing: bool = False
    """Another embedder's vectors are being made; those of the one before are asked until they are there."""


class MemoryIndexing(Meanings):
    """Owns the index of vectors. ``wake`` it when something was said, remembered or removed; ``close`` it at the end."""

    def __init__(
        self, store: PassageStore, index: VectorIndex, tasks: TaskSupervisor, *, embedder: Embedder | None
    ) -> None:
        """Without an embedder words alone are compared."""
        self._store = store
        self._index = index
        self._tasks = tasks
        self._embedder = embedder
        self._meaning: Meaning | None = None
        self._is_broken = False
        self._working = asyncio.Lock()
        self._wanted = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self.state = IndexingState(None)
        self.changed: Signal[IndexingState] = Signal()

    @property
    def meaning(self) -> Meaning | None:
        return self._meaning

    def report(self, error: RecallError) -> None:
        if error.code == "memory.index_broken":
            self._meaning, self._is_broken = None, True
            self.wake()

    def start(self) -> None:
        """Begin to work in the background."""
        if self._task is None:
            self._task = self._tasks.spawn(self._run(), name="memory indexing")
            self.wake()

    def wake(self) -> None:
        """Look soon whether there is something to do."""
        self._wanted.set()

    def use(self, embedder: Embedder | None) -> None:
        """Ask another embedder, from when all is embedded by it on; None leaves words alone, at once."""
        self._embedder = embedder
        if embedder is None:
            self._meaning = None
        self.wake()

    async def warm_up(self) -> None:
        """Load the embedder, so that the first question does not wait for it."""
        if self._embedder is not None:
            try:
                await self._embedder.embed([_HARMLESS], are_queries=True)
            except RecallError as error:
                logger.warning("there will be no recall by meaning: %s", error)

    async def close(self) -> None:
        """End what runs, and the index; embedders are their makers' to close."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})
        async with self._working:
            self._meaning = None
            await self._index.close()

    async def _run(self) -> None:
        while True:
            await self._wanted.wait()
            self._wanted.clear()
            try:
                await self.catch_up()
            except (RecallError, StorageError) as error:
                logger.warning("vectors are brought up to date later: %s", error)

    async def catch_up(self) -> None:
        """Do all there is to do: words, vectors, index, and every byte of what was removed leaves the disk.

        Raises ``StorageError``, and ``RecallError`` when the embedder fails or no index can be made.
        """
        async with self._working:
            await self._store.catch_up()
            embedder = self._embedder
            if embedder is None:
                await self._leave_no_index()
                self._announce(IndexingState(None))
                return
            is_changing = self._meaning is not None and self._meaning.embedder.id != embedder.id
            if is_changing:
                await self._embed_missing(embedder, is_changing=True)
            await self._follow(embedder)
            if is_changing:
                await self._store.keep_vectors_of(embedder.id)
            await self._embed_missing(embedder, is_changing=False)
            self._announce(IndexingState(embedder.id))

    async def _leave_no_index(self) -> None:
        """Nobody follows what is removed while words alone are compared, so no index may be left on the disk then."""
        changes = await self._store.vector_changes("", _CHANGES_AT_ONCE)
        if not any(change.erases for change in changes):
            return
        await self._index.open(_NO_EMBEDDER, 1)
        await self._index.clear()
        while changes:
            await self._store.settle(changes)
            changes = await self._store.vector_changes("", _CHANGES_AT_ONCE)

    async def _embed_missing(self, embedder: Embedder, *, is_changing: bool) -> None:
        while self._embedder is embedder:
            passages = await self._store.without_vector(embedder.id, _EMBEDDED_AT_ONCE)
            if not passages:
                return
            asked = self._meaning.embedder.id if self._meaning else None
            self._announce(IndexingState(asked, is_working=True, is_changing=is_changing))
            vectors = await _embedded(embedder, [embedded_text(passage) for passage in passages])
            await self._store.put_vectors(embedder.id, list(zip(passages, vectors, strict=True)))
            if not is_changing:
                await self._follow(embedder)

    async def _follow(self, embedder: Embedder) -> None:
        """Bring the index to where SQLite is; one that is of no use is begun anew."""
        try:
            if self._is_broken:
                await self._begin_anew(embedder)
            elif self._meaning is None or self._meaning.embedder.id != embedder.id:
                await self._open(embedder)
            await self._apply_changes(embedder)
        except RecallError as error:
            if error.code != "memory.index_broken":
                raise
            logger.warning("the index of vectors is begun anew: %s", error)
            self._meaning, self._is_broken = None, True
            await self._begin_anew(embedder)
            await self._apply_changes(embedder)

    async def _open(self, embedder: Embedder) -> None:
        self._meaning = None
        await self._index.open(embedder.id, embedder.dimensions)
        held, wanted = await self._index.keys(), await self._store.vector_keys(embedder.id)
        await self._index.remove(sorted(held - wanted))
        if missing := wanted - held:
            await self._fill(embedder, missing)
        self._meaning = Meaning(embedder, self._index)

    async def _begin_anew(self, embedder: Embedder) -> None:
        await self._index.clear()
        await self._fill(embedder, await self._store.vector_keys(embedder.id))
        self._meaning, self._is_broken = Meaning(embedder, self._index), False

    async def _fill(self, embedder: Embedder, keys: frozenset[str]) -> None:
        last = ""
        while vectors := await self._store.all_vectors(embedder.id, last, _PUT_AT_ONCE):
            last = vectors[-1][0]
            if wanted := {key: vector for key, vector in vectors if key in keys}:
                await self._index.put(wanted)

    async def _apply_changes(self, embedder: Embedder) -> None:
        while changes := await self._store.vector_changes(embedder.id, _CHANGES_AT_ONCE):
            await self._index.remove([change.key for change in changes if change.vector is None])
            await self._index.put({change.key: change.vector for change in changes if change.vector is not None})
            if any(change.erases for change in changes):
                await self._index.erase()
            await self._store.settle(changes)

    def _announce(self, state: IndexingState) -> None:
        if state != self.state:
            self.state = state
            self.changed.emit(state)


def embedded_text(passage: Passage) -> str:
    """Return what of a passage becomes its vector: a fact alone, a message with its day and what was said before it."""
    if passage.kind is PassageKind.FACT:
        return passage.text
    day = f"{passage.at:%Y-%m-%d}"
    return " ".join(filter(None, (day, passage.before, passage.text[:_EMBEDDED_CHARACTERS])))


async def _embedded(embedder: Embedder, texts: Sequence[str]) -> list[Vector]:
    """Return the vectors. A text that cannot be embedded gets one that is near to nothing, so that the others do."""
    try:
        return await embedder.embed(texts)
    except RecallError as error:
        if error.code != "memory.embedder_failed":
            raise
        await embedder.embed([_HARMLESS])  # raises where it is not the text's fault
    if len(texts) > 1:
        return [vector for text in texts for vector in await _embedded(embedder, [text])]
    logger.warning("a text that cannot be embedded is found by its words alone")
    return [bytes(4 * embedder.dimensions)]
