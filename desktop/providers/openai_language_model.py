"""The language model behind any endpoint that speaks the chat-completions protocol."""

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, aclosing
from typing import TYPE_CHECKING, Any, TypeVar, cast

from desktop.core.errors import ModelError
from desktop.core.language_model import ModelChunk, ModelRequest
from desktop.providers.addresses import parse_address
from desktop.providers.chat_chunks import ChatStreamReader, completion_of
from desktop.providers.chat_requests import Without, refusal_of, request_body
from desktop.providers.error_mapping import ErrorMapper, detail_of, is_error_body
from desktop.providers.openai_client import build_client, errors_of_requests
from desktop.providers.sse import SseParser

if TYPE_CHECKING:
    from openai import AsyncOpenAI
    from openai._response import AsyncAPIResponse  # the type has no public name

logger = logging.getLogger(__name__)
T = TypeVar("T")

AFTER_FINISH_SECONDS = 10.0
"""How long usage and the stream's end may take after the finish reason; then the answer counts as ended."""
DRAIN_SECONDS = 0.1
"""How long the body's last bytes may take after ``[DONE]``; then the connection is not used again."""
BODY_LIMIT_BYTES = 1024 * 1024
"""What is read of a body that is no stream."""


class OpenAILanguageModel:
    """One model at one endpoint. Safe to use for several answers at once; the client is built at the first.

    ``first_seconds`` and ``gap_seconds`` are the watchdog: the time until the first useful chunk (a local model may
    read its prompt for minutes) and between two of them; comments and empty chunks do not count. A key is sent only
    when one is given, and nothing of ``OPENAI_*`` in the environment is. ``key`` may be a function that is asked for
    each request; the ``ModelError`` that it raises is the answer's.
    """

    def __init__(
        self,
        *,
        base_url: str,
        model: str,
        key: str | Callable[[], Awaitable[str]] = "",
        first_seconds: float | None = None,
        gap_seconds: float | None = None,
        max_retries: int = 2,
    ) -> None:
        """Raises ``ModelError("model.bad_address")``."""
        self._address = parse_address(base_url)
        local = self._address.is_loopback
        self._model = model
        self._key = key
        self._first_seconds = first_seconds if first_seconds is not None else 600.0 if local else 120.0
        self._gap_seconds = gap_seconds if gap_seconds is not None else 120.0 if local else 60.0
        self._max_retries = max_retries
        self._errors = ErrorMapper(url=self._address.base_url, model=model)
        self._client: AsyncOpenAI | None = None
        self._building = asyncio.Lock()
        self._without: frozenset[Without] = frozenset()

    @property
    def name(self) -> str:
        return self._model

    @property
    def is_scripted(self) -> bool:
        return False

    async def close(self) -> None:
        """Close connections; the object is not used afterwards."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelChunk, None]:
        """See ``LanguageModel.stream``."""
        reader = ChatStreamReader(self._errors)
        async with AsyncExitStack() as stack:
            watchdog = _Watchdog(self._first_seconds)
            try:
                response = await watchdog.wait(self._open(stack, request))
            except _WatchdogExpiredError:
                raise self._timeout(self._first_seconds) from None
            try:
                async with aclosing(self._read(response, reader, watchdog)) as chunks:
                    async for chunk in chunks:
                        yield chunk
            except ModelError:
                for chunk in reader.flush():
                    yield chunk
                raise
            for chunk in reader.flush():
                yield chunk
            yield reader.end()

    async def _read(
        self, response: "AsyncAPIResponse[Any]", reader: ChatStreamReader, watchdog: "_Watchdog"
    ) -> AsyncGenerator[ModelChunk, None]:
        """Yield the chunks of the body up to its end. Raises ``ModelError``."""
        parser = SseParser()
        head = bytearray()  # kept until an event was read: a body that is no stream is judged as a whole
        is_stream = "event-stream" in response.headers.get("content-type", "")
        async with aclosing(cast(AsyncGenerator[bytes, None], response.iter_bytes())) as pieces:
            while not reader.is_done:
                piece = await self._next_piece(pieces, watchdog, reader)
                if not reader.has_events:
                    head += piece or b""
                    if len(head) > BODY_LIMIT_BYTES and not is_stream:
                        break
                    del head[BODY_LIMIT_BYTES:]
                for event in parser.finish() if piece is None else parser.feed(piece):
                    had_finished = reader.has_finished
                    chunks = reader.feed(event)
                    for chunk in chunks:
                        yield chunk
                    if reader.has_finished:
                        if not had_finished:
                            watchdog.restart(min(self._gap_seconds, AFTER_FINISH_SECONDS))
                    elif chunks:
                        watchdog.restart(self._gap_seconds)
                if piece is None:
                    break
            else:
                await _drain(pieces)
        if not reader.has_events:
            for chunk in self._whole_body(bytes(head), response, reader):
                yield chunk

    async def _next_piece(
        self, pieces: AsyncIterator[bytes], watchdog: "_Watchdog", reader: ChatStreamReader
    ) -> bytes | None:
        """The next bytes, None at the end of the body."""
        import httpx2

        try:
            return await watchdog.wait(anext(pieces, None))
        except _WatchdogExpiredError:
            if reader.has_finished:
                return None
            raise self._timeout(watchdog.seconds) from None
        except httpx2.DecodingError as error:
            raise self._errors.error("model.bad_stream", str(error)) from None
        except (httpx2.HTTPError, httpx2.StreamError, OSError) as error:
            if reader.has_finished:  # some servers end every answer with a reset
                logger.info("the connection broke after the answer's end: %s", type(error).__name__)
                return None
            raise self._errors.connection_lost(error) from None

    def _whole_body(self, body: bytes, response: "AsyncAPIResponse[Any]", reader: ChatStreamReader) -> list[ModelChunk]:
        """Read a body in which no event was found: a completion in one piece, an error, a web page, or nothing."""
        text = body.decode("utf-8-sig", "replace")
        if not text.strip():
            raise self._errors.error("model.empty")
        value = completion_of(text)
        if is_error_body(value):
            raise self._errors.from_body(value)
        if isinstance(value, Mapping) and isinstance(value.get("choices"), list):
            reader.has_events = True
            return reader.read(value)
        content_type = response.headers.get("content-type", "").partition(";")[0] or "data without a type"
        raise self._errors.error("model.not_a_stream", detail_of(text), content_type=self._errors.clean(content_type))

    async def _open(self, stack: AsyncExitStack, request: ModelRequest) -> "AsyncAPIResponse[Any]":
        """Send the request until it is accepted; what the endpoint refuses and is not needed is left out, once each."""
        while True:
            without = self._without
            try:
                return await self._send(stack, request_body(request, self._model, without))
            except ModelError as error:
                refused = None
                if error.code in ("model.rejected", "model.server_error"):
                    refused = refusal_of(str(error.params["detail"]), request, without)
                if refused is None:
                    raise
                logger.info("%s refuses %s; going on without", self._address.base_url, refused)
                self._without |= {refused}

    async def _send(self, stack: AsyncExitStack, body: dict[str, Any]) -> "AsyncAPIResponse[Any]":
        client = await self._ensure_client()
        key = (self._key if isinstance(self._key, str) else await self._key()).strip()
        self._errors.hide(key)
        import openai

        # The client knows no key, so that each request has the present one; without any, that has to be said.
        headers = {"Authorization": f"Bearer {key}" if key else openai.omit}
        create: Any = (
            client.chat.completions.with_streaming_response.create
        )  # the body is typed by the wire, not the SDK
        with errors_of_requests(self._errors):
            return await stack.enter_async_context(create(**_around_the_sdk(body), extra_headers=headers))

    async def _ensure_client(self) -> "AsyncOpenAI":
        async with self._building:
            if self._client is None:
                # In a thread: the first import of the SDK alone takes half a second.
                try:
                    self._client = await asyncio.to_thread(
                        build_client, self._address, key="", max_retries=self._max_retries
                    )
                except ImportError as error:  # a SOCKS proxy in the environment without the package for it
                    raise self._errors.unreachable(error) from None
            return self._client

    def _timeout(self, seconds: float) -> ModelError:
        return self._errors.error("model.timeout", seconds=round(seconds))


def _around_the_sdk(body: dict[str, Any]) -> dict[str, Any]:
    """The arguments that send ``body`` as it is: the SDK would search every value of a long thread for fields to rename.

    There are none, and the search holds up the window for 40 ms with a hundred messages.
    """
    untouched = {name: body[name] for name in ("messages", "tools") if name in body}
    rest = {name: value for name, value in body.items() if name not in untouched}
    return {**rest, "messages": [], "extra_body": untouched}


class _WatchdogExpiredError(Exception):
    """Nothing useful came in time."""


class _Watchdog:
    """A deadline that useful data pushes on. The time that the consumer of the chunks takes does not count."""

    def __init__(self, seconds: float) -> None:
        self.restart(seconds)

    def restart(self, seconds: float) -> None:
        self.seconds = seconds
        self._deadline = asyncio.get_running_loop().time() + seconds

    async def wait(self, awaitable: Awaitable[T]) -> T:
        """Await it, at most until the deadline; then raise ``_WatchdogExpiredError``."""
        timeout = asyncio.timeout_at(self._deadline)
        try:
            async with timeout:
                return await awaitable
        except TimeoutError:
            if timeout.expired():
                raise _WatchdogExpiredError from None
            raise


async def _drain(pieces: AsyncIterator[bytes]) -> None:
    """Read the body's end, so that the connection can be used again; what comes is of no interest."""
    import httpx2

    try:
        async with asyncio.timeout(DRAIN_SECONDS):
            async for _ in pieces:
                pass
    except (TimeoutError, httpx2.HTTPError, httpx2.StreamError, OSError) as error:
        logger.debug("the body did not end after [DONE]: %s", type(error).__name__)
