"""The rows of what can be recalled, messages, remembered items and documents: read as passages, and which of them count."""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import TypeVar

from desktop.memory.entities import Passage, PassageKind, Place, RecallScope
from desktop.storage import recall_index
from desktop.storage.full_text import FullTextIndex
from desktop.storage.message_tree import ShownPaths, branched_with, on_way_to
from desktop.storage.rows import clean, from_microseconds, placeholders

T = TypeVar("T")

_AT_ONCE = 400


@dataclass(frozen=True)
class Tables:
    """Where passages of a kind stand."""

    kind: PassageKind
    index: FullTextIndex
    weights: tuple[float, ...]
    """Of the columns of the index."""
    vectors: str
    owner: str
    """The column of ``vectors`` that refers to the row of the passage."""

    @property
    def rows(self) -> str:
        return self.index.rows_of

    @property
    def is_indexed(self) -> str:
        """The condition that a row (as ``r``) is in the index."""
        return f"r.{self.index.flag} = 1"


FACTS = Tables(PassageKind.FACT, recall_index.FACTS, recall_index.WEIGHTS[:1], "item_vectors", "item_seq")
MESSAGES = Tables(PassageKind.MESSAGE, recall_index.MESSAGES, recall_index.WEIGHTS, "message_vectors", "message_seq")
DOCUMENTS = Tables(PassageKind.DOCUMENT, recall_index.DOCUMENTS, recall_index.WEIGHTS, "piece_vectors", "piece_seq")
ALL = (DOCUMENTS, FACTS, MESSAGES)
"""In the order of their keys."""
BY_URGENCY = (FACTS, MESSAGES, DOCUMENTS)
"""In the order in which they get their vectors: a folder of documents is long, and what is said is wanted soon."""


def tables_of(kind: PassageKind) -> Tables:
    return next(tables for tables in ALL if tables.kind is kind)


def numbers_of(connection: sqlite3.Connection, tables: Tables, ids: Sequence[str]) -> dict[int, str]:
    """Return the numbers of what is indexed, by which it goes inside the file, with the ids."""
    found: dict[int, str] = {}
    for chunk in chunks([clean(passage_id) for passage_id in ids]):
        query = (
            f"SELECT r.seq, r.id FROM {tables.rows} AS r WHERE r.id IN ({placeholders(chunk)}) AND {tables.is_indexed}"
        )
        found.update(connection.execute(query, chunk).fetchall())
    return found


def count(connection: sqlite3.Connection, tables: Tables) -> int:
    """Return how many are indexed."""
    query = f"SELECT count(*) FROM {tables.rows} AS r INDEXED BY {tables.rows}_by_vector WHERE {tables.is_indexed}"
    return connection.execute(query).fetchone()[0]


def allowed(
    connection: sqlite3.Connection, tables: Tables, numbers: Sequence[int], scope: RecallScope, shown: ShownPaths
) -> list[int]:
    """Return those that may be recalled in this scope, in the same order."""
    look = _ALLOWED[tables.kind]
    found = {number for chunk in chunks(numbers) for number in look(connection, chunk, scope, shown)}
    return [number for number in numbers if number in found]


def _allowed_messages(
    connection: sqlite3.Connection, numbers: Sequence[int], scope: RecallScope, shown: ShownPaths
) -> Iterable[int]:
    rows = connection.execute(
        "SELECT m.seq, m.id, t.id, t.assistant_id FROM messages AS m JOIN threads AS t ON t.seq = m.thread_seq"
        f" WHERE m.seq IN ({placeholders(numbers)})"
        " AND m.deleted_at IS NULL AND t.deleted_at IS NULL AND t.is_purging = 0 AND t.is_temporary = 0",
        numbers,
    ).fetchall()
    in_scope = {
        seq: thread_id
        for seq, message_id, thread_id, assistant_id in rows
        if message_id not in scope.sent
        and (not scope.only_this_thread or thread_id == scope.thread_id)
        and (not scope.only_assistant or assistant_id == scope.only_assistant)
    }
    if scope.beside_path:
        return in_scope
    akin = branched_with(connection, scope.thread_id or "")
    if scope.asked:
        akin.add(scope.thread_id or "")
    own = [seq for seq, thread_id in in_scope.items() if scope.asked and thread_id == scope.thread_id]
    others = [seq for seq, thread_id in in_scope.items() if thread_id not in akin]
    return {*on_way_to(connection, scope.asked, own), *shown.among(connection, others)}


def _allowed_facts(
    connection: sqlite3.Connection, numbers: Sequence[int], scope: RecallScope, _shown: ShownPaths
) -> Iterable[int]:
    rows = connection.execute(
        "SELECT seq, only_thread_id, source_thread_id, (SELECT t.assistant_id FROM threads AS t"
        " WHERE t.id = coalesce(only_thread_id, source_thread_id)) FROM memory_items"
        f" WHERE seq IN ({placeholders(numbers)}) AND status = 'active'",
        numbers,
    ).fetchall()
    return [
        seq
        for seq, only_in, came_from, assistant_id in rows
        if only_in in (None, scope.thread_id)
        and (not scope.only_assistant or assistant_id == scope.only_assistant)
        and (not scope.only_this_thread or (scope.thread_id is not None and scope.thread_id in (only_in, came_from)))
    ]


