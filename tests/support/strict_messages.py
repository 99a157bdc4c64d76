"""The rules of the strictest chat-completions endpoints for a request's body; says what breaks them.

Most rules hold for every model; some are those of one provider, told by the model's name: ``gpt``, ``claude``,
``gemini``, ``mistral``, ``deepseek``, ``kimi``, ``llama`` (llama.cpp). ``strict_schemas`` has the rules for tools.
"""

import base64
import binascii
import itertools
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NoReturn

from tests.support.strict_rules import RefusedError, require
from tests.support.strict_schemas import check_tools

_NAME = re.compile(r"[a-zA-Z][a-zA-Z0-9_-]{0,63}")
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_ROLES = ("system", "user", "assistant", "tool")
_KEYS = {
    "system": {"role", "content"},
    "user": {"role", "content"},
    "assistant": {"role", "content", "tool_calls"},
    "tool": {"role", "content", "tool_call_id"},
}
_BODY = {"model", "messages", "stream", "stream_options", "tools", "temperature", "top_p", "response_format"}
_LIMITS = {"max_tokens", "max_completion_tokens"}
_THINKING = {"reasoning_effort", "reasoning", "thinking", "enable_thinking", "thinking_budget", "chat_template_kwargs"}
_MOST_NESTED = 100
_SIGNED = ("reasoning_details", "thinking_blocks")
SKIPPED_SIGNATURE = "skip_thought_signature_validator"


def problem_of(body: Any) -> str | None:
    """Return in one sentence why a strict endpoint refuses the request body; None when it accepts it."""
    try:
        _check(body)
    except RefusedError as refusal:
        return str(refusal)
    return None


def signature_of(model: str) -> str:
    """What this endpoint signs the reasoning of ``model`` with; it knows no other signature."""
    return f"signed-by-{model}"


def _check(body: Any) -> None:
    require(isinstance(body, Mapping), "the body is no object")
    model: Any = body.get("model")
    require(isinstance(model, str) and model, "model is missing")
    unknown = set(body) - _BODY - _LIMITS - _THINKING
    require(not unknown, f"Extra inputs are not permitted: {unknown}")
    require(len(_LIMITS & set(body)) < 2, "max_tokens and max_completion_tokens are both given")
    require(body.get("stream") is True or "stream_options" not in body, "stream_options without stream")
    require(all(not _CONTROL.search(text) for text in _texts(body)), "the body holds characters that no text has")
    messages = body.get("messages")
    require(isinstance(messages, list) and messages, "messages is missing or empty")
    for place, message in enumerate(messages):
        require(isinstance(message, Mapping), f"messages[{place}] is no object")
        require(message.get("role") in _ROLES, f"messages[{place}].role is {message.get('role')!r}")
    _check_order(messages)
    waiting: list[str] = []
    seen_ids: set[str] = set()
    for place, message in enumerate(messages):
        where, role = f"messages[{place}]", message["role"]
        _check_keys(message, where, model)
        if role == "tool":
            call_id: Any = message.get("tool_call_id")
            require(
                call_id in waiting, f"{where}: messages with role 'tool' must be a response to a preceding 'tool_calls'"
            )
            waiting.remove(call_id)
            _check_text(message, where, may_be_null=False)
            continue
        require(
            not waiting,
            f"{where}: an assistant message with 'tool_calls' must be followed by tool messages for {waiting}",
        )
        if role == "assistant":
            waiting = _check_assistant(message, where, seen_ids, model)
        elif role == "user":
            _check_user(message, where)
        else:
            _check_text(message, where, may_be_null=False)
    require(not waiting, f"the last tool calls have no result: {waiting}")
    require(messages[-1]["role"] in ("user", "tool"), "the last message must be of a user or a tool")
    require(not seen_ids or "tools" in body, "the history has tool calls, so the tools= parameter must be given")
    check_tools(body, model)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield key
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


def _check_order(messages: Sequence[Mapping[str, Any]]) -> None:
    roles = [message["role"] for message in messages]
    require("system" not in roles[1:], "only the first message may be of the system")
    conversation = roles[1:] if roles[0] == "system" else roles
    require(conversation and conversation[0] == "user", "the conversation must begin with a user message")
    for before, after in itertools.pairwise(conversation):
        require((before, after) != ("user", "user"), "conversation roles must alternate: two user messages")
        require(
            (before, after) != ("assistant", "assistant"), "conversation roles must alternate: two assistant messages"
        )
        require((before, after) != ("tool", "user"), "Unexpected role 'user' after role 'tool'")


