"""Reads the tool calls of one delta, in every shape that endpoints give them, into neutral pieces."""

import dataclasses
import json
from collections.abc import Iterator, Mapping
from typing import Any

from desktop.core.language_model import ToolCallDelta
from desktop.providers.surrogates import clean_text

_OF_CALL = frozenset({"index", "id", "type", "function", "name", "arguments"})
_OF_FUNCTION = frozenset({"name", "arguments"})


def call_pieces(calls: Any) -> list[ToolCallDelta]:
    """Return the pieces in a ``tool_calls`` value: a list, or one call alone. What is no call is left out."""
    if isinstance(calls, dict):
        is_numbered = bool(calls) and all(str(name).isdecimal() for name in calls)
        calls = list(calls.values()) if is_numbered else [calls]  # the first is what PHP makes of a list with gaps
    if not isinstance(calls, list):
        return []
    return list(_told_apart(_piece(call) for call in calls if isinstance(call, dict)))


def legacy_call_piece(function: Mapping[str, Any]) -> ToolCallDelta:
    """Return the piece in a ``function_call`` value, of which an answer has one at most."""
    return _piece({"index": 0, "function": function})


def is_useful(piece: ToolCallDelta) -> bool:
    """False for a piece that says nothing."""
    return bool(piece.call_id or piece.name or piece.arguments or piece.extra)


def _told_apart(pieces: Iterator[ToolCallDelta]) -> Iterator[ToolCallDelta]:
    """Calls that stand side by side are different ones, also where nothing tells them apart."""
    named: set[tuple[int | None, str]] = set()
    for piece in pieces:
        key = (piece.index, piece.call_id)
        if piece.name and key in named:
            yield dataclasses.replace(piece, begins_call=True)
            continue
        if piece.name:
            named.add(key)
        yield piece


def _piece(call: Mapping[str, Any]) -> ToolCallDelta:
    function = call.get("function")
    if not isinstance(function, dict):
        function = {key: call[key] for key in _OF_FUNCTION if key in call}
    extra = {key: value for key, value in call.items() if key not in _OF_CALL and value is not None}
    inner = {key: value for key, value in function.items() if key not in _OF_FUNCTION and value is not None}
    if inner:
        extra["function"] = inner
    call_id = call.get("id")
    name = function.get("name")
    return ToolCallDelta(
        index=_index(call.get("index")),
        call_id=clean_text(str(call_id)) if isinstance(call_id, str | int) and not isinstance(call_id, bool) else "",
        name=clean_text(name) if isinstance(name, str) else "",
        arguments=_arguments(function.get("arguments")),
        extra=extra,
    )


def _index(value: Any) -> int | None:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 6:
        return int(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _arguments(value: Any) -> str:
    if value is None:
        return ""
    if value == []:
        return "{}"  # what PHP makes of an empty object
    return clean_text(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
