"""A real Chroma server on the loopback, as its package starts it."""

import asyncio
import contextlib
import os
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.support.waiting import until


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


@asynccontextmanager
async def chroma_server(folder: Path, port: int) -> AsyncIterator[str]:
    """Run one over ``folder`` until the block ends; gives its address."""
    # Not by ``chroma``, which first asks the network whether there is a newer version.
    program = "import sys, chromadb_rust_bindings as chroma; chroma.cli(['chroma', *sys.argv[1:]])"
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", program, "run", "--path", str(folder), "--host", "127.0.0.1", "--port", str(port),
        env={"PATH": os.environ["PATH"], "HOME": str(folder.parent), "ANONYMIZED_TELEMETRY": "False"},
        cwd=folder.parent,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    try:
        await until(lambda: _answers(port))
        yield f"http://127.0.0.1:{port}"
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


def _answers(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=0.2):
        return True
    return False
