"""Tells the environment's failures, which the user should hear of, from mistakes of this program."""

import shutil
import sqlite3
from pathlib import Path

from desktop.core.errors import StorageError
from desktop.storage.data_folder import printable, unwritable

_PRIMARY_CODE_MASK = 0xFF
_UNWRITABLE = {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH}
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_ENVIRONMENT = {
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_PROTOCOL,
    sqlite3.SQLITE_NOLFS,
    sqlite3.SQLITE_TOOBIG,
}
_FREE_BYTES_OF_A_FULL_DISK = 256 * 1024

INDEX_FAILURES = (sqlite3.Error, MemoryError)
"""What a statement on a damaged search index may raise; see ``is_environment``."""


def primary_code(error: sqlite3.Error) -> int:
    """Return SQLite's result code; 0 for an error that the Python module itself raised."""
    return getattr(error, "sqlite_errorcode", 0) & _PRIMARY_CODE_MASK


def is_damage(error: sqlite3.Error) -> bool:
    """True when the file does not hold what SQLite wrote."""
    return primary_code(error) in _DAMAGED or is_undecodable(error)


def is_undecodable(error: Exception) -> bool:
    """True when a text is not UTF-8: damage that SQLite itself does not look for."""
    return isinstance(error, UnicodeDecodeError) or str(error).startswith("Could not decode")


def describe(error: sqlite3.Error | UnicodeDecodeError) -> str:
    """Return the reason for a log or a notice. Python quotes what it could not decode, which may be private."""
    return "a text in it is not UTF-8" if is_undecodable(error) else str(error)


def is_environment(error: sqlite3.Error | MemoryError) -> bool:
    """True when the disk or the rights failed, not the contents of the file.

    Python turns SQLite's ``SQLITE_NOMEM`` into ``MemoryError``. FTS5 reports it when a damaged page names an absurd
    length, so it says more of the file than of the machine.
    """
    return isinstance(error, sqlite3.Error) and primary_code(error) in _UNWRITABLE | _ENVIRONMENT | {
        sqlite3.SQLITE_FULL
    }


def is_full(error: sqlite3.Error, database: Path) -> bool:
    """True when there was no room on the disk.

    Growing the shared-memory file on a full disk is reported as an I/O error; then the free space decides.
    """
    code = primary_code(error)
    return code == sqlite3.SQLITE_FULL or (code == sqlite3.SQLITE_IOERR and _is_disk_full(database))


def _is_disk_full(database: Path) -> bool:
    try:
        return shutil.disk_usage(database.parent).free < _FREE_BYTES_OF_A_FULL_DISK
    except OSError:
        return False


def storage_error(error: sqlite3.Error, database: Path) -> StorageError | None:
    """Return what the user should be told; None when the error is a mistake in this program."""
    code = primary_code(error)
    if is_full(error, database):
        return StorageError("storage.full", path=printable(database.parent))
    if code in _UNWRITABLE:
        return unwritable(database, f"{error}.")
    if is_damage(error):
        return StorageError("storage.suspected", detail=describe(error))
    if code in _ENVIRONMENT:
        return StorageError("storage.failed", detail=f"{error}.")
    return None
