"""What every store of threads promises, held against SQLite and against the fake that other tests use."""

import dataclasses
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from desktop.conversation.entities import (
    AskedModel,
    ErrorPart,
    Message,
    MessageStatus,
    Part,
    ResultStatus,
    Role,
    StartedTurn,
    TextPart,
    ThinkingPart,
    ThreadOptions,
    ToolCallPart,
    ToolResultPart,
)
from desktop.conversation.ports import ThreadRepository
from desktop.core.costs import Cost
from desktop.core.errors import StorageError
from desktop.core.ids import new_id
from desktop.core.language_model import Usage
from desktop.core.paths import DataPaths
from desktop.core.permission_mode import PermissionMode
from desktop.core.receipt import Receipt
from desktop.core.thinking_effort import ThinkingEffort
from desktop.core.tool_content import ItemKind, ItemProblem, ResultItem
from desktop.storage.store import open_store
from desktop.tools.entities import CallState, Choice, Ending, Grant, GrantScope
from desktop.tools.ports import GrantRepository, ToolJournal
from tests.support.in_memory_threads import InMemoryGrants, InMemoryJournal, InMemoryThreadRepository


@dataclass
class SetClock:
    """A clock that moves only when told."""

    now: datetime = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **by: float) -> None:
        self.now += timedelta(**by)


@dataclass
class World:
    threads: ThreadRepository
    journal: ToolJournal
    grants: GrantRepository
    clock: SetClock = field(default_factory=SetClock)


@asynccontextmanager
async def sqlite_world(folder: Path) -> AsyncIterator[World]:
    clock = SetClock()
    store = await open_store(DataPaths(folder), clock)
    try:
        yield World(store.threads, store.journal, store.grants, clock)
    finally:
        await store.close()


@asynccontextmanager
async def in_memory_world(folder: Path) -> AsyncIterator[World]:
    clock = SetClock()
    journal = InMemoryJournal()
    grants = InMemoryGrants(clock=clock)
    yield World(InMemoryThreadRepository(clock=clock, journal=journal, grants=grants), journal, grants, clock)


OpenWorld = Callable[[], AbstractAsyncContextManager[World]]


@pytest.fixture(params=[sqlite_world, in_memory_world], ids=["sqlite", "in_memory"])
def open_world(request: pytest.FixtureRequest, tmp_path: Path) -> OpenWorld:
    return lambda: request.param(tmp_path / "data")


async def finish(
    world: World,
    turn: StartedTurn,
    *parts: Part,
    status: MessageStatus = MessageStatus.COMPLETE,
    reason: str = "completed",
) -> Message:
    return await world.threads.finish_turn(
        turn.turn_id,
        parts=parts,
        status=status,
        reason=reason,
        usage=Usage(input_tokens=10, output_tokens=None),
        duration_seconds=1.5,
    )


async def say(world: World, thread_id: str, question: str, answer: str) -> Message:
    turn = await world.threads.begin_turn(thread_id, question, model="m")
    return await finish(world, turn, TextPart(text=answer))


# -- threads --------------------------------------------------------------------------------------------------------


