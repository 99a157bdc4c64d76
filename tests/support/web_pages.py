"""A web server on the loopback address whose answers are written out byte by byte, and a proxy that makes tunnels."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


def answer(
    body: bytes | str = b"", kind: str = "text/html; charset=utf-8", status: str = "200 OK", **more: str
) -> bytes:
    """Return a whole answer; header names in ``more`` with underscores."""
    content = body.encode() if isinstance(body, str) else body
    headers = {"Content-Type": kind, "Content-Length": str(len(content)), "Connection": "close"}
    headers |= {name.replace("_", "-"): value for name, value in more.items()}
    lines = [f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in headers.items() if value), "", ""]
    return "\r\n".join(lines).encode() + content


def redirect(target: str, status: str = "302 Found") -> bytes:
    return answer(status=status, Location=target, Set_Cookie="seen=1; Path=/")


@dataclass
class WebPages:
    """By path; every request is kept as it came. A page that is not there is answered with 404."""

    pages: Mapping[str, bytes]
    port: int = 0
    requests: list[str] = field(default_factory=list)
    connections: int = 0

    def url(self, path: str = "/", host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            request = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            self.requests.append(request)
            writer.write(self.pages.get(request.split()[1], answer("gone", status="404 Not Found")))
            await writer.drain()
        writer.close()


@asynccontextmanager
async def web_pages(pages: Mapping[str, bytes], host: str = "127.0.0.1") -> AsyncGenerator[WebPages, None]:
    world = WebPages(pages)
    server = await asyncio.start_server(world.serve, host, 0)
    world.port = server.sockets[0].getsockname()[1]
    async with server:
        yield world


@dataclass
class Proxy:
    port: int = 0
    asked: list[str] = field(default_factory=list)
    refuses: bool = False

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n", 1)[0]
        self.asked.append(line)
        if self.refuses:
            writer.write(b"HTTP/1.1 403 Forbidden\r\n\r\n")
        else:
            host, _, port = line.split()[1].rpartition(":")
            there, back = await asyncio.open_connection(host, int(port))
            writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
            async with asyncio.TaskGroup() as group:
                group.create_task(_pump(reader, back))
                group.create_task(_pump(there, writer))
        writer.close()


async def _pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while chunk := await source.read(65_536):
            sink.write(chunk)
            await sink.drain()
        sink.close()


@asynccontextmanager
async def tunnel_proxy(*, refuses: bool = False) -> AsyncGenerator[Proxy, None]:
    proxy = Proxy(refuses=refuses)
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    proxy.port = server.sockets[0].getsockname()[1]
    async with server:
        yield proxy
