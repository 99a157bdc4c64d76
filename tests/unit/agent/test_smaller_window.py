"""A request that was too long is made to fit and sent once more: the oldest rounds go, never half of a call."""

from hypothesis import given
from hypothesis import strategies as st

from desktop.agent.events import DoneEvent, ErrorEvent, RemarkEvent
from desktop.agent.smaller_window import KnownTooLongError, allowed_bytes, fitted
from desktop.core.errors import ModelError
from desktop.core.language_model import (
    AssistantMessage,
    FinishReason,
    ModelRequest,
    RequestMessage,
    RequestToolCall,
    Sampling,
    StreamEnd,
    SystemMessage,
    TextDelta,
    ThinkingDelta,
    ToolMessage,
    ToolSpec,
    UserMessage,
)
from tests.support.run_invariants import check_request
from tests.support.run_world import RunWorld, echo
from tests.support.scripted_model import Step, called, said
from tests.support.scripted_prompts import allow_once


def full(**params: int) -> ModelError:
    return ModelError("model.context_full", detail="too long", **params)


def codes(events: list[object]) -> list[str]:
    return [event.code for event in events if isinstance(event, RemarkEvent)]


async def asked_before(world: RunWorld, rounds: int) -> None:
    for number in range(rounds):
        await world.ask(f"question {number} " + "x" * 400)


def world_with(rounds: int, *steps: Step) -> RunWorld:
    return RunWorld(
        *(said(f"answer {number} " + "y" * 400) for number in range(rounds)), *steps, system_prompt="Be brief."
    )


async def test_the_oldest_rounds_are_left_out_and_it_is_said() -> None:
    world = world_with(6, [full(limit=1000, needed=2000)], said("Here."), said("And here."))
    await asked_before(world, 6)
    events = await world.ask("the last one")
    assert codes(list(events)) == ["shortened"]
    whole, short = world.model.requests[6].messages, world.model.requests[7].messages
    assert short[0] == SystemMessage(text="Be brief.")
    assert short[-1] == UserMessage(text="the last one")
    assert short[1:] == whole[len(whole) - len(short) + 1 :]
    assert isinstance(short[1], UserMessage)
    sizes = [sum(len(m.text) for m in messages) for messages in (whole, short)]
    assert sizes[1] < 0.5 * sizes[0]
    assert len(short) > 2  # no more than needed

    await world.ask("next")  # the next turn is sent whole again: another model may answer it
    assert len(world.model.requests[8].messages) == len(whole) + 2


async def test_the_limit_alone_and_no_number_at_all_are_enough() -> None:
    for params in ({"limit": 500}, {}):
        world = world_with(6, [full(**params)], said("Here."))
        await asked_before(world, 6)
        events = await world.ask("last")
        assert codes(list(events)) == ["shortened"]
        assert 2 < len(world.model.requests[7].messages) < len(world.model.requests[6].messages)


async def test_once_and_never_again() -> None:
    world = world_with(6, [full(limit=1000, needed=2000)], [full(limit=1000, needed=1500)])
    await asked_before(world, 6)
    events = await world.ask("last")
    assert isinstance(events[-1], ErrorEvent)
    assert events[-1].code == "model.context_full"
    assert world.model.finished


async def test_after_a_request_that_was_not_even_sent_the_endpoint_may_refuse_once() -> None:
    known = KnownTooLongError("model.context_full", limit=1000, needed=2000)
    world = world_with(6, [known], [full(limit=600, needed=800)], said("Here."))
    await asked_before(world, 6)
    events = await world.ask("last")
    assert isinstance(events[-1], DoneEvent)
    assert codes(list(events)) == ["shortened"]
    lengths = [len(request.messages) for request in world.model.requests[6:]]
    assert lengths[0] > lengths[1] > lengths[2]

    world = world_with(6, [known], [full(limit=600, needed=800)], [full(limit=500, needed=550)])
    await asked_before(world, 6)
    assert isinstance((await world.ask("last"))[-1], ErrorEvent)


async def test_a_question_that_is_too_long_by_itself_is_told() -> None:
    world = RunWorld([full(limit=100, needed=200)])
    events = await world.ask("x" * 1000)
    assert isinstance(events[-1], ErrorEvent)
    assert len(world.model.requests) == 1


async def test_nothing_is_asked_again_once_something_was_shown() -> None:
    shown: list[Step] = [
        [TextDelta(text="so"), full(limit=10, needed=20)],
        [ThinkingDelta(text="hm"), full(limit=10, needed=20)],
    ]
    for step in shown:
        world = world_with(3, step)
        await asked_before(world, 3)
        events = await world.ask("last")
        assert isinstance(events[-1], ErrorEvent)


