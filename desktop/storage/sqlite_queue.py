"""Messages that wait, and where each chat is read, in SQLite."""

import sqlite3
from collections.abc import Sequence

from desktop.conversation.entities import AttachmentPart
from desktop.conversation.queued import QueuedMessage, ReadingPlace
from desktop.storage import attachments, messages, turns
from desktop.storage.database import Database
from desktop.storage.rows import clean, decode_part, encode_part, next_number

_IS_TEMPORARY = "SELECT is_temporary FROM threads WHERE seq = ?"
_WAITING = """SELECT q.seq, q.id, q.text FROM queued_messages AS q JOIN threads AS t ON t.seq = q.thread_seq
    WHERE t.id = ? AND t.is_purging = 0 AND q.is_removed = 0 ORDER BY q.position, q.seq"""


class SqliteQueue:
    """See ``conversation.queued.QueueStore``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, message: QueuedMessage, *, ends_draft: bool = True) -> None:
        thread_id = clean(message.thread_id)

        def add(connection: sqlite3.Connection) -> None:
            thread_seq = messages.require_thread(connection, thread_id)
            attachments.claim(connection, message.attachments, thread_seq)
            if ends_draft:
                turns.forget_drafts(connection, thread_id, of_new_thread=False)
            if connection.execute(_IS_TEMPORARY, (thread_seq,)).fetchone()[0]:
                return
            (position,) = connection.execute(
                "SELECT coalesce(max(position), 0) + 1 FROM queued_messages WHERE thread_seq = ?", (thread_seq,)
            ).fetchone()
            seq = next_number(connection)
            connection.execute(
                "INSERT INTO queued_messages (seq, id, thread_seq, position, text) VALUES (?, ?, ?, ?, ?)",
                (seq, message.id, thread_seq, position, clean(message.text)),
            )
            connection.executemany(
                "INSERT INTO queued_attachments (queued_seq, position, attachment_id, text, payload)"
                " VALUES (?, ?, ?, ?, ?)",
                [
                    (seq, place, part.attachment_id, *encode_part(part)[2:])
                    for place, part in enumerate(message.attachments)
                ],
            )

        await self._database.write(add, needs_room=True)

    async def of_thread(self, thread_id: str) -> tuple[QueuedMessage, ...]:
        key = clean(thread_id)

        def read(connection: sqlite3.Connection) -> tuple[QueuedMessage, ...]:
            rows = connection.execute(_WAITING, (key,)).fetchall()
            return tuple(
                QueuedMessage(id=message_id, thread_id=thread_id, text=text, attachments=_files(connection, seq))
                for seq, message_id, text in rows
            )

        return await self._database.read(read)

    async def change(self, message_id: str, text: str) -> None:
        statement = "UPDATE queued_messages SET text = ? WHERE id = ?"
        await self._database.write(lambda c: c.execute(statement, (clean(text), message_id)), needs_room=True)

    async def arrange(self, thread_id: str, message_ids: Sequence[str]) -> None:
        key, wanted = clean(thread_id), {message_id: place for place, message_id in enumerate(message_ids)}

        def arrange(connection: sqlite3.Connection) -> None:
            rows = connection.execute(
                "SELECT q.seq, q.id FROM queued_messages AS q JOIN threads AS t ON t.seq = q.thread_seq"
                " WHERE t.id = ? ORDER BY q.position, q.seq",
                (key,),
            ).fetchall()
            order = sorted(rows, key=lambda row: wanted.get(row[1], len(wanted)))
            connection.executemany(
                "UPDATE queued_messages SET position = ? WHERE seq = ?",
                [(place, seq) for place, (seq, _) in enumerate(order, start=1)],
            )

        await self._database.write(arrange)

    async def remove(self, message_ids: Sequence[str]) -> None:
        await self._mark(message_ids, is_removed=True)

    async def put_back(self, message_ids: Sequence[str]) -> None:
        await self._mark(message_ids, is_removed=False)

    async def _mark(self, message_ids: Sequence[str], *, is_removed: bool) -> None:
        rows = [(is_removed, message_id) for message_id in message_ids]
        statement = "UPDATE queued_messages SET is_removed = ? WHERE id = ?"
        await self._database.write(lambda c: c.executemany(statement, rows))

    async def forget_removed(self, message_ids: Sequence[str] | None = None) -> int:
        def find(connection: sqlite3.Connection) -> list[int]:
            rows = connection.execute("SELECT seq, id FROM queued_messages WHERE is_removed = 1").fetchall()
            return [seq for seq, message_id in rows if message_ids is None or message_id in message_ids]

        def forget(connection: sqlite3.Connection) -> int:
            gone = [(seq,) for seq in find(connection)]
            connection.executemany(
                "UPDATE attachments SET is_gone = 1 WHERE id IN"
                " (SELECT attachment_id FROM queued_attachments WHERE queued_seq = ?)",
                gone,
            )
            connection.executemany("DELETE FROM queued_messages WHERE seq = ?", gone)
            return len(gone)

        if not await self._database.read(find):
            return 0
        count = await self._database.write(forget)
        await attachments.remove_gone(self._database)
        return count


class SqliteReadingPlaces:
    """See ``conversation.queued.ReadingPlaces``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def save(self, thread_id: str, place: ReadingPlace | None) -> None:
        key = clean(thread_id)

        def save(connection: sqlite3.Connection) -> None:
            if place is None:
                connection.execute(
                    "DELETE FROM reading_places WHERE thread_seq = (SELECT seq FROM threads WHERE id = ?)", (key,)
                )
                return
            connection.execute(
                "INSERT OR REPLACE INTO reading_places (thread_seq, message_id, block, y) SELECT seq, ?2, ?3, ?4"
                " FROM threads WHERE id = ?1 AND is_purging = 0 AND is_temporary = 0",
                (key, place.message_id, place.block, place.y),
            )

        await self._database.write(save)

    async def load(self, thread_id: str) -> ReadingPlace | None:
        def load(connection: sqlite3.Connection) -> ReadingPlace | None:
            row = connection.execute(
                "SELECT p.message_id, p.block, p.y FROM reading_places AS p JOIN threads AS t ON t.seq = p.thread_seq"
                " WHERE t.id = ?",
                (clean(thread_id),),
            ).fetchone()
            return None if row is None else ReadingPlace(*row)

        return await self._database.read(load)


def leave(connection: sqlite3.Connection, message_id: str) -> None:
    """Inside ``begin_turn``: the message is sent, and waits no more."""
    connection.execute("DELETE FROM queued_messages WHERE id = ?", (message_id,))


def forget_thread(connection: sqlite3.Connection, thread_seq: int) -> None:
    """Let all that waits in a thread go, and where it was read; its files go as the thread's do."""
    connection.execute("DELETE FROM queued_messages WHERE thread_seq = ?", (thread_seq,))
    connection.execute("DELETE FROM reading_places WHERE thread_seq = ?", (thread_seq,))


def _files(connection: sqlite3.Connection, seq: int) -> tuple[AttachmentPart, ...]:
    rows = connection.execute(
        "SELECT text, payload FROM queued_attachments WHERE queued_seq = ? ORDER BY position", (seq,)
    ).fetchall()
    parts = (decode_part((0, "attachment", text, payload)) for text, payload in rows)
    return tuple(part for part in parts if isinstance(part, AttachmentPart))
