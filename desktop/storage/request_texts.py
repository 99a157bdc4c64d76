"""The way out of the texts of recorded requests: with what they quote, with their thread, and when they are too many.

All inside a transaction of whoever removes what they quote.
"""

import json
import sqlite3
import zlib
from collections.abc import Iterator, Sequence

from desktop.conversation.request_records import DERIVED, MOST_BYTES, PieceKind
from desktop.storage.rows import placeholders
from desktop.storage.search_text import fold

_AT_ONCE = 400
_SCANNED = (*DERIVED, PieceKind.BODY)


def forget_items(connection: sqlite3.Connection, numbers: Sequence[int]) -> None:
    """Drop the texts that hold remembered items, before these go."""
    rows = connection.execute(
        f"SELECT id, text FROM memory_items WHERE seq IN ({placeholders(numbers)})", numbers
    ).fetchall()
    forget_quoted(connection, [f"fact:{item_id}" for item_id, _ in rows])
    forget_words(connection, [text for _, text in rows])


def forget_messages(connection: sqlite3.Connection, numbers: Sequence[int]) -> None:
    """Drop the texts that quote messages in other threads, before these go."""
    rows = connection.execute(f"SELECT id FROM messages WHERE seq IN ({placeholders(numbers)})", numbers)
    forget_quoted(connection, [f"message:{message_id}" for (message_id,) in rows])


def forget_quoted(connection: sqlite3.Connection, quoted: Sequence[str]) -> None:
    """Drop the texts that quote one of these (``fact:ID``, ``message:ID``), before it goes."""
    for some in _pieces(quoted):
        connection.execute(
            "UPDATE request_pieces SET body = NULL, digest = NULL WHERE seq IN"
            f" (SELECT piece_seq FROM request_quotes WHERE quoted IN ({placeholders(some)}))",
            some,
        )


def forget_words(connection: sqlite3.Connection, texts: Sequence[str]) -> None:
    """Drop what the app made of memory and what holds one of these texts, as a summary may that says what an item says."""
    wanted = [words for text in texts if (words := _normal(text))]
    if not wanted:
        return
    rows = connection.execute(
        f"SELECT seq, body FROM request_pieces WHERE body IS NOT NULL AND kind IN ({placeholders(_SCANNED)})",
        [kind.value for kind in _SCANNED],
    )
    held = [seq for seq, body in rows if any(words in said for said in [_normal(text_of(body))] for words in wanted)]
    for some in _pieces(held):
        connection.execute(
            f"UPDATE request_pieces SET body = NULL, digest = NULL WHERE seq IN ({placeholders(some)})", some
        )


def remove_some(connection: sqlite3.Connection, thread_seq: int) -> bool:
    """Delete some of the pieces of a thread that is purged; False when none is left."""
    return (
        connection.execute(
            "DELETE FROM request_pieces WHERE seq IN (SELECT seq FROM request_pieces WHERE thread_seq = ? LIMIT ?)",
            (thread_seq, _AT_ONCE),
        ).rowcount
        > 0
    )


def prune(connection: sqlite3.Connection, *, before: int, most_bytes: int = MOST_BYTES) -> None:
    """Keep only figures of requests that were sent ``before``, and of the oldest beyond ``most_bytes``."""
    total, cut = 0, 0
    rows = connection.execute("SELECT seq, sent_at, bytes FROM requests WHERE has_texts = 1 ORDER BY seq DESC")
    for seq, sent_at, size in rows:
        total += size
        if sent_at < before or total > most_bytes:
            cut = seq
            break
    if not cut:
        return
    threads = connection.execute(
        "SELECT DISTINCT thread_seq FROM requests WHERE has_texts = 1 AND seq <= ?", (cut,)
    ).fetchall()
    for (thread_seq,) in threads:
        kept = connection.execute(
            "SELECT figures FROM requests WHERE thread_seq = ? AND has_texts = 1 AND seq > ?", (thread_seq, cut)
        )
        used = {number for (figures,) in kept for number in numbers_in(json.loads(text_of(figures)))}
        here = connection.execute(
            "SELECT seq FROM request_pieces WHERE thread_seq = ? AND body IS NOT NULL", (thread_seq,)
        ).fetchall()
        connection.executemany(
            "UPDATE request_pieces SET body = NULL, digest = NULL WHERE seq = ?",
            [(seq,) for (seq,) in here if seq not in used],
        )
    connection.execute("UPDATE requests SET has_texts = 0 WHERE has_texts = 1 AND seq <= ?", (cut,))


def numbers_in(figures: dict[str, list[object]]) -> Iterator[int]:
    """Return the numbers of the pieces that the figures of a request refer to."""
    for message in figures["messages"]:
        assert isinstance(message, list)
        yield from message[2]
    for name in ("tools", "http"):
        yield from (number for number in figures[name] if isinstance(number, int))


def packed(text: str) -> bytes:
    return zlib.compress(text.encode("utf-8", "surrogatepass"))


def text_of(body: bytes) -> str:
    return zlib.decompress(body).decode("utf-8", "surrogatepass")


def _normal(text: str) -> str:
    """Words only, also where they stand in JSON."""
    return " ".join(fold(text.replace("\\n", " ").replace("\\", "")).split())


def _pieces(values: Sequence[object]) -> Iterator[Sequence[object]]:
    for start in range(0, len(values), _AT_ONCE):
        yield values[start : start + _AT_ONCE]
