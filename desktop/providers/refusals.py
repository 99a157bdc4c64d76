"""What endpoints refuse that a request can do without, and by which of their words it is recognised."""

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum

from desktop.core.expressions import Expression
from desktop.core.language_model import (
    AssistantMessage,
    Image,
    ModelRequest,
    Remark,
    SystemMessage,
    ToolMessage,
    UserMessage,
)
from desktop.providers.sendable import sendable_text


class Without(StrEnum):
    """Something that an endpoint refused and that requests to it do without from then on."""

    TOOLS = "tools"
    """Neither tools nor calls: earlier calls and their results are told in the answer's text."""
    IMAGES = "images"
    """In their place stands which images were left out."""
    STREAMING = "streaming"
    """The answer comes in one piece."""
    STREAM_OPTIONS = "stream_options"
    THINKING = "thinking"
    """How much the model should reason is not said."""
    TOP_P = "top_p"
    TEMPERATURE = "temperature"
    MAX_TOKENS = "max_tokens"
    """Sent as ``max_completion_tokens``."""
    OUTPUT_LIMIT = "output_limit"
    """Sent under neither name."""
    NULL_CONTENT = "null_content"
    """Sent as an empty text."""
    EMPTY_CONTENT = "empty_content"
    """Sent as a text with a full stop."""
    SYSTEM_ROLE = "system_role"
    """Its text stands at the beginning of the first user message."""
    HIDDEN_REASONING = "hidden_reasoning"
    """The reasoning of earlier steps is sent back."""
    SENT_REASONING = "sent_reasoning"
    """No reasoning is sent back, signed or not."""
    PARALLEL_CALLS = "parallel_calls"
    """Earlier calls are sent back one by one."""
    RICH_SCHEMAS = "rich_schemas"
    """Tools are described with the few keywords that every endpoint knows."""
    LONG_DESCRIPTIONS = "long_descriptions"
    """Descriptions of tools are cut to what OpenAI takes."""
    ANSWER_SCHEMA = "answer_schema"
    """The endpoint is not told which form the answer must have; the request's words ask for it, too."""


