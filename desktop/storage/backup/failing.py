"""Turns what the disk and SQLite say while a backup is made or read, or the library is looked at, into words for people."""

import errno
import sqlite3
from collections.abc import Callable
from enum import Enum, auto
from pathlib import Path
from typing import TypeVar

from desktop.core.backups import BackupError
from desktop.core.errors import StorageError, ThreadwellError
from desktop.core.paths import DataPaths
from desktop.storage.backup.job import Job
from desktop.storage.backup.places import folder_error
from desktop.storage.failures import describe, is_damage, is_full

T = TypeVar("T")


class Doing(Enum):
    """What failed; the words for it say what came of it."""

    MAKING = auto()
    RESTORING = auto()
    CHECKING = auto()


def in_words(paths: DataPaths, doing: Doing, work: Callable[[Job], T]) -> Callable[[Job], T]:
    """Return work that raises ``BackupError`` or ``StorageError`` where this one would raise ``OSError`` or ``sqlite3.Error``."""

    def run(job: Job) -> T:
        try:
            return work(job)
        except sqlite3.Error as error:
            raise _of_sqlite(paths, doing, error) from error
        except OSError as error:
            raise _of_disk(paths, doing, error) from error

    return run


def _of_sqlite(paths: DataPaths, doing: Doing, error: sqlite3.Error) -> ThreadwellError:
    if is_full(error, paths.database):
        return BackupError("backup.full" if doing is Doing.MAKING else "backup.no_room", path=str(paths.root))
    detail = f"{error}."[:300]
    match doing:
        case Doing.MAKING:
            return BackupError("backup.not_sound", detail=detail)
        case Doing.RESTORING:
            return BackupError("backup.failed", detail=detail)
        case Doing.CHECKING:
            return StorageError("storage.suspected" if is_damage(error) else "storage.failed", detail=describe(error))


def _of_disk(paths: DataPaths, doing: Doing, error: OSError) -> ThreadwellError:
    if doing is Doing.MAKING:
        return folder_error(Path(error.filename or paths.root), error)
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return BackupError("backup.no_room", path=str(paths.root))
    detail = f"{error.filename or paths.root}: {error.strerror or error}."
    return BackupError("backup.failed", detail=detail)
