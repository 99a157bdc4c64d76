"""Child processes with everything they start: begun so that they can be found again, and ended to the last one.

A process may leave its group (``setsid``) and its parent (a double fork). What it cannot easily leave is its
environment: each tree gets a variable of its own, and on Linux every process that carries it belongs to the tree.
"""

import asyncio
import contextlib
import ctypes
import os
import secrets
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

IS_WINDOWS = sys.platform == "win32"
_IS_LINUX = sys.platform == "linux"
_PROC = Path("/proc")
_PR_SET_PDEATHSIG = 1
_PR_SET_DUMPABLE = 4
_POLL_SECONDS = 0.02
_MARK = "THREADWELL_TREE_"

UNKNOWN_ROOT = -1
"""For a tree whose root is only just being started: it is found by its mark alone."""


@dataclass(frozen=True)
class TreeMark:
    """Names one tree. ``variable`` must be in the environment of its root (see ``env``)."""

    variable: str

    @staticmethod
    def new() -> "TreeMark":
        return TreeMark(f"{_MARK}{secrets.token_hex(8)}")

    @property
    def env(self) -> dict[str, str]:
        """Says also who began the tree, so that a later start finds what nobody owns any more (``end_orphans``)."""
        own = _status(os.getpid()) if _IS_LINUX else None
        return {self.variable: f"{os.getpid()}:{own.started}" if own is not None else "1"}


def start_options() -> dict[str, Any]:
    """Return the keyword arguments for ``subprocess`` and asyncio that put a child into a group of its own."""
    if IS_WINDOWS:
        return {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)}
    return {"start_new_session": True}


def kill(process: asyncio.subprocess.Process) -> None:
    """Kill a child, if it has not ended yet. Its own ``kill`` asks the system first whether it has, and may be told what
    asyncio's watcher waits for, which then knows nothing of its end but that it missed it."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            if IS_WINDOWS:
                process.kill()
            else:
                os.kill(process.pid, signal.SIGKILL)


async def kill_and_drain(process: asyncio.subprocess.Process) -> None:
    """Kill a child whose output comes through a pipe, wait for its end, and read away what it had written.

    asyncio notices no end of a process as long as output of it is held back because nobody reads it.
    """
    kill(process)
    while process.stdout is not None and await process.stdout.read(1 << 16):
        pass
    await process.wait()


def bound_to_parent(argv: Sequence[str], *, stop_signal: str = "KILL") -> list[str]:
    """Return ``argv`` wrapped so that the kernel ends the child when this process dies, where that is possible.

    The signal comes when the *thread* that started the child ends: start it from the main thread. A program that
    forks between two Python threads would be unsafe, hence the small tool of util-linux instead of ``preexec_fn``.
    """
    tool = shutil.which("setpriv") if _IS_LINUX else None
    return [tool, "--pdeathsig", stop_signal, "--", *argv] if tool and argv else list(argv)


def die_with_parent(signal_number: int = signal.SIGTERM) -> None:
    """Ask the kernel to send this process a signal when its parent dies (Linux; elsewhere nothing happens)."""
    _prctl(_PR_SET_PDEATHSIG, signal_number)


def conceal_from_children() -> None:
    """Keep other programs of this user from reading this process's memory and start environment (Linux)."""
    _prctl(_PR_SET_DUMPABLE, 0)


def hide_from_start_environment(name: str) -> None:
    """Blank the variable in what other programs can read of this process's start environment; ours keeps it.

    Nothing happens where that is not possible. A variable that was set later on does not stand there.
    """
    if IS_WINDOWS:
        return
    getenv = ctypes.CDLL(None).getenv
    getenv.restype = ctypes.c_void_p
    address: int | None = getenv(os.fsencode(name))
    if address:
        ctypes.memset(address, ord("*"), len(ctypes.string_at(address)))


def _prctl(option: int, value: int) -> None:
    if _IS_LINUX:
        ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0)


def members(root: int, mark: TreeMark) -> set[int]:
    """Return the living processes of the tree: root, its group and session, all descendants, and the marked ones.

    Without ``/proc`` only the root and its group can be seen; then the root stands for both. This process itself is
    never among them.
    """
    if not _IS_LINUX:
        return {root} if root != UNKNOWN_ROOT and _group_is_alive(root) else set()
    found: set[int] = set()
    parents: dict[int, int] = {}
    needle = f"{mark.variable}=".encode()
    for entry in _PROC.iterdir():
        if not entry.name.isdigit():
            continue
        pid = int(entry.name)
        status = _status(pid)
        if status is None or status.state in "ZX":
            continue
        parents[pid] = status.parent
        if root in (pid, status.group, status.session) or _carries(pid, needle):
            found.add(pid)
    _add_descendants(found, parents)
    return found - {os.getpid()}


def _is_alive(pid: int) -> bool:
    if not _IS_LINUX:
        return _group_is_alive(pid)
    status = _status(pid)
    return status is not None and status.state not in "ZX"


def _add_descendants(found: set[int], parents: dict[int, int]) -> None:
    grown = True
    while grown:
        new = {pid for pid, parent in parents.items() if parent in found and pid not in found}
        found |= new
        grown = bool(new)


