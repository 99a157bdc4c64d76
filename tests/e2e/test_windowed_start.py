"""A start as a double click makes it: no console, a poor PATH, an odd home, neither D-Bus nor a keychain."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.shell_app import ROOT

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows starts it by pythonw, in the smoke test")
PATIENCE_SECONDS = 120
WITHOUT_CONSOLE = """
import sys
sys.stdin = sys.stdout = sys.stderr = None
sys.path.insert(0, {root!r})
from desktop.__main__ import main
status = main({arguments!r})
open({result!r}, "w").write(str(status))
"""


def test_it_starts_without_a_console_and_in_an_odd_home(tmp_path: Path) -> None:
    home = tmp_path / "家 目录"
    home.mkdir()
    result = tmp_path / "result"
    program = WITHOUT_CONSOLE.format(root=str(ROOT), arguments=["--smoke-test"], result=str(result))
    environment = {
        "HOME": str(home),
        "PATH": "/usr/bin:/bin",
        "QT_QPA_PLATFORM": "offscreen",
        "LC_ALL": "C",
        "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere",
        "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
    }
    done = subprocess.run(
        [sys.executable, "-P", "-c", program],
        env=environment,
        cwd=os.sep,
        capture_output=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert result.is_file(), done.stderr.decode(errors="replace")[-2000:]
    assert result.read_text() == "0"
    assert done.stdout == b""
