"""Typed signals hold receivers weakly; tasks are held, their failures told, and the last commit is never left half done."""

import asyncio
import gc

import pytest

from desktop.core.signal import Signal
from desktop.core.tasks import TaskSupervisor, alongside, run_all, uninterrupted


class Receiver:
    def __init__(self) -> None:
        self.got: list[int] = []

    def take(self, value: int) -> None:
        self.got.append(value)


def test_a_receiver_hears_until_it_is_disconnected() -> None:
    signal, receiver = Signal[int](), Receiver()
    signal.connect(receiver.take)
    signal.emit(1)
    signal.disconnect(receiver.take)
    signal.emit(2)
    assert receiver.got == [1]


def test_a_forgotten_receiver_is_not_kept_alive() -> None:
    signal = Signal[int]()
    signal.connect(Receiver().take)
    gc.collect()
    signal.emit(1)
    assert signal._receivers == []


@pytest.mark.expected_log("a receiver of a signal failed")
def test_a_failing_receiver_does_not_stop_the_others() -> None:
    signal, receiver = Signal[int](), Receiver()

    def broken(_value: int) -> None:
        raise ValueError("no")

    signal.connect(broken)
    signal.connect(receiver.take)
    signal.emit(1)
    assert receiver.got == [1]


async def test_a_failure_of_a_task_is_told_at_once() -> None:
    told: list[tuple[str, BaseException]] = []
    tasks = TaskSupervisor(lambda name, error: told.append((name, error)))

    async def fail() -> None:
        raise ValueError("oops")

    task = tasks.spawn(fail(), name="failing")
    await asyncio.wait({task})
    await asyncio.sleep(0)
    assert [(name, str(error)) for name, error in told] == [("failing", "oops")]


async def test_close_cancels_and_names_what_does_not_end() -> None:
    tasks = TaskSupervisor()
    release = asyncio.Event()

    async def stubborn() -> None:
        while not release.is_set():
            try:
                await release.wait()
            except asyncio.CancelledError:
                continue

    polite = tasks.spawn(asyncio.Event().wait(), name="polite")
    tasks.spawn(stubborn(), name="stubborn")
    await asyncio.sleep(0)
    assert await tasks.close(timeout_seconds=0.05) == ["stubborn"]
    assert polite.cancelled()
    release.set()
    assert await tasks.close() == []


async def test_uninterrupted_finishes_although_it_is_cancelled_many_times() -> None:
    go, done = asyncio.Event(), []

    async def commit() -> str:
        await go.wait()
        done.append(1)
        return "committed"

    task = asyncio.create_task(uninterrupted(commit()))
    for _ in range(3):
        await asyncio.sleep(0)
        task.cancel()
    await asyncio.sleep(0)
    go.set()
    assert await task == "committed"
    assert done == [1]


async def test_alongside_ends_with_its_body_and_its_failure_wins() -> None:
    async def forever() -> None:
        await asyncio.Event().wait()

    async with alongside(forever()):
        pass

    async def fail() -> None:
        raise ValueError("beside")

    with pytest.raises(ValueError, match="beside"):
        async with alongside(fail()):
            await asyncio.Event().wait()
    with pytest.raises(KeyError):
        async with alongside(forever()):
            raise KeyError


async def test_run_all_keeps_the_order_and_the_bound() -> None:
    running, most = 0, 0

    async def job(number: int) -> int:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        running -= 1
        return number

    assert await run_all([lambda n=n: job(n) for n in range(10)], at_once=3) == list(range(10))
    assert most == 3


async def test_run_all_cancels_the_others_at_the_first_failure() -> None:
    ended: list[str] = []

    async def wait() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("waiting one")

    async def fail() -> None:
        await asyncio.sleep(0)
        raise ValueError("first")

    with pytest.raises(ValueError, match="first"):
        await run_all([wait, fail], at_once=8)
    assert ended == ["waiting one"]
