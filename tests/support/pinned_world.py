"""A real server that changes its tools, with the pins, the policy and the store of a running app around it."""

import json
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

from desktop.core.clock import utc_now
from desktop.core.ids import new_id
from desktop.core.paths import DataPaths
from desktop.core.tasks import TaskSupervisor
from desktop.mcp_client.gateway import McpGateway
from desktop.storage.store import Store, open_store
from desktop.tools.call_report import ToolCallReport
from desktop.tools.entities import ServerConfig, ToolDescriptor, Transport
from desktop.tools.pins import ToolPins
from desktop.tools.ports import UserPrompts
from desktop.tools.service import ToolCallRequest, ToolService
from tests.support.waiting import until

CHANGING_SERVER = Path(__file__).with_name("changing_server.py")


def changing(name: str = "read", **parts: Any) -> dict[str, Any]:
    """A tool as a server lists it."""
    schema = {"type": "object", "properties": {"path": {"type": "string", "enum": ["a", "b"], "default": "a"}}}
    return {"name": name, "title": "Read", "description": "Reads a file", "inputSchema": schema, **parts}


class PinnedWorld:
    """``now`` may be turned on by hand; the server does what ``say`` wrote last."""

    def __init__(self, folder: Path, store: Store) -> None:
        self.folder = folder
        self.store = store
        self.now = utc_now()
        self.changes: list[str] = []
        self.gateway: McpGateway
        self.pins: ToolPins
        self.service: ToolService

    @property
    def config(self) -> ServerConfig:
        arguments = (str(CHANGING_SERVER), str(self.folder / "definitions.json"), str(self.folder / "calls"))
        return ServerConfig(id="probe", transport=Transport.STDIO, command=sys.executable, args=arguments)

    def say(self, *tools: dict[str, Any], **more: Any) -> None:
        """Let the server list these from now on."""
        written = self.folder / "definitions.tmp"
        written.write_text(json.dumps({"tools": tools, **more}), "utf-8")
        written.replace(self.folder / "definitions.json")

    @property
    def calls(self) -> list[str]:
        """The names of the tools that were really called."""
        file = self.folder / "calls"
        return [json.loads(line)[0] for line in file.read_text("utf-8").splitlines()] if file.exists() else []

    def pass_time(self) -> None:
        """The first listing is long over."""
        self.now += timedelta(hours=1)

    async def offered(self) -> list[str]:
        return [tool.name for tool in await self.service.available()]

    async def listed(self, **parts: Any) -> None:
        """Wait until the host has read the list in which the first tool is so."""

        def is_read() -> bool:
            tools = self.gateway.tools_of("probe")
            return bool(tools) and all(tools[0].definition.get(part) == value for part, value in parts.items())

        await until(is_read)

    async def call(self, *tools: ToolDescriptor, name: str = "probe__read") -> ToolCallReport:
        """Call as a model does that was offered ``tools``."""
        thread = await self.store.threads.create_thread()
        turn = await self.store.threads.begin_turn(thread.id, "read it", model="scripted")
        request = ToolCallRequest(
            call_id=new_id(),
            name=name,
            arguments='{"path": "a"}',
            thread_id=thread.id,
            turn_id=turn.turn_id,
            tools=tools,
        )
        return await self.service.execute(request, lambda *_: None)


@asynccontextmanager
async def pinned_world(
    folder: Path, prompts: UserPrompts, *tools: dict[str, Any], **more: Any
) -> AsyncGenerator[PinnedWorld, None]:
    """Start the server with these tools; ``folder`` holds the database, so that a second world goes on with it."""
    failures: list[str] = []
    tasks = TaskSupervisor(lambda name, error: failures.append(f"{name}: {error!r}"))
    store = await open_store(DataPaths(folder))
    world = PinnedWorld(folder, store)
    world.say(*tools, **more)
    world.gateway = McpGateway([world.config], prompts=prompts, tasks=tasks, settle_seconds=50.0)
    world.pins = ToolPins(world.gateway, store.pins, tasks, clock=lambda: world.now)
    world.pins.changed.connect(lambda server_id: world.changes.append(server_id))
    world.service = ToolService(
        gateway=world.gateway,
        prompts=prompts,
        journal=store.journal,
        grants=store.grants,
        taints=store.taints,
        workspace=lambda: str(folder),
        pins=world.pins,
    )
    world.gateway.start()
    try:
        yield world
    finally:
        await world.gateway.close()
        assert await tasks.close() == []
        await store.close()
    assert failures == []
