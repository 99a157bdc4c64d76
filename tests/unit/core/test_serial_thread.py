"""A serial thread does one thing after another, beside the loop, whatever its callers do meanwhile."""

import asyncio
import threading

import pytest

from desktop.core.serial_thread import SerialThread
from tests.support.waiting import until


class Gate:
    """Work that waits in the thread until it is let on."""

    def __init__(self) -> None:
        self.begun, self.let_on = threading.Event(), threading.Event()

    def __call__(self) -> str:
        self.begun.set()
        assert self.let_on.wait(20)
        return "done"


async def test_work_is_done_in_its_order_in_one_thread_that_is_not_the_loops() -> None:
    thread = SerialThread("test")
    done: list[int] = []
    idents = await asyncio.gather(
        *(thread.run(lambda n=n: (done.append(n), threading.get_ident())[1]) for n in range(50))
    )
    assert done == list(range(50))
    assert len(set(idents)) == 1
    assert threading.get_ident() not in idents
    await thread.close()


async def test_what_work_raises_is_its_callers_and_the_thread_goes_on() -> None:
    class PanicError(BaseException):
        """As native code throws them."""

    def panic() -> None:
        raise PanicError

    thread = SerialThread("test")
    with pytest.raises(PanicError):
        await thread.run(panic)
    with pytest.raises(ZeroDivisionError):
        await thread.run(lambda: 1 / 0)
    assert await thread.run(lambda: "still there") == "still there"
    await thread.close()


async def test_who_is_cancelled_before_its_turn_has_nothing_done() -> None:
    thread, gate, done = SerialThread("test"), Gate(), list[str]()
    async with asyncio.TaskGroup() as group:
        first = group.create_task(thread.run(gate))
        second = group.create_task(thread.run(lambda: done.append("second")))
        third = group.create_task(thread.run(lambda: done.append("third")))
        await until(gate.begun.is_set)
        second.cancel()
        await until(second.done)
        gate.let_on.set()
        await third
        assert first.result() == "done"
    assert done == ["third"]
    await thread.close()


async def test_what_has_begun_goes_on_when_its_caller_is_cancelled() -> None:
    thread, gate = SerialThread("test"), Gate()
    async with asyncio.TaskGroup() as group:
        task = group.create_task(thread.run(gate))
        await until(gate.begun.is_set)
        task.cancel()
        await until(task.done)
    gate.let_on.set()
    assert await thread.run(lambda: "next") == "next"
    await thread.close()


async def test_closing_waits_for_what_was_asked_and_ends_the_thread() -> None:
    thread, done = SerialThread("named for this test"), list[int]()
    async with asyncio.TaskGroup() as group:
        group.create_task(thread.run(lambda: done.append(1)))
        await asyncio.sleep(0)
        await thread.close()
    assert done == [1]
    assert "named for this test" not in [thread.name for thread in threading.enumerate()]
    await thread.close()
    with pytest.raises(RuntimeError, match="closed"):
        await thread.run(lambda: None)


@pytest.mark.expected_log(r"WARNING desktop\.core\.serial_thread.*still busy")
async def test_a_thread_that_does_not_end_is_left_behind() -> None:
    thread, gate = SerialThread("test", patience_seconds=0.01), Gate()
    async with asyncio.TaskGroup() as group:
        group.create_task(thread.run(gate))
        await until(gate.begun.is_set)
        await thread.close()
        gate.let_on.set()