@dataclass(frozen=True)
class _Status:
    state: str
    parent: int
    group: int
    session: int
    started: int
    """In the system's own ticks; together with the number it names a process for as long as the system runs."""


def _status(pid: int) -> _Status | None:
    try:
        text = (_PROC / str(pid) / "stat").read_text("utf-8", "replace")
    except OSError:  # it has ended meanwhile
        return None
    # The name in parentheses may hold blanks and parentheses of its own.
    fields = text.rpartition(")")[2].split()
    return _Status(fields[0], int(fields[1]), int(fields[2]), int(fields[3]), int(fields[19]))


def _carries(pid: int, needle: bytes) -> bool:
    try:
        environment = (_PROC / str(pid) / "environ").read_bytes()
    except OSError:  # another user's, concealed, or ended
        return False
    return environment.startswith(needle) or b"\0" + needle in environment


def _group_is_alive(root: int) -> bool:
    if IS_WINDOWS:
        return _windows_process_is_alive(root)
    try:
        os.killpg(root, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _windows_process_is_alive(pid: int) -> bool:
    answer = subprocess.run(
        ["tasklist", "/FI", f"PID eq {pid}", "/NH", "/FO", "CSV"], capture_output=True, text=True, check=False
    )
    return f'"{pid}"' in answer.stdout


async def end_tree(root: int, mark: TreeMark, *, grace_seconds: float = 1.0, kill_seconds: float = 2.0) -> set[int]:
    """End the whole tree: ask first, then kill until nothing is left. Returns what could not be ended.

    Also right after the root ended by itself: what it left behind is found by group, session and mark.
    """
    alive = members(root, mark)
    if not alive:
        return set()
    if IS_WINDOWS:
        await asyncio.to_thread(_end_windows_tree, root)
        return members(root, mark)
    if grace_seconds > 0:
        _signal_all(root, alive, signal.SIGTERM)
        alive = await _wait_until_gone(root, mark, grace_seconds)
    loop = asyncio.get_running_loop()
    deadline = loop.time() + kill_seconds
    while alive and loop.time() < deadline:
        # Anew in every round: a tree may fork faster than one list of it can be killed.
        _signal_all(root, alive, signal.SIGKILL)
        alive = await _wait_until_gone(root, mark, 0.2)
    return alive


def orphans() -> set[int]:
    """Return the living processes of trees whose beginner is dead; never this process or one that it descends from.

    Only where there is ``/proc``: elsewhere the end of its input tells a server that nobody is there any more.
    """
    if not _IS_LINUX:
        return set()
    statuses = {int(entry.name): _status(int(entry.name)) for entry in _PROC.iterdir() if entry.name.isdigit()}
    alive = {pid: status for pid, status in statuses.items() if status is not None and status.state not in "ZX"}
    own, ancestors = os.getpid(), set[int]()
    while own in alive and own not in ancestors:
        ancestors.add(own)
        own = alive[own].parent
    owners = {f"{pid}:{status.started}" for pid, status in alive.items()}
    return {pid for pid in alive.keys() - ancestors if any(owner not in owners for owner in _owners_of(pid))}


def _owners_of(pid: int) -> set[str]:
    """Return who began the trees that the process belongs to."""
    try:
        environment = (_PROC / str(pid) / "environ").read_bytes()
    except OSError:  # another user's, concealed, or ended
        return set()
    marks = (entry for entry in environment.split(b"\0") if entry.startswith(_MARK.encode()))
    values = {entry.partition(b"=")[2].decode("ascii", "replace") for entry in marks}
    return {value for value in values if ":" in value}


async def end_orphans(*, grace_seconds: float = 0.7, kill_seconds: float = 2.0) -> set[int]:
    """End what a killed process of ours left running. Returns what could not be ended."""
    loop = asyncio.get_running_loop()
    left = await asyncio.to_thread(orphans)
    for number, seconds in ((signal.SIGTERM, grace_seconds), (signal.SIGKILL, kill_seconds)):
        deadline = loop.time() + seconds
        for pid in left:
            _quietly(os.kill, pid, number)
        while left and loop.time() < deadline:
            await asyncio.sleep(_POLL_SECONDS)
            left = {pid for pid in left if _is_alive(pid)}
    return left


async def _wait_until_gone(root: int, mark: TreeMark, seconds: float) -> set[int]:
    loop = asyncio.get_running_loop()
    deadline = loop.time() + seconds
    alive = members(root, mark)
    while alive and loop.time() < deadline:
        await asyncio.sleep(_POLL_SECONDS)
        # A look at the known ones is cheap; the whole table is read again only when they are gone.
        if not any(_is_alive(pid) for pid in alive):
            alive = members(root, mark)
    return {pid for pid in alive if _is_alive(pid)}


def _signal_all(root: int, pids: set[int], number: int) -> None:
    if not _IS_LINUX:
        _quietly(os.killpg, root, number)
        return
    for pid in pids:
        _quietly(os.kill, pid, number)


def _quietly(send: Any, target: int, number: int) -> None:
    try:
        send(target, number)
    except (ProcessLookupError, PermissionError):
        return  # ended meanwhile, or not ours: the caller looks again at what is left


def _end_windows_tree(root: int) -> None:
    subprocess.run(["taskkill", "/T", "/F", "/PID", str(root)], capture_output=True, check=False)
