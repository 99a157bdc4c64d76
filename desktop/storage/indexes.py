"""All that is derived from messages, remembered items and documents: the full-text indexes, and vectors with their way out.

Whoever changes or removes a text calls ``forget_messages``, ``forget_calls``, ``forget_items`` or ``forget_pieces``
before, in the same transaction.
"""

import sqlite3
from collections.abc import Mapping, Sequence

from desktop.storage import call_index, recall_index, search_index
from desktop.storage.rows import next_number, placeholders

OF_MESSAGES = (search_index.INDEX, call_index.INDEX, recall_index.MESSAGES)
ALL = (*OF_MESSAGES, recall_index.FACTS, recall_index.DOCUMENTS)

_OWNERS: Mapping[str, tuple[str, str]] = {
    "message": ("messages", "message"),
    "item": ("memory_items", "fact"),
    "piece": ("document_pieces", "document"),
}
"""By the name of what has vectors: the table of its rows, and its kind in the keys of the index."""


def owns(table: object) -> bool:
    """True for the names of tables that belong to an index, and can be made again. In a damaged file a name may be none."""
    return isinstance(table, str) and any(index.owns(table) for index in ALL)


def is_named_in(complaint: str) -> bool:
    """True when a line of SQLite's check is about an index and not about the file."""
    return any(index.is_named_in(complaint) for index in ALL)


def ensure(connection: sqlite3.Connection) -> None:
    """Make the indexes that are missing or of another version."""
    for index in ALL:
        columns = connection.execute("SELECT name FROM pragma_table_info(?)", (index.rows_of,))
        if (index.flag,) in columns.fetchall():  # not while only the first migrations were made
            index.ensure(connection)


def index_new_messages(connection: sqlite3.Connection) -> None:
    """Index some of the messages that are not yet, the oldest first, as part of what the caller stores; damage stops nothing."""
    for index in OF_MESSAGES:
        index.try_index_pending(connection)


def forget_messages(connection: sqlite3.Connection, numbers: Sequence[int], *, erases: bool) -> None:
    """Take messages out, before their parts change or go. ``erases``: for good, with every byte."""
    search_index.INDEX.remove(connection, numbers)
    call_index.INDEX.remove(connection, numbers)
    replies = connection.execute(
        f"SELECT seq FROM messages WHERE parent_seq IN ({placeholders(numbers)})", numbers
    ).fetchall()
    # The end of a message stands in the index with what was said next, and is in its vector.
    with_replies = list(dict.fromkeys((*numbers, *(row[0] for row in replies))))
    recall_index.MESSAGES.remove(connection, with_replies)
    _forget_vectors(connection, "message", with_replies, erases=erases)


def forget_calls(connection: sqlite3.Connection, numbers: Sequence[int]) -> None:
    """Take out what was called in messages, before a result is hidden or shown again; what was said in them stays."""
    call_index.INDEX.remove(connection, numbers)


def forget_items(connection: sqlite3.Connection, numbers: Sequence[int], *, erases: bool) -> None:
    """Take remembered items out, before their text changes or they go."""
    recall_index.FACTS.remove(connection, numbers)
    _forget_vectors(connection, "item", numbers, erases=erases)


def forget_pieces(connection: sqlite3.Connection, numbers: Sequence[int], *, erases: bool) -> None:
    """Take pieces of documents out, before they go."""
    recall_index.DOCUMENTS.remove(connection, numbers)
    _forget_vectors(connection, "piece", numbers, erases=erases)


def _forget_vectors(connection: sqlite3.Connection, what: str, numbers: Sequence[int], *, erases: bool) -> None:
    table, kind = _OWNERS[what]
    chosen = placeholders(numbers)
    rows = connection.execute(
        f"SELECT DISTINCT r.id FROM {table} AS r JOIN {what}_vectors AS v ON v.{what}_seq = r.seq"
        f" WHERE r.seq IN ({chosen})",
        numbers,
    ).fetchall()
    if not rows:
        return
    note_changes(connection, [f"{kind}:{row[0]}" for row in rows], erases=erases)
    connection.execute(f"DELETE FROM {what}_vectors WHERE {what}_seq IN ({chosen})", numbers)
    connection.execute(f"UPDATE {table} SET vector_of = 0 WHERE seq IN ({chosen})", numbers)


def note_changes(connection: sqlite3.Connection, keys: Sequence[str], *, erases: bool) -> None:
    """Note that the index of vectors is to follow: what was noted is done also after a crash."""
    number = next_number(connection)
    connection.executemany(
        "INSERT INTO vector_changes (key, number, erases) VALUES (?, ?, ?)"
        " ON CONFLICT (key) DO UPDATE SET number = excluded.number, erases = max(erases, excluded.erases)",
        [(key, number, erases) for key in keys],
    )
