"""Reads the events of a chat-completions stream, however the endpoint shapes them, into neutral chunks.

Pure: parsed events in, chunks and at the end a verdict out. Nothing here knows of sockets.
"""

import json
import logging
from collections.abc import Mapping
from enum import IntEnum
from typing import Any

from desktop.core.language_model import (
    FinishReason,
    ModelChunk,
    StreamEnd,
    TextDelta,
    ThinkingDelta,
    ToolCallDelta,
    Usage,
)
from desktop.providers.error_mapping import ErrorMapper, is_error_body
from desktop.providers.sse import OVERSIZED, SseEvent, is_done_mark
from desktop.providers.surrogates import SurrogateJoiner, clean_text
from desktop.providers.think_tags import ThinkTagSplitter

MAX_BAD_EVENTS = 3
logger = logging.getLogger(__name__)


class _Finish(IntEnum):
    """Finish reasons by weight: of several in one stream the heaviest counts."""

    NONE = 0
    STOP = 1
    TOOL_CALLS = 2
    REFUSAL = 3
    LENGTH = 4
    CONTENT_FILTER = 5
    FAILED = 6


_FINISH_WORDS = {
    _Finish.TOOL_CALLS: "tool_calls tool_call function_call tool_use",
    _Finish.REFUSAL: "refusal",
    _Finish.LENGTH: "length max_tokens max_output_tokens model_length model_context_window_exceeded",
    _Finish.CONTENT_FILTER: "content_filter safety sensitive recitation blocklist prohibited_content spii",
    _Finish.FAILED: "error network_error insufficient_system_resource abort",
}
_FINISH = {word: finish for finish, words in _FINISH_WORDS.items() for word in words.split()}

_ENDS = {
    _Finish.STOP: FinishReason.STOP,
    _Finish.TOOL_CALLS: FinishReason.TOOL_CALLS,
    _Finish.REFUSAL: FinishReason.REFUSAL,
    _Finish.LENGTH: FinishReason.LENGTH,
    _Finish.CONTENT_FILTER: FinishReason.CONTENT_FILTER,
}


