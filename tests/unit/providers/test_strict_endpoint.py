"""The strict endpoint of these tests really refuses what real ones refuse: else its silence would prove nothing."""

import copy
from typing import Any

import pytest

from tests.support.strict_messages import problem_of, signature_of

CALL = {"id": "abcdefghi", "type": "function", "function": {"name": "f", "arguments": "{}"}}


def tool(name: str) -> dict[str, Any]:
    parameters = {"type": "object", "properties": {"a": {"type": "string"}}}
    return {"type": "function", "function": {"name": name, "description": "does it", "parameters": parameters}}


GOOD: dict[str, Any] = {
    "model": "some-model",
    "stream": True,
    "messages": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": None, "tool_calls": [CALL]},
        {"role": "tool", "tool_call_id": "abcdefghi", "content": "done"},
    ],
    "tools": [tool("f")],
}
MESSAGES = GOOD["messages"]
SYSTEM, USER, ANSWER, RESULT = MESSAGES


def body(**changes: Any) -> dict[str, Any]:
    return {**copy.deepcopy(GOOD), **changes}


def with_schema(schema: Any, *, root: bool = False) -> dict[str, Any]:
    changed = body()
    function = changed["tools"][0]["function"]
    function["parameters"] = schema if root else {"type": "object", "properties": {"a": schema}}
    return changed


def with_call(**changes: Any) -> dict[str, Any]:
    call_id = changes.get("id", CALL["id"])
    answer = {**ANSWER, "tool_calls": [{**CALL, **changes}]}
    return body(messages=[SYSTEM, USER, answer, {**RESULT, "tool_call_id": call_id}])


def test_a_good_request_is_accepted_by_all() -> None:
    for model in (
        "some-model",
        "gpt-5.5",
        "claude-opus-5",
        "gemini-2.5-pro",
        "mistral-large",
        "llama-3",
        "deepseek-chat",
    ):
        assert problem_of(body(model=model)) is None


