"""The way out of the texts of recorded requests: with what they quote, with their thread, and when they are too many.

All inside a transaction of whoever removes what they quote.
"""

import json
import sqlite3
import zlib
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any

from desktop.conversation.request_records import DERIVED, MOST_BYTES, PieceKind, Purpose
from desktop.core.token_count import TOKENS_OF_MESSAGE
from desktop.storage.rows import placeholders
from desktop.storage.search_text import fold

_AT_ONCE = 400
_MOST_PRUNED = 200
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


def lose_message(
    connection: sqlite3.Connection, thread_seq: int, message_id: str, *, after: int, names: Set[str]
) -> int:
    """Drop what the requests of its own thread hold of a message, and the ``names`` of its files; return of how many.

    A request for anything but an answer, sent ``after`` it, does not say what it holds of it: all of its texts go.
    """
    touched = 0
    lost: set[int] = set()
    rows = connection.execute("SELECT seq, figures FROM requests WHERE thread_seq = ?", (thread_seq,)).fetchall()
    for seq, packed_figures in rows:
        figures = json.loads(text_of(packed_figures))
        numbers = _numbers_of(figures, message_id) if seq > after else []
        if numbers:
            touched += 1
            lost.update(numbers)
        if _without_names(figures, names):
            text = packed(json.dumps(figures, ensure_ascii=False, separators=(",", ":")))
            connection.execute("UPDATE requests SET figures = ? WHERE seq = ?", (text, seq))
    for some in _pieces(sorted(lost)):
        kept = connection.execute(
            f"SELECT seq, kind, figures FROM request_pieces WHERE seq IN ({placeholders(some)})", some
        ).fetchall()
        for seq, kind, text in kept:
            figures = json.loads(text)
            if kind in (PieceKind.IMAGE, PieceKind.TEXT):
                figures |= {"name": "", "detail": ""}
            connection.execute(
                "UPDATE request_pieces SET body = NULL, digest = NULL, figures = ? WHERE seq = ?",
                (json.dumps(figures, ensure_ascii=False, separators=(",", ":")), seq),
            )
    _remove_unused(connection, thread_seq)
    return touched


def _numbers_of(figures: Mapping[str, Any], message_id: str) -> list[int]:
    """The pieces that may hold something of a message."""
    sent = figures.get("messages", ())
    held = [number for _, origins, numbers in sent if message_id in origins for number in numbers]
    if figures.get("purpose", Purpose.ANSWER) != Purpose.ANSWER:
        held = [number for *_, numbers in sent for number in numbers]
    return [*held, *figures.get("http", ())] if held else []


def _without_names(figures: dict[str, Any], names: Set[str]) -> bool:
    """Take the names out of what is said to have been left out; True where there were any."""
    changed = False
    for each in figures.get("left_out", ()):
        kept = [name for name in each["names"] if name not in names]
        changed |= len(kept) < len(each["names"])
        each["names"] = kept
    return changed


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


def prune(connection: sqlite3.Connection, *, before: int, most_bytes: int = MOST_BYTES) -> bool:
    """Keep only sums of requests that were sent ``before``, and of the oldest beyond ``most_bytes``.

    Of many at once only the oldest are pruned, and True is returned.
    """
    total, cut = 0, 0
    rows = connection.execute(
        "SELECT seq, sent_at, bytes + length(figures) FROM requests WHERE has_texts = 1 ORDER BY seq DESC"
    )
    for seq, sent_at, size in rows:
        total += size
        if sent_at < before or total > most_bytes:
            cut = seq
            break
    old = connection.execute(
        "SELECT seq, thread_seq, figures FROM requests WHERE has_texts = 1 AND seq <= ? ORDER BY seq LIMIT ?",
        (cut, _MOST_PRUNED),
    ).fetchall()
    for seq, _, figures in old:
        connection.execute(
            "UPDATE requests SET figures = ?, has_texts = 0 WHERE seq = ?",
            (_summed(connection, json.loads(text_of(figures))), seq),
        )
    for thread_seq in {thread_seq for _, thread_seq, _ in old}:
        _remove_unused(connection, thread_seq)
    return len(old) == _MOST_PRUNED


def _summed(connection: sqlite3.Connection, figures: dict[str, Any]) -> bytes:
    """Return the figures of a request with sums in place of its pieces."""
    pieces: dict[int, tuple[str, dict[str, Any]]] = {}
    for some in _pieces(list(numbers_in(figures))):
        query = f"SELECT seq, kind, figures FROM request_pieces WHERE seq IN ({placeholders(some)})"
        pieces.update((seq, (kind, json.loads(text))) for seq, kind, text in connection.execute(query, some))
    sums: dict[str, list[int]] = {}

    def add(kind: str, count: int, size: int, tokens: int) -> None:
        before = sums.get(kind, [0, 0, 0])
        sums[kind] = [before[0] + count, before[1] + size, before[2] + tokens]

    for _, _, numbers in figures.pop("messages"):
        first = pieces[numbers[0]][0] if numbers else PieceKind.TEXT.value
        add(first, 0, 0, TOKENS_OF_MESSAGE)
        for kind, of_piece in (pieces[number] for number in numbers):
            add(kind, 1, of_piece["size"], of_piece["tokens"])
    for kind, of_piece in (pieces[number] for number in figures.pop("tools")):
        add(kind, 1, of_piece["size"], of_piece["tokens"])
    del figures["http"]
    figures["sums"] = [[kind, *values] for kind, values in sums.items()]
    return packed(json.dumps(figures, ensure_ascii=False, separators=(",", ":")))


def _remove_unused(connection: sqlite3.Connection, thread_seq: int) -> None:
    """Delete the pieces that no request of the thread refers to any more."""
    kept = connection.execute("SELECT figures FROM requests WHERE thread_seq = ?", (thread_seq,))
    used = {number for (figures,) in kept for number in numbers_in(json.loads(text_of(figures)))}
    here = connection.execute("SELECT seq FROM request_pieces WHERE thread_seq = ?", (thread_seq,)).fetchall()
    connection.executemany("DELETE FROM request_pieces WHERE seq = ?", [row for row in here if row[0] not in used])


def numbers_in(figures: Mapping[str, Any]) -> Iterator[int]:
    """Return the numbers of the pieces that the figures of a request refer to; none where only sums are left."""
    for _, _, numbers in figures.get("messages", ()):
        yield from numbers
    for name in ("tools", "http"):
        yield from figures.get(name, ())


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
