"""Whether the bundled server's commands can be held in a sandbox on this machine: found out by starting two."""

import asyncio
import logging
import os
import socket
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from desktop.core.bubblewrap import Bubblewrap
from desktop.core.process_tree import kill, start_options
from desktop.core.sandbox_problems import SandboxError, SandboxProblem
from desktop.core.tasks import held_back, in_a_thread
from desktop.core.workspaces import resolved
from desktop.tools.sandbox import Sandbox, SandboxHealth, SandboxState

logger = logging.getLogger(__name__)

PATIENCE_SECONDS = 10.0
_MISSING = ("only_on_linux", "not_installed")
_HOLDS = SandboxState(health=SandboxHealth.HOLDS)
_TRIAL = """
echo inside > inside
echo outside > {outside}
echo outside > .envrc
{ echo x > /dev/tcp/127.0.0.1/{port}; } && echo connected
cat {secret}
echo finished
"""


class _Program(NamedTuple):
    """Which ``bwrap`` it is: another file after an update."""

    path: str
    inode: int
    changed_ns: int
    size: int


class ShellSandbox(Sandbox):
    """Tries the sandbox once for the life of the app, and again when ``bwrap`` is another or a command could not start.

    ``data`` holds the host's own folders, which no sandbox may reach.
    """

    def __init__(self, data: Iterable[Path], *, patience_seconds: float = PATIENCE_SECONDS) -> None:
        self._data = tuple(data)
        self._bubblewrap = Bubblewrap(self._data)
        self._patience_seconds = patience_seconds
        self._tried: _Program | None = None
        self._found = _HOLDS
        self._trying = asyncio.Lock()

    async def state(self, folder: str) -> SandboxState:
        try:
            async with self._trying:
                machine = await self._of_this_machine()
            if not machine.holds:
                return machine
            await asyncio.to_thread(self._bubblewrap.check, folder)  # it looks into each of the folders in it
        except SandboxError as error:
            return _broken(error.problem)
        except OSError as error:
            return _broken(SandboxProblem("gone", f"{folder} ({error.strerror or error})"))
        return _HOLDS

    def forget(self) -> None:
        self._tried = None
        self._bubblewrap.forget()

    async def _of_this_machine(self) -> SandboxState:
        program = _identity(self._bubblewrap.program())
        if program != self._tried:
            await asyncio.to_thread(self._bubblewrap.catch_up)  # else the trial would, against its time limit
            try:
                async with asyncio.timeout(self._patience_seconds):
                    await self._try(network=False)
                    await self._try(network=True)
                self._found = _HOLDS
            except SandboxError as error:
                self._found = _broken(error.problem)
            except TimeoutError:
                self._found = _broken(SandboxProblem("does_not_start", "it did not end in time"))
            logger.info("the sandbox of commands: %s %s", self._found.health, self._found.reason)
            self._tried = program
        return self._found

    async def _try(self, *, network: bool) -> None:
        """Start one sandbox and look from outside at what came of it. Raises ``SandboxError``."""
        with tempfile.TemporaryDirectory(prefix="threadwell-") as name, socket.create_server(("127.0.0.1", 0)) as near:
            base = Path(resolved(name))
            workspace, outside, kept = base / "workspace", base / "outside", base / "kept"
            workspace.mkdir()
            kept.mkdir()
            (kept / "secret").write_text("a secret of the host")
            near.setblocking(False)
            words = {"outside": outside, "port": near.getsockname()[1], "secret": kept / "secret"}
            trial = _TRIAL
            for word, value in words.items():
                trial = trial.replace(f"{{{word}}}", str(value))
            bubblewrap = Bubblewrap([*self._data, kept])
            output = await self._run(bubblewrap, trial, workspace, network=network)
            was_reached = _was_reached(near)
            for complaint, is_true in (
                ("it did not carry out what it was given", "finished" not in output),
                ("the workspace cannot be written", _text_of(workspace / "inside") != "inside\n"),
                ("a file outside the workspace was written", outside.exists()),
                ("a protected file was made", (workspace / ".envrc").is_file()),
                ("the host's own folder was read", "secret" in output),
                ("the network was reached", was_reached and not network),
                ("the network was not reached", not was_reached and network),
            ):
                if is_true:
                    raise SandboxError("leaks", complaint)

    async def _run(self, bubblewrap: Bubblewrap, command: str, workspace: Path, *, network: bool) -> str:
        pipe = asyncio.subprocess.PIPE
        seconds = self._patience_seconds
        sandbox = bubblewrap.confined(command, str(workspace), network=network, seconds=seconds)
        async with in_a_thread(sandbox) as confinement:
            starting = asyncio.create_subprocess_exec(
                *confinement.argv,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=pipe,
                stderr=pipe,
                env={"PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8"},
                cwd=workspace,
                pass_fds=confinement.pass_fds,
                **start_options(),
            )
            process, cancellation = await held_back(starting)
            confinement.started()
            try:
                if cancellation is not None:
                    raise cancellation
                output, errors = await process.communicate()
            finally:
                if process.returncode is None:
                    kill(process)
                    await process.wait()
            if not confinement.was_held():
                raise SandboxError("does_not_start", errors.decode("utf-8", "replace").strip()[-300:])
            return output.decode("utf-8", "replace")


def _broken(problem: SandboxProblem) -> SandboxState:
    health = SandboxHealth.MISSING if problem.code in _MISSING else SandboxHealth.BROKEN
    return SandboxState(health=health, reason=problem.english, problem=problem)


def _identity(program: str) -> _Program:
    status = os.stat(program)
    return _Program(program, status.st_ino, status.st_mtime_ns, status.st_size)


def _text_of(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except OSError:
        return ""


def _was_reached(near: socket.socket) -> bool:
    try:
        near.accept()[0].close()
    except BlockingIOError:
        return False
    return True
