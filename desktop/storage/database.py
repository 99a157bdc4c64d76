"""One SQLite file behind two aiosqlite connections: one for every write and checkpoint, one that only reads.

Two connections that write or checkpoint at once can corrupt a WAL file in SQLite before 3.51.3, hence a single
writer; the reader keeps the window quick while something long is written.
"""

import logging
import sqlite3
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from desktop.core.clock import Clock, utc_now
from desktop.core.errors import StorageError
from desktop.core.paths import DataPaths
from desktop.storage.check_note import CheckNote
from desktop.storage.data_folder import Ballast, printable
from desktop.storage.failures import describe, is_damage, is_full, is_undecodable, storage_error
from desktop.storage.migrations import STEPS, Step
from desktop.storage.opening import backups_folder, connect_reader, open_writer
from desktop.storage.page_gaps import PageGaps

if TYPE_CHECKING:
    from desktop.storage.worker import WorkerConnection

logger = logging.getLogger(__name__)

_PAGES_AT_ONCE = 2_000

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], T]
"""Runs in a connection's thread inside a transaction. It may run twice, so it changes nothing outside the database."""


class Database:
    """An open data folder's database. Make it with ``Database.open``; ``close`` it, or the next start repairs it.

    A task that is cancelled while it awaits ``read``, ``write`` or ``checkpoint`` does not stop what was asked for:
    it is done entirely or, when it fails, not at all.
    """

    def __init__(
        self,
        paths: DataPaths,
        writer: "WorkerConnection",
        reader: "WorkerConnection",
        ballast: Ballast,
        notices: Sequence[StorageError],
        *,
        awaits_look: bool = False,
    ) -> None:
        self._paths = paths
        self._writer = writer
        self._reader = reader
        self._ballast = ballast
        self._gaps: PageGaps | None = None
        self._is_closed = False
        self.notices = tuple(notices)
        """What the user should hear about the opening, for example that a damaged file was set aside."""
        self.awaits_look = awaits_look
        """The file is large, was not looked through when it was opened, and not for some days before."""

    @property
    def paths(self) -> DataPaths:
        """The data folder that it lies in."""
        return self._paths

    @classmethod
    async def open(cls, paths: DataPaths, *, clock: Clock = utc_now, steps: Sequence[Step] = STEPS) -> "Database":
        """Open the database, made or migrated where needed.

        A damaged one is set aside and reported in ``notices``. Raises ``StorageError`` when the folder or the file
        cannot be used, or when a newer program made it.
        """
        from desktop.storage.worker import WorkerConnection  # imports aiosqlite

        ballast = Ballast(paths.root / "ballast")
        notices: list[StorageError] = []
        with _translated(paths):
            awaits_look: list[bool] = []

            def connect() -> sqlite3.Connection:
                opened = open_writer(paths, ballast, clock(), steps, notices)
                awaits_look.append(opened.awaits_look)
                return opened.writer

            writer = await WorkerConnection.open(connect)
            try:
                reader = await WorkerConnection.open(lambda: connect_reader(paths.database))
            except BaseException:
                await writer.close()
                raise
        return cls(paths, writer, reader, ballast, notices, awaits_look=awaits_look[-1])

    async def read(self, work: Work[T]) -> T:
        """Run ``work`` on one snapshot of the data, beside any writing. Raises ``StorageError``."""
        return await self._run(self._reader, lambda connection: _transact(connection, "BEGIN", work))

    async def write(self, work: Work[T], *, needs_room: bool = False) -> T:
        """Run ``work`` in one transaction; it is on disk when this returns. Raises ``StorageError``.

        On a full disk the reserve is freed, so that what has begun can be finished and deleting works. ``needs_room``
        is for work that may as well be refused then: it does not touch the reserve, and needs it to be in place.
        """

        def transaction(connection: sqlite3.Connection) -> T:
            if needs_room and not self._ballast.ensure():
                raise StorageError("storage.full", path=printable(self._paths.root))
            return _transact(connection, "BEGIN IMMEDIATE", work)

        return await self._run(self._writer, transaction if needs_room else self._with_reserve(transaction))

    def _with_reserve(self, work: Work[T]) -> Work[T]:
        def run(connection: sqlite3.Connection) -> T:
            try:
                return work(connection)
            except sqlite3.Error as error:
                if not is_full(error, self._paths.database) or not self._ballast.free():
                    raise
            logger.warning("the disk is full; the reserve file was freed")
            return work(connection)

        return run

    async def checkpoint(self) -> bool:
        """Move the log into the database and empty it; False when something still reads from it."""
        return await self._run(self._writer, self._with_reserve(_checkpoint))

    async def zero_gaps(self) -> bool:
        """Empty the log and overwrite what no row uses inside the pages of the file; False when something still reads
        from the log. In small steps, between which others write."""
        first, is_more = 0, True
        while is_more:
            zeroed = await self._run(self._writer, self._with_reserve(partial(self._zero_some, first)))
            if zeroed is None:
                return False
            is_more, first = zeroed, first + _PAGES_AT_ONCE
        return True

    def _zero_some(self, first: int, connection: sqlite3.Connection) -> bool | None:
        if not _checkpoint(connection):
            return None
        # A page in the cache would be written as it was.
        connection.execute("PRAGMA shrink_memory")
        if self._gaps is None:
            self._gaps = PageGaps(self._paths.database)
        return self._gaps.zero(first, _PAGES_AT_ONCE)

    async def remove_backups(self) -> None:
        """Delete the copies that were made before migrations."""
        await self._run(self._writer, lambda _: _empty(self._paths))

    async def _run(self, connection: "WorkerConnection", work: Work[T]) -> T:
        if self._is_closed:
            raise StorageError("storage.failed", detail="The store is closed.")
        with _translated(self._paths):
            return await connection.run(work)

    async def close(self) -> None:
        """Finish what was asked for, empty the log and close. Harmless when repeated; later calls raise."""
        if self._is_closed:
            return
        self._is_closed = True
        with _translated(self._paths):
            await self._reader.close()
            try:
                await self._writer.run(_checkpoint)
            except sqlite3.Error as error:
                # Nothing is lost: the next start reads the log.
                logger.warning("the database's log could not be emptied at the end: %s", error)
            finally:
                await self._writer.close()
                if self._gaps is not None:
                    self._gaps.close()


