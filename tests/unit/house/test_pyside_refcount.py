"""PySide6 does not lose references to ``None``: the reason for the version cap in pyproject.toml."""

import subprocess
import sys

PROGRAM = """
import sys
from PySide6.QtCore import QObject, Signal

class Sender(QObject):
    sent = Signal(object)

sender = Sender()
sender.sent.connect(lambda value: None)
start = sys.getrefcount(None)
for _ in range(1000):
    sender.setObjectName("name")
    sender.sent.emit(True)
print(sys.getrefcount(None) - start)
"""


def test_void_qt_calls_keep_their_references() -> None:
    """In a process of its own: with the fault it aborts. From Python 3.12 on ``None`` is immortal and cannot be lost."""
    run = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert abs(int(run.stdout)) < 50
