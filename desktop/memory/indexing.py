"""Keeps vectors and their index up to date in the background, and makes the index anew when it is of no use.

SQLite has the texts, the vectors, and what the index has not followed yet; so it does not matter when this ends.
"""

import asyncio
import contextlib
import logging
from dataclasses import dataclass, replace

from desktop.core.errors import RecallError, StorageError
from desktop.core.receipt import Receipt
from desktop.core.signal import Signal
from desktop.core.tasks import TaskSupervisor, held_back
from desktop.memory.embedding import HARMLESS, passage_vectors
from desktop.memory.entities import PassageKind
from desktop.memory.ports import Embedder, PassageStore, VectorChange, VectorIndex
from desktop.memory.recall import Meaning, Meanings

logger = logging.getLogger(__name__)

_EMBEDDED_AT_ONCE = 32
_PUT_AT_ONCE = 500
_CHANGES_AT_ONCE = 5_000
_NO_EMBEDDER = "none"
_FIRST_PAUSE_SECONDS, _LONGEST_PAUSE_SECONDS = 30.0, 900.0
"""After which something that failed is tried again, whether or not there is news."""
_SLOW_SECONDS = 0.24
"""What takes longer for one text comes too late for an answer."""


@dataclass(frozen=True, kw_only=True)
class IndexingState:
    """How far the vectors are, for the window."""

    embedder_id: str | None = None
    """Of the vectors that are asked now; None while only words are compared."""
    is_working: bool = False
    """Texts are being embedded."""
    is_changing: bool = False
    """Another embedder's vectors are being made; those of the one before are asked until they are there."""
    done: int = 0
    total: int = 0
    """Of the texts that can have a vector of the wanted embedder, while it works."""
    problem: str = ""
    """Why only words are compared, or what is not as it should be: the code of a ``RecallError``. It is tried again."""
    detail: str = ""
    """Of the problem, in its own words."""


