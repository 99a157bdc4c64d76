"""A full-text index of rows that hold their text elsewhere: derived data, caught up with and rebuilt when it is wrong.

The table holds no text of its own ("contentless"): a row of it is removed by giving FTS5 the same folded text again.
All methods run inside a transaction of the caller.
"""

import logging
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from desktop.storage.failures import INDEX_FAILURES, is_environment
from desktop.storage.rows import placeholders
from desktop.storage.search_text import fold

logger = logging.getLogger(__name__)

_SHADOWS = ("data", "idx", "content", "docsize", "config")
_MERGE_PAGES = 500
_IS_BEGUN, _IS_MERGED = 1, 2
"""How far the merging is, as long as nothing was removed since it began."""

Texts = Mapping[int, tuple[str, ...]]
"""By the row's number, a text for each column of the index."""


@dataclass(frozen=True)
class FullTextIndex:
    """What an index is made from. ``flag`` is a column of ``rows_of``: 0 not looked at, 1 indexed, 2 holds no text."""

    table: str
    columns: tuple[str, ...]
    options: str
    """FTS5's own, for example how it splits words. The text is folded before (``search_text.fold``)."""
    rows_of: str
    flag: str
    is_ready: str
    """An SQL condition on ``rows_of`` (as ``r``): only those are indexed."""
    texts: Callable[[sqlite3.Connection, Sequence[int]], Texts]
    """Gives a row the same texts as long as it is indexed, or its words could not be removed any more."""
    version: int
    """Raise it whenever ``texts`` or ``fold`` gives another result."""
    version_key: str
    prepare: Callable[[sqlite3.Connection], object] | None = None
    """Called when the index is begun anew."""

    def owns(self, table: str) -> bool:
        """True for the names of the index's tables."""
        return table == self.table or table.removeprefix(f"{self.table}_") in _SHADOWS

    def is_named_in(self, complaint: str) -> bool:
        """True when a line of SQLite's check is about this index and not about the file."""
        return "FTS5" in complaint and self.table in complaint

    def ensure(self, connection: sqlite3.Connection) -> None:
        """Make the index if it is missing or of another version; its rows follow with ``index_pending``."""
        version = connection.execute("SELECT value FROM meta WHERE key = ?", (self.version_key,)).fetchone()
        exists = connection.execute("SELECT 1 FROM sqlite_schema WHERE name = ?", (self.table,)).fetchone()
        if exists and version == (self.version,):
            return
        connection.execute("BEGIN IMMEDIATE")
        try:
            self.reset(connection)
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise

    def reset(self, connection: sqlite3.Connection) -> None:
        """Throw the index away, whatever its state, and begin an empty one."""
        self._drop(connection)
        connection.execute(
            f"CREATE VIRTUAL TABLE {self.table} USING fts5 ({', '.join(self.columns)}, content = '', {self.options})"
        )
        connection.execute(f"UPDATE {self.rows_of} SET {self.flag} = 0 WHERE {self.flag} <> 0")
        connection.executemany(
            "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)",
            [(self.version_key, self.version), (self._merged_key, _IS_MERGED)],
        )
        if self.prepare is not None:
            self.prepare(connection)

    def _drop(self, connection: sqlite3.Connection) -> None:
        try:
            connection.execute(f"DROP TABLE IF EXISTS {self.table}")
        except INDEX_FAILURES as error:
            if is_environment(error):
                raise
            # FTS5 cannot even open it. Without its entry in the schema the tables beneath it are ordinary ones.
            logger.warning("the search index is taken apart by hand: %s", error)
            connection.execute("PRAGMA writable_schema = ON")
            try:
                connection.execute("DELETE FROM sqlite_schema WHERE name = ?", (self.table,))
            finally:
                connection.execute("PRAGMA writable_schema = RESET")
        for shadow in _SHADOWS:
            connection.execute(f"DROP TABLE IF EXISTS {self.table}_{shadow}")

    def has_pending(self, connection: sqlite3.Connection) -> bool:
        """True when rows that are ready are not indexed yet."""
        query = f"SELECT 1 FROM {self.rows_of} AS r WHERE r.{self.flag} = 0 AND {self.is_ready} LIMIT 1"
        return connection.execute(query).fetchone() is not None

    def index_pending(self, connection: sqlite3.Connection, limit: int = 250) -> int:
        """Index rows that are ready and not indexed yet, at most ``limit``; return how many were."""
        rows = connection.execute(
            f"SELECT r.seq FROM {self.rows_of} AS r WHERE r.{self.flag} = 0 AND {self.is_ready} ORDER BY r.seq LIMIT ?",
            (limit,),
        ).fetchall()
        numbers = [row[0] for row in rows]
        texts = self.texts(connection, numbers)
        connection.executemany(
            f"INSERT INTO {self.table} (rowid, {', '.join(self.columns)}) VALUES ({self._places})",
            [(number, *map(fold, columns)) for number, columns in texts.items()],
        )
        connection.executemany(
            f"UPDATE {self.rows_of} SET {self.flag} = ? WHERE seq = ?",
            [(1 if number in texts else 2, number) for number in numbers],
        )
        return len(numbers)

    @property
    def _places(self) -> str:
        return placeholders(("rowid", *self.columns))

    def try_index_pending(self, connection: sqlite3.Connection) -> None:
        """Index some rows that are not yet, the oldest first, as part of what the caller stores, which no damage stops."""
        connection.execute("SAVEPOINT indexing")
        try:
            self.index_pending(connection, limit=20)
        except INDEX_FAILURES as error:
            if is_environment(error):
                raise
            logger.warning("the search index is damaged; the next search rebuilds it: %s", error)
            connection.execute("ROLLBACK TO indexing")
        connection.execute("RELEASE indexing")

    def remove(self, connection: sqlite3.Connection, numbers: Sequence[int]) -> None:
        """Take rows out, before their text changes or goes; where the index is too damaged for it, begin it anew."""
        self.or_reset(connection, lambda: self._remove(connection, numbers))

    def _remove(self, connection: sqlite3.Connection, numbers: Sequence[int]) -> None:
        rows = connection.execute(
            f"SELECT seq FROM {self.rows_of} WHERE {self.flag} = 1 AND seq IN ({placeholders(numbers)})", numbers
        ).fetchall()
        indexed = [row[0] for row in rows]
        if indexed:  # else nothing may depend on the index
            connection.execute("DELETE FROM meta WHERE key = ?", (self._merged_key,))
            connection.executemany(
                f"INSERT INTO {self.table} ({self.table}, rowid, {', '.join(self.columns)})"
                f" VALUES ('delete', {self._places})",
                [(number, *map(fold, columns)) for number, columns in self.texts(connection, indexed).items()],
            )
        connection.execute(
            f"UPDATE {self.rows_of} SET {self.flag} = 0 WHERE {self.flag} <> 0 AND seq IN ({placeholders(numbers)})",
            numbers,
        )

    @property
    def _merged_key(self) -> str:
        return f"{self.table}_merged"

    def holds_removed(self, connection: sqlite3.Connection) -> bool:
        """False when nothing was removed since all of it was merged, so that no removed word can be left in the file."""
        row = connection.execute("SELECT value FROM meta WHERE key = ?", (self._merged_key,)).fetchone()
        return row != (_IS_MERGED,)

    def merge_step(self, connection: sqlite3.Connection, *, is_first: bool) -> bool:
        """Do some of the work of merging the index into one piece without the removed words; True while more is left.

        Removing a row only adds a note that it is gone: its words stay in the file until they are merged away.
        """
        if is_first:  # what is removed from now on takes this back, because it may not be merged any more
            connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (self._merged_key, _IS_BEGUN))
        before = connection.total_changes
        pages = -_MERGE_PAGES if is_first else _MERGE_PAGES
        statement = f"INSERT INTO {self.table} ({self.table}, rank) VALUES ('merge', ?)"
        self.or_reset(connection, lambda: connection.execute(statement, (pages,)))
        if connection.total_changes - before >= 2:
            return True
        values = (_IS_MERGED, self._merged_key, _IS_BEGUN)
        connection.execute("UPDATE meta SET value = ? WHERE key = ? AND value = ?", values)
        return False

    def or_reset(self, connection: sqlite3.Connection, change: Callable[[], object]) -> bool:
        """Make a change to the index; where it is too damaged for that, begin it anew instead and return False.

        FTS5 reports damage in many words and with several codes: whatever is not the environment's fault counts.
        """
        try:
            change()
        except INDEX_FAILURES as error:
            if is_environment(error):
                raise
            logger.warning("the search index is damaged and begun anew: %s", error)
            self.reset(connection)
            return False
        return True
