"""The host layer as a client of the official conformance suite: ``python tests/conformance/client.py URL``.

Connects as the app does, calls every tool once with simple arguments, and answers forms as somebody who presses Enter
on the defaults. The suite judges what it sees on the wire; the exit status says only whether there was a connection.
"""

import asyncio
import json
import logging
import os
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from desktop.core.errors import ToolError
from desktop.core.ids import new_id
from desktop.core.settings import SettingsStore
from desktop.core.tasks import TaskSupervisor
from desktop.mcp_client.gateway import McpGateway
from desktop.mcp_client.sign_in_record import SignIns
from desktop.tools.entities import (
    ApprovalAnswer,
    ApprovalRequest,
    CallIntent,
    Choice,
    ElicitationAction,
    ElicitationAnswer,
    ElicitationMode,
    ElicitationRequest,
    ServerConfig,
    ServerState,
    ToolDescriptor,
    Transport,
)
from desktop.tools.ports import UserPrompts
from desktop.tools.server_sampling import SamplingChoice, SamplingDecision, SamplingQuestion
from desktop.tools.server_secrets import ServerSecrets
from desktop.tools.sign_in import OAuthClient, sign_in_name
from desktop.ui.state.form_state import default_content
from tests.support.in_memory_secrets import InMemorySecrets
from tests.support.oauth_world import Browser
from tests.support.waiting import until

CLIENT = {"client_id", "client_secret"}
_SIMPLE: Mapping[str, Any] = {"string": "text", "number": 5, "integer": 3, "boolean": True, "array": [], "object": {}}


class Defaults(UserPrompts):
    """Sends every form as it stands, and opens no page."""

    async def approve(self, request: ApprovalRequest) -> ApprovalAnswer:
        return ApprovalAnswer(choice=Choice.REFUSE)

    async def elicit(self, request: ElicitationRequest) -> ElicitationAnswer:
        content = default_content(request.schema) if request.mode is ElicitationMode.FORM else None
        if content is None:
            return ElicitationAnswer(action=ElicitationAction.CANCEL)
        return ElicitationAnswer(action=ElicitationAction.ACCEPT, content=content)

    async def sample(self, question: SamplingQuestion) -> SamplingDecision:
        return SamplingDecision(choice=SamplingChoice.REFUSE)


def simple_arguments(tool: ToolDescriptor) -> str:
    """Return something for each required argument."""
    fields = tool.input_schema.get("properties") or {}
    required = tool.input_schema.get("required") or []
    values = {name: _SIMPLE.get(fields.get(name, {}).get("type"), "text") for name in required}
    return json.dumps(values, sort_keys=True)


def server(url: str) -> ServerConfig:
    """The server as somebody set it up who was given what the scenario gives its client."""
    given = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT", "{}"))
    client = (
        OAuthClient(client_id=given["client_id"], client_secret=given["client_secret"])
        if set(given) >= CLIENT
        else None
    )
    if os.environ.get("MCP_CONFORMANCE_SCENARIO") == "auth/basic-cimd":
        client = OAuthClient(client_id="https://conformance-test.local/client-metadata.json")
    return ServerConfig(id="suite", transport=Transport.HTTP, url=url, sign_in=sign_in_name("suite"), oauth=client)


class Person:
    """Clicks on “Sign in” whenever a server asks for it, but not for ever, and then tries again."""

    def __init__(self, gateway: McpGateway) -> None:
        self._gateway = gateway
        self._patience = 3

    async def see_to_sign_in(self) -> bool:
        """Whether it is worth another try."""
        await self._gateway.tools()
        if self._state is not ServerState.NEEDS_SIGN_IN or not self._patience:
            return False
        self._patience -= 1
        self._gateway.sign_in("suite")
        await until(lambda: self._state in (ServerState.READY, ServerState.NEEDS_SIGN_IN, ServerState.FAILED))
        return self._state is ServerState.READY

    async def call(self, call: CallIntent) -> str:
        while True:
            try:
                outcome = await self._gateway.call(call, deadline_seconds=30)
                return f"{'error' if outcome.is_error else 'ok'} {outcome.text[:200]}"
            except ToolError as error:
                if error.code == "tool.server_gone":
                    await until(lambda: self._state is not ServerState.READY)
                if not await self.see_to_sign_in():
                    return f"{error.code} {error.params}"

    @property
    def _state(self) -> ServerState:
        return self._gateway.statuses()[0].state


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


async def main(url: str) -> int:
    """Return the exit status."""
    tasks, secrets = TaskSupervisor(), InMemorySecrets()
    settings = SettingsStore(Path(tempfile.mkdtemp()) / "settings.json")
    gateway = McpGateway(
        [server(url)],
        prompts=Defaults(),
        tasks=tasks,
        settle_seconds=30,
        sign_ins=SignIns(ServerSecrets(settings, secrets, tasks), secrets),
        pages=Browser(),
    )
    gateway.start()
    try:
        person = Person(gateway)
        await person.see_to_sign_in()
        for tool in await gateway.tools():
            call = CallIntent(
                call_id=new_id(), thread_id="thread", turn_id="turn", tool=tool, arguments_json=simple_arguments(tool)
            )
            say(f"{tool.name}: {await person.call(call)}")
        status = gateway.statuses()[0]
        say(f"{status.state} {status.text}")
        return 0 if status.is_ready else 1
    finally:
        await gateway.close()
        await tasks.close()


if __name__ == "__main__":
    logging.basicConfig(level=logging.WARNING)
    sys.exit(asyncio.run(main(sys.argv[-1])))
