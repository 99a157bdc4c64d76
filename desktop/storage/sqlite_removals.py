"""Messages and tool results that are removed by themselves, in SQLite: the ``RemovalStore`` of the app."""

import sqlite3
from collections.abc import Sequence

from desktop.conversation.entities import ToolResultPart
from desktop.conversation.inner_run import InnerRunPart
from desktop.conversation.removals import REMOVED_RESULT, RemovalStore, Removed
from desktop.core.clock import Clock, utc_now
from desktop.core.errors import StorageError, ThreadwellError
from desktop.core.receipt import Receipt
from desktop.storage import erasing, indexes, message_tree
from desktop.storage.database import Database
from desktop.storage.rows import SNIPPET_LENGTH, clean, decode_part, one_line, to_microseconds

_WHOLE = erasing.WHOLE


class SqliteRemovals(RemovalStore):
    """See ``conversation.removals.RemovalStore``.

    The row of a message stays where it stands in the tree, so that nothing that follows it loses its place; what is read
    passes over it.
    """

    def __init__(self, database: Database, *, clock: Clock = utc_now) -> None:
        self._database = database
        self._clock = clock

    async def remove(self, removed: Removed) -> str:
        message_id, call_id, moment = clean(removed.message_id), clean(removed.call_id), self._clock()

        def remove(connection: sqlite3.Connection) -> str:
            row = connection.execute(
                "SELECT t.seq, t.id, m.seq, m.status FROM messages AS m JOIN threads AS t ON t.seq = m.thread_seq"
                " WHERE m.id = ? AND m.deleted_at IS NULL AND t.deleted_at IS NULL AND t.is_purging = 0",
                (message_id,),
            ).fetchone()
            if row is None:
                raise StorageError("storage.thread_missing", thread_id="")
            thread_seq, thread_id, seq, status = row
            if status == "streaming":
                raise ThreadwellError("run.busy")
            if call_id:
                _remove_result(connection, seq, call_id)
            else:
                _remove_message(connection, thread_seq, seq, to_microseconds(moment))
            return thread_id

        return await self._database.write(remove)

    async def take_back(self, removed: Removed) -> str | None:
        message_id, call_id = clean(removed.message_id), clean(removed.call_id)

        def take_back(connection: sqlite3.Connection) -> str | None:
            rows = erasing.pending(connection, [(message_id, call_id)])
            for seq, position, turned_to in rows:
                if position == _WHOLE:
                    _bring_back(connection, seq, turned_to)
                else:
                    indexes.forget_calls(connection, [seq])
            connection.executemany(
                "DELETE FROM removals WHERE message_seq = ? AND position = ?", [row[:2] for row in rows]
            )
            if not rows:
                return None
            return connection.execute(
                "SELECT t.id FROM messages AS m JOIN threads AS t ON t.seq = m.thread_seq WHERE m.seq = ?", rows[0][:1]
            ).fetchone()[0]

        return await self._database.write(take_back)

    async def erase(self, removed: Sequence[Removed] | None = None) -> Receipt:
        wanted = None if removed is None else [(clean(one.message_id), clean(one.call_id)) for one in removed]
        return await erasing.erase(self._database, wanted)


def _remove_message(connection: sqlite3.Connection, thread_seq: int, seq: int, moment: int) -> None:
    words, vectors = _indexed(connection, seq)
    indexes.forget_messages(connection, [seq], erases=True)
    was_end = message_tree.last_shown(connection, thread_seq) == seq
    connection.execute(
        "UPDATE messages SET deleted_at = ?, is_indexed = 2, is_call_indexed = 2, is_recallable = 2 WHERE seq = ?",
        (moment, seq),
    )
    turned_to = _turn_to_one_beside(connection, thread_seq, seq) if was_end else None
    connection.execute(
        "INSERT INTO removals (message_seq, position, turned_to, words, vectors) VALUES (?, ?, ?, ?, ?)",
        (seq, _WHOLE, turned_to, words, vectors),
    )
    _renew_snippet(connection, thread_seq)


