"""Programs that serve on the loopback address: started on a free port, waited for, and ended."""

import asyncio
import os
import signal
import socket
import sys
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from tests.support.command_programs import free_port
from tests.support.waiting import until

RECIPE_SERVER = Path(__file__).with_name("recipe_server.py")


@asynccontextmanager
async def web_program(argv: Sequence[str], port: int, **env: str) -> AsyncGenerator[asyncio.subprocess.Process, None]:
    """Run it until the block ends; it is there when its port answers."""
    null = asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(
        *argv, env={**os.environ, **env}, stdin=null, stdout=null, stderr=null
    )
    try:
        await until(lambda: process.returncode is not None or _listens(port))
        assert process.returncode is None, f"{argv} ended with {process.returncode}"
        yield process
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGKILL)
        await process.wait()


@asynccontextmanager
async def recipe_on_the_web(way: str, port: int = 0) -> AsyncGenerator[tuple[str, asyncio.subprocess.Process], None]:
    """The recipe's server on ``http`` or ``sse``; yields its address and its process."""
    port = port or free_port()
    argv = [sys.executable, str(RECIPE_SERVER), way, str(port)]
    async with web_program(argv, port) as process:
        yield f"http://127.0.0.1:{port}/{'mcp' if way == 'http' else 'sse'}", process


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
