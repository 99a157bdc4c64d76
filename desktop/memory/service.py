"""What the rest of the app asks of memory: recall before an answer, the items, and the news of every change."""

from collections.abc import Sequence
from dataclasses import replace

from desktop.core.clock import Clock, utc_now
from desktop.core.ids import new_id
from desktop.core.signal import Signal
from desktop.memory.entities import (
    Author,
    MemoryItem,
    MemoryKind,
    MemoryStatus,
    Passage,
    PassageKind,
    Recall,
    RecallScope,
)
from desktop.memory.indexing import MemoryIndexing
from desktop.memory.ports import MemoryRepository, PassageStore
from desktop.memory.recall import RecallService

_MOST_WISHES = 200


class MemoryService:
    """Every change of items goes through here, so that the vectors follow and whoever shows items hears of it.

    Signals:
        changed: items came, changed or went.
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
        self._clock = clock
        self.changed: Signal[[]] = Signal()

    async def recall(self, question: str, scope: RecallScope) -> Recall:
        """Return what belongs to the question. See ``RecallService``."""
        return await self._recall.recall(question, scope)

    async def wishes(self, thread_id: str) -> tuple[MemoryItem, ...]:
        """Return what the user wants every answer of this thread to keep to."""
        items = await self._items.search(limit=_MOST_WISHES, kinds=(MemoryKind.WISH,))
        return tuple(item for item in items if item.only_thread_id in (None, thread_id))

    async def search(
        self,
        text: str = "",
        *,
        statuses: Sequence[MemoryStatus] = (MemoryStatus.ACTIVE,),
        limit: int = 200,
        offset: int = 0,
    ) -> tuple[MemoryItem, ...]:
        """See ``MemoryRepository.search``."""
        return await self._items.search(text, statuses=statuses, limit=limit, offset=offset)

    async def get(self, item_ids: Sequence[str]) -> dict[str, MemoryItem]:
        """Return the items that are still there."""
        found = [await self._items.get(item_id) for item_id in item_ids]
        return {item.id: item for item in found if item is not None}

    async def passages(self, kind: PassageKind, ids: Sequence[str]) -> dict[str, Passage]:
        """Return what can be recalled under these ids, wherever it stands; what is gone is left out."""
        return await self._passages.passages(kind, ids, RecallScope())

    async def write(self, text: str, kind: MemoryKind, *, only_thread_id: str | None = None) -> MemoryItem:
        """Remember something that the user wrote."""
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
        """Store new items."""
        for item in items:
            await self._items.add(item)
        self._tell()

    async def update(self, items: Sequence[MemoryItem]) -> None:
        """Store changed items as they are."""
        for item in items:
            await self._items.update(item)
        self._tell()

    async def edit(self, item: MemoryItem, text: str) -> MemoryItem:
        """Store an item with other words, which are the user's own from now on."""
        edited = replace(item, text=text.strip(), author=Author.WRITTEN, updated_at=self._clock())
        await self.update([edited])
        return edited

    async def forget(self, item_ids: Sequence[str]) -> None:
        """Remove items for good with every byte of them, and let none of them come back from old text.

        Returns when all of it is gone from the disk, the index of vectors included. Raises ``StorageError``, and
        ``RecallError`` when only the index could not follow yet; it will at the next start.
        """
        await self._items.forget(item_ids)
        self.changed.emit()
        await self.indexing.catch_up()

    async def note_use(self, item_ids: Sequence[str]) -> None:
        """Count that an answer was told of these."""
        await self._items.note_use(item_ids)

    def _tell(self) -> None:
        self.indexing.wake()
        self.changed.emit()
