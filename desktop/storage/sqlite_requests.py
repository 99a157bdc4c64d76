"""What was sent to models, in SQLite: the ``RequestRecords`` of the app."""

import asyncio
import dataclasses
import hashlib
import json
import sqlite3
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from desktop.conversation.request_records import (
    KEPT_DAYS,
    MOST_BYTES,
    LeftOut,
    LeftOutKind,
    Outcome,
    Piece,
    PieceKind,
    PieceSum,
    Purpose,
    RequestRecord,
    RequestRecords,
    SentMessage,
)
from desktop.core.clock import Clock, utc_now
from desktop.core.errors import StorageError
from desktop.core.language_model import Sampling, Usage
from desktop.core.thinking_effort import ThinkingEffort
from desktop.storage import message_tree, request_texts
from desktop.storage.database import Database
from desktop.storage.request_texts import packed, text_of
from desktop.storage.rows import (
    clean,
    from_microseconds,
    next_number,
    placeholders,
    recall_from_json,
    to_microseconds,
    unreadable,
)

_PRUNED_EVERY = 50
_AT_ONCE = 400
_PIECE_FIGURES = ("name", "detail", "size", "tokens", "quotes")
_Packed = tuple[Piece, bytes, bytes]
"""With its digest and its body, which are empty for a piece without a text."""


class SqliteRequestRecords(RequestRecords):
    """See ``conversation.request_records.RequestRecords``."""

    def __init__(self, database: Database, *, clock: Clock = utc_now, most_bytes: int = MOST_BYTES) -> None:
        self._database = database
        self._clock = clock
        self._most_bytes = most_bytes
        self._until_pruned = 1

    async def add(self, record: RequestRecord) -> None:
        pieces = [*record.pieces, *record.http]
        digests = await asyncio.to_thread(lambda: [_digest(piece) for piece in pieces])
        known = await self._database.read(lambda connection: _known(connection, record.thread_id, digests))
        ready = await asyncio.to_thread(
            lambda: [
                (piece, digest, b"" if piece.text is None or digest in known else packed(piece.text))
                for piece, digest in zip(pieces, digests, strict=True)
            ]
        )
        before = to_microseconds(self._clock() - timedelta(days=KEPT_DAYS))
        self._until_pruned -= 1
        prunes = self._until_pruned <= 0
        if prunes:
            self._until_pruned = _PRUNED_EVERY

        def add(connection: sqlite3.Connection) -> bool:
            _insert(connection, record, ready)
            return prunes and request_texts.prune(connection, before=before, most_bytes=self._most_bytes)

        if await self._database.write(add, needs_room=True):
            self._until_pruned = 1  # there is more

    async def finish(self, request_id: str, outcome: Outcome) -> None:
        text = _to_json(dataclasses.asdict(outcome))
        statement = "UPDATE requests SET outcome = ? WHERE id = ?"
        await self._database.write(lambda connection: connection.execute(statement, (text, request_id)))

    async def of_answer(self, message_id: str) -> tuple[RequestRecord, ...]:
        def read(connection: sqlite3.Connection) -> tuple[list[_Row], dict[int, _PieceRow]]:
            rows = connection.execute(
                "SELECT r.id, t.id, m.id, r.sent_at, r.figures, r.outcome FROM requests AS r"
                " JOIN threads AS t ON t.seq = r.thread_seq JOIN messages AS m ON m.seq = r.answer_seq"
                " WHERE m.id = ? AND m.deleted_at IS NULL AND t.is_purging = 0 ORDER BY r.seq",
                (clean(message_id),),
            ).fetchall()
            numbers = list(
                dict.fromkeys(n for row in rows for n in request_texts.numbers_in(json.loads(text_of(row[4]))))
            )
            found: dict[int, _PieceRow] = {}
            for start in range(0, len(numbers), _AT_ONCE):
                some = numbers[start : start + _AT_ONCE]
                query = f"SELECT seq, kind, figures, body FROM request_pieces WHERE seq IN ({placeholders(some)})"
                found.update((seq, tuple(rest)) for seq, *rest in connection.execute(query, some))
            return rows, found

        rows, found = await self._database.read(read)
        return await asyncio.to_thread(_to_records, rows, found)

    async def answers_of(self, thread_id: str) -> tuple[str, ...]:
        query = (
            "SELECT m.id FROM requests AS r JOIN threads AS t ON t.seq = r.thread_seq"
            " JOIN messages AS m ON m.seq = r.answer_seq WHERE t.id = ? AND t.is_purging = 0 AND m.deleted_at IS NULL"
            " GROUP BY m.seq ORDER BY min(r.seq)"
        )
        return await self._database.read(
            lambda connection: tuple(row[0] for row in connection.execute(query, (clean(thread_id),)))
        )


