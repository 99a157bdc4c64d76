"""What of chats was put into shared sessions, in SQLite: the ``SessionLedger`` of the app."""

import sqlite3
from collections.abc import Sequence

from desktop.memory.sessions import OwedClear, SessionLedger
from desktop.storage.database import Database
from desktop.storage.rows import clean

_MOST_UNSENT = 40
_MOST_NOTED = 60
"""More than are read of a session at once."""


class SqliteSessionLedger(SessionLedger):
    """See ``memory.sessions.SessionLedger``. The note that a session is to be cleared is made by a trigger."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def note(self, message_ids: Sequence[str], place: str, session: str) -> None:
        def note(connection: sqlite3.Connection) -> None:
            connection.executemany(
                "INSERT OR IGNORE INTO session_entries (message_seq, place, session)"
                " SELECT seq, ?, ? FROM messages WHERE id = ? AND deleted_at IS NULL",
                [(place, clean(session), clean(message_id)) for message_id in message_ids],
            )

        await self._database.write(note)

    async def unsent(self, place: str, session: str) -> Sequence[str]:
        def read(connection: sqlite3.Connection) -> list[str]:
            rows = connection.execute(
                "SELECT m.id FROM session_entries AS e JOIN messages AS m ON m.seq = e.message_seq"
                " WHERE e.place = ? AND e.session = ? AND e.is_sent = 0 ORDER BY e.message_seq DESC LIMIT ?",
                (place, clean(session), _MOST_UNSENT),
            ).fetchall()
            return [message_id for (message_id,) in reversed(rows)]

        return await self._database.read(read)

    async def noted(self, thread_id: str, place: str, session: str) -> Sequence[str]:
        def read(connection: sqlite3.Connection) -> list[str]:
            rows = connection.execute(
                "SELECT m.id FROM session_entries AS e JOIN messages AS m ON m.seq = e.message_seq"
                " JOIN threads AS t ON t.seq = m.thread_seq"
                " WHERE t.id = ? AND e.place = ? AND e.session = ? ORDER BY m.seq DESC LIMIT ?",
                (clean(thread_id), place, clean(session), _MOST_NOTED),
            ).fetchall()
            return [message_id for (message_id,) in rows]

        return await self._database.read(read)

    async def owe_all(self, place: str) -> None:
        await self._database.write(
            lambda connection: connection.execute(
                "INSERT OR IGNORE INTO session_clears (place, session, since)"
                " SELECT DISTINCT place, session, CAST(strftime('%s', 'now') AS INTEGER) FROM session_entries"
                " WHERE place = ?",
                (place,),
            )
        )

    async def sent(self, message_id: str, place: str, session: str) -> None:
        await self._database.write(
            lambda connection: connection.execute(
                "UPDATE session_entries SET is_sent = 1 WHERE place = ? AND session = ?"
                " AND message_seq = (SELECT seq FROM messages WHERE id = ?)",
                (place, clean(session), clean(message_id)),
            )
        )

    async def owed(self) -> Sequence[OwedClear]:
        def read(connection: sqlite3.Connection) -> list[OwedClear]:
            rows = connection.execute("SELECT place, session, since FROM session_clears ORDER BY since").fetchall()
            return [OwedClear(*row) for row in rows]

        return await self._database.read(read)

    async def cleared(self, place: str, session: str) -> None:
        await self._database.write(
            lambda connection: connection.execute(
                "DELETE FROM session_clears WHERE place = ? AND session = ?", (place, clean(session))
            )
        )
