"""Going on with an answer that was cut off: the same message grows without a seam, and no call is lost or run twice."""

import asyncio
import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.agent.continuing import INSTRUCTION, can_continue
from desktop.agent.events import (
    DoneEvent,
    DoneReason,
    ErrorEvent,
    MessageEvent,
    RemarkEvent,
    SourcesEvent,
    ThinkingEvent,
)
from desktop.agent.run import Run
from desktop.conversation.entities import (
    ErrorPart,
    Message,
    MessageStatus,
    RemarkPart,
    ReplayPart,
    SourcesPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
)
from desktop.core.errors import ModelError, ThreadwellError
from desktop.core.language_model import (
    AssistantMessage,
    FinishReason,
    Remark,
    Source,
    SourcesFound,
    StreamEnd,
    TextDelta,
    ThinkingDelta,
    ToolCallDelta,
    ToolMessage,
    Usage,
    UserMessage,
)
from desktop.ui.state.transcript_state import apply_events, row_from_message
from tests.support.run_world import RunWorld, echo, hang
from tests.support.scripted_model import Step, called, said
from tests.support.scripted_prompts import allow_once
from tests.support.waiting import until

CUT = FinishReason.LENGTH


async def continued(world: RunWorld) -> tuple[Run, Message]:
    """Go on with the last answer; the events and the row of the window must tell what is stored."""
    run = await world.go_on()
    row = row_from_message(run.turn.assistant_message)
    events = await world.finish(run)
    message = await world.message(run)
    stored = row_from_message(message)
    shown = apply_events(row, events)
    assert dataclasses.replace(shown, created_at=None, usage=Usage()) == dataclasses.replace(
        stored, created_at=None, usage=Usage(), reason=shown.reason
    )
    return run, message


async def test_a_text_that_was_cut_has_no_seam() -> None:
    world = RunWorld(said("Once upon a ti", reason=CUT), said("me there was."))
    first = await world.start()
    events = await world.finish(first)
    assert isinstance(events[-1], DoneEvent)
    assert events[-1].reason is DoneReason.LENGTH

    run, message = await continued(world)
    assert run.message_id == first.message_id
    assert message.text == "Once upon a time there was."
    assert [type(part) for part in message.parts] == [TextPart]
    assert (message.status, message.reason) == (MessageStatus.COMPLETE, "completed")
    assert message.usage == Usage(input_tokens=20, output_tokens=10)
    assert message.duration_seconds is not None
    *history, partial, instruction = world.model.requests[1].messages
    assert history == [UserMessage(text="hi")]
    assert isinstance(partial, AssistantMessage)
    assert partial.text == "Once upon a ti"
    assert instruction == UserMessage(text=INSTRUCTION)
    path = await world.repository.path(run.thread_id)
    assert [m.text for m in path] == ["hi", "Once upon a time there was."]


async def test_it_can_be_cut_again_and_again() -> None:
    world = RunWorld(*(said(f" {number}", reason=CUT) for number in range(4)), said(" end"))
    await world.ask()
    answers = [await continued(world) for _ in range(4)]
    assert answers[-1][1].text == " 0 1 2 3 end"


async def test_the_next_message_knows_nothing_of_the_seam() -> None:
    world = RunWorld(said("one ", reason=CUT), said("two"), said("three"))
    await world.ask()
    await continued(world)
    await world.ask("more")
    sent = world.model.requests[2].messages
    assert [m.text for m in sent] == ["hi", "one two", "more"]


async def test_reasoning_about_how_to_go_on_does_not_tear_the_text() -> None:
    step: Step = [ThinkingDelta(text="where was I"), TextDelta(text="ment"), StreamEnd(reason=FinishReason.STOP)]
    world = RunWorld(said("a mo", reason=CUT), step)
    await world.ask()
    _, message = await continued(world)
    assert message.parts == (TextPart(text="a moment"),)


async def test_a_lost_connection_leaves_no_error_in_the_middle() -> None:
    world = RunWorld([TextDelta(text="half an ans"), ModelError("model.connection_lost", detail="reset")], said("wer"))
    run = await world.start()
    await world.finish(run)
    assert isinstance((await world.message(run)).parts[-1], ErrorPart)
    _, message = await continued(world)
    assert message.parts == (TextPart(text="half an answer"),)
    assert message.status is MessageStatus.COMPLETE


async def test_a_stopped_answer_goes_on() -> None:
    world = RunWorld([TextDelta(text="half"), asyncio.Event()], said(" and half"))
    run = await world.start()
    async for event in run.events():
        if isinstance(event, MessageEvent):
            break
    await world.chat.stop(run.thread_id)
    await world.finish(run)
    _, message = await continued(world)
    assert message.text == "half and half"


