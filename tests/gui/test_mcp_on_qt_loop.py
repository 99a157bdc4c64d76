"""The same host on Qt's loop: child processes, questions, cancellation and a clean end."""

from pathlib import Path
from typing import Any

from desktop.mcp_client.bundled import bundled_command_server
from desktop.tools.entities import ServerState
from tests.support.mcp_world import hostile, mcp_world
from tests.support.scripted_prompts import ScriptedPrompts, accept
from tests.support.waiting import until


async def test_servers_live_and_end_on_the_windows_loop(qloop: Any, tmp_path: Path) -> None:
    with ScriptedPrompts(accept(answer="yes"), None) as prompts:
        async with mcp_world([bundled_command_server(tmp_path), hostile()], prompts) as world:
            assert len(await world.gateway.tools()) == 7
            assert (await world.call("calculate", expression="6*7")).text == "42"
            assert (await world.call("execute_command_local", command="echo ran")).text.endswith("ran")
            assert (await world.call("ask_user", question="Well?")).text == "yes"
            intent = await world.intent("act", {"what": "ask"})
            call = world.tasks.spawn(world.gateway.call(intent, deadline_seconds=30), name="call")
            await until(lambda: prompts.open == 1)
            call.cancel()
            await until(lambda: prompts.aborted == 1)
    assert {status.state for status in world.gateway.statuses()} == {ServerState.STOPPED}
