"""Where backups lie: a folder of any kind. ``webdav`` is the other place."""

import contextlib
import errno
import os
import shutil
from collections.abc import Callable, Generator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from desktop.core.backups import BACKUP_SUFFIX, BackupError, Stage
from desktop.storage.backup.archive import BLOCK, digest_of
from desktop.storage.backup.job import Job, Steps

TEMPORARY = ".threadwell-unfinished"
"""Ends the names of what is being written; no half backup ever has a final name."""


@dataclass(frozen=True, kw_only=True)
class Stored:
    """A backup as a place lists it."""

    name: str
    size: int
    modified_at: datetime | None = None


class Place(Protocol):
    """All of it runs in a thread. Raises ``BackupError``."""

    @property
    def shown(self) -> str:
        """For people: an address without a password."""
        ...

    def store(self, source: Path, name: str, job: Job) -> str:
        """Let a checked backup appear under ``name``, or one like it where that is taken; return it. ``source`` may be moved."""
        ...

    def stored(self) -> list[Stored]: ...

    def fetch(self, name: str, target: Path, job: Job) -> Path:
        """Return where the backup can be read: ``target``, if it had to be brought here."""
        ...

    def remove(self, name: str, size: int) -> None:
        """Delete a backup that has this size; one that is gone or another one now is left."""
        ...

    def try_out(self) -> None:
        """Write a small file and remove it again."""
        ...


class FolderPlace:
    """A folder of this computer, also one that is synced: files appear in it whole, by one rename."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @property
    def shown(self) -> str:
        return str(self._folder)

    def store(self, source: Path, name: str, job: Job) -> str:
        with _told(self._folder):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._sweep()
            unfinished = self._folder / f"{name}{TEMPORARY}"
            try:
                _copy(source, unfinished, job)
                final = _free(name, lambda one: (self._folder / one).exists())
                os.replace(unfinished, self._folder / final)
            except BaseException:
                unfinished.unlink(missing_ok=True)
                raise
            _flush(self._folder)
            return final

    def stored(self) -> list[Stored]:
        found: list[Stored] = []
        with _told(self._folder), contextlib.suppress(FileNotFoundError):
            for path in self._folder.iterdir():
                if path.name.endswith(BACKUP_SUFFIX) and path.is_file():
                    facts = path.stat()
                    at = datetime.fromtimestamp(facts.st_mtime, UTC)
                    found.append(Stored(name=path.name, size=facts.st_size, modified_at=at))
        return found

    def fetch(self, name: str, target: Path, job: Job) -> Path:
        return self._folder / _plain(name)

    def remove(self, name: str, size: int) -> None:
        path = self._folder / _plain(name)
        with _told(self._folder), contextlib.suppress(FileNotFoundError):
            if path.is_file() and not path.is_symlink() and path.stat().st_size == size:
                path.unlink()

    def try_out(self) -> None:
        probe = self._folder / f"threadwell-probe{TEMPORARY}"
        with _told(self._folder):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            try:
                probe.write_bytes(b"Threadwell")
                os.replace(probe, probe.with_name(f"renamed-{probe.name}"))
            finally:
                for path in (probe, probe.with_name(f"renamed-{probe.name}")):
                    path.unlink(missing_ok=True)

    def _sweep(self) -> None:
        """Delete what a killed one left half written."""
        for path in self._folder.glob(f"Threadwell-*{BACKUP_SUFFIX}{TEMPORARY}"):
            if path.is_file() and not path.is_symlink():
                path.unlink(missing_ok=True)


def _copy(source: Path, target: Path, job: Job) -> None:
    """Copy to the other disk, flush it there, and read it back."""
    size = source.stat().st_size
    steps = Steps(job, Stage.SENDING, 2 * size)
    if shutil.disk_usage(target.parent).free < size:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(target))
    handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), 0o600)
    with source.open("rb") as reader, os.fdopen(handle, "wb") as writer:
        done = 0
        while block := reader.read(BLOCK):
            writer.write(block)
            done += len(block)
            steps.at(done)
        writer.flush()
        os.fsync(writer.fileno())
    steps.add(size)
    with source.open("rb") as one, target.open("rb") as other:
        if digest_of(one) != digest_of(other, steps.at):
            raise BackupError("backup.not_sound", detail=f"{target.parent} gave back something else than was written.")


def _free(name: str, is_taken: Callable[[str], bool]) -> str:
    stem, number, final = name.removesuffix(BACKUP_SUFFIX), 1, name
    while is_taken(final):
        number += 1
        final = f"{stem}-{number}{BACKUP_SUFFIX}"
    return final


def _plain(name: str) -> str:
    """A name that leads nowhere else."""
    if name != os.path.basename(name) or "\\" in name or name in ("", ".", ".."):
        raise BackupError("backup.unreadable", name=name[:100], detail="Its name leads to another folder.")
    return name


def _flush(folder: Path) -> None:
    if os.name == "posix":
        number = os.open(folder, os.O_RDONLY)
        try:
            with contextlib.suppress(OSError):  # some network folders refuse that
                os.fsync(number)
        finally:
            os.close(number)


@contextlib.contextmanager
def _told(folder: Path) -> Generator[None, None, None]:
    """Turn what the system says of a folder into words."""
    try:
        yield
    except FileNotFoundError as error:
        raise BackupError("backup.no_folder", path=str(folder), detail="It is not there.") from error
    except OSError as error:
        raise folder_error(folder, error) from error


def folder_error(folder: Path, error: OSError) -> BackupError:
    """Return what the user should hear of a folder that refused."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return BackupError("backup.full", path=str(folder))
    return BackupError("backup.no_folder", path=str(folder), detail=f"{error.strerror or error}.")
