"""Programs of our own, each a process that the app starts from itself: how they are called, and what they get and give."""

import os
import sys
from pathlib import Path
from typing import BinaryIO

import desktop

_INHERITED = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT", "WINDIR", "TEMP", "TMP", "USERPROFILE")


def own_command(name: str) -> tuple[str, ...]:
    """Return how the program ``name`` of ``desktop.__main__`` is called; run it in ``own_folder``."""
    return (sys.executable, name) if _is_frozen() else (sys.executable, "-m", "desktop", name)


def own_folder() -> str | None:
    """Return the folder to run it in: ``-m`` looks in the working folder first."""
    return None if _is_frozen() else str(Path(desktop.__file__).resolve().parents[1])


def bare_environment() -> dict[str, str]:
    """Return an environment with nothing of ours that such a program does not need: there may be keys in it."""
    return {name: os.environ[name] for name in _INHERITED if name in os.environ} | {"PYTHONUTF8": "1"}


def only_output() -> BinaryIO:
    """In the program: return standard output, and let whatever else writes there, or complains, write to nowhere."""
    output = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for number in (1, 2):
        os.dup2(nowhere, number)
    return output


def limit(*, memory_bytes: int, cpu_seconds: int | None = None) -> None:
    """In the program: let the system end it where it takes more, and let it write into no file."""
    if sys.platform == "win32":
        return
    import resource

    for what, most in (
        (resource.RLIMIT_AS, memory_bytes),
        (resource.RLIMIT_CPU, cpu_seconds),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        if most is None:
            continue
        try:
            resource.setrlimit(what, (most, most))
        except (OSError, ValueError):  # macOS takes no limit of the address space
            continue


def _is_frozen() -> bool:
    return bool(getattr(sys, "frozen", False))
