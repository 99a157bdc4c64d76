"""Remembered items as rows, and the traces by which a forgotten one is known again; all inside a transaction."""

import hashlib
import hmac
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from desktop.core.expressions import Expression
from desktop.core.receipt import Receipt
from desktop.memory.entities import Author, MemoryItem, MemoryKind, MemorySource, MemoryStatus
from desktop.storage import indexes, message_tree, recall_index, receipts, request_texts, summary_rows
from desktop.storage.rows import clean, from_microseconds, next_number, optional_time, placeholders, to_microseconds
from desktop.storage.rows import unreadable as unreadable_row
from desktop.storage.search_text import fold

COLUMNS = (
    "id, text, kind, author, status, importance, is_pinned, only_thread_id, source_thread_id, source_message_id, quote,"
    " created_at, updated_at, observed_at, valid_to, supersedes_id, used_count, last_used_at"
)
_NAMES = COLUMNS.split(", ")
_AT_ONCE = 400
_DIGEST_BYTES = 16
_LEAST_WORDS = 3
"""Of a quote that is known again wherever it is said: "yes" was not the user's last yes."""
_LEFT_OUT = " […] "
_CLAUSE = Expression("[^.,;!?\n。，、；！？]+")

Row = tuple[Any, ...]


def to_row(item: MemoryItem) -> Row:
    source = item.source
    return (
        item.id,
        clean(item.text),
        item.kind.value,
        item.author.value,
        item.status.value,
        item.importance,
        item.is_pinned,
        item.only_thread_id,
        source.thread_id if source else None,
        source.message_id if source else None,
        clean(source.quote) if source else "",
        to_microseconds(item.created_at),
        to_microseconds(item.updated_at),
        to_microseconds(item.observed_at),
        None if item.valid_to is None else to_microseconds(item.valid_to),
        item.supersedes_id,
        item.used_count,
        None if item.last_used_at is None else to_microseconds(item.last_used_at),
    )


def to_item(row: Row) -> MemoryItem:
    """Return the item of a row. Raises ``StorageError`` for one that this program did not write."""
    fields = dict(zip(_NAMES, row, strict=True))
    thread_id, message_id, quote = (fields.pop(name) for name in ("source_thread_id", "source_message_id", "quote"))
    try:
        return MemoryItem(
            id=fields["id"],
            text=fields["text"],
            kind=MemoryKind(fields["kind"]),
            author=Author(fields["author"]),
            status=MemoryStatus(fields["status"]),
            importance=fields["importance"],
            is_pinned=bool(fields["is_pinned"]),
            only_thread_id=fields["only_thread_id"],
            source=None
            if thread_id is None or message_id is None
            else MemorySource(thread_id=thread_id, message_id=message_id, quote=quote),
            created_at=from_microseconds(fields["created_at"]),
            updated_at=from_microseconds(fields["updated_at"]),
            observed_at=from_microseconds(fields["observed_at"]),
            valid_to=optional_time(fields["valid_to"]),
            supersedes_id=fields["supersedes_id"],
            used_count=fields["used_count"],
            last_used_at=optional_time(fields["last_used_at"]),
        )
    except ValueError as error:
        raise unreadable_row("a remembered item") from error


def add(connection: sqlite3.Connection, *items: MemoryItem) -> None:
    connection.executemany(
        f"INSERT INTO memory_items (seq, {COLUMNS}) VALUES (?, {placeholders(_NAMES)})",
        [(next_number(connection), *to_row(item)) for item in items],
    )
    recall_index.FACTS.try_index_pending(connection)


def update(connection: sqlite3.Connection, *items: MemoryItem) -> None:
    """Store what items are now; nothing happens with those that are gone."""
    for item in items:
        found = connection.execute("SELECT seq, text FROM memory_items WHERE id = ?", (item.id,)).fetchone()
        if found is None:
            continue
        seq, text = found
        if text != clean(item.text):
            indexes.forget_items(connection, [seq], erases=True)
        connection.execute(
            f"UPDATE memory_items SET ({COLUMNS}) = ({placeholders(_NAMES)}) WHERE seq = ?", (*to_row(item), seq)
        )
    recall_index.FACTS.try_index_pending(connection)


def get(connection: sqlite3.Connection, item_ids: Sequence[str]) -> dict[str, MemoryItem]:
    """Return those of the items that are there, in the order of their ids."""
    wanted = list(dict.fromkeys(map(clean, item_ids)))
    found: dict[str, MemoryItem] = {}
    for start in range(0, len(wanted), _AT_ONCE):
        some = wanted[start : start + _AT_ONCE]
        query = f"SELECT {COLUMNS} FROM memory_items WHERE id IN ({placeholders(some)})"
        found.update((row[0], to_item(row)) for row in connection.execute(query, some))
    return {item_id: found[item_id] for item_id in wanted if item_id in found}


