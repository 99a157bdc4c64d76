"""Events that are taken in batches give the same row as one by one, and none is lost between two batches."""

import asyncio
import contextlib
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from desktop.agent.events import AgentEvent, DoneEvent, DoneReason, MessageEvent, ThinkingEvent, ToolCallEvent
from desktop.agent.run import Run
from desktop.conversation.entities import Message, MessageStatus, Role, StartedTurn
from desktop.core.clock import utc_now
from desktop.core.language_model import Usage
from desktop.tools.entities import CallState
from desktop.ui.state.transcript_state import RowState, apply_event, apply_events

HEAD: dict[str, Any] = {"thread_id": "t", "message_id": "m", "seq": 0}
CALL = ToolCallEvent(**HEAD, call_id="c", name="s__t", arguments="{}", state=CallState.RUNNING, server="s", tool="t")
DONE = DoneEvent(**HEAD, reason=DoneReason.COMPLETED, usage=Usage(), duration_seconds=1.0)

pieces = st.sampled_from(["a", "\n\n", "b c", "\n\n- x", "。"])
events = st.lists(
    st.one_of(
        pieces.map(lambda delta: MessageEvent(**HEAD, delta=delta)),
        pieces.map(lambda delta: ThinkingEvent(**HEAD, delta=delta)),
        st.just(ThinkingEvent(**HEAD, delta="", final=True)),
        st.just(MessageEvent(**HEAD, delta="", final=True)),
        st.just(CALL),
    ),
    max_size=30,
)


def one_by_one(row: RowState, batch: list[AgentEvent]) -> RowState:
    for event in batch:
        row = apply_event(row, event)
    return row


@given(events, st.integers(0, 30))
def test_a_batch_is_the_same_as_its_events(batch: list[AgentEvent], cut: int) -> None:
    empty = RowState(message_id="m", role=Role.ASSISTANT, status=MessageStatus.STREAMING)
    in_two = apply_events(apply_events(empty, batch[:cut]), [*batch[cut:], DONE])
    assert in_two == one_by_one(empty, [*batch, DONE])


def a_run() -> Run:
    def message(role: Role) -> Message:
        now = utc_now()
        return Message(
            id=role.value,
            thread_id="t",
            parent_id=None,
            role=role,
            status=MessageStatus.COMPLETE,
            parts=(),
            created_at=now,
            updated_at=now,
        )

    return Run(
        StartedTurn(
            turn_id="u", thread_id="t", user_message=message(Role.USER), assistant_message=message(Role.ASSISTANT)
        )
    )


async def test_a_slow_reader_gets_everything_in_few_batches() -> None:
    run = a_run()
    words = [MessageEvent(**HEAD, delta=str(number)) for number in range(9)]
    run.publish(words[0])
    read: list[list[AgentEvent]] = []

    async def reader() -> None:
        async for batch in run.batches():
            read.append(list(batch))
            await asyncio.sleep(0)

    async with asyncio.TaskGroup() as group:
        group.create_task(reader())
        await asyncio.sleep(0)
        for word in words[1:]:
            run.publish(word)
        await asyncio.sleep(0)
        run.publish(DONE)
        assert await run.wait() is DONE
    assert [event for batch in read for event in batch] == [*words, DONE]
    assert len(read) <= 3


async def test_a_batch_has_what_came_while_its_reader_paused() -> None:
    run = a_run()
    first, second = MessageEvent(**HEAD, delta="1"), MessageEvent(**HEAD, delta="2")

    def pause() -> float:
        asyncio.get_running_loop().call_soon(run.publish, second)
        return 0.001

    async with contextlib.aclosing(run.batches(pause)) as batches:
        run.publish(first)
        assert await anext(batches) == [first, second]
