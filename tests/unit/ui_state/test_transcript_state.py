"""The row reducer: replaying a run's events gives what its stored message gives, whatever happened in the run."""

import asyncio
import dataclasses
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from desktop.agent.answer_writer import AnswerWriter
from desktop.agent.events import (
    DoneEvent,
    DoneReason,
    ErrorEvent,
    MessageEvent,
    ThinkingEvent,
    ToolCallEvent,
    ToolResultEvent,
    WaitingEvent,
)
from desktop.agent.run import Run
from desktop.conversation.entities import (
    Message,
    MessageStatus,
    RemarkPart,
    ResultStatus,
    Role,
    SourcesPart,
    TextPart,
    ToolCallPart,
)
from desktop.core.errors import ModelError
from desktop.core.language_model import Source, Usage, Waiting
from desktop.tools.entities import CallState
from desktop.ui.state.running_row import with_questions
from desktop.ui.state.tool_item import ToolItem, ToolState
from desktop.ui.state.transcript_state import RowState, TextItem, ThinkingItem, apply_event, row_from_message
from tests.support.in_memory_threads import InMemoryThreadRepository

MOMENT = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)
_TEXT = st.text("ab \n中*`", min_size=1, max_size=12)
_SAY = st.tuples(st.just("say"), _TEXT)
_THINK = st.tuples(st.just("think"), _TEXT)
_TAKE_BACK = st.tuples(st.just("take back"), st.integers(0, 20))
_CALLS = st.tuples(st.just("call"), st.lists(st.sampled_from(list(ResultStatus)), min_size=1, max_size=3))
_BESIDE = st.tuples(st.sampled_from(["remark", "source"]), st.sampled_from(["a", "b"]))
_STEPS = st.lists(st.one_of(_SAY, _THINK, _TAKE_BACK, _CALLS, _BESIDE), max_size=12)
_ENDS = st.sampled_from(["done", "stopped", "failed", "stopped in a call"])


def row() -> RowState:
    return RowState(message_id="m", role=Role.ASSISTANT, status=MessageStatus.STREAMING)


def head(seq: int = 0) -> dict[str, str | int]:
    return {"thread_id": "t", "message_id": "m", "seq": seq}


@given(actions=_STEPS, end=_ENDS, reused_ids=st.booleans())
def test_replayed_events_equal_the_stored_message(
    actions: list[tuple[str, str | int | list[ResultStatus]]], end: str, reused_ids: bool
) -> None:
    async def run() -> tuple[RowState, RowState]:
        repository = InMemoryThreadRepository()
        thread = await repository.create_thread()
        turn = await repository.begin_turn(thread.id, "question", model="scripted")
        run = Run(turn)
        writer = AnswerWriter(run, repository)
        await _play(writer, actions, end, reused_ids)
        replayed = row_from_message(turn.assistant_message)
        async for event in run.events():
            replayed = apply_event(replayed, event)
        (stored,) = await repository.messages([run.message_id])
        return replayed, row_from_message(stored)

    replayed, stored = asyncio.run(run())
    assert replayed == stored


async def _play(
    writer: AnswerWriter, actions: list[tuple[str, str | int | list[ResultStatus]]], end: str, reused_ids: bool
) -> None:
    step = 0
    for action, value in actions:
        if action == "say":
            writer.text(str(value), step=step)
        elif action == "think":
            writer.thinking(str(value), step=step)
        elif action == "take back":
            writer.text_was_thinking(int(str(value)), step=step)
        elif action == "remark":
            writer.beside(RemarkPart(code=str(value), step=step))
            writer.waiting("model_loading", None)
        elif action == "source":
            writer.beside(SourcesPart(sources=(Source(url=f"https://{value}.example"),), step=step))
        else:
            await _call(writer, list(value), step, reused_ids)  # type: ignore[arg-type]
            step += 1
    if end == "stopped in a call":
        calls = [ToolCallPart(call_id=f"open{n}", name="s__t", arguments="{}", step=step) for n in range(2)]
        await writer.add_calls(calls)
        for call in calls:
            writer.call_state(call, CallState.PROPOSED, None)
        writer.call_state(calls[0], CallState.RUNNING, None)
    if end == "failed":
        await writer.failed(ModelError("model.timeout", seconds=3), Usage(), step=step)
    else:
        reason = DoneReason.COMPLETED if end == "done" else DoneReason.STOPPED
        await writer.done(reason, Usage(input_tokens=3, output_tokens=4))


async def _call(writer: AnswerWriter, statuses: list[ResultStatus], step: int, reused_ids: bool) -> None:
    calls = [
        ToolCallPart(call_id=f"c{n}" if reused_ids else f"{step}.{n}", name="s__t", arguments=f'{{"n":{n}}}', step=step)
        for n in range(len(statuses))
    ]
    await writer.add_calls(calls)
    for call in calls:
        writer.call_state(call, CallState.PROPOSED, None)
    for call, status in zip(calls, statuses, strict=True):
        writer.call_state(call, CallState.DENIED if status is ResultStatus.DENIED else CallState.RUNNING, None)
        await writer.add_result(call, status, f"result of {call.call_id}", 0.25)


