"""Runs one command line in a shell and reports what came of it; nothing that it started outlives the call."""

import asyncio
import contextlib
import locale
import os
import shutil
import signal
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from desktop.core.bubblewrap import Bubblewrap, Confinement
from desktop.core.process_tree import (
    IS_WINDOWS,
    UNKNOWN_ROOT,
    TreeMark,
    bound_to_parent,
    end_tree,
    kill,
    members,
    start_options,
)
from desktop.core.repositories import SetAside
from desktop.core.sandbox_problems import SandboxError
from desktop.core.sandbox_profile import SandboxProfile
from desktop.core.tasks import held_back, in_a_thread, uninterrupted
from desktop.core.workspaces import folder_problem, resolved

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
    set_aside: SetAside = field(default_factory=SetAside)
    """Of what the command made: what git would have started."""

    @property
    def timed_out(self) -> bool:
        return self.exit_code is None

    def text(self) -> str:
        """Return the outcome for the model: first how it ended, by the system's word alone, then both outputs."""
        parts = [self._ending()]
        if self.set_aside.gone:
            parts.append(f"[Set aside, so that git starts nothing of it: {_listed(self.set_aside.gone)}.]")
        if self.set_aside.failed:
            parts.append(f"[Do not trust git there, it may start something: {_listed(self.set_aside.failed)}.]")
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


def _listed(paths: Sequence[str], most: int = 5) -> str:
    """Some paths, on one line and without anything that only looks like one."""
    shown = ["".join(char if char.isprintable() else "\ufffd" for char in path)[:200] for path in paths[:most]]
    return ", ".join([*shown, *([f"and {len(paths) - most} more"] if len(paths) > most else [])])


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode(locale.getencoding() if IS_WINDOWS else "utf-8", "replace")


class FolderError(OSError):
    """The command may not run in this folder, so it was not run."""


