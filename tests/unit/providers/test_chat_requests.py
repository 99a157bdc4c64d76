"""Requests as they go out: nothing that strict endpoints refuse, and what is left out after a refusal."""

import json
from typing import Any

import pytest

from desktop.core.language_model import (
    AssistantMessage,
    ModelRequest,
    RequestMessage,
    RequestToolCall,
    Sampling,
    SystemMessage,
    ToolMessage,
    ToolSpec,
    UserMessage,
)
from desktop.providers.chat_requests import Without, refusal_of, request_body, wire_messages, wire_schema
from tests.support.strict_messages import problem_of

CALL = RequestToolCall(call_id="c1", name="f", arguments='{"a": 1}')
TURN: tuple[RequestMessage, ...] = (
    SystemMessage(text="Be brief."),
    UserMessage(text="Hi"),
    AssistantMessage(text="", thinking="hm", tool_calls=(CALL,)),
    ToolMessage(call_id="c1", name="f", text="one"),
    AssistantMessage(text="Done."),
    UserMessage(text="More"),
)
TOOL = ToolSpec(name="f", description="does it", parameters={"$schema": "x", "type": "object"})


def test_a_whole_turn_is_accepted_by_a_strict_endpoint() -> None:
    body = request_body(ModelRequest(messages=TURN, tools=(TOOL,)), "m")
    assert problem_of(body) is None
    assert [m["role"] for m in body["messages"]] == ["system", "user", "assistant", "tool", "assistant", "user"]
    assert body["messages"][2] == {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}],
    }
    assert body["stream"] is True
    assert body["stream_options"] == {"include_usage": True}


def test_keys_that_nobody_asked_for_are_not_sent() -> None:
    assert set(request_body(ModelRequest(messages=(UserMessage(text="Hi"),)), "m")) == {
        "model",
        "messages",
        "stream",
        "stream_options",
    }


def test_limits_are_sent_when_set() -> None:
    sampling = Sampling(temperature=0.0, top_p=0.9, max_output_tokens=9)
    body = request_body(ModelRequest(messages=TURN, sampling=sampling), "m")
    assert (body["temperature"], body["top_p"], body["max_tokens"]) == (0.0, 0.9, 9)


def test_unknown_fields_of_a_call_go_back_unchanged() -> None:
    signed = RequestToolCall(
        call_id="c1", name="f", arguments="{}", extra={"extra_content": {"g": "sig"}, "function": {"strict": True}}
    )
    (message,) = wire_messages([AssistantMessage(text="", tool_calls=(signed,))])
    assert message["tool_calls"] == [
        {
            "extra_content": {"g": "sig"},
            "id": "c1",
            "type": "function",
            "function": {"strict": True, "name": "f", "arguments": "{}"},
        }
    ]


@pytest.mark.parametrize("arguments", ['{"a":', "", "[1]", "null", '"text"'])
def test_broken_arguments_in_the_history_become_an_empty_object(arguments: str) -> None:
    call = RequestToolCall(call_id="c1", name="f", arguments=arguments)
    (message,) = wire_messages([AssistantMessage(text="x", tool_calls=(call,))])
    assert message["tool_calls"][0]["function"]["arguments"] == "{}"


def test_an_answer_that_stopped_after_a_tool_is_closed_before_the_next_question() -> None:
    wire = wire_messages([*TURN[:4], UserMessage(text="Next")])
    assert [m["role"] for m in wire] == ["system", "user", "assistant", "tool", "assistant", "user"]
    assert problem_of({"model": "m", "messages": wire}) is None


def test_empty_answers_are_left_out_and_empty_results_are_not_empty() -> None:
    wire = wire_messages(
        [UserMessage(text="a"), AssistantMessage(text=" "), *TURN[2:3], ToolMessage(call_id="c1", name="f", text="")]
    )
    assert [m["role"] for m in wire] == ["user", "assistant", "tool"]
    assert wire[-1]["content"]


