"""Opens gateways over real server processes for tests, and makes the calls."""

import json
import sys
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from desktop.core.ids import new_id
from desktop.core.tasks import TaskSupervisor
from desktop.mcp_client.gateway import McpGateway
from desktop.tools.entities import (
    CallIntent,
    CallProgress,
    ProtocolEra,
    ServerConfig,
    ToolDescriptor,
    ToolOutcome,
    Transport,
)
from desktop.tools.ports import UserPrompts
from tests.support.scripted_prompts import ScriptedPrompts

HOSTILE_SERVER = Path(__file__).with_name("hostile_server.py")


def hostile(*behaviours: str, server_id: str = "bad", protocol: ProtocolEra = ProtocolEra.AUTO) -> ServerConfig:
    return ServerConfig(
        id=server_id,
        transport=Transport.STDIO,
        command=sys.executable,
        args=(str(HOSTILE_SERVER), *behaviours),
        protocol=protocol,
    )


def hostile_modern(*, server_id: str = "bad", protocol: ProtocolEra = ProtocolEra.AUTO) -> ServerConfig:
    """The same in the newer era of the protocol."""
    program = str(HOSTILE_SERVER.with_name("hostile_modern_server.py"))
    return ServerConfig(
        id=server_id, transport=Transport.STDIO, command=sys.executable, args=(program,), protocol=protocol
    )


class McpWorld:
    """A started gateway with shortcuts for calls."""

    def __init__(self, gateway: McpGateway, tasks: TaskSupervisor) -> None:
        self.gateway = gateway
        self.tasks = tasks
        self.failures: list[str] = []

    async def tool(self, name: str) -> ToolDescriptor:
        """Return the first tool with this name of the server's."""
        tools = await self.gateway.tools()
        return next(tool for tool in tools if tool.name == name)

    async def intent(
        self, name: str, arguments: Any, *, thread_id: str = "thread", folder: str = "", sandbox: str = "none"
    ) -> CallIntent:
        return CallIntent(
            call_id=new_id(),
            thread_id=thread_id,
            turn_id="turn",
            tool=await self.tool(name),
            arguments_json=json.dumps(arguments, sort_keys=True, separators=(",", ":")),
            folder=folder,
            sandbox=sandbox,
        )

    async def call(
        self, name: str, *, deadline: float = 30.0, thread_id: str = "thread", **arguments: Any
    ) -> ToolOutcome:
        intent = await self.intent(name, arguments, thread_id=thread_id)
        return await self.gateway.call(intent, deadline_seconds=deadline)

    async def told(self, what: str, *, deadline: float = 30.0) -> tuple[str, list[CallProgress]]:
        """The same, with the progress that the host passed on meanwhile."""
        told: list[CallProgress] = []
        intent = await self.intent("act", {"what": what})
        outcome = await self.gateway.call(intent, deadline_seconds=deadline, on_progress=told.append)
        return outcome.text, told

    async def act(self, what: str, *, deadline: float = 30.0) -> str:
        """Have the hostile server do something and return the text of the result."""
        return (await self.call("act", what=what, deadline=deadline)).text


@asynccontextmanager
async def mcp_world(
    configs: Sequence[ServerConfig], prompts: UserPrompts | None = None, **options: Any
) -> AsyncGenerator[McpWorld, None]:
    """Start the servers; at the end everything is closed and no task may be left. Waits long: machines may be busy."""
    failures: list[str] = []
    tasks = TaskSupervisor(lambda name, error: failures.append(f"{name}: {error!r}"))
    waits = {"settle_seconds": 50.0, "bundled_settle_seconds": 50.0, **options}
    gateway = McpGateway(configs, prompts=prompts or ScriptedPrompts(), tasks=tasks, **waits)
    gateway.start()
    world = McpWorld(gateway, tasks)
    world.failures = failures
    try:
        yield world
    finally:
        await gateway.close()
        assert await tasks.close() == []
    if prompts is None or not isinstance(prompts, ScriptedPrompts) or not prompts.unexpected:
        assert world.failures == []
