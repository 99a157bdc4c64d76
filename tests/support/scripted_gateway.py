"""Servers made of a list of tools and outcomes; says what was called and how long it was given."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from desktop.core.digests import sha256_of_json
from desktop.core.signal import Signal
from desktop.tools.entities import CallIntent, ServerState, ServerStatus, ToolDescriptor, ToolOutcome
from desktop.tools.pinned import ServerListing
from desktop.tools.ports import ProgressListener
from desktop.tools.server_report import ServerReport

Scripted = ToolOutcome | Exception | Callable[[CallIntent], ToolOutcome | Awaitable[ToolOutcome]] | None
"""An outcome, an exception to raise, a function of the call, or None for a call that never ends by itself."""

SHELL_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "command": {"type": "string"},
        "is_need_user_check": {"type": "boolean", "default": False},
        "timeout": {"type": "number", "default": 10},
    },
    "required": ["command"],
    "additionalProperties": False,
}


def tool(
    name: str,
    schema: dict[str, Any] | None = None,
    *,
    server_id: str = "files",
    bundled: bool = False,
    annotations: dict[str, Any] | None = None,
    description: str = "",
) -> ToolDescriptor:
    """Return a tool as a gateway would list it."""
    schema = {"type": "object"} if schema is None else schema
    return ToolDescriptor(
        server_id=server_id,
        name=name,
        alias=f"{server_id}__{name}",
        title=name,
        description=description,
        input_schema=schema,
        definition_hash=sha256_of_json([server_id, name, description, schema, annotations]),
        bundled=bundled,
        annotations=annotations or {},
    )


def shell_tool() -> ToolDescriptor:
    """Return the bundled tool that runs a command."""
    return tool("execute_command_local", SHELL_SCHEMA, server_id="command", bundled=True)


class ScriptedGateway:
    """Implements ``tools.ports.ToolGateway``. Without an outcome for a tool its calls answer ``done``."""

    def __init__(self, *tools: ToolDescriptor, outcomes: dict[str, Scripted] | None = None) -> None:
        self._tools = tools
        self._outcomes = outcomes or {}
        self.status_changed = Signal[ServerStatus]()
        self.servers_changed: Signal[[]] = Signal()
        self.called: list[CallIntent] = []
        self.deadlines: list[float] = []
        self.cancelled = 0
        self.calling = asyncio.Event()
        """Set once a call has arrived."""

    async def tools(self) -> tuple[ToolDescriptor, ...]:
        return self._tools

    def statuses(self) -> tuple[ServerStatus, ...]:
        servers = dict.fromkeys(tool.server_id for tool in self._tools)
        return tuple(ServerStatus(server_id=server, state=ServerState.READY) for server in servers)

    def tools_of(self, server_id: str) -> tuple[ToolDescriptor, ...]:
        return tuple(tool for tool in self._tools if tool.server_id == server_id)

    def listing_of(self, server_id: str) -> ServerListing | None:
        return None

    def report(self, server_id: str) -> ServerReport | None:
        return None

    def restart(self, server_id: str) -> None:
        raise AssertionError("no server of this test can be restarted")

    def accept_place(self, server_id: str) -> None:
        raise AssertionError("no server of this test is refused for its place")

    async def call(
        self, intent: CallIntent, *, deadline_seconds: float, on_progress: ProgressListener | None = None
    ) -> ToolOutcome:
        self.called.append(intent)
        self.deadlines.append(deadline_seconds)
        self.calling.set()
        outcome = self._outcomes.get(intent.tool.name, ToolOutcome(text="done"))
        if outcome is None:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                self.cancelled += 1
                raise
        if isinstance(outcome, Exception):
            raise outcome
        if isinstance(outcome, ToolOutcome):
            return outcome
        assert outcome is not None
        result = outcome(intent)
        return result if isinstance(result, ToolOutcome) else await result
