"""How a model is asked for a plan, how it is read from what the model writes, and what it is told of each step. Pure."""

import json
import re
from collections.abc import Sequence
from typing import Any, cast

from desktop.agent.call_arguments import objects_in
from desktop.conversation.plans import (
    MOST_STEPS,
    MOST_WHY_CHARACTERS,
    Failure,
    PlanPart,
    PlanStep,
    StepState,
    steps_from,
)
from desktop.core.digests import sha256_of_json
from desktop.core.expressions import Expression
from desktop.tools.entities import ToolDescriptor

MOST_READ = 40_000
"""Characters of what a model wrote in which a plan is looked for."""
_MOST_TOOLS = 40
_MOST_TOOL_CHARACTERS = 120
_NAMES = ("steps", "plan", "tasks", "todo", "todos", "步骤", "计划")
"""Under which models put the steps, and under which a step puts its text."""
_TEXTS = ("text", "step", "title", "description", "task", "name", "content", "步骤", "内容")
_FENCE = Expression(r"```[a-zA-Z]*\s*+|```")
_NUMBERED = Expression(
    r"\s{0,6}(?:\*\*)?(?:(?:[Ss]tep|步骤|第)\s{0,2})?(\d{1,2})\s{0,2}(?:步)?(?:\*\*)?[.)、:：．]\s*+(.+)"
)
_FAILED = Expression(r"[\s*_#>]{0,8}STEP[ _]FAILED\b[\s*_]{0,8}[:：]?(.*)", flags=re.DOTALL | re.IGNORECASE)

_DESCRIPTION = (
    "Show the user the plan: a short list of steps that you will carry out one after the other once the user has"
    " approved it. Nothing runs before that. Give no steps when the request needs no plan."
)
_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "steps": {
            "type": "array",
            "items": {"type": "string", "description": "What is done in this step, in one short sentence."},
            "description": f"At most {MOST_STEPS} steps, in the user's language.",
        }
    },
    "required": ["steps"],
    "additionalProperties": False,
}
PLAN_TOOL = ToolDescriptor(
    server_id="app",
    name="propose_plan",
    alias="propose_plan",
    title="Propose a plan",
    description=_DESCRIPTION,
    input_schema=_SCHEMA,
    definition_hash=sha256_of_json(["app", "propose_plan", _DESCRIPTION, _SCHEMA]),
)
"""What a model calls to show its plan; the loop reads it, no server has it, and nothing runs by it."""


def asking_for_plan(tools: Sequence[ToolDescriptor]) -> str:
    """Return what the model is told before its first request; ``tools`` are those that the steps can use."""
    return (
        "Do not answer yet. First call propose_plan with the steps that you will take: each one short sentence in the"
        f" language of my request, 2 to 7 of them as a rule, {MOST_STEPS} at most. I will look at them before you begin."
        ' If you cannot call it, write nothing but JSON of this form: {"steps": ["…", "…"]}. If no plan is needed'
        f" because you can answer at once, give no steps.{_tools_named(tools)}"
    )


def asking_for_rest(plan: PlanPart, place: int, tools: Sequence[ToolDescriptor]) -> str:
    """Return what the model is told after a step failed."""
    return (
        f"Step {place + 1} of the plan failed: {_why(plan.steps[place])}\n\nThe plan so far:\n{_listed(plan)}\n\nDo not go"
        " on yet. Call propose_plan with the steps that are to be done from here on, in the place of the failed step"
        " and of all that follow; name none that is done. If you cannot call it, write nothing but JSON of this form:"
        f' {{"steps": ["…"]}}. Give no steps if the request cannot be met.{_tools_named(tools)}'
    )


def beginning_of_step(plan: PlanPart, place: int, *, tells_plan: bool) -> str:
    """Return what the model is told when a step begins; ``tells_plan`` where it was not told the present plan before."""
    head = f"I approved this plan:\n{_listed(plan)}\n\n" if tells_plan else ""
    return (
        f"{head}Carry out step {place + 1} of {len(plan.steps)} now, and nothing else: {plan.steps[place].text}\n\nUse"
        " the tools that it needs, and say in a few words what came of it. If it cannot be done, begin your reply with"
        " “STEP FAILED:” and the reason in one sentence."
    )


