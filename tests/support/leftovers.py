"""Finds what a test has left running: threads, child processes, windows, log handlers."""

import contextlib
import logging
import os
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

ALLOWED_THREADS = re.compile(
    r"pytest_timeout"  # the watchdog of the test itself, where signals cannot be used
    r"|tests-session-"  # a thread that a session fixture of ours owns
    r"|Dummy-"  # a Qt thread that once called Python; the entry outlives the thread
)
GRACE_SECONDS = 3.0


class Leftovers:
    """Takes stock before a test and compares afterwards; what is ending by itself gets a moment to do so."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._threads = set(threading.enumerate())
        self._processes = _all_processes()
        self._handlers = list(logging.getLogger().handlers)

    def find(self) -> list[str]:
        """Name what is left, and end what can be ended so that the next test starts clean."""
        threads = _what_stays(self._new_threads)
        processes = _what_stays(self._new_processes)
        problems = [f"thread left running: {thread.name}" for thread in threads]
        for pid in processes:
            problems.append(f"process left running: {pid} {_command_line(pid)}")
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        return problems + self._remove_handlers() + _close_windows()

    def _new_threads(self) -> list[threading.Thread]:
        return [t for t in threading.enumerate() if t not in self._threads and not ALLOWED_THREADS.match(t.name)]

    def _new_processes(self) -> list[int]:
        return [pid for pid in _all_processes() - self._processes if self._is_ours(pid)]

    def _is_ours(self, pid: int) -> bool:
        """Tell whether this test started ``pid``: our child, or an orphan that still carries the test's own HOME."""
        try:
            state, parent = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[:2]
            environment = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        except OSError:
            return False  # gone by now, or another user's
        if state == "Z":
            return False
        return int(parent) == os.getpid() or b"HOME=" + os.fsencode(self._home) in environment

    def _remove_handlers(self) -> list[str]:
        root = logging.getLogger()
        new = [handler for handler in root.handlers if handler not in self._handlers]
        for handler in new:
            root.removeHandler(handler)
            handler.close()
        return [f"log handler left installed: {handler!r}" for handler in new]


def _what_stays(look: Callable[[], list[Any]]) -> list[Any]:
    end = time.monotonic() + GRACE_SECONDS
    while (found := look()) and time.monotonic() < end:
        time.sleep(0.01)
    return found


def _all_processes() -> set[int]:
    """Return the process ids of this machine; none where there is no /proc."""
    if sys.platform != "linux":
        return set()
    return {int(name) for name in os.listdir("/proc") if name.isdigit()}


def _command_line(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
    except OSError:
        return ""


def _close_windows() -> list[str]:
    widgets: Any = sys.modules.get("PySide6.QtWidgets")
    if widgets is None or widgets.QApplication.instance() is None:
        return []
    left: Iterable[Any] = [w for w in widgets.QApplication.topLevelWidgets() if w.isVisible()]
    problems = [f"window left open: {type(w).__name__} {w.objectName()!r}" for w in left]
    for window in left:
        window.hide()
        window.deleteLater()
    core: Any = sys.modules["PySide6.QtCore"]
    core.QCoreApplication.sendPostedEvents(None, core.QEvent.Type.DeferredDelete.value)
    return problems
