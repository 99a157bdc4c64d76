"""How far the chats were read for facts, in SQLite: what was found and that it was read are on disk together, or neither."""

import sqlite3
from collections.abc import Sequence
from dataclasses import replace

from desktop.core.clock import Clock, utc_now
from desktop.memory.candidates import Said
from desktop.memory.entities import MemoryItem, MemoryStatus
from desktop.memory.ports import Found, Readings, ReadingTook
from desktop.storage import memory_items, message_tree, recall_index
from desktop.storage.database import Database
from desktop.storage.rows import clean, from_microseconds, next_number, storable_count, to_microseconds

_READ = "coalesce((SELECT until_seq FROM readings AS r WHERE r.thread_seq = t.seq), 0)"
_LIVES = "t.deleted_at IS NULL AND t.is_purging = 0 AND t.is_temporary = 0"
_RUNS = "EXISTS (SELECT 1 FROM messages AS a WHERE a.parent_seq = m.seq AND a.status = 'streaming')"


class SqliteReadings(Readings):
    """See ``memory.ports.Readings``."""

    def __init__(self, database: Database, *, clock: Clock = utc_now) -> None:
        self._database = database
        self._clock = clock

    async def unread_threads(self) -> tuple[str, ...]:
        query = (
            f"SELECT t.id FROM threads AS t WHERE {_LIVES} AND EXISTS (SELECT 1 FROM messages AS m"
            f" WHERE m.thread_seq = t.seq AND m.role = 'user' AND m.deleted_at IS NULL AND m.seq > {_READ})"
            " ORDER BY t.change_seq"
        )
        rows = await self._database.read(lambda connection: connection.execute(query).fetchall())
        return tuple(row[0] for row in rows)

    async def unread(self, thread_id: str, limit: int) -> tuple[Said, ...]:
        return await self._database.read(lambda connection: _unread(connection, clean(thread_id), limit))

    async def keep(
        self, thread_id: str, until: str, found: Sequence[Found] = (), *, took: ReadingTook | None = None
    ) -> tuple[MemoryItem, ...]:
        moment = to_microseconds(self._clock())

        def keep(connection: sqlite3.Connection) -> tuple[MemoryItem, ...]:
            thread = connection.execute(
                f"SELECT t.seq FROM threads AS t WHERE t.id = ? AND {_LIVES}", (clean(thread_id),)
            ).fetchone()
            if thread is None:
                return ()  # it went meanwhile, and what was said in it with it
            if took is not None:
                _note_cost(connection, thread[0], took, moment)
            if not _read_until(connection, thread[0], clean(until)):
                return ()
            return tuple(kept for one in found if (kept := _take_in(connection, one)) is not None)

        return await self._database.write(keep, needs_room=bool(found))

    async def skip(self, thread_id: str | None = None) -> None:
        statement = (
            "INSERT OR REPLACE INTO readings (thread_seq, until_seq) SELECT t.seq, max(m.seq) FROM threads AS t"
            " JOIN messages AS m ON m.thread_seq = t.seq WHERE t.id = coalesce(?, t.id) GROUP BY t.seq"
        )
        wanted = None if thread_id is None else clean(thread_id)

        def skip(connection: sqlite3.Connection) -> None:
            connection.execute(statement, (wanted,))

        await self._database.write(skip)


def _unread(connection: sqlite3.Connection, thread_id: str, limit: int) -> tuple[Said, ...]:
    rows = connection.execute(
        f"SELECT m.seq, m.id, m.created_at, {_RUNS} FROM messages AS m JOIN threads AS t ON t.seq = m.thread_seq"
        f" WHERE t.id = ? AND {_LIVES} AND m.role = 'user' AND m.deleted_at IS NULL AND m.seq > {_READ}"
        " ORDER BY m.seq LIMIT ?",
        (thread_id, limit),
    ).fetchall()
    spoken = recall_index.spoken(connection, [row[0] for row in rows])
    shown = message_tree.on_shown_path(connection, [row[0] for row in rows])
    found: list[Said] = []
    for seq, message_id, at, runs in rows:
        if runs:
            break  # it is read with what follows it, in order
        # Of a message with nothing but files there is no text; what was said otherwise by now was not meant so.
        text, _, before = spoken.get(seq, ("", 0, "")) if seq in shown else ("", 0, "")
        found.append(
            Said(message_id=message_id, thread_id=thread_id, text=text, at=from_microseconds(at), before=before)
        )
    return tuple(found)


def _read_until(connection: sqlite3.Connection, thread_seq: int, message_id: str) -> bool:
    """Note how far the thread is read now; False where it was read so far before."""
    moved = connection.execute(
        "INSERT INTO readings (thread_seq, until_seq) SELECT ?, m.seq FROM messages AS m WHERE m.id = ? AND m.thread_seq = ?"
        " ON CONFLICT (thread_seq) DO UPDATE SET until_seq = excluded.until_seq WHERE excluded.until_seq > until_seq",
        (thread_seq, message_id, thread_seq),
    )
    return moved.rowcount > 0


def _take_in(connection: sqlite3.Connection, found: Found) -> MemoryItem | None:
    """Add an item, and close the one whose place it takes; None for what the user once had forgotten."""
    item, source = found.item, found.item.source
    quote, message_id = (source.quote, source.message_id) if source else ("", "")
    if connection.execute("SELECT 1 FROM messages WHERE id = ? AND deleted_at IS NOT NULL", (message_id,)).fetchone():
        return None  # it was removed while it was read
    if memory_items.is_forgotten(
        connection, text=item.text, quote=quote, message_id=message_id, only_there=found.is_asked_for
    ):
        return None
    if item.supersedes_id is not None:
        old = memory_items.get(connection, [item.supersedes_id]).get(item.supersedes_id)
        if old is None:
            item = replace(item, supersedes_id=None)
        elif item.status is MemoryStatus.ACTIVE and old.status is not MemoryStatus.SUPERSEDED:
            memory_items.update(
                connection, replace(old, status=MemoryStatus.SUPERSEDED, valid_to=old.valid_to or item.observed_at)
            )
    memory_items.add(connection, item)
    return item


def _note_cost(connection: sqlite3.Connection, thread_seq: int, took: ReadingTook, moment: int) -> None:
    cost = took.cost
    connection.execute(
        "INSERT INTO reading_costs (seq, thread_seq, created_at, model, input_tokens, output_tokens, cost, currency)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            next_number(connection),
            thread_seq,
            moment,
            clean(took.model),
            storable_count(took.usage.input_tokens),
            storable_count(took.usage.output_tokens),
            None if cost is None else cost.amount,
            None if cost is None else clean(cost.currency),
        ),
    )
