"""What an assistant did that an answer asked, as the card of the call shows it: steps, each a title's parts and a text."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, cast

from desktop.conversation.entities import ErrorPart, Part, TextPart, ThinkingPart, ToolCallPart, ToolResultPart
from desktop.conversation.inner_run import InnerRunPart
from desktop.tools.assistant_tool import ASSISTANT_SERVER
from desktop.tools.entities import CallState
from desktop.ui.state.pretty_json import pretty_json
from desktop.ui.state.tool_item import ToolItem, ToolState

MOST_STEPS = 60
"""Shown in a card, the last ones."""


class StepKind(StrEnum):
    SAID = "said"
    THOUGHT = "thought"
    CALLED = "called"
    FAILED = "failed"


@dataclass(frozen=True)
class InnerStep:
    """``who`` is the assistant, with those who asked it before its name; of a call, ``tool`` and ``state`` say more."""

    kind: StepKind
    who: tuple[str, ...]
    text: str
    tool: str = ""
    server: str = ""
    state: ToolState | None = None
    error: ErrorPart | None = None


def steps_of(item: ToolItem) -> list[InnerStep]:
    """Return what to show of the run that a call began; what its result says anyway is left out at the end."""
    if item.inner is None:
        return []
    found = list(_steps(item.inner, (), item.inner_states))
    if found and found[-1].kind is StepKind.SAID and item.has_result and found[-1].text.strip() == item.result.strip():
        found.pop()
    return found[-MOST_STEPS:]


def is_for_assistant(item: ToolItem) -> bool:
    """Whether the call asks an assistant."""
    return item.shown_server == ASSISTANT_SERVER


def asked_in(item: ToolItem) -> tuple[str, str]:
    """Return which assistant a call asks, and for what, as far as the model wrote it by now."""
    try:
        given: Any = json.loads(item.arguments)
    except (ValueError, RecursionError):
        given = {}
    fields = cast(dict[str, Any], given) if isinstance(given, dict) else {}
    name, task = fields.get("assistant", ""), fields.get("task", "")
    shown = item.inner.assistant if item.inner is not None else name
    return shown if isinstance(shown, str) else "", task if isinstance(task, str) else ""


def waits_for_user(item: ToolItem) -> bool:
    """Whether a call inside the run waits for the user."""
    return any(state is CallState.WAITING_APPROVAL for state in item.inner_states.values())


def _steps(run: InnerRunPart, above: tuple[str, ...], states: Mapping[str, CallState]) -> Iterator[InnerStep]:
    who = (*above, run.assistant)
    results = {part.call_id: part for part in run.parts if isinstance(part, ToolResultPart)}
    inner = {part.call_id: part for part in run.parts if isinstance(part, InnerRunPart)}
    for part in run.parts:
        if isinstance(part, ToolCallPart):
            yield _called(part, results.get(part.call_id), who, states.get(part.call_id))
            if (deeper := inner.get(part.call_id)) is not None:
                start = f"{part.call_id}/"
                own = {key.removeprefix(start): state for key, state in states.items() if key.startswith(start)}
                yield from _steps(deeper, who, own)
        elif (step := _plain(part, who)) is not None:
            yield step


def _plain(part: Part, who: tuple[str, ...]) -> InnerStep | None:
    match part:
        case TextPart() if part.text.strip():
            return InnerStep(StepKind.SAID, who, part.text)
        case ThinkingPart() if part.text.strip():
            return InnerStep(StepKind.THOUGHT, who, part.text)
        case ErrorPart():
            return InnerStep(StepKind.FAILED, who, "", error=part)
        case _:
            return None


def _called(
    call: ToolCallPart, result: ToolResultPart | None, who: tuple[str, ...], state: CallState | None
) -> InnerStep:
    shown = ToolItem(call_id=call.call_id, name=call.name, arguments=call.arguments, state=ToolState.PROPOSED)
    text = pretty_json(call.arguments)
    if result is not None:
        text, shown_state = f"{text}\n\n{result.text}", ToolState(result.status.value)
    elif state is None or state is CallState.FINISHED:
        shown_state = ToolState.RUNNING
    else:
        shown_state = ToolState(state.value)
    return InnerStep(StepKind.CALLED, who, text, tool=shown.shown_tool, server=shown.shown_server, state=shown_state)
