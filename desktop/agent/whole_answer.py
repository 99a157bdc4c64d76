"""Hears a model out for what nobody watches: its text when it ended properly, and what that took."""

from contextlib import aclosing

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
