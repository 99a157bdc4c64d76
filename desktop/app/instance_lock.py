"""One program per data folder: a lock that the system releases when its holder ends, however it ends."""

import contextlib
import json
import logging
import os
import stat
import sys
from pathlib import Path
from types import TracebackType
from typing import Any

from desktop.core.errors import StorageError
from desktop.storage.data_folder import prepare_folder, printable, unwritable

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

logger = logging.getLogger(__name__)

_LOCKED_BYTE = 1 << 20
"""Windows keeps others from reading a locked range: the lock lies behind the text."""
_MAX_TEXT_BYTES = 4096


class InstanceLock:
    """Held from ``acquire`` to ``release``, or until the process ends."""

    def __init__(self, path: Path, handle: int, *, was_left: bool = False) -> None:
        self._path = path
        self._handle: int | None = handle
        self.was_left = was_left
        """Whoever held it before did not give it back: that process crashed or was killed."""

    @classmethod
    def acquire(cls, path: Path, holder: str) -> "InstanceLock":
        """Take the lock, made with its folder if missing. ``holder`` says what holds it: ``Threadwell window``.

        Raises ``StorageError``: ``storage.busy`` with ``holder`` (what holds it, and its process id) and ``path`` (the
        data folder), or ``storage.unwritable``.
        """
        prepare_folder(path.parent)
        handle = _open(path)
        try:
            if not _try_lock(handle):
                raise StorageError("storage.busy", holder=_describe(_read(handle)), path=printable(path.parent))
            was_left = bool(_read(handle))
            _write(handle, {"pid": os.getpid(), "started": process_start(os.getpid()), "holder": holder})
        except OSError as error:
            os.close(handle)
            raise unwritable(path, f"{error.strerror or error}.") from error
        except BaseException:
            os.close(handle)
            raise
        return cls(path, handle, was_left=was_left)

    def release(self) -> None:
        """Give the lock back. Harmless when repeated. The file stays: deleting it could hit another's lock."""
        if self._handle is None:
            return
        handle, self._handle = self._handle, None
        try:
            os.ftruncate(handle, 0)
            _unlock(handle)
        except OSError as error:
            logger.warning("the lock %s could not be emptied: %s", self._path, error)
        finally:
            os.close(handle)

    def __enter__(self) -> "InstanceLock":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.release()


def process_start(pid: int) -> str | None:
    """Return when the process was started, in a form that only serves to be compared; None where it is not known.

    A process id is used again after a while; together with this it is not.
    """
    if sys.platform != "linux":
        return None
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("ascii", "replace").rpartition(")")[2].split()
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    except OSError:
        return None
    return f"{boot}:{fields[19]}"


def _open(path: Path) -> int:
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        handle = os.open(path, flags, 0o600)
    except OSError as error:
        raise unwritable(path, f"{error.strerror or error}.") from error
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise unwritable(path, "this is no regular file.")
    return handle


def _try_lock(handle: int) -> bool:
    """Lock the file; False when another process holds it."""
    if sys.platform == "win32":
        os.lseek(handle, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        # Some network file systems cannot lock; then what the file says of a living process has to do.
        logger.warning("this file system has no locks (%s)", error)
        return not _is_alive(_read(handle))
    return True


def _unlock(handle: int) -> None:
    if sys.platform == "win32":
        os.lseek(handle, _LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)
    else:
        fcntl.flock(handle, fcntl.LOCK_UN)


def _is_alive(record: dict[str, Any]) -> bool:
    pid = record.get("pid")
    if not isinstance(pid, int) or pid <= 0 or pid == os.getpid():
        return False
    if sys.platform != "win32":
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            return True
    return process_start(pid) == record.get("started")


def _read(handle: int) -> dict[str, Any]:
    """Return what the holder wrote; nothing of it when it is not there yet or unreadable."""
    os.lseek(handle, 0, os.SEEK_SET)
    with contextlib.suppress(ValueError, RecursionError):
        record = json.loads(os.read(handle, _MAX_TEXT_BYTES).decode("utf-8"))
        if isinstance(record, dict):
            return record
    return {}


def _write(handle: int, record: dict[str, Any]) -> None:
    text = json.dumps(record).encode()
    os.ftruncate(handle, 0)
    os.lseek(handle, 0, os.SEEK_SET)
    os.write(handle, text)
    os.fsync(handle)


def _describe(record: dict[str, Any]) -> str:
    holder, pid = record.get("holder"), record.get("pid")
    if not isinstance(holder, str) or not isinstance(pid, int):
        return "Another program"
    name = "".join(character for character in holder[:100] if character.isprintable())
    return f"{name} (process {pid})"