REFUSED: dict[str, dict[str, Any]] = {
    # history
    "no messages": body(messages=[]),
    "two system messages": body(messages=[SYSTEM, SYSTEM, USER]),
    "system later": body(messages=[USER, SYSTEM, USER]),
    "user twice": body(messages=[USER, USER]),
    "assistant twice": body(messages=[USER, {"role": "assistant", "content": "a"}, {"role": "assistant", "content": "b"}, USER]),
    "assistant first": body(messages=[{"role": "assistant", "content": "a"}, USER]),
    "assistant last": body(messages=[USER, {"role": "assistant", "content": "a"}]),
    "user after tool": body(messages=[*MESSAGES, USER]),
    "no result": body(messages=MESSAGES[:3]),
    "no result before the next": body(messages=[*MESSAGES[:3], USER]),
    "two results": body(messages=[*MESSAGES, RESULT]),
    "orphan result": body(messages=[USER, RESULT]),
    "developer": body(messages=[{"role": "developer", "content": "x"}, USER]),
    "empty text": body(messages=[{"role": "user", "content": " "}]),
    "null text": body(messages=[{"role": "user", "content": None}]),
    "empty text beside calls": body(messages=[USER, {**ANSWER, "content": ""}, RESULT]),
    "empty calls": body(messages=[USER, {"role": "assistant", "content": "a", "tool_calls": []}, USER]),
    "empty parts": body(messages=[{"role": "user", "content": []}]),
    "a file": body(messages=[{"role": "user", "content": [{"type": "file", "file": {}}]}]),
    "a linked image": body(messages=[{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "https://x"}}]}]),
    "NUL": body(messages=[{"role": "user", "content": "a\x00"}]),
    "half a pair": body(messages=[{"role": "user", "content": "\ud800"}]),
    "foreign field": body(messages=[{"role": "user", "content": "a", "id": 1}]),
    "foreign reasoning": body(messages=[SYSTEM, USER, {**ANSWER, "reasoning_content": "x"}, RESULT]),
    "another's signature": body(messages=[USER, {**ANSWER, "reasoning_details": [{"signature": signature_of("x")}]}, RESULT]),
    "reasoning missing": body(model="deepseek-v4"),
    "reasoning not wanted": body(model="deepseek-r1", messages=[USER, {**ANSWER, "reasoning_content": "x"}, RESULT]),
    # calls
    "id with a colon": with_call(id="functions.f:0"),
    "long id": with_call(id="x" * 41),
    "Mistral's ids": {**with_call(id="call_1"), "model": "mistral-large"},
    "broken arguments": with_call(function={"name": "f", "arguments": "{"}),
    "NaN": with_call(function={"name": "f", "arguments": '{"a": NaN}'}),
    "a list": with_call(function={"name": "f", "arguments": "[]"}),
    "an object": with_call(function={"name": "f", "arguments": {}}),
    "deep arguments": with_call(function={"name": "f", "arguments": '{"a":' * 120 + "1" + "}" * 120}),
    "half a pair in arguments": with_call(function={"name": "f", "arguments": '{"a": "\\ud800"}'}),
    "bad name": with_call(function={"name": "读", "arguments": "{}"}),
    "another's call signature": with_call(extra_content={"google": {"thought_signature": "x"}}),
    "Gemini's signature missing": body(model="gemini-3-pro"),
    # the body
    "unknown key": body(service_tier="auto"),
    "both limits": body(max_tokens=1, max_completion_tokens=1),
    "options without a stream": body(stream=False, stream_options={}),
    "empty tools": body(tools=[]),
    "calls without tools": {key: value for key, value in GOOD.items() if key != "tools"},
    "a choice without tools": {"model": "m", "messages": [USER], "tool_choice": "auto"},
    "too many tools": body(tools=[tool(f"f{i}") for i in range(129)]),
    "one name twice": body(tools=GOOD["tools"] * 2),
    # schemas
    "no object": with_schema({"type": "array", "items": {}}, root=True),
    "no properties": with_schema({"type": "object"}, root=True),
    "a choice at the root": with_schema({"type": "object", "properties": {}, "anyOf": [{}]}, root=True),
    "$schema": with_schema({"type": "object", "properties": {}, "$schema": "x"}, root=True),
    "$ref": with_schema({"$ref": "#/$defs/a"}),
    "true": with_schema(True),
    "unknown type": with_schema({"type": "int"}),
    "array of nothing": with_schema({"type": "array"}),
    "tuple": with_schema({"type": "array", "items": [{}]}),
    "empty enum": with_schema({"enum": []}),
    "the same twice": with_schema({"enum": [1, 1]}),
    "required unknown": with_schema({"type": "object", "properties": {}, "required": ["b"]}),
    "bad pattern": with_schema({"pattern": "["}),
    "old exclusive": with_schema({"exclusiveMinimum": True}),
    "negative length": with_schema({"minLength": -1}),
    "Gemini: unknown keyword": {**with_schema({"type": "string", "default": "a"}), "model": "gemini-2.5"},
    "Gemini: two types": {**with_schema({"type": ["string", "null"]}), "model": "gemini-2.5"},
    "Gemini: numbers to choose": {**with_schema({"type": "integer", "enum": [1]}), "model": "gemini-2.5"},
    "Gemini: properties of a text": {**with_schema({"type": "string", "properties": {}}), "model": "gemini-2.5"},
    "llama.cpp: says nothing": {**with_schema({"description": "x"}), "model": "llama-3"},
    "llama.cpp: pattern": {**with_schema({"type": "string", "pattern": "a"}), "model": "llama-3"},
    "Anthropic: other letters": {**with_schema({"type": "object", "properties": {"路": {}}}, root=True), "model": "claude-5"},
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_real_endpoints_refuse_is_refused(name: str) -> None:
    assert problem_of(REFUSED[name]) is not None
