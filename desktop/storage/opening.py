"""Opens the file: looks at it first without changing it, salvages a damaged one, refuses a newer one."""

import logging
import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from pathlib import Path

from desktop.core.errors import StorageError
from desktop.core.paths import DataPaths
from desktop.storage import indexes, salvage
from desktop.storage.check_note import CheckNote
from desktop.storage.data_folder import (
    Ballast,
    prepare_folder,
    printable,
    require_regular_file,
    set_aside,
    with_side_files,
)
from desktop.storage.failures import describe, is_damage, is_full
from desktop.storage.migrations import Step
from desktop.storage.migrations.m0001_threads import APPLICATION_ID
from desktop.storage.migrator import migrate, require_known_version

logger = logging.getLogger(__name__)

_BUSY_TIMEOUT_MS = 5000
_OF_ANOTHER = "it is a database of another program"
_LOOKED_THROUGH_BYTES = 32_000_000
"""A file up to this size is looked through at each start, in some 0.15 s."""
_OF_INDEX = ("missing from index", "wrong # of entries in index", "non-unique entry in index")
_SHARED_SETTINGS = (
    f"PRAGMA busy_timeout = {_BUSY_TIMEOUT_MS}",
    "PRAGMA trusted_schema = OFF",
    "PRAGMA cell_size_check = ON",
    "PRAGMA mmap_size = 0",
    # Nothing of a thread may end up in a temporary file outside the data folder.
    "PRAGMA temp_store = MEMORY",
)
_WRITER_SETTINGS = (
    # A commit survives a power loss; on macOS only with a full fsync.
    "PRAGMA synchronous = FULL",
    "PRAGMA fullfsync = ON",
    "PRAGMA checkpoint_fullfsync = ON",
    "PRAGMA foreign_keys = ON",
    "PRAGMA secure_delete = ON",
    # Above what the log usually grows to: writing into an existing file is faster than growing one.
    "PRAGMA journal_size_limit = 8388608",
)


def backups_folder(paths: DataPaths) -> Path:
    """Return where copies made before a migration lie."""
    return paths.root / "backups"


@dataclass(frozen=True)
class Opened:
    """The connection for writing, and whether the whole file should still be looked through, beside its use."""

    writer: sqlite3.Connection
    awaits_look: bool


def open_writer(
    paths: DataPaths, ballast: Ballast, moment: datetime, steps: Sequence[Step], notices: list[StorageError]
) -> Opened:
    """Return the connection for writing, with the database at the version of ``steps``.

    A large file is looked through before its use only where its last user did not end in order, or could not read it.
    """
    prepare_folder(paths.root)
    require_regular_file(ballast.path)
    salvage.finish(paths, moment)
    note = CheckNote(paths.library_check)
    look = _look_for(paths.database, is_suspected=note.is_suspected)
    damage = _find_damage(paths.database, steps, look, was_used_before=ballast.exists)
    if damage is not None and look is _Look.WHOLE and is_of_index(damage):
        damage = _with_new_indexes(paths, steps, notices, damage)
    if damage is not None:
        notices.append(_put_right(paths, steps, moment, damage))
    try:
        connection = _connect_writer(paths, steps)
    except sqlite3.Error as error:
        if not is_full(error, paths.database) or not ballast.free():
            raise
        connection = _connect_writer(paths, steps)
    ballast.ensure()
    if look is _Look.WHOLE:
        note.looked(moment)
    return Opened(connection, awaits_look=look is _Look.SCHEMA and note.is_due(moment))


class _Look(Enum):
    """How much of the file is looked at before it is used."""

    SCHEMA = "schema"
    PAGES = "quick_check"
    """All pages and rows, but not whether the indexes agree with them: 3 ms for a megabyte."""
    WHOLE = "integrity_check"
    """Also the indexes: four times as long."""


def _look_for(database: Path, *, is_suspected: bool) -> _Look:
    if is_suspected:
        return _Look.WHOLE
    size, log = (path.stat().st_size if path.exists() else 0 for path in with_side_files(database)[:2])
    return _Look.PAGES if log or size <= _LOOKED_THROUGH_BYTES else _Look.SCHEMA


def _with_new_indexes(paths: DataPaths, steps: Sequence[Step], notices: list[StorageError], damage: str) -> str | None:
    """Make the indexes anew, which loses nothing; return the damage that is left."""
    logger.error("an index of the database was damaged: %s", damage)
    try:
        with closing(_connect_writer(paths, steps)) as connection:
            connection.execute("REINDEX")
    except sqlite3.Error as error:
        if not is_damage(error):
            raise
        return damage
    left = _find_damage(paths.database, steps, _Look.WHOLE, was_used_before=True)
    if left is None:
        notices.append(StorageError("storage.mended", detail=damage))
    return left


def _put_right(paths: DataPaths, steps: Sequence[Step], moment: datetime, damage: str) -> StorageError:
    """Set the damaged file aside, with what can be read of it in its place; return what the user should hear."""
    logger.error("the database was damaged: %s", damage)
    saved = None if damage == _OF_ANOTHER else salvage.salvage(paths, steps, moment)
    if saved is None:
        kept_as = set_aside(paths.database, moment)
        logger.error("nothing of the damaged database could be read; it was kept as %s", kept_as)
        return StorageError("storage.damaged", kept_as=printable(kept_as), detail=damage)
    logger.error("what could be read of the damaged database was saved; it was kept as %s", saved.kept_as)
    return StorageError(
        "storage.salvaged",
        kept_as=printable(saved.kept_as),
        detail=damage,
        chats=saved.chats,
        messages=saved.messages,
        memories=saved.memories,
        incomplete=saved.incomplete,
        pages=saved.unreadable_pages,
        rows=saved.lost_rows,
    )


