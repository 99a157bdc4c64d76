"""Reads the events of a chat-completions stream, however the endpoint shapes them, into neutral chunks.

Pure: parsed events in, chunks and at the end a verdict out. Nothing here knows of sockets.
"""

import logging
import re
from collections.abc import Iterator, Mapping
from typing import Any

from desktop.core.language_model import (
    NO_USAGE,
    FinishReason,
    ModelChunk,
    SourcesFound,
    StreamEnd,
    TextDelta,
    TextWasThinking,
    ThinkingDelta,
    ToolCallDelta,
    Usage,
)
from desktop.providers.call_pieces import call_pieces, is_useful, legacy_call_piece
from desktop.providers.error_bodies import is_error_body
from desktop.providers.error_mapping import ErrorMapper
from desktop.providers.event_values import DONE, MAX_CHUNKS_OF_EVENT, unwrapped, values_in
from desktop.providers.finish_reasons import Finish, finish_of, is_overflow
from desktop.providers.replay_fields import ReplayFields
from desktop.providers.sources import SourceCollector
from desktop.providers.sse import OVERSIZED, SseEvent, is_done_mark
from desktop.providers.surrogates import SurrogateJoiner
from desktop.providers.think_tags import ThinkTagSplitter
from desktop.providers.usage_fields import usage_of, with_later

MAX_BAD_EVENTS = 3
logger = logging.getLogger(__name__)

_ENDS = {
    Finish.STOP: FinishReason.STOP,
    Finish.TOOL_CALLS: FinishReason.TOOL_CALLS,
    Finish.REFUSAL: FinishReason.REFUSAL,
    Finish.LENGTH: FinishReason.LENGTH,
    Finish.CONTENT_FILTER: FinishReason.CONTENT_FILTER,
}
_REASONING = ("reasoning_content", "reasoning", "reasoning_text", "thinking")
_ERROR_IN_WORDS = re.compile(r"\s*(?:\[error\]|error\s*:)", re.IGNORECASE)
"""How relays that make no JSON of it say that the answer failed."""


