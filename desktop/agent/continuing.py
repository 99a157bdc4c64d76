"""Goes on with an answer that was cut off: which answers that is, what stays of them, and what the model is told."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

from desktop.agent.events import DoneReason
from desktop.conversation.entities import (
    ErrorPart,
    Message,
    MessageStatus,
    Part,
    RemarkPart,
    ReplayPart,
    Role,
    SourcesPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
)
from desktop.core.language_model import RequestMessage, UserMessage

INSTRUCTION = (
    "Your last answer was cut off. Go on with it exactly where it stopped, in the same language and format: begin with"
    " the very next character, repeat nothing of it, and say nothing about the interruption."
)
"""Sent as if the user had said it, and stored nowhere."""

_CUT_OFF = frozenset({DoneReason.LENGTH.value, DoneReason.STEP_LIMIT.value})
_BROKEN = frozenset({MessageStatus.STOPPED, MessageStatus.INTERRUPTED, MessageStatus.FAILED})


@dataclass(frozen=True)
class Resumed:
    """An answer as it is when it goes on."""

    parts: tuple[Part, ...]
    beside: tuple[SourcesPart | RemarkPart, ...]
    """What stood beside the text that goes on, to be put there again at its end."""


def can_continue(message: Message) -> bool:
    """Tell whether the answer ended before the model had finished it."""
    if message.role is not Role.ASSISTANT:
        return False
    return message.status in _BROKEN or (message.status is MessageStatus.COMPLETE and message.reason in _CUT_OFF)


def resumed(message: Message, *, model: str) -> Resumed:
    """Return what stays of the answer: all but why it ended. ``model`` is the one that goes on with it.

    A text that is to grow stands last. What only the earlier model understands, or what belonged to the earlier
    request of a step that goes on, is not sent back any more.
    """
    parts = [part for part in message.parts if not isinstance(part, ErrorPart)]
    if model != message.model:
        parts = [_without_extra(part) for part in parts if not isinstance(part, ReplayPart)]
    step = first_step(parts)
    if not any(isinstance(part, TextPart) and part.step == step for part in parts):
        # Reasoning that came to no word is begun anew.
        return Resumed(tuple(p for p in parts if not (isinstance(p, ThinkingPart) and p.step == step)), ())
    parts = [part for part in parts if not (isinstance(part, ReplayPart) and part.step == step)]
    end = max(place for place, part in enumerate(parts) if isinstance(part, TextPart)) + 1
    beside = tuple(part for part in parts[end:] if isinstance(part, SourcesPart | RemarkPart))
    return Resumed(tuple(parts[:end]), beside)


def first_step(parts: Sequence[Part]) -> int:
    """Return the step with which the answer goes on: the last one, but for one whose tools have answered."""
    step = max((part.step for part in parts), default=0)
    return step + any(isinstance(part, ToolCallPart) and part.step == step for part in parts)


def is_joined(parts: Sequence[Part]) -> bool:
    """Tell whether an answer with these parts broke off in a text, which then goes on without a gap."""
    return bool(parts) and isinstance(last := parts[-1], TextPart) and bool(last.text.strip())


def with_words(messages: Sequence[RequestMessage], words: str) -> tuple[RequestMessage, ...]:
    """Return the messages with these words at their end, as if the user had said them."""
    if messages and isinstance(last := messages[-1], UserMessage):
        text = "\n\n".join(filter(None, (last.text, words)))
        return (*messages[:-1], dataclasses.replace(last, text=text))
    return (*messages, UserMessage(text=words))


def _without_extra(part: Part) -> Part:
    return dataclasses.replace(part, extra={}) if isinstance(part, ToolCallPart) else part
