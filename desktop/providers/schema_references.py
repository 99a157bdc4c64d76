"""Puts in the place of each ``$ref`` of a schema what it refers to; what refers to itself, down to a bounded depth."""

from collections.abc import Mapping, Sequence
from typing import Any, cast
from urllib.parse import unquote

MAX_NODES = 2_000
"""Sub-schemas of one tool after the references were replaced: a few nested ones can stand for millions."""
MAX_REPEATS = 2
"""How often a definition stands inside itself, before only its type is said."""

_DROPPED = frozenset(
    {
        *("$ref", "$schema", "$id", "id", "$anchor", "$comment", "$defs", "definitions", "$vocabulary"),
        *("$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor"),
    }
)
_MAPS = ("properties", "patternProperties", "dependentSchemas")
_LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")
_SINGLE = ("items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames")


class TooLargeError(Exception):
    """The schema has more parts than are sent."""


def inlined(schema: Mapping[str, Any], *, max_depth: int) -> dict[str, Any]:
    """Return the schema without references. Those that lead nowhere, or out of the schema, allow anything.

    Parts deeper than ``max_depth`` become ``{}``. Raises ``TooLargeError``.
    """
    return _Inliner(schema).schema(schema, max_depth, ())


class _Inliner:
    def __init__(self, root: Mapping[str, Any]) -> None:
        self._root = root
        self._nodes = 0

    def schema(self, value: Any, depth: int, inside: tuple[str, ...]) -> Any:
        """Return ``value`` without references; ``inside`` are those that led here."""
        if not isinstance(value, Mapping):
            return value
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise TooLargeError
        node = cast(Mapping[str, Any], value)
        reference = node.get("$ref", node.get("$dynamicRef", node.get("$recursiveRef")))
        beside = self._parts(node, depth, inside)
        if not isinstance(reference, str):
            return beside
        target = self._target(reference)
        if not isinstance(target, Mapping):
            return beside
        if depth <= 0 or inside.count(reference) >= MAX_REPEATS or len(inside) > 4 * max(depth, 1) + 64:
            kept = ("type", "description") if "$ref" not in target else ("description",)
            return {**{key: target[key] for key in kept if key in target}, **beside}
        return {**self.schema(target, depth, (*inside, reference)), **beside}

    def _parts(self, node: Mapping[str, Any], depth: int, inside: tuple[str, ...]) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for key, value in node.items():
            if key in _DROPPED:
                continue
            if key in (*_MAPS, *_LISTS, *_SINGLE) and depth <= 0:
                continue
            if key in _MAPS and isinstance(value, Mapping):
                parts = cast(Mapping[Any, Any], value)
                out[key] = {name: self.schema(part, depth - 1, inside) for name, part in parts.items()}
            elif key in (*_LISTS, "items") and isinstance(value, list | tuple):
                out[key] = [self.schema(part, depth - 1, inside) for part in cast(Sequence[Any], value)]
            elif key in _SINGLE:
                out[key] = self.schema(value, depth - 1, inside)
            else:
                out[key] = value
        return out

    def _target(self, reference: str) -> Any:
        """What a reference within the schema leads to; None where there is nothing."""
        if reference in ("#", ""):
            return self._root
        if not reference.startswith("#/"):
            return self._anchored(reference.removeprefix("#")) if reference.startswith("#") else None
        node: Any = self._root
        for part in unquote(reference[2:]).split("/"):
            key = part.replace("~1", "/").replace("~0", "~")
            if isinstance(node, Mapping):
                node = cast(Mapping[str, Any], node).get(key)
            elif isinstance(node, list) and key.isdecimal() and int(key) < len(cast(list[Any], node)):
                node = cast(list[Any], node)[int(key)]
            else:
                return None
        return node

    def _anchored(self, name: str) -> Any:
        for group in ("$defs", "definitions"):
            parts: Any = self._root.get(group)
            if isinstance(parts, Mapping):
                for part in cast(Mapping[str, Any], parts).values():
                    if isinstance(part, Mapping) and name in (part.get("$anchor"), part.get("$dynamicAnchor")):
                        return cast(Any, part)
        return None
