"""Runs one command line in a shell and reports what came of it; nothing that it started outlives the call."""

import asyncio
import contextlib
import locale
import os
import shutil
import signal
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from desktop.core.process_tree import (
    IS_WINDOWS,
    UNKNOWN_ROOT,
    TreeMark,
    bound_to_parent,
    end_tree,
    members,
    start_options,
)
from desktop.core.tasks import is_cancelled, uninterrupted

HEAD_BYTES = 16_000
TAIL_BYTES = 16_000
_READ_BYTES = 65_536
_DRAIN_SECONDS = 0.5
_KEPT_VARIABLES = (
    *("HOME", "LANG", "LANGUAGE", "LOGNAME", "PATH", "SHELL", "TMPDIR", "TZ", "USER", "XDG_RUNTIME_DIR"),
    *("APPDATA", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATHEXT", "PROGRAMDATA", "PROGRAMFILES"),
    *("SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP", "USERNAME", "USERPROFILE", "WINDIR"),
)


@dataclass(frozen=True, kw_only=True)
class CommandOutcome:
    """How a command ended. ``exit_code`` is None when it was stopped at its time limit."""

    exit_code: int | None
    stdout: str
    stderr: str
    timeout_seconds: float
    leftovers: int = 0
    """Processes that the command had left running and that were ended."""

    @property
    def timed_out(self) -> bool:
        return self.exit_code is None

    def text(self) -> str:
        """Return the outcome for the model: first how it ended, by the system's word alone, then both outputs."""
        parts = [self._ending()]
        if self.leftovers:
            parts.append(f"[{self.leftovers} process(es) that it had left running were ended.]")
        for name, output in (("stdout", self.stdout), ("stderr", self.stderr)):
            if output:
                parts.append(f"{name}:\n{output.rstrip()}")
        if not self.stdout and not self.stderr:
            parts.append("(no output)")
        return "\n".join(parts)

    def _ending(self) -> str:
        if self.exit_code is None:
            return f"The command timed out after {self.timeout_seconds:g} seconds and was stopped."
        if self.exit_code >= 0:
            return f"Exit code: {self.exit_code}"
        number = -self.exit_code
        try:
            name = signal.Signals(number).name
        except ValueError:
            name = "unknown signal"
        return f"Ended by signal {number} ({name})"


class OutputKeeper:
    """Keeps the first and the last bytes of a stream of any length, and counts what it left out between them."""

    def __init__(self, head_bytes: int = HEAD_BYTES, tail_bytes: int = TAIL_BYTES) -> None:
        self._head_bytes = head_bytes
        self._tail_bytes = tail_bytes
        self._head = bytearray()
        self._tail = bytearray()
        self._total = 0

    def add(self, data: bytes) -> None:
        self._total += len(data)
        room = self._head_bytes - len(self._head)
        self._head += data[:room]
        self._tail += data[room:]
        if len(self._tail) > 2 * self._tail_bytes:
            del self._tail[: -self._tail_bytes]

    def text(self) -> str:
        del self._tail[: -self._tail_bytes]
        left_out = self._total - len(self._head) - len(self._tail)
        if not left_out:
            return _decode(bytes(self._head + self._tail))
        return f"{_decode(bytes(self._head))}\n[... {left_out} bytes left out ...]\n{_decode(bytes(self._tail))}"


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode(locale.getencoding() if IS_WINDOWS else "utf-8", "replace")


class Shell:
    """Runs command lines in one folder, which is made when the first one runs."""

    def __init__(self, folder: Path, environment: Mapping[str, str] | None = None) -> None:
        self.folder = folder
        self._environment = dict(os.environ if environment is None else environment)
        self._running: dict[TreeMark, int] = {}

    async def run(self, command: str, *, timeout_seconds: float) -> CommandOutcome:
        """Run ``command`` to its end or its time limit. Raises ``OSError`` when the folder or the shell fails.

        Cancelling ends the command and everything it started.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        mark = TreeMark.new()
        self._running[mark] = UNKNOWN_ROOT
        try:
            return await self._run(command, mark, timeout_seconds)
        finally:
            del self._running[mark]

    async def _run(self, command: str, mark: TreeMark, timeout_seconds: float) -> CommandOutcome:
        # Cancelled in the middle of this, asyncio would kill the shell alone and wait for ever for its children.
        process = await uninterrupted(self._start(command, mark))
        self._running[mark] = process.pid
        stdout, stderr = OutputKeeper(), OutputKeeper()
        timed_out, leftovers = False, 0
        try:
            if is_cancelled():
                raise asyncio.CancelledError
            async with asyncio.TaskGroup() as group:
                readers = [group.create_task(_read(process.stdout, stdout))]
                readers.append(group.create_task(_read(process.stderr, stderr)))
                timed_out = not await _exited_within(process, timeout_seconds)
                if not timed_out:
                    await asyncio.wait(readers, timeout=_DRAIN_SECONDS)
                    leftovers = len(members(process.pid, mark))
                await end_tree(process.pid, mark, grace_seconds=0.5 if timed_out else 0)
                await asyncio.wait(readers, timeout=_DRAIN_SECONDS)
                for reader in readers:  # a process that could not be ended may still hold the pipe
                    reader.cancel()
        finally:
            await uninterrupted(_finish(process, mark))
        return CommandOutcome(
            exit_code=None if timed_out else process.returncode,
            stdout=stdout.text(),
            stderr=stderr.text(),
            timeout_seconds=timeout_seconds,
            leftovers=leftovers,
        )

    async def end_all(self) -> None:
        """End every command that runs, for example because the server stops."""
        for mark, pid in tuple(self._running.items()):
            await end_tree(pid, mark, grace_seconds=0)

    async def _start(self, command: str, mark: TreeMark) -> asyncio.subprocess.Process:
        streams = {
            "stdin": asyncio.subprocess.DEVNULL,
            "stdout": asyncio.subprocess.PIPE,
            "stderr": asyncio.subprocess.PIPE,
            "cwd": self.folder,
            "env": {**self._clean_environment(), **mark.env},
            **start_options(),
        }
        if IS_WINDOWS:
            return await asyncio.create_subprocess_shell(command, **streams)
        bash = shutil.which("bash")
        # No start files: what was shown to the user is what runs, without aliases and functions of the profile.
        shell = [bash, "--noprofile", "--norc", "-c"] if bash else ["/bin/sh", "-c"]
        return await asyncio.create_subprocess_exec(*bound_to_parent([*shell, command]), **streams)

    def _clean_environment(self) -> dict[str, str]:
        kept = {
            name: value
            for name, value in self._environment.items()
            if name.upper() in _KEPT_VARIABLES or name.startswith(("LC_", "THREADWELL_TREE_"))
        }
        # Nobody sits at a terminal: no colours, no pager that waits for a key, no password prompt.
        kept |= {"TERM": "dumb", "NO_COLOR": "1", "PAGER": "cat", "GIT_PAGER": "cat", "GIT_TERMINAL_PROMPT": "0"}
        if not IS_WINDOWS and not any("UTF-8" in kept.get(n, "").upper() for n in ("LC_ALL", "LC_CTYPE", "LANG")):
            kept["LC_ALL"] = "C.UTF-8"
        return kept


async def _finish(process: asyncio.subprocess.Process, mark: TreeMark) -> None:
    await end_tree(process.pid, mark, grace_seconds=0)
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(process.wait(), _DRAIN_SECONDS)


async def _read(stream: asyncio.StreamReader | None, keeper: OutputKeeper) -> None:
    while stream is not None and (data := await stream.read(_READ_BYTES)):
        keeper.add(data)


async def _exited_within(process: asyncio.subprocess.Process, seconds: float) -> bool:
    """Wait for the shell itself. ``Process.wait`` would also wait for the pipes, which its children may hold."""
    deadline = time.monotonic() + seconds
    pause = 0.005
    while process.returncode is None:
        left = deadline - time.monotonic()
        if left <= 0:
            return False
        await asyncio.sleep(min(pause, left))
        pause = min(pause * 1.5, 0.1)
    return True
