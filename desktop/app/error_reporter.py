"""One place that hears of every uncaught error: logs it, and has each distinct one shown once."""

import faulthandler
import logging
import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal, Slot

from desktop.core.errors import ThreadwellError

if TYPE_CHECKING:
    import asyncio

logger = logging.getLogger(__name__)


class _Relay(QObject):
    """Brings errors of other threads to the thread of the window: Qt delivers at once within it, queued from outside."""

    reported = Signal(object)

    def __init__(self, receive: Callable[[BaseException], None]) -> None:
        super().__init__()
        self._receive = receive
        self.reported.connect(self._deliver)

    @Slot(object)
    def _deliver(self, error: BaseException) -> None:
        self._receive(error)


class ErrorReporter:
    """Collects failures from slots, overrides of Qt virtuals, tasks, threads and the loop.

    Errors of the user's world (``ThreadwellError``) are shown every time: each is the answer to something that the
    user did. A failure of ours is shown once per place in the code, since a broken ``paint`` fails sixty times a
    second.
    """

    def __init__(self) -> None:
        self._show: Callable[[BaseException], None] | None = None
        self._waiting: list[BaseException] = []
        self._seen: set[tuple[str, str]] = set()
        self._fault_log: Any = None
        self._relay = _Relay(self._present)
        self.count = 0
        """Failures of ours so far, repetitions included."""

    def show_with(self, show: Callable[[BaseException], None]) -> None:
        """Show errors by ``show`` from now on, also those that were reported before there was a window."""
        self._show = show
        waiting, self._waiting = self._waiting, []
        for error in waiting:
            show(error)

    def report(self, error: BaseException) -> None:
        """Log the error and have it shown; may be called in any thread, shows in the one that made the reporter."""
        if isinstance(error, ThreadwellError):
            logger.warning("%s", error)
        else:
            logger.error("uncaught %s", type(error).__name__, exc_info=error)
        self._relay.reported.emit(error)

    def _present(self, error: BaseException) -> None:
        if not isinstance(error, ThreadwellError):
            self.count += 1
            place = (type(error).__name__, _place(error.__traceback__))
            if place in self._seen:
                return
            self._seen.add(place)
        if self._show is not None:
            self._show(error)
        else:
            self._waiting.append(error)

    def report_task(self, name: str, error: BaseException) -> None:
        """For ``TaskSupervisor(on_error=…)``."""
        logger.info("the task %s failed", name)
        self.report(error)

    def install(self, fault_log: Path) -> None:
        """Hook into the interpreter: uncaught exceptions, threads, unraisable ones; native crashes go to ``fault_log``."""
        sys.excepthook = lambda _kind, error, _trace: self.report(error)
        threading.excepthook = lambda args: self.report(args.exc_value) if args.exc_value else None
        sys.unraisablehook = lambda args: self.report(args.exc_value) if args.exc_value else None
        self._fault_log = fault_log.open("a", encoding="utf-8")
        faulthandler.enable(self._fault_log)

    def handle_loop_error(self, _loop: "asyncio.AbstractEventLoop", context: dict[str, Any]) -> None:
        """For ``loop.set_exception_handler``."""
        error = context.get("exception")
        if isinstance(error, BaseException):
            self.report(error)
        else:
            logger.error("event loop: %s", context.get("message"))

    def uninstall(self) -> None:
        """Give the interpreter its own hooks back."""
        sys.excepthook = sys.__excepthook__
        threading.excepthook = threading.__excepthook__
        sys.unraisablehook = sys.__unraisablehook__
        if self._fault_log is not None:
            faulthandler.disable()
            self._fault_log.close()
            self._fault_log = None


def _place(trace: TracebackType | None) -> str:
    frames = traceback.extract_tb(trace)
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else ""
