"""The agent loop by playbooks: scripted chunks, results and answers in, events and a stored answer out."""

import asyncio
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.agent.chat_service import ChatService
from desktop.agent.events import (
    DoneEvent,
    DoneReason,
    ErrorEvent,
    MessageEvent,
    ThinkingEvent,
    ToolProgressEvent,
    ToolResultEvent,
)
from desktop.agent.loop import AgentLoop
from desktop.conversation.entities import (
    ErrorPart,
    MessageStatus,
    ResultStatus,
    ThinkingPart,
    Thread,
    ThreadOptions,
    ToolCallPart,
)
from desktop.core.errors import ModelError, StorageError, ThreadwellError
from desktop.core.language_model import (
    FinishReason,
    Sampling,
    StreamEnd,
    SystemMessage,
    TextDelta,
    ThinkingDelta,
    ToolCallDelta,
    ToolMessage,
)
from desktop.tools.entities import ApprovalAnswer, ApprovalRequest, CallProgress, ToolOutcome
from desktop.tools.timed_prompts import TimedPrompts
from tests.support.hand_clock import Clock
from tests.support.in_memory_threads import InMemoryThreadRepository
from tests.support.run_invariants import check_run
from tests.support.run_world import RunWorld, echo, hang, states
from tests.support.scripted_model import Step, called, said
from tests.support.scripted_prompts import ScriptedPrompts, allow_once, refuse
from tests.support.waiting import until


async def test_plain_text() -> None:
    world = RunWorld(said("你好，世界"))
    events = await world.ask()
    assert isinstance(events[-1], DoneEvent)
    assert events[-1].reason is DoneReason.COMPLETED
    assert events[-1].usage.output_tokens == 5


async def test_thinking_is_closed_before_text_begins() -> None:
    world = RunWorld([ThinkingDelta(text="hm"), ThinkingDelta(text="…"), TextDelta(text="yes"), _stop()])
    run = await world.start()
    events = await world.finish(run)
    assert [(type(e), getattr(e, "final", None)) for e in events[:4]] == [
        (ThinkingEvent, False),
        (ThinkingEvent, False),
        (ThinkingEvent, True),
        (MessageEvent, False),
    ]
    end, (thought, _text) = events[2], (await world.message(run)).parts
    assert isinstance(end, ThinkingEvent)
    assert isinstance(thought, ThinkingPart)
    assert end.duration_seconds == thought.duration_seconds
    assert thought.duration_seconds is not None


async def test_the_time_that_the_user_takes_to_answer_is_no_time_of_work() -> None:
    clock = Clock()

    def think_it_over(_request: ApprovalRequest) -> ApprovalAnswer:
        clock.seconds += 1_000
        return allow_once()

    steps = (called(("a", "files__echo", "{}")), said("done"))
    waits = TimedPrompts(ScriptedPrompts(think_it_over), now=clock)
    world = RunWorld(*steps, tools={"echo": echo}, prompts=waits, waited_seconds=waits.waited_seconds)
    run = await world.start()
    end = (await world.finish(run))[-1]
    assert clock.seconds == 1_000
    assert isinstance(end, DoneEvent)
    assert end.duration_seconds == (await world.message(run)).duration_seconds == 0


async def test_results_go_back_in_the_models_order() -> None:
    first_may_end = asyncio.Event()

    async def slow(_arguments: dict[str, object]) -> ToolOutcome:
        await first_may_end.wait()
        return ToolOutcome(text="slow")

    async def quick(_arguments: dict[str, object]) -> ToolOutcome:
        first_may_end.set()
        return ToolOutcome(text="quick")

    world = RunWorld(
        called(("a", "files__slow", "{}"), ("b", "files__quick", "{}"), text="Looking."),
        said("Done."),
        tools={"slow": slow, "quick": quick},
        answers=(allow_once(), allow_once()),
    )
    events = await world.ask()
    assert [e.call_id for e in events if isinstance(e, ToolResultEvent)] == ["b", "a"]
    sent = [m for m in world.model.requests[1].messages if isinstance(m, ToolMessage)]
    assert [(m.call_id, m.text) for m in sent] == [("a", "slow"), ("b", "quick")]
    assert states(events, "a") == ["proposed", "waiting_approval", "running", "ok"]


