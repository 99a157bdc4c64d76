"""The window opens on a real X display, not only on the offscreen one that the other tests use."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.displays import x_display
from tests.support.source_tree import ROOT


@pytest.fixture
def display() -> Iterator[str]:
    """An X server of the test's own."""
    with x_display() as name:
        yield name


def test_the_smoke_test_passes_on_a_real_display(display: str, tmp_path: Path) -> None:
    environment = {**os.environ, "DISPLAY": display, "QT_QPA_PLATFORM": "xcb"}
    run = subprocess.run(
        [sys.executable, "-m", "desktop", "--smoke-test", "--data-dir", str(tmp_path / "data")],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=110,
    )
    assert run.returncode == 0, run.stderr
    assert isinstance(json.loads(run.stdout.splitlines()[-1]), dict)


def test_the_message_field_is_painted_clean_on_a_real_display(display: str) -> None:
    case = "tests/gui/test_composer.py::test_the_field_keeps_no_trace_of_what_stood_in_it"
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", case],
        cwd=ROOT,
        env={**os.environ, "DISPLAY": display, "QT_QPA_PLATFORM": "xcb"},
        capture_output=True,
        text=True,
        check=False,
        timeout=110,
    )
    assert run.returncode == 0, run.stdout
    assert "2 passed" in run.stdout
