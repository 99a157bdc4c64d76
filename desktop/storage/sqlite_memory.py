"""Remembered items in SQLite: the ``MemoryRepository`` of the app."""

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from desktop.core.clock import Clock, utc_now
from desktop.core.receipt import Receipt
from desktop.memory.entities import MemoryItem, MemoryKind, MemoryStatus
from desktop.memory.ports import MemoryRepository
from desktop.storage import memory_items, purge
from desktop.storage.database import Database
from desktop.storage.rows import clean, placeholders, to_microseconds, want_wipe
from desktop.storage.search_text import SearchQuery

_AT_ONCE = 200

T = TypeVar("T")


class SqliteMemoryRepository(MemoryRepository):
    """See ``memory.ports.MemoryRepository``."""

    def __init__(self, database: Database, *, clock: Clock = utc_now) -> None:
        self._database = database
        self._clock = clock

    async def add(self, *items: MemoryItem, changed: Sequence[MemoryItem] = ()) -> None:
        def add(connection: sqlite3.Connection) -> None:
            memory_items.add(connection, *items)
            if changed:
                memory_items.update(connection, *changed)

        await self._database.write(add, needs_room=True)

    async def get_all(self, item_ids: Sequence[str]) -> dict[str, MemoryItem]:
        return await self._database.read(lambda connection: memory_items.get(connection, item_ids))

    async def update(self, *items: MemoryItem) -> None:
        await self._database.write(lambda connection: memory_items.update(connection, *items), needs_room=True)

    async def search(
        self,
        text: str = "",
        *,
        statuses: Sequence[MemoryStatus] = (MemoryStatus.ACTIVE,),
        kinds: Sequence[MemoryKind] = (),
        limit: int = 200,
        offset: int = 0,
    ) -> tuple[MemoryItem, ...]:
        kinds = kinds or tuple(MemoryKind)
        wanted = SearchQuery.parse(clean(text))
        query = (
            f"SELECT {memory_items.COLUMNS} FROM memory_items WHERE status IN ({placeholders(statuses)})"
            f" AND kind IN ({placeholders(kinds)})"
            " ORDER BY is_pinned DESC, seq DESC"
        )
        skipped, most = max(0, offset), max(0, limit)

        def search(connection: sqlite3.Connection) -> tuple[MemoryItem, ...]:
            rows = connection.execute(query, [word.value for word in (*statuses, *kinds)])
            found: list[MemoryItem] = []
            for place, row in enumerate(row for row in rows if not wanted.phrases or wanted.matches(row[1])):
                if len(found) == most:
                    break
                if place >= skipped:
                    found.append(memory_items.to_item(row))
            return tuple(found)

        return await self._database.read(search)

    async def forget(self, item_ids: Sequence[str], *, changed: Sequence[MemoryItem] = ()) -> Receipt:
        receipt = Receipt()
        for some in _pieces([clean(item_id) for item_id in item_ids]):
            receipt += await self._database.write(lambda connection, some=some: _forget(connection, some, changed))
        return replace(receipt, waits=not await purge.finish(self._database))

    async def of_messages(self, message_ids: Sequence[str]) -> tuple[MemoryItem, ...]:
        found: list[MemoryItem] = []
        for some in _pieces([clean(message_id) for message_id in dict.fromkeys(message_ids)]):
            query = (
                f"SELECT {memory_items.COLUMNS} FROM memory_items WHERE source_message_id IN ({placeholders(some)})"
                " ORDER BY seq"
            )
            rows = await self._database.read(
                lambda connection, query=query, some=some: connection.execute(query, some).fetchall()
            )
            found.extend(memory_items.to_item(row) for row in rows)
        return tuple(found)

    async def from_threads(self, thread_ids: Sequence[str]) -> tuple[MemoryItem, ...]:
        wanted = list(dict.fromkeys(clean(thread_id) for thread_id in thread_ids))
        found: list[MemoryItem] = []
        for some in _pieces(wanted):
            chosen = placeholders(some)
            query = (
                f"SELECT {memory_items.COLUMNS} FROM memory_items WHERE source_thread_id IN ({chosen})"
                f" UNION SELECT {memory_items.COLUMNS} FROM memory_items WHERE only_thread_id IN ({chosen})"
            )
            rows = await self._database.read(
                lambda connection, query=query, some=some: connection.execute(query, (*some, *some)).fetchall()
            )
            found.extend(memory_items.to_item(row) for row in rows)
        return tuple({item.id: item for item in found}.values())

    async def forgotten(self, items: Sequence[MemoryItem]) -> frozenset[str]:
        found: set[str] = set()
        for some in _pieces(items):
            found |= await self._database.read(lambda connection, some=some: _forgotten(connection, some))
        return frozenset(found)

    async def note_use(self, item_ids: Sequence[str]) -> None:
        time = to_microseconds(self._clock())
        values = [(time, clean(item_id)) for item_id in dict.fromkeys(item_ids)]
        statement = "UPDATE memory_items SET used_count = used_count + 1, last_used_at = ? WHERE id = ?"

        def note(connection: sqlite3.Connection) -> None:
            connection.executemany(statement, values)

        await self._database.write(note)


def _forget(connection: sqlite3.Connection, item_ids: Sequence[str], changed: Sequence[MemoryItem]) -> Receipt:
    receipt = memory_items.forget(connection, item_ids)
    if receipt.items:
        want_wipe(connection)
    if changed:
        memory_items.update(connection, *changed)
    return receipt


def _forgotten(connection: sqlite3.Connection, items: Sequence[MemoryItem]) -> set[str]:
    return {
        item.id
        for item in items
        if memory_items.is_forgotten(
            connection,
            text=item.text,
            quote=item.source.quote if item.source else "",
            message_id=item.source.message_id if item.source else "",
        )
    }


def _pieces(values: Sequence[T]) -> Iterator[Sequence[T]]:
    for start in range(0, len(values), _AT_ONCE):
        yield values[start : start + _AT_ONCE]
