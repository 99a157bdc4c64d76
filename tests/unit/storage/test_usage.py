"""What the data folder tells about itself: counts of the database, sizes of the files."""

from pathlib import Path

from desktop.conversation.service import ConversationService
from desktop.core.paths import DataPaths
from desktop.storage.store import Store, open_store


async def add_thread(store: Store, text: str) -> str:
    thread = await store.threads.create_thread()
    await store.threads.begin_turn(thread.id, text, model="scripted")
    return thread.id


async def test_threads_messages_and_the_trash_are_counted_apart(tmp_path: Path) -> None:
    store = await open_store(DataPaths(tmp_path))
    try:
        await add_thread(store, "one")
        await add_thread(store, "two")
        await store.threads.delete_thread(await add_thread(store, "three"))
        usage = await store.data.usage()
        assert (usage.threads, usage.messages, usage.trashed) == (2, 4, 1)
    finally:
        await store.close()


async def test_sizes_are_those_of_the_files_and_links_are_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "large").write_bytes(b"x" * 1_000_000)
    paths = DataPaths(tmp_path / "data")
    store = await open_store(paths)
    try:
        (paths.logs).mkdir(exist_ok=True)
        before = await store.data.usage()
        (paths.logs / "threadwell.log").write_bytes(b"x" * 5000)
        (paths.root / "other").write_bytes(b"x" * 700)
        (paths.root / "link").symlink_to(outside)
        after = await store.data.usage()
        assert after.log_bytes - before.log_bytes >= 5000
        assert after.reserve_bytes > 1_000_000
        assert 5700 <= after.total_bytes - before.total_bytes < 20_000
        assert 0 < after.database_bytes <= after.total_bytes
    finally:
        await store.close()


async def test_emptying_the_trash_removes_all_of_it_and_nothing_else(tmp_path: Path) -> None:
    store = await open_store(DataPaths(tmp_path))
    try:
        conversations = ConversationService(store.threads)
        kept = await add_thread(store, "kept")
        trashed = [await add_thread(store, f"secret word {number}") for number in range(3)]
        for thread_id in trashed:
            await conversations.delete(thread_id)
        removed: list[str] = []
        emptied: list[bool] = []
        conversations.thread_removed.connect(lambda thread_id: removed.append(thread_id))
        conversations.trash_emptied.connect(lambda: emptied.append(True))
        assert (await conversations.purge_trash()).chats == 3
        assert sorted(removed) == sorted(trashed)
        assert emptied == [True]
        assert await conversations.list_trash() == ()
        assert [thread.id for thread in await conversations.list_threads()] == [kept]
    finally:
        await store.close()
    assert b"secret word" not in (tmp_path / "threadwell.db").read_bytes()


async def test_a_linked_folder_and_a_very_deep_one_are_counted(tmp_path: Path) -> None:
    real, depth = tmp_path / "real", 600
    real.mkdir()
    (tmp_path / "link").symlink_to(real)
    store = await open_store(DataPaths(tmp_path / "link"))
    folders = [real / ("d/" * level) for level in range(1, depth)]
    try:
        before = await store.data.usage()
        assert before.total_bytes > before.reserve_bytes > 1_000_000
        for folder in folders:
            folder.mkdir()
        (folders[-1] / "file").write_bytes(b"x" * 100_000)
        after = await store.data.usage()
        assert after.total_bytes - before.total_bytes >= 100_000
    finally:
        await store.close()
        (folders[-1] / "file").unlink()
        for folder in reversed(folders):  # pytest's own removal goes one level deeper by a call of its own
            folder.rmdir()
