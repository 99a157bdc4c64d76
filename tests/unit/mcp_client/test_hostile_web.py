"""What servers may do wrong over HTTP: no call hangs, no connection is lost for good, nothing is repeated by itself."""

import pytest

from desktop.core.errors import ToolError
from desktop.tools.entities import ServerConfig, ServerState, Transport
from tests.support.hostile_web import HostileWeb, hostile_web
from tests.support.mcp_world import McpWorld, mcp_world
from tests.support.waiting import until

pytestmark = [
    pytest.mark.allowed_log(
        "mcp.client", "desktop.mcp_client.server_session: MCP server web", "Session termination failed"
    )
]


def web(server: HostileWeb) -> ServerConfig:
    return ServerConfig(id="web", transport=Transport.HTTP, url=server.url)


async def failure(world: McpWorld, what: str, *, deadline: float = 30.0) -> str:
    with pytest.raises(ToolError) as caught:
        await world.act(what, deadline=deadline)
    return caught.value.code


@pytest.mark.parametrize("what", ["bad_json", "bad_event", "cut", "huge_event", "internal", "wrong_kind"])
async def test_an_answer_that_is_none_fails_its_call_at_once(what: str) -> None:
    async with hostile_web() as server, mcp_world([web(server)]) as world:
        assert await failure(world, what) in ("tool.failed", "tool.server_gone")
        await until(lambda: world.gateway.statuses()[0].is_ready)
        assert await world.act("nothing") == "did act"
        assert server.methods.count("tools/call") == 2  # what may have been done is not done again


async def test_one_garbled_line_ends_its_call_at_once_and_clearly() -> None:
    async with hostile_web() as server, mcp_world([web(server)]) as world:
        with pytest.raises(ToolError) as caught:
            await world.act("bad_then_good")
        assert caught.value.params["detail"] == "web sent something that cannot be understood."
        await until(lambda: world.gateway.statuses()[0].is_ready)
        assert await world.act("nothing") == "did act"


async def test_a_session_that_the_server_forgot_is_begun_anew_without_a_word() -> None:
    async with hostile_web() as server, mcp_world([web(server)]) as world:
        assert await world.act("nothing") == "did act"
        server.session = "two"
        assert await world.act("nothing") == "did act"
        assert server.methods.count("initialize") == 2


async def test_a_server_that_forgets_every_session_is_given_up_for_this_call() -> None:
    async with hostile_web() as server, mcp_world([web(server)]) as world:
        assert await failure(world, "always_lost") == "tool.server_gone"
        assert server.methods.count("tools/call") == 2


async def test_a_call_that_hangs_ends_at_its_deadline_and_the_server_is_told() -> None:
    async with hostile_web() as server, mcp_world([web(server)]) as world:
        assert await failure(world, "hang", deadline=0.3) == "tool.timeout"
        await until(lambda: "notifications/cancelled" in server.methods)


async def test_connections_that_break_off_end_the_calls_on_them() -> None:
    async with hostile_web() as server, mcp_world([web(server)]) as world:
        intent = await world.intent("act", {"what": "hang"})
        call = world.tasks.spawn(world.gateway.call(intent, deadline_seconds=60), name="call")
        await until(lambda: "tools/call" in server.methods)
        server.drop_all()
        await until(call.done)
        error = call.exception()
        world.failures.clear()
        assert isinstance(error, ToolError)
        assert error.code == "tool.server_gone"
        await until(lambda: world.gateway.statuses()[0].is_ready and world.gateway._sessions["web"].is_alive)
        assert await world.act("nothing") == "did act"
        assert server.methods.count("tools/call") == 2


async def test_a_silent_net_is_noticed_and_the_server_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async with hostile_web() as server, mcp_world([web(server)], init_timeout_seconds=0.5) as world:
        await world.gateway.tools()
        monkeypatch.setattr("desktop.mcp_client.tool_list.LIST_SECONDS", 0.3)
        server.is_silent = True
        world.gateway._woke()
        await until(lambda: world.gateway.statuses()[0].state is ServerState.FAILED)
        server.is_silent = False
        world.gateway._woke()
        await until(lambda: world.gateway.statuses()[0].is_ready)
        assert await world.act("nothing") == "did act"
