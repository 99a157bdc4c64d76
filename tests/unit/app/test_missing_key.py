"""A key that is missing is told at once, not after the tool servers have started."""

import sys
from pathlib import Path

from desktop.agent.events import ErrorEvent
from desktop.app.container import open_container
from desktop.app.options import LaunchOptions
from desktop.core.settings import EndpointSettings, KeyPlace, Settings, SettingsStore
from desktop.core.tasks import TaskSupervisor
from tests.support.agreed_servers import agreed
from tests.support.endpoint import LoopbackEndpoint, text
from tests.support.in_memory_secrets import InMemorySecrets
from tests.support.scripted_prompts import ScriptedPrompts
from tests.support.waiting import until


async def test_a_missing_key_is_told_while_the_tools_still_start(tmp_path: Path) -> None:
    never = {"command": sys.executable, "args": ["-c", "import time; time.sleep(600)"]}
    with LoopbackEndpoint([[text("hello")]]) as endpoint, ScriptedPrompts() as prompts:
        one = EndpointSettings(id="one", name="One", base_url=endpoint.base_url, model="m", key_place=KeyPlace.SESSION)
        settings = Settings(
            endpoints=(one,), endpoint_id="one", bundled_servers_off=("command",), mcp_servers={"never": never}
        )
        SettingsStore(tmp_path / "settings.json").update(agreed(settings))
        container = await open_container(
            LaunchOptions(data_dir=tmp_path), prompts, TaskSupervisor(), secrets=InMemorySecrets(), decider="user"
        )
        try:
            container.gateway.start()
            await until(lambda: container.gateway.statuses()[0].state.is_on_its_way)
            run = await container.chat.send(None, "hi")
            ending = await run.wait()
            assert isinstance(ending, ErrorEvent)
            assert ending.code.startswith("model.key_")
            assert container.gateway.statuses()[0].state.is_on_its_way, "nobody waited for the tools"
            assert endpoint.requests == []
        finally:
            await container.close()
