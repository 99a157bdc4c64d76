"""When a model goes round in circles, and when it does not."""

import dataclasses
from collections.abc import Sequence

import pytest

from desktop.agent.events import DoneEvent, DoneReason, RemarkEvent
from desktop.agent.loop_guard import REPEATED, ROUNDS, is_circling
from desktop.conversation.entities import Part, ResultStatus, ToolCallPart, ToolResultPart
from desktop.core.tool_content import ItemKind, ResultItem
from desktop.tools.entities import ToolOutcome
from tests.support.run_world import RunWorld
from tests.support.scripted_model import called, said
from tests.support.scripted_prompts import allow_once

Made = tuple[str, str] | tuple[str, str, str]
"""Tool, result and, where they matter, arguments."""


def answer(*steps: Made | Sequence[Made]) -> list[Part]:
    parts: list[Part] = []
    for step, made in enumerate(steps):
        calls: Sequence[Made] = [made] if isinstance(made[0], str) else made  # type: ignore[list-item, assignment]
        for number, (name, result, *arguments) in enumerate(calls):
            call_id = f"{step}.{number}"
            parts.append(ToolCallPart(call_id=call_id, name=name, arguments=(arguments or ["{}"])[0], step=step))
            parts.append(ToolResultPart(call_id=call_id, status=ResultStatus.OK, text=result, step=step))
    return parts


def next_calls(*names: str, step: int = 90, arguments: str = "{}") -> list[ToolCallPart]:
    return [ToolCallPart(call_id=f"n{i}", name=name, arguments=arguments, step=step) for i, name in enumerate(names)]


A, B, C = ("a", "same a"), ("b", "same b"), ("c", "same c")


@pytest.mark.parametrize(
    ("steps", "calls"),
    [([A] * 3, "a"), ([B, A, A, A], "a"), ([A, B] * 3, "a"), ([C, A, B] * 3, "c"), ([[A, B]] * 3, "ba")],
    ids=["one", "after_another", "two_in_turn", "three_in_turn", "side_by_side"],
)
def test_a_circle_is_noticed(steps: list[Made], calls: str) -> None:
    assert is_circling(answer(*steps), next_calls(*calls))
    assert not is_circling(answer(*steps[:-1]), next_calls(*calls))


@pytest.mark.parametrize(
    ("steps", "calls"),
    [
        ([A, A], "a"),
        ([A] * 3, "b"),
        ([A, B] * 3, "b"),
        ([("a", str(number)) for number in range(9)], "a"),
        ([A, A, ("a", "other")], "a"),
        ([A, ("b", "1"), A, ("b", "2"), A, ("b", "3")], "a"),
        ([[A, ("b", "1")], [A, ("b", "2")], [A, ("b", "3")]], "ab"),
        ([("a", "same", '{"page": 1}'), ("a", "same", '{"page": 2}'), ("a", "same", '{"page": 3}')], "a"),
    ],
    ids=["twice", "another", "out_of_turn", "polling", "changed", "beside_progress", "progress_beside", "arguments"],
)
def test_progress_is_no_circle(steps: list[Made], calls: str) -> None:
    assert not is_circling(answer(*steps), next_calls(*calls))


def test_the_same_arguments_are_the_same_however_they_are_written() -> None:
    written = ['{"x":1,"y":2}', '{"y": 2, "x": 1}', '{ "x" : 1, "y": 2 }']
    parts = answer(*(("a", "same", arguments) for arguments in written))
    assert is_circling(parts, next_calls("a", arguments='{"y":2,"x":1}'))
    assert not is_circling(parts, next_calls("a", arguments='{"y":2,"x":"1"}'))
    broken = answer(*[("a", "cannot be read", '{"x":')] * 3)
    assert is_circling(broken, next_calls("a", arguments='{"x":'))


@pytest.mark.parametrize("kind", [ItemKind.IMAGE, ItemKind.WHOLE])
def test_another_picture_or_another_whole_text_is_progress(kind: ItemKind) -> None:
    def with_digests(*digests: str) -> list[Part]:
        parts = answer(*[A] * ROUNDS)
        left = list(digests)
        return [
            dataclasses.replace(part, items=(ResultItem(kind=kind, digest=left.pop(0), attachment_id=str(len(left))),))
            if isinstance(part, ToolResultPart)
            else part
            for part in parts
        ]

    assert is_circling(with_digests("1", "1", "1"), next_calls("a"))
    assert not is_circling(with_digests("1", "1", "2"), next_calls("a"))


async def test_two_calls_in_turn_are_stopped_and_the_model_is_asked_for_words() -> None:
    async def same(_arguments: dict[str, object]) -> ToolOutcome:
        return ToolOutcome(text="nothing new")

    steps = [called((f"c{number}", f"files__{'ab'[number % 2]}", "{}")) for number in range(7)]
    world = RunWorld(
        *steps, said("I give up."), tools={"a": same, "b": same}, answers=tuple(allow_once() for _ in range(6))
    )
    events = await world.ask()
    assert len(world.gateway.called) == 6
    assert [event.code for event in events if isinstance(event, RemarkEvent)] == ["repeated_call"]
    assert world.model.requests[-1].tools == ()
    assert REPEATED in world.model.requests[-1].messages[-1].text


async def test_a_model_that_goes_on_calling_is_ended() -> None:
    async def same(_arguments: dict[str, object]) -> ToolOutcome:
        return ToolOutcome(text="nothing new")

    steps = [called((f"c{number}", "files__a", "{}")) for number in range(5)]
    world = RunWorld(*steps, tools={"a": same}, answers=tuple(allow_once() for _ in range(3)))
    events = await world.ask()
    assert isinstance(events[-1], DoneEvent)
    assert events[-1].reason is DoneReason.COMPLETED
    assert world.model.finished
