"""What can be recalled, in SQLite: the ``PassageStore`` of the app, over messages, remembered items and documents."""

import logging
import secrets
import sqlite3
from collections.abc import Sequence

from desktop.memory.entities import Passage, PassageKind, RecallScope
from desktop.memory.ports import Likeness, Measured, MeasuredStore, PassageStore, Vector, VectorChange, WordHit
from desktop.storage import passage_rows, passage_vectors, passage_words, vector_codec
from desktop.storage.database import Database
from desktop.storage.message_tree import ShownPaths
from desktop.storage.passage_rows import tables_of
from desktop.storage.passage_vectors import embedder_number
from desktop.storage.recall_text import phrases_of, terms_of
from desktop.storage.rows import clean
from desktop.storage.search import catch_up

logger = logging.getLogger(__name__)

_REMOVED_AT_ONCE = 2_000
_KEYS_AT_ONCE = 5_000
_MILLION = 1_000_000
OWN_NUMBER = "own_number"


class SqlitePassageStore(PassageStore, MeasuredStore):
    """See ``memory.ports.PassageStore``. Of a thread, what its shown path goes through can be recalled."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._shown = ShownPaths()

    async def by_words(self, query: str, kind: PassageKind, limit: int, scope: RecallScope) -> list[WordHit]:
        """As in the port. An index that turns out to be wrong finds nothing until ``catch_up`` has made it anew."""
        tables = tables_of(kind)

        def find(connection: sqlite3.Connection) -> list[WordHit]:
            question = clean(query)
            terms = terms_of(question)
            if not terms or limit <= 0:
                return []
            phrases = phrases_of(question)
            return passage_words.find(connection, tables, terms, limit, scope, self._shown, phrases=phrases)

        try:
            return await self._database.read(find)
        except passage_words.WrongIndexError:
            logger.warning("the search index behind recall is wrong and begun anew")
        await self._database.write(tables.index.reset)
        return []

    async def passages(self, kind: PassageKind, ids: Sequence[str], scope: RecallScope) -> dict[str, Passage]:
        tables = tables_of(kind)

        def read(connection: sqlite3.Connection) -> dict[str, Passage]:
            numbers = passage_rows.numbers_of(connection, tables, ids)
            allowed = passage_rows.allowed(connection, tables, list(numbers), scope, self._shown)
            return {passage.id: passage for passage in passage_rows.passages(connection, tables, allowed).values()}

        return await self._database.read(read)

    async def vectors(self, kind: PassageKind, ids: Sequence[str], embedder_id: str) -> dict[str, Vector]:
        return await self._database.read(
            lambda c: passage_vectors.read(c, tables_of(kind), ids, embedder_number(c, embedder_id))
        )

    async def without_vector(self, embedder_id: str, limit: int) -> list[Passage]:
        def read(connection: sqlite3.Connection) -> list[Passage]:
            embedder = embedder_number(connection, embedder_id)
            found: list[Passage] = []
            for tables in passage_rows.BY_URGENCY:
                numbers = passage_vectors.missing(connection, tables, embedder, max(0, limit - len(found)))
                passages = passage_rows.passages(connection, tables, numbers)
                found += [passages[number] for number in numbers if number in passages]
            return found

        return await self._database.read(read)

    async def put_vectors(
        self, embedder_id: str, vectors: Sequence[tuple[Passage, Vector]], *, is_asked: bool = True
    ) -> None:
        def put(connection: sqlite3.Connection) -> None:
            rows = [(passage, vector_codec.to_bytes(vector)) for passage, vector in vectors]
            connection.execute("INSERT OR IGNORE INTO embedders (id) VALUES (?)", (embedder_id,))
            embedder = embedder_number(connection, embedder_id)
            for tables in passage_rows.ALL:
                passage_vectors.put(connection, tables, embedder, rows, is_asked=is_asked)

        await self._database.write(put, needs_room=True)

    async def progress(self, embedder_id: str) -> tuple[int, int]:
        return await self._database.read(lambda c: passage_vectors.progress(c, embedder_number(c, embedder_id)))

    async def vector_keys(self, embedder_id: str) -> frozenset[str]:
        found: set[str] = set()
        more = [""]
        while more:  # in pieces: a question that comes meanwhile is answered between them
            last = more[-1]
            more = await self._database.read(
                lambda c, last=last: passage_vectors.keys_after(c, embedder_number(c, embedder_id), last, _KEYS_AT_ONCE)
            )
            found.update(more)
        return frozenset(found)

    async def all_vectors(self, embedder_id: str, after: str, limit: int) -> list[tuple[str, Vector]]:
        return await self._database.read(
            lambda c: passage_vectors.after(c, embedder_number(c, embedder_id), after, max(0, limit))
        )

    async def vector_changes(self, embedder_id: str, limit: int) -> list[VectorChange]:
        return await self._database.read(
            lambda c: passage_vectors.changes(c, embedder_number(c, embedder_id), max(0, limit))
        )

    async def owes_erasing(self) -> bool:
        """Whether the index of vectors may still hold bytes of what was removed."""
        query = "SELECT EXISTS (SELECT 1 FROM vector_changes WHERE erases = 1)"
        return await self._database.read(lambda c: bool(c.execute(query).fetchone()[0]))

    async def settle(self, changes: Sequence[VectorChange]) -> None:
        rows = [(change.key, change.number) for change in changes]

        def settle(connection: sqlite3.Connection) -> None:
            connection.executemany("DELETE FROM vector_changes WHERE key = ? AND number = ?", rows)

        await self._database.write(settle)

    async def keep_vectors_of(self, embedder_id: str) -> None:
        while await self._database.write(
            lambda c: passage_vectors.remove_others(c, embedder_number(c, embedder_id), _REMOVED_AT_ONCE)
        ):
            pass

    async def measured(self, name: str) -> Measured | None:
        """See ``MeasuredStore``."""
        row = await self._database.read(lambda c: [_number(c, key) for key in _measured_keys(name)])
        if None in row:
            return None
        dimensions, mean, deviation = (number or 0 for number in row)
        return Measured(dimensions, Likeness(mean / _MILLION, deviation / _MILLION))

    async def keep_measured(self, name: str, measured: Measured) -> None:
        """See ``MeasuredStore``."""
        likeness = measured.unrelated
        numbers = (measured.dimensions, round(likeness.mean * _MILLION), round(likeness.deviation * _MILLION))
        rows = list(zip(_measured_keys(name), numbers, strict=True))
        statement = "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)"
        await self._database.write(lambda c: c.executemany(statement, rows))

    async def own_number(self) -> int:
        """Return the number of this data folder: of chance, and the same for good."""

        def number(connection: sqlite3.Connection) -> int:
            values = (OWN_NUMBER, secrets.randbits(60))
            connection.execute("INSERT OR IGNORE INTO meta (key, value) VALUES (?, ?)", values)
            return _number(connection, OWN_NUMBER) or 0

        return await self._database.write(number)

    async def catch_up(self) -> None:
        for tables in passage_rows.ALL:
            await catch_up(self._database, tables.index)

    async def count(self, kind: PassageKind) -> int:
        return await self._database.read(lambda connection: passage_rows.count(connection, tables_of(kind)))


def _measured_keys(name: str) -> list[str]:
    return [f"measured {what} {name}" for what in ("dimensions", "mean", "deviation")]


def _number(connection: sqlite3.Connection, key: str) -> int | None:
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return row[0] if row else None
