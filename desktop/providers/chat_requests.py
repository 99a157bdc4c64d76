"""Builds the body of a chat-completions request; knows what single endpoints refuse and how to do without it."""

import json
import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, assert_never

from desktop.core.language_model import (
    AssistantMessage,
    ModelRequest,
    RequestMessage,
    RequestToolCall,
    SystemMessage,
    ToolMessage,
    ToolSpec,
    UserMessage,
)
from desktop.providers.surrogates import clean_text

STOPPED_NOTE = "(This answer was stopped before it was complete.)"


class Without(StrEnum):
    """Something that an endpoint refused and that requests to it do without from then on."""

    STREAM_OPTIONS = "stream_options"
    TOP_P = "top_p"
    TEMPERATURE = "temperature"
    MAX_TOKENS = "max_tokens"
    """Sent as ``max_completion_tokens``."""
    NULL_CONTENT = "null_content"
    """Sent as an empty text."""
    SYSTEM_ROLE = "system_role"
    """Its text stands at the beginning of the first user message."""
    HIDDEN_REASONING = "hidden_reasoning"
    """The reasoning of earlier steps is sent back."""


_REFUSALS: Sequence[tuple[Without, re.Pattern[str]]] = (
    (Without.STREAM_OPTIONS, re.compile(r"stream_options|include_usage", re.I)),
    (Without.MAX_TOKENS, re.compile(r"max_completion_tokens", re.I)),
    # Before the temperature: some endpoints take only one of the two, and the temperature is the better known.
    (Without.TOP_P, re.compile(r"\btop_?p\b", re.I)),
    (Without.TEMPERATURE, re.compile(r"temperature", re.I)),
    (
        Without.HIDDEN_REASONING,
        re.compile(r"reasoning_content.{0,80}(?:missing|must be passed back|required)", re.I | re.S),
    ),
    (
        Without.SYSTEM_ROLE,
        re.compile(
            r"system role not supported|does not support 'system'|(?:only )?user(?:,| and)? assistant.{0,60}roles are supported"
            r"|developer instruction is not enabled",
            re.I | re.S,
        ),
    ),
    (
        Without.NULL_CONTENT,
        re.compile(
            r"content.{0,40}(?:is empty|cannot be empty|must be a string|may not be null|should be a valid string|required)"
            r"|(?:none|null|NoneType).{0,40}content",
            re.I | re.S,
        ),
    ),
)


def refusal_of(detail: str, request: ModelRequest, without: frozenset[Without]) -> Without | None:
    """Return what the endpoint's words refuse, when the request holds it and it can be done without; else None."""
    for name, pattern in _REFUSALS:
        if name not in without and pattern.search(detail) and _holds(request, name):
            return name
    return None


def _holds(request: ModelRequest, name: Without) -> bool:
    answers = [message for message in request.messages if isinstance(message, AssistantMessage)]
    match name:
        case Without.STREAM_OPTIONS:
            return True
        case Without.TOP_P:
            return request.sampling.top_p is not None
        case Without.TEMPERATURE:
            return request.sampling.temperature is not None
        case Without.MAX_TOKENS:
            return request.sampling.max_output_tokens is not None
        case Without.NULL_CONTENT:
            return any(answer.tool_calls and not answer.text for answer in answers)
        case Without.SYSTEM_ROLE:
            return any(isinstance(message, SystemMessage) for message in request.messages)
        case Without.HIDDEN_REASONING:
            return bool(answers)
        case _:
            assert_never(name)


def request_body(request: ModelRequest, model: str, without: frozenset[Without] = frozenset()) -> dict[str, Any]:
    """Return the keyword arguments for the SDK's ``create``: no more keys than needed, because endpoints refuse them."""
    body: dict[str, Any] = {"model": model, "messages": wire_messages(request.messages, without), "stream": True}
    if Without.STREAM_OPTIONS not in without:
        body["stream_options"] = {"include_usage": True}
    if request.tools:
        body["tools"] = [_wire_tool(tool) for tool in request.tools]
    sampling = request.sampling
    if sampling.temperature is not None and Without.TEMPERATURE not in without:
        body["temperature"] = sampling.temperature
    if sampling.top_p is not None and Without.TOP_P not in without:
        body["top_p"] = sampling.top_p
    if sampling.max_output_tokens is not None:
        name = "max_completion_tokens" if Without.MAX_TOKENS in without else "max_tokens"
        body[name] = sampling.max_output_tokens
    return body


