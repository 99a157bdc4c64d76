"""The folders of the index of vectors: one in use, which a pointer names, and what is built beside it or left of an older one."""

import contextlib
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from desktop.core.ids import new_id

_FOLDER = re.compile(r"[0-9a-z]{26}")
_POINTER, _NEW_POINTER, _ERASING, _REMOVED = "current", "current.new", "erasing", "removed"
_MOST_POINTER = 100


class VectorFolders:
    """All in ``root``. Raises ``OSError``. What is in there under names that are not ours is left alone."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def prepare(self) -> None:
        """Make the root, for the user alone, in the place of whatever stands there instead."""
        if self._root.is_symlink() or (self._root.exists() and not self._root.is_dir()):
            self._root.unlink()
        self._root.mkdir(mode=0o700, parents=True, exist_ok=True)

    def current(self) -> Path | None:
        """Return the folder that is in use, None where there is none yet. Raises ``ValueError`` when it cannot be told."""
        pointer = self._root / _POINTER
        if not os.path.lexists(pointer):
            return None
        with open(pointer, "rb") as file:
            name = file.read(_MOST_POINTER).decode("ascii").strip()
        folder = self._root / name
        if not _FOLDER.fullmatch(name) or folder.is_symlink() or not folder.is_dir():
            raise ValueError("the folder of the index is missing")
        return folder

    def begin(self) -> Path:
        """Make a folder that is not in use yet."""
        folder = self._root / new_id()
        folder.mkdir(mode=0o700)
        return folder

    def use(self, folder: Path) -> None:
        """Make this the folder in use, whole or not at all, whenever the power fails."""
        new = self._root / _NEW_POINTER
        _remove(new)
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(folder.name)
            file.flush()
            os.fsync(file.fileno())
        if (self._root / _POINTER).is_dir():
            _remove(self._root / _POINTER)
        os.replace(new, self._root / _POINTER)
        self._sync()

    @property
    def is_erasing(self) -> bool:
        return os.path.lexists(self._root / _ERASING)

    def mark_erasing(self) -> None:
        """Note on the disk that what lies in the folder in use is to go."""
        self._mark(_ERASING)

    @property
    def holds_removed(self) -> bool:
        """Whether the folder in use may hold bytes of what was removed or replaced."""
        return os.path.lexists(self._root / _REMOVED)

    def mark_removed(self) -> None:
        self._mark(_REMOVED)

    def forget_removed(self) -> None:
        _remove(self._root / _REMOVED)

    @property
    def is_empty(self) -> bool:
        """Whether no file of an index is there, so that nothing can be left in it."""
        return not self._root.is_dir() or not any(map(_holds_something, self._folders()))

    def sweep(self, *, keep: Path | None) -> None:
        """Remove all folders but that one, and with them the mark: nothing of what was to go is left."""
        if keep is None:
            _remove(self._root / _POINTER)
        for folder in list(self._folders()):
            if folder != keep:
                _remove(folder)
        self._sync()
        _remove(self._root / _ERASING)

    def discard(self) -> None:
        """Remove all that is there of an index which nobody has open, and what was noted about it."""
        if not self.is_empty:
            self.sweep(keep=None)
            self.forget_removed()

    def _mark(self, name: str) -> None:
        os.close(os.open(self._root / name, os.O_WRONLY | os.O_CREAT, 0o600))
        self._sync()

    def _folders(self) -> Iterator[Path]:
        return (entry for entry in self._root.iterdir() if _FOLDER.fullmatch(entry.name))

    def _sync(self) -> None:
        if os.name == "posix":
            number = os.open(self._root, os.O_RDONLY)
            try:
                os.fsync(number)
            finally:
                os.close(number)


def _holds_something(path: Path) -> bool:
    return path.is_symlink() or not path.is_dir() or any(path.iterdir())


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        with contextlib.suppress(FileNotFoundError):
            path.unlink()
