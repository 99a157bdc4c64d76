"""The repositories in a folder: those that are there keep what git starts because of them, and a new one brings nothing.

Git runs what a repository's settings and hooks name, for whoever only looks at it: an editor, a prompt, a person. What
a command in a sandbox has made must not be run outside because of that. So what was there before cannot be changed by
the command, and of what is new the settings and hooks that start something are set aside, under another name.
"""

import contextlib
import os
import re
import stat
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from desktop.core.git_settings import MOST_BYTES, places_led_to, plain_part
from desktop.core.sandbox_problems import SandboxError

MOST_REPOSITORIES = 256
MOST_FILES = 400_000
"""In a folder whose repositories are to be protected; a folder with more of them is no workspace."""
_LEADING_AWAY = ("config.worktree", "commondir")
"""Beside ``config``: more settings, and another place for all of them."""
_MOST_TRIES = 100


@dataclass(frozen=True)
class _Found:
    """A folder that git takes, or may take, for a repository's own."""

    path: str
    names: frozenset[str]


@dataclass(frozen=True)
class SetAside:
    """What was set aside, and where that was not possible: as seen from the workspace."""

    gone: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()


class Repositories:
    """What git finds in ``root`` before a command runs there; ``look`` finds it."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._known: dict[tuple[int, int], frozenset[str]] = {}
        self.folders: list[str] = []
        """The folders of git's own that something lies in."""
        self.led_to: list[str] = []
        """Files and folders in the workspace that their settings name as something to read or to start."""
        self._absent: list[str] = []
        """The same, where there is nothing yet."""

    @classmethod
    def look(cls, root: str) -> "Repositories":
        """Raises ``SandboxError`` when what is there cannot all be protected."""
        there = cls(root)
        for found in _walk(root, most_files=MOST_FILES):
            if not found.names:
                continue
            if len(there.folders) == MOST_REPOSITORIES:
                raise SandboxError("too_many_repositories", root)
            with contextlib.suppress(OSError):
                there._known[_identity(os.stat(found.path, follow_symlinks=False))] = found.names
            there.folders.append(found.path)
            there._note_what_is_led_to(found.path)
        return there

    def noted(self) -> Mapping[str, Any]:
        """What ``set_new_ones_aside`` has to know, as JSON can hold it."""
        leading_away = frozenset(_LEADING_AWAY)
        known = [[*identity, sorted(names & leading_away)] for identity, names in self._known.items()]
        device = os.stat(self._root).st_dev
        return {"root": self._root, "device": device, "known": known, "absent": self._absent}

    @classmethod
    def from_note(cls, note: Mapping[str, Any]) -> "Repositories":
        """Raises ``KeyError``, ``TypeError``, ``ValueError`` and ``OSError`` for what is no note, or of no folder any more."""
        there = cls(str(note["root"]))
        device = os.stat(there._root).st_dev  # which may have got another number with a start of the computer
        for its_device, inode, names in note["known"]:
            identity = device if its_device == note["device"] else int(its_device), int(inode)
            there._known[identity] = frozenset(map(str, names))
        there._absent = list(map(str, note["absent"]))
        return there

    def set_new_ones_aside(self) -> "SetAside":
        """After the command: leave nothing that git would start because of what is new.

        Nothing of the command may run any more; another one in the same folder may.
        """
        gone: list[str] = []
        failed: list[str] = []
        for path in [found.path for found in _walk(self._root, most_files=None)]:
            try:
                with _opened(path) as folder:
                    before = self._known.get(_identity(os.fstat(folder)))
                    if before is None:
                        names = self._disarm(folder, path)
                    else:
                        names = [n for n in _LEADING_AWAY if n not in before and _set_aside(folder, n)]
                gone += [os.path.join(path, name) for name in names]
            except FileNotFoundError:  # another command took it away
                continue
            except OSError:
                failed.append(path)
        for place in self._absent:
            try:
                with _opened(os.path.dirname(place)) as folder:
                    if _set_aside(folder, os.path.basename(place)):
                        gone.append(place)
            except (FileNotFoundError, NotADirectoryError):
                continue
            except OSError:
                failed.append(place)
        return SetAside(self._relative(gone), self._relative(failed))

    def _relative(self, paths: Sequence[str]) -> tuple[str, ...]:
        return tuple(os.path.relpath(path, self._root) for path in paths)

    def _note_what_is_led_to(self, folder: str) -> None:
        """Hooks are looked for as seen from the files, other settings as seen from the settings: both are tried."""
        for name in ("config", "config.worktree"):
            for word, counts_later in places_led_to(_read(os.path.join(folder, name))):
                for base in (os.path.dirname(folder), folder):
                    place = os.path.realpath(os.path.join(base, os.path.expanduser(word)))
                    if not self._is_inside(place) or place == folder or _is_below(folder, place):
                        continue
                    if os.path.exists(place):
                        self.led_to.append(place)
                    elif counts_later:
                        self._absent.append(place)

    def _is_inside(self, path: str) -> bool:
        return _is_below(path, self._root)

    def _disarm(self, folder: int, path: str) -> list[str]:
        gone = ["hooks"] if _has_hooks(folder) and _set_aside(folder, "hooks") else []
        for name in ("config", "config.worktree"):
            data = _read(name, folder)
            plain, left_out = plain_part(data, lambda place: self._may_be_worktree(place, path))
            if _is_odd(name, folder) or left_out:
                if not _set_aside(folder, name):
                    continue
                gone.append(f"{name} ({', '.join(left_out[:5])})" if left_out else name)
                if name == "config":
                    _write(name, plain, folder)
        place = _common_folder(path, _read("commondir", folder))
        if place and not self._is_inside(place) and _set_aside(folder, "commondir"):
            gone.append("commondir")
        return gone

    def _may_be_worktree(self, place: str, folder: str) -> bool:
        return not os.path.isabs(place) and self._is_inside(os.path.realpath(os.path.join(folder, place)))


