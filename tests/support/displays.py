"""A real X display and a D-Bus session of a test's own. Each skips, with its reason, where the program is missing."""

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def require(*programs: str) -> None:
    """Skip the test where one of these programs is not installed."""
    for program in programs:
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")


@contextmanager
def x_display() -> Iterator[str]:
    """An X server; gives the name of its display."""
    require("Xvfb")
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x800x24", "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(writing)
    with open(reading, encoding="ascii") as numbers:
        number = numbers.readline().strip()
    with _ended(server):
        assert number, "Xvfb did not start"
        yield f":{number}"


@contextmanager
def session_bus(environment: dict[str, str] | None = None) -> Iterator[str]:
    """A session bus that starts services in ``environment``; gives its address."""
    require("dbus-daemon")
    command = ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--nosyslog", "--print-address=1"]
    daemon = subprocess.Popen(
        command,
        env={**os.environ, **(environment or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    with _ended(daemon):
        assert daemon.stdout is not None
        address = daemon.stdout.readline().strip()
        assert address, "dbus-daemon did not start"
        yield address
        daemon.stdout.close()


@contextmanager
def _ended(process: "subprocess.Popen[bytes] | subprocess.Popen[str]") -> Iterator[None]:
    try:
        yield
    finally:
        process.terminate()
        process.wait(timeout=20)


def a11y_is_installed() -> bool:
    """Whether the session bus can start the bus of assistive technology."""
    folders = os.environ.get("XDG_DATA_DIRS", "/usr/local/share:/usr/share").split(":")
    return any((Path(folder) / "dbus-1/services/org.a11y.Bus.service").exists() for folder in folders)


@contextmanager
def environment_variables(**values: str) -> Iterator[None]:
    """Set these for the body."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            with contextlib.suppress(KeyError):
                del os.environ[name]
            if value is not None:
                os.environ[name] = value
