"""The core without a window: its servers follow the settings, and what is left out is said once."""

import dataclasses
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from desktop.app.container import Container, open_container
from desktop.app.options import LaunchOptions
from desktop.core.errors import ThreadwellError
from desktop.core.settings import Settings, SettingsStore
from desktop.core.tasks import TaskSupervisor
from desktop.tools.entities import ServerState
from tests.support.agreed_servers import agreed
from tests.support.mcp_world import hostile
from tests.support.scripted_prompts import ScriptedPrompts
from tests.support.waiting import until

WITHOUT_BUNDLED = Settings(bundled_servers_off=("command",))


def entry(*behaviours: str) -> dict[str, Any]:
    config = hostile(*behaviours)
    return {"command": config.command, "args": list(config.args)}


@asynccontextmanager
async def opened(data_dir: Path, settings: Settings) -> AsyncGenerator[tuple[Container, list[str]], None]:
    SettingsStore(data_dir / "settings.json").update(settings)
    failures: list[str] = []
    tasks = TaskSupervisor(lambda name, error: failures.append(f"{name}: {error!r}"))
    container = await open_container(LaunchOptions(data_dir=data_dir), ScriptedPrompts(), tasks)
    said: list[str] = []

    def note(problem: ThreadwellError) -> None:
        said.append(str(problem.params["detail"]))

    container.problem_found.connect(note)
    container.gateway.start()
    try:
        yield container, said
    finally:
        await container.close()
    assert failures == []


def ready(container: Container) -> list[str]:
    return [status.server_id for status in container.gateway.statuses() if status.state is ServerState.READY]


async def test_servers_follow_the_settings(tmp_path: Path) -> None:
    async with opened(tmp_path, WITHOUT_BUNDLED) as (container, said):
        assert container.gateway.statuses() == ()
        store = container.settings
        store.update(
            agreed(
                dataclasses.replace(store.settings, mcp_servers={"one": entry(), "off": {**entry(), "disabled": True}})
            )
        )
        assert [tool.server_id for tool in await container.tools.available()] == ["one"]  # the very next turn has it
        assert ready(container) == ["one"]
        one = container.gateway._sessions["one"]
        store.update(dataclasses.replace(store.settings, appearance=dataclasses.replace(store.settings.appearance)))
        store.update(dataclasses.replace(store.settings, mcp_servers={"one": entry()}, welcomed=True))
        assert container.gateway._sessions["one"] is one  # nothing of it changed
        store.update(dataclasses.replace(store.settings, mcp_servers={}))
        assert await container.tools.available() == ()
        assert said == []


async def test_what_cannot_be_used_is_said_once(tmp_path: Path) -> None:
    bad = {"type": "pigeon", "url": "https://x.example/mcp"}
    at_start = dataclasses.replace(WITHOUT_BUNDLED, mcp_servers={"first": bad})
    async with opened(tmp_path, at_start) as (container, said):
        assert [notice.code for notice in container.notices()] == ["settings.mcp_entry"]
        store = container.settings
        store.update(dataclasses.replace(store.settings, mcp_servers={"first": bad, "second": bad}))
        store.update(dataclasses.replace(store.settings, welcomed=True))
        assert [detail.partition(":")[0] for detail in said] == ["server “second”"]
        store.update(dataclasses.replace(store.settings, mcp_servers={"first": bad}))
        store.update(dataclasses.replace(store.settings, mcp_servers={"first": bad, "second": bad}))
        assert len(said) == 2  # it came back


async def test_another_folder_for_commands_starts_the_built_in_server_there(tmp_path: Path) -> None:
    before, after = tmp_path / "before", tmp_path / "nach 家"
    settings = Settings()
    settings = dataclasses.replace(settings, agent=dataclasses.replace(settings.agent, workspace=str(before)))
    async with opened(tmp_path / "data", settings) as (container, _):
        first = container.gateway._sessions["command"]
        agent = dataclasses.replace(settings.agent, workspace=str(after))
        container.settings.update(dataclasses.replace(container.settings.settings, agent=agent))
        assert container.gateway.statuses()[0].state is ServerState.STARTING
        await until(lambda: ready(container) == ["command"])
        assert container.gateway._sessions["command"] is not first
        arguments = container.gateway._sessions["command"].config.args
        assert arguments[arguments.index("--folder") + 1] == str(after)
        assert container.workspace() == str(after)
