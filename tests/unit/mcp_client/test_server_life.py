"""The life of a connection: lists read again, storms, silence, sleep, and what a killed start left behind."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from desktop.core.process_tree import TreeMark, end_orphans, orphans
from desktop.core.sleep_watch import watch_for_sleep
from desktop.core.tasks import TaskSupervisor
from desktop.mcp_client import server_session, tool_list
from desktop.tools.entities import ServerState, Transport
from tests.support.mcp_world import hostile, mcp_world
from tests.support.real_servers import needs_linux
from tests.support.waiting import until

FAILED = "desktop.mcp_client.server_session: MCP server bad"


async def test_tools_are_listed_again_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(server_session._RELIST_SECONDS, Transport.STDIO, 0.1)
    async with mcp_world([hostile()]) as world:
        await world.act("change_quietly")  # and no word of it
        await until(lambda: {tool.name for tool in world.gateway.tools_of("bad")} == {"act", "new"})


async def test_a_storm_without_end_is_looked_at_ever_more_rarely(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    wait = server_session.quietly_wait

    async def recorded(event: asyncio.Event, seconds: float) -> None:
        if event is world.gateway._sessions["bad"]._dead:
            pauses.append(seconds)
            seconds = 0.0
        await wait(event, seconds)

    async with mcp_world([hostile("always_changing")]) as world:
        monkeypatch.setattr(server_session, "quietly_wait", recorded)
        await until(lambda: len(pauses) >= 12)
        assert await world.act("nothing") == "did act"
        assert pauses == sorted(pauses)
        assert pauses[-1] == server_session._MOST_DEBOUNCE_SECONDS


@pytest.mark.expected_log(FAILED)
async def test_a_silent_program_is_waited_for_once_and_then_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_session, "_DEBOUNCE_SECONDS", 0.0)
    async with mcp_world([hostile("mute_list_later")]) as world:
        first = await world.act("pid")
        monkeypatch.setattr(tool_list, "LIST_SECONDS", 0.2)
        session = world.gateway._sessions["bad"]
        session.look_again()
        await until(lambda: session._silent_lists == 1)
        assert await world.act("pid") == first  # it may have been busy
        session.look_again()
        await until(lambda: session.status.state is ServerState.RESTARTING)
        monkeypatch.setattr(tool_list, "LIST_SECONDS", 20.0)
        await until(lambda: session.status.is_ready)
        assert await world.act("pid") != first


async def test_a_server_at_work_is_not_bothered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(server_session._RELIST_SECONDS, Transport.STDIO, 0.01)
    seen: list[float] = []
    wait = server_session.quietly_wait

    async def recorded(event: asyncio.Event, seconds: float) -> None:
        await wait(event, seconds)
        if event is world.gateway._sessions["bad"]._wake:
            seen.append(seconds)

    async with mcp_world([hostile()]) as world:
        hanging = world.tasks.spawn(world.act("hang", deadline=60), name="call")
        await until(lambda: world.gateway._sessions["bad"].calls)
        before = int(await world.act("lists"))
        monkeypatch.setattr(server_session, "quietly_wait", recorded)
        await until(lambda: len(seen) >= 5)  # so often it would have been listed
        assert int(await world.act("lists")) <= before + 1
        hanging.cancel()
        await until(hanging.done)


async def test_a_sleep_is_told_from_an_ordinary_wait() -> None:
    clock = iter([0.0, 0.01, 0.01, 8 * 3600.0, 8 * 3600.0, 8 * 3600.01])
    woken, looks = [0], [0]

    def now() -> float:
        return next(clock, 8 * 3600.01)

    def count(where: list[int]) -> None:
        where[0] += 1

    tasks = TaskSupervisor()
    tasks.spawn(
        watch_for_sleep(lambda: count(woken), every=lambda: count(looks), look_seconds=0.001, now=now), name="watch"
    )
    await until(lambda: looks[0] >= 5)
    assert woken == [1]
    assert await tasks.close() == []


_DYING_OWNER = """
import os, subprocess, sys
from desktop.core.process_tree import TreeMark
environment = {**os.environ, **TreeMark.new().env}
script = "trap '' TERM; sleep 600 & wait; sleep 600"
child = subprocess.Popen(["setsid", "sh", "-c", script], env=environment, stdout=subprocess.DEVNULL)
print(child.pid, flush=True)
sys.stdin.read()
"""


@needs_linux
async def test_what_a_killed_start_left_is_ended_by_the_next(tmp_path: Path) -> None:
    """Servers' own children survive us when they left session and group; their mark says whose they were."""
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    pipe = asyncio.subprocess.PIPE
    owner = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _DYING_OWNER), stdin=pipe, stdout=pipe, env=env, cwd=tmp_path
    )
    assert owner.stdout is not None
    child = int(await owner.stdout.readline())
    assert child not in orphans()  # its owner lives
    owner.send_signal(signal.SIGKILL)
    await owner.wait()
    assert child in orphans()
    assert not await end_orphans(grace_seconds=0.1)
    assert child not in orphans()


@needs_linux
def test_our_own_trees_are_no_orphans() -> None:
    child = subprocess.Popen(["sleep", "600"], env={**os.environ, **TreeMark.new().env})
    try:
        assert child.pid not in orphans()
    finally:
        child.kill()
        child.wait()