def ending_words(plan: PlanPart) -> str:
    """Return what the model is told after the last step."""
    if all(each.state is StepState.DONE for each in plan.steps):
        return (
            "All steps of the plan are done. Give me the final answer to my request now, without repeating the steps."
        )
    return (
        f"The plan ends here:\n{_listed(plan)}\n\nTell me now, honestly and briefly, what was done, what was not and why,"
        " and what I can do. Call no tools."
    )


def failure_in(text: str) -> str | None:
    """Return why a step failed by the model's own word, which may be empty; None where it does not say so."""
    found = _FAILED.match(text[:4_000])
    if found is None:
        return None
    return " ".join(found.group(1).split())[:MOST_WHY_CHARACTERS]


def plan_in_call(arguments: str) -> tuple[str, ...] | None:
    """Return the steps of a call of ``propose_plan``; None where there is no reading them."""
    for text in objects_in(arguments[:MOST_READ]):
        if (found := _steps_in_json(text)) is not None:
            return found
    return plan_in_text(arguments)


def plan_in_text(text: str) -> tuple[str, ...] | None:
    """Return the steps that a text holds and nothing else: as JSON, or as a numbered list with a line above it."""
    text = _FENCE.sub("", text[:MOST_READ]).strip()
    start, end = min((at for at in (text.find("{"), text.find("[")) if at >= 0), default=-1), len(text)
    if start >= 0:
        end = max(text.rfind("}"), text.rfind("]")) + 1
        if (found := _steps_in_json(text[start:end])) is not None:
            return found
    return _numbered(text)


def _steps_in_json(text: str) -> tuple[str, ...] | None:
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, dict):
        members = cast(dict[str, Any], value)
        value = next((members[name] for name in _NAMES if name in members), None)
        if isinstance(value, dict):  # {"plan": {"steps": […]}}, or {"steps": {"1": …}}
            inner = cast(dict[str, Any], value)
            value = next((inner[name] for name in _NAMES if name in inner), list(inner.values()))
        if isinstance(value, str):
            return _numbered(value) or steps_from(value.splitlines())
    if not isinstance(value, list):
        return None
    return steps_from([text for each in cast(list[Any], value) if (text := _text_of(each))])


def _text_of(step: object) -> str:
    if isinstance(step, dict):
        members = cast(dict[str, Any], step)
        return next((str(members[name]) for name in _TEXTS if isinstance(members.get(name), str)), "")
    return step if isinstance(step, str) else ""


def _numbered(text: str) -> tuple[str, ...] | None:
    """Two items at least, numbered from 1 without a gap, and at most one line that is none of them, the first."""
    lines = [line for line in text.splitlines() if line.strip()]
    found = [_NUMBERED.match(line) for line in lines]
    if found and found[0] is None:
        found = found[1:]
    numbers = [int(each.group(1)) for each in found if each is not None]
    if len(numbers) < 2 or len(numbers) != len(found) or numbers != list(range(1, len(numbers) + 1)):
        return None
    return steps_from([each.group(2).strip("* ") for each in found if each is not None])


def _why(step: PlanStep) -> str:
    match step.failure:
        case Failure.TOOL:
            return f"the tool {step.why} did not succeed."
        case Failure.LIMIT:
            return "it took more requests than one step may take."
        case Failure.SILENT:
            return "nothing was said or done."
        case _:
            return step.why or "you said that it cannot be done."


def _listed(plan: PlanPart) -> str:
    marks = {StepState.DONE: " (done)", StepState.FAILED: " (failed)", StepState.SKIPPED: " (not done)"}
    return "\n".join(f"{number}. {each.text}{marks.get(each.state, '')}" for number, each in enumerate(plan.steps, 1))


def _tools_named(tools: Sequence[ToolDescriptor]) -> str:
    if not tools:
        return ""
    lines = [
        f"- {tool.alias}: {' '.join(tool.description.split())[:_MOST_TOOL_CHARACTERS]}" for tool in tools[:_MOST_TOOLS]
    ]
    return "\n\nWhile you carry out the steps you will have these tools:\n" + "\n".join(lines)
