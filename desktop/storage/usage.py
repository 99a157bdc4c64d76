"""How much lies in the data folder: the sizes of its files, and how many threads and messages the database holds."""

import asyncio
import os
import sqlite3
import stat
from pathlib import Path

from desktop.core.data_usage import DataUsage
from desktop.core.paths import DataPaths
from desktop.storage.database import Database
from desktop.storage.opening import backups_folder

_COUNTS = (
    "SELECT"
    " (SELECT count(*) FROM threads WHERE deleted_at IS NULL),"
    " (SELECT count(*) FROM messages JOIN threads ON threads.seq = messages.thread_seq"
    "  WHERE threads.deleted_at IS NULL AND messages.deleted_at IS NULL),"
    " (SELECT count(*) FROM threads WHERE deleted_at IS NOT NULL AND is_purging = 0)"
)


class StoredData:
    """The ``DataFolder`` of the app: the folder as it is on disk, without following links out of it."""

    def __init__(self, paths: DataPaths, database: Database) -> None:
        self._paths = paths
        self._database = database

    @property
    def root(self) -> Path:
        return self._paths.root

    @property
    def logs(self) -> Path:
        return self._paths.logs

    @property
    def engine(self) -> str:
        return f"SQLite {sqlite3.sqlite_version}"

    async def usage(self) -> DataUsage:
        threads, messages, trashed = await self._database.read(_count)
        database, files, logs, reserve, total = await asyncio.to_thread(self._sizes)
        return DataUsage(
            database_bytes=database,
            attachment_bytes=files,
            log_bytes=logs,
            reserve_bytes=reserve,
            total_bytes=total,
            threads=threads,
            messages=messages,
            trashed=trashed,
        )

    def _sizes(self) -> tuple[int, int, int, int, int]:
        root, name = self._paths.root.resolve(), self._paths.database.name  # the folder itself may be a link
        with_journal = sum(_size(root / f"{name}{suffix}") for suffix in ("", "-wal", "-shm"))
        database = with_journal + _size(backups_folder(self._paths))
        parts = (self._paths.attachments, self._paths.logs, root / "ballast", root)
        files, logs, reserve, total = map(_size, parts)
        return database, files, logs, reserve, total


def _count(connection: sqlite3.Connection) -> tuple[int, int, int]:
    return connection.execute(_COUNTS).fetchone()


def _size(path: Path) -> int:
    """The bytes of a file, or of all files below a folder; what vanishes meanwhile or cannot be read counts nothing."""
    total, waiting = 0, [os.fspath(path)]
    while waiting:
        place = waiting.pop()
        try:
            status = os.lstat(place)
            if stat.S_ISDIR(status.st_mode):
                with os.scandir(place) as entries:
                    waiting.extend(entry.path for entry in entries)
            else:
                total += status.st_size
        except OSError:
            continue
    return total