async def test_an_answer_that_a_crash_interrupted_goes_on() -> None:
    world = RunWorld(said(" and half"))
    thread = await world.conversations.create_thread()
    world.thread_id = thread.id
    turn = await world.repository.begin_turn(thread.id, "hi", model="scripted")
    await world.repository.save_parts(turn.assistant_message.id, [TextPart(text="half")])
    await world.repository.recover()
    _, message = await continued(world)
    assert message.text == "half and half"


async def test_stopped_while_a_tool_ran_the_model_reads_that() -> None:
    world = RunWorld(
        called(("a", "files__hang", "{}"), text="Looking."), said("So."), tools={"hang": hang}, answers=(allow_once(),)
    )
    run = await world.start()
    await until(lambda: world.gateway.running)
    await world.chat.stop(run.thread_id)
    await world.finish(run)
    _, message = await continued(world)
    assert message.text == "Looking.\n\nSo."
    assert len(world.gateway.called) == 1
    sent = world.model.requests[1].messages
    assert isinstance(sent[-1], ToolMessage)  # nothing was said for the user
    assert "Interrupted" in sent[-1].text


async def test_the_step_limit_is_no_dead_end() -> None:
    world = RunWorld(
        called(("a", "files__echo", "{}")),
        called(("b", "files__echo", "{}")),
        said("Done."),
        tools={"echo": echo},
        answers=(allow_once(),) * 2,
        step_limit=1,
    )
    await world.ask()
    await continued(world)
    _, message = await continued(world)
    assert message.text == "Done."
    assert [p.step for p in message.parts if isinstance(p, ToolCallPart | TextPart)] == [0, 1, 2]


async def test_calls_of_the_continuation_are_told_from_those_before() -> None:
    world = RunWorld(
        called(("call_0", "files__echo", "{}"), text="First."),
        said("Then", reason=CUT),
        called(("call_0", "files__echo", "{}"), text=" again."),
        said("End."),
        tools={"echo": echo},
        answers=(allow_once(),) * 2,
    )
    await world.ask()
    _, message = await continued(world)
    assert message.text == "First.\n\nThen again.\n\nEnd."
    ids = [part.call_id for part in message.parts if isinstance(part, ToolCallPart)]
    assert len(set(ids)) == 2
    assert {part.call_id for part in message.parts if isinstance(part, ToolResultPart)} == set(ids)
    assert len({row.call_id for row in world.journal.rows}) == 2


async def test_a_call_that_was_cut_in_two_is_not_run_and_the_model_is_asked_again() -> None:
    half: Step = [
        TextDelta(text="Let me see."),
        ToolCallDelta(index=0, call_id="a", name="files__echo", arguments='{"x": "ha'),
        StreamEnd(reason=FinishReason.TOOL_CALLS),
    ]
    world = RunWorld(half, said(" No need."), tools={"echo": echo})
    events = await world.ask()
    assert isinstance(events[-1], DoneEvent)
    assert events[-1].reason is DoneReason.LENGTH
    assert world.gateway.called == []
    assert world.journal.rows == []
    _, message = await continued(world)
    assert message.text == "Let me see. No need."


async def test_what_stood_beside_the_text_stands_there_at_the_end() -> None:
    source, remark = Source(url="https://a.example/"), Remark(code="not_streamed")
    first: Step = [TextDelta(text="ab"), SourcesFound(sources=(source,)), remark, StreamEnd(reason=CUT)]
    world = RunWorld(first, said("cd"))
    await world.ask()
    run, message = await continued(world)
    assert message.parts == (TextPart(text="abcd"), SourcesPart(sources=(source,)), RemarkPart(code="not_streamed"))
    events = [event async for event in run.events()]
    assert [type(e) for e in events if isinstance(e, SourcesEvent | RemarkEvent)] == [SourcesEvent, RemarkEvent]


async def test_a_crash_of_the_continuation_loses_nothing_that_stood_beside() -> None:
    source = Source(url="https://a.example/")
    first: Step = [TextDelta(text="ab"), SourcesFound(sources=(source,)), StreamEnd(reason=CUT)]
    world = RunWorld(first, [TextDelta(text="cd"), asyncio.Event()])
    await world.ask()
    run = await world.go_on()

    stored = world.repository._messages
    await until(lambda: stored[run.message_id].text == "abcd")
    assert stored[run.message_id].parts == (TextPart(text="abcd"), SourcesPart(sources=(source,)))
    await world.chat.stop(run.thread_id)
    await world.finish(run)


async def test_reasoning_that_came_to_no_word_is_begun_anew() -> None:
    step: Step = [ThinkingDelta(text="hm"), StreamEnd(reason=CUT, usage=Usage(output_tokens=5))]
    world = RunWorld(step, [ThinkingDelta(text="ah"), TextDelta(text="Yes."), StreamEnd(reason=FinishReason.STOP)])
    await world.ask()
    _, message = await continued(world)
    assert world.model.requests[1].messages == (UserMessage(text="hi"),)
    assert [p.text for p in message.parts if isinstance(p, ThinkingPart)] == ["ah"]
    assert message.text == "Yes."


