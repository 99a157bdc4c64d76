"""What lies in the data folder may be damaged, newer, or no file at all: said clearly, and nothing is lost."""

import contextlib
import os
import random
import shutil
import sqlite3
from datetime import timedelta, timezone
from pathlib import Path

import pytest

from desktop.core.errors import StorageError
from desktop.core.paths import DataPaths
from desktop.storage.migrations import STEPS
from desktop.storage.rows import from_microseconds
from desktop.storage.store import open_store
from tests.support.stores import opened, say

pytestmark = pytest.mark.allowed_log(r"(WARNING|ERROR) desktop\.storage\.(salvage|opening)")
set_aside_is_logged = pytest.mark.expected_log("the database was damaged")


async def fill(folder: Path, *, turns: int = 3) -> str:
    """Make a data folder with one thread and return its id."""
    async with opened(folder) as store:
        thread = await store.threads.create_thread(title="Kept")
        for number in range(turns):
            await say(store, thread.id, f"question {number}", f"answer {number} " + "text " * 300)
        return thread.id


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}


async def refusal(folder: Path) -> StorageError:
    with pytest.raises(StorageError) as failure:
        await open_store(DataPaths(folder))
    return failure.value


# -- newer ----------------------------------------------------------------------------------------------------------


async def test_a_newer_database_is_refused_and_left_byte_for_byte(tmp_path: Path) -> None:
    await fill(tmp_path)
    with sqlite3.connect(tmp_path / "threadwell.db") as connection:
        connection.execute("PRAGMA user_version = 999")
    connection.close()
    before = contents(tmp_path)
    error = await refusal(tmp_path)
    assert error.code == "storage.newer"
    assert (error.params["found"], error.params["known"]) == (999, len(STEPS))
    assert error.params["path"] == str(tmp_path / "threadwell.db")
    assert contents(tmp_path) == before


async def test_a_newer_database_is_left_alone_also_when_only_its_log_says_so(tmp_path: Path) -> None:
    made, copied = tmp_path / "made", tmp_path / "copied"
    await fill(made)
    connection = sqlite3.connect(made / "threadwell.db", isolation_level=None)
    connection.execute("PRAGMA user_version = 999")
    copied.mkdir()
    for name in ("threadwell.db", "threadwell.db-wal"):  # as a killed process leaves them
        shutil.copy(made / name, copied / name)
    connection.close()
    assert b"\x03\xe7" not in (copied / "threadwell.db").read_bytes()[60:64]
    before = contents(copied)
    assert (await refusal(copied)).code == "storage.newer"
    assert contents(copied) == before


# -- damaged --------------------------------------------------------------------------------------------------------


def not_a_database(file: Path) -> None:
    file.write_bytes(b"these are my notes, not a database\n" * 500)


