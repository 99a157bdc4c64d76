"""The plan of an answer as the transcript shows it, and where each of its steps begins. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from desktop.agent.events import PlanEvent, PlanStepEvent
from desktop.conversation.entities import MessageStatus
from desktop.conversation.plans import InstructionPart, PlanPart, PlanState, PlanStep, StepState

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class PlanItem:
    plan: PlanPart


@dataclass(frozen=True, kw_only=True)
class PlanStepItem:
    """What follows belongs to the step at ``place``; None is what ends the answer."""

    place: int | None


class Progress(StrEnum):
    """How a plan stands, beside how its answer stands."""

    ASKED = "asked"
    RUNNING = "running"
    BROKEN = "broken"
    """The answer was stopped, failed, or ended with the program; the plan can go on."""
    REFUSED = "refused"
    LEFT = "left"
    DONE = "done"
    ENDED = "ended"
    """It is over, and not all of it was done."""


@dataclass(frozen=True)
class PlanBlock:
    """The list of the steps; with ``is_asked`` they can be edited and approved."""

    steps: tuple[PlanStep, ...]
    progress: Progress
    replans: int = 0
    goes_on_alone: bool = False

    @property
    def is_asked(self) -> bool:
        return self.progress is Progress.ASKED

    @property
    def done(self) -> int:
        return sum(each.state is StepState.DONE for each in self.steps)

    @property
    def waiting(self) -> tuple[str, ...]:
        """What can be edited."""
        return tuple(each.text for each in self.steps if each.state is StepState.WAITING)


@dataclass(frozen=True)
class PlanStepBlock:
    """The line above what was done for a step; of number 0 above what ends the answer."""

    number: int
    text: str
    state: StepState
    is_live: bool


def show_plan(
    items: list[T | PlanItem | PlanStepItem], told: PlanPart | InstructionPart | PlanEvent | PlanStepEvent
) -> None:
    """Let the items of a row show a plan as it is now, or that another step begins."""
    if isinstance(told, InstructionPart | PlanStepEvent):
        items.append(PlanStepItem(place=told.place))
        return
    item = PlanItem(plan=told if isinstance(told, PlanPart) else told.plan)
    place = next((place for place, each in enumerate(items) if isinstance(each, PlanItem)), None)
    if place is None:
        items.append(item)
    else:
        items[place] = item


def plan_blocks(
    items: Sequence[object], item: PlanItem | PlanStepItem, status: MessageStatus
) -> PlanBlock | PlanStepBlock:
    """Return what stands for ``item`` in an answer of this status."""
    is_live = status is MessageStatus.STREAMING
    if isinstance(item, PlanItem):
        plan = item.plan
        return PlanBlock(plan.steps, _progress(plan, status), plan.replans, plan.goes_on_alone)
    steps = next((each.plan.steps for each in items if isinstance(each, PlanItem)), ())
    if item.place is None or item.place >= len(steps):
        return PlanStepBlock(0, "", StepState.DONE, is_live)
    step = steps[item.place]
    return PlanStepBlock(item.place + 1, step.text, step.state, is_live)


def _progress(plan: PlanPart, status: MessageStatus) -> Progress:
    if plan.state is PlanState.REFUSED:
        return Progress.REFUSED
    if plan.state is PlanState.LEFT:
        return Progress.LEFT
    left = (StepState.WAITING, StepState.RUNNING, StepState.SKIPPED)
    if plan.steps[-1].state is StepState.DONE and not any(each.state in left for each in plan.steps):
        return Progress.DONE  # what failed was replaced by what followed
    if plan.state is PlanState.ENDED:
        return Progress.ENDED
    if status is not MessageStatus.STREAMING:
        return Progress.BROKEN
    return Progress.ASKED if plan.state is PlanState.ASKED else Progress.RUNNING


def waits_for_plan(items: Sequence[object]) -> bool:
    """Whether the user is asked for leave to carry out a plan."""
    return any(isinstance(each, PlanItem) and each.plan.state is PlanState.ASKED for each in items)


def in_reading_order(items: Sequence[T], status: MessageStatus) -> list[tuple[int, T]]:
    """Return the items with their places: a plan that is asked about again stands at the end, where the user reads."""
    placed = list(enumerate(items))
    for place, item in placed:
        if isinstance(item, PlanItem) and item.plan.replans and _progress(item.plan, status) is Progress.ASKED:
            return [*placed[:place], *placed[place + 1 :], (place, item)]
    return placed
