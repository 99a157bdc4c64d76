"""Servers added, removed, changed and toggled while the gateway runs: real processes, and what is left of them."""

import asyncio
import dataclasses
import os
from pathlib import Path

import pytest

from desktop.core.errors import ToolError
from desktop.core.tasks import TaskSupervisor
from desktop.mcp_client.gateway import McpGateway
from desktop.tools.entities import ServerConfig, ServerState
from tests.support.mcp_world import McpWorld, hostile, mcp_world
from tests.support.scripted_prompts import ScriptedPrompts
from tests.support.waiting import until


def ready(world: McpWorld) -> list[str]:
    return sorted(status.server_id for status in world.gateway.statuses() if status.is_ready)


def pid_of(world: McpWorld, server_id: str) -> int:
    child = world.gateway._sessions[server_id]._child
    assert child is not None
    return child.pid


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


async def names(world: McpWorld) -> list[str]:
    return sorted({tool.server_id for tool in await world.gateway.tools()})


async def test_servers_come_and_go_and_the_others_are_left_alone() -> None:
    kept, gone, new = hostile(server_id="kept"), hostile(server_id="gone"), hostile(server_id="new")
    async with mcp_world([kept, gone]) as world:
        told: list[int] = []
        world.gateway.servers_changed.connect(lambda: told.append(len(world.gateway.statuses())))
        await until(lambda: ready(world) == ["gone", "kept"])
        stays, leaves = pid_of(world, "kept"), pid_of(world, "gone")
        world.gateway.reconfigure([kept, new])
        assert [status.server_id for status in world.gateway.statuses()] == ["kept", "new"]
        assert world.gateway.statuses()[1].state is ServerState.STARTING
        assert await names(world) == ["kept", "new"]  # the next turn waits for the new one
        assert pid_of(world, "kept") == stays
        await until(lambda: not alive(leaves))
        world.gateway.reconfigure([kept, new])
        assert told == [2]  # nothing changed the second time


async def test_a_server_that_is_switched_off_is_as_if_it_was_not_there() -> None:
    off = dataclasses.replace(hostile(), enabled=False)
    async with mcp_world([off]) as world:
        assert world.gateway.statuses() == ()
        world.gateway.reconfigure([hostile()])
        assert await names(world) == ["bad"]
        pid = pid_of(world, "bad")
        world.gateway.reconfigure([off])
        assert (world.gateway.statuses(), await names(world)) == ((), [])
        assert world.gateway.tools_of("bad") == ()
        await until(lambda: not alive(pid))


async def test_a_changed_server_is_replaced_after_its_predecessor_has_ended(tmp_path: Path) -> None:
    changed = dataclasses.replace(hostile(), cwd=str(tmp_path))
    async with mcp_world([hostile()]) as world:
        before = await world.tool("act")
        old = pid_of(world, "bad")
        world.gateway.reconfigure([changed])
        assert world.gateway.statuses()[0].state is ServerState.STARTING
        after = await world.tool("act")
        assert not alive(old)
        assert after.definition_hash != before.definition_hash
        assert os.readlink(f"/proc/{pid_of(world, 'bad')}/cwd") == str(tmp_path)


async def test_what_was_allowed_for_the_old_server_does_not_reach_the_new_one(tmp_path: Path) -> None:
    async with mcp_world([hostile()]) as world:
        intent = await world.intent("act", {"what": "nothing"})
        world.gateway.reconfigure([dataclasses.replace(hostile(), cwd=str(tmp_path))])
        with pytest.raises(ToolError) as caught:
            await world.gateway.call(intent, deadline_seconds=30)
        assert caught.value.code == "tool.server_gone"
        assert await world.act("nothing") == "did act"  # the same, as the new one lists it


@pytest.mark.parametrize("change", ["removed", "changed"])
async def test_running_calls_of_a_server_that_goes_end_at_once(change: str, tmp_path: Path) -> None:
    async with mcp_world([hostile()]) as world:
        intent = await world.intent("act", {"what": "hang"})
        call = world.tasks.spawn(world.gateway.call(intent, deadline_seconds=60), name="call")
        await until(lambda: world.gateway._sessions["bad"].calls)
        await world.act("nothing")  # by now the server has read the first one
        world.gateway.reconfigure([] if change == "removed" else [dataclasses.replace(hostile(), cwd=str(tmp_path))])
        await asyncio.wait({call}, timeout=20)
        error = call.exception()
        world.failures.clear()  # the supervisor heard of it as well
        assert isinstance(error, ToolError)
        assert error.code == "tool.server_gone"
        assert error.params["server"] == "bad"
        assert "switched off" in str(error.params["detail"])


async def test_a_call_that_waits_for_a_starting_server_ends_when_that_is_removed() -> None:
    async with mcp_world([hostile()]) as world:
        intent = await world.intent("act", {"what": "nothing"})
        mute = hostile("mute")
        world.gateway.reconfigure([mute])
        call = world.tasks.spawn(world.gateway.call(intent, deadline_seconds=60), name="call")
        await until(lambda: world.gateway._sessions["bad"].calls)
        world.gateway.reconfigure([])
        await asyncio.wait({call}, timeout=20)
        error = call.exception()
        world.failures.clear()
        assert isinstance(error, ToolError)
        assert error.code == "tool.server_gone"


async def test_the_last_wish_of_many_wins_and_only_one_process_is_left() -> None:
    on: list[ServerConfig] = [hostile()]
    async with mcp_world([]) as world:
        seen: set[int] = set()
        for _ in range(10):
            world.gateway.reconfigure(on)
            await asyncio.sleep(0)
            world.gateway.reconfigure([])
        for _ in range(3):  # some that got as far as a process
            world.gateway.reconfigure(on)
            await until(lambda: world.gateway._sessions["bad"]._child is not None)
            seen.add(pid_of(world, "bad"))
            world.gateway.reconfigure([])
        world.gateway.reconfigure(on)
        assert await names(world) == ["bad"]
        assert len(seen) == 3
        assert [pid for pid in seen if alive(pid)] == []
        assert await world.act("nothing") == "did act"
        assert world.gateway._leaving == {}


async def test_closing_in_the_middle_of_a_change_leaves_nothing() -> None:
    async with mcp_world([hostile("ignore_eof", "ignore_sigterm")]) as world:
        await until(lambda: ready(world) == ["bad"])
        pid = pid_of(world, "bad")
        world.gateway.reconfigure([hostile(server_id="next")])
        await world.gateway.close()
        assert not alive(pid)
        assert world.gateway.statuses()[0].state is ServerState.STOPPED
        world.gateway.reconfigure([hostile(server_id="late")])  # too late
        world.gateway.restart("next")
        assert [status.server_id for status in world.gateway.statuses()] == ["next"]
        assert world.gateway.statuses()[0].state is ServerState.STOPPED


async def test_before_the_start_a_change_starts_nothing() -> None:
    tasks = TaskSupervisor()
    gateway = McpGateway([], prompts=ScriptedPrompts(), tasks=tasks)
    gateway.reconfigure([hostile()])
    assert gateway.statuses()[0].state is ServerState.STOPPED
    gateway.start()
    await until(lambda: gateway.statuses()[0].is_ready)
    await gateway.close()
    assert await tasks.close() == []
