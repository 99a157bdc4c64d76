"""Deleted means gone: after a purge no file of the data folder holds a byte of the thread's text."""

import asyncio
import random
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from desktop.conversation.entities import TextPart, ThreadOptions
from desktop.storage import indexes, search_index
from desktop.storage.messages import require_thread
from desktop.storage.purge import hide_for_purge
from tests.support.memory_items import item
from tests.support.sentinels import Sentinels, fill
from tests.support.stores import opened, say


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "seed" in metafunc.fixturenames:
        metafunc.parametrize("seed", range(40 if metafunc.config.getoption("long") else 4))


async def test_no_file_holds_a_word_of_a_purged_thread(tmp_path: Path, seed: int) -> None:
    rng, secret, other = random.Random(seed), Sentinels(1000 + seed), Sentinels(2000 + seed)
    async with opened(tmp_path) as store:
        kept = await store.threads.create_thread()
        gone = await store.threads.create_thread()
        for _ in range(rng.randint(1, 3)):
            await fill(store, kept.id, other, rng, turns=rng.randint(0, 5))
            await fill(store, gone.id, secret, rng, turns=rng.randint(1, 6))
        await store.threads.search(secret.words[-1])
        assert secret.left_in(tmp_path), "the test must be able to find what it looks for"

        await store.threads.delete_thread(gone.id)
        await store.threads.purge_thread(gone.id)
        assert secret.left_in(tmp_path) == set(), "while open"
        for message in await store.threads.path(kept.id):
            if words := message.text.split():
                assert [hit.message_id for hit in await store.threads.search(words[0])] == [message.id]
    assert secret.left_in(tmp_path) == set(), "closed"


async def test_an_expired_trash_is_wiped_in_the_same_way(tmp_path: Path) -> None:
    words, rng = Sentinels(1), random.Random(1)
    async with opened(tmp_path) as store:
        for _ in range(3):
            thread = await store.threads.create_thread()
            await fill(store, thread.id, words, rng, turns=2)
            await store.threads.delete_thread(thread.id)
        receipt = await store.threads.purge_deleted_before(datetime(2100, 1, 1, tzinfo=UTC))
        assert receipt.chats == 3
        assert words.left_in(tmp_path) == set()


async def test_a_purge_takes_the_copies_made_before_migrations_with_it(tmp_path: Path) -> None:
    words = Sentinels(1)
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread(title=words())
        (tmp_path / "backups").mkdir()
        (tmp_path / "backups" / "threadwell-version-1.db").write_text(words.words[0])
        await store.threads.purge_thread(thread.id)
        assert words.left_in(tmp_path) == set()


async def test_a_purge_that_was_cut_short_is_finished_at_the_next_start(tmp_path: Path) -> None:
    words, rng = Sentinels(1), random.Random(1)
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread()
        await fill(store, thread.id, words, rng, turns=3)
        # What a process leaves that dies directly after the first step of a purge.
        await store.database.write(
            lambda connection: hide_for_purge(
                connection, require_thread(connection, thread.id), thread.id, datetime(2026, 1, 1, tzinfo=UTC)
            )
        )
        assert await store.threads.get_thread(thread.id) is None
        assert await store.threads.list_threads(deleted=True) == ()
    async with opened(tmp_path) as store:
        assert words.left_in(tmp_path)
        await store.threads.recover()
        assert words.left_in(tmp_path) == set()


async def test_a_purge_goes_through_while_another_answer_streams(tmp_path: Path) -> None:
    words, rng = Sentinels(1), random.Random(1)
    async with opened(tmp_path) as store:
        thread, other = await store.threads.create_thread(), await store.threads.create_thread()
        await fill(store, thread.id, words, rng, turns=5)
        turn = await store.threads.begin_turn(other.id, "question", model="m")
        purged = asyncio.Event()
        saved = 0

        async def stream() -> None:
            nonlocal saved
            while not purged.is_set():
                saved += 1
                await store.threads.save_parts(turn.assistant_message.id, [TextPart(text="word " * saved)])
                assert len(await store.threads.path(other.id)) == 2

        async with asyncio.TaskGroup() as group:
            group.create_task(stream())
            await store.threads.purge_thread(thread.id)
            purged.set()
        assert words.left_in(tmp_path) == set()
        (answer,) = await store.threads.messages([turn.assistant_message.id])
        assert answer.text == "word " * saved


def pieces_of_indexes(folder: Path) -> dict[str, int]:
    """Return of how many pieces each full-text index is on the disk."""
    with closing(sqlite3.connect(folder / "threadwell.db")) as connection:
        query = "SELECT count(DISTINCT segid) FROM {}_idx"
        return {index.table: connection.execute(query.format(index.table)).fetchone()[0] for index in indexes.ALL}


async def test_what_holds_nothing_of_what_went_is_not_merged_again(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        gone, kept = [await store.threads.create_thread() for _ in range(2)]
        await say(store, gone.id, "of lighthouses", "and buoys")
        await store.threads.purge_thread(gone.id)
        for number in range(3):
            await say(store, kept.id, f"of owls {number}", "and otters")
        before = pieces_of_indexes(tmp_path)
        assert before["message_search"] > 1, "the test must be able to see a merge"

        empty = await store.threads.create_thread(options=ThreadOptions(is_temporary=True))
        await store.threads.purge_thread(empty.id)
        assert await store.threads.get_thread(empty.id) is None
        assert pieces_of_indexes(tmp_path) == before

        known = item("The user keeps owls.")
        await store.memory.add(known)
        await store.passages.catch_up()
        await store.memory.forget([known.id])
        assert pieces_of_indexes(tmp_path) == before, "an item is in no index of messages"

        await store.threads.purge_thread(kept.id)
        assert pieces_of_indexes(tmp_path)["message_search"] == 0


async def test_what_goes_while_an_index_is_merged_is_merged_away_too(tmp_path: Path) -> None:
    index = search_index.INDEX
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread()
        await say(store, thread.id, "of lighthouses", "and buoys")
    with closing(sqlite3.connect(tmp_path / "threadwell.db")) as connection:
        assert not index.holds_removed(connection)
        connection.execute("DELETE FROM meta WHERE key = 'message_search_merged'")
        assert index.holds_removed(connection), "nobody knows, of a file from before that was noted"
        numbers = [row[0] for row in connection.execute("SELECT seq FROM messages")]
        index.merge_step(connection, is_first=True)
        index.remove(connection, numbers[:1])
        while index.merge_step(connection, is_first=False):
            pass
        assert index.holds_removed(connection)
        is_first = True
        while index.merge_step(connection, is_first=is_first):
            is_first = False
        assert not index.holds_removed(connection)
        index.remove(connection, numbers[:1])
        assert not index.holds_removed(connection), "it was not in there any more"
        index.remove(connection, numbers)
        assert index.holds_removed(connection)
