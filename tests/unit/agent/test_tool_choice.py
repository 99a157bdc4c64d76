"""Many tools: what fits is offered, the rest is found by a search that never asks, and the user hears how many there are."""

import json
from dataclasses import replace

import pytest

from desktop.agent.tool_choice import LEAST_TOKENS, MOST_TOKENS, USUAL_TOKENS, ToolChoice, ToolRoom, room_for
from desktop.agent.tool_specs import tool_specs
from desktop.conversation.entities import RemarkPart
from desktop.core.language_model import ModelRequest, ToolMessage, ToolSpec
from desktop.core.remark_texts import english_remark
from desktop.core.token_count import count_tool
from desktop.tools.entities import ToolDescriptor, ToolOutcome
from tests.support.run_world import RunWorld, descriptor, states
from tests.support.scripted_model import called, said
from tests.support.scripted_prompts import allow_once

WORDS = "Does what its name says with the values that it is given, and returns the outcome as text. " * 4


def tools(server: str, count: int, *, bundled: bool = False) -> list[ToolDescriptor]:
    return [
        replace(descriptor(f"t{i}", server=server), description=f"{i} {WORDS}", bundled=bundled) for i in range(count)
    ]


def names(offered: tuple[ToolDescriptor, ...]) -> list[str]:
    return [tool.alias for tool in offered]


def cost(offered: tuple[ToolDescriptor, ...]) -> int:
    return sum(map(count_tool, tool_specs(offered)))


async def test_what_fits_is_offered_as_it_is() -> None:
    every = tools("a", 3)
    choice = await ToolChoice.among(every, ToolRoom())
    assert choice.offered() == choice.all == tuple(every)
    assert choice.host_tools == ()
    assert choice.remark(choice.offered()) is None


async def test_what_does_not_fit_is_left_to_a_search_and_the_bound_holds() -> None:
    bundled, large, small = tools("command", 2, bundled=True), tools("large", 60), tools("small", 3)
    every = [*large, *small, *bundled]
    choice = await ToolChoice.among(every, ToolRoom(tokens=2_000))
    offered = choice.offered()
    assert cost(offered) <= 2_000 < cost(tuple(every))
    shown = names(offered)
    assert shown[0] == "command__find_tools"
    # Whole servers first, and of one that does not fit whole what still finds room.
    assert {tool.alias for tool in (*bundled, *small)} < set(shown)
    assert names(tuple(large))[: len(shown) - 6] == [name for name in shown if name.startswith("large__")]
    remark = choice.remark(offered)
    assert remark is not None
    assert remark.params == {"left": 65 - (len(shown) - 1), "total": 65}
    assert f"{remark.params['left']} of 65 tools" in english_remark(remark.code, remark.params)
    again = await ToolChoice.among(every, ToolRoom(tokens=2_000))
    assert again.offered() == offered


async def test_tools_that_were_called_stay_and_the_number_that_an_endpoint_takes_counts() -> None:
    every = [*tools("a", 30), *tools("b", 30)]
    choice = await ToolChoice.among(every, ToolRoom(tokens=30_000, count=lambda offered: min(len(offered), 10)))
    offered = names(choice.offered(["b__t29", "gone__x", "b__t7"]))
    assert len(offered) == 10
    assert {"b__t29", "b__t7", "command__find_tools"} < set(offered)
    exact = await ToolChoice.among(every[:10], ToolRoom(count=lambda offered: min(len(offered), 10)))
    assert len(exact.offered()) == 10
    none = await ToolChoice.among(every, ToolRoom(count=lambda _offered: 0))
    assert none.offered() == tuple(every)  # the endpoint's adapter drops them, and says so


@pytest.mark.parametrize(
    ("context", "expected"), [(None, USUAL_TOKENS), (1_000, LEAST_TOKENS), (32_000, 8_000), (1_000_000, MOST_TOKENS)]
)
def test_the_room_goes_by_what_the_model_reads(context: int | None, expected: int) -> None:
    def offered(request: ModelRequest) -> tuple[ToolSpec, ...]:
        return request.tools[:2]

    room = room_for(context, offered)
    assert room.tokens == expected
    assert room.count(tool_specs(tools("a", 5))) == 2


async def test_a_tool_that_was_found_is_offered_from_the_next_step_on_and_runs_when_called() -> None:
    async def forecast(_arguments: dict[str, object]) -> ToolOutcome:
        return ToolOutcome(text="rain")

    async def other(_arguments: dict[str, object]) -> ToolOutcome:
        raise AssertionError("nobody called it")

    world = RunWorld(
        called(("a", "command__find_tools", json.dumps({"query": "天气怎么样"}))),
        called(("b", "files__weather_forecast", "{}")),
        said("Rain."),
        tools={f"thing_{i:02}": other for i in range(60)} | {"weather_forecast": forecast},
        answers=(allow_once(),),
        tool_room=ToolRoom(tokens=700),
    )
    for name in [f"thing_{i:02}" for i in range(60)]:
        world.gateway.describe(name, {"type": "object", "properties": {"value": {"type": "string"}}})
    run = await world.start()
    events = await world.finish(run)
    first, second, third = ([spec.name for spec in request.tools] for request in world.model.requests)
    assert "files__weather_forecast" not in first
    assert "files__weather_forecast" in second
    assert "files__weather_forecast" in third
    for request in world.model.requests:
        assert sum(map(count_tool, request.tools)) <= 700
    assert states(events, "a") == ["proposed", "running", "ok"]  # no question
    assert states(events, "b")[-1] == "ok"
    results = [m.text for m in world.model.requests[2].messages if isinstance(m, ToolMessage)]
    assert "files__weather_forecast" in results[0]
    assert results[1] == "rain"
    message = await world.message(run)
    remarks = [part.code for part in message.parts if isinstance(part, RemarkPart)]
    assert remarks == ["tools_searched"]
    row = world.journal.rows[0]
    assert (row.decided_by, row.status) == ("policy", "ok")
