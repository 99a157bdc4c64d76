"""Chats in a real store, a model that reads them by script, and what is remembered of them in the end."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from desktop.agent.chat_service import ChatService
from desktop.agent.loop import AgentLoop
from desktop.agent.memory_writer import MemoryWriter, Reader
from desktop.agent.request_recorder import RequestRecorder
from desktop.conversation.entities import Thread, ThreadOptions
from desktop.conversation.service import ConversationService
from desktop.core.costs import Cost
from desktop.core.errors import ModelError
from desktop.core.language_model import LanguageModel, UserMessage
from desktop.core.memory_settings import MemoryUse
from desktop.core.tasks import TaskSupervisor
from desktop.memory.entities import MemoryItem, MemoryStatus
from desktop.memory.service import MemoryService
from desktop.storage.store import Store
from tests.support.memory_service import memory_service
from tests.support.scripted_model import ScriptedModel, Step, said
from tests.support.stores import opened, say

MONDAY = datetime(2026, 3, 2, 12, tzinfo=UTC)
EVERY = tuple(MemoryStatus)


class ReadingModel(ScriptedModel):
    """A scripted model that is not the built-in demo."""

    name = "reader"
    is_scripted = False

    @property
    def told(self) -> str:
        """The last message it was sent."""
        last = self.requests[-1].messages[-1]
        assert isinstance(last, UserMessage)
        return last.text


def found(*items: Mapping[str, Any]) -> Step:
    """What a model answers that found these: ``quote``, ``text`` and what differs from an ordinary fact."""
    usual = {"message": 1, "kind": "fact", "importance": 0.6, "action": "add", "known": 0}
    return said(json.dumps({"items": [{**usual, **item} for item in items]}, ensure_ascii=False))


NOTHING = found()


@dataclass
class ReadingWorld:
    store: Store
    memory: MemoryService
    chat: ChatService
    tasks: TaskSupervisor
    model: LanguageModel | None
    remembers: bool = True
    usual: MemoryUse = MemoryUse.EVERYWHERE
    told: list[str] = field(default_factory=list[str])
    """A word for each time that something was told to have changed."""
    threads: dict[str, str] = field(default_factory=dict[str, str])
    """The ids of chats by the names that a test gives them."""

    async def thread(self, name: str = "chat", options: ThreadOptions | None = None) -> str:
        if name not in self.threads:
            self.threads[name] = (await self.store.threads.create_thread(options=options or ThreadOptions())).id
        return self.threads[name]

    async def say(self, text: str, *, chat: str = "chat", answer: str = "I see.") -> str:
        """Say something in a chat, which is answered; return the id of the user's message."""
        answered = await say(self.store, await self.thread(chat), text, answer)
        assert answered.parent_id is not None
        return answered.parent_id

    def writer(self, *, idle_seconds: float = 0.0) -> MemoryWriter:
        return MemoryWriter(
            chat=self.chat,
            repository=self.store.threads,
            readings=self.store.readings,
            memory=self.memory,
            taints=self.store.taints,
            tasks=self.tasks,
            reader=self._reader,
            remembers=lambda: self.remembers,
            usual=lambda: self.usual,
            beside=RequestRecorder(self.store.requests, self.tasks).beside,
            clock=lambda: MONDAY,
            idle_seconds=idle_seconds,
        )

    def _reader(self, _thread: Thread) -> Reader:
        if self.model is None:
            raise ModelError("model.no_endpoint")
        return Reader(model=self.model, recorded_as="reader", cost_of=lambda _usage: Cost(amount=0.5, currency="EUR"))

    async def read(self) -> None:
        """Read all that was said, as after a start of the program."""
        writer = self.writer()
        writer.start()
        await all_read(self.store)
        await writer.close()

    async def hear(self, text: str, *steps: Step, chat: str = "chat") -> str:
        """Say something and let it be read by a model that answers so; return the id of the message."""
        if isinstance(self.model, ScriptedModel):
            self.model.script(*steps)
        message_id = await self.say(text, chat=chat)
        await self.read()
        return message_id

    async def items(self, *statuses: MemoryStatus) -> list[MemoryItem]:
        """What is remembered, the oldest first."""
        return list(await self.memory.search(statuses=statuses or (MemoryStatus.ACTIVE,)))[::-1]

    async def texts(self, *statuses: MemoryStatus) -> list[str]:
        return [item.text for item in await self.items(*statuses)]

    async def read_again(self) -> None:
        """Let nothing count as read, as after a loss of that table."""
        await self.store.database.write(lambda connection: connection.execute("DELETE FROM readings").close())
        await self.read()


async def all_read(store: Store) -> None:
    """Wait until nothing is unread."""
    async with asyncio.timeout(20):
        while await store.readings.unread_threads():  # noqa: ASYNC110 - there is no event for it
            await asyncio.sleep(0.005)


@asynccontextmanager
async def reading_world(folder: Path, model: LanguageModel | None = None) -> AsyncIterator[ReadingWorld]:
    """Without a model rules alone read."""

    def no_loop(_options: ThreadOptions) -> AgentLoop:
        raise AssertionError("nobody answers in this test")

    failures: list[BaseException] = []
    tasks = TaskSupervisor(lambda _name, error: failures.append(error))
    async with opened(folder, lambda: MONDAY) as store:
        memory = memory_service(store.memory, store.passages, tasks)
        chat = ChatService(
            conversations=ConversationService(store.threads), repository=store.threads, loop=no_loop, tasks=tasks
        )
        try:
            world = ReadingWorld(store, memory, chat, tasks, model)
            memory.changed.connect(lambda: world.told.append("changed"))
            yield world
        finally:
            await tasks.close()
    assert failures == []
