"""A chat on a real store with a model that reads little, so that its earlier part is summarised."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from desktop.agent.chat_service import ChatService
from desktop.agent.loop import AgentLoop
from desktop.agent.request_recorder import RequestRecorder
from desktop.agent.run import Run
from desktop.agent.summarizing import Summarizer
from desktop.agent.summary_making import SummaryWriter
from desktop.agent.summary_material import CONDENSE, INSTRUCTION
from desktop.agent.window_maker import WindowMaker
from desktop.conversation.entities import ThreadOptions
from desktop.conversation.service import ConversationService
from desktop.conversation.summaries import Summary, SummaryState
from desktop.conversation.window import Reading
from desktop.core.costs import Cost
from desktop.core.language_model import (
    FinishReason,
    ModelChunk,
    ModelRequest,
    StreamEnd,
    SystemMessage,
    TextDelta,
    Usage,
)
from desktop.core.tasks import TaskSupervisor
from desktop.storage.store import Store
from desktop.tools.service import ToolService
from desktop.tools.trust import ServerTrust
from tests.support.run_world import BehavingGateway
from tests.support.scripted_prompts import ScriptedPrompts
from tests.support.stores import opened
from tests.support.waiting import until

SMALL = Reading(context_tokens=2_000)
Notes = Callable[[str], str | BaseException]


def asks_for_notes(request: ModelRequest) -> bool:
    """Whether a request is one for a summary, and not for an answer."""
    first = request.messages[0]
    return isinstance(first, SystemMessage) and first.text in (INSTRUCTION, CONDENSE)


def wants_shorter(request: ModelRequest) -> bool:
    return request.messages[0].text == CONDENSE


class NotingModel:
    """Answers at length what it is asked, and makes notes as ``notes`` says."""

    name = "small"
    is_scripted = False

    def __init__(self, notes: Notes) -> None:
        self.notes = notes
        self.requests: list[ModelRequest] = []
        self.end = FinishReason.STOP

    @property
    def chats(self) -> list[ModelRequest]:
        return [request for request in self.requests if not asks_for_notes(request)]

    @property
    def asked_for_notes(self) -> list[ModelRequest]:
        return [request for request in self.requests if asks_for_notes(request)]

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelChunk, None]:
        self.requests.append(request)
        said: str | BaseException = "I see. " * 60
        reason = FinishReason.STOP
        if asks_for_notes(request):
            said, reason = self.notes(request.messages[-1].text), self.end
        if isinstance(said, BaseException):
            raise said
        yield TextDelta(text=said)
        yield StreamEnd(reason=reason, usage=Usage(input_tokens=100, output_tokens=20))

    async def close(self) -> None:
        """Nothing to close."""


class SummaryWorld:
    def __init__(self, store: Store, model: NotingModel, reading: Reading) -> None:
        self.store = store
        self.model = model
        self.tasks = TaskSupervisor()
        tools = ToolService(
            gateway=BehavingGateway({}),
            prompts=ScriptedPrompts(),
            journal=store.journal,
            grants=store.grants,
            taints=store.taints,
            trust=lambda _server_id: ServerTrust(is_trusted=True),
            workspace=lambda: "/workspace",
        )
        loop = AgentLoop(
            model=model,
            repository=store.threads,
            tools=tools,
            system_prompt=lambda: "You are careful.",
            step_limit=5,
            windows=WindowMaker(reading, summaries=store.summaries),
        )
        self.chat = ChatService(
            conversations=ConversationService(store.threads),
            repository=store.threads,
            loop=lambda _options: loop,
            tasks=self.tasks,
            titles_wanted=lambda: False,
        )
        self.summarizer = Summarizer(
            chat=self.chat,
            repository=store.threads,
            summaries=store.summaries,
            writer=lambda _options: SummaryWriter(
                model=lambda: model,
                recorded_as="small",
                reading=reading,
                cost_of=lambda usage: Cost(amount=usage.output_tokens or 0, currency="€"),
            ),
            tasks=self.tasks,
            beside=RequestRecorder(store.requests, self.tasks).beside,
        )
        self.thread_id = ""

    async def ask(self, words: str) -> Run:
        """Send, and wait until the answer and what is done after it have ended."""
        run = await self.chat.send(self.thread_id or None, words, options=ThreadOptions())
        self.thread_id = run.thread_id
        await run.wait_over()
        await self.settled()
        return run

    async def settled(self) -> None:
        await until(lambda: not self.chat.runs_of(self.thread_id) and not self.summarizer.is_busy(self.thread_id))

    async def talk(self, turns: int, words: str = "tell me more") -> None:
        for number in range(turns):
            await self.ask(f"{words} {number}")

    async def state(self) -> SummaryState:
        return await self.summarizer.state(self.thread_id)

    async def summary(self) -> Summary:
        summary = (await self.state()).summary
        assert summary is not None
        return summary


@asynccontextmanager
async def summary_world(
    folder: Path, notes: Notes, *, reading: Reading = SMALL, thread_id: str = ""
) -> AsyncGenerator[SummaryWorld, None]:
    async with opened(folder) as store:
        world = SummaryWorld(store, NotingModel(notes), reading)
        world.thread_id = thread_id
        try:
            yield world
        finally:
            await world.chat.close()
            await world.summarizer.close()
            await world.tasks.close()