def _turn_to_one_beside(connection: sqlite3.Connection, thread_seq: int, seq: int) -> int | None:
    """Where the path ended with a message that has others in its place, the one that was shown last stands there now."""
    beside = connection.execute(
        "SELECT b.seq FROM messages AS m JOIN messages AS b ON b.thread_seq = m.thread_seq"
        " AND b.parent_seq IS m.parent_seq AND b.role = m.role"
        " WHERE m.seq = ? AND b.deleted_at IS NULL ORDER BY coalesce(b.shown_seq, b.seq) DESC, b.seq DESC LIMIT 1",
        (seq,),
    ).fetchone()
    if beside is None:
        return None
    message_tree.show(connection, thread_seq, beside[0])
    return connection.execute("SELECT tip FROM threads WHERE seq = ?", (thread_seq,)).fetchone()[0]


def _bring_back(connection: sqlite3.Connection, seq: int, turned_to: int | None) -> None:
    # What follows it is indexed with its end again.
    indexes.forget_messages(connection, [seq], erases=False)
    connection.execute("UPDATE messages SET deleted_at = NULL WHERE seq = ?", (seq,))
    thread_seq, tip = connection.execute(
        "SELECT t.seq, t.tip FROM messages AS m JOIN threads AS t ON t.seq = m.thread_seq WHERE m.seq = ?", (seq,)
    ).fetchone()
    if turned_to is not None and tip == turned_to:  # nothing was said there meanwhile
        message_tree.show(connection, thread_seq, seq)
    _renew_snippet(connection, thread_seq)


def _renew_snippet(connection: sqlite3.Connection, thread_seq: int) -> None:
    """Let the list show the last words that are still there."""
    (thread_id,) = connection.execute("SELECT id FROM threads WHERE seq = ?", (thread_seq,)).fetchone()
    path = reversed(message_tree.path_numbers(connection, thread_id))
    text = next((words for each in path if (words := message_tree.words_of(connection, each)).strip()), "")
    connection.execute("UPDATE threads SET snippet = ? WHERE seq = ?", (one_line(text, SNIPPET_LENGTH), thread_seq))


def _remove_result(connection: sqlite3.Connection, seq: int, call_id: str) -> None:
    rows = connection.execute(
        "SELECT position, step, kind, text, payload FROM parts WHERE message_seq = ? AND kind IN ('tool_result', 'inner_run')"
        " AND NOT EXISTS (SELECT 1 FROM removals AS r WHERE r.message_seq = parts.message_seq"
        " AND r.position = parts.position)",
        (seq,),
    ).fetchall()
    places: list[tuple[int, int]] = []
    for position, *row in rows:
        part = decode_part((row[0], row[1], row[2], row[3]))
        is_of_call = isinstance(part, ToolResultPart | InnerRunPart) and part.call_id == call_id
        if is_of_call and not (isinstance(part, ToolResultPart) and part.text == REMOVED_RESULT):
            places.append((seq, position))
    if not places:
        raise StorageError("storage.thread_missing", thread_id="")
    indexes.forget_calls(connection, [seq])
    connection.executemany("INSERT INTO removals (message_seq, position) VALUES (?, ?)", places)


def _indexed(connection: sqlite3.Connection, seq: int) -> tuple[int, int]:
    """Return how many entries a message has in the indexes by words, and in how many vectors it is: those of the answers
    to it hold something of it, too."""
    return connection.execute(
        "SELECT (is_indexed = 1) + (is_call_indexed = 1) + (is_recallable = 1),"
        " (SELECT count(*) FROM message_vectors WHERE message_seq = m.seq"
        " OR message_seq IN (SELECT seq FROM messages WHERE parent_seq = m.seq)) FROM messages AS m WHERE seq = ?",
        (seq,),
    ).fetchone()
