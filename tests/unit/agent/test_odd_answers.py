"""Answers of endpoints that deviate, in the loop: calls written as text, calls cut in two, reasoning sent as text."""

import json

import pytest

from desktop.agent.events import (
    AgentEvent,
    DoneEvent,
    DoneReason,
    MessageEvent,
    MessageTakenBackEvent,
    RemarkEvent,
    ThinkingEvent,
    ToolCallEvent,
)
from desktop.conversation.entities import RemarkPart, TextPart, ThinkingPart, ToolCallPart, ToolResultPart
from desktop.core.language_model import (
    AssistantMessage,
    FinishReason,
    Source,
    SourcesFound,
    StreamEnd,
    TextDelta,
    TextWasThinking,
    ThinkingDelta,
    ToolCallDelta,
    ToolMessage,
)
from desktop.core.remark_texts import english_remark
from desktop.tools.entities import ApprovalAnswer, ApprovalRequest, Choice
from desktop.tools.findings import WRITTEN_AS_TEXT
from desktop.ui.state.transcript_state import apply_event, row_from_message
from tests.support.run_world import RunWorld, echo, states
from tests.support.scripted_model import called, said
from tests.support.scripted_prompts import allow_once, refuse

WRITTEN = '<tool_call>{"name": "files__echo", "arguments": {"x": 1}}</tool_call>'
STOP = StreamEnd(reason=FinishReason.STOP)


def remarks(events: list[AgentEvent]) -> list[str]:
    return [event.code for event in events if isinstance(event, RemarkEvent)]


def done(events: list[AgentEvent]) -> DoneReason:
    end = events[-1]
    assert isinstance(end, DoneEvent)
    return end.reason


async def test_a_call_written_as_text_stays_text_and_is_offered() -> None:
    world = RunWorld(said(WRITTEN), said("Done."), tools={"echo": echo}, answers=(allow_once(),))
    run = await world.start()
    events = await world.finish(run)
    assert remarks(events) == ["call_in_text"]
    assert done(events) is DoneReason.COMPLETED
    text, remark, call, result, last = (await world.message(run)).parts
    assert isinstance(text, TextPart)
    assert text.text == WRITTEN
    assert isinstance(remark, RemarkPart)
    assert isinstance(call, ToolCallPart)
    assert (call.name, json.loads(call.arguments)) == ("files__echo", {"x": 1})
    assert isinstance(result, ToolResultPart)
    assert isinstance(last, TextPart)
    assert states(events, call.call_id) == ["proposed", "waiting_approval", "running", "ok"]
    question = world.prompts.asked[0]
    assert isinstance(question, ApprovalRequest)
    assert question.findings[0].code == WRITTEN_AS_TEXT
    assert not question.may_allow_thread
    assert not question.may_allow_always
    sent, answer = world.model.requests[1].messages[-2:]
    assert isinstance(sent, AssistantMessage)
    assert [c.call_id for c in sent.tool_calls] == [call.call_id]
    assert isinstance(answer, ToolMessage)


async def test_a_permission_does_not_cover_a_call_written_as_text() -> None:
    world = RunWorld(
        called(("a", "files__echo", '{"x": 1}')),
        called(("b", "files__echo", '{"x": 1}')),
        said(WRITTEN),
        said("Done."),
        tools={"echo": echo},
        answers=(ApprovalAnswer(choice=Choice.ALLOW_ALWAYS), refuse()),
    )
    events = await world.ask()
    assert states(events, "a") == ["proposed", "waiting_approval", "running", "ok"]
    assert states(events, "b") == ["proposed", "running", "ok"]
    (written,) = {e.call_id for e in events if isinstance(e, ToolCallEvent)} - {"a", "b"}
    assert states(events, written) == ["proposed", "waiting_approval", "denied", "denied"]


async def test_an_answer_to_a_question_about_written_calls_grants_nothing() -> None:
    answers = (ApprovalAnswer(choice=Choice.ALLOW_ALWAYS), refuse())
    world = RunWorld(
        said(WRITTEN), called(("b", "files__echo", '{"x": 1}')), said("Oh."), tools={"echo": echo}, answers=answers
    )
    events = await world.ask()
    assert states(events, "b") == ["proposed", "waiting_approval", "denied", "denied"]


