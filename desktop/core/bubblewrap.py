"""Commands in a sandbox of bubblewrap (Linux): what it shows of the machine, and whether it was really made.

A command sees the system read-only, of the home folders and of what lies where others have their files nothing, and
one folder that it can change. In that folder it can neither change nor create what other programs start by themselves.
"""

import contextlib
import logging
import math
import os
import shutil
import stat
import sys
import threading
import time
from collections import Counter
from collections.abc import Container, Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from desktop.core.repositories import Repositories, SetAside
from desktop.core.sandbox_notes import SandboxNotes
from desktop.core.sandbox_problems import SandboxError
from desktop.core.syscall_filter import is_known_machine, syscall_filter
from desktop.core.workspaces import is_in, sandbox_problem

logger = logging.getLogger(__name__)

_SYSTEM_PATH = "/usr/bin:/bin:/usr/local/bin:/run/current-system/sw/bin:/run/wrappers/bin"
_HIDDEN = ("/home", "/media", "/mnt", "/root", "/run", "/tmp", "/var/tmp")
"""Files of people, and sockets of services: of the display, the session bus, containers, key agents."""
_SWITCHES = ("/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger")
"""Of the whole machine, and open to its root even without any of root's rights."""
_STARTED_BY_OTHERS = (".git/hooks", ".git/config", ".vscode", ".idea", ".envrc", ".mcp.json", ".config/autostart")
"""What git, editors, shells and the desktop read in a folder that somebody opens, and then start programs for."""
_OURS_IF_EMPTY = (".git", ".vscode", ".idea", ".envrc", ".mcp.json")
"""As an empty folder each of them is of no use: a sandbox whose end nobody saw has left it."""
_OF_GIT = ("hooks", "config")
_MAY_BE_OF_GIT = ("commondir", "config.worktree")
_RAM_FILES = 512 * 2**20
"""What can be written to places other than the workspace; it is in memory and gone with the command."""
_HELD = b"held"
_CHECK_HOLDS_SECONDS = 120


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What one command may use of the machine, beside its time. Sizes are in bytes."""

    memory: int = 4 * 2**30
    """Of one process, as far as it can be written to."""
    addresses: int = 256 * 2**30
    """Programs with a garbage collector reserve a multiple of what they ever use."""
    file_size: int = 2 * 2**30
    processes: int = 512
    """All of the command's together. The system does not hold root to it."""


class Confinement:
    """One command line to be started, once, with ``argv`` and ``pass_fds``; then call ``started``."""

    set_aside = SetAside()
    """After the block: what the command made that git would have started."""

    def __init__(self, *, inside: Sequence[int], word: int) -> None:
        self.argv: list[str] = []
        self.pass_fds = tuple(inside)
        self._open = [*inside]
        self._word = word

    def started(self) -> None:
        """The child has copies of its own: give up ours."""
        while self._open:
            os.close(self._open.pop())

    def was_held(self) -> bool:
        """After the end: True when the sandbox was made, and the command began in it; else nothing of it has run."""
        try:
            return os.read(self._word, len(_HELD)) == _HELD
        except BlockingIOError:
            return False


