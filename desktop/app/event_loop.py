"""The asyncio loop that Qt drives: qasync's, mended where it leaks timers, loses tasks or blocks the exit.

Four things differ from ``qasync.QEventLoop`` 0.28:

* a cancelled timeout takes its Qt timer with it (qasync keeps it until it would have fired: hundreds for one stream);
* while a nested Qt loop runs inside a task's step, callbacks wait; qasync runs them, asyncio refuses to enter the
  second task, and that task is lost for ever;
* a callback that Qt runs while no ``run_…`` call is active still finds this loop as the running one;
* jobs of the default executor run in daemon threads, so that a job that is stuck cannot hold up the exit.
"""

import asyncio
import contextlib
import functools
import math
import os
import queue
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextvars import Context
from typing import Any, TypeVar, TypeVarTuple, cast

from PySide6.QtCore import QCoreApplication, QObject, Qt, QTimerEvent, Signal, Slot
from PySide6.QtWidgets import QApplication

os.environ["QT_API"] = "pyside6"  # whatever the user has set for other programs: qasync would import that binding
import qasync

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

_LONGEST_TIMER_MS = 24 * 3600 * 1000  # Qt counts in 32 bits; a longer delay is armed again each day
_EARLY_SECONDS = 0.001
_EXECUTOR_THREADS = 8


class TimerHandle(asyncio.TimerHandle):
    """A delayed callback that knows its Qt timer."""

    __slots__ = ("qt_timer",)
    qt_timer: int


class _HandleRunner(QObject):
    """Runs the loop's handles from Qt timer events, those that are ready in the order in which they became so."""

    from_other_thread = Signal(object)

    def __init__(self, loop: "QtLoop") -> None:
        super().__init__()
        self._loop = loop
        self._ready: deque[asyncio.Handle] = deque()
        self._ready_timer = 0
        self._waiting: dict[int, TimerHandle] = {}
        self.from_other_thread.connect(self.add_ready)

    @Slot(object)
    def add_ready(self, handle: asyncio.Handle) -> None:
        self._ready.append(handle)
        if not self._ready_timer:
            self._ready_timer = self.startTimer(0)

    def add_waiting(self, handle: TimerHandle) -> None:
        delay_ms = math.ceil((handle.when() - self._loop.time()) * 1000)
        handle.qt_timer = self.startTimer(min(max(delay_ms, 0), _LONGEST_TIMER_MS), Qt.TimerType.PreciseTimer)
        self._waiting[handle.qt_timer] = handle

    def discard(self, handle: TimerHandle) -> None:
        # A handle that has run is cancelled, too (``asyncio.sleep`` does); Qt may have given its number to another.
        if self._waiting.get(handle.qt_timer) is handle:
            del self._waiting[handle.qt_timer]
            self.killTimer(handle.qt_timer)

    def waiting(self) -> list[TimerHandle]:
        return list(self._waiting.values())

    def timerEvent(self, event: QTimerEvent) -> None:  # noqa: N802 (Qt's name)
        handle = self._waiting.pop(event.timerId(), None)
        if handle is not None:
            self.killTimer(event.timerId())
            if handle.when() - self._loop.time() > _EARLY_SECONDS:
                self.add_waiting(handle)
                return
            self._ready.append(handle)
        self._run_ready()

    def _run_ready(self) -> None:
        # Qt does not fire a timer again inside its own event, so a nested Qt loop needs a fresh one to go on.
        self._disarm()
        if asyncio.current_task(self._loop) is not None:
            return  # a nested Qt loop inside a task's step; the outer call goes on when that step is over
        try:
            if asyncio._get_running_loop() is not None:
                self._run_batch()
            else:
                with self._loop.as_running():
                    self._run_batch()
        finally:
            if not self._ready:
                self._disarm()
            elif not self._ready_timer:
                self._ready_timer = self.startTimer(0)

    def _run_batch(self) -> None:
        """Run what is ready now; what becomes ready meanwhile comes after Qt's other events."""
        for _ in range(len(self._ready)):
            if not self._ready:
                break  # a nested Qt loop ran the rest
            handle = self._ready.popleft()
            if self._ready and not self._ready_timer:
                self._ready_timer = self.startTimer(0)
            if not handle.cancelled():
                handle._run()

    def _disarm(self) -> None:
        if self._ready_timer:
            self.killTimer(self._ready_timer)
            self._ready_timer = 0

    # What qasync's loop calls on its own timer object, which this one replaces.

    def stop(self) -> None:
        self._disarm()
        self._ready.clear()
        for handle in self.waiting():
            self.discard(handle)

    def set_debug(self, enabled: bool) -> None:
        """Debug mode changes nothing here."""