_REFUSALS: Sequence[tuple[Without, Expression]] = (
    (
        Without.ANSWER_SCHEMA,
        Expression(
            r"response_?(?:format|schema)|json[ _]?schema|structured[ _-]?outputs?|json mode|guided decoding|grammar"
            r"|unknown name .{0,120}cannot find field|invalid schema|unsupported schema",
            re.I | re.S,
        ),
    ),
    (
        Without.LONG_DESCRIPTIONS,
        Expression(r"description.{0,60}(?:string too long|too long|at most|maximum length|exceeds)", re.I | re.S),
    ),
    (
        Without.RICH_SCHEMAS,
        Expression(
            r"unknown name .{0,120}cannot find field|invalid schema for function|unsupported schema|json ?schema not supported"
            r"|(?:parameters|input_schema|function_declarations).{0,120}(?:schema|type|enum|properties).{0,80}"
            r"(?:invalid|not supported|unsupported|must be|should be|only allowed|missing)"
            r"|unable to generate parser for this template.{0,200}|failed to parse (?:grammar|schema)|unrecognized schema",
            re.I | re.S,
        ),
    ),
    (
        Without.PARALLEL_CALLS,
        Expression(r"only supports single tool-?calls? at once|parallel (?:tool|function) calls? (?:is|are) not", re.I),
    ),
    (
        Without.TOOLS,
        Expression(
            r"does not support (?:tools|tool (?:use|calling|calls)|function calling|functions)"
            r"|no endpoints found that support tool use|enable-auto-tool-choice"
            r"|(?:tool|function)s?(?: use| calls?| calling)? (?:is|are) not (?:supported|available|enabled)"
            r"|(?:unsupported|unknown|unrecognized)[^.]{0,40}['\"`]tools['\"`]"
            r"|only user and assistant roles are supported",
            re.I,
        ),
    ),
    (
        Without.IMAGES,
        Expression(
            r"unknown variant .?image_url|image input is not supported|(?:does|do) not support (?:images?|vision|image input)"
            r"|image_url.{0,60}(?:not supported|unsupported|invalid|only supported)|not a (?:vision|multimodal) model"
            r"|no endpoints found that support image input|images? (?:are|is) not supported|mmproj",
            re.I,
        ),
    ),
    (
        Without.STREAMING,
        Expression(
            r"stream(?:ing)?\b.{0,40}(?:not supported|unsupported|not available|must be (?:set to )?false)"
            r"|must be verified to stream",
            re.I,
        ),
    ),
    (Without.STREAM_OPTIONS, Expression(r"stream_options|include_usage", re.I)),
    (
        Without.THINKING,
        Expression(
            r"reasoning_effort|enable_thinking|chat_template_kwargs|thinking_budget|\breasoning\.effort"
            r"|(?:unknown|unsupported|unrecognized|invalid|unexpected|extra)[^.]{0,60}['\"`](?:reasoning|thinking|think)['\"`]"
            r"|does not support thinking",
            re.I,
        ),
    ),
    (Without.MAX_TOKENS, Expression(r"max_completion_tokens", re.I)),
    (Without.OUTPUT_LIMIT, Expression(r"max_(?:completion_)?tokens(?!.{0,40}\breached)", re.I)),
    # Before the temperature: some endpoints take only one of the two, and the temperature is the better known.
    (Without.TOP_P, Expression(r"\btop_?p\b", re.I)),
    (Without.TEMPERATURE, Expression(r"temperature", re.I)),
    (
        Without.HIDDEN_REASONING,
        Expression(r"reasoning_content.{0,80}(?:missing|must be passed back|required)", re.I | re.S),
    ),
    (
        Without.SENT_REASONING,
        Expression(
            r"reasoning(?:_content|_details)?\b.{0,80}(?:not allowed|not permitted|unsupported|not supported|unexpected"
            r"|unknown|extra inputs|invalid|should not)|(?:unknown|unsupported|unrecognized|unexpected|extra).{0,60}reasoning"
            r"|(?:invalid|corrupted).{0,40}(?:thought[_ ])?signature",
            re.I | re.S,
        ),
    ),
    (
        Without.SYSTEM_ROLE,
        Expression(
            r"system role not supported|does not support 'system'|(?:only )?user(?:,| and)? assistant.{0,60}roles are supported"
            r"|developer instruction is not enabled",
            re.I | re.S,
        ),
    ),
    (
        Without.NULL_CONTENT,
        Expression(
            r"content.{0,40}(?:is empty|cannot be empty|must be a string|may not be null|should be a valid string|required)"
            r"|(?:none|null|NoneType).{0,40}content",
            re.I | re.S,
        ),
    ),
    (
        Without.EMPTY_CONTENT,
        Expression(r"content.{0,60}(?:is empty|cannot be empty|non-?empty|must not be empty|required)", re.I | re.S),
    ),
)


def refusal_of(detail: str, request: ModelRequest, without: frozenset[Without]) -> Without | None:
    """Return what the endpoint's words refuse, when the request holds it and it can be done without; else None."""
    for name, pattern in _REFUSALS:
        if name not in without and pattern.search(detail) and _holds(request, name, without):
            return name
    return None


