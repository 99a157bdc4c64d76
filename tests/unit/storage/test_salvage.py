"""A damaged database, wherever it is damaged: never a crash, never a loss of what can be read, and the file is kept."""

import asyncio
import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from desktop.core.errors import StorageError
from desktop.core.paths import DataPaths
from desktop.storage.check_note import CheckNote
from desktop.storage.store import Store, open_store
from tests.support.stores import opened, say

pytestmark = pytest.mark.allowed_log(r"(WARNING|ERROR) desktop\.storage")
CHATS, TURNS = 60, 4
KINDS = ("flip", "flips", "zero", "noise", "cut")


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A library with chats, as it lies on the disk."""
    folder = tmp_path_factory.mktemp("library")

    async def fill() -> None:
        async with opened(folder) as store:
            for number in range(CHATS):
                thread = await store.threads.create_thread()
                for turn in range(TURNS):
                    await say(store, thread.id, f"question {number} {turn}", f"answer {number} {turn} " + "words " * 60)

    asyncio.run(fill())
    return DataPaths(folder).database.read_bytes()


def damaged(content: bytes, kind: str, chance: random.Random) -> bytes:
    broken, pages = bytearray(content), len(content) // 4096
    match kind:
        case "flip" | "flips":
            for _ in range(1 if kind == "flip" else 60):
                broken[chance.randrange(len(broken))] ^= 1 << chance.randrange(8)
        case "zero" | "noise":
            for _ in range(chance.choice((1, 3))):
                page = chance.randrange(pages)
                new = bytes(4096) if kind == "zero" else chance.randbytes(4096)
                broken[page * 4096 : (page + 1) * 4096] = new
        case _:
            del broken[chance.randrange(1, len(broken)) :]
    return bytes(broken)


async def read_all(store: Store) -> tuple[int, int]:
    """Read every chat as the window does; return how many chats and messages there are."""
    await store.threads.recover()
    threads = await store.threads.list_threads(limit=10_000)
    messages = 0
    for thread in threads:
        chat = await store.exchange.open(thread.id)
        assert chat is not None
        messages += len(await store.exchange.messages(chat, chat.numbers))
    return len(threads), messages


def kept_in(folder: Path) -> list[Path]:
    """Return the databases that were set aside."""
    return [path for path in folder.iterdir() if ".damaged-" in path.name and path.suffix == ".db"]


async def once_more_if_damaged(store: Store, folder: Path) -> Store:
    """What no look at the start sees is met by a read at the latest; then the next start looks through everything."""
    note = CheckNote(DataPaths(folder).library_check)
    try:
        await read_all(store)
        if await store.database.read(lambda c: c.execute("PRAGMA integrity_check").fetchall()) == [("ok",)]:
            return store
        note.suspect()  # as the check of the library does
    except StorageError:
        assert note.is_suspected
    await store.close()
    return await open_store(DataPaths(folder))


@pytest.mark.parametrize("kind", KINDS)
async def test_what_can_be_read_of_a_damaged_database_is_here_again(
    tmp_path: Path, content: bytes, kind: str, long_run: bool
) -> None:
    least = {"flip": 0.95, "flips": 0.6, "zero": 0.5, "noise": 0.5}
    for seed in range(60 if long_run else 6):
        chance = random.Random(f"{kind} {seed}")
        folder = tmp_path / str(seed)
        folder.mkdir()
        broken = damaged(content, kind, chance)
        database = DataPaths(folder).database
        database.write_bytes(broken)
        store = await open_store(DataPaths(folder))
        try:
            if store.notices == ():
                store = await once_more_if_damaged(store, folder)
            codes = [notice.code for notice in store.notices]
            assert codes in ([], ["storage.mended"], ["storage.salvaged"], ["storage.damaged"])
            _, messages = await read_all(store)
            assert await store.database.read(lambda c: c.execute("PRAGMA integrity_check").fetchall()) == [("ok",)]
            assert await store.database.read(lambda c: c.execute("PRAGMA foreign_key_check").fetchall()) == []
            if codes == ["storage.salvaged"]:
                assert messages >= least.get(kind, 0) * 2 * CHATS * TURNS * (1 if broken[:100] == content[:100] else 0)
            thread = await store.threads.create_thread()
            await say(store, thread.id, "it goes on", "as before")
        finally:
            await store.close()
        if codes not in ([], ["storage.mended"]):
            (kept,) = kept_in(folder)
            assert kept.read_bytes() == broken
        async with opened(folder) as again:
            assert again.notices == (), "it is sound now"


async def test_a_table_whose_name_is_no_text_any_more_is_damage(tmp_path: Path, content: bytes) -> None:
    database = DataPaths(tmp_path).database
    database.write_bytes(content)
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_schema SET name = CAST(name AS BLOB) WHERE name = 'queued_messages'")
    async with opened(tmp_path) as store:
        assert [notice.code for notice in store.notices] == ["storage.salvaged"]
        assert await read_all(store) == (CHATS, 2 * CHATS * TURNS)


async def test_messages_whose_chat_is_lost_get_one_and_words_without_a_message_too(
    tmp_path: Path, content: bytes
) -> None:
    database = DataPaths(tmp_path).database
    database.write_bytes(content)
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        lost = connection.execute("SELECT seq FROM threads ORDER BY seq LIMIT 1").fetchone()[0]
        other = connection.execute("SELECT max(seq) FROM messages").fetchone()[0]
        connection.execute("DELETE FROM threads WHERE seq = ?", (lost,))
        connection.execute("DELETE FROM messages WHERE seq = ?", (other,))
        connection.execute("DROP INDEX messages_by_thread" if _has(connection, "messages_by_thread") else "SELECT 1")
        connection.execute("CREATE TABLE not_ours (x)")  # so that it is not taken for a sound one
    async with opened(tmp_path) as store:
        assert [notice.code for notice in store.notices] == ["storage.salvaged"]
        chats, messages = await read_all(store)
        assert chats == CHATS + 1, "one for what is left of the lost message"
        assert messages == 2 * CHATS * TURNS
        assert store.notices[0].params["chats"] == chats


def _has(connection: sqlite3.Connection, name: str) -> bool:
    return connection.execute("SELECT 1 FROM sqlite_schema WHERE name = ?", (name,)).fetchone() is not None


async def test_a_salvage_that_was_killed_before_its_last_step_is_gone_on_with(tmp_path: Path, content: bytes) -> None:
    database = DataPaths(tmp_path).database
    (tmp_path / "salvaged.db").write_bytes(content)
    database.write_bytes(b"the damaged one, not yet set aside")
    (tmp_path / "salvaged.tmp").write_bytes(b"half")
    async with opened(tmp_path) as store:
        chats, _ = await read_all(store)
        assert chats == CHATS
    assert not (tmp_path / "salvaged.tmp").exists()
    kept = kept_in(tmp_path)
    assert [path.read_bytes() for path in kept] == [b"the damaged one, not yet set aside"]


async def test_of_another_programs_database_nothing_is_taken(tmp_path: Path) -> None:
    database = DataPaths(tmp_path).database
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA application_id = 1")
        connection.execute("CREATE TABLE messages (seq INTEGER PRIMARY KEY, text TEXT)")
        connection.execute("INSERT INTO messages VALUES (1, 'of somebody else')")
        connection.commit()
    async with opened(tmp_path) as store:
        assert [notice.code for notice in store.notices] == ["storage.damaged"]
        assert await read_all(store) == (0, 0)