def _walk(root: str, *, most_files: int | None) -> Generator[_Found, None, None]:
    """Go through all folders without following links. Without a limit also those that hide what is in them."""
    waiting = [root]
    seen = 0
    listed: set[str] = set()
    while waiting:
        folder = waiting.pop()
        names, folders = _list(folder, open_up=most_files is None)
        seen += len(names)
        if most_files is not None and seen > most_files:
            raise SandboxError("too_many_files", root)
        waiting += folders
        has_all = "HEAD" in names and ("commondir" in names or {"objects", "refs"} <= names)
        if (has_all or folder.endswith("/.git")) and folder not in listed:
            listed.add(folder)
            yield _Found(folder, frozenset(names))
        if has_all and "commondir" in names:
            place = _common_folder(folder, _read(os.path.join(folder, "commondir")))
            if _is_below(place, root) and os.path.isdir(place) and place not in listed:
                listed.add(place)
                yield _Found(place, frozenset(_list(place, open_up=most_files is None)[0]))


def _list(folder: str, *, open_up: bool) -> tuple[set[str], list[str]]:
    """The names in a folder, and the paths of the folders among them; nothing of one that cannot be read."""
    for attempt in (1, 2):
        try:
            with os.scandir(folder) as listing:
                entries = list(listing)
            return {e.name for e in entries}, [e.path for e in entries if e.is_dir(follow_symlinks=False)]
        except PermissionError:
            if not open_up or attempt == 2:
                break
            _open_up(os.path.dirname(folder))
            _open_up(folder)
        except OSError:
            break
    return set(), []


def _open_up(folder: str) -> None:
    """A folder that its owner cannot look into may become one later."""
    with contextlib.suppress(OSError):
        place = os.open(folder, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            os.chmod(f"/proc/self/fd/{place}", stat.S_IMODE(os.fstat(place).st_mode) | stat.S_IRWXU)
        finally:
            os.close(place)


@contextmanager
def _opened(path: str) -> Generator[int, None, None]:
    """A folder to work in, opened to its owner. Raises ``OSError`` where a link came in its way."""
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        if os.readlink(f"/proc/self/fd/{folder}") != path:
            raise NotADirectoryError(f"{path} is a link now")
        mode = stat.S_IMODE(os.fstat(folder).st_mode)
        if mode & stat.S_IRWXU != stat.S_IRWXU:
            os.fchmod(folder, mode | stat.S_IRWXU)
        yield folder
    finally:
        os.close(folder)


def _has_hooks(folder: int) -> bool:
    try:
        hooks = os.open("hooks", os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
    except FileNotFoundError:
        return False
    except OSError:
        return True  # a link, or no folder at all
    try:
        return any(not name.endswith(".sample") for name in os.listdir(hooks))
    finally:
        os.close(hooks)


def _is_odd(name: str, folder: int) -> bool:
    """True for what is there and no ordinary file, or one that only becomes readable later."""
    try:
        mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
        return not (stat.S_ISREG(mode) and mode & stat.S_IRUSR)
    except FileNotFoundError:
        return False


def _read(name: str, folder: int | None = None) -> bytes:
    """The beginning of an ordinary file; empty for everything else."""
    try:
        file = os.open(name, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
    except OSError:
        return b""
    try:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            return b""
        with open(file, "rb", closefd=False) as reader:
            return reader.read(MOST_BYTES + 1)
    except OSError:
        return b""
    finally:
        os.close(file)


def _write(name: str, data: bytes, folder: int) -> None:
    file = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644, dir_fd=folder)
    with open(file, "wb") as writer:
        writer.write(data)


def _set_aside(folder: int, name: str) -> bool:
    """Give something another name, under which git does not look; False when it is not there."""
    for number in range(1, _MOST_TRIES):
        new = f"{name}.set-aside" if number == 1 else f"{name}.set-aside-{number}"
        try:
            os.stat(new, dir_fd=folder, follow_symlinks=False)
        except FileNotFoundError:
            try:
                os.rename(name, new, src_dir_fd=folder, dst_dir_fd=folder)
            except FileNotFoundError:
                return False
            return True
    raise OSError(f"{name} could not be set aside")


def _common_folder(folder: str, data: bytes) -> str:
    """Where the file ``commondir`` of a repository leads; empty when it leads nowhere."""
    text = os.fsdecode(re.split(rb"[\r\n]", data, maxsplit=1)[0])
    return os.path.realpath(os.path.join(folder, text)) if text and "\0" not in text else ""


def _is_below(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip("/") + "/")


def _identity(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino
