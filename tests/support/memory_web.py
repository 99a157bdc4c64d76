"""The memory server on HTTP in the test's own process, with short patience, and requests to it byte by byte."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from desktop.core.own_address import OwnAddress
from desktop.servers.memory.limits import Limits
from desktop.servers.memory.metrics import Metrics
from desktop.servers.memory.sqlite_store import SqliteStore
from desktop.servers.memory.tenants import Tokens
from desktop.servers.memory.tools import create_server
from desktop.servers.memory.web import Patience, http_server, web_app
from tests.support.command_programs import free_port
from tests.support.waiting import until


@asynccontextmanager
async def memory_web(
    folder: Path,
    tenants: Mapping[str, str] | None = None,
    limits: Limits | None = None,
    patience: Patience | None = None,
) -> AsyncIterator[int]:
    """Serve until the block ends; gives the port."""
    port, patience, metrics = free_port(), patience or Patience(), Metrics()
    store = SqliteStore(folder / "memory.db")
    await store.open()
    server = create_server(store, limits or Limits(), metrics=metrics)
    addresses = [OwnAddress("127.0.0.1", port), OwnAddress("memory.example", port)]
    app = web_app(server, store, metrics, tokens=Tokens(tenants or {}), addresses=addresses, patience=patience)
    web = http_server(app, host="127.0.0.1", port=port, patience=patience)
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(web.serve())
            await until(lambda: web.started)
            try:
                yield port
            finally:
                web.should_exit = True
    finally:
        await store.close()


async def answer_to(port: int, *pieces: bytes, pause: float = 0.0) -> bytes:
    """Send the pieces, with pauses, and return what came until the connection was closed, by whomever and however."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    found = bytearray()

    async def read() -> None:
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(65_536):
                found.extend(data)

    async def write() -> None:
        with contextlib.suppress(ConnectionError):
            for piece in pieces:
                writer.write(piece)
                await writer.drain()
                await asyncio.sleep(pause)

    try:
        await asyncio.gather(read(), write())
    finally:
        writer.close()
    return bytes(found)
