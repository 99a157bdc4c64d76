"""Finds passages by the words that they share with a question, best first; all inside a transaction."""

import sqlite3
from collections.abc import Callable, Sequence
from typing import TypeVar

from desktop.memory.entities import RecallScope
from desktop.memory.ports import WordHit
from desktop.storage import passage_rows
from desktop.storage.failures import INDEX_FAILURES, is_environment
from desktop.storage.message_tree import ShownPaths
from desktop.storage.passage_rows import DOCUMENTS, MESSAGES, Tables
from desktop.storage.recall_text import to_fts
from desktop.storage.rows import placeholders

T = TypeVar("T")

_LOOKED_AT = 50
"""How many hits are looked at beyond those that are wanted and those that cannot count, before ten times as many are."""
_COMPARED = 10
"""Of how many hits it is known which part of the question they share."""
_MANY = 10_000
"""Of passages that hold a word: to rank them all takes longer than all else."""


class WrongIndexError(Exception):
    """The index is damaged, or named a row that is not in it: it is to be begun anew."""


def find(
    connection: sqlite3.Connection,
    tables: Tables,
    terms: Sequence[str],
    limit: int,
    scope: RecallScope,
    shown: ShownPaths,
    *,
    phrases: Sequence[str] = (),
) -> list[WordHit]:
    """Return what holds any of the terms, which counts for more where they stand in phrases. Raises ``WrongIndexError``."""
    telling = [*phrases, *_checked(lambda: _telling(connection, tables, terms))]
    looked_at = limit + len(scope.sent) + _LOOKED_AT
    while True:
        scores = _checked(lambda most=looked_at: _ranked(connection, tables, telling, most, scope))
        _require_indexed(connection, tables, list(scores))
        allowed = passage_rows.allowed(connection, tables, list(scores), scope, shown)
        if len(allowed) >= limit or len(scores) < looked_at:
            break
        looked_at *= 10
    best = allowed[:limit]
    shared = _checked(lambda: _shared(connection, tables, terms, best[:_COMPARED]))
    rows = connection.execute(f"SELECT seq, id FROM {tables.rows} WHERE seq IN ({placeholders(best)})", best)
    ids: dict[int, str] = dict(rows.fetchall())
    return [WordHit(ids[number], scores[number], shared.get(number, 0.0)) for number in best]


def _telling(connection: sqlite3.Connection, tables: Tables, terms: Sequence[str]) -> list[str]:
    """Return the terms without words that many passages hold, and more than half of all, unless there are no others: BM25
    counts those for nothing, yet would go through all that hold them."""
    table = tables.index.table
    query = f"SELECT count(*) FROM {table} WHERE {table} MATCH ?"
    held = {term: connection.execute(query, (to_fts([term]),)).fetchone()[0] for term in terms if " " not in term}
    if max(held.values(), default=0) <= _MANY:
        return list(terms)
    half = passage_rows.count(connection, tables) / 2
    return [term for term in terms if held.get(term, 0) <= max(half, _MANY)] or list(terms)


def _ranked(
    connection: sqlite3.Connection, tables: Tables, terms: Sequence[str], most: int, scope: RecallScope
) -> dict[int, float]:
    within: str = ""
    values: tuple[str | None, ...] = ()
    if scope.only_this_thread and tables is MESSAGES:
        within = (
            " AND rowid IN (SELECT m.seq FROM messages AS m JOIN threads AS t ON t.seq = m.thread_seq WHERE t.id = ?)"
        )
        values = (scope.thread_id,)
    elif scope.only_assistant and tables is MESSAGES:
        within = (
            " AND rowid IN (SELECT m.seq FROM messages AS m JOIN threads AS t ON t.seq = m.thread_seq"
            " WHERE t.assistant_id = ?)"
        )
        values = (scope.only_assistant,)
    elif scope.only_this_thread and tables is DOCUMENTS:
        within = (
            " AND rowid IN (SELECT p.seq FROM document_roots AS r JOIN documents AS d ON d.root_seq = r.seq"
            " JOIN document_pieces AS p ON p.document_seq = d.seq WHERE r.only_thread_id = ?)"
        )
        values = (scope.thread_id,)
    table = tables.index.table
    rank = f"bm25({', '.join(map(str, tables.weights))})"
    rows = connection.execute(
        f"SELECT rowid, -rank FROM {table} WHERE {table} MATCH ? AND rank MATCH '{rank}'{within} ORDER BY rank LIMIT ?",
        (to_fts(terms), *values, most),
    )
    return dict(rows.fetchall())


def _require_indexed(connection: sqlite3.Connection, tables: Tables, numbers: Sequence[int]) -> None:
    indexed = 0
    for chunk in passage_rows.chunks(numbers):
        query = (
            f"SELECT count(*) FROM {tables.rows} AS r WHERE r.seq IN ({placeholders(chunk)}) AND {tables.is_indexed}"
        )
        indexed += connection.execute(query, chunk).fetchone()[0]
    if indexed != len(numbers):
        raise WrongIndexError


def _shared(
    connection: sqlite3.Connection, tables: Tables, terms: Sequence[str], numbers: Sequence[int]
) -> dict[int, float]:
    table = tables.index.table
    held = dict.fromkeys(numbers, 0)
    for term in terms:
        rows = connection.execute(
            f"SELECT rowid FROM {table} WHERE {table} MATCH ? AND rowid IN ({placeholders(numbers)})",
            (to_fts([term]), *numbers),
        )
        for (number,) in rows:
            held[number] += 1
    return {number: count / len(terms) for number, count in held.items()}


def _checked(look: Callable[[], T]) -> T:
    try:
        return look()
    except INDEX_FAILURES as error:
        if is_environment(error):
            raise
        raise WrongIndexError from error
