"""A fake of what is remembered: the same promises as SQLite, held to them by ``tests/contracts``, kept in memory."""

import dataclasses
import math
import re
from collections.abc import Sequence

from desktop.conversation.entities import MessageStatus
from desktop.core.clock import Clock, utc_now
from desktop.core.errors import StorageError
from desktop.core.receipt import Receipt
from desktop.memory.entities import MemoryItem, MemoryKind, MemoryStatus, Passage, PassageKind, RecallScope
from desktop.memory.ports import MemoryRepository, PassageStore, Vector, VectorChange, WordHit, key_of, kind_of
from desktop.storage.recall_text import ending, terms_of
from desktop.storage.search_text import SearchQuery, fold
from tests.support.in_memory_threads import InMemoryThreadRepository


class InMemoryMemory(MemoryRepository, PassageStore):
    """Both ports in one; messages are those of ``threads``."""

    def __init__(self, threads: InMemoryThreadRepository | None = None, *, clock: Clock = utc_now) -> None:
        self._threads = threads or InMemoryThreadRepository(clock=clock)
        self._clock = clock
        self._items: dict[str, MemoryItem] = {}
        self._forgotten: set[tuple[str, ...]] = set()
        self._vectors: dict[str, dict[str, tuple[Passage, Vector]]] = {}
        self._changes: dict[str, tuple[int, bool]] = {}
        self._number = 0

    # -- items ----------------------------------------------------------------------------------------------------

    async def add(self, *items: MemoryItem, changed: Sequence[MemoryItem] = ()) -> None:
        new = {item.id: item for item in items}
        if len(new) < len(items) or new.keys() & self._items.keys():
            raise StorageError("storage.failed", detail="the id is taken")
        self._items.update(new)
        await self.update(*changed)

    async def get_all(self, item_ids: Sequence[str]) -> dict[str, MemoryItem]:
        self._follow_threads()
        return {item_id: self._items[item_id] for item_id in item_ids if item_id in self._items}

    async def update(self, *items: MemoryItem) -> None:
        self._items.update({item.id: item for item in items if item.id in self._items})

    async def search(
        self,
        text: str = "",
        *,
        statuses: Sequence[MemoryStatus] = (MemoryStatus.ACTIVE,),
        kinds: Sequence[MemoryKind] = (),
        limit: int = 200,
        offset: int = 0,
    ) -> tuple[MemoryItem, ...]:
        self._follow_threads()
        wanted = SearchQuery.parse(text)
        newest = [
            item
            for item in reversed(self._items.values())
            if item.status in statuses and (not kinds or item.kind in kinds)
        ]
        found = [item for item in newest if not wanted.phrases or wanted.matches(item.text)]
        found.sort(key=lambda item: not item.is_pinned)
        return tuple(found[max(0, offset) :][: max(0, limit)])

    async def of_messages(self, message_ids: Sequence[str]) -> tuple[MemoryItem, ...]:
        self._follow_threads()
        items = self._items.values()
        return tuple(item for item in items if item.source is not None and item.source.message_id in message_ids)

    async def from_threads(self, thread_ids: Sequence[str]) -> tuple[MemoryItem, ...]:
        self._follow_threads()
        return tuple(
            item
            for item in self._items.values()
            if item.only_thread_id in thread_ids or (item.source is not None and item.source.thread_id in thread_ids)
        )

    async def forget(self, item_ids: Sequence[str], *, changed: Sequence[MemoryItem] = ()) -> Receipt:
        receipt = Receipt()
        for item_id in item_ids:
            if (item := self._items.pop(item_id, None)) is not None:
                source = item.source
                receipt += Receipt(items=1, quotes=int(source is not None and bool(source.quote)))
                self._forgotten |= self._traces_of(item)
        await self.update(*changed)
        return receipt

    async def forgotten(self, items: Sequence[MemoryItem]) -> frozenset[str]:
        return frozenset(item.id for item in items if self._forgotten & self._traces_of(item))

    async def note_use(self, item_ids: Sequence[str]) -> None:
        for item_id in dict.fromkeys(item_ids):
            if (item := self._items.get(item_id)) is not None:
                self._items[item_id] = dataclasses.replace(
                    item, used_count=item.used_count + 1, last_used_at=self._clock()
                )

    def _traces_of(self, item: MemoryItem) -> set[tuple[str, ...]]:
        source = item.source
        return self._traces(item.text, source.quote if source else "", source.message_id if source else "")

    def _traces(self, text: str, quote: str, message_id: str) -> set[tuple[str, ...]]:
        traces: set[tuple[str, ...]] = set()
        if _plain(text):
            traces.add(("text", _plain(text)))
        if len(_plain(quote).split()) >= 3:
            traces.add(("quote", _plain(quote)))
        if _plain(quote) and message_id:
            message = self._threads._messages.get(message_id)
            whole = message.text if message is not None and quote in message.text else quote
            start = whole.index(quote)
            for clause in re.finditer("[^.,;!?\n。，、；！？]+", whole):
                touches = clause.end() > start and clause.start() < start + len(quote)
                if touches and _plain(clause.group()):
                    traces.add(("clause", message_id, _plain(clause.group())))
        return traces

    # -- passages -------------------------------------------------------------------------------------------------

    async def by_words(self, query: str, kind: PassageKind, limit: int, scope: RecallScope) -> list[WordHit]:
        terms = terms_of(query)
        all_texts = {p.id: (f" {fold(p.text)} ", f" {fold(p.before)} ") for p in self._everything(kind)}
        texts = {name: tuple(" ".join(text.split()).join("  ") for text in pair) for name, pair in all_texts.items()}
        hits: list[WordHit] = []
        for passage in await self._recallable(kind, scope):
            score = shared = 0.0
            for term in terms:
                holders = sum(any(f" {term} " in text for text in pair) for pair in texts.values())
                weights = [
                    weight for weight, text in zip((1, 0.5), texts[passage.id], strict=True) if f" {term} " in text
                ]
                score += sum(weights) * math.log(1 + len(texts) / holders) if weights else 0
                shared += bool(weights)
            if score:
                hits.append(WordHit(passage.id, score, shared / len(terms)))
        return sorted(hits, key=lambda hit: -hit.bm25)[: max(0, limit)]

    async def passages(self, kind: PassageKind, ids: Sequence[str], scope: RecallScope) -> dict[str, Passage]:
        return {passage.id: passage for passage in await self._recallable(kind, scope) if passage.id in ids}

    async def vectors(self, kind: PassageKind, ids: Sequence[str], embedder_id: str) -> dict[str, Vector]:
        held = self._held(embedder_id)
        return {one: held[key_of(kind, one)][1] for one in ids if key_of(kind, one) in held}

    async def without_vector(self, embedder_id: str, limit: int) -> list[Passage]:
        held = self._held(embedder_id)
        everywhere = [p for kind in (PassageKind.FACT, PassageKind.MESSAGE) for p in self._waiting(kind)]
        return [p for p in everywhere if key_of(p.kind, p.id) not in held][: max(0, limit)]

    async def put_vectors(
        self, embedder_id: str, vectors: Sequence[tuple[Passage, Vector]], *, is_asked: bool = True
    ) -> None:
        held = self._held(embedder_id)
        now = {key_of(p.kind, p.id): p for kind in PassageKind for p in self._everything(kind)}
        for passage, vector in vectors:
            key = key_of(passage.kind, passage.id)
            if key in now and (now[key].text, now[key].before) == (passage.text, passage.before):
                held[key] = (passage, vector)
                if is_asked:
                    self._note(key, erases=False)

    async def progress(self, embedder_id: str) -> tuple[int, int]:
        done, missing = len(self._held(embedder_id)), await self.without_vector(embedder_id, 10**9)
        return done, done + len(missing)

    async def vector_keys(self, embedder_id: str) -> frozenset[str]:
        return frozenset(self._held(embedder_id))

    async def all_vectors(self, embedder_id: str, after: str, limit: int) -> list[tuple[str, Vector]]:
        held = self._held(embedder_id)
        return [(key, held[key][1]) for key in sorted(held) if key > after][: max(0, limit)]

    async def vector_changes(self, embedder_id: str, limit: int) -> list[VectorChange]:
        held = self._held(embedder_id)
        oldest = sorted(self._changes.items(), key=lambda one: one[1])
        return [
            VectorChange(key, number, held[key][1] if key in held else None, erases)
            for key, (number, erases) in oldest[: max(0, limit)]
        ]

    async def settle(self, changes: Sequence[VectorChange]) -> None:
        for change in changes:
            if self._changes.get(change.key, (0, False))[0] == change.number:
                del self._changes[change.key]

    async def keep_vectors_of(self, embedder_id: str) -> None:
        self._vectors = {embedder_id: self._held(embedder_id)}

    async def catch_up(self) -> None:
        """Everything is found at once."""

    async def count(self, kind: PassageKind) -> int:
        return len(self._everything(kind))

    # -- inside ---------------------------------------------------------------------------------------------------

    def _everything(self, kind: PassageKind) -> list[Passage]:
        self._follow_threads()
        if kind is PassageKind.DOCUMENT:
            return []  # documents are kept by SQLite alone
        if kind is PassageKind.FACT:
            return [_of_item(item) for item in self._items.values()]
        messages = self._threads._messages
        found: list[Passage] = []
        for message in messages.values():
            if message.status is not MessageStatus.STREAMING and message.text.strip():
                parent = messages.get(message.parent_id or "")
                found.append(
                    Passage(
                        kind=kind,
                        id=message.id,
                        text=message.text,
                        at=message.created_at,
                        thread_id=message.thread_id,
                        speaker=message.role,
                        before=ending(parent.text) if parent else "",
                    )
                )
        return found

    def _waiting(self, kind: PassageKind) -> list[Passage]:
        found = [p for p in reversed(self._everything(kind)) if kind is PassageKind.FACT or not self._in_trash(p)]
        return [p for p in found if kind is PassageKind.MESSAGE or self._items[p.id].status is MemoryStatus.ACTIVE]

    def _in_trash(self, passage: Passage) -> bool:
        thread = self._threads._threads[passage.thread_id]
        return thread.deleted_at is not None or thread.options.is_temporary

    def _assistant_of(self, thread_id: str | None) -> str:
        thread = self._threads._threads.get(thread_id or "")
        return thread.options.assistant.id if thread is not None and thread.options.assistant is not None else ""

    async def _recallable(self, kind: PassageKind, scope: RecallScope) -> list[Passage]:
        found: list[Passage] = []
        for passage in self._waiting(kind):
            if kind is PassageKind.FACT:
                item = self._items[passage.id]
                places = {item.only_thread_id, item.source.thread_id if item.source else None} - {None}
                counts = item.only_thread_id in (None, scope.thread_id)
                here = scope.thread_id in places
                owner = item.only_thread_id or (item.source.thread_id if item.source else None)
            else:
                is_asked = scope.asked and passage.thread_id == scope.thread_id
                path = await self._threads.path(passage.thread_id, until=scope.asked if is_asked else None)
                on_path = {message.id for message in path}
                counts = (scope.beside_path or passage.id in on_path) and passage.id not in scope.sent
                here = passage.thread_id == scope.thread_id
                owner = passage.thread_id
            of_assistant = not scope.only_assistant or self._assistant_of(owner) == scope.only_assistant
            if counts and of_assistant and (here or not scope.only_this_thread):
                found.append(passage)
        return found

    def _held(self, embedder_id: str) -> dict[str, tuple[Passage, Vector]]:
        """The vectors, without those of texts that changed or went."""
        now = {key_of(p.kind, p.id): p for kind in PassageKind for p in self._everything(kind)}
        for vectors in self._vectors.values():
            for key, (passage, _) in list(vectors.items()):
                if key not in now or (now[key].text, now[key].before) != (passage.text, passage.before):
                    del vectors[key]
                    is_fact = kind_of(key) is PassageKind.FACT
                    self._note(key, erases=is_fact or passage.id not in self._threads._messages)
        return self._vectors.setdefault(embedder_id, {})

    def _note(self, key: str, *, erases: bool) -> None:
        self._number += 1
        self._changes[key] = (self._number, erases or self._changes.get(key, (0, False))[1])

    def _follow_threads(self) -> None:
        """What was purged takes along what counted in it alone, and the words that were quoted from it."""
        threads = self._threads._threads
        for item in list(self._items.values()):
            if item.only_thread_id is not None and item.only_thread_id not in threads:
                del self._items[item.id]
            elif item.source is not None and item.source.thread_id not in threads and item.source.quote:
                source = dataclasses.replace(item.source, quote="")
                self._items[item.id] = dataclasses.replace(item, source=source)


def _of_item(item: MemoryItem) -> Passage:
    thread_id = (item.source.thread_id if item.source else None) or item.only_thread_id or ""
    return Passage(kind=PassageKind.FACT, id=item.id, text=item.text, at=item.observed_at, thread_id=thread_id)


def _plain(text: str) -> str:
    return " ".join(fold(text).split())
