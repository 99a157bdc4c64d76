"""The accepted definitions of tools in SQLite."""

import sqlite3
from collections.abc import Sequence

from desktop.storage.database import Database
from desktop.storage.rows import clean, from_microseconds, to_microseconds
from desktop.tools.pinned import Pin
from desktop.tools.ports import PinRepository


class SqlitePinRepository(PinRepository):
    """See ``tools.ports.PinRepository``. They outlive the entry of their server: one that comes back is still known."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, server_id: str, identity: str) -> Sequence[Pin]:
        query = "SELECT name, definition, kept_off, pinned_at FROM tool_pins WHERE server_id = ? AND identity = ?"
        values = (clean(server_id), identity)
        rows = await self._database.read(lambda connection: connection.execute(query, values).fetchall())
        return tuple(
            Pin(name=name, definition=definition, kept_off=kept_off, pinned_at=from_microseconds(pinned_at))
            for name, definition, kept_off, pinned_at in rows
        )

    async def keep(self, server_id: str, identity: str, pins: Sequence[Pin]) -> None:
        rows = [
            (
                clean(server_id),
                identity,
                clean(pin.name),
                clean(pin.definition),
                clean(pin.kept_off),
                to_microseconds(pin.pinned_at),
            )
            for pin in pins
        ]
        statement = (
            "INSERT OR REPLACE INTO tool_pins (server_id, identity, name, definition, kept_off, pinned_at)"
            " VALUES (?, ?, ?, ?, ?, ?)"
        )

        def keep(connection: sqlite3.Connection) -> None:
            connection.executemany(statement, rows)

        await self._database.write(keep)