class ChatStreamReader:
    """The state of one answer. Feed it every event in order, then ask ``end`` for the verdict."""

    def __init__(self, errors: ErrorMapper, *, goes_on: bool = False) -> None:
        """``goes_on``: the text is the rest of an earlier one, and blanks at its beginning count."""
        self._errors = errors
        self._think = ThinkTagSplitter(keeps_blanks=goes_on)
        self._text_joiner = SurrogateJoiner()
        self._thinking_joiner = SurrogateJoiner()
        self._sources = SourceCollector()
        self._replay = ReplayFields()
        self._usage = Usage()
        self._finish = Finish.NONE
        self._finish_word = ""
        self._has_choices = self._has_text = self._has_thinking = self._has_calls = False
        self._lacks_choices = False
        self._refused = False
        self._bad_events = 0
        self._broken_json = ""
        self._kept: list[ModelChunk] = []
        self._parsed: tuple[str, list[Any] | None] = ("", None)
        self.is_done = False
        """``[DONE]`` was read: nothing after it counts."""
        self.has_events = False
        """Something that belongs to a stream was read."""

    @property
    def has_finished(self) -> bool:
        """The endpoint gave a finish reason; only the usage and the end may still come."""
        return self._finish is not Finish.NONE

    @property
    def has_usage(self) -> bool:
        return self._usage != NO_USAGE

    def parse_ahead(self, event: SseEvent) -> None:
        """Parse the event that will be fed next. For long ones, in a thread: the loop's other tasks get their turns."""
        self._parsed = event.data, values_in(event.data, patiently=True)

    def feed(self, event: SseEvent) -> list[ModelChunk]:
        """Read one event. Raises ``ModelError`` when it is an error of the endpoint or the stream is unreadable."""
        if self.is_done:
            return []
        if event.name == OVERSIZED:
            raise self._errors.error("model.bad_stream", "a line of more than 32 MB")
        if is_done_mark(event.data):
            self.is_done = self.has_events = True
            return []
        out: list[ModelChunk] = []
        for value in self._values(event):
            if (error := _error_in(value, is_named=event.name == "error")) is not None:
                self._keep(value, out)
                raise self._errors.from_body(error)
            if isinstance(value, dict):
                out += self.read(value)
            elif value == DONE:
                self.is_done = True
        return out

    def read(self, chunk: Mapping[str, Any]) -> list[ModelChunk]:
        """Read one parsed chunk, or a whole completion that came instead of a stream. Raises ``ModelError``."""
        chunk = unwrapped(chunk)
        self.has_events = self.has_events or "choices" in chunk or "usage" in chunk or "done" in chunk
        out: list[ModelChunk] = []
        try:
            self._read_chunk(chunk, out)
        except RecursionError:
            raise self._errors.error("model.bad_stream", "an event is nested too deeply") from None
        return out

    def flush(self) -> list[ModelChunk]:
        """Return text that was held back; for every end, the bad ones included."""
        kept, self._kept = self._kept, []
        chunks = self._think.finish()
        self._note(chunks)
        return [*kept, *chunks]

    def end(self) -> StreamEnd:
        """Say how the answer ended, after ``flush``. Raises ``ModelError`` where the endpoint did not end it properly."""
        has_content = self._has_text or self._has_calls
        finish = self._finish
        if finish is Finish.FAILED:
            raise self._errors.error("model.server_error", self._finish_word, status="in the answer")
        if self._lacks_choices and not self._has_choices:  # a router whose provider failed; it may not the next time
            raise self._errors.error("model.server_error", "it sent an empty answer", status="in the answer")
        if finish is Finish.NONE:
            if not self.is_done:
                raise self._errors.error("model.ended_early" if self._has_choices else "model.empty")
            if not has_content:
                raise self._errors.error("model.ended_early" if self._has_thinking else "model.empty")
            finish = Finish.STOP
            self._bad_events += bool(self._broken_json)
        if self._bad_events and self._has_calls:  # what was lost may have been a piece of a call
            raise self._errors.error("model.bad_stream", "a part of a tool call could not be read")
        if not has_content and not self._has_thinking:
            if finish is Finish.LENGTH and is_overflow(self._finish_word):
                raise self._errors.from_body({"message": f"The answer ended with {self._finish_word}."})
            if finish <= Finish.TOOL_CALLS:
                raise self._errors.error("model.empty")
        if finish <= Finish.TOOL_CALLS:
            finish = Finish.TOOL_CALLS if self._has_calls else Finish.REFUSAL if self._refused else Finish.STOP
        return StreamEnd(reason=_ENDS[finish], usage=self._usage, replay=self._replay.fields())

    def _values(self, event: SseEvent) -> list[Any]:
        """The event's JSON: one value, a list of chunks, or several that stand glued together.

        An event that a raw line break cut in two is joined with the next one.
        """
        before, self._broken_json = self._broken_json, ""
        values = self._parsed[1] if self._parsed[0] is event.data else values_in(event.data)
        if values is None and before:
            values = values_in(before + event.data)
            if values is None:
                self._count_bad()
        elif before:
            self._count_bad()
        if values is not None:
            if len(values) > MAX_CHUNKS_OF_EVENT:
                raise self._errors.error("model.bad_stream", f"more than {MAX_CHUNKS_OF_EVENT} chunks in one event")
            return values
        if event.name == "error" or _ERROR_IN_WORDS.match(event.data):
            return [{"error": event.data.strip()}]
        if event.data.lstrip().startswith("{"):
            self._broken_json = event.data
        else:
            logger.debug("ignored an event that is no JSON")  # some servers keep a connection alive this way
        return []

    def _keep(self, value: Any, before: list[ModelChunk]) -> None:
        """Hold back for ``flush`` the text that an error would take away: before it in its event, or beside it."""
        self._kept += before
        if not isinstance(value, dict):
            return
        beside = self.read({key: item for key, item in value.items() if key != "error"})
        self._kept += (chunk for chunk in beside if not isinstance(chunk, ToolCallDelta))

    def _count_bad(self) -> None:
        self._bad_events += 1
        logger.info("an event of the stream could not be read (%d so far)", self._bad_events)
        if self._bad_events > MAX_BAD_EVENTS:
            raise self._errors.error("model.bad_stream", "its chunks are no valid JSON")

    def _read_chunk(self, chunk: Mapping[str, Any], out: list[ModelChunk]) -> None:
        choice = _first_choice(chunk)
        self._has_choices = self._has_choices or bool(choice)
        self._lacks_choices = self._lacks_choices or ("choices" in chunk and chunk["choices"] is None)
        delta = self._delta_of(choice)
        if delta:
            self._read_delta(delta, out)
        elif not isinstance(choice.get("delta"), dict) and isinstance(text := choice.get("text"), str):
            self._read_content(text, out)
        if sources := self._sources.new_in(chunk, choice, delta):
            out.append(SourcesFound(sources=sources))
        reason = choice.get("finish_reason")
        if (finish := finish_of(reason)) > self._finish:
            self._finish, self._finish_word = finish, str(reason)
        for holder in (chunk, choice, chunk.get("x_groq")):
            if isinstance(holder, dict) and isinstance(usage := holder.get("usage"), dict):
                self._usage = with_later(self._usage, usage_of(usage))

    def _delta_of(self, choice: Mapping[str, Any]) -> Mapping[str, Any]:
        """What the choice adds. A whole message adds what no delta brought: some endpoints end with one."""
        if isinstance(delta := choice.get("delta"), dict):
            return delta
        if not isinstance(message := choice.get("message"), dict):
            return {}
        known = {
            "content": self._has_text,
            "refusal": self._has_text,
            "tool_calls": self._has_calls,
            "function_call": self._has_calls,
            **dict.fromkeys(_REASONING, self._has_thinking),
            "reasoning_details": self._has_thinking,
        }
        return {key: value for key, value in message.items() if not known.get(key)}

    def _read_delta(self, delta: Mapping[str, Any], out: list[ModelChunk]) -> None:
        self._replay.take(delta)
        self._add_thinking(_reasoning(delta), out)
        if _is_thought(delta):
            self._add_thinking(_flat(delta.get("content")), out)
        else:
            self._read_content(delta.get("content"), out)
        if isinstance(refusal := delta.get("refusal"), str):
            self._read_refusal(refusal, out)
        if pieces := call_pieces(delta.get("tool_calls")):
            self._add_calls(pieces, out)
        elif isinstance(legacy := delta.get("function_call"), dict):
            self._add_calls([legacy_call_piece(legacy)], out)

    def _read_refusal(self, text: str, out: list[ModelChunk]) -> None:
        self._refused = self._refused or bool(text)
        self._read_content(text, out)

    def _add_thinking(self, text: str, out: list[ModelChunk]) -> None:
        if text := self._thinking_joiner.feed(text):
            self._has_thinking = True
            out.append(ThinkingDelta(text=text))

    def _add_calls(self, pieces: list[ToolCallDelta], out: list[ModelChunk]) -> None:
        for piece in pieces:
            if is_useful(piece):
                self._has_calls = self._has_calls or bool(piece.name)
                out.append(piece)

    def _read_content(self, content: Any, out: list[ModelChunk]) -> None:
        if isinstance(content, str):
            if content := self._text_joiner.feed(content):
                chunks = self._think.feed(content, has_reasoning=self._has_thinking)
                self._note(chunks)
                out.extend(chunks)
        elif isinstance(content, list):
            for part in content:
                self._read_content_part(part, out)
        elif isinstance(content, dict):
            self._read_content_part(content, out)

    def _read_content_part(self, part: Any, out: list[ModelChunk]) -> None:
        if isinstance(part, str):
            self._read_content(part, out)
        elif isinstance(part, dict):
            if part.get("type") in ("thinking", "reasoning"):
                self._add_thinking(_flat(part.get("thinking") or part.get("reasoning") or part.get("text")), out)
            elif isinstance(refusal := part.get("refusal"), str):
                self._read_refusal(refusal, out)
            elif isinstance(text := part.get("text"), str):
                self._read_content(text, out)

    def _note(self, chunks: list[TextDelta | ThinkingDelta | TextWasThinking]) -> None:
        for chunk in chunks:
            if isinstance(chunk, ThinkingDelta):
                self._has_thinking = True
            elif isinstance(chunk, TextWasThinking):
                self._has_thinking, self._has_text = True, False
            elif not chunk.text.isspace():
                self._has_text = True


