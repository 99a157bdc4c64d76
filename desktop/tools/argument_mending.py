"""Mends arguments where a model's slip has one plain meaning: ``"5"`` for 5, ``x`` for ``[x]``, ``null`` for absent."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, cast

from desktop.tools.schema_check import fits, resolve, spend_step
from desktop.tools.strict_json import MAX_DEPTH, UnreadableJson, read_json

_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,17})")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,17})(?:\.[0-9]{1,17})?(?:[eE][+-]?[0-9]{1,2})?")


def mend(value: Any, schema: Any, root: Mapping[str, Any] | None = None, depth: int = 0) -> Any:
    """Return ``value`` as ``schema`` wants it, or unchanged where that is not plain.

    The result is not promised to be valid. Raises ``TooMuchWork`` for a schema that takes too much of it.
    """
    spend_step()
    root = cast(Mapping[str, Any], schema) if root is None else root
    schema = resolve(schema, root)
    if depth > MAX_DEPTH or not schema:
        return value
    branches = _branches(schema)
    if branches:
        return _mend_by_branches(value, schema, branches, root, depth)
    kind = schema.get("type")
    if isinstance(value, dict):
        members = cast(dict[str, Any], value)
        return _mend_object(members, schema, root, depth) if kind in (None, "object") else members
    if isinstance(value, list):
        items: Any = schema.get("items") if kind in (None, "array") else None
        return [mend(item, items, root, depth + 1) for item in cast(list[Any], value)]
    mender = _MENDERS.get(kind) if isinstance(kind, str) else None
    return value if mender is None else mender(value, schema, root, depth)


def _branches(schema: Mapping[str, Any]) -> list[Any]:
    """The alternatives of a schema that says nothing else: ``anyOf``, ``oneOf``, or a list of types."""
    if isinstance(schema.get("type"), str) or "properties" in schema:
        return []
    for keyword in ("anyOf", "oneOf"):
        if isinstance(schema.get(keyword), list):
            return cast(list[Any], schema[keyword])
    if isinstance(types := schema.get("type"), list):
        return [{**schema, "type": kind} for kind in cast(list[Any], types)]
    return []


def _mend_by_branches(
    value: Any, schema: Mapping[str, Any], branches: list[Any], root: Mapping[str, Any], depth: int
) -> Any:
    """What fits already stays; else the one mended form that fits, when the alternatives agree on it."""
    fitting = [branch for branch in branches if fits(value, branch, root)]
    if fitting:
        return mend(value, fitting[0], root, depth + 1) if len(fitting) == 1 else value
    return _only(value, [mend(value, branch, root, depth + 1) for branch in branches], schema, root)


def _mend_object(value: dict[str, Any], schema: Mapping[str, Any], root: Mapping[str, Any], depth: int) -> Any:
    properties = schema.get("properties")
    if not isinstance(properties, Mapping):
        return value
    required = schema.get("required")
    needed = set(cast(list[str], required)) if isinstance(required, list) else set[str]()
    result: dict[str, Any] = {}
    for name, item in value.items():
        if name not in properties:
            result[name] = item
            continue
        part = cast(Mapping[str, Any], properties)[name]
        if item is None and name not in needed and not fits(None, part, root):
            continue  # many models send null for "not given"
        result[name] = mend(item, part, root, depth + 1)
    return result


def _to_integer(value: Any, *_: Any) -> Any:
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    return int(value) if isinstance(value, str) and _INTEGER.fullmatch(value.strip()) else value


def _to_number(value: Any, *_: Any) -> Any:
    if not isinstance(value, str) or not _NUMBER.fullmatch(text := value.strip()):
        return value
    return int(text) if _INTEGER.fullmatch(text) else float(text)


def _to_boolean(value: Any, *_: Any) -> Any:
    return {"true": True, "false": False}.get(value.strip().lower(), value) if isinstance(value, str) else value


def _to_string(value: Any, *_: Any) -> Any:
    # Only whole numbers have one way to be written.
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _to_array(value: Any, schema: Mapping[str, Any], root: Mapping[str, Any], depth: int) -> Any:
    """The JSON text of a list that fits stands for the list, any other item for a list of one."""
    if value is None:
        return value
    if isinstance(decoded := _decoded(value), list):
        form = mend(decoded, schema, root, depth + 1)
        if fits(form, schema, root):
            return form
    return mend([value], schema, root, depth + 1)


def _to_object(value: Any, schema: Mapping[str, Any], root: Mapping[str, Any], depth: int) -> Any:
    decoded = _decoded(value)
    return mend(decoded, schema, root, depth + 1) if isinstance(decoded, dict) else value


_MENDERS: Mapping[str, Callable[[Any, Mapping[str, Any], Mapping[str, Any], int], Any]] = {
    "integer": _to_integer,
    "number": _to_number,
    "boolean": _to_boolean,
    "string": _to_string,
    "array": _to_array,
    "object": _to_object,
}


def _only(value: Any, candidates: list[Any], schema: Mapping[str, Any], root: Mapping[str, Any]) -> Any:
    """The candidate that fits, when all that fit are the same; else the value."""
    fitting = {json.dumps(candidate, sort_keys=True): candidate for candidate in candidates}
    valid = [candidate for candidate in fitting.values() if fits(candidate, schema, root)]
    return valid[0] if len(valid) == 1 else value


def _decoded(value: Any) -> Any:
    """The value of a JSON text of a list or object, by the same strict reading as the arguments themselves."""
    if not isinstance(value, str) or value.strip()[:1] not in ("[", "{"):
        return None
    try:
        return read_json(value)
    except UnreadableJson:
        return None