async def test_a_new_thread_is_empty_and_listed(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread(title="Plans")
        assert (thread.title, thread.title_by_user, thread.tip, thread.snippet) == ("Plans", False, None, "")
        assert thread.created_at == thread.updated_at == world.clock.now
        assert thread.created_at.tzinfo is UTC
        assert await world.threads.list_threads() == (thread,)
        assert await world.threads.get_thread(thread.id) == thread
        assert await world.threads.get_thread("nothing") is None
        assert await world.threads.outline(thread.id) == ()


async def test_threads_are_listed_by_their_last_message_whatever_the_clock_says(open_world: OpenWorld) -> None:
    async with open_world() as world:
        first = await world.threads.create_thread()
        world.clock.advance(days=-1)  # the clock was set back
        second = await world.threads.create_thread()
        third = await world.threads.create_thread()
        await say(world, first.id, "hello", "hi")
        await world.threads.rename_thread(second.id, "Renamed", by_user=True)
        listed = await world.threads.list_threads()
        assert [t.id for t in listed] == [first.id, third.id, second.id]
        assert [t.id for t in await world.threads.list_threads(limit=1, offset=1)] == [third.id]
        newest = await world.threads.last_thread()
        assert newest is not None
        assert newest.id == first.id


async def test_a_title_given_by_the_user_is_not_replaced_by_the_app(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        await world.threads.rename_thread(thread.id, "From the text", by_user=False)
        await world.threads.rename_thread(thread.id, "Mine", by_user=True)
        await world.threads.rename_thread(thread.id, "Better", by_user=False)
        found = await world.threads.get_thread(thread.id)
        assert found is not None
        assert (found.title, found.title_by_user) == ("Mine", True)


async def test_options_of_a_thread_are_kept_and_leave_it_where_it_is(open_world: OpenWorld) -> None:
    async with open_world() as world:
        own = ThreadOptions(
            system_prompt="Answer in \ud800 rhyme.",
            temperature=0.25,
            endpoint_id="endpoint \udc00",
            model="qwen3-8b",
            thinking=ThinkingEffort.LOW,
            asked_beside=(
                AskedModel(endpoint_id="other", model="本地"),
                AskedModel(endpoint_id="\udc00"),
                AskedModel(endpoint_id=""),
            ),
            workspace="/home/\udc80",
            mode=PermissionMode.READ_ONLY,
            plans_first=True,
        )
        thread = await world.threads.create_thread(options=own)
        other = await world.threads.create_thread()
        assert thread.options == dataclasses.replace(
            own,
            system_prompt="Answer in \ufffd rhyme.",
            endpoint_id="endpoint \ufffd",
            asked_beside=(own.asked_beside[0], AskedModel(endpoint_id="\ufffd"), own.asked_beside[2]),
            workspace="/home/\ufffd",
        )
        assert other.options == ThreadOptions()
        assert await world.threads.get_thread(thread.id) == thread

        world.clock.advance(days=1)
        empty = ThreadOptions(system_prompt="", temperature=2.0, endpoint_id="", model="", thinking=ThinkingEffort.OFF)
        await world.threads.set_thread_options(thread.id, empty)
        newest, changed = await world.threads.list_threads()
        assert newest == other
        assert (changed.id, changed.options) == (thread.id, empty)
        assert changed.updated_at == thread.updated_at

        await world.threads.set_thread_options(thread.id, ThreadOptions())
        found = await world.threads.get_thread(thread.id)
        assert found is not None
        assert found.options == ThreadOptions()


async def test_options_of_a_thread_that_does_not_exist_yet_are_kept_until_it_begins(open_world: OpenWorld) -> None:
    async with open_world() as world:
        assert await world.threads.load_new_thread_options() == ThreadOptions()
        for chosen in (
            ThreadOptions(thinking=ThinkingEffort.HIGH),
            ThreadOptions(asked_beside=(AskedModel(endpoint_id="e", model="m"), AskedModel(endpoint_id=""))),
            ThreadOptions(workspace="/home/ada", mode=PermissionMode.CHAT_ONLY),
            ThreadOptions(system_prompt="Rhyme.", temperature=0.0, endpoint_id="e", model="m"),
        ):
            await world.threads.save_new_thread_options(chosen)
            assert await world.threads.load_new_thread_options() == chosen
        thread = await world.threads.create_thread(options=chosen)
        await world.threads.begin_turn(thread.id, "hello", model="m", from_new_thread=True)
        assert await world.threads.load_new_thread_options() == ThreadOptions()


async def test_deleting_moves_to_the_trash_and_restoring_brings_back_to_the_old_place(open_world: OpenWorld) -> None:
    async with open_world() as world:
        old = await world.threads.create_thread()
        await say(world, old.id, "question", "answer")
        new = await world.threads.create_thread()
        await world.threads.delete_thread(new.id)
        await world.threads.delete_thread(old.id)
        assert await world.threads.list_threads() == ()
        assert await world.threads.last_thread() is None
        assert [t.id for t in await world.threads.list_threads(deleted=True)] == [old.id, new.id]
        in_trash = await world.threads.get_thread(old.id)
        assert in_trash is not None
        assert in_trash.deleted_at == world.clock.now

        await world.threads.restore_thread(old.id)
        await world.threads.restore_thread(new.id)
        assert [t.id for t in await world.threads.list_threads()] == [new.id, old.id]
        assert len(await world.threads.path(old.id)) == 2


async def test_deleting_twice_keeps_the_first_moment(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        await world.threads.delete_thread(thread.id)
        deleted_at = world.clock.now
        world.clock.advance(days=3)
        await world.threads.delete_thread(thread.id)
        found = await world.threads.get_thread(thread.id)
        assert found is not None
        assert found.deleted_at == deleted_at


async def test_purging_leaves_nothing_of_the_thread_and_everything_of_the_others(open_world: OpenWorld) -> None:
    async with open_world() as world:
        gone, kept = await world.threads.create_thread(), await world.threads.create_thread()
        answer = await say(world, gone.id, "secret question", "secret answer")
        other = await say(world, kept.id, "question", "answer")
        await world.threads.save_draft(gone.id, "draft")
        await world.threads.delete_thread(gone.id)
        await world.threads.purge_thread(gone.id)

        assert await world.threads.get_thread(gone.id) is None
        assert await world.threads.list_threads(deleted=True) == ()
        assert await world.threads.messages([answer.id]) == ()
        assert await world.threads.path(gone.id) == ()
        assert await world.threads.load_draft(gone.id) == ""
        assert await world.threads.search("secret") == ()
        assert await world.threads.messages([other.id]) == (other,)
        await world.threads.save_draft(gone.id, "too late")
        assert await world.threads.load_draft(gone.id) == ""


async def test_several_are_purged_together_or_none(open_world: OpenWorld) -> None:
    async with open_world() as world:
        first, second, kept = [await world.threads.create_thread() for _ in range(3)]
        for thread in (first, second, kept):
            await say(world, thread.id, "question", "answer")
        with pytest.raises(StorageError):
            await world.threads.purge_thread(first.id, "nothing")
        assert await world.threads.get_thread(first.id) is not None
        receipt = await world.threads.purge_thread(first.id, second.id, first.id)
        assert (receipt.chats, receipt.messages) == (2, 4)
        assert [thread.id for thread in await world.threads.list_threads()] == [kept.id]


async def test_only_what_was_deleted_before_the_moment_is_purged(open_world: OpenWorld) -> None:
    async with open_world() as world:
        old, young, alive = [await world.threads.create_thread() for _ in range(3)]
        await world.threads.delete_thread(old.id)
        world.clock.advance(days=20)
        await world.threads.delete_thread(young.id)
        assert await world.threads.purge_deleted_before(world.clock.now - timedelta(days=10)) == Receipt(chats=1)
        assert await world.threads.purge_deleted_before(world.clock.now - timedelta(days=10)) == Receipt()
        assert [t.id for t in await world.threads.list_threads(deleted=True)] == [young.id]
        assert [t.id for t in await world.threads.list_threads()] == [alive.id]


async def test_unknown_threads_are_refused(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        await world.threads.delete_thread(thread.id)
        calls = [
            world.threads.rename_thread("nothing", "x", by_user=True),
            world.threads.set_thread_options("nothing", ThreadOptions(system_prompt="x")),
            world.threads.delete_thread("nothing"),
            world.threads.restore_thread("nothing"),
            world.threads.purge_thread("nothing"),
            world.threads.begin_turn("nothing", "hello", model="m"),
            world.threads.begin_turn(thread.id, "hello", model="m"),  # it is in the Trash
            world.threads.save_parts("nothing", []),
        ]
        for call in calls:
            with pytest.raises(StorageError) as failure:
                await call
            assert failure.value.code == "storage.thread_missing"


# -- messages -------------------------------------------------------------------------------------------------------


async def test_a_turn_is_stored_when_it_begins(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        turn = await world.threads.begin_turn(thread.id, "How is\nthe weather?", model="qwen")
        user, answer = turn.user_message, turn.assistant_message
        assert (user.role, user.status, user.text, user.parent_id) == (
            Role.USER,
            MessageStatus.COMPLETE,
            "How is\nthe weather?",
            None,
        )
        assert (answer.role, answer.status, answer.parts, answer.parent_id, answer.model) == (
            Role.ASSISTANT,
            MessageStatus.STREAMING,
            (),
            user.id,
            "qwen",
        )
        assert await world.threads.path(thread.id) == (user, answer)
        found = await world.threads.get_thread(thread.id)
        assert found is not None
        assert (found.tip, found.snippet) == (answer.id, "How is the weather?")


ALL_PARTS: tuple[Part, ...] = (
    ThinkingPart(text="Let me see.\n", duration_seconds=1.5),
    ThinkingPart(text="Still growing, or of a crash"),
    TextPart(text="I ask."),
    ToolCallPart(call_id="c1", name="command__get_weather", arguments='{"city":"北京"}', extra={"index": [1, None]}),
    ToolCallPart(call_id="c2", name="command__get_date", arguments="{}"),
    ToolResultPart(
        call_id="c1",
        status=ResultStatus.OK,
        text="sunny\nwarm",
        duration_seconds=0.25,
        items=(ResultItem(kind=ItemKind.LINK, uri="https://example.com", problem=ItemProblem.NOT_KEPT),),
    ),
    ToolResultPart(call_id="c2", status=ResultStatus.DENIED, text="User denied command execution."),
    TextPart(text="It is sunny.", step=1),
    ErrorPart(code="model.timeout", params={"seconds": 30, "detail": "slow"}, step=1),
)


async def test_parts_of_every_kind_come_back_as_they_were(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        turn = await world.threads.begin_turn(thread.id, "question", model="m")
        world.clock.advance(seconds=2)
        for end in range(len(ALL_PARTS) + 1):
            await world.threads.save_parts(turn.assistant_message.id, ALL_PARTS[:end])
            (stored,) = await world.threads.messages([turn.assistant_message.id])
            assert stored.parts == ALL_PARTS[:end]
        finished = await finish(world, turn, *ALL_PARTS)
        assert finished.parts == ALL_PARTS
        assert finished.status is MessageStatus.COMPLETE
        assert (finished.usage, finished.duration_seconds) == (Usage(input_tokens=10), 1.5)
        assert finished.updated_at == world.clock.now
        assert await world.threads.messages([finished.id]) == (finished,)


async def test_why_an_answer_ended_is_kept(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        for reason in ("length", "step_limit"):
            turn = await world.threads.begin_turn(thread.id, "question", model="m")
            assert turn.assistant_message.reason == ""
            finished = await finish(world, turn, TextPart(text="cut"), reason=reason)
            assert finished.reason == reason
        await world.threads.begin_turn(thread.id, "question", model="m")
        await world.threads.recover()
        path = await world.threads.path(thread.id)
        assert [m.reason for m in path] == ["", "length", "", "step_limit", "", "interrupted"]


async def test_an_answer_that_has_ended_can_go_on(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        turn = await world.threads.begin_turn(thread.id, "question", model="m")
        error = ErrorPart(code="model.timeout", params={})
        cut = await finish(world, turn, TextPart(text="half an apricot"), error, status=MessageStatus.FAILED)
        assert [hit.message_id for hit in await world.threads.search("apricot")] == [cut.id]
        world.clock.advance(minutes=1)

        again = await world.threads.reopen_turn(cut.id, model="n", parts=cut.parts[:1])
        assert (again.turn_id, again.thread_id, again.user_message) == (turn.turn_id, thread.id, turn.user_message)
        answer = again.assistant_message
        assert answer == dataclasses.replace(
            cut,
            status=MessageStatus.STREAMING,
            parts=cut.parts[:1],
            model="n",
            reason="",
            updated_at=world.clock.now,
        )
        assert await world.threads.path(thread.id) == (turn.user_message, answer)
        assert await world.threads.search("apricot") == ()

        await world.threads.save_parts(cut.id, [TextPart(text="half an apricot and")])
        whole = await finish(world, again, TextPart(text="half an apricot and a whole plum"))
        assert (whole.status, whole.reason, whole.model) == (MessageStatus.COMPLETE, "completed", "n")
        assert [hit.message_id for hit in await world.threads.search("apricot plum")] == [cut.id]


async def test_an_answer_that_goes_on_can_be_interrupted(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        turn = await world.threads.begin_turn(thread.id, "question", model="m")
        cut = await finish(world, turn, TextPart(text="half"), reason="length")
        again = await world.threads.reopen_turn(cut.id, model="m", parts=cut.parts)
        await world.threads.save_parts(cut.id, [TextPart(text="half and")])
        assert await world.threads.recover() == 1
        (message,) = await world.threads.messages([cut.id])
        assert (message.status, message.text) == (MessageStatus.INTERRUPTED, "half and")
        assert (message.usage, message.duration_seconds, message.cost) == (cut.usage, cut.duration_seconds, cut.cost)
        assert cut.usage.input_tokens, "or the line above says nothing"
        assert (await world.threads.reopen_turn(cut.id, model="m", parts=message.parts)).turn_id == again.turn_id


async def test_only_the_last_answer_of_a_thread_can_go_on(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        first = await say(world, thread.id, "question", "answer")
        await say(world, thread.id, "question", "answer")
        running = await world.threads.begin_turn(thread.id, "question", model="m")
        trashed = await world.threads.create_thread()
        in_trash = await say(world, trashed.id, "question", "answer")
        await world.threads.delete_thread(trashed.id)
        asked = running.user_message.id
        for message_id in ("nothing", first.id, running.assistant_message.id, asked, in_trash.id):
            with pytest.raises(StorageError) as failure:
                await world.threads.reopen_turn(message_id, model="m", parts=[])
            assert failure.value.code == "storage.thread_missing"


async def test_streamed_text_grows_in_place(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        turn = await world.threads.begin_turn(thread.id, "question", model="m")
        text = ""
        for piece in ("Hel", "lo\n", "wor", "ld"):
            text += piece
            await world.threads.save_parts(turn.assistant_message.id, [ThinkingPart(text="hm"), TextPart(text=text)])
        (stored,) = await world.threads.messages([turn.assistant_message.id])
        assert stored.parts == (ThinkingPart(text="hm"), TextPart(text="Hello\nworld"))
        assert stored.status is MessageStatus.STREAMING


async def test_a_checkpoint_after_the_end_changes_nothing(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        turn = await world.threads.begin_turn(thread.id, "question", model="m")
        finished = await finish(world, turn, TextPart(text="whole"))
        await world.threads.save_parts(finished.id, [TextPart(text="who")])
        assert await world.threads.messages([finished.id]) == (finished,)


async def test_the_outline_measures_all_parts(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        turn = await world.threads.begin_turn(thread.id, "one\ntwo", model="m")
        await world.threads.save_parts(turn.assistant_message.id, ALL_PARTS)
        question, answer = await world.threads.outline(thread.id)
        assert (question.id, question.role, question.status) == (
            turn.user_message.id,
            Role.USER,
            MessageStatus.COMPLETE,
        )
        assert (question.text_length, question.newline_count, question.part_count) == (7, 1, 1)
        assert (answer.id, answer.role, answer.status) == (
            turn.assistant_message.id,
            Role.ASSISTANT,
            MessageStatus.STREAMING,
        )
        texts = [getattr(part, "text", getattr(part, "arguments", "")) for part in ALL_PARTS]
        assert (answer.text_length, answer.newline_count, answer.part_count) == (len("".join(texts)), 2, len(ALL_PARTS))


async def test_the_path_goes_from_the_root_to_the_tip(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread, other = await world.threads.create_thread(), await world.threads.create_thread()
        for number in range(4):
            await say(world, thread.id, f"question {number}", f"answer {number}")
            await say(world, other.id, "elsewhere", "elsewhere")
        path = await world.threads.path(thread.id)
        assert [m.text for m in path] == [f"{kind} {n}" for n in range(4) for kind in ("question", "answer")]
        assert [m.parent_id for m in path] == [None, *(m.id for m in path[:-1])]
        assert await world.threads.path(thread.id, last=3) == path[-3:]
        assert await world.threads.path(thread.id, last=0) == ()
        assert await world.threads.path(thread.id, last=99) == path
        assert [row.id for row in await world.threads.outline(thread.id)] == [m.id for m in path]
        wanted = [path[5].id, "nothing", path[0].id]
        assert await world.threads.messages(wanted) == (path[5], path[0])
        assert await world.threads.path("nothing") == ()


async def test_what_stands_around_a_message_of_the_path(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        for number in range(4):
            await say(world, thread.id, f"question {number}", f"answer {number}")
        path = await world.threads.path(thread.id)
        around = [await world.threads.around(thread.id, path[4].id, count) for count in (1, 2, 3, 4, 9, 99)]
        assert around == [path[4:5], path[4:6], path[3:6], path[3:7], path, path]
        assert await world.threads.around(thread.id, path[7].id, 3) == path[5:], (
            "more above, where there is nothing below"
        )
        assert await world.threads.around(thread.id, path[0].id, 4) == path[:3], "nothing is above the root"

        turn = await world.threads.add_answer(path[5].id, model="m")
        await finish(world, turn, TextPart(text="beside it"))
        await world.threads.choose_answer(turn.assistant_message.id)
        assert await world.threads.around(thread.id, path[5].id, 3) == (), "it is not on the path any more"
        found = await world.threads.around(thread.id, path[4].id, 3)
        assert [message.text for message in found] == ["answer 1", "question 2", "beside it"]
        assert await world.threads.around(thread.id, "nothing", 3) == ()
        other = await world.threads.create_thread()
        assert await world.threads.around(other.id, path[4].id, 3) == ()


async def test_the_snippet_is_the_newest_text_on_one_line(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        turn = await world.threads.begin_turn(thread.id, "question", model="m")
        await finish(
            world, turn, ToolCallPart(call_id="c", name="n", arguments="{}"), TextPart(text="  A\n\nlong " * 50)
        )
        found = await world.threads.get_thread(thread.id)
        assert found is not None
        assert found.snippet.startswith("A long A long")
        assert found.snippet.endswith("…")
        assert len(found.snippet) <= 120
        turn = await world.threads.begin_turn(thread.id, "next question", model="m")
        await finish(world, turn, status=MessageStatus.STOPPED)
        found = await world.threads.get_thread(thread.id)
        assert found is not None
        assert found.snippet == "next question"


async def test_text_that_utf8_cannot_hold_is_mended_and_nul_is_kept(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread(title="lone \udc80")
        assert thread.title == "lone \ufffd"
        message = await say(world, thread.id, "a\0b", "half \ud83d and whole \ud83d\ude00 and nul \0.")
        assert message.text == "half \ufffd and whole 😀 and nul \0."
        question, answer = await world.threads.path(thread.id)
        assert question.text == "a\0b"
        assert answer == message
        assert (await world.threads.search("whole"))[0].message_id == message.id


# -- recovery -------------------------------------------------------------------------------------------------------


async def decide(world: World, call_id: str, state: CallState) -> None:
    await world.journal.decide(
        call_id,
        state=state,
        server_id="command",
        digest="d",
        choice=Choice.ALLOW_ONCE,
        ending=Ending.ANSWERED,
        decided_by="user",
    )


async def test_an_answer_that_was_being_written_is_interrupted_and_goes_on(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        whole = await say(world, thread.id, "first", "whole")
        turn = await world.threads.begin_turn(thread.id, "second", model="m")
        await world.threads.save_parts(turn.assistant_message.id, [TextPart(text="half an ans")])
        assert await world.threads.recover() == 1
        assert await world.threads.recover() == 0
        path = await world.threads.path(thread.id)
        assert path[1] == whole
        assert (path[3].status, path[3].text) == (MessageStatus.INTERRUPTED, "half an ans")
        assert (await world.threads.search("half ans"))[0].message_id == path[3].id
        await say(world, thread.id, "third", "goes on")
        assert len(await world.threads.path(thread.id)) == 6


async def test_every_orphan_call_gets_the_result_that_the_journal_knows(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        turn = await world.threads.begin_turn(thread.id, "run", model="m")
        calls = [ToolCallPart(call_id=f"c{n}", name="command__run", arguments="{}") for n in range(5)]
        answered = ToolResultPart(call_id="c0", status=ResultStatus.OK, text="done")
        await world.threads.save_parts(turn.assistant_message.id, [*calls, answered])
        for call in calls[:4]:
            await world.journal.propose(
                f"{turn.turn_id}:{call.call_id}",
                turn_id=turn.turn_id,
                thread_id=thread.id,
                name=call.name,
                arguments=call.arguments,
            )
        await decide(world, f"{turn.turn_id}:c1", CallState.RUNNING)
        await decide(world, f"{turn.turn_id}:c2", CallState.WAITING_APPROVAL)
        await decide(world, f"{turn.turn_id}:c3", CallState.RUNNING)
        await world.journal.finish(f"{turn.turn_id}:c3", status="timeout", result="no answer", duration_seconds=2.0)

        assert await world.threads.recover() == 1
        answer = (await world.threads.path(thread.id))[-1]
        assert answer.parts[:6] == (*calls, answered)
        results = [part for part in answer.parts[6:] if isinstance(part, ToolResultPart)]
        assert [(r.call_id, r.status) for r in results] == [
            ("c1", ResultStatus.UNKNOWN),
            ("c2", ResultStatus.INTERRUPTED),
            ("c3", ResultStatus.TIMEOUT),
            ("c4", ResultStatus.INTERRUPTED),
        ]
        assert "not known" in results[0].text
        assert (results[2].text, results[2].duration_seconds) == ("no answer", 2.0)
        with pytest.raises(StorageError):  # the journal is closed, too
            await world.journal.finish(f"{turn.turn_id}:c1", status="ok", result="late", duration_seconds=1.0)


async def test_what_a_call_brought_back_survives_a_crash_before_it_stands_in_the_answer(open_world: OpenWorld) -> None:
    items = (
        ResultItem(
            kind=ItemKind.IMAGE, number=2, name="图\x00", attachment_id="", width=3, audience=("user",), priority=0.5
        ),
        ResultItem(kind=ItemKind.DATA, text='{"a": 1}', problem=ItemProblem.SCHEMA, detail="a: no"),
    )
    async with open_world() as world:
        thread = await world.threads.create_thread()
        turn = await world.threads.begin_turn(thread.id, "run", model="m")
        call = ToolCallPart(call_id="c", name="n", arguments="{}")
        await world.threads.save_parts(turn.assistant_message.id, [call])
        key = f"{turn.turn_id}:c"
        await world.journal.propose(key, turn_id=turn.turn_id, thread_id=thread.id, name="n", arguments="{}")
        await decide(world, key, CallState.RUNNING)
        await world.journal.finish(key, status="ok", result="found", duration_seconds=2.0, items=items)
        await world.threads.recover()
        (answer,) = await world.threads.messages([turn.assistant_message.id])
        result = ToolResultPart(call_id="c", status=ResultStatus.OK, text="found", duration_seconds=2.0, items=items)
        assert answer.parts == (call, result)


async def test_missing_results_stand_in_the_step_of_their_call(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        turn = await world.threads.begin_turn(thread.id, "run", model="m")
        parts = [
            ToolCallPart(call_id="a", name="n", arguments="{}", step=0),
            TextPart(text="more", step=1),
            ToolCallPart(call_id="b", name="n", arguments="{}", step=1),
        ]
        await world.threads.save_parts(turn.assistant_message.id, parts)
        await world.threads.recover()
        (answer,) = await world.threads.messages([turn.assistant_message.id])
        assert [(type(part).__name__, part.step) for part in answer.parts] == [
            ("ToolCallPart", 0),
            ("ToolResultPart", 0),
            ("TextPart", 1),
            ("ToolCallPart", 1),
            ("ToolResultPart", 1),
        ]


async def test_a_turn_that_nobody_finished_is_interrupted_by_the_next_one(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        lost = await world.threads.begin_turn(thread.id, "lost", model="m")
        turn = await world.threads.begin_turn(thread.id, "next", model="m")
        (first,) = await world.threads.messages([lost.assistant_message.id])
        assert first.status is MessageStatus.INTERRUPTED
        assert turn.user_message.parent_id == first.id


# -- several answers to one message ---------------------------------------------------------------------------------


async def places(world: World, thread_id: str) -> list[tuple[str, int, int]]:
    """The path as id, number and count; outline and messages must agree."""
    outline = [(row.id, row.answer_number, row.answer_count) for row in await world.threads.outline(thread_id)]
    assert [(m.id, m.answer_number, m.answer_count) for m in await world.threads.path(thread_id)] == outline
    return outline


async def test_several_answers_stand_beside_each_other_and_the_first_is_shown(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        before = await say(world, thread.id, "hello", "hi")
        first = await world.threads.begin_turn(thread.id, "question", model="one")
        world.clock.advance(seconds=1)
        second = await world.threads.add_answer(first.assistant_message.id, model="two \udc80")
        third = await world.threads.add_answer(second.assistant_message.id, model="three")
        assert len({first.turn_id, second.turn_id, third.turn_id}) == 3
        assert (second.thread_id, second.user_message) == (thread.id, first.user_message)
        answer = second.assistant_message
        assert (answer.role, answer.status, answer.parts, answer.model, answer.parent_id, answer.created_at) == (
            Role.ASSISTANT,
            MessageStatus.STREAMING,
            (),
            "two \ufffd",
            first.user_message.id,
            world.clock.now,
        )
        assert [(t.assistant_message.answer_number, t.assistant_message.answer_count) for t in (second, third)] == [
            (2, 2),
            (3, 3),
        ]
        ids = [turn.assistant_message.id for turn in (first, second, third)]
        for message_id in (*ids, first.user_message.id):
            assert [m.id for m in await world.threads.answers(message_id)] == ids
        assert [(m.answer_number, m.answer_count) for m in await world.threads.answers(ids[1])] == [
            (1, 3),
            (2, 3),
            (3, 3),
        ]
        assert await world.threads.answers("nothing") == ()
        assert (await places(world, thread.id))[-2:] == [(first.user_message.id, 1, 1), (ids[0], 1, 3)]

        for turn, text in ((third, "from three"), (first, "from one"), (second, "from two")):
            await world.threads.save_parts(turn.assistant_message.id, [TextPart(text=text[:4])])
            await finish(world, turn, TextPart(text=text))
        assert [m.text for m in await world.threads.answers(ids[0])] == ["from one", "from two", "from three"]
        assert [m.text for m in await world.threads.path(thread.id)] == ["hello", "hi", "question", "from one"]
        found = await world.threads.get_thread(thread.id)
        assert found is not None
        assert (found.tip, found.snippet) == (ids[0], "from one"), "the answer that is shown"

        path = await world.threads.path(thread.id, until=ids[2])
        assert [m.text for m in path] == ["hello", "hi", "question", "from three"]
        assert await world.threads.path(thread.id, until=ids[2], last=2) == path[-2:]
        until_asked = await world.threads.path(thread.id, until=first.user_message.id)
        assert [m.text for m in until_asked] == ["hello", "hi", "question"]
        assert [m.id for m in await world.threads.path(thread.id, until=before.id)][-1] == before.id
        other = await world.threads.create_thread()
        for thread_id, until in ((thread.id, "nothing"), (other.id, ids[0]), ("nothing", ids[0])):
            assert await world.threads.path(thread_id, until=until) == ()


async def test_the_path_goes_through_the_answer_that_was_chosen(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        later = await world.threads.create_thread()
        turns = [await world.threads.begin_turn(thread.id, "question", model="m")]
        turns += [await world.threads.add_answer(turns[0].assistant_message.id, model="m") for _ in range(2)]
        a, b, c = [await finish(world, turn, TextPart(text=name)) for turn, name in zip(turns, "abc", strict=True)]
        listed = [t.id for t in await world.threads.list_threads()]
        assert listed == [thread.id, later.id]
        await say(world, later.id, "x", "y")

        await world.threads.choose_answer(b.id)
        assert [t.id for t in await world.threads.list_threads()] == [later.id, thread.id], "its place stays"
        assert [m.text for m in await world.threads.path(thread.id)] == ["question", "b"]
        assert (await places(world, thread.id))[-1] == (b.id, 2, 3)
        assert (await world.threads.list_threads())[1].snippet == "b", "the list shows what the chat shows"
        await say(world, thread.id, "more", "below b")
        assert [m.text for m in await world.threads.path(thread.id)] == ["question", "b", "more", "below b"]

        await world.threads.choose_answer(c.id)
        assert [m.text for m in await world.threads.path(thread.id)] == ["question", "c"]
        await say(world, thread.id, "more", "below c")
        await world.threads.choose_answer(a.id)
        assert [m.text for m in await world.threads.path(thread.id)] == ["question", "a"]
        await world.threads.choose_answer(b.id)
        path = await world.threads.path(thread.id)
        assert [m.text for m in path] == ["question", "b", "more", "below b"]
        await world.threads.choose_answer(b.id)
        assert await world.threads.path(thread.id) == path
        await world.threads.choose_answer(path[0].id)
        assert await world.threads.path(thread.id) == path, "below a message it goes on as it was"


async def test_the_way_below_an_answer_is_the_one_that_was_shown_last(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        first = await world.threads.begin_turn(thread.id, "1", model="m")
        other = await world.threads.add_answer(first.assistant_message.id, model="m")
        await finish(world, first, TextPart(text="a"))
        await finish(world, other, TextPart(text="b"))
        deep = [await world.threads.begin_turn(thread.id, "2", model="m")]
        deep += [await world.threads.add_answer(deep[0].assistant_message.id, model="m") for _ in range(2)]
        p, q, r = [await finish(world, turn, TextPart(text=name)) for turn, name in zip(deep, "pqr", strict=True)]

        async def texts_by_way_of(message: Message) -> str:
            await world.threads.choose_answer(other.assistant_message.id)
            assert [m.text for m in await world.threads.path(thread.id)] == ["1", "b"]
            await world.threads.choose_answer(message.id)
            return "".join(m.text for m in await world.threads.path(thread.id))

        assert await texts_by_way_of(first.assistant_message) == "1a2p", "not the newest, which nobody has chosen"
        await world.threads.choose_answer(q.id)
        assert await texts_by_way_of(first.assistant_message) == "1a2q"
        assert await texts_by_way_of(r) == "1a2r", "straight to a message that a search found"
        assert await texts_by_way_of(first.assistant_message) == "1a2r"
        again = await world.threads.add_answer(p.id, model="m", chosen=True)
        assert (await world.threads.path(thread.id))[-1] == again.assistant_message
        await finish(world, again, TextPart(text="s"))
        assert await texts_by_way_of(first.assistant_message) == "1a2s"
        await world.threads.choose_answer(p.id)
        unseen = await world.threads.add_answer(q.id, model="m")
        await finish(world, unseen, TextPart(text="t"))
        assert await texts_by_way_of(first.assistant_message) == "1a2p"


async def test_answers_are_chosen_and_added_only_where_there_are_some(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        answer = await say(world, thread.id, "question", "answer")
        (question, _) = await world.threads.path(thread.id)
        trashed = await world.threads.create_thread()
        in_trash = await say(world, trashed.id, "question", "answer")
        await world.threads.delete_thread(trashed.id)
        calls = [
            world.threads.choose_answer("nothing"),
            world.threads.choose_answer(in_trash.id),
            world.threads.add_answer("nothing", model="m"),
            world.threads.add_answer(question.id, model="m"),
            world.threads.add_answer(in_trash.id, model="m", chosen=True),
        ]
        for call in calls:
            with pytest.raises(StorageError) as failure:
                await call
            assert failure.value.code == "storage.thread_missing"
        assert [m.id for m in await world.threads.answers(in_trash.id)] == [in_trash.id]
        assert [m.id for m in await world.threads.path(thread.id)] == [question.id, answer.id]
        await world.threads.purge_thread(trashed.id)
        assert await world.threads.answers(in_trash.id) == ()


async def test_all_answers_that_were_being_written_are_interrupted(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        turns = [await world.threads.begin_turn(thread.id, "run", model="m")]
        turns += [await world.threads.add_answer(turns[0].assistant_message.id, model="m") for _ in range(2)]
        call = ToolCallPart(call_id="c", name="command__run", arguments="{}")
        for turn in turns[:2]:  # the same id of the endpoint in both
            await world.threads.save_parts(turn.assistant_message.id, [call])
            await world.journal.propose(
                f"{turn.turn_id}:c", turn_id=turn.turn_id, thread_id=thread.id, name=call.name, arguments="{}"
            )
        await decide(world, f"{turns[0].turn_id}:c", CallState.RUNNING)
        whole = await finish(world, turns[2], TextPart(text="whole"))
        await world.threads.choose_answer(whole.id)

        assert await world.threads.recover() == 2
        one, two, three = await world.threads.answers(whole.id)
        assert three == whole
        assert [m.status for m in (one, two)] == [MessageStatus.INTERRUPTED] * 2
        assert [p.status for m in (one, two) for p in m.parts if isinstance(p, ToolResultPart)] == [
            ResultStatus.UNKNOWN,
            ResultStatus.INTERRUPTED,
        ]
        assert (await world.threads.path(thread.id))[-1] == whole
        lost = await world.threads.begin_turn(thread.id, "next", model="m")
        await world.threads.add_answer(lost.assistant_message.id, model="m")
        await world.threads.begin_turn(thread.id, "next", model="m")
        statuses = [m.status for m in await world.threads.answers(lost.assistant_message.id)]
        assert statuses == [MessageStatus.INTERRUPTED] * 2


async def test_every_answer_is_found_and_counted_and_only_the_shown_one_goes_on(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        first = await world.threads.begin_turn(thread.id, "question", model="one")
        second = await world.threads.add_answer(first.assistant_message.id, model="two")
        shown = await finish(world, first, TextPart(text="a plum"))
        beside = await finish(world, second, TextPart(text="an apricot"), reason="length")
        assert [hit.message_id for hit in await world.threads.search("apricot")] == [beside.id]
        totals = await world.threads.usage_totals(thread_id=thread.id)
        assert sorted((t.model, t.answers, t.input_tokens) for t in totals) == [("one", 1, 10), ("two", 1, 10)]

        with pytest.raises(StorageError):
            await world.threads.reopen_turn(beside.id, model="two", parts=beside.parts)
        await world.threads.choose_answer(beside.id)
        with pytest.raises(StorageError):
            await world.threads.reopen_turn(shown.id, model="one", parts=shown.parts)
        again = await world.threads.reopen_turn(beside.id, model="two", parts=beside.parts)
        await finish(world, again, TextPart(text="an apricot and more"))
        assert [m.text for m in await world.threads.path(thread.id)] == ["question", "an apricot and more"]

        await world.threads.delete_thread(thread.id)
        assert await world.threads.search("apricot") == ()
        await world.threads.restore_thread(thread.id)
        assert [m.text for m in await world.threads.path(thread.id)] == ["question", "an apricot and more"]
        await world.threads.purge_thread(thread.id)
        assert await world.threads.answers(shown.id) == ()
        assert await world.threads.messages([shown.id, beside.id]) == ()
        assert await world.threads.usage_totals() == ()


async def test_messages_at_the_beginning_of_a_thread_know_nothing_of_other_threads(open_world: OpenWorld) -> None:
    async with open_world() as world:
        threads = [await world.threads.create_thread() for _ in range(3)]
        for thread in threads:
            await say(world, thread.id, "question", "answer")
        for thread in threads:
            assert [(number, count) for _, number, count in await places(world, thread.id)] == [(1, 1), (1, 1)]


# -- search ---------------------------------------------------------------------------------------------------------


async def found_texts(world: World, query: str) -> list[str]:
    return [hit.snippet for hit in await world.threads.search(query)]


async def test_chinese_is_found_from_one_character(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        await say(world, thread.id, "北京明天的天气怎么样？", "明天晴，用Python画图。")
        assert len(await found_texts(world, "天")) == 2
        assert await found_texts(world, "天气") == ["北京明天的天气怎么样？"]
        assert await found_texts(world, "天气 北京") == ["北京明天的天气怎么样？"]
        assert await found_texts(world, "Python画") == ["明天晴，用Python画图。"]
        assert await found_texts(world, "气天") == []
        assert await found_texts(world, "上海") == []


async def test_words_are_found_whole_and_the_last_also_by_its_beginning(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        await say(world, thread.id, "Where is the Station?", "Behind the castle.")
        assert await found_texts(world, "station") == ["Where is the Station?"]
        assert await found_texts(world, "STAT") == ["Where is the Station?"]
        assert await found_texts(world, "the where") == ["Where is the Station?"]
        assert await found_texts(world, "castle where") == []  # all words, in one message


async def test_hits_say_where_they_are_newest_first(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread(title="About tea")
        await say(world, thread.id, "green tea", "no leaves")
        world.clock.advance(days=-2)
        answer = await say(world, thread.id, "more", "black tea, please")
        hits = await world.threads.search("tea")
        assert [hit.message_id for hit in hits][:2] == [None, answer.id]
        assert [(hit.role, hit.thread_title) for hit in hits] == [
            (None, "About tea"),
            (Role.ASSISTANT, "About tea"),
            (Role.USER, "About tea"),
        ]
        for hit in hits:
            assert [hit.snippet[start:end] for start, end in hit.highlights] == ["tea"]
        assert hits[1].created_at == answer.created_at
        assert [hit.message_id for hit in await world.threads.search("tea", limit=1)] == [None]


async def test_what_is_searched_is_text_and_never_syntax(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        await say(world, thread.id, 'use AND or "quotes" NEAR here', "fine")
        assert len(await found_texts(world, 'quotes" near')) <= 1
        for query in (
            '"',
            "*",
            "body:",
            "NEAR(",
            "-use",
            "a OR b",
            "(",
            "^",
            "'; DROP TABLE",
            "\0",
            "\udc80",
            "{}",
            "",
        ):
            await world.threads.search(query)
        assert await found_texts(world, "use AND") == ['use AND or "quotes" NEAR here']


async def test_the_trash_and_streaming_answers_are_not_searched(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread(title="hidden title")
        turn = await world.threads.begin_turn(thread.id, "question", model="m")
        await world.threads.save_parts(turn.assistant_message.id, [TextPart(text="hidden stream")])
        assert await found_texts(world, "stream") == []
        await finish(world, turn, TextPart(text="hidden end"))
        assert await found_texts(world, "end") == ["hidden end"]
        await world.threads.delete_thread(thread.id)
        assert await found_texts(world, "hidden") == []
        await world.threads.restore_thread(thread.id)
        assert len(await found_texts(world, "hidden")) == 2


async def test_a_renamed_thread_is_found_by_its_new_title_only(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread(title="before")
        await world.threads.rename_thread(thread.id, "after", by_user=True)
        assert await found_texts(world, "before") == []
        assert await found_texts(world, "after") == ["after"]


# -- drafts ---------------------------------------------------------------------------------------------------------


async def test_drafts_are_kept_per_thread_until_the_message_is_sent(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        await world.threads.save_draft("", "for a new thread")
        await world.threads.save_draft(thread.id, "first")
        await world.threads.save_draft(thread.id, "second")
        assert await world.threads.load_draft("") == "for a new thread"
        assert await world.threads.load_draft(thread.id) == "second"
        await world.threads.begin_turn(thread.id, "second", model="m")
        assert await world.threads.load_draft(thread.id) == ""
        await world.threads.save_draft("", "")
        assert await world.threads.load_draft("") == ""


async def test_only_the_first_message_of_the_thread_that_was_drafted_ends_its_draft(open_world: OpenWorld) -> None:
    async with open_world() as world:
        chosen = ThreadOptions(system_prompt="Rhyme.")
        await world.threads.save_draft("", "for a new thread")
        await world.threads.save_new_thread_options(chosen)
        other = await world.threads.create_thread()
        await world.threads.begin_turn(other.id, "for a new thread", model="m")
        assert await world.threads.load_draft("") == "for a new thread"
        assert await world.threads.load_new_thread_options() == chosen
        begun = await world.threads.create_thread(options=chosen)
        await world.threads.begin_turn(begun.id, "for a new thread", model="m", from_new_thread=True)
        assert await world.threads.load_draft("") == ""
        assert await world.threads.load_new_thread_options() == ThreadOptions()


# -- journal and grants ---------------------------------------------------------------------------------------------


def grant(scope: GrantScope, thread_id: str | None, digest: str | None, definition_hash: str = "v1") -> Grant:
    return Grant(
        id=new_id(),
        scope=scope,
        thread_id=thread_id,
        server_id="files",
        tool_name="read",
        definition_hash=definition_hash,
        digest=digest,
        summary="read notes.txt",
        created_at=datetime(2026, 3, 1, tzinfo=UTC),
    )


async def find(world: World, thread_id: str, digest: str = "d1", definition_hash: str = "v1") -> str | None:
    found = await world.grants.candidates(
        digest=digest, definition_hash=definition_hash, server_id="files", tool_name="read", thread_id=thread_id
    )
    return found[0].id if found else None


async def test_a_grant_covers_exactly_what_was_granted(open_world: OpenWorld) -> None:
    async with open_world() as world:
        here, there = await world.threads.create_thread(), await world.threads.create_thread()
        always = grant(GrantScope.ALWAYS, None, "d1")
        in_thread = grant(GrantScope.THREAD, here.id, None)
        for each in (always, in_thread):
            await world.grants.add(each)
        assert await find(world, there.id) == always.id
        assert await find(world, here.id) == always.id
        assert await find(world, here.id, digest="d2") == in_thread.id
        assert await find(world, there.id, digest="d2") is None
        assert await find(world, here.id, definition_hash="v2") is None
        assert list(await world.grants.list()) == [always, in_thread]


async def test_grants_are_counted_and_revoked(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        given = grant(GrantScope.ALWAYS, None, "d1")
        await world.grants.add(given)
        await world.grants.mark_used(given.id)
        await world.grants.mark_used(given.id)
        (listed,) = await world.grants.list()
        assert (listed.use_count, listed.last_used_at) == (2, world.clock.now)
        assert await world.grants.revoke(given.id) is True
        assert await world.grants.revoke(given.id) is False
        assert await find(world, thread.id) is None


async def test_a_revoked_grant_comes_back_exactly_also_for_a_thread_in_the_trash(open_world: OpenWorld) -> None:
    async with open_world() as world:
        told: list[int] = []
        world.grants.changed.connect(lambda: told.append(1))
        thread = await world.threads.create_thread()
        given = dataclasses.replace(
            grant(GrantScope.THREAD, thread.id, "d1"), folder="/家/work", use_count=3, last_used_at=world.clock.now
        )
        await world.grants.add(given)
        await world.threads.delete_thread(thread.id)
        assert await world.grants.revoke(given.id)
        await world.grants.add(given)
        assert list(await world.grants.list()) == [given]
        assert len(told) == 3


async def test_purging_a_thread_takes_its_grants_and_leaves_the_standing_ones(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        standing = grant(GrantScope.ALWAYS, None, "d1")
        await world.grants.add(standing)
        await world.grants.add(grant(GrantScope.THREAD, thread.id, "d2"))
        await world.threads.purge_thread(thread.id)
        assert [g.id for g in await world.grants.list()] == [standing.id]


async def test_the_journal_keeps_calls_with_equal_ids_apart(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        for _ in range(2):
            turn = await world.threads.begin_turn(thread.id, "again", model="m")
            await world.journal.propose("c", turn_id=turn.turn_id, thread_id=thread.id, name="n", arguments="{}")
            await decide(world, "c", CallState.RUNNING)
            await world.journal.finish("c", status="ok", result="done", duration_seconds=0.1)
        with pytest.raises(StorageError):
            await world.journal.finish("c", status="ok", result="once more", duration_seconds=0.1)


async def test_what_was_used_is_added_up_by_month_model_and_currency(open_world: OpenWorld) -> None:
    async with open_world() as world:
        one, two = await world.threads.create_thread(), await world.threads.create_thread()
        for thread, model, cost in (
            (one, "small", Cost(amount=0.5, currency="$")),
            (one, "small", Cost(amount=0.25, currency="$")),
            (two, "small", None),
            (two, "large", Cost(amount=3.0, currency="€")),
        ):
            turn = await world.threads.begin_turn(thread.id, "question", model=model)
            usage = Usage(input_tokens=100, output_tokens=10, cached_input_tokens=60, thinking_tokens=4)
            answer = await world.threads.finish_turn(
                turn.turn_id,
                parts=[TextPart(text="a")],
                status=MessageStatus.COMPLETE,
                reason="completed",
                usage=usage,
                duration_seconds=1.0,
                cost=cost,
            )
            assert (answer.usage, answer.cost) == (usage, cost)
        await world.threads.begin_turn(two.id, "still running", model="large")
        totals = await world.threads.usage_totals()
        assert [(t.model, t.answers, t.input_tokens, t.output_tokens, t.cost) for t in totals] == [
            ("small", 2, 200, 20, Cost(amount=0.75, currency="$")),
            ("large", 1, 100, 10, Cost(amount=3.0, currency="€")),
            ("small", 1, 100, 10, None),
        ]
        assert {t.month for t in totals} == {f"{world.clock.now.astimezone():%Y-%m}"}
        of_one = await world.threads.usage_totals(thread_id=one.id)
        assert [(t.model, t.answers) for t in of_one] == [("small", 2)]


async def test_a_temporary_thread_is_in_no_list_and_leaves_nothing(open_world: OpenWorld) -> None:
    async with open_world() as world:
        usual = await world.threads.create_thread()
        for way in ("purged", "recovered"):
            thread = await world.threads.create_thread(title="of owls", options=ThreadOptions(is_temporary=True))
            await world.threads.begin_turn(thread.id, "of owls and otters", model="m")
            await world.threads.save_draft(thread.id, "half")
            assert await world.threads.load_draft(thread.id) == ""
            assert [t.id for t in await world.threads.list_threads()] == [usual.id]
            assert await world.threads.last_thread() == await world.threads.get_thread(usual.id)
            assert await world.threads.search("owls") == ()
            assert await world.threads.get_thread(thread.id) is not None
            if way == "purged":
                assert await world.threads.purge_temporary() == 1
            else:
                await world.threads.recover()
            assert await world.threads.get_thread(thread.id) is None
            assert await world.threads.path(thread.id) == ()
        assert await world.threads.purge_temporary() == 0


async def test_a_temporary_thread_that_is_kept_is_one_like_any_other(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread(title="of owls", options=ThreadOptions(is_temporary=True))
        await world.threads.set_thread_options(thread.id, ThreadOptions())
        assert [t.id for t in await world.threads.list_threads()] == [thread.id]
        assert [hit.thread_id for hit in await world.threads.search("owls")] == [thread.id]
        assert await world.threads.purge_temporary() == 0
        assert await world.threads.get_thread(thread.id) is not None