def test_the_end_of_thinking_says_how_long_it_took() -> None:
    state = row()
    state = apply_event(state, ThinkingEvent(**head(0), delta="Hm"))  # type: ignore[arg-type]
    assert state.items == (ThinkingItem(text="Hm", is_open=True),)
    end = ThinkingEvent(**head(1), delta="", final=True, duration_seconds=3.5)  # type: ignore[arg-type]
    state = apply_event(state, end)
    assert state.items == (ThinkingItem(text="Hm", seconds=3.5),)


def test_what_is_waited_for_is_shown_until_the_next_event() -> None:
    state = apply_event(row(), WaitingEvent(**head(0), code="rate_limited", seconds=7.0))  # type: ignore[arg-type]
    assert state.waiting == Waiting(code="rate_limited", seconds=7.0)
    assert apply_event(state, MessageEvent(**head(1), delta="Hi")).waiting is None  # type: ignore[arg-type]


def test_text_after_a_tool_does_not_begin_with_the_separating_blank_line() -> None:
    state = row()
    call = {"call_id": "c", "name": "s__t", "arguments": "{}"}
    for event in (
        MessageEvent(**head(0), delta="one"),  # type: ignore[arg-type]
        ToolCallEvent(**head(1), **call, state=CallState.RUNNING),  # type: ignore[arg-type]
        ToolResultEvent(**head(2), call_id="c", status=ResultStatus.OK, text="r", duration_seconds=0),  # type: ignore[arg-type]
        MessageEvent(**head(3), delta="\n\n\n\ntwo"),  # type: ignore[arg-type]
    ):
        state = apply_event(state, event)
    assert [item.text for item in state.items if isinstance(item, TextItem)] == ["one", "\n\ntwo"]
    assert state.text == "one\n\n\n\ntwo"


def test_a_call_goes_through_its_states() -> None:
    state = row()
    seen = []
    call = {"call_id": "c", "name": "files__read", "arguments": "{}"}
    for kind in (CallState.PROPOSED, CallState.WAITING_APPROVAL, CallState.DENIED):
        state = apply_event(state, ToolCallEvent(**head(), **call, state=kind))  # type: ignore[arg-type]
        (item,) = state.items
        assert isinstance(item, ToolItem)
        seen.append(item.state)
    assert seen == [ToolState.PROPOSED, ToolState.WAITING_APPROVAL, ToolState.DENIED]
    denied = ToolResultEvent(**head(), call_id="c", status=ResultStatus.DENIED, text="no", duration_seconds=0)  # type: ignore[arg-type]
    (item,) = apply_event(state, denied).items
    assert isinstance(item, ToolItem)
    assert (item.state, item.result, item.shown_server, item.shown_tool) == (ToolState.DENIED, "no", "files", "read")


def test_running_calls_of_a_server_that_asks_wait_for_the_answer() -> None:
    state = row()
    for call_id, name, kind in (
        ("a", "forms__ask", CallState.RUNNING),
        ("b", "files__read", CallState.RUNNING),
        ("c", "forms__late", CallState.PROPOSED),
    ):
        event = ToolCallEvent(**head(), call_id=call_id, name=name, arguments="{}", state=kind)  # type: ignore[arg-type]
        state = apply_event(state, event)
    shown = with_questions(state, {"forms"})
    assert [item.state for item in shown.items if isinstance(item, ToolItem)] == [
        ToolState.WAITING_ANSWER,
        ToolState.RUNNING,
        ToolState.PROPOSED,
    ]
    assert with_questions(state, {"other"}) is state


def test_a_result_without_a_call_is_shown_all_the_same() -> None:
    result = ToolResultEvent(**head(), call_id="?", status=ResultStatus.ERROR, text="lost", duration_seconds=0)  # type: ignore[arg-type]
    (item,) = apply_event(row(), result).items
    assert isinstance(item, ToolItem)
    assert (item.state, item.result) == (ToolState.ERROR, "lost")


def test_the_server_of_the_event_wins_over_the_name() -> None:
    item = ToolItem(call_id="c", name="a__b__c", arguments="", state=ToolState.OK)
    assert (item.shown_server, item.shown_tool) == ("a", "b__c")
    named = dataclasses.replace(item, server="real server", tool="real tool")
    assert (named.shown_server, named.shown_tool) == ("real server", "real tool")


def test_the_end_says_how_it_ended() -> None:
    stopped = DoneEvent(**head(), reason=DoneReason.STOPPED, usage=Usage())  # type: ignore[arg-type]
    limited = DoneEvent(**head(), reason=DoneReason.STEP_LIMIT, usage=Usage())  # type: ignore[arg-type]
    failed = ErrorEvent(**head(), code="model.timeout", params={"seconds": 3})  # type: ignore[arg-type]
    assert apply_event(row(), stopped).status is MessageStatus.STOPPED
    assert apply_event(row(), limited).reason is DoneReason.STEP_LIMIT
    assert apply_event(row(), failed).status is MessageStatus.FAILED


def test_why_a_stored_answer_ended_is_known_after_a_restart() -> None:
    stored = Message(
        id="m",
        thread_id="t",
        parent_id=None,
        role=Role.ASSISTANT,
        status=MessageStatus.COMPLETE,
        parts=(TextPart(text="cut"),),
        created_at=MOMENT,
        updated_at=MOMENT,
        reason="length",
    )
    assert row_from_message(stored).reason is DoneReason.LENGTH
    assert row_from_message(dataclasses.replace(stored, reason="interrupted")).reason is None
