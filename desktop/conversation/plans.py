"""A plan inside an answer: its steps, how far they are, and what the model is told when one begins."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, TypeVar, cast

T = TypeVar("T")

MOST_STEPS = 12
"""Of a plan, the ones that are done included."""
MOST_REPLANS = 3
"""So often the rest of a plan is made anew after a step that failed."""
MOST_STEP_CHARACTERS = 500
MOST_WHY_CHARACTERS = 300
_MOST_STORED = 10_000
IMPORTED = "Go on with the next step."
"""Stands for what another program told its model: nobody sees it here, and a file must not speak for the user."""


class StepState(StrEnum):
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    SKIPPED = "skipped"


class Failure(StrEnum):
    """How it was found that a step failed."""

    SAID = "said"
    """By the model's own words, which are kept."""
    UNSAID = "unsaid"
    """The model said so without a reason."""
    TOOL = "tool"
    """None of the tools that it called succeeded; the last one is kept."""
    LIMIT = "limit"
    """It took too many requests."""
    SILENT = "silent"
    """The model said and did nothing."""


class PlanState(StrEnum):
    ASKED = "asked"
    """The user is asked for leave; nothing runs."""
    APPROVED = "approved"
    REFUSED = "refused"
    """The user did not want it, or its rest; nothing more of it runs."""
    LEFT = "left"
    """The user wanted an answer without it."""
    ENDED = "ended"


@dataclass(frozen=True, kw_only=True)
class PlanStep:
    text: str
    state: StepState = StepState.WAITING
    failure: Failure | None = None
    why: str = ""
    """What belongs to ``failure``; never what a tool returned, which the user may remove by itself."""
    is_changed: bool = False
    """It was not in the plan before the last step failed."""


@dataclass(frozen=True, kw_only=True)
class PlanPart:
    """The plan as it is now; there is one at most in an answer, before all that was done for it."""

    steps: tuple[PlanStep, ...]
    state: PlanState = PlanState.ASKED
    replans: int = 0
    goes_on_alone: bool = False
    """The user need not be asked again when the rest is planned anew."""
    step: int = 0

    @property
    def text(self) -> str:
        """The steps as a list, for people and for the search."""
        return "\n".join(f"{number}. {each.text}" for number, each in enumerate(self.steps, 1))

    @property
    def waiting(self) -> tuple[str, ...]:
        """The texts of the steps that were not begun."""
        return tuple(each.text for each in self.steps if each.state is StepState.WAITING)

    @property
    def next_place(self) -> int | None:
        """The place of the step that is to be done now; None where none is left."""
        open_states = (StepState.WAITING, StepState.RUNNING)
        return next((place for place, each in enumerate(self.steps) if each.state in open_states), None)

    def with_step(self, place: int, state: StepState, failure: Failure | None = None, why: str = "") -> "PlanPart":
        """Return the plan with this step in another state."""
        changed = replace(self.steps[place], state=state, failure=failure, why=why)
        return replace(self, steps=(*self.steps[:place], changed, *self.steps[place + 1 :]))

    def with_rest(self, texts: Sequence[str]) -> "PlanPart":
        """Return the plan with other steps in the place of all that were not begun."""
        kept = tuple(each for each in self.steps if each.state is not StepState.WAITING)
        known = {each.text: each.is_changed for each in self.steps if each.state is StepState.WAITING}
        room = max(0, MOST_STEPS - len(kept))
        new = (PlanStep(text=text, is_changed=known.get(text, bool(kept))) for text in texts[:room])
        return replace(self, steps=(*kept, *new))

    def without_rest(self, state: PlanState) -> "PlanPart":
        """Return the plan with all that was not done skipped."""
        steps = (
            replace(each, state=StepState.SKIPPED) if each.state in (StepState.WAITING, StepState.RUNNING) else each
            for each in self.steps
        )
        return replace(self, steps=tuple(steps), state=state)


@dataclass(frozen=True, kw_only=True)
class InstructionPart:
    """What the app tells the model, as if the user had said it, before it goes on with a plan."""

    text: str
    place: int | None = None
    """Of the step that begins here; None before the words that end the answer."""
    step: int = 0


def plan_to_json(plan: PlanPart) -> dict[str, Any]:
    """Return what ``plan_from_json`` reads."""
    steps = [[each.text, each.state.value, each.failure, each.why, each.is_changed] for each in plan.steps]
    return {"steps": steps, "state": plan.state.value, "replans": plan.replans, "alone": plan.goes_on_alone}


def plan_from_json(fields: Mapping[str, Any], step: int) -> PlanPart:
    """Return the plan. Raises ``ValueError``, ``KeyError`` or ``TypeError`` for what this program never writes."""
    rows: Any = fields["steps"]
    if not isinstance(rows, list) or len(cast(list[Any], rows)) > MOST_STEPS:
        raise ValueError("the steps of a plan are none, or too many")
    steps: list[PlanStep] = []
    for text, state, failure, why, is_changed in cast(list[Any], rows):
        if not isinstance(text, str) or not isinstance(why, str) or len(text) + len(why) > _MOST_STORED:
            raise ValueError("a step of a plan is none, or too long")
        found = None if failure is None else Failure(failure)
        steps.append(PlanStep(text=text, state=StepState(state), failure=found, why=why, is_changed=bool(is_changed)))
    replans: Any = fields.get("replans", 0)
    if type(replans) is not int or not 0 <= replans <= MOST_REPLANS:
        raise ValueError("replans is no small number")
    return PlanPart(
        steps=tuple(steps),
        state=PlanState(fields["state"]),
        replans=replans,
        goes_on_alone=bool(fields.get("alone", False)),
        step=step,
    )


def to_be_asked(plan: PlanPart) -> PlanPart:
    """Return a plan that came from elsewhere: what somebody approved there is approved by nobody here."""
    if plan.state is not PlanState.APPROVED:
        return replace(plan, goes_on_alone=False)
    steps = (replace(each, state=StepState.WAITING) if each.state is StepState.RUNNING else each for each in plan.steps)
    return replace(plan, steps=tuple(steps), state=PlanState.ASKED, goes_on_alone=False)


def with_part(parts: Sequence[T], part: "PlanPart | InstructionPart") -> "list[T | PlanPart | InstructionPart]":
    """Return the parts of an answer with this one: a plan takes the place of the one before."""
    if isinstance(part, PlanPart) and plan_of(parts) is not None:
        return [part if isinstance(each, PlanPart) else each for each in parts]
    return [*parts, part]


def plan_of(parts: Sequence[object]) -> PlanPart | None:
    """Return the plan of an answer, if it has one."""
    return next((part for part in parts if isinstance(part, PlanPart)), None)


def steps_from(texts: Sequence[str]) -> tuple[str, ...]:
    """Return what is left of steps as they were written or typed: one line each, not too long, not too many."""
    lines = (" ".join(text.split()) for text in texts)
    return tuple(line[:MOST_STEP_CHARACTERS] for line in lines if line)[:MOST_STEPS]