_Row = tuple[str, str, str, int, bytes, str]
_PieceRow = tuple[Any, ...]
"""kind, figures, body"""


def _digest(piece: Piece) -> bytes:
    """What makes a piece the same as another one of its thread: all of it."""
    about = [piece.kind.value, piece.name, piece.detail, piece.size, piece.tokens, *sorted(piece.quotes)]
    digest = hashlib.sha256(json.dumps(about).encode())
    digest.update((piece.text or "").encode("utf-8", "surrogatepass"))
    return digest.digest()


def _known(connection: sqlite3.Connection, thread_id: str, digests: Sequence[bytes]) -> set[bytes]:
    found: set[bytes] = set()
    for start in range(0, len(digests), _AT_ONCE):
        some = digests[start : start + _AT_ONCE]
        query = (
            "SELECT p.digest FROM request_pieces AS p JOIN threads AS t ON t.seq = p.thread_seq"
            f" WHERE t.id = ? AND p.digest IN ({placeholders(some)})"
        )
        found.update(row[0] for row in connection.execute(query, (thread_id, *some)))
    return found


def _insert(connection: sqlite3.Connection, record: RequestRecord, ready: Sequence[_Packed]) -> None:
    row = connection.execute(
        "SELECT m.seq, m.thread_seq, p.id FROM messages AS m JOIN threads AS t ON t.seq = m.thread_seq"
        " JOIN messages AS p ON p.seq = m.parent_seq WHERE m.id = ? AND t.is_purging = 0",
        (record.message_id,),
    ).fetchone()
    if row is None:  # purged meanwhile
        raise StorageError("storage.thread_missing", thread_id="")
    answer_seq, thread_seq, question = row
    added = 0
    numbers: list[int] = []
    gone = _gone(connection, {quote for piece, *_ in ready for quote in piece.quotes})
    for piece, digest, body in ready:
        number, size = _piece_number(
            connection, thread_seq, piece, digest, body, is_gone=not gone.isdisjoint(piece.quotes)
        )
        numbers.append(number)
        added += size
    figures = _figures(record, numbers, _left_out(connection, record, question))
    connection.execute(
        "INSERT INTO requests (seq, id, answer_seq, thread_seq, sent_at, figures, bytes) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            next_number(connection),
            record.id,
            answer_seq,
            thread_seq,
            to_microseconds(record.sent_at),
            packed(_to_json(figures)),
            added,
        ),
    )


def _piece_number(
    connection: sqlite3.Connection, thread_seq: int, piece: Piece, digest: bytes, body: bytes, *, is_gone: bool
) -> tuple[int, int]:
    """Return the number of a piece, which is stored unless it is there, and how many bytes that took."""
    found = connection.execute(
        "SELECT seq FROM request_pieces WHERE thread_seq = ? AND digest = ?", (thread_seq, digest)
    ).fetchone()
    if found is not None:
        return found[0], 0
    if piece.text is not None and not body and not is_gone:  # its twin lost its text just now
        body = packed(piece.text)
    has_body = not is_gone and piece.text is not None
    is_known_again = has_body or piece.kind is PieceKind.IMAGE
    number = next_number(connection)
    figures = _to_json({name: getattr(piece, name) for name in _PIECE_FIGURES})
    connection.execute(
        "INSERT INTO request_pieces (seq, thread_seq, digest, kind, figures, body) VALUES (?, ?, ?, ?, ?, ?)",
        (
            number,
            thread_seq,
            digest if is_known_again else None,
            piece.kind.value,
            figures,
            body if has_body else None,
        ),
    )
    if has_body:
        connection.executemany(
            "INSERT OR IGNORE INTO request_quotes (quoted, piece_seq) VALUES (?, ?)",
            [(clean(quote), number) for quote in piece.quotes],
        )
    return number, len(figures) + (len(body) if has_body else 0)


def _gone(connection: sqlite3.Connection, quotes: set[str]) -> set[str]:
    """Return which of these were removed while the request was under way."""
    gone: set[str] = set()
    for quote in quotes:
        kind, _, key = quote.partition(":")
        query = {
            "fact": "SELECT 1 FROM memory_items WHERE id = ?",
            "message": "SELECT 1 FROM messages AS m JOIN threads AS t ON t.seq = m.thread_seq"
            " WHERE m.id = ? AND m.deleted_at IS NULL AND t.is_purging = 0",
            "document": "SELECT 1 FROM document_pieces WHERE id = ?",
        }.get(kind)
        if query is not None and connection.execute(query, (key,)).fetchone() is None:
            gone.add(quote)
    return gone


