"""Where a plan waits for the user: open questions by the answer that each belongs to, and the rule where nobody can be asked."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from desktop.agent.run import Run
from desktop.conversation.plans import PlanPart, steps_from
from desktop.core.signal import Signal


class PlanChoice(StrEnum):
    APPROVE = "approve"
    REFUSE = "refuse"
    WITHOUT = "without"
    """Answer without a plan."""


@dataclass(frozen=True, kw_only=True)
class PlanAnswer:
    choice: PlanChoice
    steps: tuple[str, ...] = ()
    """What is to be done, as the user left it; only with an approval."""
    goes_on_alone: bool = False
    """Where a step fails, the user is not asked again."""


Keep = Callable[[tuple[str, ...]], Awaitable[None]]


class PlanAsker(Protocol):
    """Asks a person for leave to carry out a plan, or a rule that stands for one."""

    def can_ask(self, run: Run) -> bool:
        """Whether anybody could approve a plan for this answer; else none is made."""
        ...

    async def decide(self, run: Run, plan: PlanPart, keep: Keep) -> PlanAnswer:
        """Return what the user says to the steps that wait. ``keep`` puts steps that are edited meanwhile on disk.

        Cancelling the awaiting task closes the question.
        """
        ...


class NobodyToAsk:
    """Where there is no window: a plan is approved only if whoever sent the message said so with it."""

    def can_ask(self, run: Run) -> bool:
        return run.approves_plan

    async def decide(self, run: Run, plan: PlanPart, keep: Keep) -> PlanAnswer:
        """See ``PlanAsker.decide``."""
        return approval_of(plan) if run.approves_plan else PlanAnswer(choice=PlanChoice.WITHOUT)


@dataclass
class _Question:
    run: Run
    answer: "asyncio.Future[PlanAnswer]"
    keep: Keep


class PlanDesk:
    """The questions that are open in the window.

    Signals:
        changed: a plan waits for the user, or does not any more; carries the id of its thread.
    """

    def __init__(
        self, waiting: Callable[[str, str], AbstractContextManager[None]] = lambda _thread_id, _turn_id: nullcontext()
    ) -> None:
        """``waiting`` notes for how long a turn of a thread waits for the user."""
        self._waiting = waiting
        self._questions: dict[str, _Question] = {}
        self.changed = Signal[str]()

    def can_ask(self, run: Run) -> bool:
        return True

    async def decide(self, run: Run, plan: PlanPart, keep: Keep) -> PlanAnswer:
        """See ``PlanAsker.decide``."""
        if run.approves_plan:
            return approval_of(plan)
        question = _Question(run, asyncio.get_running_loop().create_future(), keep)
        self._questions[run.message_id] = question
        self.changed.emit(run.thread_id)
        try:
            with self._waiting(run.thread_id, run.turn.turn_id):
                return await question.answer
        finally:
            del self._questions[run.message_id]
            self.changed.emit(run.thread_id)

    def waits_in(self, thread_id: str) -> bool:
        """Whether a plan of this thread waits for the user."""
        return any(each.run.thread_id == thread_id for each in self._questions.values())

    def answer(self, message_id: str, answer: PlanAnswer) -> bool:
        """Give the user's answer; False where nothing is asked any more."""
        question = self._questions.get(message_id)
        if question is None or question.answer.done():
            return False
        question.answer.set_result(answer)
        return True

    async def edit(self, message_id: str, steps: tuple[str, ...]) -> None:
        """Put the steps on disk as the user has them now. Raises ``StorageError``."""
        question = self._questions.get(message_id)
        if question is not None and not question.answer.done():
            await question.keep(steps_from(steps))


def approval_of(plan: PlanPart) -> PlanAnswer:
    """Return the approval of a plan as it is, for one whom nobody can ask again."""
    return PlanAnswer(choice=PlanChoice.APPROVE, steps=plan.waiting, goes_on_alone=True)
