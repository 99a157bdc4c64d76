"""Each state of a server × its process killed, the app killed, the net gone: no hang, no orphan, and it comes back."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from desktop.core.errors import ToolError
from desktop.core.process_tree import end_orphans
from desktop.tools.entities import CallIntent, ServerConfig, ServerState, Transport
from tests.support.hostile_web import hostile_web
from tests.support.mcp_world import McpWorld, hostile, mcp_world
from tests.support.real_servers import needs_linux
from tests.support.scripted_prompts import ScriptedPrompts
from tests.support.waiting import until

pytestmark = [
    needs_linux,
    pytest.mark.allowed_log("mcp.client", "desktop.mcp_client.server_session: MCP server", "is still starting"),
]
_ROOT = Path(__file__).parents[3]


def marked(mark: bytes) -> set[int]:
    """Return the living processes whose environment holds ``mark``."""
    found: set[int] = set()
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and mark in Path(f"/proc/{name}/environ").read_bytes():
                found.add(int(name))
        except OSError:
            continue
    return found


def mark_of(pid: int) -> bytes:
    entries = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    return next(entry for entry in entries if entry.startswith(b"THREADWELL_TREE_"))


def pid_of(world: McpWorld) -> int:
    child = world.gateway._sessions["bad"]._child
    return child.pid if child is not None else 0


async def outcome(world: McpWorld, intent: CallIntent) -> str:
    try:
        return (await world.gateway.call(intent, deadline_seconds=60)).text
    except ToolError as error:
        return error.code


async def call_begun(world: McpWorld, what: str, ready: Callable[[], object]) -> "asyncio.Task[str]":
    task = world.tasks.spawn(outcome(world, await world.intent("act", {"what": what})), name="call")
    await until(ready)
    return task


@pytest.mark.parametrize("state", ["starting", "ready", "calling", "asking"])
async def test_a_killed_server(state: str) -> None:
    prompts = ScriptedPrompts(None)
    behaviours = ("mute",) if state == "starting" else ("grandchild",)
    async with mcp_world([hostile(*behaviours)], prompts) as world:
        await until(lambda: pid_of(world) > 0)
        if state != "starting":
            assert await world.act("nothing") == "did act"
        await until(lambda: b"THREADWELL_TREE_" in Path(f"/proc/{pid_of(world)}/environ").read_bytes())
        first, mark = pid_of(world), mark_of(pid_of(world))
        call = None
        if state == "calling":
            call = await call_begun(world, "sleep", lambda: world.gateway._sessions["bad"].calls)
        elif state == "asking":
            call = await call_begun(world, "ask", lambda: prompts.open == 1)
        os.kill(first, signal.SIGKILL)
        if call is not None:
            await until(call.done)
            assert call.result() == "tool.server_gone"
            assert prompts.open == 0
        await until(lambda: not marked(mark))  # with all that it had started
        await until(lambda: pid_of(world) not in (0, first))
        if state != "starting":
            await until(lambda: world.gateway.statuses()[0].is_ready)
            assert await world.act("nothing") == "did act"


@pytest.mark.parametrize("state", ["starting", "ready", "calling"])
async def test_the_net_is_gone(state: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desktop.mcp_client.tool_list.LIST_SECONDS", 0.5)
    async with hostile_web() as server:
        server.is_silent = state == "starting"
        config = ServerConfig(id="bad", transport=Transport.HTTP, url=server.url)
        async with mcp_world([config], init_timeout_seconds=0.5) as world:
            call = None
            if state != "starting":
                assert await world.act("nothing") == "did act"
            if state == "calling":
                call = await call_begun(world, "hang", lambda: server.methods.count("tools/call") == 2)
            server.is_silent = True
            server.drop_all()
            if call is not None:
                await until(call.done)
                assert call.result() == "tool.server_gone"
            world.gateway._woke()
            await until(lambda: world.gateway.statuses()[0].state is ServerState.FAILED)
            server.is_silent = False
            world.gateway._woke()
            await until(lambda: world.gateway.statuses()[0].is_ready)
            assert await world.act("nothing") == "did act"


async def test_an_app_that_quits_ends_servers_in_every_state() -> None:
    behaviours = {
        "starting": ("mute", "grandchild", "ignore_sigterm"),
        "ready": ("grandchild", "ignore_sigterm", "ignore_eof"),
        "restarting": ("traceback",),
    }
    configs = [hostile(*given, server_id=name) for name, given in behaviours.items()]
    async with mcp_world(configs, settle_seconds=0.0) as world:
        sessions = world.gateway._sessions
        await until(lambda: sessions["ready"].status.is_ready)
        await until(lambda: sessions["restarting"].status.state in (ServerState.RESTARTING, ServerState.FAILED))
        marks = [mark_of(child.pid) for name in ("starting", "ready") if (child := sessions[name]._child) is not None]
        await until(lambda: all(len(marked(mark)) >= 3 for mark in marks))
        await world.gateway.close()
        assert [marked(mark) for mark in marks] == [set(), set()]
        assert {status.state for status in world.gateway.statuses()} <= {ServerState.STOPPED, ServerState.FAILED}


_HOST = """
import asyncio, sys
from desktop.core.tasks import TaskSupervisor
from desktop.tools.entities import ElicitationAnswer
from tests.support.mcp_world import McpWorld, hostile, McpGateway

