"""The memory server on Redis: the layout that others share, entries that others wrote, and Redis that is away or refuses."""

import builtins
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from desktop.servers.memory.redis_store import RedisStore
from desktop.servers.memory.store import Session, StoreError
from tests.support.command_programs import free_port
from tests.support.redis_server import needs_redis, redis_server


@asynccontextmanager
async def opened(url: str, *, cluster: bool = False) -> AsyncIterator[RedisStore]:
    store = RedisStore(url, cluster=cluster)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


@asynccontextmanager
async def plain_client(url: str) -> AsyncIterator[Any]:
    from redis.asyncio import Redis

    client = Redis.from_url(url, decode_responses=True)
    try:
        yield client
    finally:
        await client.aclose()


async def fill(store: RedisStore, session: Session) -> None:
    await store.put(session, "k", "v", ttl_s=300, max_keys=5)
    await store.append(session, "agent", "天气", max_items=5, ttl_s=200)


@needs_redis
@pytest.mark.parametrize(
    ("session", "cluster", "name"),
    [
        (Session("s-1"), False, "mcp:mem:s-1"),
        (Session("a:b"), False, "mcp:mem:a:b"),
        (Session("s", "team"), False, "mcp:mem:team:s"),
        (Session("s"), True, "mcp:mem:{s}"),
        (Session("s", "team"), True, "mcp:mem:{team:s}"),
    ],
)
async def test_the_layout_is_exactly_so(tmp_path: Path, session: Session, cluster: bool, name: str) -> None:
    async with redis_server(tmp_path / "redis") as server, opened(server.url, cluster=cluster) as store:
        await fill(store, session)
        async with plain_client(server.url) as client:
            assert sorted(await client.keys("*")) == [f"{name}:kv", f"{name}:tl"]
            assert await client.hgetall(f"{name}:kv") == {"k": "v"}
            (raw,) = await client.lrange(f"{name}:tl", 0, -1)
            assert {**json.loads(raw), "ts": 0} == {"ts": 0, "role": "agent", "text": "天气"}
            # Both were renewed by the last call, and are by a read of either.
            for key in ("kv", "tl"):
                assert 190 < await client.ttl(f"{name}:{key}") <= 200
            await store.recent(session, 1, ttl_s=100)
            for key in ("kv", "tl"):
                assert 90 < await client.ttl(f"{name}:{key}") <= 100
            await store.clear(session)
            assert await client.keys("*") == []


@needs_redis
async def test_what_other_programs_wrote_is_read(tmp_path: Path) -> None:
    async with redis_server(tmp_path / "redis") as server, opened(server.url) as store:
        async with plain_client(server.url) as client:
            await client.hset("mcp:mem:s:kv", "theirs", "1")
            entries = ['{"ts": 5, "role": "user", "text": "good"}', "plain words", "[1]", '{"ts": "x"}']
            await client.rpush("mcp:mem:s:tl", *entries)
            await client.set("mcp:mem:odd:tl", "no list")
            await client.set("unrelated", "x")
        assert await store.get(Session("s"), "theirs", ttl_s=60) == "1"
        items = await store.recent(Session("s"), 10, ttl_s=60)
        assert [(item.ts, item.role, item.text) for item in items] == [
            (5.0, "user", "good"),
            *((0.0, "note", entry) for entry in entries[1:]),
        ]
        with pytest.raises(StoreError, match="refused: WRONGTYPE"):
            await store.recent(Session("odd"), 10, ttl_s=60)
        assert (await store.usage()).sessions == 2


async def test_redis_that_is_away_is_told_without_its_password() -> None:
    port = free_port()
    async with opened(f"redis://me:h1dden@127.0.0.1:{port}/0?db=0") as store:
        with pytest.raises(StoreError) as told:
            await store.get(Session("s"), "k", ttl_s=60)
        assert f"Redis at 127.0.0.1:{port} cannot be reached" in str(told.value)
        assert "h1dden" not in f"{told.value}{store.name}"


@needs_redis
async def test_redis_that_refuses_is_told(tmp_path: Path) -> None:
    async with redis_server(tmp_path / "redis", "--requirepass", "right") as server:
        for user in (":wrong@", ""):
            async with opened(server.url.replace("//", f"//{user}")) as store:
                with pytest.raises(StoreError, match=r"refuses the user name|refused: .*[Aa]uthentication"):
                    await store.clear(Session("s"))
        async with opened(server.url.replace("//", "//:right@")) as store:
            await store.clear(Session("s"))


@needs_redis
async def test_redis_that_is_full_is_told_and_keeps_what_it_has(tmp_path: Path) -> None:
    async with redis_server(tmp_path / "redis", "--maxmemory", "3mb") as server, opened(server.url) as store:
        await fill(store, Session("s"))

        async def fill_up() -> None:
            for number in range(100):
                await store.put(Session("s"), f"k{number}", "x" * 100_000, ttl_s=60, max_keys=500)

        with pytest.raises(StoreError, match=r"refused: .*used memory > 'maxmemory'\.$"):
            await fill_up()
        assert await store.get(Session("s"), "k", ttl_s=60) == "v"
        await store.clear(Session("s"))


async def test_a_wrong_address_is_told() -> None:
    store = RedisStore("http://127.0.0.1:1")
    with pytest.raises(StoreError, match="REDIS_URL cannot be read"):
        await store.open()
    await store.close()


async def test_a_missing_package_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without_redis(name: str, *rest: Any, **more: Any) -> Any:
        if name.partition(".")[0] == "redis":
            raise ModuleNotFoundError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without_redis)
    with pytest.raises(StoreError, match="pip install 'redis>=8,<9'"):
        await RedisStore("redis://127.0.0.1:1").open()
