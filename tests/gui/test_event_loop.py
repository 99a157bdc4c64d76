"""The Qt loop keeps what asyncio promises where plain qasync does not."""

import asyncio
import gc
import importlib.metadata
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextvars import ContextVar

import pytest
import qasync
from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

from desktop.app.event_loop import DaemonExecutor, QtLoop, close_loop, end_tasks, make_loop

Until = Callable[[Callable[[], object]], Awaitable[None]]


def run_nested_qt_loop(milliseconds: int = 50) -> None:
    """Do what ``QDialog.exec`` does: run Qt's events from inside a Python call."""
    nested = QEventLoop()
    QTimer.singleShot(milliseconds, nested.quit)
    nested.exec()


# First property: cancelled timers are gone.


async def test_cancelled_timeouts_leave_no_timer(qloop: QtLoop) -> None:
    before = len(qloop.waiting_timers())
    for _ in range(2_000):
        async with asyncio.timeout(600):
            await asyncio.sleep(0)
    assert len(qloop.waiting_timers()) == before


async def test_a_long_delay_waits_and_can_be_cancelled(qloop: QtLoop) -> None:
    handle = qloop.call_later(60 * 24 * 3600, lambda: None)
    assert handle in qloop.waiting_timers()
    handle.cancel()
    assert handle not in qloop.waiting_timers()


async def test_cancelling_a_timer_that_has_run_takes_no_other_one(qloop: QtLoop, until: Until) -> None:
    fired: list[int] = []
    old = [qloop.call_later(0, fired.append, number) for number in range(20)]
    await until(lambda: len(fired) == len(old))
    for _ in range(1_000):  # Qt gives a number again after a while
        new = [qloop.call_later(600, fired.append, -1) for _ in range(30)]
        if {handle.qt_timer for handle in new} & {handle.qt_timer for handle in old}:
            break
        for handle in new:
            handle.cancel()
    else:
        pytest.fail("Qt never gave a number again")
    for handle in old:
        handle.cancel()  # as ``asyncio.sleep`` does when it is over
    assert set(new) <= set(qloop.waiting_timers())
    for handle in new:
        handle.cancel()


async def test_timers_never_fire_early_and_in_order(qloop: QtLoop, until: Until) -> None:
    fired: list[tuple[int, bool]] = []
    for delay in (30, 10, 20):
        when = qloop.time() + delay / 1000
        qloop.call_at(when, lambda d=delay, w=when: fired.append((d, qloop.time() >= w - 0.0015)))
    await until(lambda: len(fired) == 3)
    assert fired == [(10, True), (20, True), (30, True)]


# Second property: a nested Qt loop pauses tasks instead of losing them.


async def test_a_nested_qt_loop_in_a_task_loses_no_other_task(qloop: QtLoop) -> None:
    steps: list[int] = []

    async def other() -> None:
        for step in range(20):
            steps.append(step)
            await asyncio.sleep(0.001)

    async def nesting() -> int:
        run_nested_qt_loop()
        return len(steps)

    async with asyncio.TaskGroup() as group:
        group.create_task(other())
        seen_inside = group.create_task(nesting())
    assert steps == list(range(20))
    assert seen_inside.result() <= 1, "no task step may run inside another one's nested loop"


async def test_a_nested_qt_loop_in_a_plain_callback_goes_on_with_tasks(qloop: QtLoop, until: Until) -> None:
    done: list[str] = []

    def nesting() -> None:
        nested = QEventLoop()
        qloop.call_soon(lambda: done.append("inside"))
        qloop.call_later(0.01, nested.quit)
        nested.exec()
        done.append("after")

    qloop.call_soon(nesting)
    qloop.call_soon(lambda: done.append("same round"))
    await until(lambda: "after" in done)
    assert done == ["same round", "inside", "after"]


# Third property: callbacks find the loop even when nobody runs it.


def test_callbacks_outside_a_run_see_the_loop(qloop: QtLoop, qapp: QApplication) -> None:
    seen: list[object] = []
    qloop.call_soon(lambda: seen.append(asyncio.get_running_loop()))
    qloop.call_later(0.001, lambda: seen.append(asyncio.get_running_loop()))
    run_nested_qt_loop()
    assert seen == [qloop, qloop]
    with pytest.raises(RuntimeError):
        asyncio.get_running_loop()


# What else asyncio promises.