def _left_out(connection: sqlite3.Connection, record: RequestRecord, question: str) -> Sequence[LeftOut]:
    """What was left out, with the number of messages before the first one that was sent which no summary stands for."""
    if record.purpose is not Purpose.ANSWER:
        return record.left_out  # it was never to hold the chat
    origins = {origin for message in record.messages for origin in message.origins}
    path = message_tree.path_numbers(connection, record.thread_id, until=question)
    earlier = 0
    for seq in path:
        (message_id,) = connection.execute("SELECT id FROM messages WHERE seq = ?", (seq,)).fetchone()
        if message_id in origins:
            break
        earlier = 0 if message_id == record.covered_until else earlier + 1  # a summary stands for it and all before
    window = (LeftOut(kind=LeftOutKind.WINDOW, count=earlier),) if earlier else ()
    return (*window, *record.left_out)


def _figures(record: RequestRecord, numbers: Sequence[int], left_out: Sequence[LeftOut]) -> dict[str, Any]:
    places = iter(numbers)
    messages = [[m.role, list(m.origins), [next(places) for _ in m.pieces]] for m in record.messages]
    return {
        "messages": messages,
        "tools": [next(places) for _ in record.tools],
        "http": [next(places) for _ in record.http],
        "purpose": record.purpose.value,
        "step": record.step,
        "model": record.model,
        "sampling": dataclasses.asdict(record.sampling),
        "thinking": record.thinking,
        "goes_on": record.goes_on,
        "recall": None if record.recall is None else dataclasses.asdict(record.recall),
        "left_out": [dataclasses.asdict(each) for each in left_out],
        "are_tokens_guessed": record.are_tokens_guessed,
    }


def _to_records(rows: Sequence[_Row], found: Mapping[int, _PieceRow]) -> tuple[RequestRecord, ...]:
    try:
        pieces = {number: _to_piece(row) for number, row in found.items()}
        return tuple(_to_record(row, pieces) for row in rows)
    except (ValueError, KeyError, TypeError) as error:
        raise unreadable("what was sent to a model") from error


def _to_piece(row: _PieceRow) -> Piece:
    kind, figures, body = row
    fields = json.loads(figures)
    quotes = tuple(fields.pop("quotes"))
    return Piece(kind=PieceKind(kind), text=None if body is None else text_of(body), quotes=quotes, **fields)


def _to_record(row: _Row, pieces: Mapping[int, Piece]) -> RequestRecord:
    request_id, thread_id, message_id, sent_at, packed_figures, outcome = row
    figures = json.loads(text_of(packed_figures))
    recall = figures["recall"]
    return RequestRecord(
        id=request_id,
        thread_id=thread_id,
        message_id=message_id,
        purpose=Purpose(figures.get("purpose", Purpose.ANSWER)),
        step=figures["step"],
        sent_at=from_microseconds(sent_at),
        model=figures["model"],
        messages=tuple(
            SentMessage(role=role, origins=tuple(origins), pieces=tuple(pieces[number] for number in numbers))
            for role, origins, numbers in figures.get("messages", ())
        ),
        tools=tuple(pieces[number] for number in figures.get("tools", ())),
        http=tuple(pieces[number] for number in figures.get("http", ())),
        sums=tuple(
            PieceSum(kind=PieceKind(kind), count=count, size=size, tokens=tokens)
            for kind, count, size, tokens in figures.get("sums", ())
        ),
        sampling=Sampling(**figures["sampling"]),
        thinking=None if figures["thinking"] is None else ThinkingEffort(figures["thinking"]),
        goes_on=figures["goes_on"],
        recall=None if recall is None else recall_from_json(recall, recall["step"]),
        left_out=tuple(map(_to_left_out, figures["left_out"])),
        outcome=_to_outcome(outcome),
        are_tokens_guessed=figures["are_tokens_guessed"],
    )


def _to_left_out(fields: dict[str, Any]) -> LeftOut:
    return LeftOut(
        kind=LeftOutKind(fields["kind"]),
        count=fields["count"],
        names=tuple(fields["names"]),
        params=fields["params"],
    )


def _to_outcome(text: str) -> Outcome:
    if not text:
        return Outcome()
    fields = json.loads(text)
    fields["usage"] = Usage(**fields["usage"])
    fields["remarks"] = tuple(map(_to_left_out, fields["remarks"]))
    return Outcome(**fields)


def _to_json(value: Any) -> str:
    return clean(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
