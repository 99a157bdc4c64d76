"""The newer era of the protocol (2026-07-28), driven for real: no handshake, questions in rounds, nothing pinged."""

import json
import sys
from dataclasses import replace

import pytest

from desktop.core.errors import ToolError
from desktop.mcp_client.transports import MAX_ROUNDS
from desktop.tools.entities import ElicitationRequest, ProtocolEra, ServerConfig, ServerState, Transport
from tests.support.mcp_world import McpWorld, hostile, hostile_modern, mcp_world
from tests.support.scripted_prompts import ScriptedPrompts, accept, decline
from tests.support.waiting import until
from tests.support.web_servers import RECIPE_SERVER

FAILED = "desktop.mcp_client.server_session: MCP server bad"


def era_of(world: McpWorld) -> str:
    client = world.gateway._sessions["bad"]._client
    assert client is not None
    return str(client.protocol_version)


@pytest.mark.parametrize(("protocol", "era"), [(ProtocolEra.AUTO, "2025-11-25"), (ProtocolEra.LEGACY, "2025-11-25")])
async def test_the_older_era_comes_first(protocol: ProtocolEra, era: str) -> None:
    async with mcp_world([hostile(protocol=protocol)]) as world:
        assert await world.act("nothing") == "did act"
        assert era_of(world) == era


@pytest.mark.parametrize("protocol", [ProtocolEra.AUTO, ProtocolEra.MODERN])
async def test_the_newer_era_is_spoken_where_the_server_or_the_user_wants_it(protocol: ProtocolEra) -> None:
    async with mcp_world([hostile_modern(protocol=protocol)]) as world:
        assert await world.act("nothing") == "did act"
        assert era_of(world) == "2026-07-28"
        methods = json.loads(await world.act("methods"))
        assert "initialize" not in methods
        assert "ping" not in methods


@pytest.mark.expected_log(FAILED)
async def test_what_the_user_chose_is_not_given_up_for_the_other_era() -> None:
    async with mcp_world([hostile_modern(protocol=ProtocolEra.LEGACY)]) as world:
        assert await world.gateway.tools() == ()
        assert world.gateway.statuses()[0].state is ServerState.FAILED
    async with mcp_world([hostile(protocol=ProtocolEra.MODERN)]) as world:
        assert await world.gateway.tools() == ()
        status = world.gateway.statuses()[0]
        assert (status.state, "older protocol" in status.text) == (ServerState.FAILED, True)


async def test_questions_come_in_rounds_up_to_a_limit() -> None:
    answers = [accept(name=str(number)) for number in range(MAX_ROUNDS)]
    with ScriptedPrompts(*answers) as prompts:
        async with mcp_world([hostile_modern()], prompts) as world:
            said = await world.act(f"rounds:{MAX_ROUNDS}")
            assert said == f'{MAX_ROUNDS} rounds, {{"action": "accept", "content": {{"name": "{MAX_ROUNDS - 1}"}}}}'
        request = prompts.asked[0]
        assert isinstance(request, ElicitationRequest)
        assert (request.server_id, request.thread_id) == ("bad", "thread")


async def test_a_server_that_asks_without_end_is_stopped() -> None:
    asked = 0

    def answer(_request: ElicitationRequest) -> object:
        nonlocal asked
        asked += 1
        return decline()

    prompts = ScriptedPrompts(*[answer] * 50)
    async with mcp_world([hostile_modern()], prompts) as world:
        with pytest.raises(ToolError) as caught:
            await world.act("rounds:1000")
        assert "without end" in str(caught.value.params["detail"])
        assert asked <= MAX_ROUNDS
        assert await world.act("nothing") == "did act"


@pytest.mark.parametrize("size", ["small", "largest"])
async def test_the_state_of_a_question_comes_back_as_it_was(size: str) -> None:
    with ScriptedPrompts(accept(name="Ada")) as prompts:
        async with mcp_world([hostile_modern()], prompts) as world:
            assert await world.act(f"state:{size}") == "the same"


async def test_a_question_with_too_much_state_ends_its_call() -> None:
    with ScriptedPrompts() as prompts:
        async with mcp_world([hostile_modern()], prompts) as world:
            with pytest.raises(ToolError) as caught:
                await world.act("state:too_large")
            assert "too much state" in str(caught.value.params["detail"])
            assert await world.act("nothing") == "did act"


@pytest.mark.expected_log("was refused")
async def test_a_malformed_question_is_cancelled_in_this_era_too() -> None:
    with ScriptedPrompts() as prompts:
        async with mcp_world([hostile_modern()], prompts) as world:
            sent, note = (await world.act("nested")).split("\n")
            assert json.loads(sent) == {"q": {"action": "cancel"}}
            assert "its form has a field of a kind that forms cannot have" in note


async def test_cancelling_reaches_the_server_and_withdraws_the_question() -> None:
    with ScriptedPrompts(None) as prompts:
        async with mcp_world([hostile_modern()], prompts) as world:
            hanging = world.tasks.spawn(world.act("hang", deadline=60), name="call")
            await until(lambda: world.gateway._sessions["bad"].calls)
            await world.act("nothing")  # by now the server has read the first one
            hanging.cancel()
            await until(hanging.done)
            assert len(json.loads(await world.act("cancelled"))) == 1
            asking = world.tasks.spawn(world.act("rounds:3", deadline=60), name="call")
            await until(lambda: prompts.open == 1)
            asking.cancel()
            await until(lambda: prompts.aborted == 1)


async def test_the_time_of_thinking_does_not_count_in_this_era_either() -> None:
    async def answer(_request: ElicitationRequest) -> object:
        (call,) = world.gateway._sessions["bad"].calls._calls
        assert call._limit.when() is None
        return accept(name="late")

    with ScriptedPrompts(answer, answer) as prompts:
        async with mcp_world([hostile_modern()], prompts) as world:
            outcome = await world.call("act", what="rounds:2", deadline=20)
            assert outcome.text.startswith("2 rounds")
            assert outcome.waited_seconds > 0


async def test_progress_is_told_in_this_era_too() -> None:
    async with mcp_world([hostile_modern()]) as world:
        text, told = await world.told("progress:3")
        assert text == "arrived"
        assert told[0].total == 3


async def test_a_question_in_the_way_of_the_other_era_gets_a_hint() -> None:
    """A real server whose tool asks as servers of the older era do, and a user who chose the newer one for it."""
    recipe = ServerConfig(
        id="recipe",
        transport=Transport.STDIO,
        command=sys.executable,
        args=(str(RECIPE_SERVER), "stdio"),
        protocol=ProtocolEra.MODERN,
    )
    async with mcp_world([recipe]) as world:
        outcome = await world.call("execute_command_local", command="echo ran")
        assert outcome.is_error
        assert "unavailable on 2026-07-28 connections" in outcome.text  # the server's own words stay
        assert "choose “Automatic”" in outcome.text
        await until(lambda: world.gateway.statuses()[0].remarks)
        assert [remark.code for remark in world.gateway.statuses()[0].remarks] == ["stray_questions"]
    with ScriptedPrompts(accept(confirm=True)) as prompts:
        async with mcp_world([replace(recipe, protocol=ProtocolEra.AUTO)], prompts) as world:
            outcome = await world.call("execute_command_local", command="echo ran")
            assert not outcome.is_error
            assert world.gateway.statuses()[0].remarks == ()
