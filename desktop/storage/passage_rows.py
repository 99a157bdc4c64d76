"""The rows of what can be recalled, messages and remembered items: read as passages, and which of them count."""

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from desktop.memory.entities import Passage, PassageKind, RecallScope
from desktop.storage import recall_index
from desktop.storage.full_text import FullTextIndex
from desktop.storage.message_tree import on_shown_path
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


FACTS = Tables(PassageKind.FACT, recall_index.FACTS, (1.0,), "item_vectors", "item_seq")
MESSAGES = Tables(PassageKind.MESSAGE, recall_index.MESSAGES, recall_index.WEIGHTS, "message_vectors", "message_seq")
ALL = (FACTS, MESSAGES)
"""In the order of their keys."""


def tables_of(kind: PassageKind) -> Tables:
    return FACTS if kind is PassageKind.FACT else MESSAGES


def numbers_of(connection: sqlite3.Connection, tables: Tables, ids: Sequence[str]) -> dict[int, str]:
    """Return the numbers of what is indexed, by which it goes inside the file, with the ids."""
    found: dict[int, str] = {}
    for chunk in chunks([clean(passage_id) for passage_id in ids]):
        query = (
            f"SELECT r.seq, r.id FROM {tables.rows} AS r WHERE r.id IN ({placeholders(chunk)}) AND {tables.is_indexed}"
        )
        found.update(connection.execute(query, chunk).fetchall())
    return found


def allowed(connection: sqlite3.Connection, tables: Tables, numbers: Sequence[int], scope: RecallScope) -> list[int]:
    """Return those that may be recalled in this scope, in the same order."""
    look = _allowed_facts if tables is FACTS else _allowed_messages
    found = {number for chunk in chunks(numbers) for number in look(connection, chunk, scope)}
    return [number for number in numbers if number in found]


def _allowed_messages(connection: sqlite3.Connection, numbers: Sequence[int], scope: RecallScope) -> Iterable[int]:
    rows = connection.execute(
        "SELECT m.seq, m.id, t.id FROM messages AS m JOIN threads AS t ON t.seq = m.thread_seq"
        f" WHERE m.seq IN ({placeholders(numbers)})"
        " AND m.deleted_at IS NULL AND t.deleted_at IS NULL AND t.is_purging = 0",
        numbers,
    ).fetchall()
    in_scope = [
        seq
        for seq, message_id, thread_id in rows
        if message_id not in scope.sent and (not scope.only_this_thread or thread_id == scope.thread_id)
    ]
    return on_shown_path(connection, in_scope)


def _allowed_facts(connection: sqlite3.Connection, numbers: Sequence[int], scope: RecallScope) -> Iterable[int]:
    rows = connection.execute(
        f"SELECT seq, only_thread_id, source_thread_id FROM memory_items WHERE seq IN ({placeholders(numbers)})"
        " AND status = 'active'",
        numbers,
    ).fetchall()
    return [
        seq
        for seq, only_in, came_from in rows
        if only_in in (None, scope.thread_id)
        and (not scope.only_this_thread or (scope.thread_id is not None and scope.thread_id in (only_in, came_from)))
    ]


def passages(connection: sqlite3.Connection, tables: Tables, numbers: Sequence[int]) -> dict[int, Passage]:
    """Return what stands in the rows."""
    read = _facts if tables is FACTS else _messages
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


def chunks(values: Sequence[T]) -> Iterable[Sequence[T]]:
    """Return the values in portions that a statement takes."""
    return (values[start : start + _AT_ONCE] for start in range(0, len(values), _AT_ONCE))
