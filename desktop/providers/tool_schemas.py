"""Puts the JSON schema of a tool's arguments into a form that endpoints take: no references, an object at the root.

What a keyword says that an endpoint would stumble over is left out or said otherwise: the server checks every call's
arguments against the real schema anyway. So a schema here may allow more than the real one, never less.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from desktop.core.nesting import is_nested_deeper
from desktop.providers.schema_references import TooLargeError, inlined
from desktop.providers.sendable import sendable_text, sendable_value

MAX_SCHEMA_CHARS = 40_000
"""Of one tool, as JSON."""
MAX_NESTING = 200
"""Lists and objects inside each other, as the server wrote it; Python's own recursion ends not far above."""
MAX_DEPTH = 24
"""Deeper parts are described by their type only."""
NOTE_CHARS = 1024
"""Of the description of one property."""
SHORT_NOTE_CHARS = 120
MAX_ENUM = 500
PROPERTY_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}\Z")
"""What Anthropic takes as the name of a property."""

Schema = dict[str, Any]

_TYPES = {
    **{name: name for name in ("string", "number", "integer", "boolean", "object", "array", "null")},
    "str": "string",
    "text": "string",
    "int": "integer",
    "long": "integer",
    "float": "number",
    "double": "number",
    "decimal": "number",
    "bool": "boolean",
    "dict": "object",
    "map": "object",
    "list": "array",
    "tuple": "array",
}
_NUMBERS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
_COUNTS = (
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
    "minContains",
    "maxContains",
)
_FLAGS = ("uniqueItems", "deprecated", "readOnly", "writeOnly", "nullable")
_PARTS = ("not", "if", "then", "else", "contains", "propertyNames")
_UNIONS = ("anyOf", "oneOf", "allOf")
_PATTERN_CHARS = 500


class UnfitSchemaError(Exception):
    """The schema cannot be put into a form that the endpoint takes without making calls wrong."""


