"""The port to a language model: a neutral request in, neutral chunks out. Adapters stand in ``providers``."""

from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from desktop.core.thinking_effort import ThinkingEffort

DEMO_MODEL_NAME = "Demo model"
"""Under which answers of the built-in demo are recorded; the UI shows it in its language."""


@dataclass(frozen=True, kw_only=True)
class ToolSpec:
    """One tool as the model is offered it. ``parameters`` is a JSON schema whose root is an object."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    group: str = ""
    """Whose it is, for example the id of its server: where not all can be offered, a group stays together."""


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
class Image:
    """A picture as it is sent: scaled, and without anything that the file said beside the pixels."""

    name: str
    media_type: str
    """``image/jpeg`` or ``image/png``."""
    data: bytes


Origins = tuple[str, ...]
"""Ids of the chat's messages that a message was made from: for whoever shows what was sent, nothing to be sent."""


@dataclass(frozen=True, kw_only=True)
class UserMessage:
    text: str
    images: tuple[Image, ...] = ()
    origins: Origins = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, kw_only=True)
class AssistantMessage:
    text: str
    thinking: str = ""
    tool_calls: tuple[RequestToolCall, ...] = ()
    model: str = ""
    """Who wrote it; what ``replay`` holds means something to that model only."""
    replay: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Fields of the endpoint's answer that it must get back unchanged, such as signed reasoning."""
    origins: Origins = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, kw_only=True)
class ToolMessage:
    """The result of the call ``call_id``; always directly after the assistant message that made the call."""

    call_id: str
    name: str
    text: str
    images: tuple[Image, ...] = ()
    """What the tool returned beside the text. Most endpoints take none here: they are sent in a message that follows."""
    origins: Origins = field(default=(), compare=False, repr=False)


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
    thinking: ThinkingEffort | None = None
    """None leaves it to the endpoint."""
    answer_schema: Mapping[str, Any] | None = None
    """A JSON schema that the whole answer keeps to, where the endpoint can see to that; elsewhere it is not sent."""
    goes_on: bool = False
    """The answer is to go on with the last one's text in the middle: blanks at its beginning belong to it."""
    on_body: Callable[[Mapping[str, Any]], None] | None = field(default=None, compare=False, repr=False)
    """Told of the body of each HTTP request that is made of this one, when it is sent."""


@dataclass(frozen=True, kw_only=True)
class TextDelta:
    text: str


@dataclass(frozen=True, kw_only=True)
class ThinkingDelta:
    text: str


@dataclass(frozen=True, kw_only=True)
class TextWasThinking:
    """All answer text so far was reasoning: the endpoint sends only the tag at its end. At most once in a stream."""


@dataclass(frozen=True, kw_only=True)
class ToolCallDelta:
    """A piece of a tool call as the wire gave it; the agent's assembler joins pieces into calls.

    Empty strings mean "not in this piece". ``name`` is what the model wrote, of which ``core.meant_names`` makes that of
    a tool. ``arguments`` is a piece of JSON text; an adapter that met an object has already written it as JSON. ``extra``
    are unknown fields of the call, kept and sent back.
    """

    index: int | None = None
    call_id: str = ""
    name: str = ""
    arguments: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict[str, Any])
    begins_call: bool = False
    """It is certain that it begins another call than those before it, whatever its index and id say."""


@dataclass(frozen=True, kw_only=True)
class Source:
    """Something that the model, or the endpoint for it, says it used. ``url`` is unchecked text of the endpoint."""

    url: str
    title: str = ""


@dataclass(frozen=True, kw_only=True)
class SourcesFound:
    """Sources of the answer, new ones only."""

    sources: tuple[Source, ...]


@dataclass(frozen=True, kw_only=True)
class Remark:
    """Something about how the answer was made that the user should know and that is kept with it.

    For example that the endpoint refused the tools and it was asked without them. ``code`` and ``params`` as in
    ``core.remark_texts``.
    """

    code: str
    params: Mapping[str, str | int | float] = field(default_factory=dict[str, str | int | float])


@dataclass(frozen=True, kw_only=True)
class Waiting:
    """What is being waited for, until the next chunk of any kind. Shown, never stored.

    ``code`` is one of ``model_loading``, ``rate_limited``, ``overloaded``, ``reconnecting``, ``prompt_reading``.
    """

    code: str
    seconds: float | None = None
    """How long, where that is known: for a countdown."""


@dataclass(frozen=True, kw_only=True)
class Usage:
    """Token counts as the endpoint reported them; None where it did not."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    """With those of the reasoning."""
    cached_input_tokens: int | None = None
    """How many of the input tokens the endpoint had read before."""
    thinking_tokens: int | None = None
    """How many of the output tokens were reasoning."""

    def __add__(self, other: "Usage") -> "Usage":
        """What both took together, as far as it was counted."""
        return Usage(
            input_tokens=_sum(self.input_tokens, other.input_tokens),
            output_tokens=_sum(self.output_tokens, other.output_tokens),
            cached_input_tokens=_sum(self.cached_input_tokens, other.cached_input_tokens),
            thinking_tokens=_sum(self.thinking_tokens, other.thinking_tokens),
        )


def _sum(a: int | None, b: int | None) -> int | None:
    return b if a is None else a if b is None else a + b


NO_USAGE = Usage()
"""The endpoint counted nothing."""


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
    replay: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """See ``AssistantMessage.replay``."""


ModelChunk = TextDelta | ThinkingDelta | TextWasThinking | ToolCallDelta | SourcesFound | Remark | Waiting | StreamEnd


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
