"""Builds the body of a chat-completions request: a repaired history, tools in the endpoint's form, no key that is not needed."""

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, assert_never

from desktop.core.language_model import (
    AssistantMessage,
    Image,
    ModelRequest,
    Remark,
    RequestMessage,
    RequestToolCall,
    SystemMessage,
    ThinkingEffort,
    ToolMessage,
    UserMessage,
)
from desktop.core.wire_names import wire_name
from desktop.providers.endpoint_traits import EndpointTraits
from desktop.providers.history import (
    EMPTY_NOTE,
    in_order,
    one_call_at_a_time,
    paired,
    sendable,
    told,
    with_call_ids,
    with_pictures_after,
    without_pictures,
)
from desktop.providers.refusals import Without
from desktop.providers.sendable import sendable_text, sendable_value
from desktop.providers.tool_offer import tool_offer

NO_SIGNATURE = "skip_thought_signature_validator"
"""Google's own word for calls that another model made, which have no thought signature."""
_OWN_FIELDS = frozenset({"role", "content", "tool_calls", "tool_call_id", "name", "reasoning_content"})
_IMAGE_TYPES = frozenset({"image/jpeg", "image/png"})


@dataclass(frozen=True, kw_only=True)
class BuiltRequest:
    """A request as it is sent: the SDK's arguments for ``create``, and what goes with the answer to it."""

    body: dict[str, Any]
    remarks: tuple[Remark, ...] = ()
    """What the user should know of how it was asked."""


def build_request(
    request: ModelRequest,
    model: str,
    traits: EndpointTraits | None = None,
    without: frozenset[Without] = frozenset(),
) -> BuiltRequest:
    """Return the request for ``model`` at an endpoint with these ``traits``, ``without`` what it refused before."""
    traits = traits or EndpointTraits()
    offer = tool_offer(request.tools, request.messages, traits, without)
    streaming = Without.STREAMING not in without
    body: dict[str, Any] = {
        "model": sendable_text(model),
        "messages": wire_messages(request, model, traits, without, has_tools=bool(offer.tools)),
        "stream": streaming,
    }
    if streaming and Without.STREAM_OPTIONS not in without:
        body["stream_options"] = {"include_usage": True}
    if offer.tools:
        body["tools"] = list(offer.tools)
    if request.answer_schema is not None and Without.ANSWER_SCHEMA not in without:
        body["response_format"] = {
            "type": "json_schema",
            "json_schema": {"name": "answer", "strict": True, "schema": sendable_value(request.answer_schema)},
        }
    body.update(_sampling(request, without))
    if Without.THINKING not in without:
        effort = request.thinking
        if not streaming and traits.wants_thinking_off_unstreamed:
            effort = ThinkingEffort.OFF
        body.update(traits.thinking.of(effort))
    return BuiltRequest(body=body, remarks=offer.remarks)


def _sampling(request: ModelRequest, without: frozenset[Without]) -> dict[str, Any]:
    sampling = request.sampling
    fields: dict[str, Any] = {}
    if sampling.temperature is not None and Without.TEMPERATURE not in without:
        fields["temperature"] = sampling.temperature
    if sampling.top_p is not None and Without.TOP_P not in without:
        fields["top_p"] = sampling.top_p
    if sampling.max_output_tokens is not None and Without.OUTPUT_LIMIT not in without:
        name = "max_completion_tokens" if Without.MAX_TOKENS in without else "max_tokens"
        fields[name] = sampling.max_output_tokens
    return fields


def wire_messages(
    request: ModelRequest,
    model: str,
    traits: EndpointTraits,
    without: frozenset[Without] = frozenset(),
    *,
    has_tools: bool,
) -> list[dict[str, Any]]:
    """Return the messages as the wire has them. Without tools, earlier calls are told: relays refuse them bare."""
    messages = sendable(paired(request.messages), wire_name)
    messages = with_call_ids(messages, model, short=traits.short_call_ids, long=traits.long_call_ids)
    sees = traits.sees_images and Without.IMAGES not in without
    messages = with_pictures_after(messages) if sees else without_pictures(messages)
    if not has_tools:
        messages = told(messages)
    elif Without.PARALLEL_CALLS in without:
        messages = one_call_at_a_time(messages)
    messages = in_order(messages)
    writer = _Writer(request, model, traits, without)
    wire = [writer.message(message) for message in messages]
    if wire[0]["role"] == "system" and Without.SYSTEM_ROLE in without:
        system, first, *rest = wire
        return [{"role": "user", "content": _before(system["content"], first["content"])}, *rest]
    return wire


