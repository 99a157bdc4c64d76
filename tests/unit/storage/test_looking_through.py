"""How much of the file is looked at before it is used: a large one is not gone through at each start, unless it has to be."""

import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from desktop.core.errors import StorageError
from desktop.core.paths import DataPaths
from desktop.storage import opening
from desktop.storage.check_note import LOOK_EVERY, CheckNote
from desktop.storage.store import Store, open_store
from tests.support.stores import opened, say

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any library counts as a large one."""
    monkeypatch.setattr(opening, "_LOOKED_THROUGH_BYTES", 0)


async def fill(folder: Path) -> DataPaths:
    async with opened(folder) as store:
        for number in range(30):
            thread = await store.threads.create_thread(title=f"chat {number}")
            await say(store, thread.id, f"question {number}", "answer " * 200)
    return DataPaths(folder)


def spoil_index(database: Path) -> None:
    """Let the index of the list of chats say that one of them was written earlier, which no look at the pages alone sees."""
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        root, size = (
            connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'threads_listed'").fetchone()[0],
            connection.execute("PRAGMA page_size").fetchone()[0],
        )
        stored = connection.execute("SELECT max(updated_at) FROM threads").fetchone()[0]
    wanted = stored.to_bytes(8, "big").lstrip(b"\0")
    content = bytearray(database.read_bytes())
    page = slice((root - 1) * size, root * size)
    place = bytes(content[page]).find(wanted)
    assert place > 0, "the index has the time of the last chat"
    content[page.start + place + len(wanted) - 1] ^= 1
    database.write_bytes(content)


def problems(database: Path) -> Sequence[str]:
    with closing(sqlite3.connect(database)) as connection:
        return [row[0] for row in connection.execute("PRAGMA integrity_check")]


async def codes_of(paths: DataPaths) -> list[str]:
    store = await open_store(paths, lambda: NOW)
    try:
        assert len(await store.threads.list_threads(limit=100)) == 30
        return [notice.code for notice in store.notices]
    finally:
        await store.close()


@pytest.mark.expected_log(r"ERROR desktop\.storage\.opening: an index of the database was damaged")
async def test_an_index_that_disagrees_is_made_anew_where_something_could_not_be_read(tmp_path: Path) -> None:
    paths = await fill(tmp_path)
    spoil_index(paths.database)
    assert problems(paths.database) != ["ok"]
    CheckNote(paths.library_check).suspect()
    assert await codes_of(paths) == ["storage.mended"]
    assert problems(paths.database) == ["ok"]
    assert not CheckNote(paths.library_check).is_suspected
    assert await codes_of(paths) == [], "it is told once"


@pytest.mark.allowed_log(r"(WARNING|ERROR) desktop\.storage")
async def test_a_read_that_meets_damage_lets_the_next_start_look_through_everything(
    tmp_path: Path, large: None
) -> None:
    paths = await fill(tmp_path)
    with closing(sqlite3.connect(paths.database)) as connection:
        (root,) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'parts'").fetchone()
        size = connection.execute("PRAGMA page_size").fetchone()[0]
    with paths.database.open("r+b") as file:
        file.seek((root - 1) * size)
        file.write(os.urandom(size))
    store = await open_store(paths, lambda: NOW)
    try:
        assert store.notices == (), "a large file is not gone through"
        (thread, *_) = await store.threads.list_threads()
        with pytest.raises(StorageError) as caught:
            await store.threads.path(thread.id)
        assert caught.value.code == "storage.suspected"
    finally:
        await store.close()
    assert CheckNote(paths.library_check).is_suspected
    assert await codes_of(paths) == ["storage.salvaged"]
    assert await codes_of(paths) == []


async def test_a_large_file_awaits_a_look_until_one_was_made_lately(tmp_path: Path, large: None) -> None:
    paths = await fill(tmp_path)

    async def awaits(moment: datetime) -> bool:
        store: Store = await open_store(paths, lambda: moment)
        await store.close()
        return store.database.awaits_look

    assert await awaits(NOW)
    CheckNote(paths.library_check).looked(NOW)
    assert not await awaits(NOW + LOOK_EVERY)
    assert await awaits(NOW + LOOK_EVERY + timedelta(seconds=1))
    assert await awaits(NOW - timedelta(days=1)), "a clock that was set back does not put it off for ever"


async def test_a_large_file_is_gone_through_where_its_last_user_did_not_end_in_order(
    tmp_path: Path, large: None
) -> None:
    paths = await fill(tmp_path)
    log = paths.database.with_name(f"{paths.database.name}-wal")
    with closing(sqlite3.connect(paths.database, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("UPDATE threads SET title = 'another' WHERE seq = 1")
        left, content = log.read_bytes(), paths.database.read_bytes()
    paths.database.write_bytes(content)
    log.write_bytes(left)
    store = await open_store(paths, lambda: NOW)
    try:
        assert not store.database.awaits_look
        assert "another" in {thread.title for thread in await store.threads.list_threads(limit=100)}
    finally:
        await store.close()


@pytest.mark.parametrize("content", [b"", b"[]", b"\xff", b"{}", b'{"looked_at": 5}', b'{"looked_at": "2026-05-01"}'])
def test_a_note_that_cannot_be_read_is_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "note").write_bytes(content)
    note = CheckNote(tmp_path / "note")
    assert note.is_due(NOW)
    assert not note.is_suspected
    note.looked(NOW)
    assert not note.is_due(NOW)