class MemoryIndexing(Meanings):
    """Owns the index of vectors. ``wake`` it when something was said, remembered or removed; ``close`` it at the end."""

    def __init__(
        self,
        store: PassageStore,
        index: VectorIndex,
        tasks: TaskSupervisor,
        *,
        embedder: Embedder | None,
        former: Embedder | None = None,
        rest_seconds: float = 0.0,
    ) -> None:
        """Without an embedder words alone are compared. ``former`` may have been used before: its vectors are asked,
        where there are any, until those of ``embedder`` are made. ``rest_seconds`` passes in the background before
        texts are embedded."""
        self._store = store
        self._index = index
        self._tasks = tasks
        self._embedder = embedder
        self._former = former
        self._meaning: Meaning | None = None
        self._is_broken = False
        self._opened_for = ""
        """Whose vectors the index was opened for last: for those alone can it be begun anew."""
        self._is_doubted = False
        self._problem: RecallError | None = None
        self._rest_seconds = rest_seconds
        self._pause = _FIRST_PAUSE_SECONDS
        self._tries_again = False
        self._working = asyncio.Lock()
        self._embedding = asyncio.Lock()
        self._wanted = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self.left_at = ""
        """The address of a server that was left and may still hold vectors: whoever keeps vectors elsewhere knows."""
        self.state = IndexingState()
        self.changed: Signal[IndexingState] = Signal()

    @property
    def meaning(self) -> Meaning | None:
        return self._meaning

    @property
    def wants_vectors(self) -> bool:
        """There is an embedder, so that there is ``meaning`` now or soon."""
        return self._embedder is not None

    def report(self, error: RecallError) -> None:
        if error.code == "memory.index_broken":
            self._meaning, self._is_broken = None, True
        elif not self._is_doubted:
            self._is_doubted = True
            if error.code != "memory.embedder_late":  # once it may be by chance: that is seen when it is asked again
                self._note(error)
        else:
            return
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
        """Ask another embedder, from when all is embedded by it on; None leaves words alone, at once.

        The one before may be given again meanwhile: then nothing has changed.
        """
        if embedder is None:
            self._meaning = None
        self._embedder = embedder
        self._problem, self._is_doubted, self._pause = None, False, _FIRST_PAUSE_SECONDS
        self.wake()

    async def move_to(self, index: VectorIndex) -> None:
        """Keep vectors in another index from now on; the one before is closed, and its owner's to empty."""
        async with self._working:
            former, self._index, self._meaning, self._opened_for = self._index, index, None, ""
            _, cancellation = await held_back(former.close())
        if cancellation is not None:
            raise cancellation
        self.wake()

    async def warm_up(self) -> None:
        """Load the embedder, so that the first question does not wait for it, where there is anything to be found."""
        if self._embedder is not None:
            try:
                if not any([await self._store.count(kind) for kind in PassageKind]):
                    return
                await self._embedder.embed([HARMLESS], are_queries=True)
            except (RecallError, StorageError) as error:
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
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._pause if self._tries_again else None):
                    await self._wanted.wait()
            if not self._wanted.is_set():
                self._pause = min(2 * self._pause, _LONGEST_PAUSE_SECONDS)
            self._wanted.clear()
            try:
                await self.catch_up(rest_seconds=self._rest_seconds)
            except (RecallError, StorageError) as error:
                logger.warning("vectors are brought up to date later: %s", error)
                self._tries_again = True
            else:
                self._tries_again = self._index.is_makeshift
                if not self._tries_again:
                    self._pause = _FIRST_PAUSE_SECONDS

    async def catch_up(self, *, rest_seconds: float = 0.0) -> None:
        """Do all there is to do: words, vectors, index, and every byte of what was removed leaves the disk.

        What has no vector yet gets one after a rest: an answer's own work goes first, and more may be said meanwhile.
        Raises ``StorageError``, and ``RecallError`` when the embedder fails or no index can be made.
        """
        try:
            await self.follow()
            await asyncio.sleep(rest_seconds)
            async with self._embedding:
                await self._embed_missing()
                await self._look_again()
        except RecallError as error:
            self._note(error)
            raise
        self._problem = RecallError("memory.index_makeshift") if self._index.is_makeshift else None
        self._announce()

    async def follow(self) -> None:
        """Bring words and index to where the store is: what was removed is not found any more, and leaves the disk.

        Waits for no embedder. Raises ``StorageError``; ``RecallError`` when no index can be made, and with
        ``memory.index_waits`` where bytes of what was removed may be left.
        """
        await self._store.catch_up()
        async with self._working:
            await self._follow()

    async def follow_removal(self, receipt: Receipt) -> Receipt:
        """``follow`` after something was removed; return the receipt with what could not follow. Raises ``StorageError``."""
        server, waits = self.left_at, False
        try:
            await self.follow()
        except RecallError as error:
            logger.warning("the index of vectors forgets later: %s", error)
            server = str(error.params.get("server", "")) or server
            waits = not error.params.get("server")
        return replace(receipt, waits=receipt.waits or waits, server=receipt.server or server)

    async def _follow(self) -> None:
        if self._tries_again and self._index.is_makeshift:
            self._meaning = None  # perhaps there is a better one by now
        if self._embedder is None:
            self._meaning = None
        asked = self._meaning.embedder if self._meaning else await self._first_asked()
        if asked is None:
            await self._leave_no_index()
        else:
            await self._bring_up_to_date(asked)

    async def _first_asked(self) -> Embedder | None:
        """Return whose vectors are asked at first: the wanted one's, or those of the former until there are others."""
        wanted, former = self._embedder, self._former
        if wanted is None:
            return None
        is_ready = True
        try:
            await wanted.prepare()
        except RecallError as error:
            self._note(error)
            is_ready = False
        if former is not None and (not is_ready or former.id != wanted.id):
            is_whole = is_ready and not await self._store.without_vector(wanted.id, 1)
            if not is_whole and await self._store.all_vectors(former.id, "", 1):
                return former
        return wanted if is_ready else None

    async def _leave_no_index(self) -> None:
        """Nobody follows what is removed while words alone are compared, so no index may be left on the disk then."""
        changes = await self._store.vector_changes("", _CHANGES_AT_ONCE)
        if not any(change.erases for change in changes):
            return
        self._opened_for = _NO_EMBEDDER
        await self._index.open(_NO_EMBEDDER, 1)
        await self._index.clear()
        await self._index.erase()
        while changes:
            await self._store.settle(changes)
            changes = await self._store.vector_changes("", _CHANGES_AT_ONCE)

    async def _embed_missing(self) -> None:
        """Embed what the wanted embedder has not seen yet, in small pieces; the vectors of all others go at the end."""
        done = total = 0
        while (embedder := self._embedder) is not None:
            await embedder.prepare()
            passages = await self._store.without_vector(embedder.id, _EMBEDDED_AT_ONCE)
            asked = self._meaning.embedder.id if self._meaning else None
            if not passages:
                async with self._working:
                    if self._embedder is embedder:  # else another one was chosen while this waited
                        await self._switch(embedder)
                        return
                continue
            if not total:
                done, total = await self._store.progress(embedder.id)
            is_changing = asked not in (None, embedder.id)
            self._announce(is_working=True, is_changing=is_changing, done=done, total=max(total, done + len(passages)))
            vectors = await passage_vectors(embedder, passages)
            if self._embedder is not embedder:
                done = total = 0
                continue
            done += len(passages)
            async with self._working:
                kept = list(zip(passages, vectors, strict=True))
                await self._store.put_vectors(embedder.id, kept, is_asked=not is_changing)
                await self._follow()

    async def _switch(self, embedder: Embedder) -> None:
        """Ask the wanted embedder from now on; nothing of the others is kept."""
        if self._meaning is None or self._meaning.embedder is not embedder:
            await self._bring_up_to_date(embedder)
        await self._store.keep_vectors_of(embedder.id)

    async def _look_again(self) -> None:
        """Something was wrong when a question was asked: see whether it still is."""
        if not self._is_doubted or self._embedder is None:
            return
        clock = asyncio.get_running_loop().time
        for _ in range(2):  # the first time it may have to be loaded, or to be connected with
            begin = clock()
            await self._embedder.embed([HARMLESS], are_queries=True)
            if clock() - begin <= _SLOW_SECONDS:
                self._is_doubted = False
                return
        raise RecallError("memory.embedder_late")

    async def _bring_up_to_date(self, embedder: Embedder) -> None:
        """Bring the index to where SQLite is; one that is of no use is begun anew."""
        try:
            if self._is_broken and self._opened_for == embedder.id:
                await self._begin_anew(embedder)
            elif self._is_broken or self._meaning is None or self._meaning.embedder is not embedder:
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
        self._meaning, self._opened_for = None, embedder.id
        await self._index.open(embedder.id, embedder.dimensions)
        held, wanted = await self._index.keys(), await self._store.vector_keys(embedder.id)
        odd, missing = await asyncio.to_thread(lambda: (sorted(held - wanted), wanted - held))
        await self._index.remove(odd)
        await self._fill(embedder, missing)
        self._meaning, self._is_broken = Meaning(embedder, self._index), False

    async def _begin_anew(self, embedder: Embedder) -> None:
        await self._index.clear()
        await self._fill(embedder, await self._store.vector_keys(embedder.id))
        self._meaning, self._is_broken = Meaning(embedder, self._index), False

    async def _fill(self, embedder: Embedder, keys: frozenset[str]) -> None:
        last = ""
        while keys and (vectors := await self._store.all_vectors(embedder.id, last, _PUT_AT_ONCE)):
            last = vectors[-1][0]
            await self._index.put({key: vector for key, vector in vectors if key in keys})

    async def _apply_changes(self, embedder: Embedder) -> None:
        """Follow all changes; what is to be erased leaves the disk in one go after them, and only then is settled."""
        to_erase: dict[tuple[str, int], VectorChange] = {}
        while True:
            changes = await self._store.vector_changes(embedder.id, _CHANGES_AT_ONCE + len(to_erase))
            changes = [change for change in changes if (change.key, change.number) not in to_erase]
            if not changes:
                break
            await self._index.remove([change.key for change in changes if change.vector is None])
            await self._index.put({change.key: change.vector for change in changes if change.vector is not None})
            to_erase.update({(change.key, change.number): change for change in changes if change.erases})
            await self._store.settle([change for change in changes if not change.erases])
        if to_erase:
            await self._index.erase()
            await self._store.settle([*to_erase.values()])

    def _note(self, error: RecallError) -> None:
        self._problem = error
        self._announce()

    def _announce(self, *, is_working: bool = False, is_changing: bool = False, done: int = 0, total: int = 0) -> None:
        problem = self._problem
        state = IndexingState(
            embedder_id=self._meaning.embedder.id if self._meaning else None,
            is_working=is_working,
            is_changing=is_changing,
            done=done,
            total=total,
            problem=problem.code if problem else "",
            detail=str(problem.params.get("detail", "")) if problem else "",
        )
        if state != self.state:
            self.state = state
            self.changed.emit(state)
