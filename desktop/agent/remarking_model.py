"""A language model that says what the user should know of its answers, and learns how its endpoint counts tokens."""

import asyncio
import dataclasses
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing

from desktop.agent.smaller_window import too_long
from desktop.core.language_model import (
    AssistantMessage,
    LanguageModel,
    ModelChunk,
    ModelRequest,
    Remark,
    StreamEnd,
    ToolMessage,
    ToolSpec,
    UserMessage,
)
from desktop.core.token_count import count_request

logger = logging.getLogger(__name__)

SMALLEST_CONTEXT = 1024
"""No server reads less, so shorter requests are not worth a question."""

Context = Callable[[], Awaitable[int | None]]
Learn = Callable[[int, int], None]
"""Told how many tokens we counted in a request and how many its endpoint reported."""
Offered = Callable[[ModelRequest], Sequence[ToolSpec]]
"""Which of its tools a request will offer."""


class RemarkingModel:
    """Adds remarks to one answer, each once, however many steps it takes.

    ``context`` tells how many tokens the endpoint really reads, None while it does not say: some servers drop what is
    too long without a word, and tell their length only when the model is loaded, so it is asked again at the end.
    """

    def __init__(
        self,
        model: LanguageModel,
        *,
        remarks: Sequence[Remark] = (),
        context: Context | None = None,
        known_context: int | None = None,
        token_ratio: float = 1.0,
        learn: Learn | None = None,
        offered: Offered = lambda request: request.tools,
    ) -> None:
        """``known_context`` holds where ``context`` tells nothing: what was learned, of an endpoint that would say no.

        ``token_ratio`` as in ``ModelFacts``; ``learn`` hears of every request whose tokens are comparable.
        """
        self._model = model
        self._remarks = list(remarks)
        self._context = context
        self._token_ratio = token_ratio
        self._learn = learn
        self._known_context = known_context
        self._offered = offered
        self._has_refused = False

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def is_scripted(self) -> bool:
        return self._model.is_scripted

    async def close(self) -> None:
        await self._model.close()

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelChunk, None]:
        """See ``LanguageModel.stream``.

        Raises ``KnownTooLongError`` instead of sending what the model is known not to read, once in an answer.
        """
        while self._remarks:
            yield self._remarks.pop(0)
        counted = await self._count(request)
        needed = round(counted * self._token_ratio)
        limit = await self._limit(needed)
        self._refuse_too_long(request, needed, limit or self._known_context)
        if remark := self._too_small(needed, limit):
            yield remark
        sent_as_counted = not any(isinstance(m, UserMessage | ToolMessage) and m.images for m in request.messages)
        async with aclosing(self._model.stream(request)) as chunks:
            async for chunk in chunks:
                if isinstance(chunk, Remark):  # something was changed about the request, or left out
                    sent_as_counted = False
                elif isinstance(chunk, StreamEnd):
                    if sent_as_counted:
                        self._compare(counted, chunk.usage.input_tokens)
                    if limit is None:
                        limit = await self._limit(needed)
                        if remark := self._too_small(needed, limit):
                            yield remark
                yield chunk

    async def _count(self, request: ModelRequest) -> int:
        """The tokens of the request before any correction; 0 where nobody needs to know."""
        if (self._context is None and self._learn is None) or _length(request) < SMALLEST_CONTEXT:
            return 0
        sent = dataclasses.replace(request, tools=tuple(self._offered(request)))
        return await asyncio.to_thread(count_request, sent)

    def _compare(self, counted: int, reported: int | None) -> None:
        if self._learn is not None and counted and reported:
            self._learn(counted, reported)

    async def _limit(self, needed: int) -> int | None:
        if self._context is None or needed < SMALLEST_CONTEXT:
            return None
        return await self._context()

    def _refuse_too_long(self, request: ModelRequest, needed: int, limit: int | None) -> None:
        if self._has_refused or limit is None or not needed:
            return
        if (error := too_long(request, limit=limit, needed=needed)) is not None:
            self._has_refused = True
            raise error

    def _too_small(self, needed: int, limit: int | None) -> Remark | None:
        if limit is None or needed <= limit:
            return None
        logger.info("about %s tokens are sent to a server that reads %s", needed, limit)
        self._context = None
        return Remark(code="context_small", params={"limit": limit, "needed": needed})


def _length(request: ModelRequest) -> int:
    """Characters of a request, roughly: no token is shorter than a character."""
    calls = [call for m in request.messages if isinstance(m, AssistantMessage) for call in m.tool_calls]
    texts = [message.text for message in request.messages] + [call.arguments for call in calls]
    tools = [f"{tool.description}{tool.parameters}" for tool in request.tools]
    return sum(map(len, (*texts, *tools)))
