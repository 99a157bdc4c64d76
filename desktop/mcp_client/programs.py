"""Where programs of servers are looked for: what a login shell says, the folders of usual installers, and our own."""

import asyncio
import contextlib
import logging
import os
import secrets
import shutil
import sys
import sysconfig
from collections.abc import Awaitable, Callable, Iterable, Mapping
from pathlib import Path

from desktop.core.process_tree import IS_WINDOWS, TreeMark, end_tree, start_options
from desktop.core.tasks import uninterrupted
from desktop.tools.programs import RUNNERS, FoundProgram, ProgramOrigin

SHELL_SECONDS = 8.0
"""How long the login shell may take; what people have in their start files can be slow, or wait for somebody."""
_MOST_OUTPUT = 2**20
_TERMINALS = frozenset({"", "dumb", "linux", "unknown"})
_FOLDERS = (
    *("~/.local/bin", "~/bin", "~/.cargo/bin", "~/.volta/bin", "~/.bun/bin", "~/.deno/bin", "~/.asdf/shims"),
    *("~/.local/share/mise/shims", "~/.pyenv/shims", "~/.nodenv/shims", "~/n/bin", "~/.npm-global/bin"),
    *("~/.local/share/pnpm", "~/Library/pnpm", "~/.nix-profile/bin", "/nix/var/nix/profiles/default/bin"),
    *("/opt/homebrew/bin", "/opt/homebrew/sbin", "/home/linuxbrew/.linuxbrew/bin", "/opt/local/bin"),
    *("/usr/local/bin", "/usr/bin", "/bin", "/usr/local/sbin", "/usr/sbin", "/sbin", "/snap/bin"),
    *("/Applications/Docker.app/Contents/Resources/bin", "~/.docker/bin", "~/.rd/bin", "~/.orbstack/bin"),
)
_WINDOWS_FOLDERS = (
    *(r"%NVM_SYMLINK%", r"%ProgramFiles%\nodejs", r"%APPDATA%\npm", r"%LOCALAPPDATA%\Volta\bin"),
    *(r"%USERPROFILE%\.local\bin", r"%USERPROFILE%\.cargo\bin", r"%USERPROFILE%\scoop\shims"),
    *(r"%USERPROFILE%\.bun\bin", r"%USERPROFILE%\.deno\bin", r"%LOCALAPPDATA%\pnpm"),
    *(r"%LOCALAPPDATA%\Microsoft\WinGet\Links", r"%LOCALAPPDATA%\Programs\Python\Launcher"),
    *(r"%ProgramFiles%\Docker\Docker\resources\bin", r"%LOCALAPPDATA%\Microsoft\WindowsApps"),
)
_VERSIONED = (
    *("~/.nvm/versions/node/*/bin", "~/.config/nvm/versions/node/*/bin"),
    *("~/.local/share/fnm/node-versions/*/installation/bin", "~/.fnm/node-versions/*/installation/bin"),
    *("~/Library/Application Support/fnm/node-versions/*/installation/bin",),
    *("~/.local/share/nodenv/versions/*/bin", "/Library/Frameworks/Python.framework/Versions/*/bin"),
)
"""Folders by version; the newest one of each counts."""

logger = logging.getLogger(__name__)


