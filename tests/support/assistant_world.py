"""Assistants in memory: each with a script of its own, on the loop, service and journal of a ``RunWorld``."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from desktop.agent.assistant_calls import AssistantCalls, AssistantParts, InnerWork
from desktop.agent.budget import BudgetedModel
from desktop.agent.loop import AgentLoop
from desktop.agent.run import Run
from desktop.conversation.assistants.entities import Assistant
from desktop.conversation.assistants.library import AssistantLibrary
from desktop.conversation.entities import ThreadOptions
from desktop.conversation.inner_run import InnerRunPart
from desktop.core.language_model import LanguageModel
from desktop.tools.assistant_tool import ASK_ALIAS
from tests.support.in_memory_assistants import InMemoryAssistants
from tests.support.run_world import Behaviour, RunWorld
from tests.support.scripted_model import ScriptedModel, Step, called
from tests.support.scripted_prompts import Scripted


def asks(name: str, task: str, *, call_id: str = "call") -> Step:
    """A step that asks an assistant."""
    return called((call_id, ASK_ALIAS, json.dumps({"assistant": name, "task": task})))


class AssistantWorld(RunWorld):
    """The chat's own assistant is ``Chief`` and plays the steps given; all others play those of ``scripts``."""

    def __init__(
        self,
        *steps: Step,
        tools: Mapping[str, Behaviour] | None = None,
        answers: tuple[Scripted, ...] = (),
        waited_seconds: Callable[[str, str], float] = lambda _thread_id, _turn_id: 0.0,
    ) -> None:
        super().__init__(*steps, tools=tools, answers=answers, waited_seconds=waited_seconds)
        self.library = AssistantLibrary(InMemoryAssistants(self.repository))
        self.scripts: dict[str, ScriptedModel] = {}
        self.chief: Assistant | None = None
        self._service = self.loop._tools
        self._waited_seconds = waited_seconds

    async def has(self, name: str, *steps: Step, **fields: Any) -> Assistant:
        """Add an assistant that says this when it is asked."""
        made = await self.library.add(Assistant(id="", name=name, **fields))
        assert made is not None
        self.scripts[made.id] = ScriptedModel(*steps)
        return made

    async def begin(self, *helpers: Assistant, options: Mapping[str, Any] | None = None, **fields: Any) -> None:
        """Make the chat, with an assistant that may ask these."""
        helper_ids = tuple(one.id for one in helpers)
        self.chief = await self.library.add(Assistant(id="", name="Chief", helpers=helper_ids, **fields))
        own = ThreadOptions(assistant=self.chief, **(options or {}))
        self.thread_id = (await self.conversations.create_thread(own)).id
        parts = AssistantParts(
            library=self.library,
            repository=self.repository,
            make_loop=self._inner_loop,
            tasks=self.tasks,
            waited_seconds=self._waited_seconds,
        )
        self.loop._assistants = AssistantCalls(parts, own)

    def _inner_loop(self, options: ThreadOptions, work: InnerWork) -> AgentLoop:
        model: LanguageModel = BudgetedModel(self.scripts[work.assistant.id], work.budget)
        return AgentLoop(
            model=model,
            recorded_as=f"{work.assistant.name} · {model.name}",
            repository=work.store,
            tools=self._service,
            system_prompt=lambda: "",
            step_limit=work.assistant.most_steps,
            waited_seconds=self._waited_seconds,
            assistants=work.calls,
        )

    async def inner(self, run: Run) -> list[InnerRunPart]:
        """Return the runs that are on disk with an answer."""
        return [part for part in (await self.message(run)).parts if isinstance(part, InnerRunPart)]
