"""An answer as ``text/event-stream``: each event at once, a comment while nothing happens, and a client that leaves."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from typing import Any, TypeVar

from starlette.types import Message, Receive, Scope, Send

from desktop.core.tasks import alongside, begun

T = TypeVar("T")

HEARTBEAT = b": still here\n\n"
_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]


class ClientGoneError(Exception):
    """Nobody reads any more, or the server ends."""


class EventStream:
    """An ASGI response. ``left`` is called once at its end, also when the client went away in the middle."""

    def __init__(
        self,
        pieces: AsyncGenerator[bytes, None],
        *,
        closing: asyncio.Event,
        left: Callable[[], None] = lambda: None,
    ) -> None:
        """``closing`` is set when the server ends: no stream may hold it up."""
        self._pieces = pieces
        self._closing = closing
        self._left = left

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            async with (
                alongside(until_gone(receive)),
                alongside(_until(self._closing)),
                aclosing(self._pieces) as pieces,
            ):
                await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
                async for piece in pieces:
                    await send(_body(piece))
        except ClientGoneError:
            pass
        finally:
            self._left()
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def piece(kind: str, data: dict[str, Any], event_id: str = "") -> bytes:
    """Return one event as it goes over the wire."""
    text = json.dumps(data, ensure_ascii=False)
    head = f"id: {event_id}\n" if event_id else ""
    return f"{head}event: {kind}\ndata: {text}\n\n".encode("utf-8", "replace")


async def with_heartbeats(source: AsyncIterator[T], every_seconds: float) -> AsyncGenerator[T | None, None]:
    """Yield what comes, and None each time that nothing came for so long."""
    while True:
        async with begun(_next(source)) as coming:
            while not coming.done():
                await asyncio.wait({coming}, timeout=every_seconds)
                if not coming.done():
                    yield None
            found = coming.result()
        if not found:
            return
        yield found[0]


async def _next(source: AsyncIterator[T]) -> tuple[T, ...]:
    async for item in source:
        return (item,)
    return ()


async def until_gone(receive: Receive) -> None:
    """Raise ``ClientGoneError`` when nobody waits for the response any more."""
    while (await receive())["type"] != "http.disconnect":
        pass
    raise ClientGoneError


async def _until(closing: asyncio.Event) -> None:
    await closing.wait()
    raise ClientGoneError


def _body(piece: bytes) -> Message:
    return {"type": "http.response.body", "body": piece, "more_body": True}
