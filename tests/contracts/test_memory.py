"""What every store of what is remembered promises, held against SQLite and against the fake that other tests use."""

import dataclasses
import sqlite3
import struct
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from desktop.conversation.assistants.entities import Assistant
from desktop.conversation.entities import Message, MessageStatus, TextPart, ThreadOptions
from desktop.conversation.ports import ThreadRepository
from desktop.core.errors import StorageError
from desktop.core.language_model import NO_USAGE
from desktop.core.paths import DataPaths
from desktop.memory.entities import (
    Author,
    MemoryKind,
    MemorySource,
    MemoryStatus,
    Passage,
    PassageKind,
    RecallScope,
)
from desktop.memory.ports import MemoryRepository, PassageStore, Vector, key_of
from desktop.storage.store import open_store
from tests.support.in_memory_memory import InMemoryMemory
from tests.support.in_memory_threads import InMemoryThreadRepository
from tests.support.memory_items import NOW, is_forgotten, item

FACT, MESSAGE = PassageKind.FACT, PassageKind.MESSAGE
EVERYWHERE = RecallScope()


@dataclass
class World:
    threads: ThreadRepository
    memory: MemoryRepository
    passages: PassageStore

    async def say(self, thread_id: str, question: str, answer: str) -> Message:
        turn = await self.threads.begin_turn(thread_id, question, model="m")
        return await self.finish(turn.turn_id, answer)

    async def finish(self, turn_id: str, answer: str) -> Message:
        return await self.threads.finish_turn(
            turn_id,
            parts=[TextPart(text=answer)] if answer else [],
            status=MessageStatus.COMPLETE,
            reason="completed",
            usage=NO_USAGE,
            duration_seconds=1.0,
        )

    async def texts(self, query: str, kind: PassageKind = MESSAGE, scope: RecallScope = EVERYWHERE) -> list[str]:
        hits = await self.passages.by_words(query, kind, 50, scope)
        found = await self.passages.passages(kind, [hit.passage_id for hit in hits], scope)
        return [found[hit.passage_id].text for hit in hits]


@asynccontextmanager
async def sqlite_world(folder: Path) -> AsyncIterator[World]:
    store = await open_store(DataPaths(folder), lambda: NOW)
    try:
        yield World(store.threads, store.memory, store.passages)
    finally:
        await store.close()


@asynccontextmanager
async def in_memory_world(folder: Path) -> AsyncIterator[World]:
    threads = InMemoryThreadRepository(clock=lambda: NOW)
    memory = InMemoryMemory(threads, clock=lambda: NOW)
    yield World(threads, memory, memory)


OpenWorld = Callable[[], AbstractAsyncContextManager[World]]


@pytest.fixture(params=[sqlite_world, in_memory_world], ids=["sqlite", "in_memory"])
def open_world(request: pytest.FixtureRequest, tmp_path: Path) -> OpenWorld:
    return lambda: request.param(tmp_path / "data")


def vector(*numbers: float) -> Vector:
    return struct.pack(f"<{len(numbers)}f", *numbers)


def unpacked(stored: Vector) -> list[float]:
    return list(struct.unpack(f"<{len(stored) // 4}f", stored))


# -- items ------------------------------------------------------------------------------------------------------------


