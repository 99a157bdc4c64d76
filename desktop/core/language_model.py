"""The port to a language model: a neutral request in, neutral chunks out. Adapters stand in ``providers``."""

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

DEMO_MODEL_NAME = "Demo model"
"""Under which answers of the built-in demo are recorded; the UI shows it in its language."""


@dataclass(frozen=True, kw_only=True)
class ToolSpec:
    """One tool as the model is offered it. ``parameters`` is a JSON schema whose root is an object."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class RequestToolCall:
    """A call that the model made earlier, sent back to it. ``extra`` holds unknown fields it must get back unchanged."""

    call_id: str
    name: str
    arguments: str
    extra: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, kw_only=True)
class SystemMessage:
    text: str


@dataclass(frozen=True, kw_only=True)
class UserMessage:
    text: str


@dataclass(frozen=True, kw_only=True)
class AssistantMessage:
    text: str
    thinking: str = ""
    tool_calls: tuple[RequestToolCall, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ToolMessage:
    """The result of the call ``call_id``; always directly after the assistant message that made the call."""

    call_id: str
    name: str
    text: str


RequestMessage = SystemMessage | UserMessage | AssistantMessage | ToolMessage


@dataclass(frozen=True, kw_only=True)
class Sampling:
    """How the model picks its words, and how many; None leaves it to the endpoint and is not sent at all."""

    temperature: float | None = None
    top_p: float | None = None
    max_output_tokens: int | None = None


@dataclass(frozen=True, kw_only=True)
class ModelRequest:
    """Everything that leaves the machine for one step."""

    messages: tuple[RequestMessage, ...]
    tools: tuple[ToolSpec, ...] = ()
    sampling: Sampling = Sampling()


@dataclass(frozen=True, kw_only=True)
class TextDelta:
    text: str


@dataclass(frozen=True, kw_only=True)
class ThinkingDelta:
    text: str


@dataclass(frozen=True, kw_only=True)
class ToolCallDelta:
    """A piece of a tool call as the wire gave it; the agent's assembler joins pieces into calls.

    Empty strings mean "not in this piece". ``arguments`` is a piece of JSON text; an adapter that met an object has
    already written it as JSON. ``extra`` are unknown fields of the call, kept and sent back.
    """

    index: int | None = None
    call_id: str = ""
    name: str = ""
    arguments: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, kw_only=True)
class Usage:
    """Token counts as the endpoint reported them; None where it did not."""

    input_tokens: int | None = None
    output_tokens: int | None = None


class FinishReason(StrEnum):
    """How a stream ended. Calls run only after STOP or TOOL_CALLS."""

    STOP = "stop"
    TOOL_CALLS = "tool_calls"
    LENGTH = "length"
    CONTENT_FILTER = "content_filter"
    REFUSAL = "refusal"


@dataclass(frozen=True, kw_only=True)
class StreamEnd:
    """The last chunk of every stream that ended properly, exactly once."""

    reason: FinishReason
    usage: Usage = Usage()


ModelChunk = TextDelta | ThinkingDelta | ToolCallDelta | StreamEnd


class LanguageModel(Protocol):
    """A model behind an endpoint, or the built-in scripted one."""

    @property
    def name(self) -> str:
        """What the window shows, for example ``qwen3-8b``."""
        ...

    @property
    def is_scripted(self) -> bool:
        """True for the built-in demo model, which is labelled wherever it appears."""
        ...

    def stream(self, request: ModelRequest) -> AsyncGenerator[ModelChunk, None]:
        """Yield the answer's chunks as they arrive; the last one is a ``StreamEnd``.

        Raises ``ModelError`` when the endpoint cannot be reached, refuses, or the stream breaks. Consume it under
        ``contextlib.aclosing`` so that leaving early ends the request.
        """
        ...

    async def close(self) -> None:
        """Close connections; the object is not used afterwards."""
        ...
