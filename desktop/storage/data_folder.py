"""The data folder on disk: made at need, kept free of surprises, with a reserve for the day the disk is full."""

import contextlib
import logging
import os
import stat
from datetime import datetime
from pathlib import Path

from desktop.core.errors import StorageError

logger = logging.getLogger(__name__)

BALLAST_BYTES = 8 * 1024 * 1024
"""More than the write-ahead log needs while it deletes, so that deleting works on a full disk once this is freed."""


def prepare_folder(folder: Path) -> None:
    """Make the folder, private to the user. Raises ``StorageError`` when that cannot be done."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except FileExistsError as error:
        raise unwritable(folder, "there is something else with this name.") from error
    except OSError as error:
        raise unwritable(folder, f"{error.strerror or error}.") from error


def require_regular_file(path: Path) -> bool:
    """Return whether the file is there. Raises ``StorageError`` when something else has its name.

    A symbolic link counts as something else: SQLite would put its side files beside the target, out of sight of
    purge and of setting aside. A linked data *folder* is fine.
    """
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return False
    except OSError as error:
        raise unwritable(path, f"{error.strerror or error}.") from error
    if stat.S_ISREG(mode):
        return True
    kind = "a folder" if stat.S_ISDIR(mode) else "a symbolic link" if stat.S_ISLNK(mode) else "no regular file"
    raise unwritable(path, f"this is {kind}, where Threadwell keeps a file of its own.")


def unwritable(path: Path, detail: str) -> StorageError:
    """Return the error for a path that cannot be used."""
    return StorageError("storage.unwritable", path=printable(path), detail=detail)


def printable(path: Path) -> str:
    """Return the path as text that can be printed and stored, also when its bytes are no UTF-8."""
    return os.fsencode(path).decode("utf-8", "replace")


def set_aside(database: Path, moment: datetime) -> Path:
    """Rename the database and its side files, so that nothing of them is lost or used; return the new name."""
    stem = f"{database.stem}.damaged-{moment:%Y%m%d-%H%M%S}"
    kept_as, counter = database.with_name(f"{stem}{database.suffix}"), 1
    while any(side.exists() for side in with_side_files(kept_as)):
        counter += 1
        kept_as = database.with_name(f"{stem}-{counter}{database.suffix}")
    for source, target in zip(with_side_files(database), with_side_files(kept_as), strict=True):
        with contextlib.suppress(FileNotFoundError):
            source.rename(target)
    return kept_as


def with_side_files(database: Path) -> tuple[Path, Path, Path]:
    """Return the names of the database, its write-ahead log and its shared-memory file."""
    return database, database.with_name(f"{database.name}-wal"), database.with_name(f"{database.name}-shm")


class Ballast:
    """A file whose only purpose is to be deleted: on a full disk SQLite could not even delete without it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def exists(self) -> bool:
        return self.path.exists()

    def ensure(self) -> bool:
        """Make the file if it is missing; False when there is no room for it."""
        try:
            if self.path.stat().st_size == BALLAST_BYTES:
                return True
        except FileNotFoundError:
            pass
        except OSError as error:
            logger.warning("the reserve file cannot be looked at: %s", error)
            return False
        try:
            self._write()
        except OSError as error:
            logger.warning("no room for the reserve file: %s", error)
            self.free()
            return False
        return True

    def _write(self) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0)
        with os.fdopen(os.open(self.path, flags, 0o600), "wb") as file:
            if hasattr(os, "posix_fallocate"):
                os.posix_fallocate(file.fileno(), 0, BALLAST_BYTES)
            else:
                # Not compressible, or a compressing file system would keep no room free for it.
                file.write(os.urandom(BALLAST_BYTES))

    def free(self) -> bool:
        """Delete the file; True when that made room."""
        try:
            self.path.unlink()
        except FileNotFoundError:
            return False
        except OSError as error:
            logger.warning("the reserve file cannot be freed: %s", error)
            return False
        return True
