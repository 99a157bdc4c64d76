"""Starts a server's program: found on the PATH, with a small environment of its own."""

import os
import shutil
from collections.abc import Mapping

from desktop.core.process_tree import IS_WINDOWS
from desktop.mcp_client.child import ChildProcess
from desktop.tools.entities import ServerConfig
from desktop.tools.server_remarks import Remark

_INHERITED = (
    *("HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR"),
    "XDG_RUNTIME_DIR",
)
_INHERITED_ON_WINDOWS = (
    *("APPDATA", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATH", "PATHEXT", "PROCESSOR_ARCHITECTURE"),
    *("PROGRAMDATA", "PROGRAMFILES", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP", "USERNAME", "USERPROFILE", "WINDIR"),
)


class CannotStartError(OSError):
    """Something that the server needs to start is not there; trying again cannot help."""

    def __init__(self, remark: Remark) -> None:
        super().__init__(remark.english)
        self.remark = remark


async def start_child(config: ServerConfig, extra_env: Mapping[str, str]) -> ChildProcess:
    """Start the program of a stdio server. Raises ``OSError`` when it cannot be found or started."""
    env = child_environment({**config.env, **extra_env})
    program = _found_program(config, env)
    # The bundled server asks for its signal itself and needs it to end what its commands started.
    stop_signal = None if config.bundled else "KILL"
    return await ChildProcess.start([program, *config.args], env=env, cwd=config.cwd or None, stop_signal=stop_signal)


def _found_program(config: ServerConfig, env: Mapping[str, str]) -> str:
    program = shutil.which(config.command, path=env.get("PATH"))
    if program is None:
        raise CannotStartError(Remark("program_missing", config.command))
    if config.cwd and not os.path.isdir(config.cwd):
        raise CannotStartError(Remark("folder_missing", config.cwd))
    return program


def child_environment(configured: Mapping[str, str]) -> dict[str, str]:
    """Return what a server's process gets: a few harmless variables, UTF-8, and what its configuration says.

    Nothing else of our own environment: it may hold keys of model providers.
    """
    names = _INHERITED_ON_WINDOWS if IS_WINDOWS else _INHERITED
    env = {name: value for name in names if (value := os.environ.get(name)) is not None}
    if not IS_WINDOWS and not any("UTF-8" in env.get(name, "").upper() for name in ("LC_ALL", "LC_CTYPE", "LANG")):
        env["LC_ALL"] = "C.UTF-8"
    return env | {"PYTHONUTF8": "1"} | dict(configured)