def _error_in(value: Any, *, is_named: bool) -> Any:
    """What of a parsed event is an error; None for an answer. Text beside an error says nothing about its kind."""
    if is_error_body(value, named_error=is_named):
        has_both = isinstance(value, dict) and value.get("error") and value.get("choices")
        return {"error": value["error"]} if has_both else value
    # Routers that let one provider after the other answer have it in the choice.
    return next(({"error": error} for choice in _choices(value) if (error := choice.get("error"))), None)


def _choices(chunk: Any) -> Iterator[Mapping[str, Any]]:
    choices = chunk.get("choices") if isinstance(chunk, dict) else None
    for choice in choices if isinstance(choices, list) else [choices]:
        if isinstance(choice, dict) and choice.get("index") in (0, None, "0"):
            yield choice


def _first_choice(chunk: Mapping[str, Any]) -> Mapping[str, Any]:
    """The first answer's choice; empty without one."""
    if "done" in chunk and "choices" not in chunk:  # Ollama's own protocol, for whoever gave the address of that
        message = chunk.get("message", {"content": chunk.get("response")})
        reason = chunk.get("done_reason") or ("stop" if chunk["done"] is True else None)
        return {"delta": message, "finish_reason": reason, "usage": chunk}
    return next(_choices(chunk), {})


def _reasoning(delta: Mapping[str, Any]) -> str:
    # The fields are names for the same text, some endpoints send two of them.
    for field in _REASONING:
        if text := _flat(delta.get(field)):
            return text
    details = delta.get("reasoning_details")
    if not isinstance(details, list):
        return ""
    return "".join(_flat(detail.get("text") or detail.get("summary")) for detail in details if isinstance(detail, dict))


def _is_thought(delta: Mapping[str, Any]) -> bool:
    """True where the content is marked as reasoning: gpt-oss by its channel, Gemini by a flag."""
    extra = delta.get("extra_content")
    google = extra.get("google") if isinstance(extra, dict) else None
    return delta.get("channel") == "analysis" or (isinstance(google, dict) and google.get("thought") is True)


def _flat(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "".join(_flat(item) for item in value)
    if isinstance(value, dict):
        return _flat(value.get("text") or value.get("content"))
    return ""
