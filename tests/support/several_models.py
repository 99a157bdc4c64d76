"""A chat that asks several scripted models at once, with everything in memory; runs are checked at their end."""

import asyncio
from collections.abc import Mapping, Sequence

from desktop.agent.chat_service import ChatService
from desktop.agent.events import AgentEvent
from desktop.agent.loop import AgentLoop
from desktop.agent.run import Run
from desktop.conversation.entities import AskedModel, Message, ThreadOptions
from desktop.conversation.service import ConversationService
from desktop.core.endpoint_list import Answering
from desktop.core.errors import ModelError, ThreadwellError
from desktop.core.settings import EndpointSettings
from desktop.core.tasks import TaskSupervisor
from desktop.tools.ports import UserPrompts
from desktop.tools.service import ToolService
from desktop.tools.timed_prompts import TimedPrompts
from tests.support.in_memory_threads import (
    InMemoryGrants,
    InMemoryJournal,
    InMemoryTaints,
    InMemoryThreadRepository,
)
from tests.support.run_invariants import check_request, check_run
from tests.support.run_world import BehavingGateway, Behaviour
from tests.support.scripted_model import ScriptedModel, Step
from tests.support.scripted_prompts import Scripted, ScriptedPrompts

GONE = AskedModel(endpoint_id="gone", model="lost")
"""A model whose endpoint was removed."""
BROKEN = AskedModel(endpoint_id="here", model="broken")
"""A model that cannot be asked, for want of a key."""


def at(model: str) -> AskedModel:
    return AskedModel(endpoint_id="here", model=model)


def beside(*models: str | AskedModel) -> ThreadOptions:
    """The thread's own model is the one called ``own``; these are asked beside it."""
    asked = tuple(at(model) if isinstance(model, str) else model for model in models)
    return ThreadOptions(endpoint_id="here", model="own", asked_beside=asked)


class SeveralModels:
    """``steps`` are what each model answers, by its name."""

    def __init__(
        self,
        steps: Mapping[str, Sequence[Step]],
        *,
        tools: Mapping[str, Behaviour] | None = None,
        answers: tuple[Scripted, ...] = (),
        repository: InMemoryThreadRepository | None = None,
        writes_titles: bool = False,
        prompts: UserPrompts | None = None,
    ) -> None:
        self.models = {name: ScriptedModel(*script) for name, script in steps.items()}
        for name, model in self.models.items():
            model.name, model.is_scripted = name, not writes_titles
        self.journal = InMemoryJournal()
        self.repository = repository or InMemoryThreadRepository(journal=self.journal)
        self.gateway = BehavingGateway(tools or {})
        self.prompts = ScriptedPrompts(*answers)
        self.timed = TimedPrompts(prompts or self.prompts)
        self.tasks = TaskSupervisor()
        self.tools = ToolService(
            gateway=self.gateway,
            prompts=self.timed,
            journal=self.journal,
            grants=InMemoryGrants(),
            taints=InMemoryTaints(),
            workspace=lambda: "/workspace",
        )
        self.chat = ChatService(
            conversations=ConversationService(self.repository),
            repository=self.repository,
            loop=self._loop,
            tasks=self.tasks,
            answering=self._answering,
        )
        self.failures: list[ThreadwellError] = []
        self._started: list[Run] = []
        self.chat.run_started.connect(lambda run: self._started.append(run))
        self.chat.failed.connect(lambda error: self.failures.append(error))

    def _answering(self, options: ThreadOptions) -> Answering:
        if options.endpoint_id == GONE.endpoint_id:
            return Answering(endpoint=EndpointSettings(id="here", model="own"), is_substitute=True)
        return Answering(endpoint=EndpointSettings(id="here", model=options.model or "own"))

    def _loop(self, options: ThreadOptions) -> AgentLoop:
        endpoint = self._answering(options).endpoint
        if endpoint.model == BROKEN.model:
            raise ModelError("model.key_missing", variable="NO_KEY")
        return AgentLoop(
            model=self.models[endpoint.model],
            repository=self.repository,
            tools=self.tools,
            system_prompt=lambda: "",
            step_limit=10,
            waited_seconds=self.timed.waited_seconds,
        )

    async def send(self, thread_id: str | None, *models: str | AskedModel, text: str = "hi") -> tuple[Run, ...]:
        """Ask the thread's own model and these beside it; returns all runs in their order."""
        self._started.clear()
        if thread_id is not None:
            await self.repository.set_thread_options(thread_id, beside(*models))
        first = await self.chat.send(thread_id, text, options=beside(*models) if thread_id is None else None)
        assert self._started[0] is first
        return tuple(self._started)

    async def finish(self, *runs: Run) -> list[list[AgentEvent]]:
        """Wait for the ends of these runs; the invariants are checked."""
        found: list[list[AgentEvent]] = []
        for run in runs:
            events = [event async for event in run.events()]
            await run.wait_over()
            (message,) = await self.repository.messages([run.message_id])
            check_run(events, message, run.turn.assistant_message)
            found.append(events)
        for model in self.models.values():
            for request in model.requests:
                check_request(request.messages)
        return found

    async def close(self) -> None:
        """End everything; nothing may be left open."""
        await self.chat.close()
        await self.tasks.close()
        assert all(model.open_streams == 0 for model in self.models.values())
        assert self.gateway.running == 0

    async def title(self, thread_id: str) -> str:
        """The thread's title when nobody finds another one any more."""
        for _ in range(1_000):  # all is in memory: what is to come has come by then
            await asyncio.sleep(0)
        thread = await self.repository.get_thread(thread_id)
        assert thread is not None
        return thread.title

    async def path(self, thread_id: str) -> list[str]:
        return [message.text for message in await self.repository.path(thread_id)]

    async def answers(self, run: Run) -> tuple[Message, ...]:
        return await self.repository.answers(run.message_id)
