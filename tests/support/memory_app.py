"""The app's core on a data folder, as the window builds it, with a provider that answers, reads, sums up and embeds."""

import asyncio
import json
import re
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import numpy

from desktop.agent.run import Run
from desktop.agent.summary_material import CONDENSE
from desktop.agent.summary_material import INSTRUCTION as SUM_UP
from desktop.app.container import Container, open_container
from desktop.app.options import LaunchOptions
from desktop.core.memory_settings import EmbedderKind, MemorySettings
from desktop.core.settings import AgentSettings, EndpointSettings, Settings, SettingsStore
from desktop.core.tasks import TaskSupervisor
from desktop.memory.extraction import INSTRUCTION as READ
from desktop.memory.ports import Vector
from desktop.memory.recall import RecallRules
from desktop.tools.entities import ApprovalAnswer, ApprovalRequest, ElicitationAnswer, ElicitationRequest
from desktop.tools.ports import UserPrompts
from desktop.tools.server_sampling import SamplingDecision, SamplingQuestion
from tests.support.agreed_servers import agreed
from tests.support.endpoint import Answer, LoopbackEndpoint, call, text
from tests.support.endpoint_wire import RecordedRequest
from tests.support.in_memory_secrets import InMemorySecrets
from tests.support.scripted_prompts import allow_once
from tests.support.vector_answers import answer_with, numbers_of
from tests.support.waiting import until

SERVER = Path(__file__).parent / "bringing_server.py"
DIMENSIONS = 32
EMBEDDERS = ("embedder-a", "embedder-b")
_BEHIND = ("run ", "title of", "summary of", "record of", "count what")
"""Tasks that are set off by a message."""
_COLLECTED = re.compile(r"I collect [a-z]+ [\u4e00-\u9fff]+")
_RARE = re.compile(r"[a-z]{14} [\u4e00-\u9fff]{6}")


def embed(request: RecordedRequest) -> Answer:
    model = request.body["model"]
    return answer_with([numbers_of(f"{model} {one}", DIMENSIONS) for one in request.body["input"]], reverse=True)


def vector_of(model: str, of: str) -> Vector:
    """What the app makes of the provider's answer: a vector of length one."""
    numbers = numpy.array(numbers_of(f"{model} {of}", DIMENSIONS))
    return (numbers / numpy.linalg.norm(numbers)).astype("<f4").tobytes()


def answer(request: RecordedRequest) -> Answer:
    """Reads facts where it is asked for that, sums up, finds titles, calls a tool on "Bring", else repeats what was typed."""
    system = request.messages[0]["content"] if request.messages[0]["role"] == "system" else ""
    last = str(request.last_user_text)
    typed = last.rpartition("\n")[2]  # below what it is told of before
    if system.startswith(READ[:60]):
        facts = [{"quote": quote, "text": f"{quote}."} for quote in dict.fromkeys(_COLLECTED.findall(last))]
        usual = {"message": 1, "kind": "fact", "importance": 0.6, "action": "add", "known": 0}
        return [text(json.dumps({"items": [{**usual, **fact} for fact in facts]}, ensure_ascii=False))]
    if system in (SUM_UP, CONDENSE):
        return [text("\n".join(f"Of {rare}." for rare in dict.fromkeys(_RARE.findall(last))) or "Nothing.")]
    if "name conversations" in str(request.messages):
        return [text("About " + (_RARE.findall(last) or ["nothing much"])[0])]
    if typed.startswith("Bring ") and not request.tool_results:
        return [call("own__bring", {"words": typed.removeprefix("Bring ")})]
    return [text(f"As you say: {typed}")]


def loopback(script: Callable[[RecordedRequest], Answer] = answer) -> LoopbackEndpoint:
    return LoopbackEndpoint(script, models=("talker",), vectors=embed)


def write_settings(data_dir: Path, base_url: str, *, tools: bool = True) -> SettingsStore:
    """Settings of a user whose provider talks and embeds; without ``tools`` no server is started."""
    talker = EndpointSettings(id="home", name="Home", base_url=base_url, model="talker")
    memory = MemorySettings(embedder=EmbedderKind.ENDPOINT, embedding_endpoint_id="home", embedding_model=EMBEDDERS[0])
    settings = Settings(
        endpoints=(talker,),
        endpoint_id="home",
        welcomed=True,
        bundled_servers_off=("command",),
        mcp_servers={"own": {"command": sys.executable, "args": [str(SERVER)]}} if tools else {},
        agent=AgentSettings(name_chats=True),
        memory=memory,
    )
    store = SettingsStore(data_dir / "settings.json")
    store.update(agreed(settings))
    return store


class Agreeing(UserPrompts):
    """A person who allows every call once, and is asked nothing else."""

    async def approve(self, request: ApprovalRequest) -> ApprovalAnswer:
        return allow_once()

    async def elicit(self, request: ElicitationRequest) -> ElicitationAnswer:
        raise AssertionError(request)

    async def sample(self, question: SamplingQuestion) -> SamplingDecision:
        raise AssertionError(question)


class MemoryApp:
    """The core while it runs."""

    def __init__(self, container: Container) -> None:
        self.container = container
        self.store = container.store
        self.memory = container.memory.service
        self.documents = container.memory.documents

    async def say(self, thread_id: str | None, words: str, **more: object) -> Run:
        """Send a message and return when its answer has ended."""
        run = await self.container.chat.send(thread_id, words, **more)  # pyright: ignore[reportArgumentType]
        await self.ended(run)
        return run

    async def ended(self, run: Run) -> None:
        """The run is over, and its chat free for another message."""
        await until(lambda: run.terminal is not None and not self.container.chat.runs_of(run.thread_id), within=90)

    async def settled(self) -> None:
        """Everything that was set off by what was said has ended: titles, requests, summaries, facts, documents."""
        async with asyncio.timeout(120):
            await until(lambda: not any(task.get_name().startswith(_BEHIND) for task in asyncio.all_tasks()), within=90)
            while await self.store.readings.unread_threads():  # noqa: ASYNC110 - there is no event for it
                await asyncio.sleep(0.01)
        await self.memory.indexing.catch_up()

    def change_memory(self, **changes: object) -> None:
        settings = self.container.settings
        memory = replace(settings.settings.memory, **changes)  # pyright: ignore[reportArgumentType]
        settings.update(replace(settings.settings, memory=memory))


@asynccontextmanager
async def memory_app(data_dir: Path, *, starts: bool = True) -> AsyncGenerator[MemoryApp, None]:
    """Open it, where recall may take as long as a busy machine needs, and close it as the window does.

    Without ``starts`` it is as before anything is written: neither servers nor memory are wanted yet.
    """
    failures: list[str] = []
    tasks = TaskSupervisor(lambda name, error: failures.append(f"{name}: {error!r}"))
    container = await open_container(
        LaunchOptions(data_dir=data_dir), Agreeing(), tasks, secrets=InMemorySecrets(), decider="user"
    )
    container.memory.service._recall._rules = RecallRules(deadline_seconds=30)  # pyright: ignore[reportPrivateUsage]
    container.memory.recaller._deadline_seconds = 60  # pyright: ignore[reportPrivateUsage]
    container.memory_writer._idle_seconds = 0  # pyright: ignore[reportPrivateUsage]
    try:
        if starts:
            container.gateway.start()
            container.memory.start()
            container.memory_writer.start()
        if starts and container.settings.settings.mcp_servers:
            await until(lambda: all(status.is_ready for status in container.gateway.statuses()), within=90)
        yield MemoryApp(container)
    finally:
        await container.close()
    assert failures == [], failures
