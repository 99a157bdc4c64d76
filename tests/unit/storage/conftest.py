"""Folders that only the system can make: read-only ones, and small disks."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest


def _mount(folder: Path, options: str) -> None:
    if sys.platform != "linux" or os.geteuid() != 0 or shutil.which("mount") is None:
        pytest.skip("only root on Linux may mount a small disk")
    folder.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], capture_output=True, text=True, timeout=20
    )
    if done.returncode != 0:
        pytest.skip(f"no disk can be mounted here: {done.stderr.strip()}")


def _unmount(folder: Path) -> None:
    subprocess.run(["umount", "--lazy", str(folder)], check=True, timeout=20)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """An empty disk of 16 MB."""
    folder = tmp_path / "small-disk"
    _mount(folder, "size=16m")
    yield folder
    _unmount(folder)


@pytest.fixture
def read_only_folder(tmp_path: Path) -> Iterator[Path]:
    """A folder that cannot be written, by root neither."""
    folder = tmp_path / "read-only"
    if sys.platform == "win32":
        pytest.skip("a folder cannot be made read-only on Windows")
    if os.geteuid() != 0:
        folder.mkdir(mode=0o500)
        yield folder
        folder.chmod(0o700)
        return
    _mount(folder, "size=1m,ro")
    yield folder
    _unmount(folder)
