"""Counts what is about to be removed, in the transaction that lets it go: a receipt says no more than that."""

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

from desktop.core.receipt import Receipt
from desktop.storage.rows import placeholders

_OF_ITEMS: Mapping[str, str] = {
    "items": "SELECT count(*) FROM memory_items WHERE seq IN ({chosen})",
    "quotes": "SELECT count(*) FROM memory_items WHERE seq IN ({chosen}) AND quote <> ''",
    "words": "SELECT count(*) FROM memory_items WHERE seq IN ({chosen}) AND is_recallable = 1",
    "vectors": "SELECT count(*) FROM item_vectors WHERE item_seq IN ({chosen})",
    "requests": "SELECT count(DISTINCT p.seq) FROM memory_items AS i JOIN request_quotes AS q ON q.quoted = 'fact:' || i.id"
    " JOIN request_pieces AS p ON p.seq = q.piece_seq WHERE p.body IS NOT NULL AND i.seq IN ({chosen})",
}
_PIECES = "FROM document_pieces AS p JOIN documents AS d ON d.seq = p.document_seq WHERE d.root_seq IN ({chosen})"
_OF_DOCUMENTS: Mapping[str, str] = {
    "documents": "SELECT count(*) FROM documents WHERE root_seq IN ({chosen})",
    "words": f"SELECT count(*) {_PIECES} AND p.is_recallable = 1",
    "vectors": f"SELECT count(*) FROM piece_vectors WHERE piece_seq IN (SELECT p.seq {_PIECES})",
    "requests": "SELECT count(DISTINCT r.seq) FROM request_quotes AS q JOIN request_pieces AS r ON r.seq = q.piece_seq"
    f" WHERE r.body IS NOT NULL AND q.quoted IN (SELECT 'document:' || p.id {_PIECES})",
}
_OF_THREAD: Mapping[str, str] = {
    "messages": "SELECT (SELECT count(*) FROM messages WHERE thread_seq = :seq AND deleted_at IS NULL)"
    " + (SELECT count(*) FROM queued_messages WHERE thread_seq = :seq)",
    "words": "SELECT coalesce(sum((is_indexed = 1) + (is_call_indexed = 1) + (is_recallable = 1)), 0) FROM messages"
    " WHERE thread_seq = :seq",
    "vectors": "SELECT count(*) FROM message_vectors WHERE message_seq IN"
    " (SELECT seq FROM messages WHERE thread_seq = :seq)",
    "files": "SELECT count(*) FROM attachments WHERE thread_seq = :seq OR (thread_seq IS NULL AND id IN"
    " (SELECT attachment_id FROM draft_attachments WHERE thread_id = :id"
    " OR thread_id IN (SELECT id FROM messages WHERE thread_seq = :seq)))",
    "summaries": "SELECT count(*) FROM summaries WHERE thread_seq = :seq",
    "calls": "SELECT count(*) FROM tool_calls WHERE thread_seq = :seq",
    "requests": "SELECT count(*) FROM requests WHERE thread_seq = :seq",
    # What counts elsewhere too stays, without the words that it quotes.
    "quotes": "SELECT count(*) FROM memory_items WHERE source_thread_id = :id AND quote <> ''"
    " AND only_thread_id IS NOT :id",
}
"""What a purge of a thread removes, by the receipt's field."""


def of_items(connection: sqlite3.Connection, numbers: Sequence[int]) -> Receipt:
    """Return what goes with these rows of remembered items."""
    return Receipt(**_counted(connection, _OF_ITEMS, numbers))


def of_documents(connection: sqlite3.Connection, numbers: Sequence[int]) -> Receipt:
    """Return what goes with these rows of added files and folders."""
    return Receipt(**_counted(connection, _OF_DOCUMENTS, numbers))


def of_thread(connection: sqlite3.Connection, seq: int, thread_id: str) -> Receipt:
    """Return what goes with a thread, with the items that counted in it alone; before anything of it is gone."""
    values = {"seq": seq, "id": thread_id}
    own = connection.execute("SELECT seq FROM memory_items WHERE only_thread_id = ?", (thread_id,)).fetchall()
    counts = {name: connection.execute(sql, values).fetchone()[0] for name, sql in _OF_THREAD.items()}
    return Receipt(chats=1, **counts) + of_items(connection, [row[0] for row in own])


def _counted(connection: sqlite3.Connection, queries: Mapping[str, str], numbers: Sequence[int]) -> dict[str, Any]:
    chosen = placeholders(numbers)
    return {name: connection.execute(sql.format(chosen=chosen), numbers).fetchone()[0] for name, sql in queries.items()}