def _allowed_pieces(
    connection: sqlite3.Connection, numbers: Sequence[int], scope: RecallScope, _shown: ShownPaths
) -> Iterable[int]:
    rows = connection.execute(
        "SELECT p.seq, r.only_thread_id FROM document_pieces AS p JOIN documents AS d ON d.seq = p.document_seq"
        f" JOIN document_roots AS r ON r.seq = d.root_seq WHERE p.seq IN ({placeholders(numbers)})"
        " AND d.state <> 'gone' AND r.removed_at IS NULL",
        numbers,
    ).fetchall()
    return [
        seq
        for seq, only_in in rows
        if (only_in is None and not scope.only_this_thread) or (only_in is not None and only_in == scope.thread_id)
    ]


def passages(connection: sqlite3.Connection, tables: Tables, numbers: Sequence[int]) -> dict[int, Passage]:
    """Return what stands in the rows."""
    read = _READ[tables.kind]
    found: dict[int, Passage] = {}
    for chunk in chunks(numbers):
        found.update(read(connection, chunk))
    return found


def _messages(connection: sqlite3.Connection, numbers: Sequence[int]) -> dict[int, Passage]:
    spoken = recall_index.spoken(connection, numbers)
    rows = connection.execute(
        "SELECT m.seq, m.id, m.role, t.id FROM messages AS m JOIN threads AS t ON t.seq = m.thread_seq"
        f" WHERE m.seq IN ({placeholders(numbers)})",
        numbers,
    )
    found: dict[int, Passage] = {}
    for seq, message_id, role, thread_id in rows:
        if (said := spoken.get(seq)) is not None:
            text, at, before = said
            found[seq] = Passage(
                kind=PassageKind.MESSAGE,
                id=message_id,
                text=text,
                at=from_microseconds(at),
                thread_id=thread_id,
                speaker=role,
                before=before,
            )
    return found


def _facts(connection: sqlite3.Connection, numbers: Sequence[int]) -> dict[int, Passage]:
    rows = connection.execute(
        "SELECT seq, id, text, observed_at, coalesce(source_thread_id, only_thread_id, '') FROM memory_items"
        f" WHERE seq IN ({placeholders(numbers)})",
        numbers,
    )
    return {
        seq: Passage(kind=PassageKind.FACT, id=item_id, text=text, at=from_microseconds(at), thread_id=thread_id)
        for seq, item_id, text, at, thread_id in rows
    }


def _pieces(connection: sqlite3.Connection, numbers: Sequence[int]) -> dict[int, Passage]:
    rows = connection.execute(
        "SELECT p.seq, p.id, p.text, p.headings, p.place, p.number, d.path, coalesce(d.read_at, r.added_at),"
        " coalesce(r.only_thread_id, '') FROM document_pieces AS p JOIN documents AS d ON d.seq = p.document_seq"
        f" JOIN document_roots AS r ON r.seq = d.root_seq WHERE p.seq IN ({placeholders(numbers)})",
        numbers,
    )
    return {
        seq: Passage(
            kind=PassageKind.DOCUMENT,
            id=piece_id,
            text=text,
            at=from_microseconds(at),
            thread_id=thread_id,
            before=recall_index.above(path, headings),
            source=PurePath(path).name,
            place=to_place(headings, place, number),
        )
        for seq, piece_id, text, headings, place, number, path, at, thread_id in rows
    }


def from_place(place: Place) -> tuple[str, str]:
    """Return how headings and numbers of a place stand in a row."""
    numbers = [place.first_page, place.last_page, place.first_line, place.last_line]
    return "\n".join(place.headings), json.dumps(numbers)


def to_place(headings: str, numbers: str, number: int) -> Place:
    first_page, last_page, first_line, last_line = json.loads(numbers)
    return Place(
        headings=tuple(headings.split("\n")) if headings else (),
        first_page=first_page,
        last_page=last_page,
        first_line=first_line,
        last_line=last_line,
        part=number + 1,
    )


_ALLOWED = {
    PassageKind.FACT: _allowed_facts,
    PassageKind.MESSAGE: _allowed_messages,
    PassageKind.DOCUMENT: _allowed_pieces,
}
_READ = {PassageKind.FACT: _facts, PassageKind.MESSAGE: _messages, PassageKind.DOCUMENT: _pieces}


def chunks(values: Sequence[T]) -> Iterable[Sequence[T]]:
    """Return the values in portions that a statement takes."""
    return (values[start : start + _AT_ONCE] for start in range(0, len(values), _AT_ONCE))
