"""Turns what the disk and SQLite say while a backup is made or read into words for people."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from desktop.core.backups import BackupError
from desktop.core.paths import DataPaths
from desktop.storage.backup.job import Job
from desktop.storage.backup.places import folder_error
from desktop.storage.failures import is_full

T = TypeVar("T")


def in_words(paths: DataPaths, work: Callable[[Job], T]) -> Callable[[Job], T]:
    """Return work that raises ``BackupError`` where this one would raise ``OSError`` or ``sqlite3.Error``."""

    def run(job: Job) -> T:
        try:
            return work(job)
        except sqlite3.Error as error:
            if is_full(error, paths.database):
                raise BackupError("backup.full", path=str(paths.root)) from error
            raise BackupError("backup.not_sound", detail=f"{error}."[:300]) from error
        except OSError as error:
            raise folder_error(Path(error.filename or paths.root), error) from error

    return run
