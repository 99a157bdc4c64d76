"""What every store finds in all chats, held against SQLite and against the fake: places, filters, pages, what is left out."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from desktop.conversation.entities import (
    AttachmentKind,
    AttachmentPart,
    Message,
    MessageStatus,
    Part,
    ResultStatus,
    SearchHit,
    TextPart,
    Thread,
    ThreadOptions,
    ToolCallPart,
    ToolResultPart,
)
from desktop.conversation.lists import Place, ThreadListRepository
from desktop.conversation.plans import InstructionPart, PlanPart, PlanStep
from desktop.conversation.ports import AttachmentStore, ThreadRepository
from desktop.conversation.search_filters import read_search
from desktop.conversation.search_service import ChatSearch
from desktop.core.language_model import Usage
from desktop.core.paths import DataPaths
from desktop.storage.store import open_store
from tests.support.in_memory_lists import InMemoryThreadLists
from tests.support.in_memory_search import InMemoryChatSearch
from tests.support.in_memory_threads import InMemoryThreadRepository


@dataclass
class Clock:
    now: datetime = datetime(2026, 3, 10, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **by: float) -> None:
        self.now += timedelta(**by)


@dataclass
class World:
    threads: ThreadRepository
    search: ChatSearch
    lists: ThreadListRepository
    attachments: AttachmentStore
    clock: "Clock"

    async def say(
        self,
        thread: Thread,
        question: str,
        *parts: Part | str,
        model: str = "m",
        files: tuple[AttachmentPart, ...] = (),
    ) -> Message:
        turn = await self.threads.begin_turn(thread.id, question, model=model, attachments=files)
        return await self.threads.finish_turn(
            turn.turn_id,
            parts=[TextPart(text=part) if isinstance(part, str) else part for part in parts],
            status=MessageStatus.COMPLETE,
            reason="completed",
            usage=Usage(input_tokens=None, output_tokens=None),
            duration_seconds=1.0,
        )

    async def find(self, text: str, thread_id: str = "") -> list[SearchHit]:
        folders = {folder.name: folder.id for folder in await self.lists.folders()}
        wish = read_search(text, self.clock().astimezone(), folders=folders)
        hits: list[SearchHit] = []
        older: int | None = None
        while True:
            page = await self.search.find(wish, older=older, thread_id=thread_id)
            hits += page.hits
            older = page.older
            if older is None:
                return hits

    async def snippets(self, text: str) -> list[str]:
        return [hit.snippet for hit in await self.find(text)]


OpenWorld = Callable[[], AbstractAsyncContextManager[World]]


async def test_what_a_plan_says_is_found_and_what_the_app_told_the_model_is_not(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread(title="t")
        plan = PlanPart(steps=(PlanStep(text="Weigh the hedgehog"), PlanStep(text="给刺猬称重")))
        told = InstructionPart(text="Carry out the marmalade step", place=0)
        message = await world.say(thread, "q", plan, told, "It is light.")
        assert [hit.message_id for hit in await world.find("hedgehog")] == [message.id]
        assert [hit.message_id for hit in await world.find("刺猬")] == [message.id]
        assert await world.find("marmalade") == []


@asynccontextmanager
async def sqlite_world(folder: Path) -> AsyncIterator[World]:
    clock = Clock()
    store = await open_store(DataPaths(folder), clock)
    try:
        yield World(store.threads, store.search, store.lists, store.attachments, clock)
    finally:
        await store.close()


@asynccontextmanager
async def in_memory_world(_folder: Path) -> AsyncIterator[World]:
    clock = Clock()
    threads = InMemoryThreadRepository(clock=clock)
    yield World(threads, InMemoryChatSearch(threads), InMemoryThreadLists(threads), threads.attachments, clock)


@pytest.fixture(params=[sqlite_world, in_memory_world], ids=["sqlite", "in_memory"])
def open_world(request: pytest.FixtureRequest, tmp_path: Path) -> OpenWorld:
    return lambda: request.param(tmp_path / "data")


def call(call_id: str, name: str, arguments: str, result: str) -> tuple[Part, Part]:
    return (
        ToolCallPart(call_id=call_id, name=name, arguments=arguments),
        ToolResultPart(call_id=call_id, status=ResultStatus.OK, text=result, duration_seconds=0.1),
    )


async def test_tool_calls_are_found_by_name_argument_and_result_and_say_which_call_it_was(
    open_world: OpenWorld,
) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread(title="Files")
        answer = await world.say(
            thread,
            "look around",
            *call("a", "list_folder", '{"path": "/srv/pelican"}', "one\ntwo"),
            *call("b", "read_file", '{"path": "notes"}', "the heron stands 水边"),
            "done",
        )
        for text, call_id in (
            ("pelican", "a"),
            ("list_fold", "a"),
            ("heron", "b"),
            ("read_file heron", "b"),
            ("水", "b"),
        ):
            (hit,) = await world.find(text)
            assert (hit.thread_id, hit.message_id, hit.call_id) == (thread.id, answer.id, call_id), text
            assert hit.highlights
        assert [hit.call_id for hit in await world.find("done")] == [""]


async def test_places_keep_to_titles_messages_or_tools(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread(title="heron title")
        await world.say(thread, "heron asked", *call("a", "find_heron", "{}", "none"), "heron answered")
        assert len(await world.find("heron")) == 4
        assert [hit.message_id for hit in await world.find("heron in:title")] == [None]
        assert [hit.call_id for hit in await world.find("in:tools heron")] == ["a"]
        assert await world.snippets("heron in:messages") == ["heron answered", "heron asked"]
        assert len(await world.find("heron in:title in:tools")) == 2
        assert await world.find("heron in:memory") == []


async def test_filters_say_who_what_when_and_which_model(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread(title="t")
        key = await world.attachments.add(b"text", suffix=".txt")
        file = AttachmentPart(
            attachment_id=key, kind=AttachmentKind.TEXT, name="heron.txt", media_type="text/plain", size=4, text="text"
        )
        await world.say(thread, "plain heron", "```py\nheron = 1\n```", model="Qwen3-8B")
        world.clock.advance(days=40)
        await world.say(
            thread, "with a file heron", *call("a", "heron", "{}", "x"), "heron", model="llama", files=(file,)
        )
        assert await world.snippets("heron from:me") == ["with a file heron heron.txt text", "plain heron"]
        assert len(await world.find("heron from:model in:messages")) == 2
        assert await world.snippets("heron has:code") == ["```py heron = 1 ```"]
        assert [hit.role for hit in await world.find("heron 含：文件")] == ["user"]
        assert {hit.message_id for hit in await world.find("heron has:tool")} == {
            hit.message_id for hit in await world.find("model:LLAMA heron")
        }
        assert await world.snippets("heron model:qwen") == ["```py heron = 1 ```"]
        assert await world.snippets("heron before:2026-04 from:me") == ["plain heron"]
        assert len(await world.find("heron 早于：2026年4月 来自:我")) == 1
        assert await world.snippets("heron after:2026-04-19 from:me") == ["with a file heron heron.txt text"]
        assert await world.find("heron on:2026-04-18") == []
        assert len(await world.find("heron on:2026-04-19 in:messages")) == 2
        assert await world.find("heron before:2026-02") == []


async def test_filters_alone_find_the_messages_that_they_name(open_world: OpenWorld) -> None:
    async with open_world() as world:
        first = await world.threads.create_thread(title="first")
        second = await world.threads.create_thread(title="second")
        await world.say(first, "one", *call("a", "look", "{}", "x"), "two")
        await world.say(second, "three", "four")
        assert [hit.call_id for hit in await world.find("has:tool")] == ["a"]
        assert await world.snippets("from:me") == ["three", "one"]
        assert [hit.thread_title for hit in await world.find("in:title")] == ["second", "first"]
        assert await world.find("in:trash") == []
        await world.threads.delete_thread(first.id)
        assert [hit.thread_title for hit in await world.find("in:trash")] == ["first"]


async def test_the_trash_the_archive_and_folders_are_looked_through_where_they_are_named(open_world: OpenWorld) -> None:
    async with open_world() as world:
        plain, filed, put_away, gone = [await world.threads.create_thread(title=f"heron {n}") for n in range(4)]
        folder = await world.lists.create_folder("Big Work")
        await world.lists.set_places({filed.id: Place(folder_id=folder.id)})
        await world.lists.set_places({put_away.id: Place(archived_at=world.clock())})
        await world.threads.delete_thread(gone.id)
        assert {hit.thread_id for hit in await world.find("heron")} == {plain.id, filed.id, put_away.id}
        assert [hit.thread_id for hit in await world.find('heron in:"Big Work"')] == [filed.id]
        assert [hit.thread_id for hit in await world.find("heron in:archive")] == [put_away.id]
        assert [hit.thread_id for hit in await world.find("heron 在：回收站")] == [gone.id]


async def test_a_hit_says_whether_its_chat_is_archived_or_in_the_trash(open_world: OpenWorld) -> None:
    async with open_world() as world:
        plain, put_away, gone = [await world.threads.create_thread(title=f"heron {n}") for n in range(3)]
        for thread in (plain, put_away, gone):
            await world.say(thread, "a heron", ToolCallPart(call_id="c", name="look", arguments='{"at": "heron"}'))
        await world.lists.set_places({key.id: Place(archived_at=world.clock()) for key in (put_away, gone)})
        await world.threads.delete_thread(gone.id)
        hits = await world.find("heron")
        assert len(hits) == 6, "the title, the question and the call of both"
        assert {(hit.thread_id, hit.is_archived, hit.is_deleted) for hit in hits} == {
            (plain.id, False, False),
            (put_away.id, True, False),
        }
        assert {(hit.thread_id, hit.is_archived, hit.is_deleted) for hit in await world.find("heron in:trash")} == {
            (gone.id, True, True)
        }


async def test_a_quoted_phrase_is_whole_and_a_filter_in_quotes_is_text(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        await world.say(thread, "green tea leaves", "leaves of green things, and tea in:title")
        assert await world.snippets('"green tea"') == ["green tea leaves"]
        assert await world.snippets("“green tea”") == ["green tea leaves"]
        assert await world.snippets('"green te"') == [], "what is closed is no beginning"
        assert await world.snippets('"in:title"') == ["leaves of green things, and tea in:title"]
        assert len(await world.find("foo:bar")) == 0
        assert len(await world.find("tea nothing:known")) == 0


async def test_a_thread_shows_a_few_hits_and_all_when_it_is_asked_for(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        for number in range(5):
            await world.say(thread, f"heron {number}", f"egret {number}")
        page = await world.search.find(read_search("heron", world.clock()))
        assert [hit.snippet for hit in page.hits] == ["heron 4", "heron 3", "heron 2"]
        assert page.further == {thread.id: 2}
        assert [hit.snippet for hit in await world.find("heron", thread.id)] == [f"heron {n}" for n in (4, 3, 2, 1, 0)]


async def test_temporary_threads_are_never_found_and_what_streams_not_yet(open_world: OpenWorld) -> None:
    async with open_world() as world:
        secret = await world.threads.create_thread(options=ThreadOptions(is_temporary=True))
        await world.say(secret, "heron", *call("a", "heron", "{}", "heron"), "heron")
        thread = await world.threads.create_thread()
        turn = await world.threads.begin_turn(thread.id, "egret", model="m")
        await world.threads.save_parts(turn.assistant_message.id, call("a", "heron", "{}", "heron"))
        for text in ("heron", "has:tool", "in:title heron", "from:model"):
            assert await world.find(text) == [], text
        await world.threads.set_thread_options(secret.id, ThreadOptions())
        assert len(await world.find("heron")) == 3


async def test_what_nobody_waits_for_any_more_finds_nothing(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread(title="heron")
        await world.say(thread, "heron", "heron")
        wish = read_search("heron", world.clock())
        assert (await world.search.find(wish, stop=lambda: True)).hits == ()
        assert len((await world.search.find(wish)).hits) == 3


async def test_an_answer_that_goes_on_and_a_purged_thread_leave_no_call_behind(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        answer = await world.say(thread, "q", *call("a", "heron", "{}", "egret"))
        assert len(await world.find("egret")) == 1
        turn = await world.threads.reopen_turn(answer.id, model="m", parts=answer.parts)
        assert await world.find("egret") == []
        await world.threads.finish_turn(
            turn.turn_id,
            parts=[*answer.parts, *call("b", "stork", "{}", "crane")],
            status=MessageStatus.COMPLETE,
            reason="completed",
            usage=Usage(input_tokens=None, output_tokens=None),
            duration_seconds=1.0,
        )
        assert [hit.call_id for hit in await world.find("crane")] == ["b"]
        await world.threads.purge_thread(thread.id)
        assert await world.find("heron") == []
