"""Assistants in an answer: what of the tools the chat's own one has, whom it may ask, and the runs of those it asks."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from desktop.agent.budget import MOST_CALLS, Budget
from desktop.agent.events import DoneEvent, DoneReason, ErrorEvent
from desktop.agent.inner_runs import InnerRun, InnerStore, said_in
from desktop.conversation.assistants.entities import Assistant
from desktop.conversation.assistants.library import AssistantLibrary
from desktop.conversation.entities import ThreadOptions, ToolCallPart
from desktop.conversation.inner_run import InnerRunPart
from desktop.conversation.ports import ThreadRepository
from desktop.core.error_texts import english
from desktop.core.errors import ThreadwellError
from desktop.core.memory_settings import MemoryUse
from desktop.core.permission_mode import PermissionMode
from desktop.core.tasks import TaskSupervisor, uninterrupted
from desktop.tools.assistant_tool import ASK_ALIAS, Askable, ask_assistant_tool
from desktop.tools.entities import CallIntent, ToolOutcome
from desktop.tools.service import TurnTools

if TYPE_CHECKING:
    from desktop.agent.answer_state import AnswerState
    from desktop.agent.loop import AgentLoop

MOST_DEPTH = 2
"""An assistant that the chat's own one asks may ask another one, which asks nobody."""
_TICK_SECONDS = 1.0

Carrier = Callable[[CallIntent], Awaitable[ToolOutcome]]


@dataclass(frozen=True)
class InnerWork:
    """What the loop of an assistant that is asked is made with."""

    assistant: Assistant
    calls: "AssistantCalls"
    budget: Budget
    store: InnerStore


@dataclass(frozen=True, kw_only=True)
class AssistantParts:
    """What all of them need. ``make_loop`` raises ``ModelError`` where the model cannot be asked.

    ``waited_seconds`` is as in ``AgentLoop``.
    """

    library: AssistantLibrary
    repository: ThreadRepository
    make_loop: "Callable[[ThreadOptions, InnerWork], AgentLoop]"
    tasks: TaskSupervisor
    waited_seconds: Callable[[str, str], float]
    most_depth: int = MOST_DEPTH


class WithoutAssistants:
    """Takes the place of ``AssistantCalls`` where there are none."""

    def in_force(self, options: ThreadOptions) -> ThreadOptions:
        return options

    def narrowed(self, found: TurnTools, answer: "AnswerState") -> TurnTools:
        return found

    def carriers(self, answer: "AnswerState", call: ToolCallPart) -> Mapping[str, Carrier]:
        return {}


