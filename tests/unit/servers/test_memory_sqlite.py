"""The memory server's file: what is over leaves no byte, clocks may jump, and a file that is none is told so."""

import asyncio
import os
import random
import re
import sqlite3
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from desktop.servers.memory.sqlite_store import SqliteStore
from desktop.servers.memory.store import Session, StoreError
from tests.support.hand_clock import Clock

ONE, TWO = Session("first-session", "first-tenant"), Session("second-session")
DAY = 86_400.0


@asynccontextmanager
async def opened(file: Path, clock: Clock | None = None) -> AsyncIterator[SqliteStore]:
    store = SqliteStore(file, clock=clock) if clock is not None else SqliteStore(file)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


async def fill(store: SqliteStore, session: Session, word: str, *, ttl_s: int = 100, count: int = 50) -> None:
    for number in range(count):
        text = f"{word} {number} " * (1 + number % 40)
        await store.append(session, "user", text, max_items=30, ttl_s=ttl_s)
        if number % 4 == 0:
            await store.put(session, f"{word}-key-{number % 12}", text * 3, ttl_s=ttl_s, max_keys=100)


def all_bytes(file: Path) -> bytes:
    return b"".join(path.read_bytes() for path in file.parent.iterdir())


async def test_nothing_of_what_is_over_stays_in_the_file(tmp_path: Path) -> None:
    file, clock = tmp_path / "memory.db", Clock(1_000_000)
    async with opened(file, clock) as store:
        empty = file.stat().st_size
        await fill(store, ONE, "GRANITE")
        await fill(store, TWO, "LIMESTONE", ttl_s=1_000)
        await fill(store, Session("third"), "BASALT", ttl_s=1_000)
        assert b"GRANITE 0 " not in all_bytes(file)  # trimmed
        assert b"GRANITE 49 " in all_bytes(file)
        clock.seconds += 101
        assert await store.sweep() == 1
        assert await store.sweep() == 0
        found = all_bytes(file)
        assert b"GRANITE" not in found
        assert b"first-session" not in found
        assert b"first-tenant" not in found
        await store.clear(TWO)
        assert b"LIMESTONE" not in all_bytes(file)
        assert b"BASALT" in all_bytes(file)
        clock.seconds += 1_000
        assert await store.sweep() == 1
        assert b"BASALT" not in all_bytes(file)
        assert file.stat().st_size <= empty + 8_192  # the room is given back
    assert b"BASALT" not in all_bytes(file)


@pytest.mark.timeout(1_800)
async def test_nothing_stays_after_any_order_of_calls(tmp_path: Path, long_run: bool) -> None:
    """With ``secure_delete`` alone words stay where SQLite had moved rows: with seed 2 after 102 calls."""
    for seed in range(2, 22 if long_run else 3):
        await _churn(tmp_path / str(seed) / "memory.db", random.Random(seed), 2_000 if long_run else 110)


async def _churn(file: Path, chance: random.Random, steps: int) -> None:
    clock = Clock(1_000_000)
    held: dict[str, set[str]] = {}
    gone: set[str] = set()
    async with opened(file, clock) as store:
        for step in range(steps):
            name = chance.choice("abcdefgh")
            session, what, word = Session(name), chance.random(), f"ZQ{step:06d}X"
            if what < 0.45:
                most, text = chance.choice([5, 20, 60]), f"{word} " * chance.choice([1, 3, 10, 100, 900])
                await store.append(session, "user", text, max_items=most, ttl_s=100)
                held.setdefault(name, set()).add(word)
            elif what < 0.85:
                key, text = f"k{chance.randint(0, 30)}", f"{word} " * chance.choice([1, 3, 10, 100, 900])
                await store.put(session, key, text, ttl_s=100, max_keys=500)
                held.setdefault(name, set()).add(word)
            elif what < 0.9:
                await store.clear(session)
                gone |= held.pop(name, set())
            elif what < 0.905:
                clock.seconds += 101
                await store.sweep()
                gone = gone.union(*held.values())
                held.clear()
            if 0.85 <= what < 0.905:
                found = {word.decode() for word in re.findall(rb"ZQ\d{6}X", all_bytes(file))}
                assert found & gone == set()


async def test_a_session_that_is_over_is_not_read_though_nobody_swept(tmp_path: Path) -> None:
    file, clock = tmp_path / "memory.db", Clock(1_000_000)
    async with opened(file, clock) as store:
        await fill(store, ONE, "GRANITE", count=10)
        assert (await store.usage()).sessions == 1
        clock.seconds += 100
        assert (await store.usage()).sessions == 0
        assert await store.recent(ONE, 5, ttl_s=100) == []
        assert await store.get(ONE, "GRANITE-key-0", ttl_s=100) is None
        await store.append(ONE, "user", "new", max_items=10, ttl_s=100)
        assert [item.text for item in await store.recent(ONE, 50, ttl_s=100)] == ["new"]
        assert await store.sweep() == 0
        assert b"GRANITE" not in all_bytes(file)


