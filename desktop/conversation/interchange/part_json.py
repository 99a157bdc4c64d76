"""The parts of a message as JSON and back: nothing is believed that this program would not have written."""

import dataclasses
import math
from collections.abc import Mapping
from typing import Any, cast

from desktop.conversation.entities import (
    AttachmentPart,
    ErrorPart,
    Part,
    RecalledRef,
    RecallPart,
    RemarkPart,
    ReplayPart,
    SourcesPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
)
from desktop.conversation.inner_run import InnerRunPart
from desktop.conversation.plans import IMPORTED, InstructionPart, PlanPart, plan_from_json, plan_to_json, to_be_asked
from desktop.core import typed_reading
from desktop.core.language_model import Source, Usage
from desktop.core.nesting import is_nested_deeper
from desktop.core.tool_content import ResultItem, item_to_json

MOST_TEXT = 50_000_000
"""Characters of one part."""
MOST_LEVELS = 40
"""Of what an endpoint gave to be sent back."""
_MOST_STEPS = 100_000
_MOST_DEPTH = 8
_MOST_SMALL = 100_000
"""Entries of a list inside a part."""
_KINDS: Mapping[str, type[Any]] = {
    "text": TextPart,
    "thinking": ThinkingPart,
    "tool_call": ToolCallPart,
    "tool_result": ToolResultPart,
    "error": ErrorPart,
    "sources": SourcesPart,
    "remark": RemarkPart,
    "recall": RecallPart,
    "replay": ReplayPart,
    "attachment": AttachmentPart,
    "inner_run": InnerRunPart,
    "plan": PlanPart,
    "instruction": InstructionPart,
}
_NAMES = {kind: name for name, kind in _KINDS.items()}


def part_to_json(part: Part) -> dict[str, Any]:
    """Return what ``part_from_json`` reads; what is as usual is left out."""
    found: dict[str, Any] = {"type": _NAMES[type(part)]}
    if isinstance(part, PlanPart):
        return {**found, **plan_to_json(part), **({"step": part.step} if part.step else {})}
    for field in dataclasses.fields(part):
        value = getattr(part, field.name)
        if field.default is not dataclasses.MISSING and value == field.default:
            continue
        found[field.name] = value
    match part:
        case ToolResultPart():
            if part.items:
                found["items"] = [item_to_json(item) for item in part.items]
        case SourcesPart():
            found["sources"] = [dataclasses.asdict(source) for source in part.sources]
        case RecallPart():
            found |= {"found": [dataclasses.asdict(ref) for ref in part.found], "standing": list(part.standing)}
        case ToolCallPart() if not part.extra:
            del found["extra"]
        case InnerRunPart():
            found["parts"] = [part_to_json(each) for each in part.parts]
            found["usage"] = dataclasses.asdict(part.usage)
        case _:
            pass
    return found


def part_from_json(value: object, *, depth: int = 0) -> Part:
    """Return the part; ``depth`` says in how many runs it stands. Raises ``ValueError`` for what this program never writes."""
    if not isinstance(value, dict):
        raise ValueError("a part is no object")
    given = dict(cast(dict[str, Any], value))
    name = given.pop("type", None)
    kind = _KINDS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise ValueError(f"there is no part of type {str(name)[:40]!r}")
    text, step = given.get("text", ""), given.get("step", 0)
    if isinstance(text, str) and len(text) > MOST_TEXT:
        raise ValueError("a text is too long")
    if type(step) is not int or not 0 <= step <= _MOST_STEPS:
        raise ValueError("step is no small number")
    try:
        return _inner_run(given, depth) if kind is InnerRunPart else _read(kind, given)
    except (KeyError, TypeError) as error:
        raise ValueError("a part lacks something") from error


def _read(kind: type[Any], given: dict[str, Any]) -> Part:
    if kind is ToolResultPart:
        items = tuple(map(_item, _list(given.pop("items", []))))
        return dataclasses.replace(typed_reading.read(ToolResultPart, "result", given), items=items)
    if kind is SourcesPart:
        sources = tuple(typed_reading.read(Source, "source", one) for one in _list(given["sources"]))
        return SourcesPart(sources=sources, step=given.get("step", 0))
    if kind is PlanPart:
        return to_be_asked(plan_from_json(given, given.get("step", 0)))
    if kind is InstructionPart:
        return dataclasses.replace(typed_reading.read(InstructionPart, "instruction", given), text=IMPORTED)
    if kind is RecallPart:
        found = tuple(typed_reading.read(RecalledRef, "reference", one) for one in _list(given.pop("found", [])))
        return dataclasses.replace(typed_reading.read(RecallPart, "recall", given), found=found)
    if kind in (ErrorPart, RemarkPart):
        code, params = given["code"], given.get("params", {})
        if not isinstance(code, str) or len(code) > 200 or not isinstance(params, dict):
            raise ValueError("a code or its parameters are none")
        return kind(code=code, params=_params(cast(dict[str, Any], params)), step=given.get("step", 0))
    if is_nested_deeper(given, MOST_LEVELS):
        raise ValueError("it is nested too deep")
    return cast(Part, typed_reading.read(kind, "part", given))


def _inner_run(given: dict[str, Any], depth: int) -> InnerRunPart:
    if depth >= _MOST_DEPTH:
        raise ValueError("runs stand too deep in each other")
    names = [given["call_id"], given["assistant"], given.get("model", "")]
    if not all(isinstance(name, str) and len(name) <= 1_000 for name in names):
        raise ValueError("a name of a run is none, or too long")
    return InnerRunPart(
        call_id=names[0],
        assistant=names[1],
        model=names[2],
        parts=tuple(part_from_json(each, depth=depth + 1) for each in _list(given.get("parts", []))),
        usage=typed_reading.read(Usage, "usage", given.get("usage", {})),
        step=given.get("step", 0),
    )


def _item(value: object) -> ResultItem:
    item = typed_reading.read(ResultItem, "item", value)
    if len(item.audience) > 100 or len(item.text) > MOST_TEXT:
        raise ValueError("an item is too long")
    return item


def _params(given: Mapping[str, Any]) -> dict[str, str | int | float]:
    if len(given) > 100:
        raise ValueError("there are too many parameters")
    for value in given.values():
        if type(value) not in (str, int, float) or (isinstance(value, float) and not math.isfinite(value)):
            raise ValueError("a parameter is neither text nor number")
    return dict(given)


def _list(value: object) -> list[object]:
    if not isinstance(value, list) or len(cast(list[object], value)) > _MOST_SMALL:
        raise ValueError("a list is none, or too long")
    return cast(list[object], value)
