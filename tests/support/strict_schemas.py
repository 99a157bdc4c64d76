"""The rules of the strictest endpoints for tools: one that breaks them spoils the request for all the others."""

import json
import re
from collections.abc import Mapping
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError

from tests.support.strict_rules import RefusedError, require

_NAME = re.compile(r"[a-zA-Z][a-zA-Z0-9_-]{0,63}")
_TYPES = {"string", "number", "integer", "boolean", "object", "array", "null"}
_TEXTS = {"title", "description", "format", "pattern"}
_COUNTS = {
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
    "minContains",
    "maxContains",
}
_NUMBERS = {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}
_FLAGS = {"uniqueItems", "deprecated", "readOnly", "writeOnly", "nullable"}
_MAPS = {"properties", "patternProperties"}
_UNIONS = {"anyOf", "oneOf", "allOf"}
_SINGLE = {"items", "not", "if", "then", "else", "contains", "propertyNames", "additionalProperties"}
_OTHERS = {"type", "enum", "const", "default", "examples", "required"}
_KNOWN = _TEXTS | _COUNTS | _NUMBERS | _FLAGS | _MAPS | _UNIONS | _SINGLE | _OTHERS
_GEMINI = {"type", "description", "properties", "required", "items", "enum", "anyOf", "nullable", "format"} | {
    *("minimum", "maximum", "minItems", "maxItems")
}
_MOST_NESTED = 32
_MOST_CHARS = 64_000
_NO_GRAMMAR = re.compile(r"\(\?|\\[bBAZzpPk1-9]")


def check_tools(body: Mapping[str, Any], model: str) -> None:
    """Raise ``RefusedError`` for the first thing about the tools that a strict endpoint does not take."""
    if "tools" not in body:
        require("tool_choice" not in body, "tool_choice without tools")
        return
    tools = body["tools"]
    require(isinstance(tools, list) and tools, "tools is empty or no list")
    require(len(tools) <= 128, "tools: array too long. Expected an array with maximum length 128")
    names: list[str] = []
    for tool in tools:
        require(isinstance(tool, Mapping) and set(tool) == {"type", "function"}, "a tool has no function")
        names.append(_check_function(tool["function"], model))
    require(len(set(names)) == len(names), "two tools have one name")


def _check_function(function: Any, model: str) -> str:
    require(isinstance(function, Mapping), "a tool has no function")
    unknown = set(function) - {"name", "description", "parameters"}
    require(not unknown, f"unknown fields of a function: {unknown}")
    name: Any = function.get("name")
    require(isinstance(name, str) and _NAME.fullmatch(name), f"bad tool name {name!r}")
    description: Any = function.get("description")
    longest = 1024 if "gpt" in model else 4096
    require(isinstance(description, str) and description.strip(), f"{name}: the description is empty")
    require(len(description) <= longest, f"{name}.description: string too long, maximum length {longest}")
    schema: Any = function.get("parameters")
    require(isinstance(schema, Mapping), f"{name}: there is no schema")
    require(schema.get("type") == "object", f'{name}: schema must be type "object"')
    require(isinstance(schema.get("properties"), Mapping), f"{name}: the schema has no properties")
    beside = {*_UNIONS, "enum", "not", "const"} & set(schema)
    require(not beside, f"{name}: input_schema does not support {beside} at the top level")
    require(len(json.dumps(schema)) <= _MOST_CHARS, f"{name}: the schema is too large")
    if "claude" in model:
        for key in schema["properties"]:
            require(
                re.fullmatch(r"[a-zA-Z0-9_.-]{1,64}", key), f"{name}: property keys should match pattern, not {key!r}"
            )
    _check_schema(schema, name, model, 0)
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        raise RefusedError(f"Invalid schema for function {name!r}: {error.message[:200]}") from None
    return name


def _check_schema(schema: Any, where: str, model: str, depth: int) -> None:
    require(isinstance(schema, Mapping), f"{where}: {schema!r:.60} is not of type 'object'")
    require(depth <= _MOST_NESTED, f"{where}: nested too deep")
    unknown = set(schema) - (_GEMINI if "gemini" in model else _KNOWN)
    require(not unknown, f"{where}: Unknown name {unknown}: Cannot find field")
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    require(
        isinstance(kinds, list) and set(kinds) <= _TYPES and len(set(kinds)) == len(kinds), f"{where}: type {kinds}"
    )
    require("array" not in kinds or "items" in schema or len(kinds) > 1, f"{where}: array schema missing items")
    if "pattern" in schema:
        try:
            re.compile(schema["pattern"])
        except re.error:
            raise RefusedError(f"{where}: {schema['pattern']!r} is not a 'regex'") from None
    if "enum" in schema:
        require(isinstance(schema["enum"], list) and schema["enum"], f"{where}: enum is empty")
        values = [json.dumps(value, sort_keys=True) for value in schema["enum"]]
        require(len(set(values)) == len(values), f"{where}: enum has non-unique elements")
    names: Any = schema.get("required", [])
    require(isinstance(names, list) and all(isinstance(name, str) for name in names), f"{where}: required is {names!r}")
    lost = set(names) - set(schema.get("properties", {}))
    require(not lost, f"{where}: required fields {lost} are not defined in the schema properties")
    if "gemini" in model:
        _check_gemini(schema, where)
    if "llama" in model:
        _check_grammar(schema, where)
    for key in _MAPS & set(schema):
        for name, part in schema[key].items():
            _check_schema(part, f"{where}.{name[:20]}", model, depth + 1)
    for key in _UNIONS & set(schema):
        require(isinstance(schema[key], list) and schema[key], f"{where}.{key} is empty")
        for part in schema[key]:
            _check_schema(part, f"{where}.{key}", model, depth + 1)
    for key in _SINGLE & set(schema):
        if key != "additionalProperties" or not isinstance(schema[key], bool):
            _check_schema(schema[key], f"{where}.{key}", model, depth + 1)


def _check_gemini(schema: Mapping[str, Any], where: str) -> None:
    if "anyOf" in schema:
        require(set(schema) <= {"anyOf", "nullable", "description"}, f"{where}: any_of must be the only field set")
        return
    kind = schema.get("type")
    require(isinstance(kind, str) and kind != "null", f"{where}: type is {kind!r}")
    require(kind == "object" or not {"properties", "required"} & set(schema), f"{where}: only allowed for OBJECT type")
    require(
        kind == "array" or not {"items", "minItems", "maxItems"} & set(schema), f"{where}: only allowed for ARRAY type"
    )
    if "enum" in schema:
        texts = all(isinstance(value, str) and value for value in schema["enum"])
        require(kind == "string" and texts, f"{where}.enum: only allowed for STRING type")
    formats = {"string": {"date-time", "enum"}, "integer": {"int32", "int64"}, "number": {"float", "double"}}
    require(schema.get("format") in (None, *formats.get(str(kind), ())), f"{where}: format {schema.get('format')!r}")


def _check_grammar(schema: Mapping[str, Any], where: str) -> None:
    telling = {"type", "enum", "const", "properties", "items", *_UNIONS}
    require(not schema or telling & set(schema), f"{where}: Unrecognized schema: {dict(schema)}")
    pattern = schema.get("pattern", "^$")
    require(pattern.startswith("^") and pattern.endswith("$"), f"{where}: Pattern must start with '^' and end with '$'")
    require(not _NO_GRAMMAR.search(pattern), f"{where}: unsupported pattern syntax {pattern!r}")
