"""The library of assistants in SQLite."""

import json
import logging
import sqlite3
from collections.abc import Sequence
from dataclasses import replace

from desktop.conversation.assistants.as_json import from_json, to_json
from desktop.conversation.assistants.entities import Assistant
from desktop.conversation.assistants.library import name_key
from desktop.conversation.assistants.ports import AssistantStore
from desktop.storage import purge
from desktop.storage.database import Database
from desktop.storage.rows import clean, from_microseconds, to_microseconds, want_wipe

logger = logging.getLogger(__name__)

_COLUMNS = "id, name_key, body, created_at, updated_at"


class SqliteAssistantStore(AssistantStore):
    """See ``conversation.assistants.ports.AssistantStore``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def all(self) -> tuple[Assistant, ...]:
        query = "SELECT body, created_at, updated_at FROM assistants ORDER BY place, seq"
        rows = await self._database.read(lambda connection: connection.execute(query).fetchall())
        return tuple(found for row in rows if (found := _of_library(*row)) is not None)

    async def add(self, assistants: Sequence[Assistant]) -> tuple[Assistant, ...]:
        def add(connection: sqlite3.Connection) -> tuple[Assistant, ...]:
            (place,) = connection.execute("SELECT coalesce(max(place), 0) FROM assistants").fetchone()
            added: list[Assistant] = []
            for number, one in enumerate(assistants, start=1):
                cursor = connection.execute(
                    f"INSERT OR IGNORE INTO assistants (place, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)",
                    (place + number, *_row(one)),
                )
                if cursor.rowcount:
                    added.append(one)
            return tuple(added)

        return await self._database.write(add, needs_room=True)

    async def change(self, assistant: Assistant) -> bool:
        def change(connection: sqlite3.Connection) -> bool:
            assistant_id, key, body, _, updated_at = _row(assistant)
            cursor = connection.execute(
                "UPDATE OR IGNORE assistants SET name_key = ?, body = ?, updated_at = ? WHERE id = ?",
                (key, body, updated_at, assistant_id),
            )
            if not cursor.rowcount:
                return False
            for table in ("threads", "new_thread"):
                connection.execute(f"UPDATE {table} SET assistant = ? WHERE assistant_id = ?", (body, assistant_id))
            want_wipe(connection)
            return True

        return await self._database.write(change)

    async def remove(self, assistant_ids: Sequence[str]) -> None:
        def remove(connection: sqlite3.Connection) -> None:
            cursor = connection.executemany("DELETE FROM assistants WHERE id = ?", [(one,) for one in assistant_ids])
            if cursor.rowcount > 0:
                want_wipe(connection)

        await self._database.write(remove)

    async def set_order(self, assistant_ids: Sequence[str]) -> None:
        def set_order(connection: sqlite3.Connection) -> None:
            there = [row[0] for row in connection.execute("SELECT id FROM assistants ORDER BY place, seq")]
            wanted = {each: place for place, each in enumerate(dict.fromkeys(assistant_ids))}
            ordered = sorted(there, key=lambda each: wanted.get(each, len(wanted)))
            connection.executemany("UPDATE assistants SET place = ? WHERE id = ?", list(enumerate(ordered, start=1)))

        await self._database.write(set_order)

    async def chats_with(self, assistant_id: str) -> int:
        query = (
            "SELECT count(*) FROM threads WHERE assistant_id = ? AND deleted_at IS NULL AND is_purging = 0"
            " AND is_temporary = 0"
        )
        return await self._database.read(lambda connection: connection.execute(query, (assistant_id,)).fetchone()[0])

    async def erase(self) -> bool:
        return await purge.finish(self._database)


def to_text(assistant: Assistant) -> str:
    """Return the assistant as a column holds it."""
    return clean(json.dumps(to_json(assistant), ensure_ascii=False, separators=(",", ":")))


def from_text(text: str) -> Assistant | None:
    """Return the assistant of a column; whatever this program did not write is none."""
    try:
        return from_json(json.loads(text))
    except (ValueError, RecursionError):
        logger.warning("an assistant in the database cannot be read")
        return None


def _of_library(body: str, created_at: int, updated_at: int) -> Assistant | None:
    found = from_text(body)
    times = {"created_at": from_microseconds(created_at), "updated_at": from_microseconds(updated_at)}
    return None if found is None else replace(found, **times)


def _row(assistant: Assistant) -> tuple[str, str, str, int, int]:
    return (
        clean(assistant.id),
        clean(name_key(assistant.name)),
        to_text(assistant),
        to_microseconds(assistant.created_at),
        to_microseconds(assistant.updated_at),
    )
