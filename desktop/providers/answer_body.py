"""Reads the body of one response to its end: a stream of events, or a whole completion, an error or a web page instead."""

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, cast

from desktop.core.errors import ModelError
from desktop.core.language_model import ModelChunk, Waiting
from desktop.core.tasks import begun
from desktop.providers.chat_chunks import ChatStreamReader
from desktop.providers.error_bodies import detail_of, is_error_body
from desktop.providers.error_mapping import ErrorMapper
from desktop.providers.event_values import completion_of, unwrapped
from desktop.providers.sse import SseEvent, SseParser
from desktop.providers.watchdog import Watchdog, WatchdogExpiredError

if TYPE_CHECKING:
    from openai._response import AsyncAPIResponse  # the type has no public name

logger = logging.getLogger(__name__)

AFTER_FINISH_SECONDS = 3.0
"""How long usage and the stream's end may take after the finish reason; then the answer counts as ended."""
AFTER_USAGE_SECONDS = 1.0
"""The same once the usage is known, too."""
SETTLE_SECONDS = 1.0
"""After such a pause an event counts that only lacks the blank line at its end, which some servers never send."""
DRAIN_SECONDS = 0.1
"""How long the body's last bytes may take after ``[DONE]``; then the connection is not used again."""
WORK_SECONDS = 0.01
"""After so long without a pause, what else is to be done gets its turn."""
LONG_EVENT_CHARS = 256 * 1024
"""Longer ones are parsed in a thread."""
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
        self._settled: list[SseEvent] = []
        self._head = bytearray()
        """What came before the first event: a body that is no stream is judged as a whole."""
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
        async with aclosing(cast(AsyncGenerator[bytes, None], self._response.iter_bytes())) as pieces:
            async with aclosing(self._pieces(pieces)) as read:
                async for piece in read:
                    if isinstance(piece, Waiting):
                        yield piece
                        continue
                    if not self._keep_head(piece):
                        break
                    for events in self._events_in(piece):
                        for event in events:
                            if len(event.data) > LONG_EVENT_CHARS:
                                await asyncio.to_thread(self._reader.parse_ahead, event)
                            for chunk in self._chunks_in(event):
                                yield chunk
                                await self._let_others_work()
                        await self._let_others_work()
            if self._reader.is_done:
                await _drain(pieces)
        if self._broke is not None and not (self._reader.is_done or self._reader.has_finished):
            raise self._broke
        if not self._reader.has_events:
            for chunk in await self._whole_body(bytes(self._head)):
                yield chunk

    def _keep_head(self, piece: bytes | None) -> bool:
        """Keep what came before the first event; False where that is too much for a body that is no stream."""
        if self._reader.has_events:
            return True
        self._head += piece or b""
        is_too_long = len(self._head) > self._limit
        del self._head[self._limit :]
        return not is_too_long or "event-stream" in self._response.headers.get("content-type", "")

    async def _let_others_work(self) -> None:
        """Give way to the loop's other tasks every few milliseconds: a piece may hold thousands of events."""
        now = self._loop.time()
        if now - self._gave_way_at > WORK_SECONDS:
            await asyncio.sleep(0)
            self._gave_way_at = self._loop.time()

    async def _pieces(self, pieces: AsyncIterator[bytes]) -> AsyncGenerator[bytes | Waiting | None, None]:
        """The body piece by piece up to the answer's end, last None where the body ended first.

        An empty piece stands for a pause in which what is whole of the last event counts.
        """
        piece: bytes | None = b""
        while piece is not None and not self._reader.is_done:
            if self._hint_at is None and not self._parser.may_settle:
                piece = await self._next_piece(pieces)
            else:
                async with begun(self._next_piece(pieces)) as task:
                    async for meanwhile in self._while_waiting(task):
                        yield meanwhile
                    if self._reader.is_done:
                        return
                    piece = await task
            yield piece

    async def _while_waiting(self, task: "asyncio.Task[bytes | None]") -> AsyncGenerator[bytes | Waiting, None]:
        """What is to be done while the next piece is waited for; ends where nothing more is, or the piece is there."""
        settle_at = self._loop.time() + SETTLE_SECONDS if self._parser.may_settle else None
        while (due := [time for time in (self._hint_at, settle_at) if time is not None]) and not self._reader.is_done:
            await asyncio.wait({task}, timeout=max(min(due) - self._loop.time(), 0.0))
            if task.done():
                return
            now = self._loop.time()
            if settle_at is not None and settle_at <= now:
                settle_at = None
                self._settled = self._parser.settle()
                yield b""
            if self._hint_at is not None and self._hint_at <= now:
                self._hint_at = None
                yield Waiting(code="prompt_reading")

    def _events_in(self, piece: bytes | None) -> Iterator[list[SseEvent]]:
        """The events of a piece, part by part, so that each is read in a moment."""
        settled, self._settled = self._settled, []
        yield settled
        if piece is None:
            yield self._parser.finish()
        else:
            for place in range(0, len(piece), _PART_BYTES):
                yield self._parser.feed(piece[place : place + _PART_BYTES])

    def _chunks_in(self, event: SseEvent) -> Iterator[ModelChunk]:
        """Read one event. The watchdog goes on when the consumer has taken the chunks."""
        reader = self._reader
        known = reader.has_finished, reader.has_usage
        chunks = reader.feed(event)
        yield from chunks
        if chunks:
            self._hint_at = None
        if not reader.has_finished:
            if chunks:
                self._watchdog.restart(self._gap_seconds)
        elif known != (reader.has_finished, reader.has_usage):
            rest = AFTER_USAGE_SECONDS if reader.has_usage else AFTER_FINISH_SECONDS
            self._watchdog.restart(min(self._gap_seconds, rest))

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

    async def _whole_body(self, body: bytes) -> list[ModelChunk]:
        """Read a body in which no event was found: a completion in one piece, an error, a web page, or nothing."""
        text = body.decode("utf-8-sig", "replace")
        if not text.strip():
            raise self._errors.error("model.empty")
        value = await asyncio.to_thread(completion_of, text)
        if is_error_body(value):
            raise self._errors.from_body(value)
        if isinstance(value, Mapping) and isinstance(unwrapped(value).get("choices", ...), list | None):
            self._reader.has_events = True
            return self._reader.read(value)
        content_type = self._response.headers.get("content-type", "").partition(";")[0] or "data without a type"
        raise self._errors.error("model.not_a_stream", detail_of(text), content_type=self._errors.clean(content_type))


async def _drain(pieces: AsyncIterator[bytes]) -> None:
    """Read the body's end, so that the connection can be used again; what comes is of no interest."""
    import httpx2

    try:
        async with asyncio.timeout(DRAIN_SECONDS):
            async for _ in pieces:
                pass
    except (TimeoutError, httpx2.HTTPError, httpx2.StreamError, OSError) as error:
        logger.debug("the body did not end after [DONE]: %s", type(error).__name__)