def adapted_schema(
    schema: Any, *, reduce: Callable[[Schema], Schema] | None = None, plain_property_names: bool = False
) -> Schema:
    """Return the schema as it is sent. Raises ``UnfitSchemaError``.

    ``reduce`` turns it into the dialect of an endpoint that takes few keywords. A schema that is too large loses, one
    after the other, its references into itself, its long descriptions and its depth.
    """
    if not isinstance(schema, Mapping) or is_nested_deeper(schema, MAX_NESTING):
        raise UnfitSchemaError
    for depth, note_chars in ((MAX_DEPTH, NOTE_CHARS), (MAX_DEPTH // 2, SHORT_NOTE_CHARS), (4, SHORT_NOTE_CHARS)):
        try:
            whole = inlined(cast(Mapping[str, Any], schema), max_depth=depth)
        except TooLargeError:
            continue
        adapted = as_root(_Cleaner(note_chars).schema(whole, depth))
        if reduce is not None:
            adapted = as_root(reduce(adapted))
        if plain_property_names:
            adapted = _plainly_named(adapted)
        if len(json.dumps(adapted, ensure_ascii=False)) <= MAX_SCHEMA_CHARS:
            return adapted
    raise UnfitSchemaError


def as_root(schema: Schema) -> Schema:
    """Return the schema with an object at its root and no choice beside it: variants become one object of all."""
    root = {key: value for key, value in schema.items() if key not in (*_UNIONS, *_PARTS, "enum", "const", "default")}
    variants: list[tuple[str, list[Schema]]] = [(key, schema[key]) for key in _UNIONS if schema.get(key)]
    properties: Schema = dict(schema.get("properties") or {})
    required = list(schema.get("required") or ())
    if schema.get("type", "object") != "object" and not properties:
        return {"type": "object", "properties": {}}
    for key, parts in variants:
        objects = [as_root(part) for part in parts]
        for part in objects:
            for name, value in part["properties"].items():
                known = properties.setdefault(name, value)
                if known != value and key != "allOf":  # variants differ: either will do
                    properties[name] = _either(known, value)
        needed = [part.get("required", []) for part in objects]
        common = [n for n in dict.fromkeys(name for names in needed for name in names) if _is_needed(n, needed, key)]
        required += [name for name in common if name not in required]
    root = {**root, "type": "object", "properties": properties}
    root.pop("required", None)
    return {**root, "required": required} if required else root


def _is_needed(name: str, needed: Sequence[Sequence[str]], key: str) -> bool:
    holds = [name in names for names in needed]
    return any(holds) if key == "allOf" else all(holds)


def _either(one: Schema, other: Schema) -> Schema:
    variants = one["anyOf"] if set(one) == {"anyOf"} else [one]
    return {"anyOf": variants if other in variants else [*variants, other]}


def _plainly_named(schema: Schema) -> Schema:
    properties = cast(Schema, schema["properties"])
    odd = [name for name in properties if not PROPERTY_NAME.match(name)]
    required = cast(list[str], schema.get("required", []))
    if any(name in required for name in odd):
        raise UnfitSchemaError
    return {**schema, "properties": {name: value for name, value in properties.items() if name not in odd}}


class _Cleaner:
    """Keeps of a schema without references what is valid, standard and of bounded size."""

    def __init__(self, note_chars: int) -> None:
        self._note_chars = note_chars

    def schema(self, value: Any, depth: int) -> Schema:
        """Return the sub-schema at ``value``; what allows anything, or is none, is ``{}``."""
        if value is False:
            return {"not": {}}
        if not isinstance(value, Mapping):
            return {}
        node = cast(Mapping[str, Any], value)
        out: Schema = {}
        if kind := _type_of(node):
            out["type"] = kind
        for key in ("title", "description"):
            if isinstance(node.get(key), str) and (text := sendable_text(node[key])).strip():
                out[key] = clipped(text, self._note_chars)
        if depth <= 0:
            return {**out, "items": {}} if kind == "array" else out
        self._choices(node, out)
        self._limits(node, out)
        self._object(node, out, depth - 1)
        self._array(node, out, depth - 1)
        for key in _UNIONS:
            if isinstance(node.get(key), list) and node[key]:
                out[key] = [self.schema(part, depth - 1) for part in node[key]]
        for key in _PARTS:
            if isinstance(node.get(key), Mapping | bool):
                out[key] = self.schema(node[key], depth - 1)
        return out

    @staticmethod
    def _choices(node: Mapping[str, Any], out: Schema) -> None:
        options: Any = node.get("enum")
        if isinstance(options, list) and 0 < len(cast(list[Any], options)) <= MAX_ENUM:
            different = {
                json.dumps(option, sort_keys=True): option for option in map(sendable_value, cast(Any, options))
            }
            out["enum"] = list(different.values())
        if "const" in node:
            out["const"] = sendable_value(node["const"])
        for key in ("default", "examples"):
            if key in node and (key == "default" or isinstance(node[key], list)):
                example = sendable_value(node[key])
                if len(json.dumps(example)) <= NOTE_CHARS:
                    out[key] = example

    @staticmethod
    def _limits(node: Mapping[str, Any], out: Schema) -> None:
        for low, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
            if node.get(exclusive) is True and _is_number(node.get(low)):  # as it was before draft 6
                node = {**{key: value for key, value in node.items() if key != low}, exclusive: node[low]}
        out.update({key: node[key] for key in _NUMBERS if _is_number(node.get(key))})
        if out.get("multipleOf", 1) <= 0:
            del out["multipleOf"]
        out.update({key: node[key] for key in _COUNTS if type(node.get(key)) is int and node[key] >= 0})
        out.update({key: node[key] for key in _FLAGS if isinstance(node.get(key), bool)})
        if isinstance(node.get("format"), str):
            out["format"] = sendable_text(node["format"])[:40]
        if isinstance(node.get("pattern"), str) and _is_pattern(node["pattern"]):
            out["pattern"] = sendable_text(node["pattern"])

    def _object(self, node: Mapping[str, Any], out: Schema, depth: int) -> None:
        parts: Any = node.get("properties")
        properties: Schema = {}
        if isinstance(parts, Mapping):
            never = {name for name, part in cast(Mapping[str, Any], parts).items() if part is False}
            properties = {
                sendable_text(str(name)): self.schema(part, depth)
                for name, part in cast(Mapping[str, Any], parts).items()
                if name not in never
            }
            out["properties"] = properties
            if "type" not in out and properties:
                out["type"] = "object"
        names: Any = node.get("required")
        if isinstance(names, list) and "object" in (out.get("type"), *_as_list(out.get("type"))):
            required = [sendable_text(name) for name in dict.fromkeys(cast(list[Any], names)) if isinstance(name, str)]
            if required:
                out["required"] = required
                out["properties"] = {**properties, **{name: {} for name in required if name not in properties}}
        others: Any = node.get("additionalProperties")
        if isinstance(others, bool):
            out["additionalProperties"] = others
        elif isinstance(others, Mapping):
            out["additionalProperties"] = self.schema(others, depth)
        patterns: Any = node.get("patternProperties")
        if isinstance(patterns, Mapping):
            kept = {
                sendable_text(pattern): self.schema(part, depth)
                for pattern, part in cast(Mapping[Any, Any], patterns).items()
                if isinstance(pattern, str) and _is_pattern(pattern)
            }
            if kept:
                out["patternProperties"] = kept

    def _array(self, node: Mapping[str, Any], out: Schema, depth: int) -> None:
        items: Any = node.get("items")
        first: Any = items if isinstance(items, list) else node.get("prefixItems")
        if isinstance(first, list) and first:  # a tuple, which few endpoints know: each item is one of its parts
            parts = [self.schema(part, depth) for part in cast(list[Any], first)]
            different = [part for place, part in enumerate(parts) if part not in parts[:place]]
            out["items"] = different[0] if len(different) == 1 else {"anyOf": different}
        elif isinstance(items, Mapping):
            out["items"] = self.schema(items, depth)
        elif "array" in (out.get("type"), *_as_list(out.get("type"))):
            out["items"] = {}  # OpenAI refuses an array that does not say of what


def clipped(text: str, limit: int) -> str:
    """Return at most ``limit`` characters of ``text``, cut between words where that is near."""
    if len(text) <= limit:
        return text
    head = text[: limit - 1]
    space = head.rfind(" ")
    return (head[:space] if space > limit * 0.8 else head).rstrip() + "…"


def _type_of(node: Mapping[str, Any]) -> str | list[str] | None:
    given: Any = node.get("type")
    names = [given] if isinstance(given, str) else cast(list[Any], given) if isinstance(given, list) else []
    known = [_TYPES[name.lower()] for name in names if isinstance(name, str) and name.lower() in _TYPES]
    if len(known) < len(names):  # one that nobody knows could be anything
        return None
    different = list(dict.fromkeys(known))
    return different[0] if len(different) == 1 else different or None


def _as_list(value: Any) -> list[Any]:
    return cast(list[Any], value) if isinstance(value, list) else []


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300


def _is_pattern(text: str) -> bool:
    """Tell whether a regular expression can be read by other engines than the one it was written for."""
    if len(text) > _PATTERN_CHARS:
        return False
    try:
        re.compile(text)
    except (re.error, RecursionError, OverflowError, ValueError):
        return False
    return True
