"""What every store of assistants promises, held against SQLite and against the fake that other tests use."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from desktop.conversation.assistants.entities import Assistant, AssistantMemory
from desktop.conversation.assistants.ports import AssistantStore
from desktop.conversation.entities import (
    MessageStatus,
    ResultStatus,
    TextPart,
    ThreadOptions,
    ToolCallPart,
    ToolResultPart,
)
from desktop.conversation.inner_run import InnerRunPart
from desktop.conversation.ports import ThreadRepository
from desktop.core.language_model import Usage
from desktop.tools.entities import CallState
from desktop.tools.ports import ToolJournal
from tests.support.in_memory_assistants import InMemoryAssistants
from tests.support.in_memory_threads import InMemoryJournal, InMemoryThreadRepository
from tests.support.memory_items import NOW
from tests.support.stores import opened


@dataclass(frozen=True)
class Stores:
    assistants: AssistantStore
    threads: ThreadRepository
    journal: ToolJournal


Opener = Callable[[Path], AbstractAsyncContextManager[Stores]]


@asynccontextmanager
async def in_memory(_folder: Path) -> AsyncIterator[Stores]:
    journal = InMemoryJournal()
    threads = InMemoryThreadRepository(journal=journal)
    yield Stores(InMemoryAssistants(threads), threads, journal)


@asynccontextmanager
async def in_sqlite(folder: Path) -> AsyncIterator[Stores]:
    async with opened(folder) as store:
        yield Stores(store.assistants, store.threads, store.journal)


@pytest.fixture(params=[in_memory, in_sqlite], ids=["memory", "sqlite"])
def stores(request: pytest.FixtureRequest, tmp_path: Path) -> AbstractAsyncContextManager[Stores]:
    open_one: Opener = request.param
    return open_one(tmp_path)


def assistant(name: str, **fields: object) -> Assistant:
    return replace(Assistant(id=f"id-{name}", name=name, created_at=NOW, updated_at=NOW), **fields)


def kept(one: Assistant) -> Assistant:
    """As a thread keeps it."""
    usual = Assistant(id="", name="")
    return replace(one, created_at=usual.created_at, updated_at=usual.updated_at)


async def names(store: AssistantStore) -> list[str]:
    return [one.name for one in await store.all()]


async def test_assistants_come_back_as_they_were_in_their_order(stores: AbstractAsyncContextManager[Stores]) -> None:
    async with stores as s:
        odd = assistant(
            "助手 🚀 'x'; --",
            instructions="Line\n\n“…”",
            description="d",
            endpoint_id="e",
            model="m",
            tools=("command", "files/read"),
            memory=AssistantMemory.OWN_CHATS,
            helpers=("id-a",),
            most_steps=3,
            most_tokens=4_000,
            most_seconds=5,
        )
        await s.assistants.add([odd])
        await s.assistants.add([assistant("b", tools=()), assistant("a")])
        assert await s.assistants.all() == (odd, assistant("b", tools=()), assistant("a"))


async def test_a_name_is_there_once_whatever_its_case(stores: AbstractAsyncContextManager[Stores]) -> None:
    async with stores as s:
        assert len(await s.assistants.add([assistant("Researcher"), replace(assistant("x"), name="rESEARCHER")])) == 1
        await s.assistants.add([assistant("b")])
        assert await s.assistants.change(replace(assistant("b"), name="RESEARCHER")) is False
        assert await s.assistants.change(replace(assistant("Researcher"), name="researcher")) is True
        assert await s.assistants.change(assistant("gone")) is False
        assert await names(s.assistants) == ["researcher", "b"]


async def test_order_and_removal(stores: AbstractAsyncContextManager[Stores]) -> None:
    async with stores as s:
        await s.assistants.add([assistant(name) for name in "abcd"])
        await s.assistants.set_order(["id-d", "id-unknown", "id-b"])
        assert await names(s.assistants) == ["d", "b", "a", "c"]
        await s.assistants.remove(["id-b", "id-unknown"])
        assert await names(s.assistants) == ["d", "a", "c"]
        assert await s.assistants.erase()


async def test_a_chat_keeps_its_assistant_as_it_was_last(stores: AbstractAsyncContextManager[Stores]) -> None:
    async with stores as s:
        one = assistant("a", instructions="before")
        await s.assistants.add([one])
        thread = await s.threads.create_thread(options=ThreadOptions(assistant=kept(one)))
        other = await s.threads.create_thread()
        assert await s.assistants.chats_with(one.id) == 1
        changed = replace(one, instructions="after")
        await s.assistants.change(changed)
        await s.assistants.remove([one.id])
        for thread_id, expected in ((thread.id, kept(changed)), (other.id, None)):
            found = await s.threads.get_thread(thread_id)
            assert found is not None
            assert found.options.assistant == expected
        await s.threads.delete_thread(thread.id)
        assert await s.assistants.chats_with(one.id) == 0


async def test_a_new_chat_keeps_it_too(stores: AbstractAsyncContextManager[Stores]) -> None:
    async with stores as s:
        options = ThreadOptions(assistant=kept(assistant("a", tools=())), system_prompt="own")
        await s.threads.save_new_thread_options(options)
        assert await s.threads.load_new_thread_options() == options


async def test_a_run_inside_an_answer_that_was_cut_off_has_one_result_for_each_call(
    stores: AbstractAsyncContextManager[Stores],
) -> None:
    async with stores as s:
        thread = await s.threads.create_thread()
        turn = await s.threads.begin_turn(thread.id, "Q", model="m")
        calls = [ToolCallPart(call_id=name, name="files__read", arguments="{}") for name in ("ran", "ended", "new")]
        deeper = InnerRunPart(
            call_id="ran", assistant="B", parts=(ToolCallPart(call_id="x", name="files__read", arguments="{}"),)
        )
        inner = InnerRunPart(call_id="c", assistant="A", parts=(TextPart(text="I look."), *calls, deeper))
        outer = ToolCallPart(call_id="c", name="assistants__ask_assistant", arguments="{}")
        for call_id, ends in (("c", None), ("c/ran", None), ("c/ended", "ok"), ("c/ran/x", None)):
            await begin_call(s, f"{turn.turn_id}:{call_id}", turn.turn_id, thread.id)
            if ends is not None:
                await s.journal.finish(f"{turn.turn_id}:{call_id}", status=ends, result="found", duration_seconds=1.0)
        await s.threads.save_parts(turn.assistant_message.id, [outer, inner])
        assert await s.threads.recover() == 1
        (answer,) = await s.threads.messages([turn.assistant_message.id])
        assert answer.status is MessageStatus.INTERRUPTED
        assert results(answer.parts) == {"c": ResultStatus.UNKNOWN}
        (run,) = [part for part in answer.parts if isinstance(part, InnerRunPart)]
        assert results(run.parts) == {
            "ran": ResultStatus.UNKNOWN,
            "ended": ResultStatus.OK,
            "new": ResultStatus.INTERRUPTED,
        }
        (deep,) = [part for part in run.parts if isinstance(part, InnerRunPart)]
        assert results(deep.parts) == {"x": ResultStatus.UNKNOWN}


async def test_a_run_inside_an_answer_comes_back_as_it_was(stores: AbstractAsyncContextManager[Stores]) -> None:
    async with stores as s:
        thread = await s.threads.create_thread()
        turn = await s.threads.begin_turn(thread.id, "Q", model="m")
        part = InnerRunPart(
            call_id="c",
            assistant="A",
            model="m2",
            usage=Usage(input_tokens=3, output_tokens=4),
            parts=(TextPart(text="你好 “x”"), ToolResultPart(call_id="y", status=ResultStatus.OK, text="r")),
            step=1,
        )
        await s.threads.save_parts(turn.assistant_message.id, [TextPart(text="a"), replace(part, parts=())])
        await s.threads.save_parts(turn.assistant_message.id, [TextPart(text="a"), part])
        (answer,) = await s.threads.messages([turn.assistant_message.id])
        assert answer.parts == (TextPart(text="a"), part)


async def begin_call(stores: Stores, call_id: str, turn_id: str, thread_id: str) -> None:
    await stores.journal.propose(call_id, turn_id=turn_id, thread_id=thread_id, name="t", arguments="{}")
    await stores.journal.decide(
        call_id,
        state=CallState.RUNNING,
        server_id="s",
        digest="d",
        choice=None,
        ending=None,
        decided_by="policy",
    )


def results(parts: tuple[object, ...]) -> dict[str, ResultStatus]:
    found = [part for part in parts if isinstance(part, ToolResultPart)]
    assert len({part.call_id for part in found}) == len(found)
    return {part.call_id: part.status for part in found}
