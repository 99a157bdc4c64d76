"""The bundled servers as programs of their own, on stdio or HTTP."""

import asyncio
import os
import re
import signal
import socket
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.support.waiting import until

ROOT = Path(__file__).parents[2]


async def command_program(*arguments: str, **env: str) -> asyncio.subprocess.Process:
    pipe = asyncio.subprocess.PIPE
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "desktop", "mcp-server", *arguments),
        cwd=ROOT,
        env={**os.environ, **env},
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
    )


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@asynccontextmanager
async def http_command_server(
    folder: Path, *arguments: str, port: int = 0, **env: str
) -> AsyncGenerator[tuple[str, str], None]:
    """Start it on a free port (or the given one); yields its address and its token."""
    port = port or free_port()
    process = await command_program(
        "command", "--http", "--port", str(port), "--folder", str(folder), *arguments, **env
    )
    async with _listening(process, port, env.get("MY_TOKEN", "")) as token:
        yield f"http://127.0.0.1:{port}/mcp", token


@asynccontextmanager
async def http_memory_server(*arguments: str, **env: str) -> AsyncGenerator[str, None]:
    """Start the memory server on a free port; yields its address."""
    port = free_port()
    process = await command_program("memory", "--http", "--port", str(port), *arguments, **env)
    async with _listening(process, port, ""):
        yield f"http://127.0.0.1:{port}/mcp"


@asynccontextmanager
async def _listening(process: asyncio.subprocess.Process, port: int, token: str) -> AsyncGenerator[str, None]:
    """Wait until it listens, and end it after the block; yields the token that it made, or the one that it was given."""
    assert process.stderr is not None
    try:
        while b"Listening" not in (line := await process.stderr.readline()):
            if match := re.match(rb"Bearer token: (\S+)", line):
                token = match.group(1).decode()
            assert process.returncode is None
            assert line
        await until(lambda: is_listening(port))
        yield token
    finally:
        process.send_signal(signal.SIGTERM)
        await process.communicate()
    assert process.returncode in (0, -signal.SIGTERM)


def is_listening(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
