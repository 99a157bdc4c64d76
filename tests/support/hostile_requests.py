"""What servers, models and crashes may leave in a request, drawn at random: names, ids, texts, arguments, schemas."""

import json
import math
from collections.abc import Callable
from random import Random
from typing import Any

TEXTS = (
    "",
    " ",
    "\n\n",
    "hello",
    "你好，世界",
    "a\x00b",
    "\x1b[31mred\x1b[0m",
    "half \ud83d",
    "\udc00 half",
    "😀",
    "{}",
    "<think>",
    "x" * 3000,
    "[image omitted]",
    "\u202eabc",
    "line\r\nline",
    "\ufeff",
    "'; DROP",
    "<tool_call>{}</tool_call>",
)
NAMES = (
    "read",
    "Read",
    "读取",
    "写入",
    "天气 查询",
    "a.b/c",
    "functions.read",
    "",
    " ",
    "-x",
    "__",
    "1st",
    "x" * 90,
    "read_aaaaaaaaaa",
    "a__b",
    "emoji😀",
    "naïve",
    "\x00",
    "get weather!",
    "\ud800",
)
IDS = (
    "",
    "0",
    "call_1",
    "call_1",
    "functions.read:0",
    "functions.read:0",
    "abcdefghi",
    "ABCDEFGHI",
    "x" * 80,
    "id with blanks",
    "编号",
    "a/b",
    "\x07",
    "toolu_01ABC",
    "chatcmpl-tool-0123456789abcdef0123456789abcdef",
)
ARGUMENTS = (
    "",
    "{}",
    '{"a": 1}',
    '{"a":',
    "null",
    "[1]",
    '"{\\"a\\": 1}"',
    '"text"',
    '{"a": NaN}',
    '{"a": "\\ud83d"}',
    '{"a": "\\u0000"}',
    '{"路径": "文件"}',
    "[" * 500 + "]" * 500,
    '{"a":' * 150 + "1" + "}" * 150,
    "{'a': 1}",
    '{"a": 1}{"b": 2}',
    '{"a": 1e999}',
    " {} ",
    '{"a": "\ud800"}',
)
_PATTERNS = ("^[a-z]+$", "(?<!x)y", "(?<name>a)", "[", "\\p{L}+", "a" * 2000, "^(?=a).*$", "\x00", "")
_TYPES = (
    "string",
    "integer",
    "number",
    "boolean",
    "object",
    "array",
    "null",
    "int",
    "any",
    "STRING",
    "",
    "weird",
    None,
    3,
)
_VALUES = (None, 0, -1, 1.5, True, False, "", "a", "中", [], {}, [1], {"a": 1}, math.inf, math.nan, 10**30, "\ud800")


def schema(random: Random, depth: int = 4) -> Any:
    """A schema of a tool, with every fault that servers were seen to have, and some more."""
    root = _schema(random, depth)
    if isinstance(root, dict) and random.random() < 0.7:
        root["type"] = "object"
    if isinstance(root, dict) and random.random() < 0.6:
        root[random.choice(("$defs", "definitions"))] = {
            name: _schema(random, depth - 1) for name in ("node", "leaf", "a/b")
        }
    return root


def _schema(random: Random, depth: int) -> Any:
    if depth <= 0 or random.random() < 0.05:
        return random.choice(({}, True, False, {"type": "string"}, None, "x", [], {"description": "anything"}))
    node: dict[str, Any] = {}
    for key, make in random.sample(sorted(_KEYWORDS.items()), random.randint(1, 6)):
        node[key] = make(random, depth - 1)
    return node


def _name(random: Random) -> str:
    return random.choice(
        ("a", "b", "path", "文件", "$ref", "properties", "type", "a b", "x" * 70, "\x01", "\ud800", "")
    )


def _map(random: Random, depth: int) -> Any:
    if random.random() < 0.1:
        return random.choice((None, [], "x"))
    return {_name(random): _schema(random, depth) for _ in range(random.randint(0, 4))}


def _list(random: Random, depth: int) -> Any:
    if random.random() < 0.1:
        return random.choice((None, {}, "x"))
    return [_schema(random, depth) for _ in range(random.randint(0, 3))]


def _reference(random: Random, _depth: int) -> Any:
    return random.choice(
        (
            "#",
            "#/$defs/node",
            "#/definitions/leaf",
            "#/$defs/a~1b",
            "#/$defs/a%2Fb",
            "#/nowhere",
            "other.json",
            "#node",
            "",
            3,
        )
    )


def _some(*values: Any) -> Callable[[Random, int], Any]:
    return lambda random, _depth: random.choice(values)


_KEYWORDS: dict[str, Callable[[Random, int], Any]] = {
    "type": lambda random, _: random.choice((*_TYPES, ["string", "null"], ["object", "array"], [], ["int", "weird"])),
    **dict.fromkeys(("properties", "patternProperties", "dependentSchemas"), _map),
    **dict.fromkeys(("anyOf", "oneOf", "allOf", "prefixItems"), _list),
    **dict.fromkeys(("additionalProperties", "not", "if", "then", "contains", "propertyNames"), _schema),
    "items": lambda random, depth: random.choice((_schema, _list))(random, depth),
    "$ref": _reference,
    "$dynamicRef": _reference,
    "required": _some([], ["a"], ["a", "a"], ["unknown"], "a", [3], None, ["文件", "path"], ["x" * 70]),
    "enum": lambda random, _: random.choice(([random.choice(_VALUES) for _ in range(random.randint(0, 4))], None, "a")),
    "const": _some(*_VALUES),
    "default": _some(*_VALUES),
    "examples": _some(*_VALUES, [1, 2]),
    "pattern": _some(*_PATTERNS, 3),
    "format": _some("date-time", "uri", "int32", "weird", 3),
    "description": _some(*TEXTS, 3, None),
    "title": _some(*TEXTS, 3),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _some(*_VALUES)),
    **dict.fromkeys(("minLength", "maxItems", "multipleOf", "minProperties"), _some(*_VALUES)),
    **dict.fromkeys(("$schema", "$id", "$comment", "$anchor", "id"), _some("https://x.example/schema", "node")),
    **dict.fromkeys(("x-order", "nullable", "uniqueItems", "discriminator", "strict"), _some(*_VALUES)),
}


def sendable_json(value: Any) -> Any:
    """The value as it would have come over a wire: only what JSON can say."""
    return json.loads(json.dumps(value))
