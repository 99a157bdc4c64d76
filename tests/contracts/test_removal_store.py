"""What every store of removals promises, held against SQLite and against the fake that other tests use."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest

from desktop.conversation.context import assemble_context
from desktop.conversation.entities import (
    Message,
    MessageStatus,
    ResultStatus,
    Role,
    StartedTurn,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)
from desktop.conversation.ports import ThreadRepository
from desktop.conversation.removals import REMOVED_QUESTION, REMOVED_RESULT, RemovalStore, Removed
from desktop.conversation.search_filters import read_search
from desktop.conversation.search_service import ChatSearch
from desktop.core.clock import utc_now
from desktop.core.errors import StorageError, ThreadwellError
from desktop.core.language_model import AssistantMessage, ToolMessage, Usage, UserMessage
from tests.support.in_memory_search import InMemoryChatSearch
from tests.support.in_memory_threads import InMemoryThreadRepository
from tests.support.stores import opened


@dataclass
class World:
    threads: ThreadRepository
    removals: RemovalStore
    search: ChatSearch

    async def say(self, thread_id: str, text: str, *, instead_of: str | None = None) -> StartedTurn:
        turn = await self.threads.begin_turn(thread_id, text, model="m", instead_of=instead_of)
        await self._finish(turn)
        return turn

    async def again(self, answer_id: str) -> str:
        turn = await self.threads.add_answer(answer_id, model="m", chosen=True)
        await self._finish(turn)
        return turn.assistant_message.id

    async def _finish(self, turn: StartedTurn) -> None:
        await self.threads.finish_turn(
            turn.turn_id,
            parts=[
                ToolCallPart(call_id="call", name="own__bring", arguments="{}"),
                ToolResultPart(call_id="call", status=ResultStatus.OK, text=f"brought {turn.user_message.text}"),
                TextPart(text=f"to {turn.user_message.text}", step=1),
            ],
            status=MessageStatus.COMPLETE,
            reason="completed",
            usage=Usage(output_tokens=1),
            duration_seconds=1.0,
        )

    async def texts(self, thread_id: str) -> list[str]:
        return [message.text for message in await self.threads.path(thread_id)]


@asynccontextmanager
async def sqlite_world(folder: Path) -> AsyncIterator[World]:
    async with opened(folder) as store:
        yield World(store.threads, store.removals, store.search)


@asynccontextmanager
async def in_memory_world(folder: Path) -> AsyncIterator[World]:
    repository = InMemoryThreadRepository()
    yield World(repository, repository, InMemoryChatSearch(repository))


OpenWorld = Callable[[], AbstractAsyncContextManager[World]]


@pytest.fixture(params=[sqlite_world, in_memory_world], ids=["sqlite", "in_memory"])
def open_world(request: pytest.FixtureRequest, tmp_path: Path) -> OpenWorld:
    return lambda: request.param(tmp_path)


async def three_rounds(world: World) -> tuple[str, list[Message]]:
    thread = await world.threads.create_thread(title="t")
    for text in ("one", "two", "three"):
        await world.say(thread.id, text)
    return thread.id, list(await world.threads.path(thread.id))


async def test_what_follows_a_removed_message_stays_and_it_comes_back_where_it_stood(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread_id, path = await three_rounds(world)
        before = await world.texts(thread_id)
        for message in path:
            assert await world.removals.remove(Removed(message.id)) == thread_id
            left = [each for each in path if each.id != message.id]
            assert [each.id for each in await world.threads.path(thread_id)] == [each.id for each in left]
            assert [each.id for each in await world.threads.outline(thread_id)] == [each.id for each in left]
            assert message.id not in {node.id for node in await world.threads.tree(thread_id)}
            assert await world.threads.messages([message.id]) == ()
            assert await world.threads.answers(message.id) == ()
            assert await world.threads.beside(message.id) == ()
            assert message.id not in {hit.message_id for hit in await world.threads.search(message.text)}
            with pytest.raises(StorageError):
                await world.threads.choose_answer(message.id)
            with pytest.raises(StorageError):
                await world.removals.remove(Removed(message.id))
            assert await world.removals.take_back(Removed(message.id)) == thread_id
            assert await world.texts(thread_id) == before
            assert message.id in {hit.message_id for hit in await world.threads.search(message.text)}
        assert await world.removals.take_back(Removed(path[0].id)) is None


async def test_the_end_of_a_chat_is_what_is_left_and_the_next_message_follows_it(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread_id, path = await three_rounds(world)
        await world.removals.remove(Removed(path[5].id))
        thread = await world.threads.get_thread(thread_id)
        assert thread is not None
        assert thread.tip == path[4].id
        assert thread.snippet == "three"
        await world.removals.remove(Removed(path[4].id))
        await world.say(thread_id, "four")
        assert await world.texts(thread_id) == ["one", "to one", "two", "to two", "four", "to four"]
        await world.removals.take_back(Removed(path[5].id))
        await world.removals.take_back(Removed(path[4].id))
        assert (await world.texts(thread_id))[4:] == ["three", "to three", "four", "to four"]


async def test_everything_can_be_removed_and_the_chat_goes_on(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread_id, path = await three_rounds(world)
        for message in path:
            await world.removals.remove(Removed(message.id))
        thread = await world.threads.get_thread(thread_id)
        assert thread is not None
        assert (thread.tip, thread.snippet) == (None, "")
        receipt = await world.removals.erase()
        assert receipt.messages == 6
        assert (await world.removals.erase()).is_empty
        await world.say(thread_id, "anew")
        assert await world.texts(thread_id) == ["anew", "to anew"]
        assert (await world.threads.path(thread_id))[0].parent_id is None


async def test_what_stands_beside_takes_the_place_of_the_last_answer(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread_id, path = await three_rounds(world)
        second = await world.again(path[5].id)
        third = await world.again(path[5].id)
        await world.threads.choose_answer(second)
        await world.threads.choose_answer(third)
        await world.removals.remove(Removed(third))
        shown = (await world.threads.path(thread_id))[-1]
        assert (shown.id, shown.answer_number, shown.answer_count) == (second, 2, 2)
        await world.removals.take_back(Removed(third))
        assert (await world.threads.path(thread_id))[-1].id == third
        await world.removals.remove(Removed(third))
        await world.say(thread_id, "on")
        await world.removals.take_back(Removed(third))
        assert (await world.texts(thread_id))[-2:] == ["on", "to on"], "what was said meanwhile stays in sight"
        assert len(await world.threads.answers(third)) == 3


async def test_an_answer_without_its_question_is_not_answered_again_and_can_be_sent(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread_id, path = await three_rounds(world)
        await world.removals.remove(Removed(path[0].id))
        await world.removals.remove(Removed(path[4].id))
        with pytest.raises(StorageError):
            await world.threads.add_answer(path[5].id, model="m")
        with pytest.raises(StorageError):
            await world.threads.reopen_turn(path[5].id, model="m", parts=[])
        sent = assemble_context(await world.threads.path(thread_id))
        assert isinstance(sent[0], UserMessage)
        assert sent[0].text == REMOVED_QUESTION
        roles = [type(message) for message in sent if not isinstance(message, ToolMessage)]
        between = [
            pair for pair in pairwise(roles) if pair == (UserMessage, UserMessage)
        ]  # fmt: skip
        assert not between
        assert sum(isinstance(message, UserMessage) for message in sent) == 3
        assert [message.text for message in sent if isinstance(message, AssistantMessage)][-1] == "to three"


async def test_a_removed_result_says_so_and_its_call_keeps_one_result(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread_id, path = await three_rounds(world)
        result = Removed(path[1].id, "call")
        await world.removals.remove(result)

        async def results() -> list[str]:
            sent = assemble_context(await world.threads.path(thread_id))
            return [message.text for message in sent if isinstance(message, ToolMessage)]

        assert await results() == [REMOVED_RESULT, "brought two", "brought three"]
        with pytest.raises(StorageError):
            await world.removals.remove(result)
        await world.removals.take_back(result)
        assert await results() == ["brought one", "brought two", "brought three"]
        await world.removals.remove(result)
        branched = await world.threads.branch(path[1].id, title="b")
        receipt = await world.removals.erase([result])
        assert (receipt.results, receipt.messages) == (1, 0)
        assert await world.removals.take_back(result) is None
        assert await results() == [REMOVED_RESULT, "brought two", "brought three"]
        copy = (await world.threads.path(branched.id))[1]
        assert [part.text for part in copy.parts if isinstance(part, ToolResultPart)] == [REMOVED_RESULT]
        with pytest.raises(StorageError):
            await world.removals.remove(Removed(path[1].id, "no such call"))


async def test_a_removed_result_is_erased_when_its_answer_goes_on(open_world: OpenWorld) -> None:
    async with open_world() as world:
        _, path = await three_rounds(world)
        answer, removed = path[-1], Removed(path[-1].id, "call")
        await world.removals.remove(removed)
        shown = (await world.threads.messages([answer.id]))[0].parts
        assert [part.text for part in shown if isinstance(part, ToolResultPart)] == [REMOVED_RESULT]
        for kept in (shown, ()):  # as it is shown, and also where nothing of it is kept
            turn = await world.threads.reopen_turn(answer.id, model="m", parts=kept)
            assert turn.assistant_message.parts == kept
            await world.threads.finish_turn(
                turn.turn_id,
                parts=turn.assistant_message.parts,
                status=MessageStatus.STOPPED,
                reason="stopped",
                usage=Usage(),
                duration_seconds=1.0,
            )
            assert await world.removals.take_back(removed) is None
            assert (await world.threads.messages([answer.id]))[0].parts == kept


async def test_a_removed_result_is_not_found_and_comes_back_with_undo(open_world: OpenWorld) -> None:
    async with open_world() as world:
        _, path = await three_rounds(world)
        result = Removed(path[1].id, "call")

        async def found(words: str) -> set[str | None]:
            page = await world.search.find(read_search(words, utc_now(), folders={}))
            return {hit.message_id for hit in page.hits}

        answers = {path[1].id, path[3].id, path[5].id}
        for _ in range(2):
            assert await found("brought") == answers
            await world.removals.remove(result)
            assert await found("brought") == answers - {path[1].id}
            assert await found("own__bring") == answers, "the call itself stays"
            assert await world.removals.take_back(result) is not None
        assert await found('"brought one"') == {path[1].id}
        await world.removals.remove(result)
        await world.removals.erase()
        assert await found("brought") == answers - {path[1].id}
        assert await found("own__bring") == answers


async def test_a_branch_keeps_its_copy_of_what_is_erased(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread_id, path = await three_rounds(world)
        branched = await world.threads.branch(path[3].id, title="b")
        await world.removals.remove(Removed(path[2].id))
        await world.removals.erase()
        assert await world.texts(branched.id) == ["one", "to one", "two", "to two"]
        assert "two" not in await world.texts(thread_id)


async def test_what_is_being_written_is_not_removed(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread_id, _ = await three_rounds(world)
        turn = await world.threads.begin_turn(thread_id, "four", model="m")
        for removed in (Removed(turn.assistant_message.id), Removed(turn.assistant_message.id, "call")):
            with pytest.raises(ThreadwellError) as refused:
                await world.removals.remove(removed)
            assert refused.value.code == "run.busy"


async def test_a_start_erases_what_was_removed_before(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread_id, path = await three_rounds(world)
        await world.removals.remove(Removed(path[2].id))
        await world.threads.recover()
        assert await world.removals.take_back(Removed(path[2].id)) is None
        assert len(await world.texts(thread_id)) == 5
        roles = [message.role for message in await world.threads.path(thread_id)]
        assert roles.count(Role.USER) == 2