async def test_an_item_comes_back_as_it_was(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        full = item(
            "用户住在上海 🏙",
            kind=MemoryKind.IDENTITY,
            author=Author.WRITTEN,
            status=MemoryStatus.PENDING,
            importance=0.9,
            is_pinned=True,
            only_thread_id=thread.id,
            source=MemorySource(thread_id=thread.id, message_id="m1", quote="我住在上海"),
            valid_to=NOW,
            supersedes_id="older",
            used_count=3,
            last_used_at=NOW,
        )
        await world.memory.add(full)
        assert await world.memory.get(full.id) == full
        changed = dataclasses.replace(full, text="用户住在北京", status=MemoryStatus.ACTIVE, is_pinned=False)
        await world.memory.update(changed)
        assert await world.memory.get(full.id) == changed
        assert await world.memory.get("unknown") is None


async def test_many_items_are_stored_changed_and_read_together_or_not_at_all(open_world: OpenWorld) -> None:
    async with open_world() as world:
        first, second, third = item("First"), item("Second"), item("Third")
        await world.memory.add(first, second)
        with pytest.raises((StorageError, sqlite3.Error)):
            await world.memory.add(third, first)  # the id is taken
        assert await world.memory.get_all([third.id, second.id, "unknown", first.id]) == {
            second.id: second,
            first.id: first,
        }
        assert [*await world.memory.get_all([second.id, first.id])] == [second.id, first.id]
        changed = [dataclasses.replace(one, text=f"{one.text} again") for one in (first, third, second)]
        await world.memory.update(*changed)  # one is not there: nothing happens with it
        assert await world.memory.search() == (changed[2], changed[0])
        receipt = await world.memory.forget([first.id], changed=[second])
        assert receipt.items == 1
        assert await world.memory.search() == (second,)


async def test_items_are_listed_pinned_and_newest_first_and_found_by_all_words(open_world: OpenWorld) -> None:
    async with open_world() as world:
        first, second, third = item("Likes green tea"), item("喜欢绿茶 tea", is_pinned=True), item("Hates black tea")
        old = item("Liked milk", status=MemoryStatus.SUPERSEDED)
        for one in (first, second, third, old):
            await world.memory.add(one)
        assert await world.memory.search() == (second, third, first)
        assert await world.memory.search("tea gre") == (first,)
        assert await world.memory.search("绿茶") == (second,)
        assert await world.memory.search(statuses=[MemoryStatus.SUPERSEDED]) == (old,)
        assert await world.memory.search(limit=1, offset=1) == (third,)
        assert await world.memory.search(statuses=[]) == ()
        wish = item("Always answer briefly", kind=MemoryKind.WISH)
        await world.memory.add(wish)
        assert await world.memory.search(kinds=[MemoryKind.WISH]) == (wish,)
        assert wish not in await world.memory.search(kinds=[MemoryKind.FACT, MemoryKind.PLAN])


async def test_use_is_counted(open_world: OpenWorld) -> None:
    async with open_world() as world:
        one = item("Likes tea")
        await world.memory.add(one)
        await world.memory.note_use([one.id, one.id, "gone"])
        await world.memory.note_use([one.id])
        used = await world.memory.get(one.id)
        assert used == dataclasses.replace(one, used_count=2, last_used_at=NOW)


async def test_the_items_of_messages_are_found_whatever_became_of_them(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()

        def of(message_id: str) -> MemorySource:
            return MemorySource(thread_id=thread.id, message_id=message_id, quote="said")

        first = item("Lives in Bonn", source=of("m1"), status=MemoryStatus.SUPERSEDED)
        second, other = item("Waits", source=of("m2"), status=MemoryStatus.PENDING), item("Another", source=of("m3"))
        for one in (first, second, other, item("Written by hand")):
            await world.memory.add(one)
        assert await world.memory.of_messages(["m2", "m1", "m1", "unknown"]) == (first, second)
        assert await world.memory.of_messages([]) == ()


# -- forgetting -------------------------------------------------------------------------------------------------------


async def test_what_was_forgotten_is_known_again_by_text_quote_or_place(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        turn = await world.threads.begin_turn(thread.id, "I have a cat named Mimi, and I live in Bonn. Yes.", model="m")
        said = turn.user_message.id
        cat = item(
            "The user has a cat named Mimi.",
            source=MemorySource(thread_id=thread.id, message_id=said, quote="a cat named Mimi"),
        )
        yes = item("Agreed.", source=MemorySource(thread_id=thread.id, message_id=said, quote="Yes"))
        for one in (cat, yes):
            await world.memory.add(one)
        assert not await is_forgotten(world.memory, cat.text, "a cat named Mimi", message_id=said)
        assert await world.memory.forgotten([cat]) == frozenset()
        assert {one.id for one in await world.memory.from_threads([thread.id])} >= {cat.id}
        receipt = await world.memory.forget([cat.id, yes.id, "unknown"])
        assert (receipt.items, receipt.quotes, receipt.waits) == (2, 2, False)
        assert (await world.memory.forget([cat.id])).is_empty
        assert await world.memory.get(cat.id) is None
        known = partial(is_forgotten, world.memory)
        assert await known("the user has  a CAT named Mimi")
        assert await known("Mimi is a cat", "A cat named Mimi")
        assert await known("Owns Mimi", "I have a cat", message_id=said), "another piece of the same clause"
        assert not await known("Lives in Bonn", "I live in Bonn", message_id=said)
        assert not await known("Owns Mimi", "I have a cat", message_id="another message")
        assert not await known("Wants to go on", "yes"), "too short to be known wherever it is said"
        assert not await known("")


# -- words ------------------------------------------------------------------------------------------------------------


async def test_messages_are_found_by_their_words_and_by_what_was_said_before(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        await world.say(thread.id, "Which town has the zeppelin museum?", "Friedrichshafen, at the lake.")
        await world.say(thread.id, "今天天气怎么样？", "晴天，适合出门。")
        assert await world.texts("When was the zeppelin?") == [
            "Which town has the zeppelin museum?",
            "Friedrichshafen, at the lake.",
        ]
        assert await world.texts("明天的天气") == ["今天天气怎么样？", "晴天，适合出门。"]
        assert await world.texts("") == []
        assert await world.texts("what is the") == [], "nothing but words that say nothing"
        assert await world.texts('" OR * NEAR ( : -') == []
        (best, other) = await world.passages.by_words("zeppelin museum", MESSAGE, 50, EVERYWHERE)
        assert best.bm25 > other.bm25
        assert best.shared == other.shared == 1.0
        assert len(await world.passages.by_words("zeppelin", MESSAGE, 1, EVERYWHERE)) == 1
        assert await world.passages.count(MESSAGE) == 4


async def test_a_passage_says_where_it_stands(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        answer = await world.say(thread.id, "a" * 500, "zeppelin")
        (passage,) = (await world.passages.passages(MESSAGE, [answer.id, "unknown"], EVERYWHERE)).values()
        assert passage == Passage(
            kind=MESSAGE,
            id=answer.id,
            text="zeppelin",
            at=NOW,
            thread_id=thread.id,
            speaker="assistant",
            before="a" * 300,
        )


async def test_an_answer_is_found_when_it_is_finished_and_as_it_was_continued(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        turn = await world.threads.begin_turn(thread.id, "question", model="m")
        answer = turn.assistant_message.id
        await world.threads.save_parts(answer, [TextPart(text="zeppelin")])
        assert await world.texts("zeppelin") == []
        await world.finish(turn.turn_id, "zeppelin")
        assert await world.texts("zeppelin") == ["zeppelin"]
        again = await world.threads.reopen_turn(answer, model="m", parts=[TextPart(text="zeppelin and")])
        assert await world.texts("zeppelin") == []
        await world.finish(again.turn_id, "zeppelin and balloon")
        assert await world.texts("balloon") == ["zeppelin and balloon"]


async def test_what_lies_in_the_trash_is_not_found_until_it_is_back(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        answer = await world.say(thread.id, "hello there", "zeppelin")
        await world.threads.delete_thread(thread.id)
        assert await world.texts("zeppelin") == []
        assert await world.passages.passages(MESSAGE, [answer.id], EVERYWHERE) == {}
        await world.threads.restore_thread(thread.id)
        assert await world.texts("zeppelin") == ["zeppelin"]
        await world.threads.delete_thread(thread.id)
        await world.threads.purge_thread(thread.id)
        assert await world.texts("zeppelin") == []
        assert await world.passages.count(MESSAGE) == 0


async def test_of_a_tree_only_the_shown_path_is_found(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        first = await world.say(thread.id, "question", "first zeppelin")
        turn = await world.threads.add_answer(first.id, model="m", chosen=True)
        await world.finish(turn.turn_id, "second zeppelin")
        assert await world.texts("zeppelin") == ["second zeppelin"]
        await world.threads.choose_answer(first.id)
        assert await world.texts("zeppelin") == ["first zeppelin"]


async def test_a_scope_leaves_out_what_is_sent_anyway_and_other_threads(open_world: OpenWorld) -> None:
    async with open_world() as world:
        here, there = await world.threads.create_thread(), await world.threads.create_thread()
        mine = await world.say(here.id, "hello there", "zeppelin here")
        await world.say(there.id, "hello there", "zeppelin there")
        only = RecallScope(thread_id=here.id, only_this_thread=True)
        assert await world.texts("zeppelin", scope=only) == ["zeppelin here"]
        sent = RecallScope(thread_id=here.id, sent=frozenset({mine.id}))
        assert await world.texts("zeppelin", scope=sent) == ["zeppelin there"]


async def test_an_assistant_may_be_told_of_its_own_chats_alone(open_world: OpenWorld) -> None:
    async with open_world() as world:
        mine = ThreadOptions(assistant=Assistant(id="a", name="A"))
        here, earlier = await world.threads.create_thread(options=mine), await world.threads.create_thread(options=mine)
        other = await world.threads.create_thread(options=ThreadOptions(assistant=Assistant(id="b", name="B")))
        usual = await world.threads.create_thread()
        for name, thread in (("here", here), ("earlier", earlier), ("other", other), ("usual", usual)):
            await world.say(thread.id, "hello there", f"zeppelin {name}")
            source = MemorySource(thread_id=thread.id, message_id="m", quote="q")
            await world.memory.add(item(f"balloon {name}", source=source))
        own = RecallScope(thread_id=here.id, only_assistant="a")
        assert sorted(await world.texts("zeppelin", scope=own)) == ["zeppelin earlier", "zeppelin here"]
        assert sorted(await world.texts("balloon", FACT, own)) == ["balloon earlier", "balloon here"]
        await world.threads.set_thread_options(earlier.id, ThreadOptions())
        assert await world.texts("balloon", FACT, own) == ["balloon here"]


async def test_facts_count_while_they_are_active_and_where_they_belong(open_world: OpenWorld) -> None:
    async with open_world() as world:
        here, there = await world.threads.create_thread(), await world.threads.create_thread()
        source = MemorySource(thread_id=there.id, message_id="m", quote="q")
        everywhere, only_here = item("zeppelin one", source=source), item("zeppelin two", only_thread_id=here.id)
        waiting = item("zeppelin three", status=MemoryStatus.PENDING)
        for one in (everywhere, only_here, waiting):
            await world.memory.add(one)
        assert await world.texts("zeppelin", FACT) == ["zeppelin one"]
        assert sorted(await world.texts("zeppelin", FACT, RecallScope(thread_id=here.id))) == [
            "zeppelin one",
            "zeppelin two",
        ]
        only = RecallScope(thread_id=here.id, only_this_thread=True)
        assert await world.texts("zeppelin", FACT, only) == ["zeppelin two"]
        await world.memory.update(dataclasses.replace(waiting, status=MemoryStatus.ACTIVE, text="balloon"))
        assert await world.texts("balloon", FACT) == ["balloon"]
        assert "balloon" not in await world.texts("zeppelin", FACT)
        await world.memory.forget([everywhere.id])
        assert await world.texts("zeppelin", FACT) == []


async def test_a_purged_thread_takes_its_own_items_and_all_quotes_from_it(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        own = item("Only here", only_thread_id=thread.id)
        source = MemorySource(thread_id=thread.id, message_id="m", quote="I like tea")
        kept = item("Likes tea", source=source)
        for one in (own, kept):
            await world.memory.add(one)
        await world.threads.purge_thread(thread.id)
        assert await world.memory.get(own.id) is None
        assert await world.memory.get(kept.id) == dataclasses.replace(
            kept, source=dataclasses.replace(source, quote="")
        )


# -- vectors ----------------------------------------------------------------------------------------------------------


async def test_vectors_are_kept_for_what_still_says_the_same(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        answer = await world.say(thread.id, "question", "zeppelin")
        kept, gone, changed = item("kept"), item("gone"), item("changed")
        for one in (kept, gone, changed):
            await world.memory.add(one)
        waiting = await world.passages.without_vector("e", 10)
        assert [passage.text for passage in waiting] == ["changed", "gone", "kept", "zeppelin", "question"]
        assert [p.text for p in await world.passages.without_vector("e", 2)] == ["changed", "gone"]
        await world.memory.forget([gone.id])
        await world.memory.update(dataclasses.replace(changed, text="another"))
        await world.passages.put_vectors("e", [(passage, vector(0.6, 0.8)) for passage in waiting])
        assert [passage.text for passage in await world.passages.without_vector("e", 10)] == ["another"]
        stored = await world.passages.vectors(FACT, [kept.id, gone.id, changed.id], "e")
        assert list(stored) == [kept.id]
        assert unpacked(stored[kept.id]) == pytest.approx([0.6, 0.8], abs=0.01)
        assert await world.passages.vectors(MESSAGE, [answer.id], "another embedder") == {}
        assert len(await world.passages.without_vector("another embedder", 10)) == 4


async def test_all_vectors_come_in_the_order_of_their_keys_page_by_page(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        await world.say(thread.id, "question", "answer")
        for text in ("one", "two", "three"):
            await world.memory.add(item(text))
        waiting = await world.passages.without_vector("e", 10)
        await world.passages.put_vectors("e", [(passage, vector(1, 0)) for passage in waiting])
        wanted = sorted(key_of(passage.kind, passage.id) for passage in waiting)
        pages: list[list[str]] = []
        last = ""
        while page := await world.passages.all_vectors("e", last, 2):
            pages.append([key for key, _ in page])
            last = pages[-1][-1]
        assert [key for page in pages for key in page] == wanted
        assert list(map(len, pages)) == [2, 2, 1]
        assert await world.passages.vector_keys("e") == frozenset(wanted)
        await world.passages.keep_vectors_of("other")
        assert await world.passages.vector_keys("e") == frozenset()


async def test_what_an_index_has_to_follow_stays_until_it_is_settled(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        answer = await world.say(thread.id, "question", "answer")
        fact = item("fact")
        await world.memory.add(fact)
        assert await world.passages.vector_changes("e", 10) == []
        waiting = await world.passages.without_vector("e", 10)
        await world.passages.put_vectors("e", [(passage, vector(1, 0)) for passage in waiting])
        changes = await world.passages.vector_changes("e", 10)
        assert {change.key for change in changes} == {key_of(p.kind, p.id) for p in waiting}
        assert all(change.vector == vector(1, 0) and not change.erases for change in changes)
        await world.threads.reopen_turn(answer.id, model="m", parts=[TextPart(text="answer and")])
        await world.memory.forget([fact.id])
        now = {change.key: change for change in await world.passages.vector_changes("e", 10)}
        assert now[key_of(MESSAGE, answer.id)].vector is None
        assert not now[key_of(MESSAGE, answer.id)].erases, "its text is still there"
        assert now[key_of(FACT, fact.id)].vector is None
        assert now[key_of(FACT, fact.id)].erases
        await world.passages.settle(changes)
        left = {change.key for change in await world.passages.vector_changes("e", 10)}
        assert left == {key_of(MESSAGE, answer.id), key_of(FACT, fact.id)}, "they changed again meanwhile"
        await world.passages.settle(list(now.values()))
        assert await world.passages.vector_changes("e", 10) == []