class DaemonExecutor(Executor):
    """Runs blocking jobs in at most ``threads`` daemon threads, each started when it is needed.

    The standard ``ThreadPoolExecutor`` joins its threads when the interpreter ends: one keyring call that waits for a
    password prompt would keep the closed app alive.
    """

    def __init__(self, threads: int = _EXECUTOR_THREADS) -> None:
        self._limit = threads
        self._jobs: queue.SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._unfinished = 0
        self._closed = False
        self._lock = threading.Lock()

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> "Future[T]":
        future: Future[T] = Future()
        with self._lock:
            if self._closed:
                raise RuntimeError("the executor is closed")
            self._unfinished += 1
            if self._unfinished > len(self._threads) and len(self._threads) < self._limit:
                name = f"threadwell-job-{len(self._threads) + 1}"
                self._threads.append(threading.Thread(target=self._work, name=name, daemon=True))
                self._threads[-1].start()
        self._jobs.put((future, functools.partial(fn, *args, **kwargs)))
        return future

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            _run_job(*job)
            del job  # holds the caller's arguments
            with self._lock:
                self._unfinished -= 1

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more jobs. The threads end after the jobs that they have begun, and those queued unless cancelled."""
        with self._lock:
            first_call, self._closed = not self._closed, True
        if cancel_futures:
            self._cancel_queued()
        if first_call:
            for _ in self._threads:
                self._jobs.put(None)
        if wait:
            self.wait_for_jobs(None)

    def wait_for_jobs(self, seconds: float | None) -> bool:
        """After ``shutdown``: wait for what the threads have begun; False when it was not done in time."""
        end = None if seconds is None else time.monotonic() + seconds
        for thread in self._threads:
            thread.join(None if end is None else max(0.0, end - time.monotonic()))
        return not any(thread.is_alive() for thread in self._threads)

    def _cancel_queued(self) -> None:
        with contextlib.suppress(queue.Empty):
            while True:
                job = self._jobs.get_nowait()
                if job is None:  # meant for a thread
                    self._jobs.put(None)
                    return
                job[0].cancel()


def _run_job(future: "Future[Any]", call: Callable[[], Any]) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        result = call()
    except BaseException as error:  # noqa: BLE001 (whoever awaits the job gets it)
        future.set_exception(error)
    else:
        future.set_result(result)


class QtLoop(qasync.QEventLoop):
    """An asyncio event loop that lives inside Qt's. Make it with ``make_loop`` and end it with ``close_loop``."""

    def __init__(self, app: QCoreApplication) -> None:
        super().__init__(app)
        self._timer = self._handles = _HandleRunner(self)
        self._executor: Executor = DaemonExecutor()

    def waiting_timers(self) -> list[TimerHandle]:
        """Return the delayed callbacks that have neither run nor been cancelled."""
        return self._handles.waiting()

    @contextlib.contextmanager
    def as_running(self) -> Iterator[None]:
        """Make this the running loop of the thread, where none runs."""
        asyncio._set_running_loop(self)
        try:
            with self._asyncgen_hooks():
                yield
        finally:
            asyncio._set_running_loop(None)

    @contextlib.contextmanager
    def _asyncgen_hooks(self) -> Iterator[None]:
        old = sys.get_asyncgen_hooks()
        sys.set_asyncgen_hooks(
            firstiter=self._asyncgen_firstiter_hook,  # pyright: ignore[reportAttributeAccessIssue]
            finalizer=self._asyncgen_finalizer_hook,  # pyright: ignore[reportAttributeAccessIssue]
        )
        try:
            yield
        finally:
            sys.set_asyncgen_hooks(*old)

    def run_forever(self) -> int:
        with self._asyncgen_hooks():  # without them a dropped async generator is never closed
            return cast(int, super().run_forever())

    def _refuse_when_closed(self) -> None:
        if self.is_closed():
            raise RuntimeError("Event loop is closed")

    # Callbacks

    def call_soon(
        self, callback: Callable[[*Ts], object], *args: *Ts, context: Context | None = None
    ) -> asyncio.Handle:
        self._refuse_when_closed()
        handle = asyncio.Handle(callback, args, self, context)
        self._handles.add_ready(handle)
        return handle

    def call_soon_threadsafe(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, callback: Callable[[*Ts], object], *args: *Ts, context: Context | None = None
    ) -> asyncio.Handle:
        self._refuse_when_closed()
        handle = asyncio.Handle(callback, args, self, context)
        self._handles.from_other_thread.emit(handle)
        return handle

    def call_later(
        self, delay: float, callback: Callable[[*Ts], object], *args: *Ts, context: Context | None = None
    ) -> TimerHandle:
        return self.call_at(self.time() + delay, callback, *args, context=context)

    def call_at(
        self, when: float, callback: Callable[[*Ts], object], *args: *Ts, context: Context | None = None
    ) -> TimerHandle:
        self._refuse_when_closed()
        handle = TimerHandle(when, callback, args, self, context)
        self._handles.add_waiting(handle)
        return handle

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        self._handles.discard(cast(TimerHandle, handle))

    # Jobs in threads

    def set_default_executor(self, executor: Executor) -> None:
        self._executor = executor

    def run_in_executor(
        self, executor: Executor | None, callback: Callable[[*Ts], T], *args: *Ts
    ) -> "asyncio.Future[T]":
        self._refuse_when_closed()
        return asyncio.wrap_future((executor or self._executor).submit(callback, *args), loop=self)

    def close(self) -> None:
        self._executor.shutdown(wait=False, cancel_futures=True)
        super().close()

    def wait_for_jobs(self, seconds: float) -> bool:
        """After ``close``: wait for jobs that cannot be cut short, such as an import; False when one goes on.

        A thread in the middle of an import while the interpreter is taken down can bring the process to a bad end.
        """
        return not isinstance(self._executor, DaemonExecutor) or self._executor.wait_for_jobs(seconds)


def make_loop(app: QApplication) -> QtLoop:
    """Make the loop of ``app`` and set it as the thread's event loop.

    From here on the app ends when it is told to: Qt's habit of ending with the last closed window would also end the
    loop with the last closed dialog.
    """
    app.setQuitOnLastWindowClosed(False)
    loop = QtLoop(app)
    asyncio.set_event_loop(loop)
    return loop


def close_loop(loop: QtLoop, grace_seconds: float = 5.0) -> list[str]:
    """Cancel what still runs, close async generators and the loop; returns the names of tasks that did not end."""
    stuck = loop.run_until_complete(end_tasks(grace_seconds))
    loop.run_until_complete(loop.shutdown_asyncgens())
    loop.close()
    asyncio.set_event_loop(None)
    return stuck


async def end_tasks(grace_seconds: float) -> list[str]:
    """Cancel every other task of the running loop and wait for them; returns the names of those that did not end."""
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    if not tasks:
        return []
    _, pending = await asyncio.wait(tasks, timeout=grace_seconds)
    return sorted(task.get_name() for task in pending)


__all__ = ["DaemonExecutor", "QtLoop", "close_loop", "end_tasks", "make_loop"]
