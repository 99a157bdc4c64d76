"""The gateway with the real bundled server as its child."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from desktop.core.digests import HOST_SECRET_ENV
from desktop.core.errors import ToolError
from desktop.mcp_client.bundled import bundled_command_server
from desktop.tools.entities import ElicitationRequest, ServerState, ServerStatus
from tests.support.mcp_world import hostile, mcp_world
from tests.support.scripted_prompts import ScriptedPrompts, accept, cancel, decline
from tests.support.waiting import until


async def test_everything_a_turn_needs(tmp_path: Path) -> None:
    statuses: list[ServerStatus] = []

    def note(status: ServerStatus) -> None:
        statuses.append(status)

    with ScriptedPrompts(accept(answer="蓝"), decline(), cancel()) as prompts:
        async with mcp_world([bundled_command_server(tmp_path / "w")], prompts) as world:
            assert world.gateway.statuses()[0].state is ServerState.STARTING
            world.gateway.status_changed.connect(note)
            tools = await world.gateway.tools()
            assert [tool.alias for tool in tools] == [
                "command__get_weather",
                "command__get_date",
                "command__calculate",
                "command__ask_user",
                "command__fetch_page",
                "command__execute_command_local",
            ]
            assert all(tool.bundled for tool in tools)
            assert [tool.is_shell for tool in tools] == [False] * 5 + [True]
            assert world.gateway.statuses()[0].tool_count == 6
            assert (await world.call("calculate", expression="2^10")).text == "1024"
            wrong = await world.call("calculate", expression="1/0")
            assert wrong.is_error
            assert wrong.text == "Division by zero has no value."
            # The host decided: the server runs it without a question of its own, with null arguments as well.
            assert (await world.call("execute_command_local", command="pwd")).text.endswith(str(tmp_path / "w"))
            questions = {"question": "颜色？", "choices": ["红", "蓝"]}
            assert (await world.call("ask_user", **questions)).text == "蓝"
            assert (await world.call("ask_user", **questions)).text == "The user declined to answer."
            assert (await world.call("ask_user", question="?", choices=None)).text == "The user cancelled the question."
        request = prompts.asked[0]
        assert isinstance(request, ElicitationRequest)
        assert (request.server_id, request.bundled, request.message) == ("command", True, "颜色？")
    assert [status.state for status in statuses] == [ServerState.READY, ServerState.STOPPED]


async def test_a_command_sees_no_secret_of_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "sentinel")
    async with mcp_world([bundled_command_server(tmp_path)]) as world:
        seen = (await world.call("execute_command_local", command="env")).text
        secret = world.gateway._sessions["command"].host_secret
        server = (await world.call("execute_command_local", command="cat /proc/$PPID/environ")).text
    assert len(secret) == 64
    assert "PATH=" in seen
    assert HOST_SECRET_ENV not in seen
    assert "sentinel" not in seen + server
    # Not even by root, whom the system lets read the start environment of any process.
    assert secret not in server


async def test_without_the_right_proof_the_server_asks_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ScriptedPrompts(accept(confirm=True), decline()) as prompts:
        async with mcp_world([bundled_command_server(tmp_path)], prompts) as world:
            await world.gateway.tools()
            monkeypatch.setattr(world.gateway._sessions["command"], "host_secret", "not the one that it was given")
            command = "echo 'exactly  this'"
            assert "exactly  this" in (await world.call("execute_command_local", command=command)).text
            refused = await world.call("execute_command_local", command=command)
            assert refused.text == "User denied command execution."
        request = prompts.asked[0]
        assert isinstance(request, ElicitationRequest)
        assert request.message.endswith(f"\n\n{command}")


async def test_the_newer_era_works_as_well(tmp_path: Path) -> None:
    with ScriptedPrompts(accept(answer="yes"), accept(confirm=True)) as prompts:
        async with mcp_world([bundled_command_server(tmp_path)], prompts) as world:
            session = world.gateway._sessions["command"]
            session._mode = "auto"
            await world.gateway.tools()
            assert session._client is not None
            assert session._client.protocol_version == "2026-07-28"
            assert (await world.call("ask_user", question="Newer?")).text == "yes"
            assert (await world.call("execute_command_local", command="echo proven")).text.endswith("proven")
            session.host_secret = ""
            assert (await world.call("execute_command_local", command="echo asked")).text.endswith("asked")
        request = prompts.asked[1]
        assert isinstance(request, ElicitationRequest)
        assert (request.thread_id, "echo asked" in request.message) == ("thread", True)


async def test_the_deadline_ends_a_command_with_everything_it_started(tmp_path: Path) -> None:
    async with mcp_world([bundled_command_server(tmp_path)]) as world:
        command = "setsid sleep 600 & sleep 600; true"
        intent = await world.intent("execute_command_local", {"command": command, "timeout": 60})
        call = world.tasks.spawn(_code_of(world, intent), name="call")
        await until(lambda: len(_working_in(tmp_path)) >= 3)
        assert await call == "tool.timeout"
        await until(lambda: not _working_in(tmp_path))


async def test_a_command_over_its_own_limit_says_so(tmp_path: Path) -> None:
    async with mcp_world([bundled_command_server(tmp_path)]) as world:
        outcome = await world.call("execute_command_local", command="sleep 600", timeout=1)
        assert outcome.text.startswith("The command timed out after 1 seconds")


async def test_closing_ends_a_running_command(tmp_path: Path) -> None:
    async with mcp_world([bundled_command_server(tmp_path)]) as world:
        command = "(setsid nohup sleep 600 >/dev/null 2>&1 &); sleep 600; true"
        intent = await world.intent("execute_command_local", {"command": command, "timeout": 60})
        call = world.tasks.spawn(_code_of(world, intent), name="call")
        await until(lambda: len(_working_in(tmp_path)) >= 3)
        await world.gateway.close()
        assert await call == "tool.server_gone"
        assert not _working_in(tmp_path)


async def test_other_servers_do_not_wait_for_one_another(tmp_path: Path) -> None:
    async with mcp_world([bundled_command_server(tmp_path), hostile()]) as world:
        tools = await world.gateway.tools()
        assert {tool.server_id for tool in tools} == {"command", "bad"}
        assert not next(tool for tool in tools if tool.server_id == "bad").bundled


async def _code_of(world: Any, intent: Any) -> str:
    try:
        await world.gateway.call(intent, deadline_seconds=3)
    except ToolError as error:
        return error.code
    return "no error"


def _working_in(folder: Path) -> list[int]:
    found: list[int] = []
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and os.readlink(f"/proc/{name}/cwd") == str(folder):
                found.append(int(name))
        except OSError:
            continue
    return found


def test_a_killed_host_leaves_no_server_and_no_command(tmp_path: Path) -> None:
    """The host is a process of its own here, killed in the middle of a command."""
    script = tmp_path / "host.py"
    script.write_text(_HOST)
    work = tmp_path / "work"
    root = Path(__file__).parents[3]
    host = subprocess.Popen(
        [sys.executable, str(script), str(work)], env={**os.environ, "PYTHONPATH": str(root)}, cwd=tmp_path
    )
    try:
        end = time.monotonic() + 50
        while len(_working_in(work)) < 3 and time.monotonic() < end:
            time.sleep(0.02)
        assert len(_working_in(work)) >= 3
        host.send_signal(signal.SIGKILL)
        host.wait()
        end = time.monotonic() + 10
        while _working_in(work) and time.monotonic() < end:
            time.sleep(0.02)
        assert not _working_in(work)
    finally:
        host.kill()
        host.wait()


_HOST = """
import asyncio, sys
from pathlib import Path
from desktop.core.tasks import TaskSupervisor
from desktop.mcp_client.bundled import bundled_command_server
from desktop.mcp_client.gateway import McpGateway
from desktop.tools.entities import CallIntent

async def main():
    gateway = McpGateway([bundled_command_server(Path(sys.argv[1]))], prompts=None, tasks=TaskSupervisor())
    gateway.start()
    tool = next(tool for tool in await gateway.tools() if tool.is_shell)
    command = "(setsid nohup sleep 600 >/dev/null 2>&1 &); sleep 600; true"
    arguments = '{"command":"%s","timeout":60}' % command
    intent = CallIntent(call_id="1", thread_id="t", turn_id="u", tool=tool, arguments_json=arguments)
    await gateway.call(intent, deadline_seconds=60)

asyncio.run(main())
"""
