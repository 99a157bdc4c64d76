"""Notices that a model goes round in circles: the same calls again, with the same results, and nothing new between them.

Pure. What counts are whole steps: a step is what the model called at once, with what came of it. A call whose result
changes is progress, whatever it is (a state that is asked for until it changes), and so is another call beside it.
"""

import json
from collections.abc import Sequence
from typing import NamedTuple

from desktop.conversation.entities import Part, ToolCallPart, ToolResultPart
from desktop.core.digests import canonical_json
from desktop.core.tool_content import ItemKind

ROUNDS = 3
"""How often a circle is gone through before its next beginning is stopped."""
LONGEST_CIRCLE = 4
"""In steps: A, A-B, A-B-C, A-B-C-D."""
REPEATED = (
    f"Not run: this was called {ROUNDS} times with the same arguments and brought the same result every time."
    " Calling it again changes nothing. Answer with what you have, or say what is missing."
)

Call = tuple[str, str]


class _Step(NamedTuple):
    calls: tuple[Call, ...]
    results: tuple[object, ...]


def is_circling(parts: Sequence[Part], calls: Sequence[ToolCallPart]) -> bool:
    """Whether ``calls``, which the model just made, begin a circle once more that ``parts`` of its answer went through."""
    wanted = tuple(sorted(map(_call, calls)))
    earlier = _steps(parts, before=min((call.step for call in calls), default=0))
    for length in range(1, LONGEST_CIRCLE + 1):
        last = earlier[-length * ROUNDS :]
        if len(last) < length * ROUNDS or last[0].calls != wanted:
            continue
        if all(step == last[index % length] for index, step in enumerate(last)):
            return True
    return False


def _steps(parts: Sequence[Part], *, before: int) -> list[_Step]:
    """The steps with calls, oldest first."""
    results = {part.call_id: part for part in parts if isinstance(part, ToolResultPart)}
    by_step: dict[int, list[ToolCallPart]] = {}
    for part in parts:
        if isinstance(part, ToolCallPart) and part.step < before:
            by_step.setdefault(part.step, []).append(part)
    return [_step(by_step[step], results) for step in sorted(by_step)]


def _step(calls: list[ToolCallPart], results: dict[str, ToolResultPart]) -> _Step:
    paired = sorted((_call(call), _outcome(results.get(call.call_id))) for call in calls)
    return _Step(tuple(call for call, _ in paired), tuple(outcome for _, outcome in paired))


def _call(call: ToolCallPart) -> Call:
    try:
        return call.name, canonical_json(json.loads(call.arguments or "{}"))
    except (ValueError, RecursionError):
        return call.name, call.arguments


def _outcome(result: ToolResultPart | None) -> tuple[str, ...]:
    """What makes a result the same as another; of a text that was cut, the digest of the whole counts."""
    if result is None:
        return ()
    kept = [(item.kind.value, item.digest or item.text or item.uri) for item in result.items]
    is_whole = any(item.kind is ItemKind.WHOLE for item in result.items)
    return (result.status.value, "" if is_whole else result.text, *(word for pair in kept for word in pair))