def cut_in_half(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def emptied(file: Path) -> None:
    file.write_bytes(b"")


def another_programs(file: Path) -> None:
    file.unlink()
    connection = sqlite3.connect(file)
    connection.execute("CREATE TABLE bookmarks (url TEXT)")
    connection.commit()
    connection.close()


def first_pages_zeroed(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[100:20000] = bytes(19900)
    file.write_bytes(content)


@pytest.mark.parametrize("damage", [not_a_database, cut_in_half, emptied, another_programs, first_pages_zeroed])
@set_aside_is_logged
async def test_a_damaged_database_is_kept_under_another_name_and_said_so(tmp_path: Path, damage) -> None:
    await fill(tmp_path)
    damage(tmp_path / "threadwell.db")
    damaged = (tmp_path / "threadwell.db").read_bytes()
    async with opened(tmp_path) as store:
        (notice,) = store.notices
        nothing_is_left = damage in (not_a_database, emptied, another_programs)
        assert notice.code == ("storage.damaged" if nothing_is_left else "storage.salvaged")
        kept_as = Path(str(notice.params["kept_as"]))
        assert kept_as.parent == tmp_path
        assert contents(tmp_path)[kept_as.name] == damaged
        thread = await store.threads.create_thread()
        await say(store, thread.id, "does it", "work again")
    async with opened(tmp_path) as store:
        assert store.notices == ()
        assert thread.id in [found.id for found in await store.threads.list_threads()]
    assert contents(tmp_path)[kept_as.name] == damaged


@set_aside_is_logged
async def test_the_log_of_a_damaged_database_is_kept_with_it(tmp_path: Path) -> None:
    made, copied = tmp_path / "made", tmp_path / "copied"
    async with opened(made) as store:
        await store.threads.create_thread(title="only in the log")
        shutil.copytree(made, copied)
    log = (copied / "threadwell.db-wal").read_bytes()
    assert b"only in the log" in log
    (copied / "threadwell.db").unlink()
    async with opened(copied) as store:
        (notice,) = store.notices
        kept_as = Path(str(notice.params["kept_as"]))
        assert kept_as.with_name(kept_as.name + "-wal").read_bytes() == log


@set_aside_is_logged
async def test_two_damaged_databases_in_one_second_are_both_kept(tmp_path: Path) -> None:
    for text in (b"first", b"second"):
        (tmp_path / "threadwell.db").write_bytes(text * 300)
        async with opened(tmp_path):
            pass
    kept = {content for name, content in contents(tmp_path).items() if name.startswith("threadwell.damaged-")}
    assert kept == {b"first" * 300, b"second" * 300}


@pytest.mark.allowed_log("")
async def test_whatever_bytes_are_flipped_it_starts_and_never_fails_strangely(tmp_path: Path, long_run: bool) -> None:
    thread_id = await fill(tmp_path / "sound", turns=6)
    sound = (tmp_path / "sound" / "threadwell.db").read_bytes()
    rng = random.Random(7)
    noticed = 0
    for number in range(150 if long_run else 15):
        folder = tmp_path / str(number)
        folder.mkdir()
        content = bytearray(sound)
        for _ in range(rng.choice((1, 1, 4, 50))):
            place = rng.randrange(len(content))
            if place not in range(60, 64):  # the version: a higher one is refused, which is as safe
                content[place] = rng.randrange(256)
        (folder / "threadwell.db").write_bytes(content)
        async with opened(folder) as store:
            noticed += len(store.notices)
            with contextlib.suppress(StorageError):  # said, and looked into at the next start
                await store.threads.recover()
                await store.threads.list_threads()
                await store.threads.outline(thread_id)
                await store.threads.path(thread_id)
                await store.threads.search("answer")
                thread = await store.threads.create_thread()
                await say(store, thread.id, "question", "answer")
        shutil.rmtree(folder)
    assert noticed > 0


@pytest.mark.expected_log("a text in the database is damaged")
async def test_a_damaged_text_does_not_hide_the_rest_of_its_thread(tmp_path: Path) -> None:
    thread_id = await fill(tmp_path, turns=2)
    content = (tmp_path / "threadwell.db").read_bytes()
    (tmp_path / "threadwell.db").write_bytes(content.replace(b"question 0", b"quest\xffon 0"))
    async with opened(tmp_path) as store:
        path = await store.threads.path(thread_id)
        assert [message.text[:10] for message in path] == ["quest\ufffdon 0", "answer 0 t", "question 1", "answer 1 t"]
        assert len(await store.threads.list_threads()) == 1


# -- what is in the way ---------------------------------------------------------------------------------------------


async def test_something_else_in_the_files_place_is_named(tmp_path: Path) -> None:
    database = tmp_path / "threadwell.db"
    database.mkdir()
    error = await refusal(tmp_path)
    assert (error.code, error.params["path"]) == ("storage.unwritable", str(database))
    assert "folder" in str(error.params["detail"])
    database.rmdir()

    os.mkfifo(database)
    assert (await refusal(tmp_path)).code == "storage.unwritable"
    database.unlink()

    (tmp_path / "elsewhere.db").write_bytes(b"")
    database.symlink_to(tmp_path / "elsewhere.db")
    error = await refusal(tmp_path)
    assert error.code == "storage.unwritable"
    assert "symbolic link" in str(error.params["detail"])
    assert (tmp_path / "elsewhere.db").read_bytes() == b""


async def test_a_file_in_the_folders_place_is_named(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("mine")
    for folder in (tmp_path / "data", tmp_path / "data" / "below"):
        error = await refusal(folder)
        assert error.code == "storage.unwritable"
        assert error.params["path"] == str(folder)
    assert (tmp_path / "data").read_text() == "mine"


async def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path, read_only_folder: Path) -> None:
    error = await refusal(read_only_folder / "below")
    assert error.code == "storage.unwritable"
    error = await refusal(read_only_folder)
    assert error.code == "storage.unwritable"
    assert str(read_only_folder) in str(error.params["path"])


async def test_odd_folder_names_are_fine(tmp_path: Path) -> None:
    for name in ("with blanks", "weather天气?#%20&mode=ro", "\u202eltr", os.fsdecode(b"not-utf8-\xff")):
        folder = tmp_path / name
        await fill(folder, turns=1)
        async with opened(folder) as store:
            assert len(await store.threads.list_threads()) == 1
            assert store.notices == ()


async def test_the_files_are_for_the_user_alone(tmp_path: Path) -> None:
    if os.name != "posix":
        pytest.skip("rights of this kind exist on POSIX systems only")
    async with opened(tmp_path / "data") as store:
        await store.threads.create_thread()
        assert (tmp_path / "data").stat().st_mode & 0o077 == 0
        for file in (tmp_path / "data").iterdir():
            assert file.stat().st_mode & 0o077 == 0, file.name


@pytest.mark.parametrize("value", [2**63 - 1, -(2**63), 0])
def test_a_time_beyond_the_calendar_becomes_its_nearest_end(value: int) -> None:
    moment = from_microseconds(value)
    assert moment.tzinfo is not None
    assert moment.astimezone(timezone(timedelta(hours=14))).year in (1970, 9998, 9999)
    assert moment.astimezone(timezone(timedelta(hours=-12))).year in (1969, 9998)
