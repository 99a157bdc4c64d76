"""How long a thread waits for its user."""

import asyncio

import pytest

from desktop.core.errors import StorageError
from desktop.tools.entities import ApprovalRequest, CallIntent, ElicitationRequest
from desktop.tools.timed_prompts import TimedPrompts
from tests.support.hand_clock import Clock
from tests.support.scripted_gateway import shell_tool
from tests.support.scripted_prompts import ScriptedPrompts, accept, allow_once
from tests.support.waiting import until


def approval(thread_id: str) -> ApprovalRequest:
    intent = CallIntent(
        call_id="c", thread_id=thread_id, turn_id="u", tool=shell_tool(), arguments_json='{"command":"ls"}'
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
            assert timed.waited_seconds("t") == 10, "also while the question is open"
            group.create_task(timed.elicit(ElicitationRequest(server_id="s", message="?", thread_id="t")))
            await until(lambda: len(prompts.asked) == 2)
            clock.seconds += 5
            first.set()
            await asyncio.sleep(0)
            clock.seconds += 1
            second.set()
    clock.seconds += 100
    assert timed.waited_seconds("t") == 16
    assert timed.waited_seconds("other") == 0


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
    assert timed.waited_seconds("t") == 10
