"""Reads the body of one response to its end: a stream of events, or a whole completion, an error or a web page instead."""

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, cast

from desktop.core.errors import ModelError
from desktop.core.language_model import ModelChunk, Waiting
from desktop.core.tasks import begun
from desktop.providers.chat_chunks import ChatStreamReader, completion_of
from desktop.providers.error_bodies import detail_of, is_error_body
from desktop.providers.error_mapping import ErrorMapper
from desktop.providers.sse import SseParser
from desktop.providers.watchdog import Watchdog, WatchdogExpiredError

if TYPE_CHECKING:
    from openai._response import AsyncAPIResponse  # the type has no public name

logger = logging.getLogger(__name__)

AFTER_FINISH_SECONDS = 10.0
"""How long usage and the stream's end may take after the finish reason; then the answer counts as ended."""
DRAIN_SECONDS = 0.1
"""How long the body's last bytes may take after ``[DONE]``; then the connection is not used again."""
WORK_SECONDS = 0.01
"""After so long without a pause, what else is to be done gets its turn."""
_PART_BYTES = 2048
"""What of a piece is read at once."""
BODY_LIMIT_BYTES = 1024 * 1024
"""What is read of a body that is no stream where one was asked for."""


class AnswerBody:
    """One body being read. ``watchdog`` runs already; ``hint_seconds`` is None where silence needs no explanation."""

    def __init__(
        self,
        response: "AsyncAPIResponse[Any]",
        errors: ErrorMapper,
        watchdog: Watchdog,
        *,
        gap_seconds: float,
        hint_seconds: float | None = None,
        limit_bytes: int = BODY_LIMIT_BYTES,
        goes_on: bool = False,
    ) -> None:
        self._response = response
        self._errors = errors
        self._watchdog = watchdog
        self._gap_seconds = gap_seconds
        self._loop = asyncio.get_running_loop()
        self._gave_way_at = self._loop.time()
        self._hint_at = None if hint_seconds is None else self._loop.time() + hint_seconds
        self._limit = limit_bytes
        self._reader = ChatStreamReader(errors, goes_on=goes_on)
        self._parser = SseParser()
        self._broke: ModelError | None = None
        """Why the body ended before its end."""

    async def chunks(self) -> AsyncGenerator[ModelChunk, None]:
        """Yield the answer; the last chunk is its end. Raises ``ModelError`` after what was received until then."""
        try:
            async with aclosing(self._read()) as chunks:
                async for chunk in chunks:
                    yield chunk
        except ModelError:
            for chunk in self._reader.flush():
                yield chunk
            raise
        for chunk in self._reader.flush():
            yield chunk
        yield self._reader.end()

    async def _read(self) -> AsyncGenerator[ModelChunk, None]:
        is_stream = "event-stream" in self._response.headers.get("content-type", "")
        head = bytearray()  # kept until an event was read: a body that is no stream is judged as a whole
        async with aclosing(cast(AsyncGenerator[bytes, None], self._response.iter_bytes())) as pieces:
            async with aclosing(self._pieces(pieces)) as read:
                async for piece in read:
                    if isinstance(piece, Waiting):
                        yield piece
                        continue
                    if not self._reader.has_events:
                        head += piece or b""
                        if len(head) > self._limit and not is_stream:
                            break
                        del head[self._limit :]
                    for part in _parts(piece):
                        for chunk in self._chunks_in(part):
                            yield chunk
                            await self._let_others_work()
                        await self._let_others_work()
            if self._reader.is_done:
                await _drain(pieces)
        if self._broke is not None and not (self._reader.is_done or self._reader.has_finished):
            raise self._broke
        if not self._reader.has_events:
            for chunk in self._whole_body(bytes(head)):
                yield chunk

    async def _let_others_work(self) -> None:
        """Give way to the loop's other tasks every few milliseconds: a piece may hold thousands of events."""
        now = self._loop.time()
        if now - self._gave_way_at > WORK_SECONDS:
            await asyncio.sleep(0)
            self._gave_way_at = self._loop.time()

    async def _pieces(self, pieces: AsyncIterator[bytes]) -> AsyncGenerator[bytes | Waiting | None, None]:
        """The body piece by piece up to the answer's end, last None where the body ended first."""
        piece: bytes | None = b""
        while piece is not None and not self._reader.is_done:
            if self._hint_at is None:
                piece = await self._next_piece(pieces)
            else:
                async with begun(self._next_piece(pieces)) as task:
                    left = self._hint_at - self._loop.time()
                    await asyncio.wait({task}, timeout=max(left, 0.0))
                    if not task.done():
                        self._hint_at = None
                        yield Waiting(code="prompt_reading")
                    piece = await task
            yield piece

    def _chunks_in(self, piece: bytes | None) -> Iterator[ModelChunk]:
        """Read one piece. The watchdog goes on when the consumer has taken the chunks."""
        reader = self._reader
        for event in self._parser.finish() if piece is None else self._parser.feed(piece):
            had_finished = reader.has_finished
            chunks = reader.feed(event)
            yield from chunks
            if chunks:
                self._hint_at = None
            if reader.has_finished:
                if not had_finished:
                    self._watchdog.restart(min(self._gap_seconds, AFTER_FINISH_SECONDS))
            elif chunks:
                self._watchdog.restart(self._gap_seconds)

    async def _next_piece(self, pieces: AsyncIterator[bytes]) -> bytes | None:
        """The next bytes, None at the end of the body or where it breaks off.

        What that means is judged when the rest was read: some servers end every answer with a reset, and without
        blank lines the finish reason is still in the parser.
        """
        import httpx2

        try:
            return await self._watchdog.wait(anext(pieces, None))
        except WatchdogExpiredError:
            self._broke = self._errors.error("model.timeout", seconds=round(self._watchdog.seconds))
        except httpx2.DecodingError as error:
            raise self._errors.error("model.bad_stream", str(error)) from None
        except (httpx2.HTTPError, httpx2.StreamError, OSError) as error:
            logger.info("the connection broke: %s", type(error).__name__)
            self._broke = self._errors.connection_lost(error)
        return None

    def _whole_body(self, body: bytes) -> list[ModelChunk]:
        """Read a body in which no event was found: a completion in one piece, an error, a web page, or nothing."""
        text = body.decode("utf-8-sig", "replace")
        if not text.strip():
            raise self._errors.error("model.empty")
        value = completion_of(text)
        if is_error_body(value):
            raise self._errors.from_body(value)
        if isinstance(value, Mapping) and isinstance(value.get("choices"), list):
            self._reader.has_events = True
            return self._reader.read(value)
        content_type = self._response.headers.get("content-type", "").partition(";")[0] or "data without a type"
        raise self._errors.error("model.not_a_stream", detail_of(text), content_type=self._errors.clean(content_type))


def _parts(piece: bytes | None) -> Iterator[bytes | None]:
    """The piece in parts that are read in a moment each; None, the end, is one."""
    if piece is None:
        yield None
        return
    for place in range(0, len(piece), _PART_BYTES):
        yield piece[place : place + _PART_BYTES]


async def _drain(pieces: AsyncIterator[bytes]) -> None:
    """Read the body's end, so that the connection can be used again; what comes is of no interest."""
    import httpx2

    try:
        async with asyncio.timeout(DRAIN_SECONDS):
            async for _ in pieces:
                pass
    except (TimeoutError, httpx2.HTTPError, httpx2.StreamError, OSError) as error:
        logger.debug("the body did not end after [DONE]: %s", type(error).__name__)