async def test_what_belonged_to_the_first_half_is_not_sent_back_for_the_whole() -> None:
    first: Step = [TextDelta(text="ab"), StreamEnd(reason=CUT, replay={"reasoning_details": [1]})]
    second: Step = [TextDelta(text="cd"), StreamEnd(reason=FinishReason.STOP, replay={"other": 2})]
    world = RunWorld(first, second)
    await world.ask()
    _, message = await continued(world)
    assert [part.fields for part in message.parts if isinstance(part, ReplayPart)] == [{"other": 2}]


async def test_a_whole_answer_has_nothing_to_go_on_with() -> None:
    world = RunWorld(said("whole"), said("cut", reason=FinishReason.CONTENT_FILTER))
    for _ in range(2):
        await world.ask()
        with pytest.raises(ThreadwellError, match=r"run\.nothing_to_continue"):
            await world.go_on()
    world.thread_id = (await world.conversations.create_thread()).id
    with pytest.raises(ThreadwellError, match=r"run\.nothing_to_continue"):
        await world.go_on()


async def test_one_at_a_time() -> None:
    hold = asyncio.Event()
    world = RunWorld(said("cut ", reason=CUT), [hold, *said("off")])
    await world.ask()
    run = await world.go_on()
    with pytest.raises(ThreadwellError, match=r"run\.busy"):
        await world.go_on()
    with pytest.raises(ThreadwellError, match=r"run\.busy"):
        await world.start("more")
    hold.set()
    await world.finish(run)
    assert (await world.message(run)).text == "cut off"


async def test_a_continuation_that_fails_keeps_all_of_the_text() -> None:
    world = RunWorld(said("ab", reason=CUT), [TextDelta(text="cd"), ModelError("model.timeout", seconds=1)], said("ef"))
    await world.ask()
    run = await world.go_on()
    events = await world.finish(run)
    assert isinstance(events[-1], ErrorEvent)
    message = await world.message(run)
    assert (message.text, message.status) == ("abcd", MessageStatus.FAILED)
    assert can_continue(message)
    _, message = await continued(world)
    assert message.text == "abcdef"


async def test_no_new_word_is_no_harm() -> None:
    world = RunWorld(said("ab", reason=CUT), [StreamEnd(reason=FinishReason.STOP)])
    await world.ask()
    _, message = await continued(world)
    assert message.text == "ab"


def _shape(shape: str, number: int) -> Step:
    match shape:
        case "cut":
            return said(f"cut {number} ", reason=CUT)
        case "thinking":
            return [ThinkingDelta(text="hm"), TextDelta(text="so "), StreamEnd(reason=CUT)]
        case "lost":
            return [TextDelta(text="half "), ModelError("model.connection_lost")]
        case "nothing":
            return [ModelError("model.unreachable")]
        case "only thinking":
            return [ThinkingDelta(text="hm"), StreamEnd(reason=CUT)]
        case _:
            return called((f"c{number}", "files__echo", "{}"), text="calling ")


@given(
    shapes=st.lists(
        st.sampled_from(["cut", "thinking", "lost", "nothing", "only thinking", "call"]), min_size=1, max_size=6
    ),
    stop_after=st.integers(0, 40),
)
def test_whatever_cut_it_off_the_deltas_add_up(shapes: list[str], stop_after: int) -> None:
    async def scenario() -> None:
        steps = [_shape(shape, number) for number, shape in enumerate(shapes)]
        world = RunWorld(*steps, said("end"), tools={"echo": echo}, answers=(allow_once(),) * 6, step_limit=2)
        run = await world.start()
        for _ in range(stop_after):
            await asyncio.sleep(0)
        run.stop()
        await world.finish(run)
        while can_continue(await world.message(run)):
            if world.model.finished:
                world.model._steps = [said("end")]
            run, _ = await continued(world)

    asyncio.run(scenario())


def test_only_thinking_events_of_a_text_that_goes_on_are_left_out() -> None:
    async def scenario() -> None:
        world = RunWorld(
            said("a", reason=CUT),
            [ThinkingDelta(text="hm"), *called(("a", "files__echo", "{}"))],
            [ThinkingDelta(text="ah"), *said("b")],
            tools={"echo": echo},
            answers=(allow_once(),),
        )
        await world.ask()
        run, message = await continued(world)
        thoughts = [event.delta async for event in run.events() if isinstance(event, ThinkingEvent) and event.delta]
        assert thoughts == ["ah"]
        assert message.text == "a\n\nb"

    asyncio.run(scenario())