def _check_keys(message: Mapping[str, Any], where: str, model: str) -> None:
    others = set(message) - _KEYS[message["role"]]
    if message["role"] == "assistant":
        others -= {"reasoning_content"}
        for name in _SIGNED:
            for part in message.get(name, ()):
                require(part.get("signature") == signature_of(model), f"{where}: invalid signature in {name}")
        others -= set(_SIGNED)
        reasons = "reasoning_content" in message
        if "deepseek-r1" in model or "mistral" in model:
            require(not reasons, f"{where}: reasoning_content: extra inputs are not permitted")
        elif not re.search(r"kimi|deepseek", model):
            require(not reasons, f"{where}: unknown field reasoning_content")
    require(not others, f"{where}: extra inputs are not permitted: {others}")


def _check_text(message: Mapping[str, Any], where: str, *, may_be_null: bool) -> None:
    content: Any = message.get("content")
    if content is None and may_be_null:
        return
    require(isinstance(content, str), f"{where}.content must be a string, not {type(content).__name__}")
    require(str(content).strip(), f"{where}.content is empty")


def _check_user(message: Mapping[str, Any], where: str) -> None:
    content: Any = message.get("content")
    if not isinstance(content, list):
        _check_text(message, where, may_be_null=False)
        return
    require(content, f"{where}.content is empty")
    for part in content:
        match part:
            case {"type": "text", "text": str(text)}:
                require(text.strip(), f"{where}: text content blocks must be non-empty")
            case {"type": "image_url", "image_url": {"url": str(url)}}:
                found = re.fullmatch(r"data:image/(?:png|jpeg);base64,(.+)", url)
                require(found, f"{where}: no image in {url[:40]}")
                assert found is not None
                try:
                    base64.b64decode(found.group(1), validate=True)
                except binascii.Error:
                    raise RefusedError(f"{where}: an image is no base64") from None
            case _:
                raise RefusedError(f"{where}: unsupported content[].type")


def _check_assistant(message: Mapping[str, Any], where: str, seen_ids: set[str], model: str) -> list[str]:
    calls: Any = message.get("tool_calls")
    _check_text(message, where, may_be_null=calls is not None)
    if calls is None:
        return []
    require(isinstance(calls, list) and calls, f"{where}.tool_calls is empty or no list")
    if re.search(r"kimi-.*thinking|deepseek-v4", model):
        require(
            message.get("reasoning_content"), f"{where}: reasoning_content is missing in assistant tool call message"
        )
    ids: list[str] = []
    for place, call in enumerate(calls):
        require(isinstance(call, Mapping) and call.get("type") == "function", f"{where}: a call is no function")
        call_id: Any = call.get("id")
        _check_id(call_id, where, model)
        require(call_id not in seen_ids, f"{where}: the call id {call_id!r} is used twice")
        seen_ids.add(call_id)
        ids.append(call_id)
        function: Any = call.get("function")
        require(isinstance(function, Mapping), f"{where}: a call has no function")
        require(set(function) == {"name", "arguments"}, f"{where}: extra inputs in the call: {set(function)}")
        require(_NAME.fullmatch(str(function.get("name"))), f"{where}: bad tool name {function.get('name')!r}")
        _check_arguments(function.get("arguments"), where)
        _check_signature(call, where, model, is_first=place == 0)
    return ids


def _check_id(call_id: Any, where: str, model: str) -> None:
    form = r"[A-Za-z0-9_-]{1,40}"
    if "mistral" in model:
        form = r"[A-Za-z0-9]{9}"
    elif "kimi" in model:
        form += r"|functions\.[A-Za-z0-9_-]+:\d+"
    require(isinstance(call_id, str) and re.fullmatch(form, call_id), f"{where}: tool call id was {call_id!r}")


def _check_signature(call: Mapping[str, Any], where: str, model: str, *, is_first: bool) -> None:
    others = set(call) - {"id", "type", "function"}
    signature = None
    if "extra_content" in call:
        signature = call["extra_content"]["google"]["thought_signature"]
        known = (signature_of(model), SKIPPED_SIGNATURE) if "gemini" in model else (signature_of(model),)
        require(signature in known, f"{where}: corrupted thought signature {signature!r}")
        others -= {"extra_content"}
    require(not others, f"{where}: extra inputs in a call: {others}")
    if "gemini-3" in model and is_first:
        require(signature, f"{where}: function call is missing a thought_signature")


def _check_arguments(text: Any, where: str) -> None:
    def no_number(name: str) -> NoReturn:
        raise ValueError(name)

    def finite(digits: str) -> float:
        return float(digits) if math.isfinite(float(digits)) else no_number(digits)

    try:
        value = json.loads(text, parse_constant=no_number, parse_float=finite)
        require(isinstance(value, dict), f"{where}: arguments are no JSON object")
        require(all(not _CONTROL.search(part) for part in _texts(value)), f"{where}: arguments hold broken text")
    except (TypeError, ValueError, RecursionError):
        raise RefusedError(f"{where}: arguments are no JSON") from None
    require(_depth(value) <= _MOST_NESTED, f"{where}: arguments are nested too deep")


def _depth(value: Any) -> int:
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return 1 + max(map(_depth, inner), default=0)