state, name = sys.argv[1:]

class Prompts:
    async def elicit(self, request):
        print("asking", flush=True)
        await asyncio.Event().wait()

async def main():
    tasks = TaskSupervisor()
    behaviours = {"starting": ["mute"], "restarting": ["traceback"]}.get(state, [])
    gateway = McpGateway([hostile(*behaviours, "grandchild", "ignore_sigterm", "ignore_eof", name)],
                         prompts=Prompts(), tasks=tasks, settle_seconds=50)
    gateway.start()
    world = McpWorld(gateway, tasks)
    session = gateway._sessions["bad"]
    if state in ("starting", "restarting"):
        while session._child is None and session.status.state != "restarting":
            await asyncio.sleep(0.01)
    else:
        pid = await world.act("pid")
    if state in ("ready", "starting", "restarting"):
        print(state, flush=True)
    if state == "calling":
        print(state, flush=True)
        await world.act("sleep", deadline=60)
    if state == "asking":
        await world.act("ask", deadline=60)
    await asyncio.Event().wait()

asyncio.run(main())
"""
_STATES = ("starting", "ready", "calling", "asking", "restarting")


@pytest.mark.parametrize("state", _STATES)
async def test_a_killed_app(state: str, tmp_path: Path, long_run: bool) -> None:
    """The server dies with it; what that had started and set free is ended by the next start."""
    if not long_run and state not in ("ready", "asking"):
        pytest.skip("the other states are tried with --long")
    name = f"name-{os.getpid()}-{state}"
    script = tmp_path / "host.py"
    script.write_text(_HOST)
    host = await asyncio.create_subprocess_exec(
        *(sys.executable, str(script), state, name),
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(_ROOT)},
        cwd=tmp_path,
    )
    assert host.stdout is not None
    try:
        assert await host.stdout.readline() == f"{state}\n".encode()
        if state not in ("starting", "restarting"):
            await until(lambda: len(_family(name)) >= 3)
    finally:
        if host.returncode is None:
            host.kill()
        await host.wait()
    family = _family(name)
    await end_orphans(grace_seconds=0.1)
    await until(lambda: not _family(name) and not any(map(_is_alive, family)))


def _family(name: str) -> set[int]:
    """Return the server that was started with this argument, and everything that carries its mark."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            arguments = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
            if name.encode() in arguments and b"host.py" not in arguments[1] and _is_alive(int(pid)):
                return marked(mark_of(int(pid)))
        except (OSError, StopIteration, IndexError):
            continue
    return set()


def _is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False
