"""Messages that are too large to be parsed between two turns of the window: read beside it, and held until they are wanted."""

import asyncio
import json
import secrets
from collections.abc import AsyncIterable, AsyncIterator
from typing import Any

from desktop.mcp_client.big_json import RawJson, read_big_json
from desktop.mcp_client.results import STRUCTURED_TEXT_META_KEY

BIG = 2**18
"""From so many bytes on a message is read beside the window."""
MOST_BYTES = 32 * 2**20
"""Of one message."""
_STRUCTURED = ("result", "structuredContent")
_MOST_HELD = 8
_EVENT_ENDS = (b"\n\n", b"\n\r\n", b"\r\r")


class RefusedBodyError(Exception):
    """What comes in is not read."""


def read_big_message(data: bytes | memoryview) -> dict[str, Any]:
    """Return the message. Large structured content stays JSON, under ``STRUCTURED_TEXT_META_KEY``: the SDK
    would look at every value of it between two turns of the window. To be called in a thread. Raises ``ValueError``.
    """
    message = read_big_json(data, raw=(_STRUCTURED,), raw_from=BIG)
    if not isinstance(message, dict):
        raise ValueError("it is no message")
    result = message.get("result")
    if isinstance(result, dict) and isinstance(structured := result.get("structuredContent"), RawJson):
        del result["structuredContent"]
        meta = result.get("_meta")
        result["_meta"] = {**(meta if isinstance(meta, dict) else {}), STRUCTURED_TEXT_META_KEY: str(structured)}
    return message


class BigMessages:
    """Of one connection over HTTP, where the SDK parses what it receives: of a large answer it gets a small one, which
    stands for it until ``take``."""

    def __init__(self) -> None:
        self._key = f"threadwell/{secrets.token_hex(16)}"
        self._held: dict[str, dict[str, Any]] = {}

    def take(self, result: dict[str, Any]) -> dict[str, Any] | None:
        """Return the result for which this one stands; None for one that stands for itself."""
        return self._held.pop(str(result[self._key]), {}) if self._key in result else None

    async def in_body(self, body: AsyncIterable[bytes]) -> AsyncIterator[bytes]:
        """Pass on a JSON body. Raises ``RefusedBodyError`` for one that is too long."""
        data = bytearray()
        async for chunk in body:
            data += chunk
            if len(data) > MOST_BYTES:
                raise RefusedBodyError("The server's answer is too long.")
        yield bytes(data) if len(data) < BIG else await asyncio.to_thread(self._stood_in, memoryview(data))

    async def in_events(self, body: AsyncIterable[bytes]) -> AsyncIterator[bytes]:
        """Pass on a stream of events, each as soon as it is whole. One that is too long goes on as it is, for the SDK
        to refuse."""
        data = bytearray()
        async for chunk in body:
            seen = max(0, len(data) - 2)
            data += chunk
            ends = [at + len(mark) for mark in _EVENT_ENDS if (at := data.rfind(mark, seen)) >= 0]
            if ends:
                rest = data[max(ends) :]
                del data[max(ends) :]
                whole, data = data, rest
                yield bytes(whole) if len(whole) < BIG else await asyncio.to_thread(self._events_stood_in, whole)
            elif len(data) > MOST_BYTES:
                yield bytes(data)
                data.clear()
        if data:
            yield bytes(data)

    def _events_stood_in(self, events: bytearray) -> bytes:
        lines: list[bytes] = []
        view, at = memoryview(events), 0
        while at < len(events):
            end = events.find(b"\n", at)
            line = view[at : end if end >= 0 else len(events)]
            is_big = len(line) >= BIG and line[:5] == b"data:"
            lines.append(b"data:" + self._stood_in(line[5:]) if is_big else bytes(line))
            at += len(line) + 1
        return b"\n".join([*lines, b""] if events.endswith(b"\n") else lines)

    def _stood_in(self, data: memoryview) -> bytes:
        """Return what stands for a large message, or the message where it is no answer; nothing where it is unreadable."""
        try:
            message = read_big_message(data)
        except ValueError:
            return b"unreadable"
        result = message.get("result")
        if "method" in message or not isinstance(result, dict):
            return bytes(data)
        name = secrets.token_hex(8)
        self._held[name] = result
        while len(self._held) > _MOST_HELD:  # nobody waited for it any more
            del self._held[next(iter(self._held))]
        return json.dumps({**message, "result": {self._key: name}}).encode()
