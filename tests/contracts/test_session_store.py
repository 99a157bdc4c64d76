"""What every store of the memory server promises, held against SQLite and against a real Redis server."""

import asyncio
import random
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest

from desktop.servers.memory.redis_store import RedisStore
from desktop.servers.memory.sqlite_store import SqliteStore
from desktop.servers.memory.store import MemoryStore, Session, TooManyKeysError
from tests.support.redis_server import needs_redis, redis_server

Maker = Callable[[], MemoryStore]
Opener = Callable[[Path], AbstractAsyncContextManager[Maker]]

ONE = Session("one")
ODD = ("", "x", "天气 🚀", "a\0b", "line\n\ttab\r", '"\\{}[]', "'; DROP TABLE items; --", "\u202e\ufeff", "x" * 100_000)


@asynccontextmanager
async def on_sqlite(folder: Path) -> AsyncIterator[Maker]:
    yield lambda: SqliteStore(folder / "memory.db")


@asynccontextmanager
async def on_redis(folder: Path) -> AsyncIterator[Maker]:
    async with redis_server(folder) as server:
        yield lambda: RedisStore(server.url)


@asynccontextmanager
async def on_redis_with_tags(folder: Path) -> AsyncIterator[Maker]:
    async with redis_server(folder) as server:
        yield lambda: RedisStore(server.url, cluster=True)


@asynccontextmanager
async def on_redis_with_lists(folder: Path) -> AsyncIterator[Maker]:
    async with redis_server(folder) as server:
        yield lambda: RedisStore(server.url, chat_lists=True)


@pytest.fixture(
    params=[
        pytest.param(on_sqlite, id="sqlite"),
        pytest.param(on_redis, id="redis", marks=needs_redis),
        pytest.param(on_redis_with_tags, id="redis-cluster", marks=needs_redis),
        pytest.param(on_redis_with_lists, id="redis-lists", marks=needs_redis),
    ]
)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> AbstractAsyncContextManager[Maker]:
    open_one: Opener = request.param
    return open_one(tmp_path / "place")


@asynccontextmanager
async def opened(make: Maker) -> AsyncIterator[MemoryStore]:
    store = make()
    await store.open()
    try:
        yield store
    finally:
        await store.close()


async def put(store: MemoryStore, key: str, value: str, session: Session = ONE, ttl_s: int = 60) -> None:
    await store.put(session, key, value, ttl_s=ttl_s, max_keys=500)


async def append(store: MemoryStore, text: str, session: Session = ONE, *, most: int = 200, ttl_s: int = 60) -> None:
    await store.append(session, "user", text, max_items=most, ttl_s=ttl_s)


async def texts(store: MemoryStore, session: Session = ONE, n: int = 1_000, ttl_s: int = 60) -> list[str]:
    return [item.text for item in await store.recent(session, n, ttl_s=ttl_s)]


async def test_values_come_back_as_they_were(place: AbstractAsyncContextManager[Maker]) -> None:
    async with place as make, opened(make) as store:
        assert await store.get(ONE, "missing", ttl_s=60) is None
        for number, value in enumerate(ODD):
            await put(store, f"k{number}", value)
        assert [await store.get(ONE, f"k{number}", ttl_s=60) for number in range(len(ODD))] == list(ODD)
        await put(store, "天 气\0", "by an odd key")
        assert await store.get(ONE, "天 气\0", ttl_s=60) == "by an odd key"
        await put(store, "k1", "new")
        assert await store.get(ONE, "k1", ttl_s=60) == "new"
        assert await store.get(ONE, "missing", ttl_s=60) is None


async def test_a_timeline_keeps_its_order_and_its_last_entries(place: AbstractAsyncContextManager[Maker]) -> None:
    async with place as make, opened(make) as store:
        assert await store.recent(ONE, 5, ttl_s=60) == []
        for text in ODD:
            await append(store, text)
        assert await texts(store) == list(ODD)
        assert await texts(store, n=2) == list(ODD[-2:])
        await store.append(ONE, "note", "last", max_items=3, ttl_s=60)
        items = await store.recent(ONE, 100, ttl_s=60)
        assert [item.text for item in items] == [*ODD[-2:], "last"]
        assert [item.role for item in items] == ["user", "user", "note"]
        assert 1_600_000_000 < items[0].ts <= items[1].ts <= items[2].ts < 5_000_000_000


async def test_sessions_and_tenants_are_apart(place: AbstractAsyncContextManager[Maker]) -> None:
    sessions = [Session("s"), Session("t"), Session("s", "alice"), Session("s", "bob"), Session("S"), Session("s:kv")]
    async with place as make, opened(make) as store:
        for number, session in enumerate(sessions):
            await put(store, "k", f"value {number}", session)
            await append(store, f"text {number}", session)
        for number, session in enumerate(sessions):
            assert await store.get(session, "k", ttl_s=60) == f"value {number}"
            assert await texts(store, session) == [f"text {number}"]
        await store.clear(sessions[2])
        assert await store.get(sessions[2], "k", ttl_s=60) is None
        assert await texts(store, sessions[2]) == []
        assert [await texts(store, session) for session in (sessions[0], sessions[3])] == [["text 0"], ["text 3"]]
        assert (await store.usage()).sessions == len(sessions) - 1
        assert (await store.usage()).size > 0


