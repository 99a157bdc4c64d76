"""The library of prompts in SQLite."""

import sqlite3
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from desktop.conversation.prompts.entities import SavedPrompt
from desktop.conversation.prompts.ports import PromptRepository
from desktop.storage import purge
from desktop.storage.database import Database
from desktop.storage.rows import clean, from_microseconds, optional_time, to_microseconds, want_wipe

_COLUMNS = "id, name, description, body, created_at, updated_at, used_count, last_used_at"


class SqlitePromptRepository(PromptRepository):
    """See ``conversation.prompts.ports.PromptRepository``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def all(self) -> tuple[SavedPrompt, ...]:
        query = f"SELECT {_COLUMNS} FROM prompts ORDER BY place, seq"
        rows = await self._database.read(lambda connection: connection.execute(query).fetchall())
        return tuple(map(_to_prompt, rows))

    async def add(self, prompts: Sequence[SavedPrompt]) -> None:
        def add(connection: sqlite3.Connection) -> None:
            place = connection.execute("SELECT coalesce(max(place), 0) FROM prompts").fetchone()[0]
            connection.executemany(
                f"INSERT OR IGNORE INTO prompts (place, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [(place + number, *_to_row(prompt)) for number, prompt in enumerate(prompts, start=1)],
            )

        await self._database.write(add, needs_room=True)

    async def change(self, prompt: SavedPrompt) -> bool:
        def change(connection: sqlite3.Connection) -> bool:
            cursor = connection.execute(
                "UPDATE prompts SET name = ?, description = ?, body = ?, updated_at = ? WHERE id = ?",
                (
                    clean(prompt.name),
                    clean(prompt.description),
                    clean(prompt.text),
                    to_microseconds(prompt.updated_at),
                    prompt.id,
                ),
            )
            if cursor.rowcount:
                want_wipe(connection)
            return bool(cursor.rowcount)

        return await self._database.write(change)

    async def remove(self, prompt_ids: Sequence[str]) -> None:
        def remove(connection: sqlite3.Connection) -> None:
            cursor = connection.executemany("DELETE FROM prompts WHERE id = ?", [(one,) for one in prompt_ids])
            if cursor.rowcount > 0:
                want_wipe(connection)

        await self._database.write(remove)

    async def set_order(self, prompt_ids: Sequence[str]) -> None:
        def set_order(connection: sqlite3.Connection) -> None:
            there = [row[0] for row in connection.execute("SELECT id FROM prompts ORDER BY place, seq")]
            wanted = {prompt_id: place for place, prompt_id in enumerate(dict.fromkeys(prompt_ids))}
            ordered = sorted(there, key=lambda prompt_id: wanted.get(prompt_id, len(wanted)))
            connection.executemany("UPDATE prompts SET place = ? WHERE id = ?", list(enumerate(ordered, start=1)))

        await self._database.write(set_order)

    async def note_use(self, prompt_id: str, moment: datetime) -> None:
        statement = "UPDATE prompts SET used_count = used_count + 1, last_used_at = ? WHERE id = ?"
        values = (to_microseconds(moment), prompt_id)
        await self._database.write(lambda connection: connection.execute(statement, values))

    async def erase(self) -> bool:
        return await purge.finish(self._database)


def _to_row(prompt: SavedPrompt) -> tuple[Any, ...]:
    return (
        clean(prompt.id),
        clean(prompt.name),
        clean(prompt.description),
        clean(prompt.text),
        to_microseconds(prompt.created_at),
        to_microseconds(prompt.updated_at),
        prompt.used_count,
        None if prompt.last_used_at is None else to_microseconds(prompt.last_used_at),
    )


def _to_prompt(row: Sequence[Any]) -> SavedPrompt:
    prompt_id, name, description, body, created_at, updated_at, used_count, last_used_at = row
    return SavedPrompt(
        id=prompt_id,
        name=name,
        text=body,
        description=description,
        created_at=from_microseconds(created_at),
        updated_at=from_microseconds(updated_at),
        used_count=used_count,
        last_used_at=optional_time(last_used_at),
    )