def forget(connection: sqlite3.Connection, item_ids: Sequence[str]) -> Receipt:
    """Remove items and keep the traces by which they are known again; return what went."""
    rows = connection.execute(
        f"SELECT seq, text, quote, source_message_id FROM memory_items WHERE id IN ({placeholders(item_ids)})",
        item_ids,
    ).fetchall()
    digests = {
        digest
        for _, text, quote, message_id in rows
        for _, digest in _traces(connection, text=text, quote=quote, message_id=message_id or "")
    }
    connection.executemany("INSERT OR IGNORE INTO forgotten (digest) VALUES (?)", [(digest,) for digest in digests])
    numbers = [row[0] for row in rows]
    receipt = receipts.of_items(connection, numbers)
    stale = summary_rows.forget(connection, [row[1:] for row in rows])
    _remove(connection, numbers)
    return receipt + Receipt(stale_summaries=stale)


def leave_thread(connection: sqlite3.Connection, thread_id: str) -> None:
    """A thread is purged: what counted in it alone goes with it, and so do the words of it that others quote."""
    own = connection.execute("SELECT seq FROM memory_items WHERE only_thread_id = ?", (thread_id,)).fetchall()
    _remove(connection, [row[0] for row in own])
    connection.execute("UPDATE memory_items SET quote = '' WHERE source_thread_id = ?", (thread_id,))


def _remove(connection: sqlite3.Connection, numbers: Sequence[int]) -> None:
    indexes.forget_items(connection, numbers, erases=True)
    request_texts.forget_items(connection, numbers)
    connection.execute(f"DELETE FROM memory_items WHERE seq IN ({placeholders(numbers)})", numbers)


def is_forgotten(
    connection: sqlite3.Connection, *, text: str, quote: str, message_id: str, only_there: bool = False
) -> bool:
    """Whether something of this text, or from these words, was forgotten; ``only_there``: from this very message."""
    traces = list(_traces(connection, text=text, quote=quote, message_id=message_id))
    digests = [digest for kind, digest in traces if kind == "clause" or not only_there]
    query = f"SELECT 1 FROM forgotten WHERE digest IN ({placeholders(digests)}) LIMIT 1"
    return connection.execute(query, digests).fetchone() is not None


def without_forgotten(connection: sqlite3.Connection, text: str, *, message_id: str) -> str:
    """Return the text without the clauses that were forgotten: of this message, or wherever they stand."""
    (key,) = connection.execute("SELECT key FROM forgotten_key").fetchone()
    pieces: list[str] = []
    end = 0
    for clause in _CLAUSE.finditer(text):
        if not (words := _normal(clause.group())):
            continue
        digests = [_digest(key, "text", words), _digest(key, "quote", words), _digest(key, "clause", message_id, words)]
        query = f"SELECT 1 FROM forgotten WHERE digest IN ({placeholders(digests)}) LIMIT 1"
        if connection.execute(query, digests).fetchone() is not None:
            pieces += [text[end : clause.start()], _LEFT_OUT]
            end = clause.end()
    return "".join((*pieces, text[end:]))


def _traces(connection: sqlite3.Connection, *, text: str, quote: str, message_id: str) -> Iterator[tuple[str, bytes]]:
    """What an item is known by: its text, the words that it comes from, and their place in their message."""
    (key,) = connection.execute("SELECT key FROM forgotten_key").fetchone()
    if words := _normal(text):
        yield "text", _digest(key, "text", words)
    words = _normal(quote)
    if len(words.split()) >= _LEAST_WORDS:
        yield "quote", _digest(key, "quote", words)
    if words and message_id:
        said = connection.execute("SELECT seq FROM messages WHERE id = ?", (message_id,)).fetchone()
        spoken = recall_index.spoken(connection, said).values() if said else ()
        clauses = list(_clauses(next((whole for whole, *_ in spoken), quote), quote))
        for each in message_tree.copies_of(connection, message_id):
            yield from (("clause", _digest(key, "clause", each, clause)) for clause in clauses)


def copy_traces(connection: sqlite3.Connection, copies: Mapping[int, int]) -> None:
    """Let what was forgotten of messages be forgotten of their copies, too; ``copies`` by the messages' numbers."""
    if connection.execute("SELECT 1 FROM forgotten LIMIT 1").fetchone() is None:
        return
    (key,) = connection.execute("SELECT key FROM forgotten_key").fetchone()
    for number, copied in copies.items():
        ids = [
            connection.execute("SELECT id FROM messages WHERE seq = ?", (seq,)).fetchone()[0]
            for seq in (number, copied)
        ]
        for text, *_ in recall_index.spoken(connection, [number]).values():
            for words in filter(None, (_normal(clause.group()) for clause in _CLAUSE.finditer(text))):
                old, new = (_digest(key, "clause", each, words) for each in ids)
                connection.execute(
                    "INSERT OR IGNORE INTO forgotten (digest) SELECT ? FROM forgotten WHERE digest = ?", (new, old)
                )


def _clauses(message: str, quote: str) -> Iterator[str]:
    """Return the clauses of a message that a quote touches: read again, another piece of them may be quoted."""
    start = message.find(quote)
    if start < 0:
        message, start = quote, 0
    for clause in _CLAUSE.finditer(message):
        if clause.end() > start and clause.start() < start + len(quote) and (words := _normal(clause.group())):
            yield words


def _normal(text: str) -> str:
    return " ".join(fold(clean(text)).split())


def _digest(key: bytes, *pieces: str) -> bytes:
    return hmac.digest(key, "\0".join(pieces).encode(), hashlib.sha256)[:_DIGEST_BYTES]