def _before(text: str, content: Any) -> Any:
    """The content of a user message with ``text`` before it."""
    return f"{text}\n\n{content}" if isinstance(content, str) else [{"type": "text", "text": text}, *content]


def _name_of(image: Image) -> str:
    return " ".join(sendable_text(image.name).split())[:80] or "image"


class _Writer:
    """Writes repaired messages for one model at one endpoint."""

    def __init__(self, request: ModelRequest, model: str, traits: EndpointTraits, without: frozenset[Without]) -> None:
        self._model = model
        self._traits = traits
        self._without = without
        self._sees = traits.sees_images and Without.IMAGES not in without
        self._shows_reasoning = (
            Without.HIDDEN_REASONING in without
            or (traits.wants_reasoning and request.thinking is not ThinkingEffort.OFF and not traits.refuses_reasoning)
        ) and Without.SENT_REASONING not in without

    def message(self, message: RequestMessage) -> dict[str, Any]:
        match message:
            case SystemMessage():
                return {"role": "system", "content": message.text}
            case UserMessage():
                return {"role": "user", "content": self._user_content(message)}
            case AssistantMessage():
                return self._answer(message)
            case ToolMessage():
                return {"role": "tool", "tool_call_id": message.call_id, "content": message.text}
            case _:
                assert_never(message)

    def _user_content(self, message: UserMessage) -> str | list[dict[str, Any]]:
        seen = [image for image in message.images if self._sees and image.data and image.media_type in _IMAGE_TYPES]
        omitted = [f"[image omitted: {_name_of(image)}]" for image in message.images if image not in seen]
        text = "\n\n".join(part for part in (message.text, "\n".join(omitted)) if part.strip())
        if not seen:
            return text or EMPTY_NOTE
        parts: list[dict[str, Any]] = [{"type": "text", "text": text}] if text else []
        for image in seen:
            url = f"data:{image.media_type};base64,{base64.b64encode(image.data).decode()}"
            parts.append({"type": "image_url", "image_url": {"url": url}})
        return parts

    def _answer(self, message: AssistantMessage) -> dict[str, Any]:
        wire: dict[str, Any] = {"role": "assistant", "content": message.text}
        if message.tool_calls:
            if not message.text.strip():
                wire["content"] = self._content_of_calls()
            wire["tool_calls"] = self._calls(message)
        if Without.SENT_REASONING in self._without:
            return wire
        if (reasoning := self._reasoning(message)) is not None:
            wire["reasoning_content"] = reasoning
        if self._is_own(message):
            replay = {key: value for key, value in message.replay.items() if key not in _OWN_FIELDS}
            wire.update(sendable_value(replay))
        return wire

    def _content_of_calls(self) -> str | None:
        # null where a call stands alone: relays to Anthropic refuse an empty text, others null (Without).
        if Without.EMPTY_CONTENT in self._without:
            return "."
        return "" if Without.NULL_CONTENT in self._without else None

    def _reasoning(self, message: AssistantMessage) -> str | None:
        """What led to the answer, where the endpoint demands it; another model's is replaced by a blank."""
        if not self._shows_reasoning:
            return None
        own = message.thinking if self._is_own(message) else ""
        is_demanded = message.tool_calls or Without.HIDDEN_REASONING in self._without
        return own or (" " if is_demanded else None)

    def _calls(self, message: AssistantMessage) -> list[dict[str, Any]]:
        keeps_extra = self._is_own(message) and Without.SENT_REASONING not in self._without
        calls = [_wire_call(call, call.extra if keeps_extra else {}) for call in message.tool_calls]
        if self._traits.wants_signatures and Without.SENT_REASONING not in self._without:
            # The first of the calls that were made together carries the signature of all.
            calls[0].setdefault("extra_content", {"google": {"thought_signature": NO_SIGNATURE}})
        return calls

    def _is_own(self, message: AssistantMessage) -> bool:
        return message.model in ("", self._model)


def _wire_call(call: RequestToolCall, extra: Mapping[str, Any]) -> dict[str, Any]:
    beside = {key: value for key, value in extra.items() if key != "function"}
    inner = extra.get("function")
    function = {**(inner if isinstance(inner, Mapping) else {}), "name": call.name, "arguments": call.arguments}
    return {**sendable_value(beside), "id": call.call_id, "type": "function", "function": sendable_value(function)}