class Bubblewrap:
    """Makes sandboxes with the system's own ``bwrap``. ``data`` is never in one, and never in a workspace."""

    def __init__(self, data: Iterable[Path] = (), *, limits: Limits | None = None) -> None:
        self._data = tuple(data)
        self._limits = limits or Limits()
        self._in_use: Counter[Path] = Counter()
        """Placeholders in workspaces, with the number of sandboxes that need them."""
        self._changing = threading.Lock()
        self._checked: dict[str, float] = {}
        """When folders were last found to do."""
        self._notes = SandboxNotes(self._data[0] / "sandboxes") if self._data else None

    @staticmethod
    def program() -> str:
        """Return where ``bwrap`` is. Raises ``SandboxError`` where there is none that can be trusted."""
        if sys.platform != "linux":
            raise SandboxError("only_on_linux")
        if not is_known_machine():
            raise SandboxError("unknown_machine", os.uname().machine)
        _bash()
        found = shutil.which("bwrap", path=_SYSTEM_PATH)
        if found is None:
            raise SandboxError("not_installed")
        status = os.stat(found)
        if status.st_uid != 0 or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            raise SandboxError("not_the_systems", found)
        return found

    def check(self, folder: str) -> None:
        """Raise ``SandboxError`` when this folder cannot be a workspace. It need not exist yet.

        All in it is looked through now and then only: each run does so anyway, and whoever saw one fail asks ``forget``.
        """
        if (problem := sandbox_problem(folder, data=self._data)) is not None:
            raise SandboxError(*problem)
        looked_through = folder in self._checked and time.monotonic() - self._checked[folder] < _CHECK_HOLDS_SECONDS
        repositories = Repositories(folder) if looked_through else Repositories.look(folder)
        _protected(Path(folder), repositories)
        if not looked_through:
            self._checked[folder] = time.monotonic()

    def forget(self) -> None:
        """Look through every folder anew at its next check."""
        self._checked.clear()

    def catch_up(self) -> tuple[str, ...]:
        """Set aside what git would start of what commands have made whose end nobody saw. Returns what that was."""
        seen = self._notes.catch_up() if self._notes is not None else []
        found = tuple(path for each in seen for path in (*each.gone, *each.failed))
        if found:
            logger.info("set aside after commands whose end nobody saw: %s", found)
        return found

    @contextmanager
    def confined(
        self, command: str, folder: str, *, network: bool, seconds: float
    ) -> Generator[Confinement, None, None]:
        """Prepare one run of ``command`` in ``folder``, which exists. Leave the block when nothing of it runs any more.

        ``seconds`` is its time limit, which the caller enforces. Raises ``SandboxError`` when it is not possible: then
        nothing must be run. Going in and out takes a look into every folder, so neither is for the loop's thread.
        """
        program, bash = self.program(), _bash()
        if (problem := sandbox_problem(folder, data=self._data)) is not None:
            raise SandboxError(*problem)
        workspace = Path(folder)
        before = os.stat(workspace, follow_symlinks=False)
        self.catch_up()
        repositories = Repositories.look(folder)
        with self._changing:
            protected = _protected(workspace, repositories, self._in_use)
            self._in_use.update(protected.absent)
        word, word_inside = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        rules = _readable(syscall_filter(local_sockets=not network))
        confinement = Confinement(inside=(rules, word_inside), word=word)
        try:
            confinement.argv = [
                program,
                *("--unshare-all", *(["--share-net"] if network else []), "--unshare-user", "--disable-userns"),
                *("--die-with-parent", "--new-session", "--cap-drop", "ALL", "--seccomp", str(rules)),
                *self._mounts(workspace, protected, network=network),
                *("--", bash, "--noprofile", "--norc", "-c", _BEGINNING, "bash"),
                *(f"{before.st_dev}:{before.st_ino}", str(word_inside), *self._ulimits(seconds), bash, command),
            ]
            with self._notes.of(repositories) if self._notes is not None else contextlib.nullcontext():
                try:
                    yield confinement
                finally:
                    confinement.set_aside = repositories.set_new_ones_aside()
        finally:
            confinement.started()
            os.close(word)
            self._tidy(protected)

    def _mounts(self, workspace: Path, protected: "_Protected", *, network: bool) -> list[str]:
        home = Path(os.path.realpath(Path.home()))
        data = [Path(os.path.realpath(folder)) for folder in self._data]
        hidden = [Path(os.path.realpath(folder)) for folder in _HIDDEN if os.path.isdir(folder)]
        hidden += [home] if home.is_dir() or is_in(home, hidden) else []
        hidden += [folder for folder in data if folder.is_dir() and not is_in(folder, hidden)]
        writable = {Path(os.path.realpath("/tmp")), home}
        ram = ["--size", str(_RAM_FILES), "--tmpfs"]
        mounts = ["--ro-bind", "/", "/", "--dev", "/dev", *ram, "/dev/shm", "--remount-ro", "/dev", "--proc", "/proc"]
        for name in _SWITCHES:
            mounts += ["--ro-bind-try", name, name]
        for folder in dict.fromkeys(hidden):
            mounts += [*ram, str(folder)]
        mounts += ["--bind", str(workspace), str(workspace)]
        for path in protected.ways:
            mounts += ["--bind", str(path), str(path)]  # a folder that is a mount cannot be moved away
        for path in protected.absent:  # before what exists: among that may be a folder that holds one of these
            mounts += ["--tmpfs", str(path), "--remount-ro", str(path)]
        for path in protected.present:
            mounts += ["--ro-bind", str(path), str(path)]
        for path in _sockets(hidden, workspace):
            mounts += ["--ro-bind", "/dev/null", path]
        if network:
            mounts += _name_lookup(hidden)
        for folder in dict.fromkeys(hidden):
            if folder not in writable and folder != workspace:
                mounts += ["--remount-ro", str(folder)]
        return [*mounts, "--chdir", str(workspace)]

    def _ulimits(self, seconds: float) -> list[str]:
        import resource

        limits = self._limits
        cpu_seconds = math.ceil(seconds) * (os.cpu_count() or 1) + 1  # several threads are faster than the clock
        wanted = (
            (resource.RLIMIT_CORE, 0, 1),
            (resource.RLIMIT_CPU, cpu_seconds, 1),
            (resource.RLIMIT_FSIZE, limits.file_size, 1024),
            (resource.RLIMIT_DATA, limits.memory, 1024),
            (resource.RLIMIT_AS, limits.addresses, 1024),
            (resource.RLIMIT_NPROC, limits.processes, 1),
        )
        values: list[str] = []
        for which, value, unit in wanted:
            hard = resource.getrlimit(which)[1]
            values.append(str((value if hard == resource.RLIM_INFINITY else min(value, hard)) // unit))
        return values

    def _tidy(self, protected: "_Protected") -> None:
        """Take away what stood in for absent files, once no sandbox needs it."""
        with self._changing:
            self._in_use.subtract(protected.absent)
            for path in protected.absent:
                if self._in_use[path] <= 0:
                    del self._in_use[path]
                    with contextlib.suppress(OSError):  # it was never made, or is no longer empty
                        os.rmdir(path)


_BEGINNING = """
[ "$(stat -c %d:%i .)" = "$1" ] || { echo "the folder was exchanged" >&2; exit 1; }
{ ulimit -c "$3" && ulimit -t "$4" && ulimit -f "$5" && ulimit -d "$6" && ulimit -v "$7" && ulimit -u "$8"; } || exit 1
{ echo 1000 > /proc/self/oom_score_adj; } 2> /dev/null
printf held >&"$2" || exit 1
eval "exec $2>&-"
exec "$9" --noprofile --norc -c "${10}"
"""
"""Runs inside, before the command: is this the folder that was meant, and do the limits hold?"""


@dataclass(frozen=True)
class _Protected:
    """What of a workspace a command may not change: folders on the way there, what exists, and what does not."""

    ways: tuple[Path, ...]
    present: tuple[Path, ...]
    absent: tuple[Path, ...]


def _protected(workspace: Path, repositories: Repositories, in_use: Container[Path] = ()) -> _Protected:
    """``in_use`` are placeholders of sandboxes that run now.

    Raises ``SandboxError`` where a link stands in the way: it could be made to lead elsewhere."""
    ways: dict[Path, None] = {}
    present: dict[Path, None] = {}
    absent: dict[Path, None] = {}
    for name in _STARTED_BY_OTHERS:
        path = workspace
        parts = Path(name).parts
        for part in parts:
            path /= part
            try:
                mode = os.lstat(path).st_mode
            except FileNotFoundError:
                absent[path] = None
                break
            if stat.S_ISLNK(mode):
                raise SandboxError("is_link", str(path))
            if path in in_use or (
                str(path.relative_to(workspace)) in _OURS_IF_EMPTY and stat.S_ISDIR(mode) and _is_empty(path)
            ):
                absent[path] = None
                break
            if not stat.S_ISDIR(mode) or path == workspace / name:
                present[path] = None
                break
            ways[path] = None
    for folder in map(Path, repositories.folders):
        # One right below the workspace stays where it is; with those that lie deeper whole trees could not be moved.
        ways |= dict.fromkeys([folder, *([folder.parent] if folder.parent.parent == workspace else [])])
        for name in (*_OF_GIT, *_MAY_BE_OF_GIT):
            _protect_of_git(folder / name, present, absent, in_use)
    ways.pop(workspace, None)
    led_to = [path for path in map(Path, repositories.led_to) if path not in ways]
    return _Protected(tuple(sorted(ways)), tuple(dict.fromkeys([*present, *led_to])), tuple(absent))


def _protect_of_git(path: Path, present: dict[Path, None], absent: dict[Path, None], in_use: Container[Path]) -> None:
    if path.is_symlink():
        raise SandboxError("is_link", str(path))
    if path.exists() and path not in in_use:
        present[path] = None
    elif path.name in _OF_GIT:
        absent[path] = None


def _sockets(hidden: Sequence[Path], workspace: Path) -> list[str]:
    """Sockets of this machine's programs that a command would see: a read-only file system does not close them."""
    try:
        lines = Path("/proc/net/unix").read_bytes().splitlines()
    except OSError:
        return []
    names = {os.fsdecode(line[line.index(b"/") :]) for line in lines if b" /" in line}
    seen: list[str] = []
    for name in sorted(names):
        real = os.path.realpath(name)
        try:
            is_socket = stat.S_ISSOCK(os.lstat(real).st_mode)
        except (OSError, ValueError):
            continue
        if is_socket and (is_in(Path(real), [workspace]) or not is_in(Path(real), hidden)):
            seen.append(real)
    return seen


def _name_lookup(hidden: Sequence[Path]) -> list[str]:
    """The address of the name server, where ``/etc/resolv.conf`` leads to a hidden place."""
    real = os.path.realpath("/etc/resolv.conf")
    return ["--ro-bind", real, real] if is_in(Path(real), hidden) and os.path.isfile(real) else []


def _is_empty(folder: Path) -> bool:
    with os.scandir(folder) as entries:
        return not any(entries)


def _bash() -> str:
    found = shutil.which("bash", path=_SYSTEM_PATH)
    if found is None:
        raise SandboxError("no_bash")
    return found


def _readable(data: bytes) -> int:
    """Return a file descriptor from which ``data``, which is short, can be read."""
    reading, writing = os.pipe2(os.O_CLOEXEC)
    try:
        os.write(writing, data)
    finally:
        os.close(writing)
    return reading
