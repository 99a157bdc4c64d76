"""An MCP server on streamable HTTP without any SDK, in the test's own process: it can cut, garble and forget.

``python hostile_web.py`` lets one that is ten times as large listen in a process of its own; it prints its port.
"""

import asyncio
import json
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

GOOD_TOOL = {"name": "act", "inputSchema": {"type": "object", "properties": {"what": {"type": "string"}}}}
JSON, EVENTS = "application/json", "text/event-stream"
LINE = "line — of “text” 😀\n"


@dataclass
class HostileWeb:
    """``methods`` is what came in. A call of ``act`` does what its argument names; see ``call``."""

    session: str = "one"
    methods: list[str] = field(default_factory=list[str])
    is_silent: bool = False
    """From now on nothing is answered, as behind a cut cable."""
    port: int = 0
    writers: set[asyncio.StreamWriter] = field(default_factory=set[asyncio.StreamWriter])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/mcp"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.writers.add(writer)
        try:
            while head := (await reader.readuntil(b"\r\n\r\n")).decode("latin-1"):
                headers = {k.lower(): v for k, _, v in (line.partition(": ") for line in head.split("\r\n")[1:])}
                body = await reader.readexactly(int(headers.get("content-length", "0")))
                if self.is_silent:
                    await asyncio.Event().wait()
                if not head.startswith("POST"):
                    await self.send(writer, "", status="405 Method Not Allowed")
                    continue
                await self.take(json.loads(body), headers.get("mcp-session-id", ""), writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the client went away
        finally:
            self.writers.discard(writer)
            writer.close()

    async def take(self, message: dict[str, Any], session: str, writer: asyncio.StreamWriter) -> None:
        method = str(message.get("method"))
        self.methods.append(method)
        if method == "initialize":
            about = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}}
            await self.answer(writer, message, {**about, "serverInfo": {"name": "web", "version": "1"}})
        elif session != self.session:
            await self.send(writer, "", status="404 Not Found")
        elif "id" not in message:
            await self.send(writer, "", status="202 Accepted")
        elif method == "tools/list":
            await self.answer(writer, message, {"tools": [GOOD_TOOL]})
        else:
            await self.call(writer, message, str(message["params"]["arguments"].get("what", "")))

    async def call(self, writer: asyncio.StreamWriter, message: dict[str, Any], what: str) -> None:
        good = {"jsonrpc": "2.0", "id": message["id"], "result": {"content": [{"type": "text", "text": "did act"}]}}
        match what:
            case "bad_json":
                await self.send(writer, '{"jsonrpc": "2.0", "id": ')
            case "bad_event":
                await self.send(writer, "data: {nonsense\n\n", kind=EVENTS)
            case "bad_then_good":
                await self.send(writer, f"data: [1, 2\n\ndata: {json.dumps(good)}\n\n", kind=EVENTS)
            case "cut":
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n{")
                await writer.drain()
                raise ConnectionError
            case "huge_event":
                big = json.dumps({**good, "result": {"content": [{"type": "text", "text": "x" * 33 * 2**20}]}})
                await self.send(writer, f"data: {big}\n\n", kind=EVENTS)
            case "internal":
                await self.send(writer, "<b>Oops</b>", status="500 Internal Server Error", kind="text/html")
            case "wrong_kind":
                await self.send(writer, "<html>Sign in</html>", kind="text/html")
            case "always_lost":
                await self.send(writer, "", status="404 Not Found")
            case "hang":
                await asyncio.Event().wait()
            case _ if not await self.call_large(writer, message, what):
                await self.send(writer, json.dumps(good))

    async def call_large(self, writer: asyncio.StreamWriter, message: dict[str, Any], what: str) -> bool:
        """What is too much in one way or another; False for anything else."""
        match what:
            case "large_json" | "large_events" | "rows_json" | "rows_events":
                await self.send_large(writer, message, *what.split("_"), size=1)
            case "endless_json":
                await self.send(writer, " " * 33 * 2**20)
            case "values_json":
                await self.answer(writer, message, {"content": [1] * 300_000})
            case "compressed":
                head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n"
                writer.write(f"{head}Content-Length: 3\r\n\r\nabc".encode())
                await writer.drain()
            case _:
                return False
        return True

    async def send_large(
        self, writer: asyncio.StreamWriter, message: dict[str, Any], what: str, way: str, *, size: int
    ) -> None:
        """Some ``size`` times 2 MB: of text, or of many small values."""
        blocks = [{"type": "text", "text": LINE * 100_000 * size if what == "large" else "see the rows"}]
        rows = {"structuredContent": {"rows": [{"n": n} for n in range(100_000 * size)]}} if what == "rows" else {}
        body = {"jsonrpc": "2.0", "id": message["id"], "result": {"content": blocks, **rows}}
        text = json.dumps(body, ensure_ascii=False)
        if way == "json":
            await self.send(writer, text)
        else:
            await self.send(writer, f"event: message\ndata: {text}\n\n", kind=EVENTS)

    async def answer(self, writer: asyncio.StreamWriter, message: dict[str, Any], result: Any) -> None:
        await self.send(writer, json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}))

    async def send(self, writer: asyncio.StreamWriter, body: str, *, status: str = "200 OK", kind: str = JSON) -> None:
        data = body.encode()
        head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(data)}\r\n"
        writer.write(f"{head}Mcp-Session-Id: {self.session}\r\n\r\n".encode() + data)
        await writer.drain()

    def drop_all(self) -> None:
        """Break every connection off."""
        for writer in list(self.writers):
            writer.transport.abort()


@asynccontextmanager
async def hostile_web() -> AsyncGenerator[HostileWeb, None]:
    """Let one listen on a free port for the length of a block."""
    server = HostileWeb()
    tasks: set[asyncio.Task[Any]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        try:
            await server.serve(reader, writer)
        except asyncio.CancelledError:
            pass  # the block ended
        finally:
            tasks.discard(task)

    listener = await asyncio.start_server(serve, "127.0.0.1", 0)
    server.port = listener.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        listener.close()
        for task in list(tasks):
            task.cancel()
        if tasks:
            await asyncio.wait(list(tasks))


class _LargeWeb(HostileWeb):
    async def call(self, writer: asyncio.StreamWriter, message: dict[str, Any], what: str) -> None:
        await self.send_large(writer, message, *what.split("_"), size=10)


async def _serve_alone() -> None:
    listener = await asyncio.start_server(_LargeWeb().serve, "127.0.0.1", 0)
    sys.stdout.write(f"{listener.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    async with listener:
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)  # until whoever started it is gone


if __name__ == "__main__":
    asyncio.run(_serve_alone())