def _holds(request: ModelRequest, name: Without, without: frozenset[Without]) -> bool:
    """Tell whether the request, as it is sent without ``without``, holds what the endpoint refuses."""
    answers = [message for message in request.messages if isinstance(message, AssistantMessage)]
    has_tools = bool(request.tools) and Without.TOOLS not in without
    calls_alone = any(answer.tool_calls and not answer.text for answer in answers)
    limit = request.sampling.max_output_tokens
    held: Mapping[Without, bool] = {
        Without.TOOLS: has_tools,
        Without.RICH_SCHEMAS: has_tools,
        Without.LONG_DESCRIPTIONS: has_tools,
        Without.IMAGES: any(
            isinstance(message, UserMessage | ToolMessage) and message.images for message in request.messages
        ),
        Without.ANSWER_SCHEMA: request.answer_schema is not None,
        Without.STREAMING: True,
        Without.STREAM_OPTIONS: Without.STREAMING not in without,
        Without.THINKING: request.thinking is not None,
        Without.TOP_P: request.sampling.top_p is not None,
        Without.TEMPERATURE: request.sampling.temperature is not None,
        Without.MAX_TOKENS: limit is not None and Without.OUTPUT_LIMIT not in without,
        Without.OUTPUT_LIMIT: limit is not None,
        Without.NULL_CONTENT: calls_alone,
        Without.EMPTY_CONTENT: calls_alone and Without.NULL_CONTENT in without,
        Without.SYSTEM_ROLE: any(isinstance(message, SystemMessage) for message in request.messages),
        Without.HIDDEN_REASONING: bool(answers) and Without.SENT_REASONING not in without,
        Without.SENT_REASONING: any(
            answer.replay or answer.thinking or any(call.extra for call in answer.tool_calls) for answer in answers
        ),
        Without.PARALLEL_CALLS: any(len(answer.tool_calls) > 1 for answer in answers),
    }
    return held[name]


_PARAMETERS: Mapping[Without, str] = {
    Without.TEMPERATURE: "temperature",
    Without.TOP_P: "top_p",
    Without.THINKING: "thinking",
    Without.OUTPUT_LIMIT: "max_tokens",
}


def remark_on(refused: Without, detail: str) -> Remark | None:
    """Return what the user should know of it, when something is left out from now on; None where it changes nothing."""
    match refused:
        case Without.TOOLS:
            return Remark(code="without_tools", params={"detail": detail})
        case Without.IMAGES:
            return Remark(code="without_images", params={"detail": detail})
        case Without.STREAMING:
            return Remark(code="not_streamed")
        case _:
            name = _PARAMETERS.get(refused)
            return Remark(code="without_parameter", params={"name": name}) if name else None


def remarks_on_known(
    request: ModelRequest, *, refused: frozenset[Without], lacking: frozenset[Without], listed: frozenset[Without]
) -> list[Remark]:
    """Return what has to be said with each answer: the user expects it and does not get it.

    ``refused`` is what the endpoint does not take, ``lacking`` what it does not as the user says, and ``listed`` as a
    list of models says. Of images only those of the message that is answered count, and those that tools returned for it.
    """
    remarks: list[Remark] = []
    if request.tools and Without.TOOLS in (refused | listed) - lacking:
        detail = "it refused them before" if Without.TOOLS in refused else "its list of models says so"
        remarks.append(Remark(code="without_tools", params={"detail": detail}))
    if Without.IMAGES in refused | lacking | listed and (images := _present_images(request)):
        names = ", ".join(" ".join(sendable_text(image.name).split())[:80] or "image" for image in images)
        remarks.append(Remark(code="without_images", params={"detail": names}))
    return remarks


def _present_images(request: ModelRequest) -> list[Image]:
    """The images since the last message of the user."""
    found: list[Image] = []
    for message in reversed(request.messages):
        if isinstance(message, UserMessage | ToolMessage):
            found[:0] = message.images
        if isinstance(message, UserMessage):
            break
    return found


_TOOL_LIMIT = Expression(
    r"(?:tools?|functions?|declarations)\b.{0,120}?(?:maximum|at most|limit|up to|no more than|max)[^\d]{0,40}(\d{1,4})\b",
    re.IGNORECASE | re.DOTALL,
)


def tool_limit_in(reason: str) -> int | None:
    """Return how many tools the endpoint takes, where its words are about too many."""
    match = _TOOL_LIMIT.search(reason) if re.search(r"too (?:many|long)|maximum|at most|exceed", reason, re.I) else None
    return int(match.group(1)) if match and int(match.group(1)) > 0 else None
