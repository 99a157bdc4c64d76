"""How long a hostile tool server can hold up the window: the worst gap between two turns of the loop, attack by attack."""

import asyncio
import contextlib
import sys
import time
from collections.abc import AsyncGenerator
from typing import Any

from desktop.core.errors import ToolError
from desktop.tools.entities import ServerConfig, Transport
from tests.support import hostile_web
from tests.support.mcp_world import hostile, mcp_world
from tests.support.scripted_prompts import ScriptedPrompts, decline

BEAT_SECONDS = 0.002
QUIET_SECONDS = 2.0
CALLS = (
    "rows",
    "flood",
    "progress_flood",
    "change_tools",
    "big",
    "huge",
    "long_line",
    "deep_json",
    "ask_many",
    "ask_flood",
)
WEB_CALLS = ("large_json", "large_events", "rows_json", "rows_events")
"""Over HTTP: 20 MB of text and 12 MB of small values, each as one JSON and as one event."""
STARTS = (
    "many_tools",
    "large_list",
    "endless_pages",
    "bad_tools",
    "odd_tools",
    "stderr_flood",
    "unreadable_list",
    "always_changing",
)


async def flooded() -> dict[str, Any]:
    """The worst gap in milliseconds: while nothing happens, and during each thing that a server does."""
    async with _heartbeat() as quiet:
        await asyncio.sleep(QUIET_SECONDS)
    gaps: dict[str, float] = {}
    async with mcp_world([hostile()]):
        pass  # the SDK is imported by now
    for name in STARTS:
        gaps[name] = await _attack(hostile(name), "nothing")
    for name in CALLS:
        gaps[name] = await _attack(hostile(), name)
    async with _web_server() as server:
        for name in WEB_CALLS:
            gaps[f"web {name}"] = await _attack(server, name)
    worst = max(gaps.values())
    return {"quiet_gap_ms": quiet[0], "flood_gap_ms": {**gaps, "worst": worst}}


async def _attack(server: ServerConfig, what: str) -> float:
    """From the start of the server to its end, with one call."""
    async with _heartbeat() as worst, mcp_world([server], ScriptedPrompts(*[decline()] * 100)) as world:
        names = {tool.name for tool in await world.gateway.tools()}
        if "act" in names:
            with contextlib.suppress(ToolError):  # some attacks cost the call
                await world.act(what)
    return worst[0]


@contextlib.asynccontextmanager
async def _web_server() -> AsyncGenerator[ServerConfig, None]:
    """In a process of its own, so that its work is not measured."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(sys.executable, hostile_web.__file__, stdin=pipe, stdout=pipe)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        port = int(await process.stdout.readline())
        yield ServerConfig(id="bad", transport=Transport.HTTP, url=f"http://127.0.0.1:{port}/mcp")
    finally:
        process.stdin.close()
        await process.wait()


@contextlib.asynccontextmanager
async def _heartbeat() -> AsyncGenerator[list[float], None]:
    """Beat beside the block; the one item of the list is the worst gap beyond the beat, in milliseconds."""
    worst, loop = [0.0], asyncio.get_running_loop()
    last = time.perf_counter()

    def beat() -> None:
        nonlocal last, timer
        now = time.perf_counter()
        worst[0] = max(worst[0], round((now - last - BEAT_SECONDS) * 1_000, 1))
        last = now
        timer = loop.call_later(BEAT_SECONDS, beat)

    timer = loop.call_later(BEAT_SECONDS, beat)
    try:
        yield worst
    finally:
        timer.cancel()