class ProgramPaths:
    """Finds the search path once and keeps it. ``own`` are the folders of programs that the app itself has; ``offer``
    puts them there, before anything is looked for."""

    def __init__(
        self,
        *,
        environment: Mapping[str, str],
        own: Iterable[Path] = (),
        offer: Callable[[], Awaitable[None]] | None = None,
        home: Path | None = None,
    ) -> None:
        self._offer = offer
        self._environment = environment
        self._own = tuple(own)
        self._home = home or Path.home()
        self._asking = asyncio.Lock()
        self._told: str | None = None
        """What the login shell has said; None while it was not asked."""

    async def search_path(self, *, again: bool = False, may_wait: bool = True) -> str:
        """Return the PATH for the programs of servers.

        The first call, or one that asks ``again``, may take seconds; unless it may not wait: then it does without what
        the login shell has not said yet.
        """
        if self._offer is not None:
            await self._offer()
        asked = "" if IS_WINDOWS or not may_wait else await self._path_of_shell(again)
        asked = asked or self._told or ""
        folders = [*asked.split(os.pathsep), *self._environment.get("PATH", "").split(os.pathsep)]
        folders += [*self._usual_folders(), *map(str, self._own)]
        # What is relative would depend on where a server's folder is, and anybody may have put a program there.
        return os.pathsep.join(dict.fromkeys(f.rstrip("/\\") or f for f in folders if os.path.isabs(f)))

    async def find(self, *, again: bool = False) -> tuple[FoundProgram, ...]:
        """Return each of ``RUNNERS`` with where it was found."""
        path = await self.search_path(again=again)
        return await asyncio.to_thread(lambda: tuple(self._found(name, path) for name in RUNNERS))

    def _found(self, name: str, path: str) -> FoundProgram:
        found = shutil.which(name, path=path)
        if found is None:
            return FoundProgram(name=name)
        folder = os.path.dirname(found)
        origin = ProgramOrigin.PATH
        if folder in {str(own) for own in self._own}:
            origin = ProgramOrigin.OWN
        elif folder in self._usual_folders() and folder not in self._environment.get("PATH", "").split(os.pathsep):
            is_told = folder in (self._told or "").split(os.pathsep)
            origin = ProgramOrigin.PATH if is_told else ProgramOrigin.USUAL_FOLDER
        return FoundProgram(name=name, path=found, origin=origin)

    async def _path_of_shell(self, again: bool) -> str:
        async with self._asking:  # where the one who asked was stopped, the next one asks
            if self._told is None and not again and self._environment.get("TERM", "") not in _TERMINALS:
                return ""  # started from a terminal: this is the PATH of a login shell
            if self._told is None or again:
                self._told = await ask_login_shell(login_shell(self._environment), self._environment)
            return self._told

    def _usual_folders(self) -> list[str]:
        if IS_WINDOWS:
            expanded = [os.path.expandvars(folder) for folder in _WINDOWS_FOLDERS]
            return [folder for folder in expanded if "%" not in folder and os.path.isdir(folder)]
        folders: list[str] = []
        for pattern in _VERSIONED:
            root, _, rest = pattern.replace("~", str(self._home), 1).partition("/*/")
            with contextlib.suppress(OSError):
                newest = max(os.listdir(root), key=_version_of, default="")
                folders.append(f"{root}/{newest}/{rest}")
        folders += [folder.replace("~", str(self._home), 1) for folder in _FOLDERS]
        return [folder for folder in folders if os.path.isdir(folder)]


def login_shell(environment: Mapping[str, str]) -> str:
    """Return the user's shell; empty where it cannot be told."""
    shell = environment.get("SHELL", "")
    if not shell and sys.platform != "win32":
        import pwd

        with contextlib.suppress(KeyError):
            shell = pwd.getpwuid(os.getuid()).pw_shell
    return shell if os.path.isabs(shell) and os.access(shell, os.X_OK) else ""


async def ask_login_shell(shell: str, environment: Mapping[str, str]) -> str:
    """Return the PATH that a login shell has; empty when it does not say so in time.

    What its start files print is told apart by marks that nobody can guess. Everything that it started ends with it.
    """
    if not shell:
        return ""
    mark = secrets.token_hex(12)
    command = f"echo {mark}; printenv PATH; echo {mark}"
    tree = TreeMark.new()
    env = {**environment, **tree.env, "TERM": "dumb"}
    try:
        process = await asyncio.create_subprocess_exec(
            *(shell, "-lic", command),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env=env,
            **start_options(),
        )
    except OSError as error:
        logger.warning("the login shell could not be started: %s", error.strerror)
        return ""
    try:
        async with asyncio.timeout(SHELL_SECONDS):
            return await _between_marks(process, mark)
    except TimeoutError:
        logger.warning("the login shell did not answer within %g seconds", SHELL_SECONDS)
        return ""
    finally:
        await uninterrupted(end_with_output(process, tree))


async def end_with_output(process: asyncio.subprocess.Process, tree: TreeMark) -> None:
    """End a process with all that it started, and read what is left in its pipes: they are only closed when empty."""
    await end_tree(process.pid, tree, grace_seconds=0)
    for pipe in (process.stdout, process.stderr):
        while pipe is not None and await pipe.read(65_536):
            pass
    await process.wait()


async def _between_marks(process: asyncio.subprocess.Process, mark: str) -> str:
    output = b""
    assert process.stdout is not None
    while output.count(mark.encode()) < 2 and len(output) < _MOST_OUTPUT:
        part = await process.stdout.read(65_536)
        if not part:
            break
        output += part
    pieces = output.split(mark.encode())
    return pieces[1].decode("utf-8", "replace").strip() if len(pieces) > 2 else ""


def _version_of(name: str) -> tuple[int, ...]:
    return tuple(int(part) for part in name.lstrip("v").split(".") if part.isdigit())


def folder_of_uv() -> Path | None:
    """Return the folder with the ``uv`` that came with the app; None where there is none."""
    places = [Path(sys.executable).parent, Path(sysconfig.get_path("scripts"))]
    if getattr(sys, "frozen", False):
        places = [Path(getattr(sys, "_MEIPASS", places[0])), *places]
    name = "uv.exe" if IS_WINDOWS else "uv"
    return next((place for place in places if (place / name).is_file()), None)
