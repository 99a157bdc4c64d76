"""Programs that share a session: order, trimming and counts are exact, and what was acknowledged outlives a kill."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from desktop.servers.memory.redis_store import RedisStore
from desktop.servers.memory.sqlite_store import SqliteStore
from desktop.servers.memory.store import MemoryStore, StoreError
from tests.support.redis_server import RedisServer, needs_redis, redis_server
from tests.support.session_writer import ALL, KEPT, LAST

ROOT = Path(__file__).parents[3]


async def writer(place: str, name: str, count: int) -> asyncio.subprocess.Process:
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.support.session_writer", place, name, str(count)),
        cwd=ROOT,
        env=dict(os.environ),
        stdin=pipe,
        stdout=pipe,
    )
    assert process.stdout is not None
    assert await process.stdout.readline() == b"open\n"
    return process


async def let_go(process: asyncio.subprocess.Process) -> list[int]:
    """Let a writer begin; returns what it acknowledged until its end."""
    out, _ = await process.communicate(b"\n")
    return [int(line) for line in out.split(b"\n")[:-1]]


@asynccontextmanager
async def opened(store: MemoryStore) -> AsyncIterator[MemoryStore]:
    await store.open()
    try:
        yield store
    finally:
        await store.close()


async def check(store: MemoryStore, count: int) -> None:
    """Both of two writers are whole, each in its order, and of the trimmed session exactly the end is left."""
    everything = [item.text for item in await store.recent(ALL, 1_000_000, ttl_s=60)]
    assert len(everything) == 2 * count
    last = [item.text for item in await store.recent(LAST, 1_000_000, ttl_s=60)]
    assert len(last) == min(KEPT, 2 * count)
    for name in ("a", "b"):
        own = [f"{name} {number}" for number in range(count)]
        assert [text for text in everything if text.startswith(name)] == own
        kept = [text for text in last if text.startswith(name)]
        assert kept == own[len(own) - len(kept) :]
        assert await store.get(ALL, name, ttl_s=60) == str(count - 1)


async def hammer(place: str, count: int) -> None:
    both = [await writer(place, name, count) for name in ("a", "b")]
    acknowledged = await asyncio.gather(*(let_go(process) for process in both))
    assert [process.returncode for process in both] == [0, 0]
    assert acknowledged == [list(range(count))] * 2


@pytest.mark.timeout(1_800)
async def test_two_programs_hammer_one_session_in_a_file(tmp_path: Path, long_run: bool) -> None:
    count = 3_334 if long_run else 100  # each number is three writes
    file = tmp_path / "memory.db"
    await hammer(str(file), count)
    async with opened(SqliteStore(file)) as store:
        await check(store, count)


@needs_redis
@pytest.mark.timeout(1_800)
async def test_two_programs_hammer_one_session_on_redis(tmp_path: Path, long_run: bool) -> None:
    count = 3_334 if long_run else 100
    async with redis_server(tmp_path / "redis") as server:
        await hammer(server.url, count)
        async with opened(RedisStore(server.url)) as store:
            await check(store, count)


async def test_what_a_killed_program_had_acknowledged_is_there(tmp_path: Path, long_run: bool) -> None:
    file = tmp_path / "memory.db"
    acknowledged: dict[str, int] = {}
    for turn in range(30 if long_run else 2):
        process = await writer(str(file), f"turn{turn}", 1_000_000)
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"\n")
        for number in range(7 + turn):
            assert int(await process.stdout.readline()) == number
        process.kill()
        rest = (await process.communicate())[0].split(b"\n")[:-1]
        acknowledged[f"turn{turn}"] = int(rest[-1]) if rest else 6 + turn
    async with opened(SqliteStore(file)) as store:
        found = [item.text for item in await store.recent(ALL, 1_000_000, ttl_s=60)]
        for name, number in acknowledged.items():
            own = [text for text in found if text.startswith(f"{name} ")]
            assert own[: number + 1] == [f"{name} {at}" for at in range(number + 1)]
            assert len(own) <= number + 2  # one may be kept whose word did not get out
    journal = file.with_name("memory.db-journal")
    assert not journal.exists() or journal.stat().st_size == 0


async def appended(store: MemoryStore, number: int) -> bool:
    try:
        await store.append(ALL, "note", str(number), max_items=1_000_000, ttl_s=60)
    except StoreError:
        return False
    return True


@needs_redis
async def test_redis_is_killed_and_comes_back(tmp_path: Path, long_run: bool) -> None:
    async with redis_server(tmp_path / "redis") as server, opened(RedisStore(server.url)) as store:
        kept: list[int] = []
        for turn in range(20 if long_run else 3):
            kept += await _through_a_kill(server, store, 1_000 * turn)
        found = [int(item.text) for item in await store.recent(ALL, 1_000_000, ttl_s=60)]
        assert [number for number in found if number in set(kept)] == kept
        assert len(found) == len(set(found))  # nothing was sent twice
        assert found == sorted(found)


async def _through_a_kill(server: RedisServer, store: MemoryStore, first: int) -> list[int]:
    """Append without a pause while the server is killed and started again; returns what was acknowledged."""
    kept: list[int] = []
    failed: list[int] = []
    enough = asyncio.Event()

    async def write() -> None:
        number = first
        while not enough.is_set() or not kept or kept[-1] < max(failed, default=first):
            (kept if await appended(store, number) else failed).append(number)
            number += 1
            await asyncio.sleep(0.002)

    async def outage() -> None:
        await asyncio.sleep(0.05)
        await server.kill()
        await asyncio.sleep(0.05)
        await server.start()
        enough.set()

    await asyncio.gather(write(), outage())
    assert failed
    return kept
