"""A real Redis server on the loopback, with a folder of its own, that can be killed and started again."""

import asyncio
import contextlib
import os
import shutil
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.support.command_programs import free_port
from tests.support.waiting import until

_PROGRAM = shutil.which("redis-server") or shutil.which("valkey-server")

needs_redis = pytest.mark.skipif(_PROGRAM is None, reason="no redis-server here: Debian's package redis-server has it")


class RedisServer:
    """One on a port that stays the same. What it acknowledged is on its disk before it does."""

    def __init__(self, folder: Path, port: int = 0) -> None:
        self.port = port or free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._folder = folder
        self._process: asyncio.subprocess.Process | None = None

    async def start(self, *options: str) -> None:
        assert _PROGRAM is not None
        self._folder.mkdir(exist_ok=True)
        settings = ("--save", "", "--appendonly", "yes", "--appendfsync", "always", "--bind", "127.0.0.1")
        self._process = await asyncio.create_subprocess_exec(
            *(_PROGRAM, "--port", str(self.port), "--dir", str(self._folder), *settings, *options),
            env={"PATH": os.environ["PATH"]},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        await until(self._answers)

    async def kill(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    def _answers(self) -> bool:
        assert self._process is not None
        assert self._process.returncode is None
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1) as asked:
            asked.sendall(b"PING\r\n")
            return asked.recv(100) in (b"+PONG\r\n", b"-NOAUTH Authentication required.\r\n")
        return False


@asynccontextmanager
async def redis_server(folder: Path, *options: str, port: int = 0) -> AsyncIterator[RedisServer]:
    """Run one until the block ends, on a free port or the given one."""
    server = RedisServer(folder, port)
    try:
        await server.start(*options)
        yield server
    finally:
        await server.kill()
