"""Reduces a tool's schema to what endpoints of one kind know: Gemini's few keywords, or what llama.cpp makes a grammar of."""

import json
import re
from collections.abc import Mapping
from typing import Any, cast

from desktop.providers.tool_schemas import NOTE_CHARS, Schema, clipped

_FORMATS = {
    "string": frozenset({"date-time", "enum"}),
    "integer": frozenset({"int32", "int64"}),
    "number": frozenset({"float", "double"}),
}
_LIMITS = {"array": ("minItems", "maxItems"), "integer": ("minimum", "maximum"), "number": ("minimum", "maximum")}


def gemini_schema(schema: Schema) -> Schema:
    """Return a cleaned schema (``tool_schemas``) with one type everywhere, and choices among texts only."""
    merged = _merged(schema)
    notes = [merged["description"]] if "description" in merged else []
    variants = [part for part in merged.get("anyOf") or merged.get("oneOf") or [] if part != {"not": {}}]
    real = [part for part in variants if part.get("type") != "null"]
    may_be_null = len(real) < len(variants) or merged.get("nullable") is True or "null" in _types(merged)
    out: Schema
    if real and not merged.get("properties"):
        different: list[Schema] = []
        for part in map(gemini_schema, real):
            if part not in different:
                different.append(part)
        if len(different) > 1:  # beside a choice nothing else may stand
            return {"anyOf": different}
        out = dict(different[0])
        notes += [out.pop("description")] if "description" in out and not notes else []
    else:
        out = _single(merged, notes)
    if may_be_null:
        out["nullable"] = True
    if notes:
        out["description"] = clipped(" ".join(notes), NOTE_CHARS)
    return out


def _single(schema: Schema, notes: list[str]) -> Schema:
    """A schema of one type; what else was said of the value is added to ``notes``."""
    options: list[Any] = schema["enum"] if "enum" in schema else [schema["const"]] if "const" in schema else []
    kind = next((name for name in _types(schema) if name != "null"), None) or _guessed_type(schema, options)
    out: Schema = {"type": kind}
    texts = [option for option in options if isinstance(option, str) and option]
    if texts and kind == "string" and len(texts) == len([o for o in options if o is not None]):
        out["enum"] = texts
    elif options:
        notes.append(f"One of: {json.dumps(options, ensure_ascii=False)[1:-1]}.")
    if kind == "object":
        properties = cast(Mapping[str, Any], schema.get("properties") or {})
        out["properties"] = {name: gemini_schema(part) for name, part in properties.items()}
        if required := [name for name in schema.get("required", []) if name in properties]:
            out["required"] = required
    if kind == "array":
        out["items"] = gemini_schema(schema.get("items") or {})
    out.update({key: schema[key] for key in _LIMITS.get(kind, ()) if key in schema})
    if schema.get("format") in _FORMATS.get(kind, ()) and "enum" not in out:
        out["format"] = schema["format"]
    return out


def _merged(schema: Schema) -> Schema:
    """The schema with the parts of its ``allOf`` in it."""
    parts = cast(list[Schema], schema.get("allOf") or [])
    out = {key: value for key, value in schema.items() if key != "allOf"}
    for part in map(_merged, parts):
        properties = {**part.get("properties", {}), **out.get("properties", {})}
        required = list(dict.fromkeys([*out.get("required", []), *part.get("required", [])]))
        out = {**part, **out}
        if properties:
            out["properties"] = properties
        if required:
            out["required"] = required
    return out


def _types(schema: Schema) -> list[str]:
    kind: Any = schema.get("type")
    return [kind] if isinstance(kind, str) else list(kind or ())


def _guessed_type(schema: Schema, options: list[Any]) -> str:
    if "properties" in schema or "additionalProperties" in schema:
        return "object"
    if "items" in schema:
        return "array"
    if options and all(isinstance(option, bool) for option in options):
        return "boolean"
    if options and all(isinstance(option, int | float) for option in options):
        return "number"
    return "string"


def grammar_schema(schema: Schema) -> Schema:
    """Return a cleaned schema of which llama.cpp can make a grammar: it refuses the request where it cannot."""
    out = {key: value for key, value in schema.items() if key not in ("not", "if", "then", "else", "propertyNames")}
    if isinstance(out.get("pattern"), str) and not _is_grammar_pattern(out["pattern"]):
        del out["pattern"]
    for key in ("properties", "patternProperties"):
        if key in out:
            out[key] = {name: grammar_schema(part) for name, part in out[key].items()}
    for key in ("anyOf", "oneOf", "allOf"):
        if key in out:
            out[key] = [grammar_schema(part) for part in out[key]]
    for key in ("items", "additionalProperties", "contains"):
        if isinstance(out.get(key), dict):
            out[key] = grammar_schema(out[key])
    if out and not out.keys() & _TELLING:
        out["type"] = ["string", "number", "boolean", "object", "array", "null"]
    return out


_TELLING = frozenset({"type", "enum", "const", "anyOf", "oneOf", "allOf", "properties", "items"})
_NO_GRAMMAR = re.compile(r"\(\?|\\[bBAZzpPkK1-9]|[*+?}][+?]")


def _is_grammar_pattern(pattern: str) -> bool:
    return pattern.startswith("^") and pattern.endswith("$") and not _NO_GRAMMAR.search(pattern)
