"""Judges folders: in which of them commands may run, and which may be given to a sandbox as the only writable place."""

import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import desktop
from desktop.core.process_tree import IS_WINDOWS
from desktop.core.sandbox_problems import SandboxProblem

_OF_THE_SYSTEM = (
    *("/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64"),
    *("/proc", "/run/user", "/sbin", "/sys", "/usr"),
)
_OF_MANY = ("/home", "/media", "/mnt", "/opt", "/root", "/run", "/srv", "/tmp", "/var/lib", "/var/tmp")
"""Too much as a whole, but folders in them may do."""


def resolved(folder: str) -> str:
    """Return where a folder really lies, without links, as it is shown, allowed and used. It need not exist."""
    return os.path.realpath(folder)


def folder_problem(folder: str) -> SandboxProblem | None:
    """Tell why no command may run in this folder; None when one may."""
    if not os.path.isabs(folder) or "\0" in folder:
        return SandboxProblem("not_absolute", folder.replace("\0", "\ufffd"))
    try:
        found = os.stat(folder)
    except (OSError, ValueError):
        return SandboxProblem("gone", folder)
    if not os.path.isdir(folder):
        return SandboxProblem("gone", folder)
    if not IS_WINDOWS and found.st_uid != os.getuid():
        return SandboxProblem("not_yours", folder)
    return None


def sandbox_problem(folder: str, *, data: Iterable[Path], home: Path | None = None) -> SandboxProblem | None:
    """Tell why a folder cannot be a sandbox's workspace; None when it can. It need not exist yet.

    ``data`` is where settings, permissions and chats lie: also a folder that is still to be made counts.
    """
    if not os.path.isabs(folder) or "\0" in folder:
        return SandboxProblem("not_absolute", folder.replace("\0", "\ufffd"))
    place = Path(folder)
    if os.path.realpath(folder) != os.path.normpath(folder):
        return SandboxProblem("is_link", folder)
    own = Path(os.path.realpath(home or Path.home()))
    if _holds(place, [own, *map(Path, _OF_MANY)]) or is_in(place, map(Path, _OF_THE_SYSTEM)):
        return SandboxProblem("too_much", folder)
    if place.is_relative_to(own) and place.relative_to(own).parts[0].startswith("."):
        return SandboxProblem("too_much", folder)  # settings of other programs, some of which start things
    if _overlaps(place, data):
        return SandboxProblem("holds_data", folder)
    package, *programs = _programs()
    if _holds(place, [package, *programs]) or is_in(place, [package, Path(sys.prefix)]):
        return SandboxProblem("holds_programs", folder)
    return None


def _programs() -> Sequence[Path]:
    """The app's own package, then its Python and every folder in which programs are looked for by name."""
    searched = [entry for entry in os.environ.get("PATH", "").split(os.pathsep) if os.path.isabs(entry)]
    package = str(Path(desktop.__file__).parent)
    return [Path(os.path.realpath(path)) for path in (package, sys.prefix, sys.base_prefix, *searched)]


def _holds(folder: Path, others: Iterable[Path]) -> bool:
    return any(other.is_relative_to(folder) for other in others)


def is_in(path: Path, folders: Iterable[Path]) -> bool:
    return any(path.is_relative_to(folder) for folder in folders)


def _overlaps(folder: Path, others: Iterable[Path]) -> bool:
    real = [Path(os.path.realpath(other)) for other in others]
    return _holds(folder, real) or is_in(folder, real)