class ChatStreamReader:
    """The state of one answer. Feed it every event in order, then ask ``end`` for the verdict."""

    def __init__(self, errors: ErrorMapper) -> None:
        self._errors = errors
        self._think = ThinkTagSplitter()
        self._text_joiner = SurrogateJoiner()
        self._thinking_joiner = SurrogateJoiner()
        self._usage = Usage()
        self._finish = _Finish.NONE
        self._finish_word = ""
        self._has_text = self._has_thinking = self._has_calls = False
        self._refused = False
        self._bad_events = 0
        self._broken_json = ""
        self.is_done = False
        """``[DONE]`` was read: nothing after it counts."""
        self.has_events = False
        """Something that belongs to a stream was read."""

    @property
    def has_finished(self) -> bool:
        """The endpoint gave a finish reason; only the usage and the end may still come."""
        return self._finish is not _Finish.NONE

    def feed(self, event: SseEvent) -> list[ModelChunk]:
        """Read one event. Raises ``ModelError`` when it is an error of the endpoint or the stream is unreadable."""
        if self.is_done:
            return []
        if event.name == OVERSIZED:
            raise self._errors.error("model.bad_stream", "a line of more than 32 MB")
        if is_done_mark(event.data):
            self.is_done = self.has_events = True
            return []
        value = self._parse(event)
        if is_error_body(value, named_error=event.name == "error"):
            raise self._errors.from_body(value)
        if not isinstance(value, Mapping):
            return []
        self.has_events = self.has_events or "choices" in value or "usage" in value
        try:
            return self.read(value)
        except RecursionError:
            raise self._errors.error("model.bad_stream", "an event is nested too deeply") from None

    def read(self, chunk: Mapping[str, Any]) -> list[ModelChunk]:
        """Read one parsed chunk, or a whole completion that came instead of a stream."""
        out: list[ModelChunk] = []
        choice = _first_choice(chunk.get("choices"))
        if choice is not None:
            delta = choice.get("delta")
            if not isinstance(delta, Mapping):
                delta = choice.get("message")
            if isinstance(delta, Mapping):
                self._read_delta(delta, out)
            elif isinstance(text := choice.get("text"), str):
                self._read_content(text, out)
            self._read_finish(choice.get("finish_reason"))
        self._read_usage(chunk.get("usage"))
        if isinstance(groq := chunk.get("x_groq"), Mapping):
            self._read_usage(groq.get("usage"))
        return out

    def flush(self) -> list[ModelChunk]:
        """Return text that was held back; for every end, the bad ones included."""
        chunks = self._think.finish()
        self._note(chunks)
        return list(chunks)

    def end(self) -> StreamEnd:
        """Say how the answer ended, after ``flush``. Raises ``ModelError`` where the endpoint did not end it properly."""
        has_content = self._has_text or self._has_calls
        finish = self._finish
        if finish is _Finish.FAILED:
            raise self._errors.error("model.server_error", self._finish_word, status="in the answer")
        if finish is _Finish.NONE:
            if not self.is_done:
                raise self._errors.error("model.ended_early" if self.has_events else "model.empty")
            if not has_content:
                raise self._errors.error("model.ended_early" if self._has_thinking else "model.empty")
            finish = _Finish.STOP
            self._bad_events += bool(self._broken_json)
        if self._bad_events and self._has_calls:  # what was lost may have been a piece of a call
            raise self._errors.error("model.bad_stream", "a part of a tool call could not be read")
        if finish <= _Finish.TOOL_CALLS:
            if not has_content and not self._has_thinking:
                raise self._errors.error("model.empty")
            finish = _Finish.TOOL_CALLS if self._has_calls else _Finish.REFUSAL if self._refused else _Finish.STOP
        return StreamEnd(reason=_ENDS[finish], usage=self._usage)

    def _parse(self, event: SseEvent) -> Any:
        """The event's JSON. An event that a raw line break cut in two is joined with the next one."""
        before, self._broken_json = self._broken_json, ""
        try:
            value = json.loads(event.data)
        except (ValueError, RecursionError):
            if before:
                try:
                    return json.loads(before + event.data)
                except (ValueError, RecursionError):
                    self._count_bad()
            if event.name == "error":
                return event.data
            if event.data.lstrip().startswith("{"):
                self._broken_json = event.data
            else:
                logger.debug("ignored an event that is no JSON")  # some servers keep a connection alive this way
            return None
        if before:
            self._count_bad()
        return value

    def _count_bad(self) -> None:
        self._bad_events += 1
        logger.info("an event of the stream could not be read (%d so far)", self._bad_events)
        if self._bad_events > MAX_BAD_EVENTS:
            raise self._errors.error("model.bad_stream", "its chunks are no valid JSON")

    def _read_delta(self, delta: Mapping[str, Any], out: list[ModelChunk]) -> None:
        self._add_thinking(_reasoning(delta), out)
        self._read_content(delta.get("content"), out)
        if isinstance(refusal := delta.get("refusal"), str) and refusal:
            self._refused = True
            self._read_content(refusal, out)
        calls = delta.get("tool_calls")
        if isinstance(calls, Mapping):
            calls = [calls]
        if isinstance(calls, list):
            pieces = [_call_piece(call) for call in calls if isinstance(call, Mapping)]
            self._add_calls(pieces, out)
        if isinstance(legacy := delta.get("function_call"), Mapping):
            self._add_calls([_call_piece({"index": 0, "function": legacy})], out)

    def _add_thinking(self, text: str, out: list[ModelChunk]) -> None:
        if text := self._thinking_joiner.feed(text):
            self._has_thinking = True
            out.append(ThinkingDelta(text=text))

    def _add_calls(self, pieces: list[ToolCallDelta], out: list[ModelChunk]) -> None:
        for piece in pieces:
            if piece.call_id or piece.name or piece.arguments or piece.extra:
                self._has_calls = self._has_calls or bool(piece.name)
                out.append(piece)

    def _read_content(self, content: Any, out: list[ModelChunk]) -> None:
        if isinstance(content, str):
            if content := self._text_joiner.feed(content):
                chunks = self._think.feed(content)
                self._note(chunks)
                out.extend(chunks)
        elif isinstance(content, list):
            for part in content:
                self._read_content_part(part, out)
        elif isinstance(content, Mapping):
            self._read_content_part(content, out)

    def _read_content_part(self, part: Any, out: list[ModelChunk]) -> None:
        if isinstance(part, str):
            self._read_content(part, out)
        elif isinstance(part, Mapping):
            if part.get("type") in ("thinking", "reasoning"):
                self._add_thinking(_flat(part.get("thinking") or part.get("reasoning") or part.get("text")), out)
            elif isinstance(text := part.get("text"), str):
                self._read_content(text, out)

    def _note(self, chunks: list[TextDelta | ThinkingDelta]) -> None:
        for chunk in chunks:
            if isinstance(chunk, ThinkingDelta):
                self._has_thinking = True
            elif not chunk.text.isspace():
                self._has_text = True

    def _read_finish(self, reason: Any) -> None:
        if not isinstance(reason, str):
            return
        word = reason.strip().lower().replace("-", "_")
        if word in ("", "null", "none"):
            return
        # An unknown word is an ordinary end: whether calls came decides what it means.
        finish = _FINISH.get(word, _Finish.STOP)
        if finish > self._finish:
            self._finish, self._finish_word = finish, reason

    def _read_usage(self, usage: Any) -> None:
        if not isinstance(usage, Mapping):
            return
        read = Usage(
            input_tokens=_count(usage.get("prompt_tokens", usage.get("input_tokens"))),
            output_tokens=_count(usage.get("completion_tokens", usage.get("output_tokens"))),
        )
        if read != Usage():
            self._usage = read


