"""What the run of an assistant may take that another one asked: counted as its model answers, up the whole chain."""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from desktop.core.errors import ModelError
from desktop.core.language_model import (
    LanguageModel,
    ModelChunk,
    ModelRequest,
    StreamEnd,
    TextDelta,
    ThinkingDelta,
    ToolCallDelta,
    Usage,
)
from desktop.core.token_count import guess_tokens

MOST_CALLS = 24
"""Assistants that one answer may ask, those asked by these included."""
_CHARACTERS = 2_000
"""Text is counted in pieces of this length while it streams."""


class Budget:
    """Tokens, in and out. What is spent counts for whoever asked, too, up to the answer itself."""

    def __init__(self, most_tokens: int | None = None, *, within: "Budget | None" = None) -> None:
        """None bounds nothing: the budget of an answer, which counts the ``calls``."""
        self._most_tokens = most_tokens
        self._within = within
        self._spent = 0
        self._calls = 0

    def spend(self, tokens: int) -> None:
        self._spent += tokens
        if self._within is not None:
            self._within.spend(tokens)

    def require(self, more: int = 0) -> None:
        """Raise ``ModelError("assistant.out_of_tokens")`` where ``more`` tokens would be too many."""
        if self._most_tokens is not None and self._spent + more >= self._most_tokens:
            raise ModelError("assistant.out_of_tokens", most=self._most_tokens)
        if self._within is not None:
            self._within.require(more)

    def begin_call(self) -> bool:
        """Count another assistant that is asked; False where the answer has asked as many as it may."""
        if self._within is not None:
            return self._within.begin_call()
        self._calls += 1
        return self._calls <= MOST_CALLS


class BudgetedModel:
    """A model whose answers count for a budget, and end where that does."""

    def __init__(self, model: LanguageModel, budget: Budget) -> None:
        self._model = model
        self._budget = budget

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def is_scripted(self) -> bool:
        return self._model.is_scripted

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelChunk, None]:
        """See ``LanguageModel.stream``. Raises ``ModelError("assistant.out_of_tokens")``, too."""
        self._budget.require()
        said, text, usage = 0, "", None
        try:
            async with aclosing(self._model.stream(request)) as chunks:
                async for chunk in chunks:
                    text += _text_of(chunk)
                    if len(text) >= _CHARACTERS:
                        said, text = said + guess_tokens(text), ""
                        self._budget.require(said)
                    if isinstance(chunk, StreamEnd):
                        usage = chunk.usage
                    yield chunk
        finally:
            self._budget.spend(_tokens(usage) or said + guess_tokens(text))

    async def close(self) -> None:
        """Its maker closes the model."""


def _text_of(chunk: ModelChunk) -> str:
    match chunk:
        case TextDelta() | ThinkingDelta():
            return chunk.text
        case ToolCallDelta():
            return chunk.arguments
        case _:
            return ""


def _tokens(usage: Usage | None) -> int:
    return 0 if usage is None else (usage.input_tokens or 0) + (usage.output_tokens or 0)