@pytest.mark.parametrize(
    "step",
    [
        said(f"Like this: {WRITTEN}"),
        said(WRITTEN, reason=FinishReason.LENGTH),
        said(WRITTEN, reason=FinishReason.CONTENT_FILTER),
        said(WRITTEN.replace("files__echo", "other")),
    ],
)
async def test_other_texts_are_only_text(step: list[TextDelta]) -> None:
    world = RunWorld(step, tools={"echo": echo})
    events = await world.ask()
    assert remarks(events) == []
    assert world.journal.rows == []


async def test_without_tools_nothing_is_offered() -> None:
    assert remarks(await RunWorld(said(WRITTEN)).ask()) == []


async def test_beside_a_real_call_the_text_is_only_text() -> None:
    world = RunWorld(
        called(("a", "files__echo", "{}"), text=WRITTEN), said("Done."), tools={"echo": echo}, answers=(allow_once(),)
    )
    events = await world.ask()
    assert remarks(events) == []
    assert len(world.gateway.called) == 1


@pytest.mark.parametrize("reason", [FinishReason.STOP, FinishReason.TOOL_CALLS])
async def test_a_cut_call_runs_in_no_case_and_neither_do_those_beside_it(reason: FinishReason) -> None:
    pieces = [
        ToolCallDelta(index=0, call_id="a", name="files__echo", arguments="{}"),
        ToolCallDelta(index=1, call_id="b", name="files__echo", arguments='{"text": "half'),
    ]
    world = RunWorld([TextDelta(text="so"), *pieces, StreamEnd(reason=reason)], tools={"echo": echo})
    events = await world.ask()
    assert done(events) is DoneReason.LENGTH
    assert world.gateway.called == []
    assert world.journal.rows == []


async def test_text_that_was_reasoning_is_taken_back() -> None:
    source = SourcesFound(sources=(Source(url="https://one.example/"),))
    odd = [TextDelta(text="Hm, "), source, TextDelta(text="so\n"), TextWasThinking(), TextDelta(text="Yes."), STOP]
    world = RunWorld(
        called(("a", "files__echo", "{}"), text="First."), odd, tools={"echo": echo}, answers=(allow_once(),)
    )
    run = await world.start()
    begun = await world.message(run)
    events = await world.finish(run)
    (back,) = [event for event in events if isinstance(event, MessageTakenBackEvent)]
    assert back.length == len("\n\nHm, so\n")
    message = await world.message(run)
    assert message.text == "First.\n\nYes."
    assert [part.text for part in message.parts if isinstance(part, ThinkingPart)] == ["Hm, so"]
    row = row_from_message(begun)
    for event in events:
        row = apply_event(row, event)
    assert row == row_from_message(message)
    assert [event.delta for event in events if isinstance(event, ThinkingEvent) and not event.final] == ["Hm, so"]
    last = [event.delta for event in events if isinstance(event, MessageEvent) and not event.final][-1]
    assert last == "\n\nYes."


async def test_a_call_in_text_after_reasoning_sent_as_text_is_found() -> None:
    odd = [TextDelta(text="Hm"), TextWasThinking(), TextDelta(text=WRITTEN), STOP]
    world = RunWorld(odd, said("Done."), tools={"echo": echo}, answers=(allow_once(),))
    assert remarks(await world.ask()) == ["call_in_text"]


async def test_reasoning_is_no_place_for_calls() -> None:
    world = RunWorld([ThinkingDelta(text=WRITTEN), TextDelta(text="No."), STOP], tools={"echo": echo})
    assert remarks(await world.ask()) == []


@pytest.mark.expected_log("the tool files__bad is left out")
async def test_a_tool_that_its_server_describes_wrongly_is_named_with_the_reason() -> None:
    world = RunWorld(said("a"), said("b"), tools={"echo": echo, "bad": echo})
    world.gateway.describe("bad", {"type": "string"})
    run = await world.start()
    events = await world.finish(run)
    assert [tool.name for tool in world.model.requests[0].tools] == ["files__echo"]
    assert remarks(events) == ["tool_unusable"]
    (remark,) = [part for part in (await world.message(run)).parts if isinstance(part, RemarkPart)]
    assert remark.params == {"name": "files__bad", "detail": "its schema is not of type object"}
    words = english_remark(remark.code, remark.params)
    assert "files__bad" in words
    assert "its schema is not of type object" in words
