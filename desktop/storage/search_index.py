"""The full-text index of message texts: derived data that is caught up with, checked in use, and rebuilt when wrong.

The table holds no text of its own ("contentless"): a row of it is removed by giving FTS5 the same folded text again.
All functions run inside a transaction of the caller.
"""

import logging
import sqlite3
from collections.abc import Callable, Sequence

from desktop.storage.failures import INDEX_FAILURES, is_environment
from desktop.storage.rows import placeholders
from desktop.storage.search_text import SearchQuery, fold

logger = logging.getLogger(__name__)

_VERSION = 1
"""Raise it whenever ``search_text.fold`` gives another result: then old rows could not be removed any more."""
_TABLE = "message_search"
_SHADOWS = ("data", "idx", "content", "docsize", "config")
_CREATE = f"""CREATE VIRTUAL TABLE {_TABLE} USING fts5 (
    body, content = '', columnsize = 0, tokenize = 'ascii'
)"""
_MERGE_PAGES = 500


def owns(table: str) -> bool:
    """True for the names of the index's tables."""
    return table == _TABLE or table.removeprefix(f"{_TABLE}_") in _SHADOWS


def is_named_in(complaint: str) -> bool:
    """True when a line of SQLite's check is about this index and not about the file."""
    return "FTS5" in complaint and _TABLE in complaint


def ensure(connection: sqlite3.Connection) -> None:
    """Make the index if it is missing or of another version; its rows follow with ``index_pending``."""
    version = connection.execute("SELECT value FROM meta WHERE key = 'search_version'").fetchone()
    exists = connection.execute("SELECT 1 FROM sqlite_schema WHERE name = ?", (_TABLE,)).fetchone()
    if exists and version == (_VERSION,):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        reset(connection)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def reset(connection: sqlite3.Connection) -> None:
    """Throw the index away, whatever its state, and begin an empty one."""
    _drop(connection)
    connection.execute(_CREATE)
    connection.execute("UPDATE messages SET is_indexed = 0 WHERE is_indexed = 1")
    connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES ('search_version', ?)", (_VERSION,))


def _drop(connection: sqlite3.Connection) -> None:
    try:
        connection.execute(f"DROP TABLE IF EXISTS {_TABLE}")
    except INDEX_FAILURES as error:
        if is_environment(error):
            raise
        # FTS5 cannot even open it. Without its entry in the schema the tables beneath it are ordinary ones.
        logger.warning("the search index is taken apart by hand: %s", error)
        connection.execute("PRAGMA writable_schema = ON")
        try:
            connection.execute("DELETE FROM sqlite_schema WHERE name = ?", (_TABLE,))
        finally:
            connection.execute("PRAGMA writable_schema = RESET")
    for shadow in _SHADOWS:
        connection.execute(f"DROP TABLE IF EXISTS {_TABLE}_{shadow}")


def has_pending(connection: sqlite3.Connection) -> bool:
    """True when finished messages are not indexed yet."""
    row = connection.execute("SELECT 1 FROM messages WHERE is_indexed = 0 AND status <> 'streaming' LIMIT 1").fetchone()
    return row is not None


def index_pending(connection: sqlite3.Connection, limit: int = 250) -> int:
    """Index finished messages that are not indexed yet, at most ``limit``; return how many were."""
    rows = connection.execute(
        "SELECT seq FROM messages WHERE is_indexed = 0 AND status <> 'streaming' ORDER BY seq LIMIT ?", (limit,)
    ).fetchall()
    sequence_numbers = [row[0] for row in rows]
    texts = texts_of(connection, sequence_numbers)
    connection.executemany(
        f"INSERT INTO {_TABLE} (rowid, body) VALUES (?, ?)", [(seq, fold(text)) for seq, text in texts.items()]
    )
    connection.execute(
        f"UPDATE messages SET is_indexed = 1 WHERE seq IN ({placeholders(sequence_numbers)})", sequence_numbers
    )
    return len(sequence_numbers)