def _transact(connection: sqlite3.Connection, begin: str, work: Work[T]) -> T:
    try:
        return _attempt(connection, begin, work)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        if not is_undecodable(error):
            raise
        logger.warning("a text in the database is damaged; it is shown with replacement characters")
    connection.text_factory = lambda content: content.decode("utf-8", "replace")
    try:
        return _attempt(connection, begin, work)
    finally:
        connection.text_factory = str


def _attempt(connection: sqlite3.Connection, begin: str, work: Work[T]) -> T:
    connection.execute(begin)
    try:
        result = work(connection)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return result


def _checkpoint(connection: sqlite3.Connection) -> bool:
    is_busy: int = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
    return not is_busy


def _empty(paths: DataPaths) -> None:
    folder = backups_folder(paths)
    if folder.is_dir():
        for copy in folder.iterdir():
            copy.unlink()


class _translated:  # noqa: N801  (a context manager, used like a function)
    """Turns the environment's failures into ``StorageError``; mistakes of this program pass as they are."""

    def __init__(self, paths: DataPaths) -> None:
        self._paths = paths

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        if isinstance(error, sqlite3.Error):
            translated = storage_error(error, self._paths.database)
            if translated is not None:
                if is_damage(error):
                    CheckNote(self._paths.library_check).suspect()
                raise translated from error
        elif isinstance(error, UnicodeDecodeError):
            CheckNote(self._paths.library_check).suspect()
            raise StorageError("storage.suspected", detail=describe(error)) from error
        elif isinstance(error, OSError):
            raise StorageError(
                "storage.unwritable", path=printable(self._paths.root), detail=f"{error.strerror or error}."
            ) from error