async def test_clearing_is_the_same_twice_and_makes_room(place: AbstractAsyncContextManager[Maker]) -> None:
    async with place as make, opened(make) as store:
        await store.clear(ONE)
        for number in range(3):
            await store.put(ONE, f"k{number}", "v", ttl_s=60, max_keys=3)
        with pytest.raises(TooManyKeysError):
            await store.put(ONE, "k3", "v", ttl_s=60, max_keys=3)
        await store.put(ONE, "k2", "other", ttl_s=60, max_keys=3)
        assert await store.get(ONE, "k2", ttl_s=60) == "other"
        assert await store.get(ONE, "k3", ttl_s=60) is None
        await store.clear(ONE)
        await store.clear(ONE)
        assert (await store.usage()).sessions == 0
        await store.put(ONE, "k3", "v", ttl_s=60, max_keys=3)
        with pytest.raises(TooManyKeysError):
            await store.put(Session("none"), "k", "v", ttl_s=60, max_keys=0)
        assert (await store.usage()).sessions == 1


async def test_a_session_ends_as_a_whole_unless_either_part_is_used(place: AbstractAsyncContextManager[Maker]) -> None:
    ended, by_get, by_recent, by_put, by_append, shortened = (Session(name) for name in "egrpas")
    async with place as make, opened(make) as store:
        for session in (ended, by_get, by_recent, by_put, by_append):
            await put(store, "k", "v", session, ttl_s=1)
            await append(store, "text", session, ttl_s=1)
        assert await store.get(by_get, "missing", ttl_s=60) is None  # a miss is a use, too
        await store.recent(by_recent, 1, ttl_s=60)
        await put(store, "other", "v", by_put)
        await append(store, "more", by_append)
        await append(store, "text", shortened, ttl_s=3_600)
        assert await store.get(shortened, "k", ttl_s=1) is None
        await asyncio.sleep(1.15)  # no clock of Redis can be set forward
        for session in (by_get, by_recent, by_put, by_append):
            assert await store.get(session, "k", ttl_s=60) == "v"
            assert (await texts(store, session))[0] == "text"
        assert (await store.usage()).sessions == 4
        assert await store.get(ended, "k", ttl_s=60) is None
        assert await texts(store, ended) == await texts(store, shortened) == []
        await append(store, "new", ended)
        assert await store.get(ended, "k", ttl_s=60) is None
        assert await texts(store, ended) == ["new"]


async def test_two_stores_share_one_place(place: AbstractAsyncContextManager[Maker]) -> None:
    async def write(store: MemoryStore, name: str) -> None:
        for number in range(20):
            await append(store, f"{name} {number}", most=30)
            await put(store, f"{name} {number}", "v")

    async with place as make, opened(make) as first, opened(make) as second:
        await asyncio.gather(write(first, "a"), write(second, "b"), write(first, "c"))
        found = await texts(second)
        assert found == await texts(first)
        assert len(found) == 30
        for name in "abc":
            assert [text for text in found if text.startswith(name)] == [
                f"{name} {number}" for number in range(20) if f"{name} {number}" in found
            ]
        assert [await first.get(ONE, f"b {number}", ttl_s=60) for number in range(20)] == ["v"] * 20
        assert found[-1].endswith(" 19"), "the last that anybody wrote"


async def test_any_order_of_calls_is_as_on_paper(place: AbstractAsyncContextManager[Maker], long_run: bool) -> None:
    chance = random.Random(11)
    values: dict[str, dict[str, str]] = defaultdict(dict)
    lines: dict[str, list[str]] = defaultdict(list)

    async def step(store: MemoryStore, number: int) -> None:
        session = Session(chance.choice("abc"), chance.choice(["", "t"]))
        name = f"{session.tenant}/{session.id}"
        match chance.choice(["put", "get", "append", "append", "recent", "clear" if chance.random() < 0.3 else "get"]):
            case "put":
                key = chance.choice("klm")
                if len(values[name]) < 2 or key in values[name]:
                    values[name][key] = f"v{number}"
                    await store.put(session, key, f"v{number}", ttl_s=60, max_keys=2)
                else:
                    with pytest.raises(TooManyKeysError):
                        await store.put(session, key, "v", ttl_s=60, max_keys=2)
            case "get":
                key = chance.choice("klm")
                assert await store.get(session, key, ttl_s=60) == values[name].get(key)
            case "append":
                most = chance.randint(1, 6)
                lines[name] = [*lines[name], f"t{number}"][-most:]
                await append(store, f"t{number}", session, most=most)
            case "recent":
                n = chance.randint(1, 8)
                assert await texts(store, session, n) == lines[name][-n:]
            case _:
                values[name], lines[name] = {}, []
                await store.clear(session)

    async with place as make, opened(make) as first, opened(make) as second:
        both: Sequence[MemoryStore] = (first, second)
        for number in range(5_000 if long_run else 250):
            await step(chance.choice(both), number)
