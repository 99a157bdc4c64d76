"""The project's virtual environment: made once from the lock, stamped, and made again when the lock changes."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from dev_system import SetupError, how_to_install, say

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
LOCKS = ROOT / "packaging" / "lock"
_STAMP = VENV / "threadwell-stamp.json"
_UNFINISHED = VENV / "threadwell-unfinished"
_GUARD = ROOT / ".venv.lock"
_SCRIPTS = VENV / ("Scripts" if os.name == "nt" else "bin")
_PYTHON = _SCRIPTS / ("python.exe" if os.name == "nt" else "python")


def script(name: str) -> str:
    """Return the path of a command that the environment brings, for example ``ruff``."""
    return str(_SCRIPTS / (name + (".exe" if os.name == "nt" else "")))


def site_packages() -> Path:
    """Return the folder that holds the environment's packages."""
    places = [VENV / "Lib" / "site-packages", *sorted(VENV.glob("lib/python3*/site-packages"))]
    return next(place for place in places if place.is_dir())


def prepare(wanted: str) -> str:
    """Return the environment's Python with the ``run`` or ``dev`` set in it; sets it up where that is needed."""
    if not _is_ready(wanted):
        with _only_one():
            if not _is_ready(wanted):
                _set_up(wanted)
    return str(_PYTHON)


def _digest(name: str) -> str:
    return hashlib.sha256((LOCKS / f"{name}.txt").read_bytes()).hexdigest()


def _python_version() -> str:
    return f"{sys.version_info.major}.{sys.version_info.minor}"


def _stamp(installed: str) -> dict[str, str]:
    """Describe an environment into which the ``installed`` set went; the dev set holds the run set."""
    sets = ["run", "dev"] if installed == "dev" else ["run"]
    return {"python": _python_version(), "folder": str(VENV), **{name: _digest(name) for name in sets}}


def _read_stamp() -> dict[str, str] | None:
    try:
        return json.loads(_STAMP.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def _is_ready(wanted: str) -> bool:
    stamp = _read_stamp()
    return stamp is not None and _PYTHON.exists() and _stamp(wanted).items() <= stamp.items()


@contextlib.contextmanager
def _only_one() -> Iterator[None]:
    """Hold the project's set-up lock; a second ``dev.py`` waits here until the first one has finished."""
    with open(_GUARD, "w", encoding="ascii") as file:
        waiting = False
        while not _try_lock(file.fileno()):
            if not waiting:
                say("another dev.py is setting up this project; waiting for it")
                waiting = True
            time.sleep(0.2)
        yield


def _try_lock(descriptor: int) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _set_up(wanted: str) -> None:
    started = time.monotonic()
    installer = _reuse(wanted)
    if installer is None:
        if VENV.exists():
            say("removing the old virtual environment")
            shutil.rmtree(VENV)
        say("making the virtual environment .venv")
    count = len(re.findall(r"^\S+==", (LOCKS / f"{wanted}.txt").read_text(encoding="utf-8"), re.MULTILINE))
    size = "some 270 MB" if wanted == "dev" else "some 200 MB"
    try:
        installer = installer or _create()
        say(f"installing {count} locked packages (the first time {size} are downloaded; takes a minute or more)")
        _install(installer, wanted)
        (site_packages() / "threadwell-checkout.pth").write_text(f"{ROOT}\n", encoding="utf-8")
        _STAMP.write_text(json.dumps(_stamp(wanted), indent=1), encoding="utf-8")
        _UNFINISHED.unlink(missing_ok=True)
    except BaseException:
        shutil.rmtree(VENV, ignore_errors=True)
        raise
    say(f"the environment is ready ({time.monotonic() - started:.0f} s)")


def _reuse(wanted: str) -> list[str] | None:
    """Return the installer for an environment that only lacks packages; None if it must be made anew.

    That is one without our stamp (somebody else's, kept if it fits) or one with the run set to which the dev set is
    added. One that an interrupted set-up left behind, or whose packages come from another lock, is not kept.
    """
    if not _PYTHON.exists() or _UNFINISHED.exists() or _venv_version() != _python_version():
        return None
    stamp = _read_stamp()
    if stamp is not None and not _stamp("run").items() <= stamp.items():
        return None
    say(f"completing the virtual environment .venv for {wanted!r}" if stamp else "adopting the .venv that is here")
    return next((installer for installer in _installers() if _works([*installer, "--version"])), None)


def _venv_version() -> str | None:
    try:
        found = re.search(r"^version\w*\s*=\s*(\d+\.\d+)", (VENV / "pyvenv.cfg").read_text(encoding="utf-8"), re.M)
    except OSError:
        return None
    return found.group(1) if found else None


def _base_python() -> str:
    """Return the interpreter to make the environment from: never one that lies inside it."""
    return str(getattr(sys, "_base_executable", None) or sys.executable)


def _installers() -> list[list[str]]:
    """Return the programs that can install into the environment, best first."""
    own = [str(_PYTHON), "-m", "pip"]
    system = [_base_python(), "-m", "pip", "--python", str(_PYTHON)]
    uv = shutil.which("uv")
    return [own, *([system] if _system_pip_can() else []), *([[uv, "pip"]] if uv else [])]


def _system_pip_can() -> bool:
    """Tell whether the system's pip knows ``--python`` (22.3 and newer)."""
    shown = subprocess.run([_base_python(), "-m", "pip", "--version"], capture_output=True, text=True, check=False)
    found = re.match(r"pip (\d+)\.(\d+)", shown.stdout)
    return found is not None and (int(found[1]), int(found[2])) >= (22, 3)


def _works(command: list[str]) -> bool:
    return subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, check=False).returncode == 0


def missing_packages(wanted: str) -> list[str]:
    """Return the system packages without which ``prepare`` cannot make the environment."""
    can_make = _is_ready(wanted) or importlib.util.find_spec("ensurepip") or _installers()[1:]
    return [] if can_make else ["python3-venv"]


def _create() -> list[str]:
    """Make the environment and return the program that installs into it, in the first way that works here."""
    if _make("ensurepip"):
        return _installers()[0]
    others = _installers()[1:]
    if others and _make("no pip of its own", "--without-pip"):
        return others[0]
    raise SetupError(
        f"{_base_python()} cannot make a virtual environment: its ensurepip does not work, and neither a pip of 22.3 "
        f"or newer nor uv helps.\n{how_to_install(['python3-venv'])}"
    )


def _make(way: str, *options: str) -> bool:
    shutil.rmtree(VENV, ignore_errors=True)
    made = subprocess.run(
        [_base_python(), "-m", "venv", *options, str(VENV)], capture_output=True, text=True, check=False
    )
    if made.returncode == 0:
        _UNFINISHED.touch()
        return True
    shutil.rmtree(VENV, ignore_errors=True)
    reason = (made.stdout + made.stderr).strip().splitlines()
    say(f"python -m venv with {way} does not work here ({reason[0] if reason else made.returncode})")
    return False


def _install(installer: list[str], wanted: str) -> None:
    command = [*installer, "install", "--no-deps", "--require-hashes", "--only-binary", ":all:"]
    environment = {**os.environ, "PIP_USER": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    if installer[0] == shutil.which("uv"):
        command += ["--python", str(_PYTHON)]
    else:
        command += ["--no-input", "--progress-bar", "off"]
    command += ["-q", "-r", str(LOCKS / f"{wanted}.txt")]
    if subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, check=False).returncode != 0:
        raise SetupError("the packages could not be installed (see above); the half-made .venv was removed")
