"""The vectors of passages as rows, those that are missing, and what the index of vectors has not followed yet."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from desktop.memory.entities import Passage, PassageKind
from desktop.memory.ports import Vector, VectorChange, key_of, kind_of
from desktop.storage import indexes, passage_rows, vector_codec
from desktop.storage.passage_rows import Tables
from desktop.storage.rows import placeholders

_COUNTS: Mapping[PassageKind, str] = {
    PassageKind.FACT: "r.status = 'active'",
    PassageKind.MESSAGE: "EXISTS (SELECT 1 FROM threads AS t"
    " WHERE t.seq = r.thread_seq AND t.deleted_at IS NULL AND t.is_temporary = 0)",
    PassageKind.DOCUMENT: "EXISTS (SELECT 1 FROM documents AS d JOIN document_roots AS o ON o.seq = d.root_seq"
    " WHERE d.seq = r.document_seq AND d.state <> 'gone' AND o.removed_at IS NULL)",
}
"""Which rows (as ``r``) are worth a vector now."""


def embedder_number(connection: sqlite3.Connection, embedder_id: str) -> int:
    """Return the number of an embedder; -1 for one of which there are no vectors."""
    row = connection.execute("SELECT seq FROM embedders WHERE id = ?", (embedder_id,)).fetchone()
    return row[0] if row else -1


def read(connection: sqlite3.Connection, tables: Tables, ids: Sequence[str], embedder: int) -> dict[str, Vector]:
    """Return the vectors that there are, by the ids of their passages."""
    numbers = passage_rows.numbers_of(connection, tables, ids)
    found: dict[str, Vector] = {}
    for chunk in passage_rows.chunks(list(numbers)):
        rows = connection.execute(
            f"SELECT {tables.owner}, vector FROM {tables.vectors}"
            f" WHERE {tables.owner} IN ({placeholders(chunk)}) AND embedder_seq = ?",
            (*chunk, embedder),
        )
        found.update((numbers[number], vector_codec.from_bytes(stored)) for number, stored in rows.fetchall())
    return found


def missing(connection: sqlite3.Connection, tables: Tables, embedder: int, limit: int) -> list[int]:
    """Return the newest without a vector of this embedder. Those that have one are not looked at."""
    newest: list[int] = []
    for other in _others(connection, tables, embedder):
        rows = connection.execute(
            f"SELECT r.seq FROM {_by_vector(tables)} AND r.vector_of = ? AND {_COUNTS[tables.kind]}"
            f" AND NOT {_has_one(tables)} ORDER BY r.seq DESC LIMIT ?",
            (other, embedder, limit),
        )
        newest += [row[0] for row in rows.fetchall()]
    return sorted(newest, reverse=True)[:limit]


def _others(connection: sqlite3.Connection, tables: Tables, embedder: int) -> Iterator[int]:
    """Return which other embedders made the newest vector of some passage, 0 where there is one without any.

    As many steps as there are of them: the passages are not gone through.
    """
    query, last = f"SELECT min(r.vector_of) FROM {_by_vector(tables)} AND r.vector_of > ?", -1
    while (row := connection.execute(query, (last,)).fetchone()) != (None,):
        (last,) = row
        if last != embedder:
            yield last


def _by_vector(tables: Tables) -> str:
    return f"{tables.rows} AS r INDEXED BY {tables.rows}_by_vector WHERE {tables.is_indexed}"


def _has_one(tables: Tables) -> str:
    """The condition that a row (as ``r``) has a vector of the embedder that is given."""
    return f"EXISTS (SELECT 1 FROM {tables.vectors} AS v WHERE v.{tables.owner} = r.seq AND v.embedder_seq = ?)"


def put(
    connection: sqlite3.Connection,
    tables: Tables,
    embedder: int,
    vectors: Sequence[tuple[Passage, bytes]],
    *,
    is_asked: bool,
) -> None:
    """Keep vectors of passages that still say the same; where the embedder is asked, the index is to follow."""
    given = {passage.id: (passage, vector) for passage, vector in vectors if passage.kind is tables.kind}
    now = passage_rows.passages(connection, tables, list(passage_rows.numbers_of(connection, tables, list(given))))
    kept: dict[int, bytes] = {}
    for number, passage in now.items():
        embedded, vector = given[passage.id]
        if (passage.text, passage.before) == (embedded.text, embedded.before):
            kept[number] = vector
    connection.executemany(
        f"INSERT OR REPLACE INTO {tables.vectors} ({tables.owner}, embedder_seq, vector) VALUES (?, ?, ?)",
        [(number, embedder, vector) for number, vector in kept.items()],
    )
    connection.executemany(
        f"UPDATE {tables.rows} SET vector_of = ? WHERE seq = ?", [(embedder, number) for number in kept]
    )
    if is_asked:
        indexes.note_changes(connection, [key_of(tables.kind, now[number].id) for number in kept], erases=False)


def keys_after(connection: sqlite3.Connection, embedder: int, key: str, limit: int) -> list[str]:
    """Return the keys of vectors of an embedder in their order, from behind ``key`` on."""
    return [found for found, *_ in _after(connection, embedder, key, limit, "r.id")]


def after(connection: sqlite3.Connection, embedder: int, key: str, limit: int) -> list[tuple[str, Vector]]:
    """Return keys and vectors in the order of their keys, from behind ``key`` on."""
    rows = _after(connection, embedder, key, limit, "r.id, v.vector")
    return [(found, vector_codec.from_bytes(stored)) for found, stored in rows]


def _after(connection: sqlite3.Connection, embedder: int, key: str, limit: int, columns: str) -> list[tuple[Any, ...]]:
    found: list[tuple[Any, ...]] = []
    for tables in passage_rows.ALL:
        begin = key_of(tables.kind, "")
        if key > begin and not key.startswith(begin):
            continue  # the key belongs to a later kind
        rows = connection.execute(
            f"SELECT {columns} FROM {tables.rows} AS r JOIN {tables.vectors} AS v"
            f" ON v.{tables.owner} = r.seq AND v.embedder_seq = ? WHERE r.id > ? ORDER BY r.id LIMIT ?",
            (embedder, key.removeprefix(begin) if key.startswith(begin) else "", limit - len(found)),
        )
        found += [(key_of(tables.kind, row_id), *more) for row_id, *more in rows]
    return found


def changes(connection: sqlite3.Connection, embedder: int, limit: int) -> list[VectorChange]:
    """Return what the index has not followed yet, the oldest first."""
    rows = connection.execute("SELECT key, number, erases FROM vector_changes ORDER BY number, key LIMIT ?", (limit,))
    noted: list[tuple[str, int, int]] = rows.fetchall()
    now: dict[str, Vector] = {}
    for kind in PassageKind:
        ids = [key.partition(":")[2] for key, *_ in noted if kind_of(key) is kind]
        vectors = read(connection, passage_rows.tables_of(kind), ids, embedder)
        now.update((key_of(kind, passage_id), vector) for passage_id, vector in vectors.items())
    return [VectorChange(key, number, now.get(key), bool(erases)) for key, number, erases in noted]


def progress(connection: sqlite3.Connection, embedder: int) -> tuple[int, int]:
    """Return how many passages have a vector of this embedder, and how many are to have one."""
    done = waiting = 0
    for tables in passage_rows.ALL:
        count = f"SELECT count(*) FROM {_by_vector(tables)} AND r.vector_of = ?"
        done += connection.execute(count, (embedder,)).fetchone()[0]
        for other in _others(connection, tables, embedder):
            if other:  # else they have none
                values = (other, embedder)
                done += connection.execute(f"{count} AND {_has_one(tables)}", values).fetchone()[0]
            query = f"{count} AND {_COUNTS[tables.kind]} AND NOT {_has_one(tables)}"
            waiting += connection.execute(query, (other, embedder)).fetchone()[0]
    return done, done + waiting


def remove_others(connection: sqlite3.Connection, embedder: int, limit: int) -> bool:
    """Remove some of the vectors of all other embedders; False when none is left."""
    if connection.execute("SELECT 1 FROM embedders WHERE seq <> ? LIMIT 1", (embedder,)).fetchone() is None:
        return False
    for tables in passage_rows.ALL:
        rows = connection.execute(
            f"SELECT {tables.owner} FROM {tables.vectors} WHERE embedder_seq <> ? LIMIT ?", (embedder, limit)
        ).fetchall()
        if rows:
            numbers = [row[0] for row in rows]
            connection.executemany(
                f"DELETE FROM {tables.vectors} WHERE {tables.owner} = ? AND embedder_seq <> ?",
                [(number, embedder) for number in numbers],
            )
            # Of whom a row says to have a vector must be true: those that have one are not looked at for a missing one.
            has_one = (
                f"EXISTS (SELECT 1 FROM {tables.vectors} AS v WHERE v.{tables.owner} = seq AND v.embedder_seq = ?)"
            )
            connection.executemany(
                f"UPDATE {tables.rows} SET vector_of = CASE WHEN {has_one} THEN ? ELSE 0 END WHERE seq = ?",
                [(embedder, embedder, number) for number in numbers],
            )
            return True
    connection.execute("DELETE FROM embedders WHERE seq <> ?", (embedder,))
    return False