async def test_in_the_middle_of_tools_their_results_stay_with_their_calls() -> None:
    steps = [called((f"c{i}", "files__echo", f'{{"x": "{i}{"z" * 300}"}}')) for i in range(4)]
    world = RunWorld(
        *steps, [full(limit=100, needed=150)], said("Done."), tools={"echo": echo}, answers=(allow_once(),) * 4
    )
    events = await world.ask("question")
    assert codes(list(events)) == ["shortened"]
    short = world.model.requests[-1].messages
    check_request(short)
    assert short[0] == UserMessage(text="question")
    assert isinstance(short[-1], ToolMessage)
    assert short[-1].call_id == "c3"
    assert len(short) < len(world.model.requests[-2].messages)


async def test_the_rest_of_the_turn_stays_short() -> None:
    world = RunWorld(
        *(said("y" * 400) for _ in range(5)),
        [full(limit=1000, needed=2000)],
        called(("a", "files__echo", "{}")),
        said("Done."),
        tools={"echo": echo},
        answers=(allow_once(),),
    )
    await asked_before(world, 5)
    events = await world.ask("last")
    assert codes(list(events)) == ["shortened"]
    whole, first, second = world.model.requests[5:]
    assert len(first.messages) < len(whole.messages)
    assert len(second.messages) <= len(first.messages) + 2


def test_room_is_left_for_the_answer() -> None:
    request = ModelRequest(messages=(UserMessage(text="x" * 10_000),))
    assert allowed_bytes(request, limit=1000, needed=2000) < 5000
    roomy = ModelRequest(messages=request.messages, sampling=Sampling(max_output_tokens=600))
    assert allowed_bytes(roomy, limit=1000, needed=2000) < 2100
    tools = ToolSpec(name="t", description="d" * 1000, parameters={})
    with_tools = ModelRequest(messages=request.messages, tools=(tool := tools,))
    assert allowed_bytes(with_tools, limit=1000, needed=2000) < allowed_bytes(request, limit=1000, needed=2000)
    assert allowed_bytes(ModelRequest(messages=(), tools=(tool,)), limit=10, needed=20_000) == 0


texts = st.text(st.characters(codec="utf-8"), min_size=1, max_size=40)
calls = st.integers(1, 3)


@st.composite
def histories(draw: st.DrawFn) -> list[RequestMessage]:
    messages: list[RequestMessage] = [SystemMessage(text="s")] if draw(st.booleans()) else []
    if messages:
        messages.append(UserMessage(text="u"))
        messages.append(AssistantMessage(text="a"))
    number = 0
    for _ in range(draw(st.integers(0, 5))):
        messages.append(UserMessage(text=draw(texts)))
        for _ in range(draw(st.integers(0, 3))):
            made = [RequestToolCall(call_id=f"c{number + i}", name="f", arguments="{}") for i in range(draw(calls))]
            number += len(made)
            messages.append(AssistantMessage(text="", tool_calls=tuple(made)))
            messages.extend(ToolMessage(call_id=call.call_id, name="f", text=draw(texts)) for call in made)
        messages.append(AssistantMessage(text="answer " + draw(texts)))
    messages.append(UserMessage(text="last"))
    for _ in range(draw(st.integers(0, 3))):
        messages.append(
            AssistantMessage(text="", tool_calls=(RequestToolCall(call_id=f"d{number}", name="f", arguments="{}"),))
        )
        messages.append(ToolMessage(call_id=f"d{number}", name="f", text=draw(texts)))
        number += 1
    return messages


@given(messages=histories(), allowed=st.integers(0, 2000))
def test_any_cut_is_a_history_that_is_accepted(messages: list[RequestMessage], allowed: int) -> None:
    kept = fitted(messages, allowed)
    check_request(kept)
    assert UserMessage(text="last") in kept
    assert kept[-1] == messages[-1]
    place = 0
    for message in kept:  # in their order
        place = messages.index(message, place) + 1
    assert fitted(kept, allowed) == kept
    assert fitted(messages, 10**9) == tuple(messages)


# -- calls that the server could not read -----------------------------------------------------------------------------


def unreadable() -> ModelError:
    return ModelError("model.call_unreadable", detail="does not match the expected format")


def stop() -> StreamEnd:
    return StreamEnd(reason=FinishReason.STOP)


async def test_an_unreadable_call_is_asked_for_again_and_then_without_tools() -> None:
    world = RunWorld(
        [ThinkingDelta(text="first try"), unreadable()],
        [ThinkingDelta(text="second try"), unreadable()],
        [ThinkingDelta(text="third"), TextDelta(text="Without."), stop()],
        tools={"echo": echo},
    )
    events = await world.ask()
    assert codes(list(events)) == ["retried", "without_tools"]
    assert [len(request.tools) for request in world.model.requests] == [1, 1, 0]


async def test_three_times_is_the_end() -> None:
    world = RunWorld([unreadable()], [unreadable()], [unreadable()], tools={"echo": echo})
    events = await world.ask()
    assert isinstance(events[-1], ErrorEvent)
    assert events[-1].code == "model.call_unreadable"


async def test_an_unreadable_call_after_text_is_told() -> None:
    world = RunWorld([TextDelta(text="Let me see."), unreadable()], tools={"echo": echo})
    events = await world.ask()
    assert isinstance(events[-1], ErrorEvent)
    assert len(world.model.requests) == 1
