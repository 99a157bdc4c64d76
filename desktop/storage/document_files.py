"""The user's files as documents: folders walked within bounds, links that lead out left alone, nothing ever written."""

import asyncio
import contextlib
import os
import stat
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from desktop.conversation.file_kinds import megabytes
from desktop.core.attachment_limits import MOST_FILE_BYTES
from desktop.core.document_kinds import is_read
from desktop.core.errors import FileError
from desktop.memory.documents import DocumentRoot, FoundFile, LeftOut, Look

MOST_FILES = 10_000
"""Of one folder."""
DEEPEST = 24
_MOST_LOOKED_AT = 200_000
"""Of all there is in a folder, whatever it is."""
_FILLED_BY_PROGRAMS = frozenset(
    {
        "node_modules",
        "__pycache__",
        "venv",
        "env",
        "site-packages",
        "target",
        "build",
        "dist",
        "vendor",
        "bower_components",
    }
)
_MARKS_OF_ENVIRONMENTS = "pyvenv.cfg"


class UserFiles:
    """See ``memory.documents.DocumentFiles``. ``never`` is a folder in which nothing is read: the app's own."""

    def __init__(self, never: Path, *, most_files: int = MOST_FILES) -> None:
        self._never = never
        self._most_files = most_files

    async def look(self, root: DocumentRoot) -> Look | None:
        return await asyncio.to_thread(self._look, root)

    async def read(self, path: Path) -> bytes:
        return await asyncio.to_thread(read_file, path)

    def _look(self, root: DocumentRoot) -> Look | None:
        try:
            status = root.path.stat()
        except (OSError, ValueError):
            return None
        if not root.is_folder:
            return Look(files=(_found(root.path, status),)) if stat.S_ISREG(status.st_mode) else None
        if not stat.S_ISDIR(status.st_mode):
            return None
        never = os.path.realpath(self._never)
        walk = _Walk(str(root.path), never, self._most_files)
        walk.folder(str(root.path), 0)
        return Look(files=tuple(walk.files), left_out=dict(walk.left_out))


@dataclass
class _Walk:
    root: str
    never: str
    most: int
    files: list[FoundFile] = field(default_factory=list[FoundFile])
    left_out: Counter[LeftOut] = field(default_factory=Counter[LeftOut])
    looked_at: int = 0

    def folder(self, path: str, depth: int) -> None:
        if depth > DEEPEST:
            self.left_out[LeftOut.TOO_DEEP] += 1
            return
        if os.path.realpath(path) == self.never:
            self.left_out[LeftOut.HIDDEN] += 1
            return
        try:
            with os.scandir(path) as entries:
                found = sorted(entries, key=lambda entry: entry.name)
        except OSError:
            self.left_out[LeftOut.UNREADABLE] += 1
            return
        if depth and any(entry.name == _MARKS_OF_ENVIRONMENTS for entry in found):
            self.left_out[LeftOut.HIDDEN] += 1
            return
        folders: list[str] = []
        for entry in found:
            self.looked_at += 1
            if self.looked_at > _MOST_LOOKED_AT:
                self.left_out[LeftOut.TOO_MANY] += 1
                return
            reason = self._entry(entry, folders)
            if reason is not None:
                self.left_out[reason] += 1
        for below in folders:
            self.folder(below, depth + 1)

    def _entry(self, entry: "os.DirEntry[str]", folders: list[str]) -> LeftOut | None:
        """Take in a file or note a folder; return why it is left out, where it is."""
        try:
            if entry.is_symlink():
                # What it leads to inside stands there by itself.
                return None if self._is_inside(entry.path) else LeftOut.LEADS_OUT
            if entry.name.startswith((".", "~$")) or (entry.is_dir() and entry.name.lower() in _FILLED_BY_PROGRAMS):
                return LeftOut.HIDDEN
            if entry.is_dir():
                folders.append(entry.path)
                return None
            if not entry.is_file() or not is_read(entry.name):
                return LeftOut.KIND
            entry.name.encode()  # a name that is no text cannot be kept
            status = entry.stat()
        except (OSError, UnicodeEncodeError):
            return LeftOut.UNREADABLE
        if status.st_size > MOST_FILE_BYTES:
            return LeftOut.TOO_LARGE
        if len(self.files) >= self.most:
            return LeftOut.TOO_MANY
        if status.st_size:
            self.files.append(_found(Path(entry.path), status))
        return None

    def _is_inside(self, path: str) -> bool:
        target = os.path.realpath(path)
        return target == self.root or target.startswith(self.root.rstrip(os.sep) + os.sep)


def _found(path: Path, status: os.stat_result) -> FoundFile:
    return FoundFile(path=path, size=status.st_size, modified=status.st_mtime_ns)


def read_file(path: Path) -> bytes:
    """Return what stands in a regular file that is no link. Raises ``FileError``."""
    try:
        with contextlib.ExitStack() as stack:
            file = stack.enter_context(os.fdopen(_opened(path), "rb"))
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise FileError("file.no_file")
            if status.st_size > MOST_FILE_BYTES:
                raise FileError("file.too_large", size=megabytes(status.st_size), limit=megabytes(MOST_FILE_BYTES))
            data = b"".join(_pieces_of(file.fileno()))
    except IsADirectoryError as error:
        raise FileError("file.no_file") from error
    except (OSError, ValueError) as error:
        detail = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise FileError("file.unreadable", detail=f"{detail}.") from error
    if not data:
        raise FileError("file.empty")
    return data


def _opened(path: Path) -> int:
    """Not to wait for a pipe that nobody writes to, and not to follow a link that took the file's place."""
    flags = os.O_RDONLY
    for name in ("O_NONBLOCK", "O_BINARY", "O_NOFOLLOW"):
        flags |= getattr(os, name, 0)
    return os.open(path, flags)


def _pieces_of(number: int) -> Iterator[bytes]:
    size = 0
    while size <= MOST_FILE_BYTES and (piece := os.read(number, 1 << 20)):
        size += len(piece)
        yield piece
