"""How long an answer waits for the user."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from desktop.core.errors import StorageError
from desktop.tools.entities import ApprovalRequest, CallIntent, ElicitationRequest
from desktop.tools.timed_prompts import TimedPrompts
from tests.support.hand_clock import Clock
from tests.support.scripted_gateway import shell_tool
from tests.support.scripted_prompts import ScriptedPrompts, accept, allow_once
from tests.support.waiting import until


def approval(thread_id: str, turn_id: str = "u") -> ApprovalRequest:
    intent = CallIntent(
        call_id="c", thread_id=thread_id, turn_id=turn_id, tool=shell_tool(), arguments_json='{"command":"ls"}'
    )
    return ApprovalRequest(intent=intent, thread_title="")


async def test_what_is_asked_and_answered_goes_through() -> None:
    with ScriptedPrompts(allow_once(), accept(name="Ada")) as prompts:
        timed = TimedPrompts(prompts)
        assert await timed.approve(approval("t")) == allow_once()
        assert await timed.elicit(ElicitationRequest(server_id="s", message="?", thread_id="t")) == accept(name="Ada")


async def test_questions_that_are_open_together_count_once_and_each_thread_has_its_own_time() -> None:
    clock, first, second = Clock(), asyncio.Event(), asyncio.Event()

    async def answer_first(_request: ApprovalRequest) -> object:
        await first.wait()
        return allow_once()

    async def answer_second(_request: ElicitationRequest) -> object:
        await second.wait()
        return accept()

    with ScriptedPrompts(answer_first, answer_second) as prompts:
        timed = TimedPrompts(prompts, now=clock)
        async with asyncio.TaskGroup() as group:
            group.create_task(timed.approve(approval("t")))
            await until(lambda: len(prompts.asked) == 1)
            clock.seconds += 10
            assert timed.waited_seconds("t", "u") == 10, "also while the question is open"
            group.create_task(timed.elicit(ElicitationRequest(server_id="s", message="?", thread_id="t")))
            await until(lambda: len(prompts.asked) == 2)
            clock.seconds += 5
            first.set()
            await asyncio.sleep(0)
            clock.seconds += 1
            second.set()
    clock.seconds += 100
    assert timed.waited_seconds("t", "u") == 16
    assert timed.waited_seconds("other", "u") == 0


async def test_a_question_that_is_withdrawn_or_fails_has_been_waited_for() -> None:
    clock = Clock()

    def fail(_request: ApprovalRequest) -> Exception:
        clock.seconds += 3
        return StorageError("storage.failed", detail="no")

    with ScriptedPrompts(None, fail) as prompts:
        timed = TimedPrompts(prompts, now=clock)
        task = asyncio.ensure_future(timed.approve(approval("t")))
        await until(lambda: prompts.open == 1)
        clock.seconds += 7
        task.cancel()
        await asyncio.wait({task})
        with pytest.raises(StorageError):
            await timed.approve(approval("t"))
    assert timed.waited_seconds("t", "u") == 10


async def test_an_answer_does_not_wait_for_questions_of_another_one_beside_it() -> None:
    clock, first, second = Clock(), asyncio.Event(), asyncio.Event()

    def held(by: asyncio.Event, answer: object) -> Callable[[Any], Any]:
        async def wait(_request: object) -> object:
            await by.wait()
            return answer

        return wait

    with ScriptedPrompts(held(first, allow_once()), held(second, accept())) as prompts:
        timed = TimedPrompts(prompts, now=clock)
        async with asyncio.TaskGroup() as group:
            group.create_task(timed.approve(approval("t", "one")))
            await until(lambda: len(prompts.asked) == 1)
            clock.seconds += 10
            asked = group.create_task(timed.elicit(ElicitationRequest(server_id="s", message="?", thread_id="t")))
            await until(lambda: len(prompts.asked) == 2)
            clock.seconds += 5
            assert timed.waited_seconds("t", "one") == 15
            assert timed.waited_seconds("t", "two") == 5, "of a server's question only the thread is known"
            second.set()
            await asked
            clock.seconds += 2
            first.set()
    clock.seconds += 100
    assert (timed.waited_seconds("t", "one"), timed.waited_seconds("t", "two")) == (17, 5)
