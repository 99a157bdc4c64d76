"""What the rest of the app asks of memory: recall before an answer, the items, and the news of every change."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace

from desktop.core.clock import Clock, utc_now
from desktop.core.errors import RecallError, ThreadwellError
from desktop.core.ids import new_id
from desktop.core.receipt import Receipt
from desktop.core.signal import Signal
from desktop.memory.entities import (
    Author,
    MemoryItem,
    MemoryKind,
    MemoryStatus,
    Passage,
    PassageKind,
    Recall,
    Recalled,
    RecallScope,
)
from desktop.memory.indexing import IndexingState, MemoryIndexing
from desktop.memory.meaning_search import MeaningSearch
from desktop.memory.ports import MemoryRepository, PassageStore, key_of
from desktop.memory.recall import RecallService
from desktop.memory.reconciling import rest_of
from desktop.memory.transfer import normal

logger = logging.getLogger(__name__)

_MOST_WISHES = 200
_MOST_ALIKE = 1_000
_FACTS = tuple(kind for kind in MemoryKind if kind is not MemoryKind.WISH)
_READY_SECONDS = 4.0
_NEAR = 2.0
"""So many deviations above unrelated texts something may be about the same."""


class MemoryService:
    """Every change of items goes through here, so that the vectors follow and whoever shows items hears of it.

    Signals:
        changed: items came, changed or went.
        asked: something is being recalled; whoever knows what may be out of date brings it up to date.
    """

    def __init__(
        self,
        *,
        items: MemoryRepository,
        passages: PassageStore,
        indexing: MemoryIndexing,
        recall: RecallService,
        clock: Clock = utc_now,
    ) -> None:
        self.indexing = indexing
        self._items = items
        self._passages = passages
        self._recall = recall
        self._was_asked = False
        self._meaning_search = MeaningSearch(passages, indexing)
        self._clock = clock
        self.changed: Signal[[]] = Signal()
        self.asked: Signal[[]] = Signal()

    async def recall(self, question: str, scope: RecallScope) -> Recall:
        """Return what belongs to the question. See ``RecallService``."""
        self.asked.emit()
        return await self._recall.recall(question, scope)

    async def like(self, text: str, limit: int) -> tuple[Recalled, ...] | None:
        """Return messages that mean something like the text. See ``MeaningSearch.like``: None means that words are all there is,
        or that vectors are only being made ready; ``indexing.changed`` tells when they are."""
        if not self._was_asked:
            self._was_asked = True
            await self._wait_for_meaning()
        return await self._meaning_search.like(text, limit)

    async def _wait_for_meaning(self) -> None:
        """The first question is what vectors are made ready for, unless something was written before."""
        told = asyncio.Event()

        def tell(_state: IndexingState) -> None:
            told.set()

        self.indexing.changed.connect(tell)
        try:
            self.indexing.start()
            async with asyncio.timeout(_READY_SECONDS):
                while self.indexing.wants_vectors and self.indexing.meaning is None:
                    await told.wait()
                    told.clear()
        except TimeoutError:
            logger.info("vectors are not ready yet: the search goes by words alone")
        finally:
            self.indexing.changed.disconnect(tell)

    async def wishes(self, thread_id: str) -> tuple[MemoryItem, ...]:
        """Return what the user wants every answer of this thread to keep to."""
        items = await self._items.search(limit=_MOST_WISHES, kinds=(MemoryKind.WISH,))
        return tuple(item for item in items if item.only_thread_id in (None, thread_id))

    async def pinned(self, thread_id: str) -> tuple[MemoryItem, ...]:
        """Return what answers of this thread are told of whatever they are about; wishes are apart (``wishes``)."""
        items = await self._items.search(limit=_MOST_WISHES, kinds=_FACTS)
        return tuple(item for item in items if item.is_pinned and item.only_thread_id in (None, thread_id))

    async def search(
        self,
        text: str = "",
        *,
        statuses: Sequence[MemoryStatus] = (MemoryStatus.ACTIVE,),
        kinds: Sequence[MemoryKind] = (),
        limit: int = 200,
        offset: int = 0,
    ) -> tuple[MemoryItem, ...]:
        """See ``MemoryRepository.search``."""
        return await self._items.search(text, statuses=statuses, kinds=kinds, limit=limit, offset=offset)

    async def get(self, item_ids: Sequence[str]) -> dict[str, MemoryItem]:
        """Return the items that are still there, in the order of these ids."""
        return await self._items.get_all(item_ids)

    async def passages(
        self, kind: PassageKind, ids: Sequence[str], scope: RecallScope | None = None
    ) -> dict[str, Passage]:
        """Return what can be recalled under these ids in this scope; what is gone is left out.

        Without the thread that asks these are no items that count in one thread alone.
        """
        return await self._passages.passages(kind, ids, scope or RecallScope())

    async def of_messages(self, message_ids: Sequence[str]) -> tuple[MemoryItem, ...]:
        """See ``MemoryRepository.of_messages``."""
        return await self._items.of_messages(message_ids)

    async def near(self, texts: Sequence[str], *, thread_id: str, limit: int) -> tuple[MemoryItem, ...]:
        """Return what counts in a thread and may be about the same as one of the texts, and who the user is.

        Some ``limit`` of each. Raises ``StorageError``.
        """
        scope, found = RecallScope(thread_id=thread_id), dict[str, None]()
        for text in texts:
            hits = await self._passages.by_words(text, PassageKind.FACT, limit, scope)
            found.update((hit.passage_id, None) for hit in hits)
        found.update(dict.fromkeys(await self._alike(texts, limit)))
        # Who the user is, and how answers should be, is touched on in all sorts of words.
        lasting = await self._items.search(limit=limit, kinds=(MemoryKind.IDENTITY, MemoryKind.WISH))
        items = [*(await self.get([*found][:limit])).values(), *lasting]
        chosen = {
            item.id: item
            for item in items
            if item.status is MemoryStatus.ACTIVE and item.only_thread_id in (None, thread_id)
        }
        return tuple(chosen.values())

    async def _alike(self, texts: Sequence[str], limit: int) -> list[str]:
        """Ids of items that mean something like one of the texts; none without vectors."""
        meaning = self.indexing.meaning
        if meaning is None:
            return []
        try:
            likeness = meaning.embedder.unrelated
            least = likeness.mean + _NEAR * likeness.deviation
            vectors = await meaning.embedder.embed(texts, are_queries=True)
            near = [one for vector in vectors for one in await meaning.index.nearest(vector, limit, PassageKind.FACT)]
        except RecallError as error:
            logger.warning("what is known is looked for by words alone: %s", error)
            return []
        near.sort(key=lambda one: -one.cosine)
        return [one.key.removeprefix(key_of(PassageKind.FACT, "")) for one in near if one.cosine >= least]

    def announce(self) -> None:
        """Items are others now: let the vectors follow, and whoever shows items hear of it."""
        self.indexing.wake()
        self.changed.emit()

    async def undo(self, item: MemoryItem) -> None:
        """Take back that an item was remembered: it is forgotten, and what it took the place of is as it was.

        Raises ``StorageError``.
        """
        is_newest = item.status is MemoryStatus.ACTIVE  # else something newer holds in its place
        before = await self._items.get(item.supersedes_id) if item.supersedes_id is not None and is_newest else None
        is_replaced = before is not None and before.status is MemoryStatus.SUPERSEDED
        restored = [replace(before, status=MemoryStatus.ACTIVE, valid_to=None)] if before and is_replaced else []
        for whole in tuple(restored):  # what was kept of it meanwhile would be there twice
            if (rest := rest_of(whole, item, self._clock)) is not None:
                alike = [one for one in await self._items.search(rest.text) if one.text == rest.text]
                closed = [one for one in alike if one.source == whole.source]
                restored += [replace(one, status=MemoryStatus.SUPERSEDED, valid_to=self._clock()) for one in closed]
        await self.follow_removal(await self._items.forget([item.id], changed=restored))

    async def write(self, text: str, kind: MemoryKind, *, only_thread_id: str | None = None) -> MemoryItem:
        """Remember something that the user wrote.

        Raises ``ThreadwellError("memory.known")`` where the same is remembered already, and ``StorageError``.
        """
        await self._require_new(text, only_thread_id)
        now = self._clock()
        item = MemoryItem(
            id=new_id(),
            text=text.strip(),
            kind=kind,
            author=Author.WRITTEN,
            created_at=now,
            updated_at=now,
            observed_at=now,
            importance=1.0,
            only_thread_id=only_thread_id,
        )
        await self.add([item])
        return item

    async def add(self, items: Sequence[MemoryItem]) -> None:
        """Store new items, all of them or none. Raises ``StorageError``."""
        await self._items.add(*items)
        self.announce()

    async def update(self, items: Sequence[MemoryItem]) -> None:
        """Store changed items as they are, all of them or none. Raises ``StorageError``."""
        await self._items.update(*items)
        self.announce()

    async def edit(self, item: MemoryItem, text: str) -> MemoryItem:
        """Store an item with other words, which are the user's own from now on. Raises what ``write`` does."""
        await self._require_new(text, item.only_thread_id, but=item.id)
        edited = replace(item, text=text.strip(), author=Author.WRITTEN, updated_at=self._clock())
        await self.update([edited])
        return edited

    async def _require_new(self, text: str, only_thread_id: str | None, *, but: str = "") -> None:
        """The same is not to be remembered twice where both would count. An item that waits does not count yet."""
        wanted = normal(text)
        for item in await self._items.search(text, limit=_MOST_ALIKE):
            if item.id != but and item.only_thread_id in (None, only_thread_id) and normal(item.text) == wanted:
                raise ThreadwellError("memory.known")

    async def accept(self, *items: MemoryItem) -> None:
        """Let what waited for the user's look count from now on; what they take the place of is no longer true.

        What that said besides stays true (``reconciling.rest_of``).
        """
        changed = {item.id: replace(item, status=MemoryStatus.ACTIVE) for item in items}
        older = await self._items.get_all([item.supersedes_id for item in items if item.supersedes_id is not None])
        rests: list[MemoryItem] = []
        for item in items:
            before = {**older, **changed}.get(item.supersedes_id or "")
            if before is not None and before.status is MemoryStatus.ACTIVE:
                rest = rest_of(before, changed[item.id], self._clock)
                rests += () if rest is None else (rest,)
                changed[before.id] = replace(before, status=MemoryStatus.SUPERSEDED, valid_to=item.observed_at)
        await self._items.add(*rests, changed=[*changed.values()])
        self.announce()

    async def make_current(self, *items: MemoryItem) -> None:
        """Let what is no longer true count again; what took its place stays as it is."""
        await self.update([replace(item, status=MemoryStatus.ACTIVE, valid_to=None) for item in items])

    async def forgotten(self, items: Sequence[MemoryItem]) -> frozenset[str]:
        """See ``MemoryRepository.forgotten``."""
        return await self._items.forgotten(items)

    async def forget(self, item_ids: Sequence[str]) -> Receipt:
        """Remove items for good with every byte of them, and let none of them come back from old text.

        Returns what was removed, when all of it is gone from the disk, the index of vectors included; ``waits`` in it
        where something could not follow yet and will at the next start. Raises ``StorageError``.
        """
        return await self.follow_removal(await self._items.forget(item_ids))

    async def follow_removal(self, receipt: Receipt) -> Receipt:
        """After something was removed, such as a thread: let the index of vectors forget it, and whoever shows items hear.

        Returns the receipt with what could not be done now. Raises ``StorageError``.
        """
        self.changed.emit()
        return await self.indexing.follow_removal(receipt)

    async def from_threads(self, thread_ids: Sequence[str]) -> tuple[MemoryItem, ...]:
        """Return the items that come from these threads, or count in them alone, whatever their status."""
        return await self._items.from_threads(thread_ids)

    async def note_use(self, item_ids: Sequence[str]) -> None:
        """Count that an answer was told of these."""
        await self._items.note_use(item_ids)
