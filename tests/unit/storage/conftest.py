"""Folders that only the system can make: read-only ones, and small disks."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.small_disks import mounted


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """An empty disk of 16 MB."""
    with mounted(tmp_path / "small-disk", "size=16m") as folder:
        yield folder


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
    with mounted(folder, "size=1m,ro"):
        yield folder
