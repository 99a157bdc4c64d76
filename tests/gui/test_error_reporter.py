"""Errors from wherever they come are shown in the window's thread, each failure of ours once."""

import sys
import threading
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from desktop.app.error_reporter import ErrorReporter
from desktop.app.event_loop import QtLoop
from desktop.core.errors import ModelError
from tests.support.waiting import until


def fail() -> None:
    raise ValueError("the same place")


@pytest.mark.expected_log("uncaught ValueError")
async def test_another_threads_error_is_shown_in_the_windows_thread(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path
) -> None:
    reporter = ErrorReporter()
    shown: list[tuple[str, str]] = []
    reporter.show_with(lambda error: shown.append((str(error), threading.current_thread().name)))
    old = sys.excepthook, threading.excepthook, sys.unraisablehook
    reporter.install(tmp_path / "crash.log")
    try:
        thread = threading.Thread(target=fail)
        thread.start()
        thread.join()
        await until(lambda: shown)
    finally:
        reporter.uninstall()
        sys.excepthook, threading.excepthook, sys.unraisablehook = old
    assert shown == [("the same place", threading.main_thread().name)]


@pytest.mark.expected_log("uncaught ValueError", "model.timeout")
def test_a_failure_of_ours_is_shown_once_an_answer_to_the_user_each_time(qapp: QApplication) -> None:
    reporter = ErrorReporter()
    shown: list[str] = []
    for _ in range(3):
        try:
            fail()
        except ValueError as error:
            reporter.report(error)
    reporter.show_with(lambda error: shown.append(type(error).__name__))
    assert shown == ["ValueError"]
    for _ in range(2):
        reporter.report(ModelError("model.timeout", seconds=1))
    assert shown == ["ValueError", "ModelError", "ModelError"]
    assert reporter.count == 3
