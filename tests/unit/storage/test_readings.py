"""How far chats were read: with what was found or not at all, never twice, never what is gone, temporary or unfinished."""

import sqlite3
from datetime import UTC, datetime
from pathlib import Path

from desktop.conversation.entities import MessageStatus, TextPart, ThreadOptions
from desktop.core.costs import Cost
from desktop.core.language_model import NO_USAGE, Usage
from desktop.memory.candidates import Said
from desktop.memory.entities import MemorySource, MemoryStatus
from desktop.memory.ports import Found, ReadingTook
from desktop.storage.migrations import STEPS
from desktop.storage.store import Store
from tests.support.memory_items import item
from tests.support.stores import opened, say

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
READINGS_STEP = 16
"""The place of the step that makes their tables."""


async def unread_texts(store: Store, thread_id: str) -> list[str]:
    return [said.text for said in await store.readings.unread(thread_id, 10)]


async def test_what_was_said_is_unread_until_it_was_read_and_then_never_again(tmp_path: Path) -> None:
    async with opened(tmp_path, lambda: NOW) as store:
        thread = await store.threads.create_thread()
        assert await store.readings.unread_threads() == ()
        answer = await say(store, thread.id, "one", "an answer")
        await say(store, thread.id, "two", "another")
        assert await store.readings.unread_threads() == (thread.id,)
        first, second = await store.readings.unread(thread.id, 10)
        assert first == Said(message_id=str(answer.parent_id), thread_id=thread.id, text="one", at=NOW)
        assert (second.text, second.before) == ("two", "an answer")
        assert await store.readings.unread(thread.id, 1) == (first,)
        assert await store.readings.keep(thread.id, first.message_id) == ()
        assert await unread_texts(store, thread.id) == ["two"]
        fact = item("Likes tea")
        assert await store.readings.keep(thread.id, first.message_id, [Found(fact)]) == (), "it was read so far before"
        assert await store.memory.get(fact.id) is None
        assert await store.readings.keep(thread.id, second.message_id, [Found(fact)]) == (fact,)
        assert await store.readings.unread_threads() == ()
    async with opened(tmp_path) as store:
        assert await store.readings.unread_threads() == ()


async def test_what_is_still_being_answered_is_read_later_and_in_its_order(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread()
        await say(store, thread.id, "one", "an answer")
        turn = await store.threads.begin_turn(thread.id, "two", model="m")
        assert await unread_texts(store, thread.id) == ["one"]
        await store.threads.finish_turn(
            turn.turn_id,
            parts=[TextPart(text="done")],
            status=MessageStatus.STOPPED,
            reason="stopped",
            usage=NO_USAGE,
            duration_seconds=1.0,
        )
        assert await unread_texts(store, thread.id) == ["one", "two"]


async def test_neither_the_trash_nor_a_temporary_chat_is_read(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        gone = await store.threads.create_thread()
        temporary = await store.threads.create_thread(options=ThreadOptions(is_temporary=True))
        for thread in (gone, temporary):
            await say(store, thread.id, "one", "an answer")
        (said,) = await store.readings.unread(gone.id, 10)
        await store.threads.delete_thread(gone.id)
        assert await store.readings.unread_threads() == ()
        assert await unread_texts(store, gone.id) == await unread_texts(store, temporary.id) == []
        assert await store.readings.keep(gone.id, said.message_id, [Found(item("Likes tea"))]) == ()
        await store.threads.restore_thread(gone.id)
        assert await unread_texts(store, gone.id) == ["one"]


async def test_what_counts_as_read_is_not_read(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        first, second = await store.threads.create_thread(), await store.threads.create_thread()
        for thread in (first, second):
            await say(store, thread.id, "one", "an answer")
        await store.readings.skip(first.id)
        assert await store.readings.unread_threads() == (second.id,)
        await say(store, first.id, "two", "an answer")
        assert await unread_texts(store, first.id) == ["two"]
        await store.readings.skip()
        assert await store.readings.unread_threads() == ()


async def test_what_takes_a_place_closes_it_and_what_waits_does_not(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread()
        old = item("Lives in Bonn")
        await store.memory.add(old)
        for text in ("one", "two", "three"):
            await say(store, thread.id, text, "an answer")
        first, second, third = [said.message_id for said in await store.readings.unread(thread.id, 10)]
        waiting = item("Lives in Oslo", supersedes_id=old.id, status=MemoryStatus.PENDING)
        assert await store.readings.keep(thread.id, first, [Found(waiting)]) == (waiting,)
        assert await store.memory.get(old.id) == old
        new = item("Lives in Ghent", supersedes_id=old.id)
        assert await store.readings.keep(thread.id, second, [Found(new)]) == (new,)
        closed = await store.memory.get(old.id)
        assert closed is not None
        assert (closed.status, closed.valid_to) == (MemoryStatus.SUPERSEDED, new.observed_at)
        (lone,) = await store.readings.keep(thread.id, third, [Found(item("Lives in Rome", supersedes_id="gone"))])
        assert lone.supersedes_id is None


async def test_what_was_forgotten_is_not_taken_in(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread()
        await say(store, thread.id, "I live in Bonn, and I like tea.", "an answer")
        (said,) = await store.readings.unread(thread.id, 10)
        home = item(
            "I live in Bonn",
            source=MemorySource(thread_id=thread.id, message_id=said.message_id, quote="I live in Bonn"),
        )
        await store.memory.add(home)
        await store.memory.forget([home.id])
        again = item(
            "The home is Bonn",
            source=MemorySource(thread_id=thread.id, message_id=said.message_id, quote="live in Bonn"),
        )
        tea = item(
            "I like tea", source=MemorySource(thread_id=thread.id, message_id=said.message_id, quote="I like tea")
        )
        assert await store.readings.keep(thread.id, said.message_id, [Found(again), Found(tea)]) == (tea,)


async def test_what_it_took_is_counted_and_goes_with_the_chat(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread()
        await say(store, thread.id, "one", "an answer")
        (said,) = await store.readings.unread(thread.id, 10)
        took = ReadingTook(
            model="m", usage=Usage(input_tokens=100, output_tokens=7), cost=Cost(amount=0.25, currency="EUR")
        )
        await store.readings.keep(thread.id, said.message_id, took=took)
        total = next(each for each in await store.threads.usage_totals() if each.cost is not None)
        assert (total.model, total.input_tokens, total.output_tokens) == ("m", 100, 7)
        assert total.cost == Cost(amount=0.25, currency="EUR")
        await store.threads.delete_thread(thread.id)
        await store.threads.purge_thread(thread.id)
        for table in ("readings", "reading_costs"):
            query = f"SELECT count(*) FROM {table}"
            assert await store.database.read(lambda c, query=query: c.execute(query).fetchone()) == (0,)


def test_what_was_said_before_there_was_memory_counts_as_read(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "old.db")
    for step in STEPS[:READINGS_STEP]:
        step(connection)
    connection.execute(
        "INSERT INTO threads (seq, id, title, created_at, updated_at, change_seq) VALUES (1, 't', '', 0, 0, 1)"
    )
    connection.executemany(
        "INSERT INTO messages (seq, id, thread_seq, role, status, created_at, updated_at)"
        " VALUES (?, ?, 1, 'user', 'complete', 0, 0)",
        [(2, "a"), (3, "b")],
    )
    STEPS[READINGS_STEP](connection)
    assert connection.execute("SELECT thread_seq, until_seq FROM readings").fetchall() == [(1, 3)]
    connection.close()
