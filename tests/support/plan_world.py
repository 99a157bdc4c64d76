"""A user of plans who was told before what to say to each, and a world in which chats are answered by plans."""

import asyncio
import json
import random
import re
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from desktop.agent.chat_service import ChatService
from desktop.agent.loop import AgentLoop
from desktop.agent.plan_desk import Keep, PlanAnswer, PlanChoice, approval_of
from desktop.agent.recaller import Asked, Told
from desktop.agent.run import Run
from desktop.conversation.entities import RecalledRef, RecallPart, ThreadOptions
from desktop.conversation.plans import PlanPart, plan_of
from desktop.conversation.ports import ThreadRepository
from desktop.conversation.service import ConversationService
from desktop.core.language_model import ModelChunk, ModelRequest, UserMessage
from desktop.core.tasks import TaskSupervisor
from desktop.tools.service import ToolService
from tests.support.in_memory_threads import InMemoryGrants, InMemoryJournal, InMemoryTaints
from tests.support.run_invariants import check_request
from tests.support.run_world import BehavingGateway, Behaviour, RunWorld
from tests.support.scripted_model import Step, called, said
from tests.support.scripted_prompts import ScriptedPrompts, allow_once

Decision = Callable[[PlanPart], PlanAnswer]


def as_it_is(plan: PlanPart) -> PlanAnswer:
    return PlanAnswer(choice=PlanChoice.APPROVE, steps=plan.waiting)


def by_itself(plan: PlanPart) -> PlanAnswer:
    return approval_of(plan)


def edited(*steps: str) -> Decision:
    return lambda _plan: PlanAnswer(choice=PlanChoice.APPROVE, steps=steps)


def refused(_plan: PlanPart) -> PlanAnswer:
    return PlanAnswer(choice=PlanChoice.REFUSE)


def without(_plan: PlanPart) -> PlanAnswer:
    return PlanAnswer(choice=PlanChoice.WITHOUT)


class ScriptedAsker:
    """Implements ``PlanAsker``. ``asked`` are the plans that were shown, in order."""

    def __init__(self, *decisions: Decision) -> None:
        self._decisions = list(decisions)
        self.asked: list[PlanPart] = []

    def can_ask(self, run: Run) -> bool:
        return True

    async def decide(self, run: Run, plan: PlanPart, keep: Keep) -> PlanAnswer:
        self.asked.append(plan)
        assert self._decisions, "the user is asked once too often"
        return self._decisions.pop(0)(plan)

    @property
    def finished(self) -> bool:
        return not self._decisions


def proposed(*steps: str) -> Step:
    """The model shows a plan."""
    return called(("plan", "propose_plan", json.dumps({"steps": steps})))


class PlanWorld(RunWorld):
    """Its one chat plans first."""

    def __init__(
        self,
        *steps: Step,
        decisions: Sequence[Decision] = (),
        tools: Mapping[str, Behaviour] | None = None,
        calls: int = 0,
        **more: Any,
    ) -> None:
        """``calls`` is how many calls of tools the user allows."""
        self.asker = ScriptedAsker(*decisions)
        super().__init__(*steps, tools=tools, answers=(allow_once(),) * calls, **{"plans": self.asker, **more})

    async def start(self, text: str = "hi") -> Run:
        if self.thread_id is None:
            run = await self.chat.send(None, text, options=ThreadOptions(plans_first=True))
            self.thread_id = run.thread_id
            return run
        return await super().start(text)

    async def plan(self, run: Run) -> PlanPart:
        """As it is on disk."""
        plan = plan_of((await self.message(run)).parts)
        assert plan is not None
        return plan

    def told(self) -> list[str]:
        """The last words by the user in each request."""
        return [request.messages[-1].text for request in self.model.requests if request.messages[-1].text]


class PlanningModel:
    """Implements ``LanguageModel``: gives a plan when it is asked for one, and carries out what it is told to.

    ``begun`` are the places of the steps that it was told to carry out. Some fail, by ``chance``.
    """

    name = "planner"
    is_scripted = True

    def __init__(self, chance: random.Random, *, fails: float = 0.0, pause: float = 0.0) -> None:
        self._chance = chance
        self._fails = fails
        self._pause = pause
        self.begun: list[int] = []

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelChunk, None]:
        check_request(request.messages)
        told = next(each.text for each in reversed(request.messages) if isinstance(each, UserMessage))
        count = self._chance.randint(1, 4)
        if any(tool.name == "propose_plan" for tool in request.tools):
            chunks = proposed(*(f"Part {self._chance.randint(1, 10**6)}" for _ in range(count)))
        else:
            chunks = said(self._words(told))
        for chunk in chunks:
            await asyncio.sleep(self._pause)
            assert not isinstance(chunk, BaseException | asyncio.Event)
            yield chunk

    def _words(self, told: str) -> str:
        found = re.search(r"Carry out step (\d+) of", told)
        if found is None:
            return "That is all."
        self.begun.append(int(found.group(1)) - 1)
        return "STEP FAILED: no luck" if self._chance.random() < self._fails else f"Step {found.group(1)} is done."

    async def close(self) -> None:
        """Nothing to close."""


@asynccontextmanager
async def planning_chat(threads: ThreadRepository, model: PlanningModel) -> AsyncGenerator[ChatService, None]:
    """A chat service on a real store whose model plans; every plan is approved, also after a failure."""
    tasks, conversations = TaskSupervisor(), ConversationService(threads)
    tools = ToolService(
        gateway=BehavingGateway({}),
        prompts=ScriptedPrompts(),
        journal=InMemoryJournal(),
        grants=InMemoryGrants(),
        taints=InMemoryTaints(),
        workspace=lambda: "/workspace",
    )
    loop = AgentLoop(
        model=model,
        repository=threads,
        tools=tools,
        system_prompt=lambda: "",
        step_limit=5,
        plans=ScriptedAsker(*[as_it_is] * 1_000),
    )
    chat = ChatService(conversations=conversations, repository=threads, loop=lambda _options: loop, tasks=tasks)
    try:
        yield chat
    finally:
        await chat.close()
        await tasks.close()


class ScriptedRecaller:
    """Implements ``Recaller``: knows one thing about everything, and keeps what it was ``asked``."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def told(self, asked: Asked) -> Told:
        words = asked.question.text
        self.asked.append(words)
        ref = RecalledRef(kind="fact", id=words, score=1.0, words=1.0, meaning=None)
        return Told(block=f"[about {words}]", part=RecallPart(found=(ref,)))
