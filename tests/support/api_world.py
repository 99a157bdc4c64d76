"""The local API on a real port before chats on a real store, which ask a loopback endpoint."""

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from desktop.api.guard import ApiLimits
from desktop.api.local_api import LocalApi
from desktop.api.services import ApiServices
from desktop.conversation.assistants.library import AssistantLibrary
from desktop.core.api_settings import ApiSettings
from desktop.core.local_api import ApiState
from desktop.core.settings import SettingsStore
from tests.support.endpoint import LoopbackEndpoint
from tests.support.in_memory_secrets import InMemorySecrets
from tests.support.queue_world import QueueWorld, by_its_words, queue_world
from tests.support.scripted_prompts import Scripted

TOKEN = "a-token-of-this-test"
LIMITS = ApiLimits(body_bytes=200_000, heartbeat_seconds=0.05)


@dataclass(frozen=True)
class Event:
    """One that came over the wire; a comment has the kind ``:``."""

    kind: str
    id: str
    data: Mapping[str, Any]


class ApiWorld:
    """A running API. ``client`` sends the token."""

    def __init__(
        self,
        chats: QueueWorld,
        api: LocalApi,
        client: httpx.AsyncClient,
        settings: SettingsStore,
        assistants: AssistantLibrary,
    ) -> None:
        self.assistants = assistants
        self.chats = chats
        self.settings = settings
        self.api = api
        self.client = client

    @property
    def port(self) -> int:
        return self.api.status.port

    async def new_thread(self, **fields: object) -> str:
        answer = await self.client.post("/v1/threads", json=fields)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])

    async def say(self, thread_id: str, text: str, **fields: object) -> list[Event]:
        """Send a message and read its whole answer."""
        body = {"text": text, **fields}
        return [event async for event in self.events(thread_id, body) if event.kind != ":"]

    async def events(
        self, thread_id: str, body: Mapping[str, object], *, last_event_id: str = ""
    ) -> AsyncGenerator[Event, None]:
        """Send a message, or go on behind an event, and yield what comes, comments too."""
        headers = {"Last-Event-ID": last_event_id} if last_event_id else {}
        path = f"/v1/threads/{thread_id}/messages"
        async with self.client.stream("POST", path, json=body, headers=headers) as answer:
            assert answer.status_code == 200, await answer.aread()
            assert answer.headers["content-type"].startswith("text/event-stream")
            async for event in read_events(answer):
                yield event

    async def texts(self, thread_id: str) -> list[str]:
        """What stands in the thread, by the API's own word."""
        answer = await self.client.get(f"/v1/threads/{thread_id}/messages")
        return [message["text"] for message in answer.json()["messages"]]


async def read_events(answer: httpx.Response) -> AsyncGenerator[Event, None]:
    fields: dict[str, str] = {}
    async for line in answer.aiter_lines():
        if line.startswith(":"):
            yield Event(":", "", {})
        elif line:
            name, _, value = line.partition(": ")
            fields[name] = value
        elif fields:
            yield Event(fields["event"], fields.get("id", ""), json.loads(fields["data"]))
            fields = {}


def answer_text(events: list[Event]) -> str:
    return "".join(event.data["delta"] for event in events if event.kind == "message")


@asynccontextmanager
async def api_world(folder: Path, *answers: Scripted, limits: ApiLimits = LIMITS) -> AsyncGenerator[ApiWorld, None]:
    """Open a store in ``folder`` and the API before it; everything is closed at the end."""
    async with LoopbackEndpoint(by_its_words) as endpoint, queue_world(folder, endpoint, *answers) as chats:
        settings = SettingsStore(folder / "settings.json")
        assistants = AssistantLibrary(chats.store.assistants)
        services = ApiServices(
            chat=chats.chat,
            queue=chats.queue,
            conversations=chats.conversations,
            repository=chats.store.threads,
            settings=settings,
            tasks=chats.tasks,
            assistants=assistants,
        )
        api = LocalApi(
            services, InMemorySecrets(), token=TOKEN, always=ApiSettings(enabled=True, port=0), limits=limits
        )
        await api.follow()
        assert api.status.state is ApiState.ON, api.status
        headers = {"Authorization": f"Bearer {TOKEN}"}
        base = f"http://127.0.0.1:{api.status.port}"
        async with httpx.AsyncClient(
            base_url=base, headers=headers, timeout=20.0, trust_env=False, verify=False
        ) as client:
            try:
                yield ApiWorld(chats, api, client, settings, assistants)
            finally:
                await api.close()


async def raw(port: int, *pieces: bytes, pause: float = 0.0) -> bytes:
    """Send bytes as they are, one piece after the other, and return all that comes until the server closes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(pause)
        return await reader.read()
    except ConnectionError:
        return b""
    finally:
        writer.close()