async def test_a_refused_call_does_not_run_and_the_model_reads_why() -> None:
    world = RunWorld(
        called(("a", "files__echo", '{"x": 1}')), said("A pity."), tools={"echo": echo}, answers=(refuse(),)
    )
    events = await world.ask()
    assert states(events, "a") == ["proposed", "waiting_approval", "denied", "denied"]
    assert world.gateway.called == []
    assert isinstance(message := world.model.requests[1].messages[-1], ToolMessage)
    assert message.text == "The user refused this tool call."


async def test_a_failing_sibling_takes_no_other_result_away() -> None:
    async def broken(_arguments: dict[str, object]) -> ToolOutcome:
        return ToolOutcome(text="no such file", is_error=True)

    world = RunWorld(
        called(("a", "files__broken", "{}"), ("b", "files__echo", "{}")),
        said("Mixed."),
        tools={"broken": broken, "echo": echo},
        answers=(allow_once(), allow_once()),
    )
    events = await world.ask()
    assert states(events, "a")[-1] == "error"
    assert states(events, "b")[-1] == "ok"


async def test_progress_of_a_call_is_told_and_not_stored() -> None:
    world = RunWorld(called(("c", "files__echo", "{}")), said("done"), tools={"echo": echo}, answers=(allow_once(),))
    world.gateway.progress = [CallProgress(done=1, total=4, message="one"), CallProgress(done=3)]
    events = await world.ask()
    told = [event for event in events if isinstance(event, ToolProgressEvent)]
    assert [(event.call_id, event.done, event.total, event.message) for event in told] == [
        ("c", 1, 4, "one"),
        ("c", 3, None, ""),
    ]
    check_run(events)


async def test_an_unknown_tool_is_an_error_result() -> None:
    world = RunWorld(called(("a", "nowhere__tool", "{}")), said("Oh."))
    events = await world.ask()
    assert states(events, "a") == ["proposed", "error"]


@pytest.mark.expected_log("unreadable arguments twice")
async def test_unreadable_arguments_twice_end_the_turn_as_text() -> None:
    world = RunWorld(
        called(("a", "files__echo", '{"x": 1]'), text="Trying."),
        called(("b", "files__echo", "not json"), text="Again."),
        tools={"echo": echo},
    )
    events = await world.ask()
    assert isinstance(events[-1], DoneEvent)
    assert states(events, "a") == ["proposed", "error"]
    assert states(events, "b") == ["proposed", "error"]
    assert world.model.finished


@pytest.mark.parametrize("reason", [FinishReason.LENGTH, FinishReason.CONTENT_FILTER, FinishReason.REFUSAL])
async def test_calls_of_a_stream_that_did_not_end_properly_are_not_run(reason: FinishReason) -> None:
    call = ToolCallDelta(index=0, call_id="a", name="files__echo", arguments="{}")
    world = RunWorld([TextDelta(text="so"), call, StreamEnd(reason=reason)], tools={"echo": echo})
    events = await world.ask()
    assert isinstance(events[-1], DoneEvent)
    assert events[-1].reason.value == reason.value
    assert world.gateway.called == []
    assert world.journal.rows == []


async def test_the_step_limit_leaves_every_call_with_a_result() -> None:
    steps = [called((f"c{i}", "files__echo", "{}")) for i in range(3)]
    world = RunWorld(*steps, tools={"echo": echo}, answers=(allow_once(), allow_once()), step_limit=3)
    events = await world.ask()
    assert isinstance(events[-1], DoneEvent)
    assert events[-1].reason is DoneReason.STEP_LIMIT
    assert states(events, "c2") == ["proposed", "error"]


async def test_a_broken_stream_keeps_the_text_and_the_thread_goes_on() -> None:
    world = RunWorld(
        [TextDelta(text="half an ans"), ModelError("model.connection_lost", detail="reset")], said("whole")
    )
    run = await world.start()
    events = await world.finish(run)
    assert isinstance(events[-1], ErrorEvent)
    assert events[-1].code == "model.connection_lost"
    message = await world.message(run)
    assert message.status is MessageStatus.FAILED
    assert message.text == "half an ans"
    assert isinstance(message.parts[-1], ErrorPart)
    await world.ask("again")


@pytest.mark.expected_log("the run of message")
async def test_a_failure_of_ours_is_an_error_event() -> None:
    events = await RunWorld([TextDelta(text="x"), ZeroDivisionError("oops")]).ask()
    assert isinstance(events[-1], ErrorEvent)
    assert events[-1].code == "model.internal"


