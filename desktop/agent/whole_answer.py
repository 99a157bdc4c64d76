"""Asks a model what nobody watches, beside an answer: its text when it ended properly, and what that took."""

from contextlib import aclosing
from typing import Protocol

from desktop.agent.sent_pieces import Label
from desktop.conversation.entities import Message, Role
from desktop.conversation.ports import ThreadRepository
from desktop.conversation.request_records import Purpose
from desktop.core.language_model import (
    NO_USAGE,
    FinishReason,
    LanguageModel,
    ModelRequest,
    StreamEnd,
    TextDelta,
    TextWasThinking,
    ThinkingDelta,
    Usage,
)


class Beside(Protocol):
    """Returns the model with what it is sent recorded beside an answer. See ``RequestRecorder.beside``."""

    def __call__(self, model: LanguageModel, answer: Message, purpose: Purpose, /, *labels: Label) -> LanguageModel: ...


def unrecorded(model: LanguageModel, _answer: Message, _purpose: Purpose, *_labels: Label) -> LanguageModel:
    """Records nothing."""
    return model


async def last_answer(repository: ThreadRepository, thread_id: str) -> Message | None:
    """Return the last answer on the path of a thread, beside which it is asked."""
    path = await repository.path(thread_id, last=2)
    return next((message for message in reversed(path) if message.role is Role.ASSISTANT), None)


async def whole_answer(model: LanguageModel, request: ModelRequest, *, most_chars: int) -> tuple[str | None, Usage]:
    """Return what the model says. None where it is cut off, breaks off, or says or thinks more than ``most_chars``.

    Raises ``ModelError``.
    """
    said: list[str] = []
    length = 0
    async with aclosing(model.stream(request)) as chunks:
        async for chunk in chunks:
            match chunk:
                case TextDelta():
                    said.append(chunk.text)
                    length += len(chunk.text)
                case TextWasThinking():
                    said.clear()
                case ThinkingDelta():
                    length += len(chunk.text)
                case StreamEnd():
                    return (None if chunk.reason is FinishReason.LENGTH else "".join(said)), chunk.usage
                case _:
                    pass
            if length > most_chars:
                return None, NO_USAGE
    return None, NO_USAGE
