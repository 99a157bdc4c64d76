"""A fault in an override of a Qt method is reported, and never takes the process along."""

import os
import signal
import subprocess
import sys

import pytest

from tests.support.source_tree import ROOT

SCRIPT = """
import sys, traceback
{prepare}
from PySide6.QtCore import QAbstractListModel, QEvent, QModelIndex, QObject, QSize
from PySide6.QtWidgets import QApplication, QListView, QPushButton, QVBoxLayout, QWidget

app = QApplication([])

class Box(QWidget):
    def sizeHint(self):
        return len(5)

    def paintEvent(self, event):
        {fault}

class Inner(Box):
    def paintEvent(self, event):
        super().paintEvent(event)

class Rows(QAbstractListModel):
    def rowCount(self, parent=QModelIndex()):
        return 2

    def data(self, index, role=0):
        return None.missing

class Watch(QObject):
    def eventFilter(self, watched, event):
        return "x" + 1

outer, watch, view, rows = QWidget(), Watch(), QListView(), Rows()
layout = QVBoxLayout(outer)
for widget in (Box(), Inner(), view):
    layout.addWidget(widget)
    widget.setMinimumSize(QSize(20, 20))
view.setModel(rows)
button = QPushButton()
button.installEventFilter(watch)
for action in (lambda: QApplication.sendEvent(button, QEvent(QEvent.Type.Polish)), outer.grab, outer.grab, outer.adjustSize):
    try:
        action()
    except Exception:
        traceback.print_exc()
button.removeEventFilter(watch)
view.setModel(None)
print("alive", Box.paintEvent.__name__, flush=True)
"""
FAULTS = ["int('x')", "b''.decode(5)", "bytearray(sys.maxsize)", "[].pop()", "raise KeyError(1)"]


def run(fault: str, prepare: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-P", "-c", SCRIPT.replace("{prepare}", prepare).replace("{fault}", fault)],
        env={**os.environ, "PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_an_override_is_reported_and_survived(fault: str) -> None:
    done = run(fault, "from desktop.app.qt_import import load_qt; load_qt()")
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout == "alive paintEvent\n"
    for method in ("sizeHint", "paintEvent", "eventFilter", "data"):
        assert f"in {method}\n" in done.stderr


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="there exceptions are always whole")
def test_without_the_guard_the_process_would_be_gone() -> None:
    """When this fails, Qt for Python was mended, and ``guard_overrides`` is no longer needed."""
    assert run("[].pop()", "").returncode == -signal.SIGSEGV


def test_what_stands_behind_a_class_of_qt_is_still_set_up() -> None:
    """A class that is generic, too, can be named with what it holds."""
    script = """
from typing import Generic, TypeVar
from desktop.app.qt_import import load_qt; load_qt()
from PySide6.QtWidgets import QWidget
T = TypeVar("T")
class Holder(QWidget, Generic[T]): ...
print(Holder[int])
"""
    done = subprocess.run(
        [sys.executable, "-P", "-c", script],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert "Holder[int]" in done.stdout