def open_copy(database: Path) -> sqlite3.Connection:
    """Return a connection to a database that lies somewhere by itself, and that nobody else uses: for writing, without a log."""
    connection = sqlite3.connect(_uri(database, "mode=rw"), uri=True, isolation_level=None)
    for setting in (*_SHARED_SETTINGS, "PRAGMA journal_mode = DELETE", "PRAGMA foreign_keys = ON"):
        connection.execute(setting)
    return connection


def as_was_made(connection: sqlite3.Connection, steps: Sequence[Step]) -> bool:
    """Whether it is a database of this program, with the tables that these steps make and no others."""
    return not _is_foreign(connection) and _schema(connection) == _expected_schema(steps)


def connect_reader(database: Path) -> sqlite3.Connection:
    """Return a connection that cannot write, and so never checkpoints either."""
    connection = sqlite3.connect(_uri(database, "mode=ro"), uri=True, isolation_level=None)
    for setting in _SHARED_SETTINGS:
        connection.execute(setting)
    return connection


def _connect_writer(paths: DataPaths, steps: Sequence[Step]) -> sqlite3.Connection:
    if not paths.database.exists():
        # SQLite gives its side files the rights of the database: all of them are for the user alone.
        os.close(os.open(paths.database, os.O_WRONLY | os.O_CREAT, 0o600))
    connection = sqlite3.connect(_uri(paths.database, "mode=rw"), uri=True, isolation_level=None)
    try:
        for setting in _SHARED_SETTINGS:
            connection.execute(setting)
        mode: str = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
        if mode != "wal":
            raise StorageError("storage.failed", detail=f"The folder cannot hold a database in WAL mode (got {mode}).")
        for setting in _WRITER_SETTINGS:
            connection.execute(setting)
        migrate(connection, paths.database, backups_folder(paths), steps)
        indexes.ensure(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _find_damage(database: Path, steps: Sequence[Step], look: _Look, *, was_used_before: bool) -> str | None:
    """Return what is wrong with the file, or None. Changes no byte. Raises ``StorageError`` for a newer file."""
    _, log, shared_memory = with_side_files(database)
    is_there = require_regular_file(database)
    log_bytes = log.stat().st_size if require_regular_file(log) else 0
    had_shared_memory = require_regular_file(shared_memory)
    if not is_there or database.stat().st_size == 0:
        if log_bytes:
            return "the file is empty or missing, but its log is not"
        return "the file is empty" if is_there and was_used_before else None
    # Without a log nothing but the file itself needs to be read; not even side files are made then.
    uri = _uri(database, "mode=ro" if log_bytes else "mode=ro&immutable=1")
    connection = sqlite3.connect(uri, uri=True, isolation_level=None)
    try:
        version = require_known_version(connection, database, steps)
        if _is_foreign(connection):
            return _OF_ANOTHER
        if _schema(connection) != _expected_schema(steps[:version]):
            return "its tables are not the ones that were made"
        if look is _Look.SCHEMA:
            return None
        lines = [row[0] for row in connection.execute(f"PRAGMA {look.value}(20)")]
        problems = [line for line in lines if first_problem([line])]
        return first_problem([line for line in problems if not is_of_index(line)] or problems)
    except UnicodeDecodeError as error:  # Python cannot even read what SQLite complains of
        return describe(error)
    except sqlite3.Error as error:
        if not is_damage(error):
            raise
        return describe(error)
    finally:
        connection.close()
        if not had_shared_memory:
            shared_memory.unlink(missing_ok=True)


def first_problem(lines: Sequence[str]) -> str | None:
    """Return the first line of a check that tells of damage, or None.

    SQLite from 3.44 on also checks the full-text indexes. They are rebuilt when a search meets the damage.
    """
    problems = (" ".join(line.split()) for line in lines if line != "ok" and not indexes.is_named_in(line))
    return next(problems, None)


def is_of_index(problem: str) -> bool:
    """Tell whether it is the disagreement of an index with its table, which can be made again from that."""
    return any(words in problem for words in _OF_INDEX)


def _is_foreign(connection: sqlite3.Connection) -> bool:
    mark: int = connection.execute("PRAGMA application_id").fetchone()[0]
    has_tables = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] > 0
    return has_tables and mark != APPLICATION_ID


def _schema(connection: sqlite3.Connection) -> set[tuple[str, str, str]]:
    """Return what the file's tables and indexes are, without the full-text indexes, which can be rebuilt."""
    return {
        (kind, name, sql)
        for kind, name, sql in connection.execute("SELECT type, name, sql FROM sqlite_schema")
        if sql is not None and not indexes.owns(name)
    }


def _expected_schema(steps: Sequence[Step]) -> set[tuple[str, str, str]]:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        for step in steps:
            step(connection)
        return _schema(connection)
    finally:
        connection.close()


def _uri(database: Path, options: str) -> str:
    return f"{database.absolute().as_uri()}?{options}"
