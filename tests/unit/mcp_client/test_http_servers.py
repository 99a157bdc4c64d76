"""Servers on streamable HTTP: the bundled one as a stranger, and ones that go away or lead elsewhere."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from desktop.tools.entities import ServerConfig, ServerState, Transport
from tests.support.command_programs import free_port, http_command_server
from tests.support.mcp_world import McpWorld, mcp_world
from tests.support.scripted_prompts import ScriptedPrompts, accept, decline
from tests.support.waiting import until

FAILED = "MCP server remote"
pytestmark = pytest.mark.allowed_log("Session termination failed")  # the SDK's word when a server is gone


def _remote(url: str, token: str = "") -> ServerConfig:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return ServerConfig(id="remote", transport=Transport.HTTP, url=url, headers=headers)


def _status(world: McpWorld) -> tuple[ServerState, str]:
    status = world.gateway.statuses()[0]
    return status.state, status.text


@pytest.mark.parametrize("era", ["legacy", "auto"])
async def test_a_remote_server_gets_no_proof_and_asks_by_itself(tmp_path: Path, era: str) -> None:
    with ScriptedPrompts(accept(confirm=True), decline()) as prompts:
        async with (
            http_command_server(tmp_path) as (url, token),
            mcp_world([_remote(url, token)], prompts) as world,
        ):
            world.gateway._sessions["remote"]._mode = era
            tools = await world.gateway.tools()
            assert len(tools) == 6
            assert not any(tool.bundled or tool.is_shell for tool in tools)
            assert (await world.call("calculate", expression="6*7")).text == "42"
            assert (await world.call("execute_command_local", command="echo ran")).text.endswith("ran")
            assert (await world.call("execute_command_local", command="echo ran")).text.startswith("User denied")


@pytest.mark.expected_log(FAILED)
async def test_a_wrong_token_fails_the_server_clearly(tmp_path: Path) -> None:
    async with (
        http_command_server(tmp_path) as (url, token),
        mcp_world([_remote(url, f"{token}wrong")]) as world,
    ):
        assert await world.gateway.tools() == ()
        state, detail = _status(world)
        assert state is ServerState.NEEDS_SIGN_IN
        assert detail == "It wants to know who you are."
        assert token not in detail


@pytest.mark.expected_log(FAILED)
async def test_an_address_where_nothing_listens_fails_and_is_tried_again_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop.mcp_client.gateway._RETRY_FAILED_SECONDS", 0.0)
    port = free_port()
    async with mcp_world([_remote(f"http://127.0.0.1:{port}/mcp", "given-token")]) as world:
        assert await world.gateway.tools() == ()
        assert _status(world)[0] is ServerState.FAILED
        async with http_command_server(tmp_path, "--token-env", "MY_TOKEN", port=port, MY_TOKEN="given-token"):
            assert len(await world.gateway.tools()) == 6


@pytest.mark.expected_log(FAILED)
async def test_a_server_that_was_restarted_is_found_again(tmp_path: Path) -> None:
    port = free_port()
    async with mcp_world([_remote(f"http://127.0.0.1:{port}/mcp", "given-token")]) as world:
        async with http_command_server(tmp_path, "--token-env", "MY_TOKEN", port=port, MY_TOKEN="given-token"):
            world.gateway.restart("remote")
            await until(lambda: _status(world)[0] is ServerState.READY)
            assert (await world.call("calculate", expression="1+1")).text == "2"
            intent = await world.intent("calculate", {"expression": "1+2"})
        async with http_command_server(tmp_path, "--token-env", "MY_TOKEN", port=port, MY_TOKEN="given-token"):
            # The session that it does not know any more began nothing: the call is made on a new one.
            assert (await world.gateway.call(intent, deadline_seconds=30)).text == "3"


@pytest.mark.expected_log(FAILED)
async def test_after_a_sleep_a_server_is_looked_for(tmp_path: Path) -> None:
    port = free_port()
    states: list[ServerState] = []
    async with mcp_world([_remote(f"http://127.0.0.1:{port}/mcp", "given-token")]) as world:
        async with http_command_server(tmp_path, "--token-env", "MY_TOKEN", port=port, MY_TOKEN="given-token"):
            world.gateway.restart("remote")
            await until(lambda: _status(world)[0] is ServerState.READY)
        record = world.gateway.status_changed
        record.connect(lambda status: states.append(status.state))
        async with http_command_server(tmp_path, "--token-env", "MY_TOKEN", port=port, MY_TOKEN="given-token"):
            assert _status(world)[0] is ServerState.READY  # nobody noticed that it is another one
            world.gateway._woke()
            await until(lambda: states[-2:] == [ServerState.RESTARTING, ServerState.READY])
            assert (await world.call("calculate", expression="1+1")).text == "2"


@pytest.mark.expected_log(FAILED)
async def test_what_failed_is_tried_again_after_a_sleep(tmp_path: Path) -> None:
    port = free_port()
    async with mcp_world([_remote(f"http://127.0.0.1:{port}/mcp", "given-token")]) as world:
        await until(lambda: _status(world)[0] is ServerState.FAILED)
        async with http_command_server(tmp_path, "--token-env", "MY_TOKEN", port=port, MY_TOKEN="given-token"):
            world.gateway._woke()
            await until(lambda: _status(world)[0] is ServerState.READY)


@asynccontextmanager
async def _redirecting_server(target: str) -> AsyncGenerator[tuple[str, list[bytes]], None]:
    """Answer every request with a redirect to ``target``; yields the address and what came in."""
    seen: list[bytes] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.append(await reader.readuntil(b"\r\n\r\n"))
        head = (
            f"HTTP/1.1 307 Temporary Redirect\r\nLocation: {target}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        )
        writer.write(head.encode())
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", seen


@pytest.mark.expected_log(FAILED)
async def test_configured_headers_are_not_carried_to_another_address() -> None:
    async with _redirecting_server("http://127.0.0.1:9/") as (evil, stolen):
        async with (
            _redirecting_server(f"{evil}/mcp") as (url, seen),
            mcp_world([_remote(f"{url}/mcp", "s3cret")]) as world,
        ):
            assert await world.gateway.tools() == ()
            assert _status(world)[0] is ServerState.FAILED
            assert "another address" in _status(world)[1]
        assert any(b"s3cret" in request for request in seen)
    assert stolen == []


async def test_no_proxy_stands_between_this_machine_and_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{free_port()}")
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    async with http_command_server(tmp_path) as (url, token), mcp_world([_remote(url, token)]) as world:
        assert (await world.call("calculate", expression="6*7")).text == "42"
