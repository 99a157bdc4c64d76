"""For tests that need a real sandbox: where none can be made they skip and say why."""

import os
import subprocess
from functools import cache
from pathlib import Path

import pytest

from desktop.core.bubblewrap import Bubblewrap
from desktop.core.sandbox_problems import SandboxError


@cache
def why_not() -> str:
    """Return why there is no sandbox on this machine; empty when there is one."""
    try:
        program = Bubblewrap.program()
    except SandboxError as error:
        return str(error)
    trial = [program, "--unshare-all", "--unshare-user", "--disable-userns", "--ro-bind", "/", "/", "--proc", "/proc"]
    done = subprocess.run([*trial, "--", "true"], capture_output=True, text=True, check=False)
    return f"bubblewrap cannot make a sandbox here: {done.stderr.strip()}" if done.returncode else ""


def require_sandbox() -> None:
    """Skip the test where there is no sandbox."""
    if reason := why_not():
        pytest.skip(reason)


def processes_with(marker: str) -> list[int]:
    """Return the processes in whose command line ``marker`` stands, also those in a sandbox; never this one."""
    return list(command_lines_with(marker))


def command_lines_with(marker: str) -> dict[int, str]:
    """As ``processes_with``, with the whole command line of each, for who wants to know what is left."""
    found: dict[int, str] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                line = (entry / "cmdline").read_bytes()
                if marker.encode() in line:
                    found[int(entry.name)] = line.replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue
    return found