class Shell:
    """Runs command lines in one folder of its own, which is made when the first one runs, or in another that exists."""

    def __init__(
        self, folder: Path, environment: Mapping[str, str] | None = None, *, sandbox: Bubblewrap | None = None
    ) -> None:
        self.folder = folder
        self._environment = dict(os.environ if environment is None else environment)
        self._sandbox = sandbox or Bubblewrap()
        self._running: dict[TreeMark, int] = {}
        self._idle = asyncio.Event()

    async def run(
        self,
        command: str,
        *,
        timeout_seconds: float,
        folder: str = "",
        profile: SandboxProfile = SandboxProfile.NONE,
    ) -> CommandOutcome:
        """Run ``command`` to its end or its time limit; ``folder`` is an address without links.

        In exactly this profile: raises ``SandboxError`` when the sandbox cannot be made, and other ``OSError`` when the
        folder or the shell fails; then nothing was run. Cancelling ends the command and everything it started.
        """
        place = self._place(folder)
        mark = TreeMark.new()
        self._running[mark] = UNKNOWN_ROOT
        self._idle.clear()
        try:
            if profile is SandboxProfile.NONE:
                return await self._run(_Start(command, place), mark, timeout_seconds)
            network = profile is SandboxProfile.WORKSPACE_WITH_NETWORK
            sandbox = self._sandbox.confined(command, place, network=network, seconds=timeout_seconds)
            async with in_a_thread(sandbox) as confinement:
                outcome = await self._run(_Start(command, place, confinement), mark, timeout_seconds)
                if not confinement.was_held():
                    raise SandboxError("does_not_start", outcome.stderr.strip()[-500:])
            return replace(outcome, set_aside=confinement.set_aside)
        finally:
            del self._running[mark]
            if not self._running:
                self._idle.set()

    def _place(self, folder: str) -> str:
        own = str(self.folder)
        if not folder or folder in (own, resolved(own)):
            self.folder.mkdir(parents=True, exist_ok=True)
        if not folder:
            return own
        if (problem := folder_problem(folder)) is not None:
            raise FolderError(problem.english)
        if resolved(folder) != folder:
            raise FolderError(f"{folder} is a link now.")
        return folder

    async def _run(self, start: "_Start", mark: TreeMark, timeout_seconds: float) -> CommandOutcome:
        # Cancelled in the middle of this, asyncio would kill the shell alone and wait for ever for its children.
        process, cancellation = await held_back(self._start(start, mark))
        self._running[mark] = process.pid
        stdout, stderr = OutputKeeper(), OutputKeeper()
        timed_out, leftovers = False, 0
        try:
            if cancellation is not None:
                raise cancellation
            async with asyncio.TaskGroup() as group:
                readers = [group.create_task(_read(process.stdout, stdout))]
                readers.append(group.create_task(_read(process.stderr, stderr)))
                timed_out = not await _exited_within(process, timeout_seconds)
                if not timed_out:
                    await asyncio.wait(readers, timeout=_DRAIN_SECONDS)
                    leftovers = len(members(process.pid, mark))
                await start.end(process, mark, grace_seconds=0.5 if timed_out else 0)
                await asyncio.wait(readers, timeout=_DRAIN_SECONDS)
                for reader in readers:  # a process that could not be ended may still hold the pipe
                    reader.cancel()
        finally:
            await uninterrupted(_finish(start, process, mark))
        return CommandOutcome(
            exit_code=None if timed_out else process.returncode,
            stdout=stdout.text(),
            stderr=stderr.text(),
            timeout_seconds=timeout_seconds,
            leftovers=leftovers,
        )

    def catch_up(self) -> Sequence[str]:
        """What of commands that an earlier start left is set aside now; not for the loop's thread."""
        return self._sandbox.catch_up()

    async def end_all(self) -> None:
        """End every command that runs, for example because the server stops; a little later what it left is looked at."""
        for mark, pid in tuple(self._running.items()):
            await end_tree(pid, mark, grace_seconds=0)
        if self._running:
            with contextlib.suppress(TimeoutError):  # the next start catches up
                await asyncio.wait_for(self._idle.wait(), _DRAIN_SECONDS)

    async def _start(self, start: "_Start", mark: TreeMark) -> asyncio.subprocess.Process:
        confinement = start.confinement
        streams = {
            "stdin": asyncio.subprocess.DEVNULL,
            "stdout": asyncio.subprocess.PIPE,
            "stderr": asyncio.subprocess.PIPE,
            "cwd": start.folder,
            "env": {**self._clean_environment(confined=confinement is not None), **mark.env},
            **start_options(),
        }
        if IS_WINDOWS:
            return await asyncio.create_subprocess_shell(start.command, **streams)
        if confinement is None:
            return await asyncio.create_subprocess_exec(*bound_to_parent(_shell_argv(start.command)), **streams)
        process = await asyncio.create_subprocess_exec(*confinement.argv, pass_fds=confinement.pass_fds, **streams)
        confinement.started()
        return process

    def _clean_environment(self, *, confined: bool) -> dict[str, str]:
        kept = {
            name: value
            for name, value in self._environment.items()
            if name.upper() in _KEPT_VARIABLES or name.startswith(("LC_", "THREADWELL_TREE_"))
        }
        # A folder that is named as seen from here would be the workspace: whoever writes there chose the program.
        kept["PATH"] = os.pathsep.join(filter(os.path.isabs, kept.get("PATH", os.defpath).split(os.pathsep)))
        # Nobody sits at a terminal: no colours, no pager that waits for a key, no password prompt.
        kept |= {"TERM": "dumb", "NO_COLOR": "1", "PAGER": "cat", "GIT_PAGER": "cat", "GIT_TERMINAL_PROMPT": "0"}
        if not IS_WINDOWS and not any("UTF-8" in kept.get(n, "").upper() for n in ("LC_ALL", "LC_CTYPE", "LANG")):
            kept["LC_ALL"] = "C.UTF-8"
        if confined:  # these lead to places that are not there
            kept = {name: value for name, value in kept.items() if name not in ("TMPDIR", "XDG_RUNTIME_DIR")}
        return kept


@dataclass(frozen=True)
class _Start:
    """What is to be started, and how it is ended."""

    command: str
    folder: str
    confinement: Confinement | None = None

    async def end(self, process: asyncio.subprocess.Process, mark: TreeMark, *, grace_seconds: float) -> None:
        if self.confinement is not None:
            # With the process that made the sandbox the kernel ends all in it, in one stroke and whatever they do.
            kill(process)
            grace_seconds = 0
        await end_tree(process.pid, mark, grace_seconds=grace_seconds)


def _shell_argv(command: str) -> Sequence[str]:
    bash = shutil.which("bash")
    # No start files: what was shown to the user is what runs, without aliases and functions of the profile.
    return [bash, "--noprofile", "--norc", "-c", command] if bash else ["/bin/sh", "-c", command]


async def _finish(start: _Start, process: asyncio.subprocess.Process, mark: TreeMark) -> None:
    await start.end(process, mark, grace_seconds=0)
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
