"""Stop ends a command with all that it started, whatever it does, through the real server process."""

import asyncio
import itertools
import os
import random
from pathlib import Path

import pytest

from desktop.core.errors import ToolError
from desktop.core.sandbox_profile import SandboxProfile
from desktop.mcp_client.bundled import bundled_command_server
from desktop.tools.entities import ServerState
from tests.support.mcp_world import McpWorld, mcp_world
from tests.support.sandboxed import command_lines_with, processes_with, why_not
from tests.support.waiting import until

pytestmark = pytest.mark.skipif(os.name == "nt", reason="these command lines are for a POSIX shell")

# MARK stands in the command line of everything that they start.
STUBBORN = {
    "sleeps": "sleep 600.MARK; true",
    "ignores": "trap '' TERM INT HUP; while :; do sleep 600.MARK; done",
    "forks": "for i in 1 2 3 4 5; do sleep 600.MARK & done; wait; sleep 600.MARK",
    "leaves": "(setsid nohup sleep 600.MARK >/dev/null 2>&1 &); setsid sleep 600.MARK & sleep 600.MARK; true",
    "leaves and ignores": "setsid sh -c \"trap '' TERM HUP; sleep 600.MARK; sleep 600.MARK\" & sleep 600.MARK; true",
    "says yes": "yes MARK",
    "works": "while :; do :; done; : MARK",
    "writes": "head -c 50000000 /dev/zero > zeros-MARK; sleep 600.MARK",
    "pipes": "sleep 600.MARK | sleep 600.MARK | cat; : MARK",
}
BOMB = "b() { [ $1 -gt 0 ] && { b $(($1-1)) & b $(($1-1)) & b $(($1-1)) & }; setsid sleep 600.MARK & }; b 4; sleep 600.MARK"
"""Bounded, because the system does not hold root to the limit of processes; only inside a sandbox."""


async def stop_one(world: McpWorld, folder: Path, command: str, profile: SandboxProfile, mark: str) -> float:
    """Start a command, stop it when it runs, and return how many seconds passed until nothing of it was left."""
    command = command.replace("MARK", mark)
    intent = await world.intent(
        "execute_command_local",
        {"command": command, "timeout": 60},
        folder=str(folder),
        sandbox=profile,
    )
    loop = asyncio.get_running_loop()
    call = asyncio.ensure_future(world.gateway.call(intent, deadline_seconds=60))
    try:
        await until(lambda: processes_with(mark) or call.done())
        assert not call.done(), call
        began = loop.time()
        call.cancel()
        await asyncio.wait({call})
        assert call.cancelled()
        try:
            await until(lambda: not processes_with(mark))
        except AssertionError as error:
            raise AssertionError(f"{command!r} in {profile} left {command_lines_with(mark)}") from error
        return loop.time() - began
    finally:
        call.cancel()


def _plan(count: int) -> list[tuple[str, SandboxProfile]]:
    profiles = [SandboxProfile.NONE] if why_not() else list(SandboxProfile)
    cases = [*itertools.product(STUBBORN.values(), profiles)]
    cases += [(BOMB, profile) for profile in profiles if profile is not SandboxProfile.NONE]
    random.Random(5).shuffle(cases)
    return list(itertools.islice(itertools.cycle(cases), count))


@pytest.mark.timeout(900)
async def test_stop_leaves_no_process(tmp_path: Path, long_run: bool) -> None:
    folder = tmp_path / "work"
    async with mcp_world([bundled_command_server(folder, tmp_path / "data")]) as world:
        states: list[ServerState] = []
        await world.gateway.tools()
        world.gateway.status_changed.connect(lambda status: states.append(status.state))
        for number, (command, profile) in enumerate(_plan(200 if long_run else 12)):
            await stop_one(world, folder, command, profile, f"{os.getpid()}{number:03}")
            for path in folder.glob("zeros-*"):
                path.unlink()
        assert states == []  # the server lives on


async def test_a_stopped_server_takes_the_sandboxes_along(tmp_path: Path) -> None:
    if reason := why_not():
        pytest.skip(reason)
    mark = f"{os.getpid()}999"
    async with mcp_world([bundled_command_server(tmp_path)]) as world:
        intent = await world.intent(
            "execute_command_local",
            {"command": STUBBORN["leaves and ignores"].replace("MARK", mark), "timeout": 60},
            folder=str(tmp_path),
            sandbox=SandboxProfile.WORKSPACE,
        )
        async with asyncio.TaskGroup() as group:
            call = group.create_task(_code_of(world, intent))
            await until(lambda: len(processes_with(f"600.{mark}")) >= 2)
            await world.gateway.close()
            assert await call == "tool.server_gone"
        await until(lambda: not processes_with(mark))


async def _code_of(world: McpWorld, intent: object) -> str:
    try:
        await world.gateway.call(intent, deadline_seconds=60)  # type: ignore[arg-type]
    except ToolError as error:
        return error.code
    return "no error"