def test_system_messages_become_one_at_the_beginning() -> None:
    wire = wire_messages([UserMessage(text="a"), SystemMessage(text="1"), SystemMessage(text="2")])
    assert wire == [{"role": "system", "content": "1\n\n2"}, {"role": "user", "content": "a"}]


def test_lone_surrogates_cannot_break_the_request() -> None:
    bad = "a\ud800b \ud83d\ude00"
    spec = ToolSpec(name="f", description=bad, parameters={"properties": {bad: {"description": bad}}})
    body = request_body(ModelRequest(messages=(SystemMessage(text=bad), UserMessage(text=bad)), tools=(spec,)), "m")
    encoded = json.dumps(body, ensure_ascii=False).encode()
    assert "a\ufffdb 😀" in encoded.decode()


@pytest.mark.parametrize(
    ("schema", "sent"),
    [
        ({}, {"type": "object", "properties": {}}),
        ({"type": "object"}, {"type": "object", "properties": {}}),
        (
            {"$schema": "s", "$id": "i", "properties": {"a": {"$schema": "s"}}},
            {"type": "object", "properties": {"a": {}}},
        ),
        ({"type": "array", "items": {}}, {"type": "object", "properties": {}}),
        ({"type": "object", "properties": None}, {"type": "object", "properties": {}}),
        (
            {"type": "object", "properties": {"a": {"enum": ["x"]}}, "required": ["a"]},
            {"type": "object", "properties": {"a": {"enum": ["x"]}}, "required": ["a"]},
        ),
    ],
)
def test_schemas(schema: dict[str, Any], sent: dict[str, Any]) -> None:
    assert wire_schema(schema) == sent


REQUEST = ModelRequest(messages=TURN, sampling=Sampling(temperature=0.5, top_p=0.9, max_output_tokens=5))


@pytest.mark.parametrize(
    ("detail", "refused"),
    [
        ("Unknown parameter: stream_options", Without.STREAM_OPTIONS),
        ("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", Without.MAX_TOKENS),
        ("Unsupported value: 'temperature' does not support 0.5", Without.TEMPERATURE),
        ("Unsupported parameter: 'top_p' is not supported with this model.", Without.TOP_P),
        ("`temperature` and `top_p` cannot both be specified for this model. Please use only one.", Without.TOP_P),
        ("reasoning_content is missing in assistant tool call message at index 2", Without.HIDDEN_REASONING),
        ("The reasoning_content in the thinking mode must be passed back to the API", Without.HIDDEN_REASONING),
        ("System role not supported", Without.SYSTEM_ROLE),
        ("Unsupported value: 'messages[0].role' does not support 'system' with this model.", Without.SYSTEM_ROLE),
        ("messages.2: content field is empty", Without.NULL_CONTENT),
        ("the weather is bad", None),
    ],
)
def test_what_an_endpoint_refuses_is_left_out_once(detail: str, refused: Without | None) -> None:
    assert refusal_of(detail, REQUEST, frozenset()) is refused
    if refused is not None:
        assert refusal_of(detail, REQUEST, frozenset({refused})) is not refused


def test_nothing_is_left_out_that_was_not_sent() -> None:
    plain = ModelRequest(messages=(UserMessage(text="Hi"),))
    for detail in ("temperature", "top_p", "max_completion_tokens", "System role not supported", "content is empty"):
        assert refusal_of(detail, plain, frozenset()) is None


def test_requests_without() -> None:
    body = request_body(REQUEST, "m", frozenset(Without))
    assert set(body) == {"model", "messages", "stream", "max_completion_tokens"}
    assert body["messages"][0] == {"role": "user", "content": "Be brief.\n\nHi"}
    assert body["messages"][1]["content"] == ""
    assert [m["reasoning_content"] for m in body["messages"] if m["role"] == "assistant"] == ["hm", " "]
