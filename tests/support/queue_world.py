"""Chats on a real store that ask a loopback endpoint, with the queue of what is written meanwhile; can be opened again."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from desktop.agent.chat_service import ChatService
from desktop.agent.loop import AgentLoop
from desktop.agent.message_queue import MessageQueue
from desktop.conversation.entities import AskedModel, AttachmentPart, Message, ThreadOptions
from desktop.conversation.service import ConversationService
from desktop.core.endpoint_list import Answering
from desktop.core.errors import ModelError, ThreadwellError
from desktop.core.paths import DataPaths
from desktop.core.settings import EndpointSettings
from desktop.core.tasks import TaskSupervisor
from desktop.providers.openai_language_model import OpenAILanguageModel
from desktop.providers.patience import Patience
from desktop.storage.store import Store, open_store
from desktop.tools.service import ToolService
from tests.support.endpoint import Answer, LoopbackEndpoint, call, finish, hold, status, text
from tests.support.endpoint_wire import RecordedRequest
from tests.support.run_world import BehavingGateway, echo
from tests.support.scripted_prompts import Scripted, ScriptedPrompts
from tests.support.waiting import until

QUICK = Patience(pauses=(0.001,), reconnect_seconds=0.001, loading_pause_seconds=0.001, hint_seconds=0.05)


def last_words(request: RecordedRequest) -> str:
    """What was said last; messages without an answer between them come as one."""
    return request.last_user_text.split("\n")[-1]


def by_its_words(request: RecordedRequest) -> Answer:
    """A message says how it is answered: ``hold x`` until that is released, ``fail``, ``long`` (cut off), ``tool``.

    Who is asked for a plan gives one.
    """
    words = last_words(request)
    model = request.body["model"]
    if any(tool["function"]["name"] == "propose_plan" for tool in request.body.get("tools", ())):
        return [call("propose_plan", {"steps": ["wade in", "swim"]})]
    if words.startswith("hold"):
        name = f"{words} {model}" if model != "own" else words
        return [text("begun"), hold(name), text(f" and done: {words}")]
    if words.startswith("fail"):
        return [status(400, {"error": {"message": "no"}})]
    if words.startswith("long"):
        return [text("half"), finish("length")]
    if words.startswith("tool") and not request.tool_results:
        return [call("files__echo", {"a": 1})]
    return [text(f"about {words}")]


class QueueWorld:
    """``shown_errors`` are failures that the user was told of."""

    def __init__(self, store: Store, endpoint: LoopbackEndpoint, answers: Sequence[Scripted]) -> None:
        self.store = store
        self.endpoint = endpoint
        self.tasks = TaskSupervisor()
        self.prompts = ScriptedPrompts(*answers)
        self._models = {
            name: OpenAILanguageModel(base_url=endpoint.base_url, model=name, patience=QUICK) for name in ("own", "two")
        }
        self._tools = ToolService(
            gateway=BehavingGateway({"echo": echo}),
            prompts=self.prompts,
            journal=store.journal,
            grants=store.grants,
            taints=store.taints,
            workspace=lambda: "/workspace",
        )
        self.conversations = ConversationService(store.threads)
        self.chat = ChatService(
            conversations=self.conversations,
            repository=store.threads,
            loop=self._loop,
            tasks=self.tasks,
            answering=lambda options: Answering(endpoint=EndpointSettings(id="here", model=options.model or "own")),
            titles_wanted=lambda: False,
        )
        self.queue = MessageQueue(
            chat=self.chat,
            conversations=self.conversations,
            repository=store.threads,
            store=store.queue,
            tasks=self.tasks,
        )
        self.shown_errors: list[ThreadwellError] = []
        self.queue.failed.connect(lambda error: self.shown_errors.append(error))

    def _loop(self, options: ThreadOptions) -> AgentLoop:
        model = options.model or "own"
        if model not in self._models:
            raise ModelError("model.endpoint_gone", model=model)
        return AgentLoop(
            model=self._models[model],
            repository=self.store.threads,
            tools=self._tools,
            system_prompt=lambda: "",
            step_limit=10,
        )

    async def ask(self, words: str, thread_id: str | None = None, *beside: str) -> str:
        """Send at once, as the first message of a chat or in one that is free; returns the chat's id."""
        asked = [AskedModel(endpoint_id="here", model=model) for model in beside]
        return (await self.chat.send(thread_id, words, beside=asked)).thread_id

    async def add(self, thread_id: str, *words: str, files: Sequence[AttachmentPart] = ()) -> list[str]:
        """Let messages wait; returns their ids."""
        return [(await self.queue.add(thread_id, each, files)).id for each in words]

    def waiting(self, thread_id: str) -> list[str]:
        return [message.text for message in self.queue.queue_of(thread_id).messages]

    async def path(self, thread_id: str) -> tuple[Message, ...]:
        return await self.store.threads.path(thread_id)

    async def said(self, thread_id: str) -> list[str]:
        """What the user said on the path, in order."""
        return [message.text for message in (await self.path(thread_id))[::2]]

    def rests(self, thread_id: str) -> bool:
        """Whether nothing answers, and nothing is about to be sent."""
        queue = self.queue.queue_of(thread_id)
        is_free = not self.chat.runs_of(thread_id) and not queue.sending
        return is_free and (not queue.messages or queue.pause is not None or bool(queue.held))

    async def at_rest(self, thread_id: str) -> None:
        """Wait until it rests."""
        await until(lambda: self.rests(thread_id))

    async def begun(self, words: str) -> None:
        """Wait until the endpoint was asked this."""
        await self.endpoint.wait_until(lambda e: any(last_words(chat) == words for chat in e.chats))

    async def close(self) -> None:
        await self.queue.close()
        await self.chat.close()
        await self.tasks.close()
        for model in self._models.values():
            await model.close()


@asynccontextmanager
async def queue_world(folder: Path, endpoint: LoopbackEndpoint, *answers: Scripted) -> AsyncGenerator[QueueWorld, None]:
    store = await open_store(DataPaths(folder))
    await store.threads.recover()
    world = QueueWorld(store, endpoint, answers)
    try:
        yield world
        assert endpoint.problems == []
    finally:
        await world.close()
        await store.close()
