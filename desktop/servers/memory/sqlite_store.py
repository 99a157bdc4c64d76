"""Keeps sessions in one SQLite file that several programs may use at once; nothing of an ended one stays in it."""

import asyncio
import contextlib
import contextvars
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from desktop.servers.memory.store import Item, Session, StoreError, TooManyKeysError, Usage

T = TypeVar("T")

SCHEMA_VERSION = 1
_BUSY_SECONDS = 30.0
"""SQLite polls for its lock, so that under many writers one may come last for seconds."""
_RENEWAL_SHARE = 0.01
_MOST_SPARED_SECONDS = 1.0
_SMALL_BYTES = 4_000_000
"""A file up to this size is made anew at once where a session is cleared, a larger one with the next sweep."""
_APPLICATION_ID = 0x54576D65
# The number of a session is never used again: who looked it up a moment ago reads nothing of another one.
_SCHEMA = (
    "CREATE TABLE sessions (id INTEGER PRIMARY KEY AUTOINCREMENT, tenant TEXT NOT NULL, name TEXT NOT NULL,"
    " ttl_s INTEGER NOT NULL, ends_at REAL NOT NULL, UNIQUE (tenant, name))",
    "CREATE INDEX sessions_by_end ON sessions (ends_at)",
    "CREATE TABLE pairs (session INTEGER NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,"
    " PRIMARY KEY (session, key)) WITHOUT ROWID",
    "CREATE TABLE items (id INTEGER PRIMARY KEY, session INTEGER NOT NULL, ts REAL NOT NULL, role TEXT NOT NULL,"
    " text TEXT NOT NULL)",
    "CREATE INDEX items_of_session ON items (session, id)",
    # How often sessions were removed, and at which of these times the file was last made anew.
    "CREATE TABLE removals (happened INTEGER NOT NULL, wiped INTEGER NOT NULL)",
    "INSERT INTO removals VALUES (0, 0)",
    f"PRAGMA user_version = {SCHEMA_VERSION}",
    f"PRAGMA application_id = {_APPLICATION_ID}",
)


