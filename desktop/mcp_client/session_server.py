"""Shared sessions in the bundled memory server: a process of the app's own, which no model is offered the tools of."""

import asyncio
import json
import logging
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import desktop
from desktop.core.errors import ThreadwellError, ToolError
from desktop.core.ids import new_id
from desktop.core.secrets import SecretStore
from desktop.core.session_settings import REDIS_PASSWORD, SessionPlace, with_password
from desktop.core.tasks import TaskSupervisor
from desktop.mcp_client.gateway import McpGateway
from desktop.memory.sessions import SessionEntry, SessionStore
from desktop.tools.entities import CallIntent, ServerConfig, ServerState, ToolDescriptor, ToolOutcome, Transport
from desktop.tools.ports import UserPrompts

MEMORY_SERVER_ID = "memory"
MOST_ITEMS = 200
_CALL_SECONDS = 12.0
"""Redis itself is waited for ten seconds, see the server."""
_START_SECONDS = 30.0
_MOST_DETAIL = 400
_REDIS_PORT = 6379
_CAUSES = {
    "cannot be reached": "session.unreachable",
    "refuses the user name or the password": "session.refused",
    "NOAUTH": "session.refused",
    "WRONGPASS": "session.refused",
    "is starting and not ready": "session.starting",
    "the Python package redis is not installed": "session.no_package",
}
"""By what the server says (``servers.memory.redis_store``)."""

logger = logging.getLogger(__name__)


def bundled_memory_server(data_folder: Path, place: SessionPlace, password: str) -> ServerConfig:
    """Return how the server is started that keeps sessions there."""
    arguments = ["mcp-server", "memory", "--file", str(data_folder.absolute() / "short-term-memory.db")]
    if place.redis_url and place.as_lists:
        arguments.append("--chat-lists")
    frozen = bool(getattr(sys, "frozen", False))
    return ServerConfig(
        id=MEMORY_SERVER_ID,
        transport=Transport.STDIO,
        command=sys.executable,
        args=tuple(arguments if frozen else ("-m", "desktop", *arguments)),
        env={"REDIS_URL": with_password(place.redis_url, password)} if place.redis_url else {},
        cwd="" if frozen else str(Path(desktop.__file__).resolve().parents[1]),
    )


class SessionServer(SessionStore):
    """Implements ``SessionStore`` with one server for each place that is in use, started with its first call."""

    def __init__(
        self,
        data_folder: Path,
        *,
        prompts: UserPrompts,
        tasks: TaskSupervisor,
        secrets: SecretStore,
        on_secret: Callable[[str], None] = lambda _secret: None,
    ) -> None:
        """``on_secret`` hears the password before it is used."""
        self._data_folder = data_folder
        self._prompts = prompts
        self._tasks = tasks
        self._secrets = secrets
        self._on_secret = on_secret
        self._gateways: dict[SessionPlace, McpGateway] = {}
        self._opening = asyncio.Lock()
        self._is_closed = False

    def warm_up(self, place: SessionPlace) -> None:
        if place not in self._gateways and not self._is_closed:
            self._tasks.spawn(self._warm_up(place), name="start the memory server")

    async def append(self, place: SessionPlace, session: str, role: str, text: str) -> None:
        await self._call(place, "mem_append", session_id=session, role=role, text=text, max_items=MOST_ITEMS)

    async def recent(self, place: SessionPlace, session: str, n: int) -> Sequence[SessionEntry]:
        return await asyncio.to_thread(_entries, await self._call(place, "mem_recent", session_id=session, n=n))

    async def clear(self, place: SessionPlace, session: str) -> None:
        await self._call(place, "mem_clear", session_id=session)

    async def test(self, place: SessionPlace, password: str | None = None) -> None:
        gateway = self._new(place, await self._password(place) if password is None else password)
        try:
            gateway.start()
            await _ask(gateway, place, "mem_recent", session_id="threadwell-connection-test", n=1)
        finally:
            await gateway.close()

    async def forget_connections(self) -> None:
        gateways, self._gateways = list(self._gateways.values()), {}
        for gateway in gateways:
            await gateway.close()

    async def close(self) -> None:
        """End the servers; calls after this fail."""
        self._is_closed = True
        await self.forget_connections()

    async def _warm_up(self, place: SessionPlace) -> None:
        await self._gateway(place)

    async def _call(self, place: SessionPlace, name: str, **arguments: Any) -> str:
        return await _ask(await self._gateway(place), place, name, **arguments)

    async def _gateway(self, place: SessionPlace) -> McpGateway:
        async with self._opening:
            if self._is_closed:
                raise ThreadwellError("session.failed", detail="The program ends.")
            if place not in self._gateways:
                gateway = self._gateways[place] = self._new(place, await self._password(place))
                gateway.start()
            return self._gateways[place]

    async def _password(self, place: SessionPlace) -> str:
        return (await self._secrets.get(REDIS_PASSWORD) or "") if place.redis_url else ""

    def _new(self, place: SessionPlace, password: str) -> McpGateway:
        if password:
            self._on_secret(password)
        config = bundled_memory_server(self._data_folder, place, password)
        return McpGateway([config], prompts=self._prompts, tasks=self._tasks, settle_seconds=_START_SECONDS)


async def _ask(gateway: McpGateway, place: SessionPlace, name: str, **arguments: Any) -> str:
    """Raises ``ThreadwellError`` (``session.…``)."""
    if name != "mem_clear":
        arguments["ttl_s"] = place.seconds
    try:
        outcome = await _outcome(gateway, name, arguments)
    except ToolError as error:
        raise _error(place, str(error.params.get("detail", "") or error)) from error
    if outcome.is_error:
        raise _error(place, outcome.text)
    return outcome.text


def _error(place: SessionPlace, text: str) -> ThreadwellError:
    if place.redis_url:
        parts = urlsplit(place.redis_url)
        server = f"{parts.hostname}:{parts.port or _REDIS_PORT}"
        for words, code in _CAUSES.items():
            if words in text:
                return ThreadwellError(code, server=server)
    return ThreadwellError("session.failed", detail=text.strip()[:_MOST_DETAIL])


async def _outcome(gateway: McpGateway, name: str, arguments: dict[str, Any]) -> ToolOutcome:
    for status in gateway.statuses():
        if status.state is ServerState.FAILED:
            gateway.restart(status.server_id)
    tool = await _tool(gateway, name)
    intent = CallIntent(
        call_id=new_id(),
        thread_id="",
        turn_id="",
        tool=tool,
        arguments_json=json.dumps(arguments, ensure_ascii=False, sort_keys=True, separators=(",", ":")),
    )
    return await gateway.call(intent, deadline_seconds=_CALL_SECONDS)


async def _tool(gateway: McpGateway, name: str) -> ToolDescriptor:
    found = next((tool for tool in await gateway.tools() if tool.name == name), None)
    if found is None:
        texts = [status.text for status in gateway.statuses() if status.text]
        raise ToolError("tool.failed", detail=texts[0] if texts else "The memory server did not start.")
    return found


def _entries(text: str) -> list[SessionEntry]:
    """Return what the server sent; whatever is no entry is left out."""
    try:
        items = json.loads(text or "[]")
    except (ValueError, RecursionError):
        logger.warning("the memory server sent what cannot be read")
        return []
    found: list[SessionEntry] = []
    for item in items if isinstance(items, list) else []:
        match item:
            case {"ts": int() | float() as ts, "role": str() as role, "text": str() as said}:
                found.append(SessionEntry(float(ts), role, said))
            case _:
                pass
    return found
