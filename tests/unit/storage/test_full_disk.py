"""A full disk: what was saved is kept and can be read, what was begun can be ended, and deleting works."""

from pathlib import Path

import pytest

from desktop.conversation.entities import MessageStatus, TextPart
from desktop.core.errors import StorageError
from desktop.core.language_model import Usage
from desktop.storage.data_folder import BALLAST_BYTES, Ballast
from tests.support.small_disks import fill_up
from tests.support.stores import opened, say

reserve_is_logged = pytest.mark.allowed_log("reserve file", "cannot be searched", "log could not be emptied")


@reserve_is_logged
async def test_on_a_full_disk_a_running_answer_is_saved_new_ones_are_refused_and_deleting_works(
    small_disk: Path,
) -> None:
    folder = small_disk / "data"
    async with opened(folder) as store:
        thread = await store.threads.create_thread(title="Kept")
        for number in range(20):
            await say(store, thread.id, f"question {number}", "text " * 2000)
        turn = await store.threads.begin_turn(thread.id, "the last question", model="m")
        assert await store.database.checkpoint(), "a log that was moved, but not emptied, has room of its own"
        fill_up(small_disk)

        text = "shown while the disk is full " * 4000
        await store.threads.save_parts(turn.assistant_message.id, [TextPart(text=text)])
        assert not (folder / "ballast").exists()
        answer = await store.threads.finish_turn(
            turn.turn_id,
            parts=[TextPart(text=text)],
            status=MessageStatus.COMPLETE,
            reason="completed",
            usage=Usage(input_tokens=None, output_tokens=None),
            duration_seconds=1.0,
        )
        fill_up(small_disk)
        for refused in (store.threads.begin_turn(thread.id, "one more", model="m"), store.threads.create_thread()):
            with pytest.raises(StorageError) as failure:
                await refused
            assert failure.value.code == "storage.full"
        path = await store.threads.path(thread.id)
        assert len(path) == 42
        assert path[-1] == answer
        await store.threads.search("question")

        (small_disk / "filler").unlink()
        await store.threads.begin_turn(thread.id, "goes on", model="m")
        assert (folder / "ballast").stat().st_size == BALLAST_BYTES


@reserve_is_logged
async def test_on_a_full_disk_a_thread_can_be_deleted_and_purged(small_disk: Path) -> None:
    async with opened(small_disk) as store:
        thread = await store.threads.create_thread(title="Big")
        for number in range(60):
            await say(store, thread.id, f"question {number}", f"{number} text " * 4000)
        other = await store.threads.create_thread(title="Small")
        await say(store, other.id, "question", "answer")
        fill_up(small_disk)
        await store.threads.delete_thread(thread.id)
        await store.threads.purge_thread(thread.id)
        assert [t.id for t in await store.threads.list_threads()] == [other.id]
    (small_disk / "filler").unlink()
    async with opened(small_disk) as store:
        assert store.notices == ()
        assert len(await store.threads.path(other.id)) == 2


@reserve_is_logged
async def test_a_full_disk_does_not_keep_it_from_starting(small_disk: Path) -> None:
    async with opened(small_disk) as store:
        thread = await store.threads.create_thread()
        await say(store, thread.id, "question", "answer")
    fill_up(small_disk)
    async with opened(small_disk) as store:
        await store.threads.recover()
        assert len(await store.threads.path(thread.id)) == 2
        await store.threads.delete_thread(thread.id)
        await store.threads.purge_thread(thread.id)
        assert await store.threads.list_threads() == ()


@pytest.mark.allowed_log("no room for the reserve file")
async def test_a_disk_without_room_for_a_database_is_named(small_disk: Path) -> None:
    fill_up(small_disk)
    with pytest.raises(StorageError) as failure:
        async with opened(small_disk / "data"):
            pass
    assert failure.value.code in ("storage.full", "storage.unwritable")  # not even the folder may fit


async def test_a_database_that_may_not_grow_says_full_and_keeps_what_it_has(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread()
        await say(store, thread.id, "question", "answer")
        pages = await store.database.write(lambda connection: connection.execute("PRAGMA page_count").fetchone()[0])
        await store.database.write(lambda connection: connection.execute(f"PRAGMA max_page_count = {pages}").fetchone())
        with pytest.raises(StorageError) as failure:
            await store.threads.begin_turn(thread.id, "too much " * 10_000, model="m")
        assert failure.value.code == "storage.full"
        assert len(await store.threads.path(thread.id)) == 2
        await store.database.write(lambda connection: connection.execute("PRAGMA max_page_count = 100000").fetchone())
        await say(store, thread.id, "again", "fine")
        assert len(await store.threads.path(thread.id)) == 4


def test_the_reserve_is_really_reserved(tmp_path: Path) -> None:
    ballast = Ballast(tmp_path / "ballast")
    assert ballast.free() is False
    assert ballast.ensure() is True
    status = (tmp_path / "ballast").stat()
    assert status.st_size == BALLAST_BYTES
    if hasattr(status, "st_blocks"):
        assert status.st_blocks * 512 >= BALLAST_BYTES
    assert ballast.ensure() is True
    assert ballast.free() is True
    assert not ballast.exists
