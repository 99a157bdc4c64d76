"""Makes a library of rows that were salvaged: what lost its place gets one, what leads nowhere is let go."""

import sqlite3
from dataclasses import dataclass

from desktop.conversation.entities import TextPart
from desktop.core.clock import utc_now
from desktop.core.errors import StorageError
from desktop.core.ids import new_id
from desktop.memory.entities import Author, MemoryKind, MemoryStatus
from desktop.storage.rows import ROLES, STATUSES, decode_part, encode_part, measure, to_microseconds

RECOVERED_TITLE = "Recovered messages 找回的消息"
"""Of the chat with messages of which nobody knows any more where they belong; stored, so in both languages."""
_MOST_ROUNDS = 50


@dataclass(frozen=True)
class Mended:
    """What came of the mending."""

    lost: int
    """Rows that were let go, or of which no more than their text could be kept."""
    incomplete: int
    """Messages of which not all is there."""


def mend(connection: sqlite3.Connection) -> Mended:
    """Give each message a chat, each part a message, and let go of what is left over.

    Inside a transaction, with foreign keys off.
    """
    _set_sequence(connection)
    _adopt_parts(connection)
    _adopt_messages(connection)
    _mend_values(connection)
    lost, incomplete = _mend_parts(connection)
    _mend_parents(connection)
    lost += _cut_references(connection)
    _mend_tips(connection)
    _set_sequence(connection)
    return Mended(lost=lost, incomplete=incomplete)


def mend_references(connection: sqlite3.Connection) -> None:
    """As ``mend``, but only of what leads nowhere, in a library that is in use and whose rows can all be read."""
    _adopt_parts(connection)
    _adopt_messages(connection)
    _mend_parts(connection)
    _mend_parents(connection)
    _cut_references(connection)
    _mend_tips(connection)


def _set_sequence(connection: sqlite3.Connection) -> None:
    """The next number is above every one that was ever drawn."""
    highest = 0
    tables = [
        row[0]
        for row in connection.execute("SELECT name FROM pragma_table_list WHERE type = 'table' AND schema = 'main'")
    ]
    for table in tables:
        columns = {row[0] for row in connection.execute("SELECT name FROM pragma_table_info(?)", (table,))}
        for column in columns & {"seq", "change_seq", "deleted_seq", "shown_seq", "until_seq"}:
            found = connection.execute(f"SELECT max({column}) FROM {table}").fetchone()[0]
            highest = max(highest, found if isinstance(found, int) and found < 1 << 53 else 0)
    connection.execute("DELETE FROM sequence")
    connection.execute("INSERT INTO sequence (value) VALUES (?)", (highest + 1,))


def _next(connection: sqlite3.Connection) -> int:
    return connection.execute("UPDATE sequence SET value = value + 1 RETURNING value").fetchone()[0]


def _now() -> int:
    return to_microseconds(utc_now())


def _add_thread(connection: sqlite3.Connection, seq: int, title: str, time: int) -> None:
    connection.execute(
        "INSERT INTO threads (seq, id, title, title_by_user, created_at, updated_at, change_seq)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (seq, new_id(), title, bool(title), time, time, _next(connection)),
    )


def _adopt_parts(connection: sqlite3.Connection) -> None:
    """Messages whose own row is lost, and whose words are there, go into a chat of their own."""
    numbers = [
        row[0]
        for row in connection.execute(
            "SELECT DISTINCT message_seq FROM parts WHERE message_seq > 0"
            " AND message_seq NOT IN (SELECT seq FROM messages) ORDER BY message_seq"
        )
    ]
    if not numbers:
        return
    thread, before, now = _next(connection), None, _now()
    _add_thread(connection, thread, RECOVERED_TITLE, now)
    for seq in numbers:
        is_answer = connection.execute(
            "SELECT 1 FROM turns WHERE answer_seq = ?1 UNION SELECT 1 FROM parts WHERE message_seq = ?1"
            " AND kind NOT IN ('text', 'attachment')",
            (seq,),
        ).fetchone()
        connection.execute(
            "INSERT INTO messages (seq, id, thread_seq, parent_seq, role, status, created_at, updated_at)"
            " VALUES (?, ?, ?, ?, ?, 'complete', ?, ?)",
            (seq, new_id(), thread, before, "assistant" if is_answer else "user", now, now),
        )
        before = seq


def _adopt_messages(connection: sqlite3.Connection) -> None:
    """Chats whose own row is lost, and whose messages are there, get one."""
    orphans = connection.execute(
        "SELECT thread_seq, min(created_at) FROM messages WHERE thread_seq NOT IN (SELECT seq FROM threads)"
        " GROUP BY thread_seq"
    ).fetchall()
    for thread, time in orphans:
        if thread > 0:
            _add_thread(connection, thread, "", time)
        else:
            connection.execute("DELETE FROM messages WHERE thread_seq = ?", (thread,))