def try_index_pending(connection: sqlite3.Connection) -> None:
    """Index the newest messages as part of what the caller stores, which a damaged index does not stop."""
    connection.execute("SAVEPOINT indexing")
    try:
        index_pending(connection, limit=20)
    except INDEX_FAILURES as error:
        if is_environment(error):
            raise
        logger.warning("the search index is damaged; the next search rebuilds it: %s", error)
        connection.execute("ROLLBACK TO indexing")
    connection.execute("RELEASE indexing")


def remove(connection: sqlite3.Connection, sequence_numbers: Sequence[int]) -> None:
    """Take messages out, before their parts change or go; where the index is too damaged for that, begin it anew."""
    or_reset(connection, lambda: _remove(connection, sequence_numbers))


def _remove(connection: sqlite3.Connection, sequence_numbers: Sequence[int]) -> None:
    rows = connection.execute(
        f"SELECT seq FROM messages WHERE is_indexed = 1 AND seq IN ({placeholders(sequence_numbers)})",
        sequence_numbers,
    ).fetchall()
    indexed = [row[0] for row in rows]
    if not indexed:
        return  # so that nothing depends on the index that need not
    texts = texts_of(connection, indexed)
    connection.executemany(
        f"INSERT INTO {_TABLE} ({_TABLE}, rowid, body) VALUES ('delete', ?, ?)",
        [(seq, fold(text)) for seq, text in texts.items()],
    )
    connection.executemany("UPDATE messages SET is_indexed = 0 WHERE seq = ?", [(seq,) for seq in indexed])


def texts_of(connection: sqlite3.Connection, sequence_numbers: Sequence[int]) -> dict[int, str]:
    """Return the texts of messages as ``Message.text`` gives them, and the names and texts of files sent with them.

    Messages with neither are left out. What was typed comes first: it is what a hit shows.
    """
    rows = connection.execute(
        "SELECT message_seq, iif(kind = 'text', text, payload ->> '$.name' || char(10) || text) FROM parts"
        f" WHERE kind IN ('text', 'attachment') AND message_seq IN ({placeholders(sequence_numbers)})"
        " ORDER BY message_seq, kind DESC, position",
        sequence_numbers,
    )
    texts: dict[int, list[str]] = {}
    for seq, text in rows:
        texts.setdefault(seq, []).append(text)
    return {seq: "\n\n".join(pieces) for seq, pieces in texts.items()}


def find(connection: sqlite3.Connection, query: SearchQuery, limit: int) -> list[tuple[int, str, str, int, str, str]]:
    """Return seq, id, role, time, thread id and thread title of the newest hits, threads in the Trash left out."""
    return connection.execute(
        f"""SELECT m.seq, m.id, m.role, m.created_at, t.id, t.title
            FROM {_TABLE} AS s CROSS JOIN messages AS m ON m.seq = s.rowid CROSS JOIN threads AS t ON t.seq = m.thread_seq
            WHERE {_TABLE} MATCH ? AND t.deleted_at IS NULL AND m.deleted_at IS NULL
            ORDER BY s.rowid DESC LIMIT ?""",
        (query.to_fts(), limit),
    ).fetchall()


def merge_step(connection: sqlite3.Connection, *, is_first: bool) -> bool:
    """Do some of the work of merging the index into one piece without the removed words; True while more is left.

    Removing a row only adds a note that it is gone: its words stay in the file until they are merged away.
    """
    before = connection.total_changes
    pages = -_MERGE_PAGES if is_first else _MERGE_PAGES
    statement = f"INSERT INTO {_TABLE} ({_TABLE}, rank) VALUES ('merge', ?)"
    or_reset(connection, lambda: connection.execute(statement, (pages,)))
    return connection.total_changes - before >= 2


def or_reset(connection: sqlite3.Connection, change: Callable[[], object]) -> bool:
    """Make a change to the index; where it is too damaged for that, begin it anew instead and return False.

    FTS5 reports damage in many words and with several codes: whatever is not the environment's fault counts.
    """
    try:
        change()
    except INDEX_FAILURES as error:
        if is_environment(error):
            raise
        logger.warning("the search index is damaged and begun anew: %s", error)
        reset(connection)
        return False
    return True
