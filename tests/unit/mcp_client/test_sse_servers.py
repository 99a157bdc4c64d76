"""Servers on the older way over HTTP (SSE): a real one is called, asks during a call, and goes away."""

import asyncio
import socket
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from desktop.tools.entities import ServerConfig, ServerState, Transport
from tests.support.command_programs import free_port
from tests.support.mcp_world import mcp_world
from tests.support.scripted_prompts import ScriptedPrompts, accept
from tests.support.waiting import until

SERVER = Path(__file__).parents[2] / "support" / "sse_server.py"


@asynccontextmanager
async def sse_server() -> AsyncGenerator[tuple[str, asyncio.subprocess.Process], None]:
    port = free_port()
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, str(SERVER), str(port)), stderr=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.DEVNULL
    )

    def answers() -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    try:
        await until(answers, within=60)
        yield f"http://127.0.0.1:{port}/sse", process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


@pytest.mark.expected_log("MCP server old")
@pytest.mark.allowed_log("Error in sse_reader")
async def test_an_older_server_is_called_asks_and_goes_away() -> None:
    with ScriptedPrompts(accept(value="Ada")) as prompts:
        async with sse_server() as (url, process):
            config = ServerConfig(id="old", transport=Transport.SSE, url=url, headers={"X-Key": "k3y"})
            async with mcp_world([config], prompts) as world:
                assert {tool.name for tool in await world.gateway.tools()} == {"ask_name", "header", "lines"}
                assert (await world.call("header", key="X-Key")).text == "k3y"
                assert (await world.call("ask_name")).text == "accept: Ada"
                long = await world.call("lines", count=500_000)  # more than the SDK takes in one event
                assert [len(each.data or b"") for each in long.received] == [3_500_000]
                process.kill()
                await process.wait()
                await until(lambda: world.gateway.statuses()[0].state is not ServerState.READY, within=60)
