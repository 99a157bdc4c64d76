"""Answers with a scripted model, and all the rest real: a server in a process, the store, the reader of pictures."""

import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from desktop.agent.chat_service import ChatService
from desktop.agent.events import AgentEvent
from desktop.agent.loop import AgentLoop
from desktop.agent.window_maker import WindowMaker
from desktop.conversation.attachments import Attachments
from desktop.conversation.entities import Message, ToolResultPart
from desktop.conversation.result_files import ResultFiles
from desktop.conversation.result_text import USUAL_BYTES
from desktop.conversation.service import ConversationService
from desktop.core.language_model import ModelRequest, ToolMessage
from desktop.core.paths import DataPaths
from desktop.core.tasks import TaskSupervisor
from desktop.mcp_client.gateway import McpGateway
from desktop.storage.file_reader import FileReaderProcess
from desktop.storage.store import Store, open_store
from desktop.tools.entities import ProtocolEra, ServerConfig, Transport
from desktop.tools.service import ToolService
from tests.support.command_programs import free_port
from tests.support.run_invariants import check_request, check_run
from tests.support.scripted_model import ScriptedModel, Step
from tests.support.scripted_prompts import ScriptedPrompts, allow_once
from tests.support.web_servers import web_program

RESULT_SERVER = Path(__file__).with_name("result_server.py")


class ResultWorld:
    """Asks, and looks at what was stored and sent. Every call is allowed once."""

    def __init__(self, store: Store, gateway: McpGateway, model: ScriptedModel, room: int) -> None:
        self.store = store
        self.gateway = gateway
        self.model = model
        self.tasks = TaskSupervisor()
        self.attachments = Attachments(store.attachments, FileReaderProcess())
        self.prompts = ScriptedPrompts(*(allow_once() for _ in range(60)))
        service = ToolService(
            gateway=gateway,
            prompts=self.prompts,
            journal=store.journal,
            grants=store.grants,
            taints=store.taints,
            workspace=lambda: "/",
            results=ResultFiles(store.attachments, FileReaderProcess()),
        )
        loop = AgentLoop(
            model=model,
            repository=store.threads,
            tools=service,
            system_prompt=lambda: "",
            step_limit=40,
            images=self.attachments.images_for,
            windows=WindowMaker(result_bytes=room),
        )
        self.chat = ChatService(
            conversations=ConversationService(store.threads),
            repository=store.threads,
            loop=lambda _options: loop,
            tasks=self.tasks,
        )
        self.thread_id: str | None = None

    async def ask(self, text: str = "Go") -> list[AgentEvent]:
        """Send and wait for the end; the invariants of runs and requests are checked."""
        run = await self.chat.send(self.thread_id, text)
        self.thread_id = run.thread_id
        events = [event async for event in run.events()]
        check_run(events, await self.answer(), run.turn.assistant_message)
        for request in self.model.requests:
            check_request(request.messages)
        return events

    async def answer(self) -> Message:
        """The last message of the thread."""
        assert self.thread_id is not None
        return (await self.store.threads.path(self.thread_id))[-1]

    async def results(self) -> list[ToolResultPart]:
        return [part for part in (await self.answer()).parts if isinstance(part, ToolResultPart)]


def results_in(request: ModelRequest) -> list[ToolMessage]:
    return [message for message in request.messages if isinstance(message, ToolMessage)]


@asynccontextmanager
async def result_config(way: str, era: ProtocolEra) -> AsyncGenerator[ServerConfig, None]:
    """The server on ``stdio`` or ``http``, in one era of the protocol."""
    if way == "stdio":
        argv = (str(RESULT_SERVER), "stdio")
        yield ServerConfig(id="results", transport=Transport.STDIO, command=sys.executable, args=argv, protocol=era)
        return
    port = free_port()
    async with web_program([sys.executable, str(RESULT_SERVER), "http", str(port)], port):
        url = f"http://127.0.0.1:{port}/mcp"
        yield ServerConfig(id="results", transport=Transport.HTTP, url=url, protocol=era)


@asynccontextmanager
async def result_world(
    folder: Path,
    *steps: Step,
    way: str = "stdio",
    era: ProtocolEra = ProtocolEra.LEGACY,
    room: int = USUAL_BYTES,
) -> AsyncGenerator[ResultWorld, None]:
    store = await open_store(DataPaths(folder))
    tasks = TaskSupervisor()
    try:
        async with result_config(way, era) as config:
            gateway = McpGateway([config], prompts=ScriptedPrompts(), tasks=tasks, settle_seconds=50.0)
            gateway.start()
            world = ResultWorld(store, gateway, ScriptedModel(*steps), room)
            try:
                yield world
            finally:
                await world.chat.close()
                await world.tasks.close()
                await gateway.close()
                assert await tasks.close() == []
    finally:
        await store.close()
