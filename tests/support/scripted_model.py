"""A language model that plays back what a test wrote down, and fails on a request that the script does not hold."""

import asyncio
from collections.abc import AsyncGenerator, Sequence

from desktop.core.language_model import (
    FinishReason,
    ModelChunk,
    ModelRequest,
    StreamEnd,
    TextDelta,
    ThinkingDelta,
    ToolCallDelta,
    Usage,
)

Step = Sequence[ModelChunk | BaseException | asyncio.Event]
"""One answer to one request. An exception is raised at its place; an event is waited for (a place to hold)."""


def said(text: str, *, reason: FinishReason = FinishReason.STOP) -> Step:
    """A step that only says something, in pieces of three characters."""
    pieces = [text[i : i + 3] for i in range(0, len(text), 3)]
    return [
        *(TextDelta(text=p) for p in pieces),
        StreamEnd(reason=reason, usage=Usage(input_tokens=10, output_tokens=5)),
    ]


def called(*calls: tuple[str, str, str], text: str = "", thinking: str = "") -> Step:
    """A step that calls tools; each call is id, name, arguments."""
    chunks: list[ModelChunk] = []
    if thinking:
        chunks.append(ThinkingDelta(text=thinking))
    if text:
        chunks.append(TextDelta(text=text))
    for index, (call_id, name, arguments) in enumerate(calls):
        half = len(arguments) // 2
        chunks.append(ToolCallDelta(index=index, call_id=call_id, name=name, arguments=arguments[:half]))
        chunks.append(ToolCallDelta(index=index, arguments=arguments[half:]))
    return [*chunks, StreamEnd(reason=FinishReason.TOOL_CALLS, usage=Usage(input_tokens=20, output_tokens=7))]


class ScriptedModel:
    """Implements ``LanguageModel``. ``requests`` are what it was sent; ``finished`` says that no step is left."""

    name = "scripted"
    is_scripted = True

    def __init__(self, *steps: Step) -> None:
        self._steps = list(steps)
        self.requests: list[ModelRequest] = []
        self.open_streams = 0

    @property
    def finished(self) -> bool:
        return not self._steps

    def script(self, *steps: Step) -> None:
        """Write more steps, which follow."""
        self._steps.extend(steps)

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelChunk, None]:
        self.requests.append(request)
        assert self._steps, "the script has no step for this request"
        self.open_streams += 1
        try:
            for chunk in self._steps.pop(0):
                if isinstance(chunk, BaseException):
                    raise chunk
                if isinstance(chunk, asyncio.Event):
                    await chunk.wait()
                    continue
                await asyncio.sleep(0)
                yield chunk
        finally:
            self.open_streams -= 1

    async def close(self) -> None:
        """Nothing to close."""