def _mend_values(connection: sqlite3.Connection) -> None:
    """What is no word of ours becomes the most careful one."""
    roles, statuses = ", ".join(map(repr, ROLES)), ", ".join(map(repr, STATUSES))
    connection.execute(
        "UPDATE messages SET role = iif(seq IN (SELECT answer_seq FROM turns), 'assistant', 'user')"
        f" WHERE role NOT IN ({roles})"
    )
    connection.execute(f"UPDATE messages SET status = 'interrupted' WHERE status NOT IN ({statuses})")
    columns = {row[0] for row in connection.execute("SELECT name FROM pragma_table_info('threads')")}
    if "is_temporary" in columns:
        connection.execute("UPDATE threads SET is_temporary = 0 WHERE is_temporary NOT IN (0, 1)")
    connection.execute("UPDATE threads SET is_purging = 0 WHERE is_purging NOT IN (0, 1)")
    # A permission that cannot be trusted to say what was agreed to is none: it is asked for again.
    connection.execute("DELETE FROM grants")
    if connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'memory_items'").fetchone():
        for column, words, careful in (
            ("kind", MemoryKind, MemoryKind.FACT),
            ("author", Author, Author.SAID),
            ("status", MemoryStatus, MemoryStatus.PENDING),
        ):
            known = ", ".join(repr(word.value) for word in words)
            connection.execute(
                f"UPDATE memory_items SET {column} = ? WHERE {column} NOT IN ({known})", (careful.value,)
            )


def _mend_parts(connection: sqlite3.Connection) -> tuple[int, int]:
    """What cannot be read as a part keeps its text; then each message's figures follow from its parts."""
    lost = incomplete = 0
    rows = connection.execute("SELECT rowid, step, kind, text, payload FROM parts").fetchall()
    for rowid, step, kind, text, payload in rows:
        try:
            decode_part((step, kind, text, payload))
        except (StorageError, ValueError, TypeError, KeyError, AttributeError):
            lost += 1
            if kind == "attachment" or not text.strip():
                connection.execute("DELETE FROM parts WHERE rowid = ?", (rowid,))
            else:
                row = encode_part(TextPart(text=text))
                connection.execute(
                    "UPDATE parts SET step = ?, kind = ?, text = ?, payload = ? WHERE rowid = ?", (*row, rowid)
                )
    for seq, expected in connection.execute("SELECT seq, part_count FROM messages").fetchall():
        own = connection.execute(
            "SELECT rowid, step, kind, text, payload FROM parts WHERE message_seq = ? ORDER BY position", (seq,)
        ).fetchall()
        for position, row in enumerate(own):
            connection.execute(
                "UPDATE parts SET position = ? WHERE rowid = ? AND position <> ?", (position, row[0], position)
            )
        incomplete += len(own) < expected
        connection.execute(
            "UPDATE messages SET text_length = ?, newline_count = ?, part_count = ? WHERE seq = ?",
            (*measure([row[1:] for row in own]), seq),
        )
    return lost, incomplete


def _mend_parents(connection: sqlite3.Connection) -> None:
    """A message whose parent is lost follows the last one before it that it could answer, in the same chat."""
    stray = connection.execute(
        "SELECT m.seq, m.thread_seq, m.role FROM messages AS m WHERE m.parent_seq IS NOT NULL AND (m.parent_seq >= m.seq"
        " OR NOT EXISTS (SELECT 1 FROM messages AS p WHERE p.seq = m.parent_seq AND p.thread_seq = m.thread_seq))"
        " ORDER BY m.seq"
    ).fetchall()
    for seq, thread, role in stray:
        before = connection.execute(
            "SELECT max(seq) FROM messages WHERE thread_seq = ? AND seq < ? AND role <> ?", (thread, seq, role)
        ).fetchone()[0]
        connection.execute("UPDATE messages SET parent_seq = ? WHERE seq = ?", (before, seq))


def _cut_references(connection: sqlite3.Connection) -> int:
    """Let go of what leads nowhere: the reference where it may be left out, else the row."""
    lost = 0
    for _ in range(_MOST_ROUNDS):
        broken = connection.execute("PRAGMA foreign_key_check").fetchall()
        if not broken:
            return lost
        for table, rowid, _, number in broken:
            column, required = connection.execute(
                'SELECT f."from", c."notnull" FROM pragma_foreign_key_list(?1) AS f'
                ' JOIN pragma_table_info(?1) AS c ON c.name = f."from" WHERE f.id = ?2',
                (table, number),
            ).fetchone()
            if rowid is None:  # a table without row numbers
                target = connection.execute(
                    'SELECT "table", coalesce("to", \'seq\') FROM pragma_foreign_key_list(?) WHERE id = ?',
                    (table, number),
                ).fetchone()
                lost += connection.execute(
                    f"DELETE FROM {table} WHERE {column} NOT IN (SELECT {target[1]} FROM {target[0]})"
                ).rowcount
            elif required or _is_number(connection, table, column):
                lost += connection.execute(f"DELETE FROM {table} WHERE rowid = ?", (rowid,)).rowcount
            else:
                connection.execute(f"UPDATE {table} SET {column} = NULL WHERE rowid = ?", (rowid,))
    return lost


def _is_number(connection: sqlite3.Connection, table: str, column: str) -> bool:
    """Whether the column is the row's own number, which is never left out."""
    row = connection.execute("SELECT pk FROM pragma_table_info(?) WHERE name = ?", (table, column)).fetchone()
    return bool(row[0])


def _mend_tips(connection: sqlite3.Connection) -> None:
    """A chat shows its last message where it is not known any more which one it showed."""
    connection.execute(
        "UPDATE threads SET tip = (SELECT max(seq) FROM messages AS m WHERE m.thread_seq = threads.seq)"
        " WHERE tip IS NULL OR tip NOT IN (SELECT seq FROM messages AS m WHERE m.thread_seq = threads.seq)"
    )