class AssistantCalls(WithoutAssistants):
    """For one answer. Who is asked runs as any answer does: the same tools service, policy, questions and record."""

    def __init__(
        self,
        parts: AssistantParts,
        own: ThreadOptions,
        *,
        chain: tuple[str, ...] = (),
        depth: int = 0,
        budget: Budget | None = None,
    ) -> None:
        """``own`` are the options with which the answer is made; ``chain`` are the ids of those who asked for it."""
        self._parts = parts
        self._own = own
        self._chain = chain
        self._depth = depth
        self._budget = budget or Budget()

    def in_force(self, options: ThreadOptions) -> ThreadOptions:
        """Return the chat's options with what its assistant does."""
        return options if self._depth else self._parts.library.in_force(options)

    def narrowed(self, found: TurnTools, answer: "AnswerState") -> TurnTools:
        """Return the tools that the assistant has, and the one by which it asks others."""
        assistant = answer.options.assistant
        if assistant is None:
            return found
        tools = tuple(tool for tool in found.tools if assistant.may_use(tool.server_id, tool.name))
        servers = {tool.server_id for tool in tools}
        askable = self._askable(assistant) if answer.mode is not PermissionMode.CHAT_ONLY else ()
        if askable:
            tools = (*tools, ask_assistant_tool([Askable(one.name, one.description) for one in askable]))
        return replace(
            found,
            tools=tools,
            instructions={server: text for server, text in found.instructions.items() if server in servers},
        )

    def carriers(self, answer: "AnswerState", call: ToolCallPart) -> Mapping[str, Carrier]:
        """Return who carries out the calls that no server does, by the alias of the tool."""
        return {ASK_ALIAS: partial(self._ask, answer, call)}

    def _askable(self, assistant: Assistant) -> tuple[Assistant, ...]:
        """Nobody who asked for this answer, so that there is no circle, and nobody below the greatest depth."""
        if self._depth >= self._parts.most_depth:
            return ()
        found = map(self._parts.library.get, assistant.helpers)
        return tuple(one for one in found if one is not None and one.id not in {*self._chain, assistant.id})

    async def _ask(self, answer: "AnswerState", call: ToolCallPart, intent: CallIntent) -> ToolOutcome:
        assistant, name = answer.options.assistant, str(intent.arguments["assistant"])
        helper = next((one for one in self._askable(assistant) if one.name == name), None) if assistant else None
        if assistant is None or helper is None:  # taken away while the answer was made
            return _error(f"Not run: “{name}” cannot be asked here any more.")
        if not self._budget.begin_call():
            return _error(f"Not run: one answer may ask assistants at most {MOST_CALLS} times.")
        options = self._options(answer, helper)
        budget = Budget(helper.most_tokens, within=self._budget)
        chain = (*self._chain, assistant.id)
        calls = AssistantCalls(self._parts, options, chain=chain, depth=self._depth + 1, budget=budget)
        part = InnerRunPart(call_id=call.call_id, assistant=helper.name, step=call.step)
        thread = await self._parts.repository.get_thread(intent.thread_id)
        store = InnerStore(answer.writer, thread, options, part)
        try:
            loop = self._parts.make_loop(options, InnerWork(helper, calls, budget, store))
        except ThreadwellError as error:
            return _error(" ".join(english(error.code, error.params)))
        store.part = replace(part, model=loop.model.name)
        return await self._run(loop, helper, answer, call, intent, store)

    def _options(self, answer: "AnswerState", helper: Assistant) -> ThreadOptions:
        """What holds for the chat holds for whoever is asked there; the rest is the assistant's own."""
        chat = answer.options
        is_own = helper.endpoint_id is not None
        return ThreadOptions(
            system_prompt=helper.instructions if helper.instructions.strip() else None,
            endpoint_id=helper.endpoint_id if is_own else self._own.endpoint_id,
            model=helper.model if is_own else self._own.model,
            thinking=None if is_own else self._own.thinking,
            workspace=chat.workspace,
            mode=answer.mode,
            memory=chat.memory if chat.memory in (MemoryUse.OFF, MemoryUse.THIS_THREAD) else None,
            assistant=helper,
            is_temporary=chat.is_temporary,
        )

    async def _run(
        self,
        loop: "AgentLoop",
        helper: Assistant,
        answer: "AnswerState",
        call: ToolCallPart,
        intent: CallIntent,
        store: InnerStore,
    ) -> ToolOutcome:
        run = InnerRun(answer.run, call.call_id, str(intent.arguments["task"]), store)
        waited = partial(self._parts.waited_seconds, intent.thread_id, intent.turn_id)
        before = waited()
        run.attach(self._parts.tasks.spawn(loop.execute(run), name=f"assistant {helper.id} for {run.message_id}"))
        watch = _Watch(run, helper.most_seconds, lambda: waited() - before)
        watching = self._parts.tasks.spawn(watch.watch(), name=f"time of assistant {helper.id}")
        try:
            await run.wait_over()
        except asyncio.CancelledError:
            run.stop()
            await uninterrupted(run.wait_over())
            raise
        finally:
            watching.cancel()
            answer.add_usage(store.part.usage)
        return replace(_outcome(run, helper, store.part, is_late=watch.is_late), waited_seconds=waited() - before)


class _Watch:
    """Stops a run that takes too long by a clock that stands still while a question to the user is open."""

    def __init__(self, run: InnerRun, most_seconds: float, waited: Callable[[], float]) -> None:
        self._run = run
        self._most_seconds = most_seconds
        self._waited = waited
        self.is_late = False

    async def watch(self) -> None:
        begun = time.monotonic()
        while True:
            left = begun + self._most_seconds + self._waited() - time.monotonic()
            if left <= 0:
                break
            await asyncio.sleep(min(left, _TICK_SECONDS))
        self.is_late = True
        self._run.stop()


def _outcome(run: InnerRun, helper: Assistant, part: InnerRunPart, *, is_late: bool) -> ToolOutcome:
    """What the one who asked is told."""
    end, said, name = run.terminal, said_in(part.parts), helper.name
    if is_late:
        return _error(f"“{name}” was stopped: it may work for {helper.most_seconds} seconds.", said, timed_out=True)
    if isinstance(end, ErrorEvent):
        return _error(f"“{name}” could not finish. " + " ".join(english(end.code, end.params)), said)
    assert isinstance(end, DoneEvent)
    match end.reason:
        case DoneReason.STEP_LIMIT:
            return _error(f"“{name}” was stopped: it may take {helper.most_steps} steps.", said)
        case DoneReason.STOPPED:
            return _error(f"“{name}” was stopped.", said)
        case DoneReason.LENGTH:
            return ToolOutcome(text=f"{said}\n\n(The answer was cut off: it reached the longest length.)".lstrip())
        case DoneReason.CONTENT_FILTER | DoneReason.REFUSAL:
            return _error(f"“{name}” did not answer: its model refused.", said)
        case _:
            return ToolOutcome(text=said or f"“{name}” ended without an answer.", is_error=not said)


def _error(text: str, said: str = "", *, timed_out: bool = False) -> ToolOutcome:
    text = f"{text}\nWhat it had said until then:\n\n{said}" if said else text
    return ToolOutcome(text=text, is_error=True, timed_out=timed_out)