def completion_of(body: str) -> Any:
    """Return a body that is no stream as parsed JSON (the first element of a list), or None."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return value[0] if isinstance(value, list) and value else value


def _first_choice(choices: Any) -> Mapping[str, Any] | None:
    if not isinstance(choices, list):
        return None
    for choice in choices:
        if isinstance(choice, Mapping) and choice.get("index") in (0, None, "0"):
            return choice
    return None


def _reasoning(delta: Mapping[str, Any]) -> str:
    # The fields are names for the same text, some endpoints send two of them.
    for field in ("reasoning_content", "reasoning", "thinking"):
        if text := _flat(delta.get(field)):
            return text
    details = delta.get("reasoning_details")
    if not isinstance(details, list):
        return ""
    return "".join(
        _flat(detail.get("text") or detail.get("summary")) for detail in details if isinstance(detail, Mapping)
    )


def _flat(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "".join(_flat(item) for item in value)
    if isinstance(value, Mapping):
        return _flat(value.get("text") or value.get("content"))
    return ""


def _call_piece(call: Mapping[str, Any]) -> ToolCallDelta:
    function = call.get("function")
    if not isinstance(function, Mapping):
        function = {key: call[key] for key in ("name", "arguments") if key in call}
    extra = {
        key: value for key, value in call.items() if key not in ("index", "id", "type", "function", "name", "arguments")
    }
    if inner := {key: value for key, value in function.items() if key not in ("name", "arguments")}:
        extra["function"] = inner
    call_id = call.get("id")
    name = function.get("name")
    return ToolCallDelta(
        index=_index(call.get("index")),
        call_id=clean_text(str(call_id)) if isinstance(call_id, str | int) and not isinstance(call_id, bool) else "",
        name=clean_text(name) if isinstance(name, str) else "",
        arguments=_arguments(function.get("arguments")),
        extra=extra,
    )


def _index(value: Any) -> int | None:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 6:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _arguments(value: Any) -> str:
    if value is None:
        return ""
    return clean_text(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def _count(value: Any) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if 0 <= value < 10**15 else None
