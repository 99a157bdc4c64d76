"""Brings a database to the version that this program knows, one transaction a step, after a verified copy of it."""

import logging
import sqlite3
from collections.abc import Sequence
from pathlib import Path

from desktop.core.errors import StorageError
from desktop.storage.data_folder import printable
from desktop.storage.migrations import STEPS, Step

logger = logging.getLogger(__name__)


def require_known_version(connection: sqlite3.Connection, database: Path, steps: Sequence[Step] = STEPS) -> int:
    """Return the file's version. Raises ``StorageError`` for one that a newer program made."""
    found: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if found > len(steps):
        raise StorageError("storage.newer", path=printable(database), found=found, known=len(steps))
    return found


def migrate(connection: sqlite3.Connection, database: Path, backups: Path, steps: Sequence[Step] = STEPS) -> None:
    """Apply the steps that are missing.

    ``connection`` is in autocommit mode. A step that fails leaves the version before it. A database that holds
    something is first copied into the folder ``backups``; only the newest copy is kept.
    """
    version = require_known_version(connection, database, steps)
    if version == len(steps):
        return
    if version > 0:
        copy = backups / f"{database.stem}-version-{version}{database.suffix}"
        copy_verified(connection, copy)
        logger.info("copied the database to %s before its migration", copy)
        for older in backups.glob(f"{database.stem}-version-*{database.suffix}"):
            if older != copy:
                older.unlink()
    # A step that rebuilds a table must not trigger its references; they are checked before each commit instead.
    connection.execute("PRAGMA foreign_keys = OFF")
    try:
        for number, step in enumerate(steps[version:], start=version + 1):
            _apply(connection, step, number)
            logger.info("the database has version %d now", number)
    finally:
        connection.execute("PRAGMA foreign_keys = ON")


def _apply(connection: sqlite3.Connection, step: Step, number: int) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        step(connection)
        broken = connection.execute("PRAGMA foreign_key_check").fetchall()
        if broken:
            raise sqlite3.IntegrityError(f"migration {number} leaves broken references: {broken[:5]}")
        connection.execute(f"PRAGMA user_version = {number}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def copy_verified(connection: sqlite3.Connection, copy: Path) -> None:
    """Copy the database of ``connection`` to ``copy``; the name appears only when the copy was checked."""
    copy.parent.mkdir(mode=0o700, exist_ok=True)
    unfinished = copy.with_name(f"{copy.name}.tmp")
    unfinished.unlink(missing_ok=True)
    target = sqlite3.connect(unfinished, isolation_level=None)
    try:
        connection.backup(target)
        # A copy that needs no side files can be moved and read anywhere.
        target.execute("PRAGMA journal_mode = DELETE")
        problems = target.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if problems != "ok":
            raise StorageError("storage.failed", detail=f"The copy made before the update is not sound ({problems}).")
    except BaseException:
        target.close()
        unfinished.unlink(missing_ok=True)
        raise
    target.close()
    unfinished.replace(copy)