class SqliteStore:
    """The ``MemoryStore`` on a file. Its rollback journal is truncated with each commit, so no text outlives it there.

    Not in WAL mode: SQLite before 3.51.3 can damage a file in that mode when several connections write. The file is made
    anew after sessions were removed: ``secure_delete`` zeroes a row where it stands, but where a row was moved before,
    because its page was split or joined with another, the old place may keep what stood there.
    """

    def __init__(self, path: Path, *, clock: Callable[[], float] = time.time) -> None:
        self._path = path
        self._clock = clock
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="memory-store")
        self._connection: sqlite3.Connection | None = None

    @property
    def name(self) -> str:
        return str(self._path)

    async def open(self) -> None:
        await self._run(lambda _: None)

    async def put(self, session: Session, key: str, value: str, *, ttl_s: int, max_keys: int) -> None:
        def work(connection: sqlite3.Connection) -> None:
            with _transaction(connection):
                number = self._used(connection, session, ttl_s)
                known = "SELECT 1 FROM pairs WHERE session = ? AND key = ?"
                if connection.execute(known, (number, key)).fetchone() is None:
                    count = "SELECT count(*) FROM pairs WHERE session = ?"
                    if connection.execute(count, (number,)).fetchone()[0] >= max_keys:
                        raise TooManyKeysError
                connection.execute("INSERT OR REPLACE INTO pairs VALUES (?, ?, ?)", (number, key, value))

        await self._run(work)

    async def get(self, session: Session, key: str, *, ttl_s: int) -> str | None:
        def work(connection: sqlite3.Connection) -> str | None:
            number = self._renewed(connection, session, ttl_s)
            if number is None:
                return None
            query = "SELECT value FROM pairs WHERE session = ? AND key = ?"
            row = connection.execute(query, (number, key)).fetchone()
            return None if row is None else row[0]

        return await self._run(work)

    async def append(self, session: Session, role: str, text: str, *, max_items: int, ttl_s: int) -> None:
        def work(connection: sqlite3.Connection) -> None:
            with _transaction(connection):
                number = self._used(connection, session, ttl_s)
                values = (number, round(self._clock(), 3), role, text)
                connection.execute("INSERT INTO items (session, ts, role, text) VALUES (?, ?, ?, ?)", values)
                connection.execute(
                    "DELETE FROM items WHERE session = ? AND id <= (SELECT id FROM items WHERE session = ?"
                    " ORDER BY id DESC LIMIT 1 OFFSET ?)",
                    (number, number, max_items),
                )

        await self._run(work)

    async def recent(self, session: Session, n: int, *, ttl_s: int) -> Sequence[Item]:
        def work(connection: sqlite3.Connection) -> list[Item]:
            number = self._renewed(connection, session, ttl_s)
            if number is None:
                return []
            query = "SELECT ts, role, text FROM items WHERE session = ? ORDER BY id DESC LIMIT ?"
            return [Item(*row) for row in connection.execute(query, (number, n))][::-1]

        return await self._run(work)

    async def clear(self, session: Session) -> None:
        def work(connection: sqlite3.Connection) -> None:
            with _transaction(connection):
                found = connection.execute(_FIND, (session.tenant, session.id)).fetchone()
                if found is not None:
                    _remove(connection, [found[0]])
            if _size(connection) <= _SMALL_BYTES:
                _wipe(connection)

        await self._run(work)

    async def sweep(self) -> int:
        """Remove what is over, and make the file anew where anything was removed since the last time.

        What would end later than its time allows was kept by a clock that has since been set back: it ends that time
        from now.
        """

        def work(connection: sqlite3.Connection) -> int:
            now = self._clock()
            over = "SELECT id FROM sessions WHERE ends_at <= ? OR ends_at > ? + ttl_s LIMIT 1"
            ended: list[tuple[int]] = []
            if connection.execute(over, (now, now)).fetchone() is not None:
                with _transaction(connection):
                    connection.execute("UPDATE sessions SET ends_at = ? + ttl_s WHERE ends_at > ? + ttl_s", (now, now))
                    ended = connection.execute("SELECT id FROM sessions WHERE ends_at <= ?", (now,)).fetchall()
                    _remove(connection, [row[0] for row in ended])
            _wipe(connection)
            return len(ended)

        return await self._run(work)

    async def usage(self) -> Usage:
        def work(connection: sqlite3.Connection) -> Usage:
            live = connection.execute("SELECT count(*) FROM sessions WHERE ends_at > ?", (self._clock(),)).fetchone()[0]
            return Usage(live, _size(connection))

        return await self._run(work)

    async def close(self) -> None:
        await asyncio.get_running_loop().run_in_executor(self._thread, self._forget_connection)
        self._thread.shutdown()

    def _used(self, connection: sqlite3.Connection, session: Session, ttl_s: int) -> int:
        """Return the session's number, made where there is none, emptied where it was over, and renewed."""
        now = self._clock()
        found = connection.execute(_FIND, (session.tenant, session.id)).fetchone()
        if found is None:
            insert = "INSERT INTO sessions (tenant, name, ttl_s, ends_at) VALUES (?, ?, ?, ?)"
            number = connection.execute(insert, (session.tenant, session.id, ttl_s, now + ttl_s)).lastrowid
            assert number is not None
            return number
        number, _, ends_at = found
        if ends_at <= now:
            _empty(connection, number)
        connection.execute("UPDATE sessions SET ttl_s = ?, ends_at = ? WHERE id = ?", (ttl_s, now + ttl_s, number))
        return number

    def _renewed(self, connection: sqlite3.Connection, session: Session, ttl_s: int) -> int | None:
        """Return the number of a session that is not over, and renew it.

        A read that comes a moment after the last one renews nothing: it would cost a write each time.
        """
        now = self._clock()
        found = connection.execute(_FIND, (session.tenant, session.id)).fetchone()
        if found is None or found[2] <= now:
            return None
        number, last_ttl, ends_at = found
        spared = min(_MOST_SPARED_SECONDS, ttl_s * _RENEWAL_SHARE)
        if last_ttl != ttl_s or not 0 <= now + ttl_s - ends_at < spared:
            renew = "UPDATE sessions SET ttl_s = ?, ends_at = ? WHERE id = ? AND ends_at > ?"
            connection.execute(renew, (ttl_s, now + ttl_s, number, now))
        return number

    async def _run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run ``work`` in the store's thread, to its end whatever becomes of the caller."""
        context = contextvars.copy_context()  # with the trace of the call
        return await asyncio.get_running_loop().run_in_executor(self._thread, lambda: context.run(self._guarded, work))

    def _guarded(self, work: Callable[[sqlite3.Connection], T]) -> T:
        try:
            if self._connection is None:
                self._connection = self._opened()
            return work(self._connection)
        except sqlite3.DatabaseError as error:
            self._forget_connection()  # the file may have been removed or replaced: the next call opens what is there
            raise StoreError(f"The memory file cannot be used: {error}.") from error
        except OSError as error:
            raise StoreError(f"The memory file cannot be opened: {error.strerror or error}.") from error

    def _forget_connection(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _opened(self) -> sqlite3.Connection:
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self._path.is_symlink() or (self._path.exists() and not self._path.is_file()):
            raise StoreError("The memory file cannot be opened: there is something else with its name.")
        with contextlib.suppress(FileExistsError):
            # Made here, so that it is private from the beginning. Never opened otherwise: to close a second opening of
            # the file in a process gives up the locks of the first.
            os.close(os.open(self._path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        connection = sqlite3.connect(self._path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        try:
            _prepare(connection)
        except BaseException:
            connection.close()
            raise
        return connection


_FIND = "SELECT id, ttl_s, ends_at FROM sessions WHERE tenant = ? AND name = ?"


@contextlib.contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """One that may write from its start: a transaction that read first could find itself behind another's write."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:  # it failed, or its commit did
            connection.execute("ROLLBACK")


def _prepare(connection: sqlite3.Connection) -> None:
    for pragma in ("secure_delete = ON", "temp_store = MEMORY", "trusted_schema = OFF", "synchronous = FULL"):
        connection.execute(f"PRAGMA {pragma}").fetchall()
    mode = connection.execute("PRAGMA journal_mode = TRUNCATE").fetchone()[0]
    if mode != "truncate":
        raise StoreError(f"The memory file cannot be used: its journal mode is {mode}.")
    if _version(connection) == 0:
        with _transaction(connection):
            if _version(connection) == 0:  # another program may have been faster
                for statement in _SCHEMA:
                    connection.execute(statement)
    if _version(connection) != SCHEMA_VERSION:
        raise StoreError("The memory file cannot be used: another version of Threadwell made it.")


def _version(connection: sqlite3.Connection) -> int:
    if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0:
        return 0
    is_ours = connection.execute("PRAGMA application_id").fetchone()[0] == _APPLICATION_ID
    return connection.execute("PRAGMA user_version").fetchone()[0] if is_ours else -1


def _remove(connection: sqlite3.Connection, numbers: Sequence[int]) -> None:
    for number in numbers:
        _empty(connection, number)
        connection.execute("DELETE FROM sessions WHERE id = ?", (number,))


def _empty(connection: sqlite3.Connection, number: int) -> None:
    connection.execute("DELETE FROM pairs WHERE session = ?", (number,))
    connection.execute("DELETE FROM items WHERE session = ?", (number,))
    connection.execute("UPDATE removals SET happened = happened + 1")


def _wipe(connection: sqlite3.Connection) -> None:
    """Make the file anew if anything was removed since that was done. Cut short, it is done the next time."""
    happened, wiped = connection.execute("SELECT happened, wiped FROM removals").fetchone()
    if happened > wiped:
        connection.execute("VACUUM")
        connection.execute("UPDATE removals SET wiped = max(wiped, ?)", (happened,))


def _size(connection: sqlite3.Connection) -> int:
    query = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
    return connection.execute(query).fetchone()[0]