async def test_callbacks_run_in_order_and_cancelled_ones_not(qloop: QtLoop, until: Until) -> None:
    order: list[int] = []
    handles = [qloop.call_soon(order.append, n) for n in range(50)]
    handles[7].cancel()
    await until(lambda: len(order) == 49)
    assert order == [n for n in range(50) if n != 7]


async def test_threads_can_call_back_with_their_context(qloop: QtLoop, until: Until) -> None:
    name: ContextVar[str] = ContextVar("name", default="loop")
    seen: list[tuple[str, bool]] = []
    main = threading.get_ident()

    def from_thread() -> None:
        name.set("thread")
        qloop.call_soon_threadsafe(lambda: seen.append((name.get(), threading.get_ident() == main)))

    await asyncio.to_thread(from_thread)
    await until(lambda: seen)
    assert seen == [("thread", True)]


async def test_dropped_async_generators_are_closed(qloop: QtLoop, until: Until) -> None:
    closed: list[bool] = []

    async def numbers() -> AsyncIterator[int]:
        try:
            yield 1
            yield 2
        finally:
            closed.append(True)

    async for _ in numbers():
        break
    gc.collect()
    await until(lambda: closed)


async def test_child_processes_and_sockets_work(qloop: QtLoop) -> None:
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(await reader.readline())
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    reader, writer = await asyncio.open_connection("127.0.0.1", server.sockets[0].getsockname()[1])
    writer.write("你好\n".encode())
    assert (await reader.readline()).decode() == "你好\n"
    writer.close()
    await writer.wait_closed()
    server.close()
    await server.wait_closed()
    child = await asyncio.create_subprocess_exec("echo", "hello", stdout=asyncio.subprocess.PIPE)
    output, _ = await child.communicate()
    assert (output, child.returncode) == (b"hello\n", 0)


def test_a_stuck_job_does_not_hold_up_closing(qapp: QApplication) -> None:
    loop = make_loop(qapp)
    release = threading.Event()

    async def start_and_leave() -> None:
        await asyncio.wait([asyncio.wrap_future(executor.submit(release.wait, 60))], timeout=0.01)

    executor = DaemonExecutor()
    loop.set_default_executor(executor)
    loop.run_until_complete(start_and_leave())
    queued = [executor.submit(lambda: None) for _ in range(20)]
    assert close_loop(loop) == []
    assert not release.is_set()
    assert not loop.wait_for_jobs(0.01), "a job that is stuck is left alone"
    release.set()
    assert loop.wait_for_jobs(20), "one that ends is waited for"
    assert not any(thread.name.startswith("threadwell-job") for thread in threading.enumerate())
    assert all(job.done() for job in queued)
    with pytest.raises(RuntimeError):
        loop.call_soon(lambda: None)


def test_closing_ends_tasks_and_names_the_stubborn(qapp: QApplication) -> None:
    loop = make_loop(qapp)
    ended: list[str] = []

    async def polite() -> None:
        try:
            await asyncio.sleep(600)
        finally:
            ended.append("polite")

    async def stubborn(stop: asyncio.Event) -> None:
        while not stop.is_set():
            try:
                await stop.wait()
            except asyncio.CancelledError:
                ended.append("asked")

    async def start() -> tuple[asyncio.Event, list[asyncio.Task[None]]]:
        stop = asyncio.Event()
        tasks = [loop.create_task(polite()), loop.create_task(stubborn(stop), name="stubborn")]
        await asyncio.sleep(0.01)
        return stop, tasks

    stop, tasks = loop.run_until_complete(start())
    stuck = loop.run_until_complete(end_tasks(0.05))
    assert stuck == ["stubborn"]
    assert set(ended) == {"polite", "asked"}
    stop.set()
    loop.run_until_complete(asyncio.wait(tasks))
    assert close_loop(loop) == []


def test_the_names_that_the_loop_builds_on_are_there() -> None:
    assert importlib.metadata.version("qasync").startswith("0.28.")
    assert {"run_forever", "run_until_complete", "stop", "close"} <= set(dir(qasync.QEventLoop))
    for name in ("_timer_handle_cancelled", "_asyncgen_firstiter_hook", "_asyncgen_finalizer_hook"):
        assert hasattr(asyncio.BaseEventLoop, name), name
    source_names = qasync._QEventLoop.__init__.__code__.co_names
    assert "_timer" in source_names
