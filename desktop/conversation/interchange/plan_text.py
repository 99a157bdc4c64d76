"""The plan of an answer as it is read in an exported file: a list with ticks, and a line above each of its steps."""

import re

from desktop.conversation.entities import TextPart
from desktop.conversation.interchange.words import ExportWords
from desktop.conversation.plans import InstructionPart, PlanPart, StepState

_SPECIAL = re.compile(r"([\\`*_\[\]<>#|$~])")


def plan_piece(plan: PlanPart, words: ExportWords) -> TextPart:
    """Return the list as Markdown."""
    lines = [f"**{words.plan}**", ""]
    for number, each in enumerate(plan.steps, 1):
        said = words.step_states[each.state]
        why = f" ({_escaped(each.why)})" if each.why else ""
        state = "" if each.state in (StepState.DONE, StepState.WAITING) else f" — {said}{why}"
        lines.append(f"- [{'x' if each.state is StepState.DONE else ' '}] {number}. {_escaped(each.text)}{state}")
    return TextPart(text="\n".join(lines), step=plan.step)


def step_piece(part: InstructionPart, plan: PlanPart | None, words: ExportWords) -> TextPart | None:
    """Return what stands above what was done for a step; None where it is no step of a plan that is there."""
    if part.place is None:
        return TextPart(text=f"**{words.result}**", step=part.step)
    if plan is None or part.place >= len(plan.steps):
        return None
    head = words.plan_step.format(number=part.place + 1)
    return TextPart(text=f"**{head}: {_escaped(plan.steps[part.place].text)}**", step=part.step)


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))
