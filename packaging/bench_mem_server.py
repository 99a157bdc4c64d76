"""What the memory server's tools cost: on SQLite and on Redis, as a store alone and through MCP, beside redis-benchmark.

Prints calls a second and the median and the 99th percentile of each tool, beside a bare ``redis-benchmark`` of the same
commands in the same run where Redis is installed, and, last, one line of JSON. Nothing here is asserted.

    python packaging/dev.py bench mem-server [--calls 2000]
"""

import argparse
import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "packaging")]

from fastmcp import Client  # noqa: E402
from fastmcp.client.transports import StreamableHttpTransport  # noqa: E402

from desktop.servers.memory.redis_store import RedisStore  # noqa: E402
from desktop.servers.memory.sqlite_store import SqliteStore  # noqa: E402
from desktop.servers.memory.store import MemoryStore, Session  # noqa: E402
from tests.support.command_programs import http_memory_server  # noqa: E402
from tests.support.redis_server import redis_server  # noqa: E402

TEXT = "What a person or an agent said in one turn, in a sentence or two of ordinary length. " * 3
SESSION = Session("bench")
Figures = dict[str, dict[str, float]]


def store_calls(store: MemoryStore) -> dict[str, Callable[[int], Awaitable[Any]]]:
    return {
        "mem_put": lambda number: store.put(SESSION, f"k{number % 100}", TEXT, ttl_s=3_600, max_keys=500),
        "mem_get": lambda number: store.get(SESSION, f"k{number % 100}", ttl_s=3_600),
        "mem_append": lambda _: store.append(SESSION, "user", TEXT, max_items=200, ttl_s=3_600),
        "mem_recent": lambda _: store.recent(SESSION, 20, ttl_s=3_600),
        "mem_clear": lambda number: store.clear(Session(f"other-{number}")),
    }


def tool_calls(client: Client[Any]) -> dict[str, Callable[[int], Awaitable[Any]]]:
    def call(name: str, **arguments: Any) -> Awaitable[Any]:
        return client.call_tool_mcp(name, {"session_id": SESSION.id, **arguments})

    return {
        "mem_put": lambda number: call("mem_put", key=f"k{number % 100}", value=TEXT),
        "mem_get": lambda number: call("mem_get", key=f"k{number % 100}"),
        "mem_append": lambda _: call("mem_append", role="user", text=TEXT),
        "mem_recent": lambda _: call("mem_recent"),
        "mem_clear": lambda number: call("mem_clear", session_id=f"other-{number}"),
    }


async def measured(calls: dict[str, Callable[[int], Awaitable[Any]]], count: int) -> Figures:
    """One call after the other, as one client makes them."""
    found: Figures = {}
    for name, call in calls.items():
        taken: list[float] = []
        for number in range(count):
            begin = time.perf_counter()
            await call(number)
            taken.append(time.perf_counter() - begin)
        taken.sort()
        found[name] = {
            "calls_per_s": round(count / sum(taken)),
            "p50_ms": round(taken[count // 2] * 1_000, 3),
            "p99_ms": round(taken[int(count * 0.99)] * 1_000, 3),
        }
    return found


@asynccontextmanager
async def opened(store: MemoryStore) -> AsyncIterator[MemoryStore]:
    await store.open()
    try:
        yield store
    finally:
        await store.close()


async def through_mcp(count: int, *arguments: str, **env: str) -> Figures:
    async with (
        http_memory_server(*arguments, MEM_CALLS_PER_MINUTE="0", **env) as url,
        Client(StreamableHttpTransport(url), mode="2026-07-28") as client,
    ):
        return await measured(tool_calls(client), count)


def bare_redis(port: int, count: int) -> Figures:
    """The same commands by one client of Redis's own benchmark."""
    commands = {
        "mem_put": ["hset", "bench:kv", "k__rand_int__", TEXT],
        "mem_get": ["hget", "bench:kv", "k000000000001"],
        "mem_append": ["rpush", "bench:tl", TEXT],
        "mem_recent": ["lrange", "bench:tl", "-20", "-1"],
        "mem_clear": ["del", "bench:none"],
    }
    found: Figures = {}
    for name, command in commands.items():
        options = ["-p", str(port), "-c", "1", "-n", str(count), "--csv"]
        done = subprocess.run(["redis-benchmark", *options, *command], capture_output=True, text=True, check=True)
        # "test","rps","avg","min","p50","p95","p99","max"
        values = [value.strip('"') for value in done.stdout.strip().splitlines()[-1].rsplit(",", 7)]
        found[name] = {
            "calls_per_s": round(float(values[1])),
            "p50_ms": float(values[4]),
            "p99_ms": float(values[6]),
        }
    return found


async def measure(folder: Path, count: int) -> dict[str, Figures]:
    figures: dict[str, Figures] = {}
    file = folder / "memory.db"
    async with opened(SqliteStore(file)) as store:
        figures["SQLite"] = await measured(store_calls(store), count)
    figures["SQLite through MCP"] = await through_mcp(count // 4, "--file", str(file))
    if shutil.which("redis-server") is None:
        return figures
    # Its file is written once in a second, as Redis does unless told otherwise.
    async with redis_server(folder / "redis", "--appendfsync", "everysec") as server:
        if shutil.which("redis-benchmark") is not None:
            figures["redis-benchmark"] = bare_redis(server.port, count)
        async with opened(RedisStore(server.url)) as store:
            figures["Redis"] = await measured(store_calls(store), count)
        figures["Redis through MCP"] = await through_mcp(count // 4, REDIS_URL=server.url)
    return figures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=2_000, help="of each tool; through MCP a quarter of them")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = asyncio.run(measure(Path(folder), options.calls))
    if hasattr(os, "getloadavg"):
        print(f"load of the machine: {os.getloadavg()[0]:.1f}; other work makes every figure here worse")
    for way, tools in figures.items():
        print(f"\n{way}")
        for name, one in tools.items():
            print(f"  {name:11} {one['calls_per_s']:>8} /s   p50 {one['p50_ms']:>8} ms   p99 {one['p99_ms']:>8} ms")
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
