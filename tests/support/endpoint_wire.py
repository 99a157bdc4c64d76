"""The wire of the scripted endpoint: HTTP by hand, so that it can be broken at every place."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Step = Mapping[str, Any]

_TLS_HANDSHAKE = b"\x16"


@dataclass(kw_only=True)
class RecordedRequest:
    """One request as it arrived."""

    method: str
    path: str
    headers: dict[str, str]
    """Names in lower case."""
    body: Any = None
    problem: str | None = None
    """What a strict endpoint refuses about it."""
    is_answered: bool = False
    is_disconnected: bool = False
    """The client closed the connection before the answer was whole."""
    held: list[str] = field(default_factory=list[str])
    """The holds that were reached."""

    @property
    def messages(self) -> list[dict[str, Any]]:
        return self.body["messages"]

    @property
    def last_user_text(self) -> str:
        return next((m["content"] for m in reversed(self.messages) if m["role"] == "user"), "")

    @property
    def tool_results(self) -> list[str]:
        """The texts of the tool messages after the last user message."""
        found: list[str] = []
        for message in reversed(self.messages):
            if message["role"] == "user":
                break
            if message["role"] == "tool":
                found.append(message["content"])
        return found[::-1]


class ClientGoneError(Exception):
    pass


class Client:
    """One connection, seen from the server."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self.extra_headers: dict[str, str] = {}
        self.is_usable = True

    async def plain(self, code: int, body: Any, headers: Mapping[str, str] | None = None) -> None:
        data = (
            body
            if isinstance(body, bytes)
            else (body or "").encode()
            if isinstance(body, str | None)
            else json.dumps(body).encode()
        )
        lines = {"content-type": "application/json", "content-length": str(len(data)), **dict(headers or {})}
        await self._write(_head(code, lines) + data)

    async def begin(self) -> None:
        lines = {
            "content-type": "text/event-stream; charset=utf-8",
            "transfer-encoding": "chunked",
            **self.extra_headers,
        }
        await self._write(_head(200, lines))

    async def piece(self, data: bytes) -> None:
        if data:
            await self._write(b"%x\r\n%s\r\n" % (len(data), data))

    async def end(self) -> None:
        await self._write(b"0\r\n\r\n")

    def abort(self) -> None:
        self.is_usable = False
        self._writer.transport.abort()

    async def _write(self, data: bytes) -> None:
        if self._writer.transport.is_closing() or self._reader.at_eof():
            raise ClientGoneError
        self._writer.write(data)
        await self._writer.drain()

    async def while_connected(self, pause: Any) -> None:
        """Await ``pause``; raise ``ClientGoneError`` as soon as the client hangs up."""
        going = asyncio.ensure_future(pause)
        hang_up = asyncio.ensure_future(self._reader.read(1))  # the client has nothing to say during an answer
        try:
            await asyncio.wait([going, hang_up], return_when=asyncio.FIRST_COMPLETED)
            if not going.done():
                raise ClientGoneError
            await going
        finally:
            for task in (going, hang_up):
                task.cancel()
            await asyncio.gather(going, hang_up, return_exceptions=True)


class ChunkStream:
    """Turns steps into chat-completion chunks."""

    def __init__(self, client: Client, *, has_calls: bool) -> None:
        self._client = client
        self._has_calls = has_calls
        self._begun = self._finished = False
        self._calls = 0
        self._words = 0

    async def begin(self) -> None:
        if not self._begun:
            self._begun = True
            await self._client.begin()

    async def send(self, step: Step) -> None:
        await self.begin()
        if "text" in step:
            size = step.get("piece_chars") or max(1, len(step["text"]))
            for start in range(0, len(step["text"]), size):
                await self._delta({"content": step["text"][start : start + size]})
        elif "thinking" in step:
            await self._delta({step.get("field", "reasoning_content"): step["thinking"]})
        elif "call" in step:
            await self._call(step["call"])
        elif "chunk" in step:
            await self._event(step["chunk"])
        elif "raw" in step:
            data = step["raw"]
            await self._client.piece(data.encode() if isinstance(data, str) else data)
        elif "finish" in step:
            self._finished = True
            await self._event(self._chunk([{"index": 0, "delta": {}, "finish_reason": step["finish"]}]))
        elif "usage" in step:
            await self._event({**self._chunk([]), "usage": step["usage"]})
        else:
            raise ValueError(f"unknown step: {step}")

    async def end(self) -> None:
        if not self._finished:
            await self.send({"finish": "tool_calls" if self._has_calls else "stop"})
        usage = {"prompt_tokens": 10, "completion_tokens": self._words, "total_tokens": 10 + self._words}
        await self._event({**self._chunk([]), "usage": usage})
        await self._client.piece(b"data: [DONE]\n\n")
        await self._client.end()

    async def _call(self, call: Mapping[str, Any]) -> None:
        index, self._calls = self._calls, self._calls + 1
        arguments = call.get("arguments", {})
        written = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
        call_id = call.get("id") or f"call_{id(self):x}_{index}"
        await self._delta(
            {
                "tool_calls": [
                    {
                        "index": index,
                        "id": call_id,
                        "type": "function",
                        "function": {"name": call["name"], "arguments": ""},
                    }
                ]
            }
        )
        pieces = max(1, call.get("pieces", 1))
        size = max(1, -(-len(written) // pieces))
        for start in range(0, len(written), size):
            await self._delta(
                {"tool_calls": [{"index": index, "function": {"arguments": written[start : start + size]}}]}
            )

    async def _delta(self, delta: Mapping[str, Any]) -> None:
        self._words += 1
        await self._event(self._chunk([{"index": 0, "delta": delta, "finish_reason": None}]))

    @staticmethod
    def _chunk(choices: list[Any]) -> dict[str, Any]:
        return {
            "id": "chatcmpl-1",
            "object": "chat.completion.chunk",
            "created": 1,
            "model": "loopback-model",
            "choices": choices,
        }

    async def _event(self, value: Any) -> None:
        await self.begin()
        await self._client.piece(b"data: " + json.dumps(value, ensure_ascii=False).encode() + b"\n\n")


async def read_request(reader: asyncio.StreamReader) -> RecordedRequest | None:
    line = await reader.read(1)
    if line == _TLS_HANDSHAKE:  # its greeting has no line end that one could wait for
        return None
    line += await reader.readline()
    words = line.decode("latin-1").split(" ", 2)
    if len(words) != 3:  # the end, or a client that speaks something else
        return None
    method, path, _ = words
    headers: dict[str, str] = {}
    while (header := await reader.readline()).strip():
        name, _, value = header.decode("latin-1").partition(":")
        headers[name.strip().lower()] = value.strip()
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return RecordedRequest(method=method, path=path, headers=headers, body=json.loads(body) if body else None)


def _head(code: int, headers: Mapping[str, str]) -> bytes:
    lines = [f"HTTP/1.1 {code} Scripted", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n"
