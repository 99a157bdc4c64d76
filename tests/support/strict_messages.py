"""The rules of the strictest chat-completions endpoints for ``messages`` and ``tools``; says what breaks them."""

import itertools
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_-]{0,63}")
_ROLES = ("system", "user", "assistant", "tool")


def problem_of(body: Any) -> str | None:
    """Return in one sentence why a strict endpoint refuses the request body; None when it accepts it."""
    try:
        _check(body)
    except _RefusedError as refusal:
        return str(refusal)
    return None


class _RefusedError(Exception):
    pass


def _require(condition: object, message: str) -> None:
    if not condition:
        raise _RefusedError(message)


def _check(body: Any) -> None:
    _require(isinstance(body, Mapping), "the body is no object")
    _require(isinstance(body.get("model"), str) and body["model"], "model is missing")
    messages = body.get("messages")
    _require(isinstance(messages, list) and messages, "messages is missing or empty")
    _check_order(messages)
    waiting: list[str] = []
    seen_ids: set[str] = set()
    for place, message in enumerate(messages):
        where = f"messages[{place}]"
        _require(isinstance(message, Mapping), f"{where} is no object")
        role = message.get("role")
        _require(role in _ROLES, f"{where}.role is {role!r}")
        if role == "tool":
            call_id: Any = message.get("tool_call_id")
            _require(
                call_id in waiting, f"{where}: messages with role 'tool' must be a response to a preceding 'tool_calls'"
            )
            waiting.remove(call_id)
            _check_text(message, where, may_be_null=False)
            continue
        _require(
            not waiting,
            f"{where}: an assistant message with 'tool_calls' must be followed by tool messages for {waiting}",
        )
        if role == "assistant":
            waiting = _check_assistant(message, where, seen_ids)
        else:
            _check_text(message, where, may_be_null=False)
            _require("tool_calls" not in message, f"{where}: only an assistant calls tools")
    _require(not waiting, f"the last tool calls have no result: {waiting}")
    _require(messages[-1]["role"] in ("user", "tool"), "the last message must be of a user or a tool")
    _check_tools(body)


def _check_order(messages: Sequence[Any]) -> None:
    roles = [message.get("role") if isinstance(message, Mapping) else None for message in messages]
    _require("system" not in roles[1:], "only the first message may be of the system")
    conversation = roles[1:] if roles[0] == "system" else roles
    _require(conversation and conversation[0] == "user", "the conversation must begin with a user message")
    for before, after in itertools.pairwise(conversation):
        _require((before, after) != ("user", "user"), "conversation roles must alternate: two user messages")
        _require(
            (before, after) != ("assistant", "assistant"), "conversation roles must alternate: two assistant messages"
        )
        _require((before, after) != ("tool", "user"), "Unexpected role 'user' after role 'tool'")


def _check_text(message: Mapping[str, Any], where: str, *, may_be_null: bool) -> None:
    content: Any = message.get("content")
    if content is None and may_be_null:
        return
    _require(isinstance(content, str), f"{where}.content must be a string, not {type(content).__name__}")
    _require(str(content).strip(), f"{where}.content is empty")


def _check_assistant(message: Mapping[str, Any], where: str, seen_ids: set[str]) -> list[str]:
    calls: Any = message.get("tool_calls")
    _check_text(message, where, may_be_null=calls is not None)
    if calls is None:
        return []
    _require(isinstance(calls, list) and calls, f"{where}.tool_calls is empty or no list")
    ids: list[str] = []
    for call in calls:
        _require(isinstance(call, Mapping) and call.get("type") == "function", f"{where}: a call is no function")
        call_id: Any = call.get("id")
        function: Any = call.get("function")
        _require(isinstance(call_id, str) and 0 < len(call_id) <= 64, f"{where}: bad call id {call_id!r}")
        _require(call_id not in seen_ids, f"{where}: the call id {call_id!r} is used twice")
        seen_ids.add(call_id)
        ids.append(call_id)
        _require(isinstance(function, Mapping), f"{where}: a call has no function")
        _require(_NAME.fullmatch(str(function.get("name"))), f"{where}: bad tool name {function.get('name')!r}")
        _require(_is_json_object(function.get("arguments")), f"{where}: arguments are no JSON object")
    return ids


def _is_json_object(text: Any) -> bool:
    try:
        return isinstance(text, str) and isinstance(json.loads(text), dict)
    except ValueError:
        return False


def _check_tools(body: Mapping[str, Any]) -> None:
    if "tools" not in body:
        _require("tool_choice" not in body, "tool_choice without tools")
        return
    tools = body["tools"]
    _require(isinstance(tools, list) and 0 < len(tools) <= 128, "tools must be a list of 1 to 128")
    names: list[str] = []
    for tool in tools:
        function: Any = tool.get("function") if isinstance(tool, Mapping) else None
        _require(isinstance(function, Mapping), "a tool has no function")
        name: Any = function.get("name")
        schema: Any = function.get("parameters")
        _require(isinstance(name, str) and _NAME.fullmatch(name), f"bad tool name {name!r}")
        _require(
            isinstance(schema, Mapping) and schema.get("type") == "object", f"{name}: the schema's root is no object"
        )
        _require(isinstance(schema.get("properties"), Mapping), f"{name}: the schema has no properties")
        _require("$schema" not in json.dumps(schema), f'{name}: unknown name "$schema"')
        names.append(name)
    _require(len(set(names)) == len(names), "two tools have one name")
