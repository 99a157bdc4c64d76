"""Disks of a few megabytes, for what happens when nothing more fits on them."""

import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def why_none() -> str:
    """Why no disk can be mounted here; empty where it can."""
    if sys.platform != "linux" or os.geteuid() != 0 or shutil.which("mount") is None:
        return "only root on Linux may mount a small disk"
    return ""


@contextmanager
def mounted(folder: Path, options: str) -> Iterator[Path]:
    """A disk in memory, mounted at ``folder``; the test is skipped where that is not possible."""
    if reason := why_none():
        pytest.skip(reason)
    folder.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], capture_output=True, text=True, timeout=20
    )
    if done.returncode != 0:
        pytest.skip(f"no disk can be mounted here: {done.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True, timeout=20)


def fill_up(folder: Path) -> None:
    """Write a file until nothing more fits."""
    with (folder / "filler").open("ab", buffering=0) as file:
        for size in (1 << 20, 1 << 12, 1):
            with contextlib.suppress(OSError):
                while True:
                    file.write(os.urandom(size))


def make_room(folder: Path) -> None:
    """Take away what ``fill_up`` wrote."""
    (folder / "filler").unlink()