async def test_the_settings_hold_for_threads_that_have_nothing_of_their_own() -> None:
    sampling = Sampling(temperature=0.7, top_p=0.9, max_output_tokens=100)
    world = RunWorld(said("a"), said("b"), said("c"), said("d"), system_prompt="Be brief.", sampling=sampling)
    await world.ask()
    assert world.thread_id is not None
    own = ThreadOptions(system_prompt="Rhyme.", temperature=0.0)
    for options in (own, ThreadOptions(system_prompt=""), ThreadOptions()):
        await world.conversations.set_options(world.thread_id, options)
        await world.ask()
    default, changed, silent, reset = world.model.requests
    assert default.messages[0] == SystemMessage(text="Be brief.")
    assert default.sampling == sampling
    assert changed.messages[0] == SystemMessage(text="Rhyme.")
    assert changed.sampling == Sampling(temperature=0.0, top_p=0.9, max_output_tokens=100)
    assert not any(isinstance(message, SystemMessage) for message in silent.messages)
    assert silent.sampling == sampling
    assert (reset.messages[0], reset.sampling) == (default.messages[0], sampling)


async def test_a_new_thread_begins_with_the_options_chosen_for_it() -> None:
    world = RunWorld(said("a"), said("b"))
    seen: list[Thread] = []
    world.conversations.thread_changed.connect(lambda thread: seen.append(thread))
    options = ThreadOptions(system_prompt="Rhyme.", temperature=1.5)
    await world.conversations.save_draft("", "hi")
    await world.conversations.save_new_thread_options(options)
    run = await world.chat.send(None, "hi", options=options)
    assert await world.conversations.load_draft("") == ""
    assert await world.conversations.load_new_thread_options() == ThreadOptions()
    await run.wait()
    assert world.model.requests[0].messages[0] == SystemMessage(text="Rhyme.")
    assert world.model.requests[0].sampling.temperature == 1.5
    assert {thread.options for thread in seen} == {options}
    await until(lambda: world.chat.run_of(run.thread_id) is None)
    run = await world.chat.send(run.thread_id, "again", options=ThreadOptions())  # its own ones stay
    await run.wait()
    assert world.model.requests[1].messages[0] == SystemMessage(text="Rhyme.")
    await world.tasks.close()


async def test_where_no_model_can_be_asked_no_empty_thread_is_left_behind() -> None:
    def no_loop(_options: ThreadOptions) -> AgentLoop:
        raise ModelError("model.no_model")

    world = RunWorld()
    chat = ChatService(conversations=world.conversations, repository=world.repository, loop=no_loop, tasks=world.tasks)
    with pytest.raises(ModelError):
        await chat.send(None, "hi")
    assert await world.conversations.list_threads() == ()
    await world.tasks.close()


async def test_stop_while_streaming() -> None:
    never = asyncio.Event()
    world = RunWorld([TextDelta(text="half"), never, TextDelta(text="never"), _stop()])
    run = await world.start()
    async for event in run.events():
        if isinstance(event, MessageEvent):
            break
    await world.chat.stop(run.thread_id)
    events = await world.finish(run)
    assert isinstance(events[-1], DoneEvent)
    assert events[-1].reason is DoneReason.STOPPED
    assert (await world.message(run)).status is MessageStatus.STOPPED


async def test_stop_while_a_tool_runs_interrupts_the_call() -> None:
    world = RunWorld(called(("a", "files__hang", "{}")), tools={"hang": hang}, answers=(allow_once(),))
    run = await world.start()
    await until(lambda: world.gateway.running)
    await world.chat.stop(run.thread_id)
    events = await world.finish(run)
    assert states(events, "a") == ["proposed", "waiting_approval", "running", "interrupted"]
    assert world.journal.rows[0].status == "interrupted"


async def test_stop_while_the_dialog_is_open_withdraws_the_question() -> None:
    world = RunWorld(called(("a", "files__echo", "{}")), tools={"echo": echo}, answers=(None,))
    run = await world.start()
    await until(lambda: world.prompts.open)
    await world.chat.stop(run.thread_id)
    events = await world.finish(run)
    assert states(events, "a") == ["proposed", "waiting_approval", "interrupted"]
    assert world.prompts.aborted == 1
    assert world.gateway.called == []


