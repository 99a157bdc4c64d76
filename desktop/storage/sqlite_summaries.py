"""Summaries of chats in SQLite: the ``SummaryRepository`` of the app."""

import sqlite3
from collections.abc import Mapping

from desktop.conversation.summaries import Summary, SummaryProblem, SummaryRepository, SummaryState
from desktop.storage import memory_items, summary_rows
from desktop.storage.database import Database
from desktop.storage.rows import clean


class SqliteSummaryRepository(SummaryRepository):
    """See ``conversation.summaries.SummaryRepository``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def on_path(self, thread_id: str, *, until: str | None = None) -> SummaryState:
        key, end = clean(thread_id), None if until is None else clean(until)
        return await self._database.read(lambda connection: summary_rows.on_path(connection, key, end))

    async def put(self, summary: Summary, as_of: SummaryState) -> bool:
        return await self._database.write(
            lambda connection: summary_rows.put(connection, summary, as_of), needs_room=True
        )

    async def set_off(self, thread_id: str, is_off: bool) -> None:
        await self._change(thread_id, "is_off = ?", is_off)

    async def note_problem(self, thread_id: str, problem: SummaryProblem | None, turns_to_wait: int = 0) -> None:
        attempts = "0" if problem is None else "attempts + 1"
        value = None if problem is None else problem.value
        await self._change(thread_id, f"problem = ?, turns_to_wait = ?, attempts = {attempts}", value, turns_to_wait)

    async def wait_a_turn(self, thread_id: str) -> None:
        await self._change(thread_id, "turns_to_wait = max(turns_to_wait - 1, 0)")

    async def without_forgotten(self, texts: Mapping[str, str]) -> dict[str, str]:
        given = dict(texts)

        def read(connection: sqlite3.Connection) -> dict[str, str]:
            if connection.execute("SELECT 1 FROM forgotten LIMIT 1").fetchone() is None:
                return given
            return {
                key: memory_items.without_forgotten(connection, text, message_id=key) for key, text in given.items()
            }

        return await self._database.read(read)

    async def _change(self, thread_id: str, assignment: str, *values: object) -> None:
        key = clean(thread_id)
        await self._database.write(lambda connection: summary_rows.change_state(connection, key, assignment, values))