def wire_messages(
    messages: Sequence[RequestMessage], without: frozenset[Without] = frozenset()
) -> list[dict[str, Any]]:
    """Return the messages as the wire has them: one system message, first; no empty assistant message."""
    system = "\n\n".join(clean_text(m.text) for m in messages if isinstance(m, SystemMessage) and m.text.strip())
    out: list[dict[str, Any]] = []
    for message in messages:
        match message:
            case SystemMessage():
                pass
            case UserMessage():
                if (
                    out and out[-1]["role"] == "tool"
                ):  # Mistral refuses a user directly after a tool: an answer stopped there
                    out.append({"role": "assistant", "content": STOPPED_NOTE})
                out.append({"role": "user", "content": clean_text(message.text)})
            case AssistantMessage():
                if message.text.strip() or message.tool_calls:
                    out.append(_wire_assistant(message, without))
            case ToolMessage():
                text = clean_text(message.text)
                out.append({"role": "tool", "tool_call_id": message.call_id, "content": text or "(no output)"})
            case _:
                assert_never(message)
    if not system:
        return out
    if Without.SYSTEM_ROLE not in without:
        return [{"role": "system", "content": system}, *out]
    first_user = next((m for m in out if m["role"] == "user"), None)
    if first_user is None:
        return [{"role": "user", "content": system}, *out]
    first_user["content"] = f"{system}\n\n{first_user['content']}"
    return out


def _wire_assistant(message: AssistantMessage, without: frozenset[Without]) -> dict[str, Any]:
    text = clean_text(message.text)
    wire: dict[str, Any] = {"role": "assistant", "content": text}
    if message.tool_calls:
        if not text.strip():
            # null where a call stands alone: relays to Anthropic refuse an empty text, others null (Without).
            wire["content"] = "" if Without.NULL_CONTENT in without else None
        wire["tool_calls"] = [_wire_call(call) for call in message.tool_calls]
    if Without.HIDDEN_REASONING in without:
        wire["reasoning_content"] = clean_text(message.thinking) or " "
    return wire


def _wire_call(call: RequestToolCall) -> dict[str, Any]:
    extra = {key: value for key, value in call.extra.items() if key != "function"}
    inner = call.extra.get("function")
    return {
        **extra,
        "id": call.call_id,
        "type": "function",
        "function": {
            **(inner if isinstance(inner, Mapping) else {}),
            "name": call.name,
            "arguments": _valid_arguments(call.arguments),
        },
    }


def _valid_arguments(arguments: str) -> str:
    # llama.cpp answers 500 for the whole thread when a stored call has broken arguments.
    try:
        if isinstance(json.loads(arguments), dict):
            return clean_text(arguments)
    except (ValueError, RecursionError):
        pass
    return "{}"


def _wire_tool(tool: ToolSpec) -> dict[str, Any]:
    return {
        "type": "function",
        "function": {
            "name": tool.name,
            "description": clean_text(tool.description),
            "parameters": wire_schema(tool.parameters),
        },
    }


def wire_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a tool's schema in the form that all endpoints take: a root object with ``properties``, no ``$schema``."""
    cleaned = {key: _plain(value) for key, value in schema.items() if key not in ("$schema", "$id")}
    if cleaned.get("type", "object") != "object" or not isinstance(cleaned.get("properties", {}), dict):
        return {"type": "object", "properties": {}}
    return {**cleaned, "type": "object", "properties": cleaned.get("properties", {})}


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {clean_text(str(key)): _plain(item) for key, item in value.items() if key != "$schema"}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return clean_text(value) if isinstance(value, str) else value
