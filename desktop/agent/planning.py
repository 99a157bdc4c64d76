"""Answers by a plan: asks the model for one, the user for leave, carries out step after step, and plans anew on failure."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from desktop.agent.answer_state import AnswerState
from desktop.agent.continuing import first_step
from desktop.agent.events import DoneReason
from desktop.agent.plan_desk import PlanAsker, PlanChoice
from desktop.agent.plan_text import (
    PLAN_TOOL,
    asking_for_plan,
    asking_for_rest,
    beginning_of_step,
    ending_words,
    failure_in,
    plan_in_call,
    plan_in_text,
)
from desktop.agent.tool_choice import ToolChoice, ToolRoom
from desktop.conversation.entities import (
    Message,
    Part,
    ResultStatus,
    StartedTurn,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)
from desktop.conversation.plans import (
    MOST_REPLANS,
    MOST_STEPS,
    Failure,
    InstructionPart,
    PlanPart,
    PlanState,
    PlanStep,
    StepState,
    plan_of,
    steps_from,
)
from desktop.conversation.request_records import Purpose
from desktop.core.language_model import FinishReason, Remark
from desktop.tools.entities import ToolDescriptor

Ask = Callable[[ToolChoice], Awaitable[tuple[FinishReason, list[ToolCallPart]]]]
"""Makes one request with these tools; returns how it ended, and what was called."""
CarryOut = Callable[[int], Awaitable[DoneReason]]
"""Lets the model work from this step on until it calls no tools any more."""
Recall = Callable[[str], Awaitable[None]]
"""Has the model told what is known about a text."""

logger = logging.getLogger(__name__)


def wants_plan(answer: AnswerState) -> bool:
    """Whether the answer is made by a plan: the chat or whoever sent the message wants that, or it was begun so."""
    run = answer.run
    is_begun = plan_of(run.turn.assistant_message.parts) is not None
    return run.purpose is Purpose.ANSWER and (answer.options.plans_first or run.approves_plan or is_begun)


class Planning:
    """Makes one answer by a plan. Whatever happens, what is on disk says how far it is."""

    def __init__(
        self,
        answer: AnswerState,
        asker: PlanAsker,
        *,
        ask: Ask,
        carry_out: CarryOut,
        recall: Recall,
        tools: Sequence[ToolDescriptor],
    ) -> None:
        self._answer = answer
        self._writer = answer.writer
        self._asker = asker
        self._ask = ask
        self._carry_out = carry_out
        self._recall = recall
        self._tools = tools
        self._told = answer.told
        self._asked_in: int | None = None
        """The request in which a plan was asked for in vain."""

    async def execute(self) -> DoneReason:
        """Make the answer, or go on with one that was cut off."""
        plan = plan_of(self._parts)
        if plan is None and not any(isinstance(part, TextPart | ToolCallPart) for part in self._parts):
            plan = await self._first_plan()
        if plan is None or (plan.state is PlanState.LEFT and not _has_begun(plan)):
            return await self._carry_out(self._resumed_step(plan))
        while (place := plan.next_place) is not None and plan.state in (PlanState.ASKED, PlanState.APPROVED):
            if _must_replan(plan):
                plan = await self._planned_anew(plan)
                continue
            if plan.state is PlanState.ASKED:
                plan = await self._decided(plan)
                if plan.state is PlanState.LEFT and not _has_begun(plan):
                    return await self._carry_out(self._new_step)
                continue
            plan, reason = await self._step(plan, place)
            if reason is not None:
                return reason
        return await self._end(plan)

    # -- the plan -------------------------------------------------------------------------------------------------

    async def _first_plan(self) -> PlanPart | None:
        run = self._answer.run
        if not self._asker.can_ask(run):
            self._remark("plan_not_asked")
            return None
        texts = await self._propose(asking_for_plan(self._tools))
        if not texts:
            if texts is None:
                self._remark("plan_none")
            self._asked_in = self._answer.step
            return None
        plan = PlanPart(steps=tuple(PlanStep(text=text) for text in texts), step=self._answer.step)
        await self._writer.put(plan)
        return plan

    async def _propose(self, words: str) -> tuple[str, ...] | None:
        """Ask the model for steps; None where it gave none that can be read."""
        answer = self._answer
        answer.step, answer.asked_for, answer.is_joining, answer.is_circling = self._new_step, words, False, False
        try:
            _, calls = await self._ask(ToolChoice((PLAN_TOOL,), {}, ToolRoom()))
        finally:
            answer.asked_for = ""
        for call in calls:
            if (steps := plan_in_call(call.arguments)) is not None:
                return steps
        return plan_in_text("".join(answer.said))

    async def _decided(self, plan: PlanPart) -> PlanPart:
        """Ask the user; the plan as it is then is on disk. One without steps is an answer without a plan."""

        async def keep(steps: tuple[str, ...]) -> None:
            await self._writer.put(plan.with_rest(steps))

        answer = await self._asker.decide(self._answer.run, plan, keep)
        steps = steps_from(answer.steps)
        match answer.choice:
            case PlanChoice.APPROVE if steps:
                plan = replace(plan.with_rest(steps), state=PlanState.APPROVED, goes_on_alone=answer.goes_on_alone)
            case PlanChoice.REFUSE:
                plan = plan.without_rest(PlanState.REFUSED)
            case PlanChoice.APPROVE | PlanChoice.WITHOUT:
                plan = plan.without_rest(PlanState.LEFT)
        await self._writer.put(plan)
        return plan

    async def _planned_anew(self, plan: PlanPart) -> PlanPart:
        """Ask the model for other steps in the place of those that follow the one that failed."""
        place = max(place for place, each in enumerate(plan.steps) if each.state is StepState.FAILED)
        if plan.replans >= MOST_REPLANS:
            self._remark("plan_replans", most=MOST_REPLANS)
        elif place + 1 >= MOST_STEPS:
            self._remark("plan_steps", most=MOST_STEPS)
        else:
            texts = await self._propose(asking_for_rest(plan, place, self._tools))
            if texts:
                state = PlanState.APPROVED if plan.goes_on_alone else PlanState.ASKED
                plan = replace(plan.with_rest(texts), replans=plan.replans + 1, state=state)
                await self._writer.put(plan)
                return plan
            self._remark("plan_no_rest")
        plan = plan.without_rest(PlanState.ENDED)
        await self._writer.put(plan)
        return plan

    # -- its steps ------------------------------------------------------------------------------------------------

    async def _step(self, plan: PlanPart, place: int) -> tuple[PlanPart, DoneReason | None]:
        """Carry out one step; with a reason the answer ends here."""
        first = self._begun_step(place) if plan.steps[place].state is StepState.RUNNING else None
        if first is None:
            plan = plan.with_step(place, StepState.RUNNING)
            await self._writer.put(plan)
            text = beginning_of_step(plan, place, tells_plan=not self._was_told(plan))
            first = await self._instruct(text, place)
        await self._recall(plan.steps[place].text)
        begun, self._answer.is_circling, self._answer.unreadable_calls = self._instructed_step, False, 0
        reason = await self._carry_out(first)
        if reason is DoneReason.LENGTH:
            return plan, reason  # it can go on where it was cut off
        failure, why = _failure([part for part in self._parts if part.step >= begun], reason)
        logger.info("step %d of the plan: %s", place + 1, failure or "done")
        plan = plan.with_step(place, StepState.FAILED if failure else StepState.DONE, failure, why)
        if reason not in (DoneReason.COMPLETED, DoneReason.STEP_LIMIT):
            plan = plan.without_rest(PlanState.ENDED)
            await self._writer.put(plan)
            return plan, reason
        await self._writer.put(plan)
        return plan, None

    async def _end(self, plan: PlanPart) -> DoneReason:
        """Have the model say what came of it; of a refused plan there is nothing to say."""
        if _must_replan(plan) and plan.state is PlanState.APPROVED:  # its last step failed
            plan = await self._planned_anew(plan)
            if plan.next_place is not None:
                return await self.execute()
        if plan.state is PlanState.REFUSED:
            return DoneReason.COMPLETED
        if plan.state is PlanState.APPROVED:
            plan = replace(plan, state=PlanState.ENDED)
            await self._writer.put(plan)
        self._answer.told = self._told  # not only what is known about the last step
        first = self._begun_step(None)
        if first is None:
            first = await self._instruct(ending_words(plan), None)
        return await self._carry_out(first)

    async def _instruct(self, text: str, place: int | None) -> int:
        step = self._answer.step = self._new_step
        await self._writer.put(InstructionPart(text=text, place=place, step=step))
        return step

    # -- where it is ----------------------------------------------------------------------------------------------

    @property
    def _parts(self) -> tuple[Part, ...]:
        return self._writer.message().parts

    @property
    def _new_step(self) -> int:
        """The number of a request that shares nothing with those before it."""
        return max((part.step for part in self._parts), default=-1) + 1

    def _resumed_step(self, plan: PlanPart | None) -> int:
        """With which an answer without a plan begins or goes on: never the request in which the plan was asked for."""
        asked = self._asked_in if plan is None else plan.step
        return max(first_step(self._parts), 0 if asked is None else asked + 1)

    @property
    def _instructed_step(self) -> int:
        return max((part.step for part in self._parts if isinstance(part, InstructionPart)), default=0)

    def _begun_step(self, place: int | None) -> int | None:
        """With which request a step goes on that the model was told of before; None where it was not."""
        told = [part for part in self._parts if isinstance(part, InstructionPart)]
        return first_step(self._parts) if told and told[-1].place == place else None

    def _was_told(self, plan: PlanPart) -> bool:
        """Whether the steps stand as they are in an instruction that the model has."""
        told = [part.text for part in self._parts if isinstance(part, InstructionPart)]
        return any(all(each.text in text for each in plan.steps) for text in told)

    def _remark(self, code: str, **params: str | int | float) -> None:
        self._answer.remark(Remark(code=code, params=params))


def asked_about(turn: StartedTurn, about: str) -> tuple[Message, Message]:
    """Return the question and the answer for which memory is asked; with a text ``about`` as if that were the question."""
    if not about:
        return turn.user_message, turn.assistant_message
    question = replace(turn.user_message, parts=(TextPart(text=about),))
    return question, replace(turn.assistant_message, parts=())


def _has_begun(plan: PlanPart) -> bool:
    return any(each.state in (StepState.DONE, StepState.FAILED) for each in plan.steps)


def _must_replan(plan: PlanPart) -> bool:
    """Each step that failed makes the rest be planned anew, once."""
    return sum(each.state is StepState.FAILED for each in plan.steps) > plan.replans


def _failure(parts: Sequence[Part], reason: DoneReason) -> tuple[Failure | None, str]:
    """Whether and why a step failed, by what was done for it."""
    texts = [part.text for part in parts if isinstance(part, TextPart) and part.text.strip()]
    calls = {part.call_id: part.name for part in parts if isinstance(part, ToolCallPart)}
    results = [part for part in parts if isinstance(part, ToolResultPart)]
    if texts and (why := failure_in(texts[-1])) is not None:
        return (Failure.SAID if why else Failure.UNSAID), why
    if reason is DoneReason.STEP_LIMIT:
        return Failure.LIMIT, ""
    if results and all(result.status is not ResultStatus.OK for result in results):
        return Failure.TOOL, calls.get(results[-1].call_id, "")
    if not texts and not results:
        return Failure.SILENT, ""
    return None, ""