async def test_a_clock_that_is_set_back_neither_mixes_the_order_nor_keeps_for_longer(tmp_path: Path) -> None:
    clock = Clock(1_000_000 + DAY)
    async with opened(tmp_path / "memory.db", clock) as store:
        await store.append(ONE, "user", "before", max_items=10, ttl_s=100)
        await store.append(TWO, "user", "left alone", max_items=10, ttl_s=100)
        clock.seconds -= DAY
        await store.append(ONE, "user", "after", max_items=10, ttl_s=100)
        items = await store.recent(ONE, 10, ttl_s=100)
        assert [item.text for item in items] == ["before", "after"]
        assert items[0].ts > items[1].ts
        assert await store.sweep() == 0  # but it notices the jump
        clock.seconds += 101
        assert await store.sweep() == 2
        assert (await store.usage()).sessions == 0


async def test_a_clock_that_jumps_ahead_ends_what_is_over_by_it_and_nothing_later(tmp_path: Path) -> None:
    clock = Clock(1_000_000)
    async with opened(tmp_path / "memory.db", clock) as store:
        await store.append(ONE, "user", "short", max_items=10, ttl_s=100)
        await store.append(TWO, "user", "long", max_items=10, ttl_s=int(3 * DAY))
        clock.seconds += DAY
        assert await store.sweep() == 1
        assert [item.text for item in await store.recent(TWO, 10, ttl_s=100)] == ["long"]
        assert await store.recent(ONE, 10, ttl_s=100) == []


async def test_reads_renew_though_not_each_of_them_writes(tmp_path: Path) -> None:
    file, clock = tmp_path / "memory.db", Clock(1_000_000)
    async with opened(file, clock) as store:
        await store.put(ONE, "k", "v", ttl_s=100, max_keys=1)
        before = file.read_bytes()
        clock.seconds += 0.5
        assert await store.get(ONE, "k", ttl_s=100) == "v"
        assert file.read_bytes() == before
        for _ in range(10):
            clock.seconds += 60
            assert await store.get(ONE, "k", ttl_s=100) == "v"
        clock.seconds += 99
        assert await store.get(ONE, "k", ttl_s=100) == "v"


async def test_the_file_is_private_and_has_the_mode_that_several_programs_need(tmp_path: Path) -> None:
    file = tmp_path / "new folder" / "memory.db"
    async with opened(file) as store:
        await store.put(ONE, "k", "v", ttl_s=100, max_keys=1)
        if os.name != "nt":
            assert {stat.S_IMODE(path.stat().st_mode) for path in file.parent.iterdir()} == {0o600}
        # In WAL mode these bytes are 2; the journal is there and empty.
        assert file.read_bytes()[18:20] == b"\x01\x01"
        assert file.with_name("memory.db-journal").stat().st_size == 0


@pytest.mark.parametrize("kind", ["folder", "link", "text", "other database", "newer"])
async def test_a_file_that_is_not_ours_is_told_and_left_as_it_is(tmp_path: Path, kind: str) -> None:
    file = tmp_path / "memory.db"
    if kind == "folder":
        file.mkdir()
    elif kind == "link":
        file.symlink_to(tmp_path / "elsewhere")
    elif kind == "text":
        file.write_bytes(b"no database at all " * 500)
    elif kind == "newer":
        async with opened(file):
            pass
    if kind in ("other database", "newer"):
        connection = sqlite3.connect(file)
        statement = "PRAGMA user_version = 99" if kind == "newer" else "CREATE TABLE sessions (id)"
        connection.execute(statement)
        connection.commit()
        connection.close()
    before = file.read_bytes() if file.is_file() else b""
    store = SqliteStore(file)
    with pytest.raises(StoreError, match="cannot be"):
        await store.open()
    await store.close()
    assert (file.read_bytes() if file.is_file() else b"") == before
    assert not (tmp_path / "elsewhere").exists()


async def test_a_file_that_was_removed_meanwhile_costs_one_call_at_most(tmp_path: Path) -> None:
    file = tmp_path / "memory.db"
    async with opened(file) as store:
        await store.put(ONE, "k", "v", ttl_s=100, max_keys=1)
        file.unlink()
        with pytest.raises(StoreError, match="memory file"):
            await store.put(ONE, "k", "w", ttl_s=100, max_keys=1)
        await store.put(ONE, "k", "x", ttl_s=100, max_keys=1)
        assert file.is_file()
        assert await store.get(ONE, "k", ttl_s=100) == "x"


async def test_a_program_that_holds_the_file_is_waited_for(tmp_path: Path) -> None:
    file = tmp_path / "memory.db"
    async with opened(file) as store:
        other = sqlite3.connect(file, isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        waiting = asyncio.gather(store.put(ONE, "k", "v", ttl_s=100, max_keys=1))
        await asyncio.sleep(0.05)
        assert not waiting.done()
        other.execute("COMMIT")
        other.close()
        await waiting
        assert await store.get(ONE, "k", ttl_s=100) == "v"
