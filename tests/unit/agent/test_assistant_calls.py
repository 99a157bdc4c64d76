"""An assistant asks another one: its run, its bounds, and that the host decides about every call in it."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from desktop.agent.events import DoneEvent, ErrorEvent, InnerRunEvent, ToolResultEvent
from desktop.conversation.entities import (
    ErrorPart,
    ResultStatus,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)
from desktop.conversation.inner_run import InnerRunPart
from desktop.core.errors import ModelError, StorageError
from desktop.core.language_model import SystemMessage, UserMessage
from desktop.core.permission_mode import PermissionMode
from desktop.tools.assistant_tool import ASK_ALIAS
from desktop.tools.entities import ApprovalRequest, CallState
from tests.support.assistant_world import AssistantWorld, asks
from tests.support.run_world import echo, hang, states
from tests.support.scripted_model import called, said
from tests.support.scripted_prompts import allow_once, refuse
from tests.support.waiting import until


def result_of(events: Sequence[object], call_id: str = "call") -> ToolResultEvent:
    return next(e for e in events if isinstance(e, ToolResultEvent) and e.call_id == call_id)


async def test_it_works_by_itself_with_its_own_instructions_and_answers() -> None:
    world = AssistantWorld(asks("Researcher", "Find the year."), said("It was 1969."))
    helper = await world.has("Researcher", said("1969"), instructions="Be brief.")
    await world.begin(helper, instructions="You lead.")
    run = await world.start("When?")
    events = await world.finish(run)
    assert result_of(events).text == "1969"
    assert result_of(events).status is ResultStatus.OK
    (request,) = world.scripts[helper.id].requests
    system, task = request.messages
    assert system == SystemMessage(text="Be brief.")
    assert isinstance(task, UserMessage)
    assert task.text == "Find the year."
    own = world.model.requests[0]
    assert own.messages[0] == SystemMessage(text="You lead.")
    assert [tool.name for tool in own.tools] == [ASK_ALIAS]
    (inner,) = await world.inner(run)
    assert (inner.assistant, inner.parts) == ("Researcher", (TextPart(text="1969"),))


async def test_what_it_took_counts_for_the_answer() -> None:
    world = AssistantWorld(asks("R", "x"), said("done"))
    helper = await world.has("R", said("here"))
    await world.begin(helper)
    events = await world.ask()
    end = events[-1]
    assert isinstance(end, DoneEvent)
    assert end.usage.input_tokens == 20 + 10 + 10


async def test_its_tools_go_through_the_same_questions_and_the_question_names_it() -> None:
    world = AssistantWorld(
        asks("R", "look"), said("done"), tools={"read": echo, "write": echo}, answers=(allow_once(), refuse())
    )
    calls = called(("a", "files__read", "{}"), ("call", "files__write", "{}"))
    helper = await world.has("R", calls, said("seen"))
    await world.begin(helper, tools=())
    run = await world.start()
    events = await world.finish(run)
    assert [one.model for one in world.prompts.asked if isinstance(one, ApprovalRequest)] == [
        "R · scripted",
        "R · scripted",
    ]
    assert [intent.tool.name for intent in world.gateway.called] == ["read"]
    (inner,) = await world.inner(run)
    results = {part.call_id: part.status for part in inner.parts if isinstance(part, ToolResultPart)}
    assert results == {"a": ResultStatus.OK, "call": ResultStatus.DENIED}
    waiting = [e for e in events if isinstance(e, InnerRunEvent) and CallState.WAITING_APPROVAL in e.states.values()]
    assert waiting
    turn = run.turn.turn_id
    assert {row.call_id for row in world.journal.rows} == {f"{turn}:call", f"{turn}:call/a", f"{turn}:call/call"}


async def test_it_has_only_the_tools_that_the_user_gave_it_and_none_where_the_chat_has_none() -> None:
    world = AssistantWorld(asks("R", "look"), said("done"), tools={"read": echo, "write": echo})
    helper = await world.has("R", called(("w", "files__write", "{}")), said("no"), tools=("files/read",))
    await world.begin(helper)
    run = await world.start()
    await world.finish(run)
    assert [tool.name for tool in world.scripts[helper.id].requests[0].tools] == ["files__read"]
    assert world.gateway.called == []
    alone = AssistantWorld(said("nothing to ask with"), tools={"read": echo})
    helper = await alone.has("R")
    await alone.begin(helper, options={"mode": PermissionMode.CHAT_ONLY})
    await alone.ask()
    assert alone.model.requests[0].tools == ()


async def test_depth_and_circles_end_at_the_offer() -> None:
    world = AssistantWorld(asks("One", "1"), said("done"))
    two = await world.has("Two", said("two"))
    one = await world.has("One", asks("Two", "2"), said("one"), helpers=(two.id,))
    await world.library.change(two.__class__(id=two.id, name="Two", helpers=(one.id,)))
    await world.begin(one)
    run = await world.start()
    await world.finish(run)
    assert [tool.name for tool in world.scripts[one.id].requests[0].tools] == [ASK_ALIAS]
    assert world.scripts[two.id].requests[0].tools == ()  # it could ask One, who asked it; and it is deep enough
    (inner,) = await world.inner(run)
    (deeper,) = [part for part in inner.parts if isinstance(part, InnerRunPart)]
    assert (deeper.assistant, deeper.parts) == ("Two", (TextPart(text="two"),))
    assert f"{run.turn.turn_id}:call/call" in {row.call_id for row in world.journal.rows}


async def test_steps_are_bounded_and_the_bound_is_named() -> None:
    world = AssistantWorld(asks("R", "x"), said("done"), tools={"read": echo}, answers=(allow_once(),))
    again = called(("a", "files__read", "{}"), text="Looking.")
    helper = await world.has("R", again, called(("b", "files__read", '{"x": 1}')), most_steps=2)
    await world.begin(helper)
    result = result_of(await world.ask())
    assert result.status is ResultStatus.ERROR
    assert "2 steps" in result.text
    assert "Looking." in result.text


async def test_tokens_are_bounded_up_the_whole_chain() -> None:
    world = AssistantWorld(asks("One", "1"), said("done"))
    two = await world.has("Two", said("two"))
    one = await world.has("One", asks("Two", "2"), said("never"), helpers=(two.id,), most_tokens=30)
    await world.begin(one)
    run = await world.start()
    result = result_of(await world.finish(run))
    assert result.status is ResultStatus.ERROR
    assert "30 tokens" in result.text
    (inner,) = await world.inner(run)
    assert ErrorPart(code="assistant.out_of_tokens", params={"most": 30}, step=1) in inner.parts
    assert world.scripts[one.id].finished is False


async def test_time_is_bounded_by_a_clock_that_stands_still_while_the_user_is_asked() -> None:
    waited = 0.0
    world = AssistantWorld(
        asks("R", "x"), said("done"), tools={"slow": hang}, answers=(allow_once(),), waited_seconds=lambda *_: waited
    )
    helper = await world.has("R", called(("a", "files__slow", "{}")), most_seconds=1)
    await world.begin(helper)
    run = await world.start()
    await until(lambda: bool(world.gateway.called))
    waited = 0.3
    result = result_of(await world.finish(run))
    assert result.status is ResultStatus.TIMEOUT
    assert "1 seconds" in result.text
    (inner,) = await world.inner(run)
    assert [p.status for p in inner.parts if isinstance(p, ToolResultPart)] == [ResultStatus.INTERRUPTED]


async def test_stop_ends_both_and_leaves_one_result_for_each_call() -> None:
    world = AssistantWorld(asks("R", "x"), tools={"slow": hang}, answers=(allow_once(),))
    helper = await world.has("R", called(("a", "files__slow", "{}"), text="I begin."))
    await world.begin(helper)
    run = await world.start()
    await until(lambda: bool(world.gateway.called))
    await world.chat.stop(run.thread_id)
    events = await world.finish(run)
    assert states(events, "call")[-1] == "interrupted"
    (inner,) = await world.inner(run)
    assert inner.parts[0] == TextPart(text="I begin.")
    assert [p.call_id for p in inner.parts if isinstance(p, ToolCallPart | ToolResultPart)] == ["a", "a"]
    assert world.gateway.running == 0
    assert {call.status for call in world.journal.rows} == {"interrupted"}


async def test_one_that_fails_tells_why_and_the_answer_goes_on() -> None:
    world = AssistantWorld(asks("R", "x"), said("Never mind."))
    helper = await world.has("R", [ModelError("model.unreachable", base_url="http://x", detail="refused")])
    await world.begin(helper)
    run = await world.start()
    events = await world.finish(run)
    assert result_of(events).status is ResultStatus.ERROR
    assert "“R” could not finish." in result_of(events).text
    assert (await world.message(run)).text == "Never mind."


async def test_one_that_was_removed_meanwhile_is_not_asked() -> None:
    held = asyncio.Event()
    world = AssistantWorld([held, *asks("R", "x")], said("done"))
    helper = await world.has("R")
    await world.begin(helper)
    run = await world.start()
    await until(lambda: bool(world.model.requests))
    await world.library.remove([helper.id])
    held.set()
    result = result_of(await world.finish(run))
    assert result.status is ResultStatus.ERROR
    assert "cannot be asked here any more" in result.text


async def test_an_answer_asks_a_bounded_number_of_times(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desktop.agent.budget.MOST_CALLS", 2)
    world = AssistantWorld(
        asks("R", "1", call_id="a"), asks("R", "2", call_id="b"), asks("R", "3", call_id="c"), said("done")
    )
    helper = await world.has("R", said("one"), said("two"))
    await world.begin(helper)
    events = await world.ask()
    assert [result_of(events, each).status.value for each in "abc"] == ["ok", "ok", "error"]


async def test_several_are_asked_side_by_side_each_with_its_own_record() -> None:
    both = called(
        ("a", ASK_ALIAS, '{"assistant": "R", "task": "1"}'), ("b", ASK_ALIAS, '{"assistant": "S", "task": "2"}')
    )
    world = AssistantWorld(both, said("done"))
    r, s = await world.has("R", said("from R")), await world.has("S", said("from S"))
    await world.begin(r, s)
    run = await world.start()
    events = await world.finish(run)
    assert (result_of(events, "a").text, result_of(events, "b").text) == ("from R", "from S")
    assert {(part.call_id, part.assistant) for part in await world.inner(run)} == {("a", "R"), ("b", "S")}


async def test_foreign_text_that_one_reads_counts_for_the_other() -> None:
    world = AssistantWorld(
        asks("R", "look"),
        called(("own", "files__send", "{}")),
        said("done"),
        tools={"read": echo, "send": echo},
        answers=(allow_once(), allow_once(), allow_once()),
    )
    for name in ("read", "send"):
        tool, behave = world.gateway._tools[name]
        world.gateway._tools[name] = replace(tool, annotations={"openWorldHint": True}), behave
    helper = await world.has("R", called(("a", "files__read", "{}")), called(("b", "files__send", "{}")), said("seen"))
    await world.begin(helper)
    await world.ask()
    asked = [one for one in world.prompts.asked if isinstance(one, ApprovalRequest)]
    assert [(one.intent.tool.name, one.model, one.taint is not None) for one in asked] == [
        ("read", "R · scripted", False),
        ("send", "R · scripted", True),
        ("send", "scripted", True),
    ]


async def test_what_blocks_a_tool_blocks_it_for_everybody() -> None:
    """Neither an assistant's list nor the one who asks it gives a tool that the chat's mode refuses."""
    world = AssistantWorld(asks("R", "write"), said("done"), tools={"write": echo})
    helper = await world.has("R", called(("a", "files__write", "{}")), said("no"), tools=("files",))
    await world.begin(helper, options={"mode": PermissionMode.READ_ONLY})
    run = await world.start()
    await world.finish(run)
    (inner,) = await world.inner(run)
    assert [part.status for part in inner.parts if isinstance(part, ToolResultPart)] == [ResultStatus.DENIED]
    assert world.gateway.called == []
    assert world.prompts.asked == []


async def test_a_chat_that_is_deleted_in_the_middle_ends_both() -> None:
    world = AssistantWorld(asks("R", "x"), tools={"slow": hang}, answers=(allow_once(),))
    helper = await world.has("R", called(("a", "files__slow", "{}")))
    await world.begin(helper)
    run = await world.start()
    await until(lambda: bool(world.gateway.called))
    await world.chat.delete_thread(run.thread_id)
    await world.finish(run)
    assert world.gateway.running == 0
    assert world.scripts[helper.id].open_streams == 0


async def test_a_disk_that_is_full_fails_the_answer_and_hangs_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    world = AssistantWorld(asks("R", "x"), said("never"))
    helper = await world.has("R", said("some words"))
    await world.begin(helper)

    async def full(*_: object, **__: object) -> None:
        raise StorageError("storage.full")

    held = asyncio.Event()
    world.scripts[helper.id].script()
    world.scripts[helper.id]._steps[0] = [held, *world.scripts[helper.id]._steps[0]]
    run = await world.start()
    await until(lambda: bool(world.scripts[helper.id].requests))
    monkeypatch.setattr(world.repository, "save_parts", full)
    held.set()
    end = await run.wait()
    await world.tasks.close()
    assert isinstance(end, ErrorEvent)
    assert end.code == "storage.full"