async def test_one_turn_at_a_time_in_a_thread_and_threads_in_parallel() -> None:
    hold = asyncio.Event()
    world = RunWorld([hold, TextDelta(text="one"), _stop()], said("two"))
    first = await world.start("a")
    with pytest.raises(ThreadwellError, match=r"run\.busy"):
        await world.start("b")
    await until(lambda: world.model.open_streams)
    world.thread_id = None
    second = await world.start("c")
    assert isinstance(await second.wait(), DoneEvent)
    hold.set()
    assert isinstance(await first.wait(), DoneEvent)
    assert (await world.message(first)).text == "one"
    assert (await world.message(second)).text == "two"
    await world.tasks.close()


async def test_an_id_used_before_in_the_thread_is_replaced() -> None:
    world = RunWorld(
        called(("call_0", "files__echo", "{}")),
        said("one"),
        called(("call_0", "files__echo", "{}")),
        said("two"),
        tools={"echo": echo},
        answers=(allow_once(), allow_once()),
    )
    await world.ask("first")
    await world.ask("second")
    path = await world.repository.path(world.thread_id or "")
    ids = [part.call_id for message in path for part in message.parts if isinstance(part, ToolCallPart)]
    assert len(set(ids)) == 2


async def test_a_store_that_fails_in_the_last_commit_is_said() -> None:
    class FullDisk(InMemoryThreadRepository):
        async def finish_turn(self, *_args: object, **_kwargs: object) -> None:  # type: ignore[override]
            raise StorageError("storage.full", path="/data")

    world = RunWorld(said("lost?"), repository=FullDisk())
    run = await world.start()
    events = [event async for event in run.events()]
    await world.tasks.close()
    assert isinstance(events[-1], ErrorEvent)
    assert events[-1].code == "storage.full"
    assert [event.seq for event in events] == list(range(len(events)))


async def test_too_many_calls_in_a_step_are_answered_not_run() -> None:
    calls = [(f"c{i}", "files__echo", json.dumps({"i": i})) for i in range(70)]
    world = RunWorld(called(*calls), said("ok"), tools={"echo": echo}, answers=tuple(allow_once() for _ in range(64)))
    events = await world.ask()
    assert len(world.gateway.called) == 64
    statuses = [e.status for e in events if isinstance(e, ToolResultEvent)]
    assert statuses.count(ResultStatus.ERROR) == 6


@pytest.mark.parametrize("limit", ["MAX_ANSWER_CHARS", "MAX_ANSWER_CHUNKS"])
async def test_an_answer_without_end_is_stopped_and_its_beginning_kept(
    limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"desktop.agent.answer_state.{limit}", 30)
    world = RunWorld([*(TextDelta(text="ab") for _ in range(1000)), _stop()])
    events = await world.ask()
    assert isinstance(events[-1], ErrorEvent)
    assert events[-1].code == "model.too_long"
    assert 20 <= len("".join(event.delta for event in events if isinstance(event, MessageEvent))) <= 60
    assert world.model.open_streams == 0


def _stop() -> StreamEnd:
    return StreamEnd(reason=FinishReason.STOP)


step_shapes = st.lists(
    st.sampled_from(["text", "thinking", "call", "two calls", "fail", "length", "empty call"]), min_size=1, max_size=5
)


def _step(shape: str, number: int) -> Step:
    match shape:
        case "text":
            return said(f"step {number}")
        case "thinking":
            return [ThinkingDelta(text="hm"), TextDelta(text="so"), _stop()]
        case "call":
            return called((f"a{number}", "files__echo", "{}"), text="calling", thinking="why not")
        case "two calls":
            return called((f"a{number}", "files__echo", "{}"), ("", "files__hang", "{}"))
        case "fail":
            return [TextDelta(text="half"), ModelError("model.timeout", seconds=1)]
        case "length":
            return [TextDelta(text="cut"), StreamEnd(reason=FinishReason.LENGTH)]
        case _:
            return called(("", "nowhere__x", "null"))


@given(shapes=step_shapes, stop_after=st.integers(0, 60), allow=st.lists(st.booleans(), min_size=12, max_size=12))
def test_invariants_hold_at_every_cancellation_point(shapes: list[str], stop_after: int, allow: list[bool]) -> None:
    async def scenario() -> None:
        steps = [_step(shape, number) for number, shape in enumerate(shapes)]
        answers = tuple(allow_once() if yes else refuse() for yes in allow)
        world = RunWorld(*steps, said("end"), tools={"echo": echo, "hang": hang}, answers=answers)
        run = await world.start()
        for _ in range(stop_after):
            await asyncio.sleep(0)
        run.stop()
        await world.finish(run)
        world.model._steps = [said("the thread goes on")]
        await world.ask("more")

    asyncio.run(scenario())
