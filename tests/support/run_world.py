"""A loop with everything it needs in memory: scripted model, gateway and person, fake stores; runs are checked at their end."""

import asyncio
import dataclasses
from collections.abc import Awaitable, Callable, Mapping, Sequence

from desktop.agent.chat_service import ChatService
from desktop.agent.events import AgentEvent, ToolCallEvent, ToolResultEvent
from desktop.agent.loop import AgentLoop
from desktop.agent.plan_desk import PlanAsker
from desktop.agent.recaller import Recaller
from desktop.agent.run import Run
from desktop.agent.tool_choice import ToolRoom
from desktop.conversation.entities import Message
from desktop.conversation.service import ConversationService
from desktop.core.digests import sha256_of_json
from desktop.core.language_model import Sampling
from desktop.core.signal import Signal
from desktop.core.tasks import TaskSupervisor
from desktop.tools.entities import CallIntent, CallProgress, ServerStatus, ToolDescriptor, ToolOutcome
from desktop.tools.pinned import ServerListing
from desktop.tools.ports import ProgressListener, TaintRepository, UserPrompts
from desktop.tools.server_report import ServerReport
from desktop.tools.service import ToolService
from desktop.tools.trust import ServerTrust
from tests.support.in_memory_threads import InMemoryGrants, InMemoryJournal, InMemoryTaints, InMemoryThreadRepository
from tests.support.run_invariants import check_request, check_run
from tests.support.scripted_model import ScriptedModel, Step
from tests.support.scripted_prompts import Scripted, ScriptedPrompts

Behaviour = Callable[[dict[str, object]], Awaitable[ToolOutcome]]


def descriptor(name: str, *, server: str = "files") -> ToolDescriptor:
    """A tool of a configured server that takes any object."""
    return ToolDescriptor(
        server_id=server,
        name=name,
        alias=f"{server}__{name}",
        title="",
        description=name,
        input_schema={"type": "object", "properties": {}},
        definition_hash=sha256_of_json([server, name]),
    )


class BehavingGateway:
    """Implements ``ToolGateway`` with functions as tools. ``called`` are the intents that reached it."""

    def __init__(self, tools: Mapping[str, Behaviour]) -> None:
        self.status_changed = Signal[ServerStatus]()
        self.servers_changed: Signal[[]] = Signal()
        self._tools = {name: (descriptor(name), behave) for name, behave in tools.items()}
        self.called: list[CallIntent] = []
        self.running = 0
        self.progress: Sequence[CallProgress] = ()
        """What every call reports before it ends."""

    def describe(self, name: str, schema: Mapping[str, object]) -> None:
        """Let the server say this of a tool's arguments."""
        tool, behave = self._tools[name]
        self._tools[name] = dataclasses.replace(tool, input_schema=schema), behave

    async def tools(self) -> tuple[ToolDescriptor, ...]:
        return tuple(tool for tool, _ in self._tools.values())

    def statuses(self) -> tuple[ServerStatus, ...]:
        return ()

    def tools_of(self, server_id: str) -> tuple[ToolDescriptor, ...]:
        return tuple(tool for tool, _ in self._tools.values() if tool.server_id == server_id)

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
        self.running += 1
        for progress in self.progress:
            assert on_progress is not None
            on_progress(progress)
        try:
            return await self._tools[intent.tool.name][1](intent.arguments)
        finally:
            self.running -= 1


class RunWorld:
    """Sends messages and reads what comes of them."""

    def __init__(
        self,
        *steps: Step,
        tools: Mapping[str, Behaviour] | None = None,
        answers: tuple[Scripted, ...] = (),
        step_limit: int = 25,
        repository: InMemoryThreadRepository | None = None,
        system_prompt: str = "",
        sampling: Sampling | None = None,
        prompts: UserPrompts | None = None,
        waited_seconds: Callable[[str, str], float] = lambda _thread_id, _turn_id: 0.0,
        tool_room: ToolRoom | None = None,
        recaller: Recaller | None = None,
        taints: TaintRepository | None = None,
        plans: PlanAsker | None = None,
    ) -> None:
        self.model = ScriptedModel(*steps)
        self.repository = repository or InMemoryThreadRepository()
        self.journal = InMemoryJournal()
        self.gateway = BehavingGateway(tools or {})
        self.prompts = ScriptedPrompts(*answers)
        self.tasks = TaskSupervisor()
        self.conversations = ConversationService(self.repository)
        service = ToolService(
            gateway=self.gateway,
            prompts=prompts or self.prompts,
            journal=self.journal,
            grants=InMemoryGrants(),
            taints=taints or InMemoryTaints(),
            trust=lambda _server_id: ServerTrust(is_trusted=True),
            workspace=lambda: "/workspace",
        )
        self.loop = AgentLoop(
            model=self.model,
            repository=self.repository,
            tools=service,
            system_prompt=lambda: system_prompt,
            step_limit=step_limit,
            sampling=sampling,
            waited_seconds=waited_seconds,
            tool_room=tool_room,
            recaller=recaller,
            plans=plans,
        )
        self.chat = ChatService(
            conversations=self.conversations,
            repository=self.repository,
            loop=lambda _options: self.loop,
            tasks=self.tasks,
        )
        self.thread_id: str | None = None

    async def start(self, text: str = "hi") -> Run:
        run = await self.chat.send(self.thread_id, text)
        self.thread_id = run.thread_id
        return run

    async def ask(self, text: str = "hi") -> list[AgentEvent]:
        """Send and wait for the end; the invariants are checked."""
        return await self.finish(await self.start(text))

    async def go_on(self) -> Run:
        """Continue the last answer."""
        assert self.thread_id is not None
        return await self.chat.continue_answer(self.thread_id)

    async def finish(self, run: Run) -> list[AgentEvent]:
        events = [event async for event in run.events()]
        await self.tasks.close()
        check_run(events, await self.message(run), run.turn.assistant_message)
        for request in self.model.requests:
            check_request(request.messages)
        assert self.model.open_streams == 0
        assert self.gateway.running == 0
        return events

    async def message(self, run: Run) -> Message:
        (message,) = await self.repository.messages([run.message_id])
        return message


async def echo(arguments: dict[str, object]) -> ToolOutcome:
    await asyncio.sleep(0)
    return ToolOutcome(text=f"echo {arguments}")


async def hang(_arguments: dict[str, object]) -> ToolOutcome:
    await asyncio.Event().wait()
    raise AssertionError


def states(events: list[AgentEvent], call_id: str) -> list[str]:
    """The states of a call and the status of its result, in order."""
    return [
        event.state.value if isinstance(event, ToolCallEvent) else event.status.value
        for event in events
        if isinstance(event, ToolCallEvent | ToolResultEvent) and event.call_id == call_id
    ]
