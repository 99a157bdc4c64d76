"""Summaries on disk: which one counts on a path, what is not overwritten, and that nothing forgotten stays in one."""

import asyncio
import dataclasses
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from desktop.conversation.summaries import Summary, SummaryProblem, SummaryState
from desktop.core.costs import Cost
from desktop.core.language_model import Usage
from desktop.memory.entities import MemorySource
from desktop.storage.store import Store
from tests.support.memory_items import item
from tests.support.stores import opened, say

NOW = datetime(2026, 1, 2, tzinfo=UTC)
SECRET = "the harbour code is seven three one four"
_ROOT = Path(__file__).parents[3]


def summary(thread_id: str, until_id: str, text: str = "The user likes tea.", **fields: object) -> Summary:
    made = Summary(
        id=f"s-{until_id}", thread_id=thread_id, until_id=until_id, text=text, created_at=NOW, updated_at=NOW
    )
    return dataclasses.replace(made, **fields)  # pyright: ignore[reportArgumentType]


def words_in(folder: Path, *words: bytes) -> set[bytes]:
    contents = [file.read_bytes() for file in folder.rglob("*") if file.is_file()]
    return {word for word in words for content in contents if word in content}


async def chat(store: Store, *questions: str) -> tuple[str, list[str]]:
    thread = await store.threads.create_thread()
    answers = [(await say(store, thread.id, question, "I see.")).id for question in questions]
    return thread.id, answers


async def put(store: Store, made: Summary) -> None:
    assert await store.summaries.put(made, SummaryState(forgotten=(await store.summaries.on_path("")).forgotten))


async def test_what_is_stored_is_read_as_it_was(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread_id, answers = await chat(store, "a", "b")
        made = summary(
            thread_id,
            answers[0],
            "text \ud800",
            own_text="own",
            pinned=("a", "用户"),
            model="m",
            usage=Usage(input_tokens=5, output_tokens=None),
            cost=Cost(amount=0.5, currency="€"),
        )
        await put(store, made)
    async with opened(tmp_path) as store:
        state = await store.summaries.on_path(thread_id)
        assert state.summary == dataclasses.replace(made, text="text \ufffd")
        assert state.in_use == state.summary


async def test_the_one_that_reaches_furthest_on_the_path_counts(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread_id, answers = await chat(store, "a", "b", "c")
        for answer in answers[:2]:
            await put(store, summary(thread_id, answer))
        on_path = store.summaries.on_path
        assert (await on_path(thread_id)).summary == summary(thread_id, answers[1])
        assert (await on_path(thread_id, until=answers[0])).summary == summary(thread_id, answers[0])
        again = await store.threads.add_answer(answers[1], model="m", chosen=True)
        assert (await on_path(thread_id)).summary == summary(thread_id, answers[0]), "another way from there"
        assert (await on_path(thread_id, until=again.user_message.id)).summary == summary(thread_id, answers[0])
        await store.threads.choose_answer(answers[2])
        assert (await on_path(thread_id)).summary == summary(thread_id, answers[1])


async def test_a_change_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread_id, answers = await chat(store, "a", "b")
        await put(store, summary(thread_id, answers[0]))
        read = await store.summaries.on_path(thread_id)
        edited = summary(thread_id, answers[0], own_text="mine")
        assert await store.summaries.put(edited, read)
        assert not await store.summaries.put(summary(thread_id, answers[1]), read)
        assert (await store.summaries.on_path(thread_id)).summary == edited
        now = await store.summaries.on_path(thread_id)
        await store.memory.add(item("x"))
        await store.memory.forget([(await store.memory.search())[0].id])
        assert not await store.summaries.put(summary(thread_id, answers[1]), now), "it may hold what was forgotten"


async def test_what_came_of_attempts_is_kept(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread_id, _ = await chat(store, "a")
        await store.summaries.note_problem(thread_id, SummaryProblem.EMPTY, 2)
        await store.summaries.note_problem(thread_id, SummaryProblem.FAILED, 4)
        await store.summaries.wait_a_turn(thread_id)
        await store.summaries.set_off(thread_id, True)
        await store.summaries.set_off("no such thread", True)
    async with opened(tmp_path) as store:
        state = await store.summaries.on_path(thread_id)
        assert (state.problem, state.attempts, state.turns_to_wait, state.is_off) == (SummaryProblem.FAILED, 2, 3, True)
        await store.summaries.note_problem(thread_id, None)
        state = await store.summaries.on_path(thread_id)
        assert (state.problem, state.attempts, state.turns_to_wait, state.is_off) == (None, 0, 0, True)


async def test_forgetting_an_item_takes_it_out_of_every_summary(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread_id, answers = await chat(store, f"Remember: {SECRET}. And tea.", "b")
        question = (await store.threads.path(thread_id))[0].id
        other, others = await chat(store, "something else", "b")
        third, thirds = await chat(store, "nothing of it", "b")
        # It says so in other words, which only the message that it stands for tells.
        await put(
            store, summary(thread_id, answers[1], "Harbour: 7314.", own_text=f"Tea! {SECRET}. And cake.", pinned=("p",))
        )
        await put(store, summary(other, others[0], f"Somebody said that {SECRET.upper()}."))
        await put(store, summary(third, thirds[0], "Tea."))
        await store.memory.add(
            item(SECRET, source=MemorySource(thread_id=thread_id, message_id=question, quote=SECRET), id="i")
        )
        receipt = await store.memory.forget(["i"])
        assert receipt.stale_summaries == 2
        first, second = [(await store.summaries.on_path(each)).summary for each in (thread_id, other)]
        assert first is not None
        assert second is not None
        assert (first.text, first.is_stale, first.own_text, first.pinned) == ("", True, "Tea! And cake.", ("p",))
        assert (second.text, second.is_stale) == ("", True)
        assert (await store.summaries.on_path(other)).in_use is None
        assert (await store.summaries.on_path(third)).in_use is not None
        texts = {question: f"Remember: {SECRET}. And tea.", "": f"They say:\n{SECRET}\nand cake"}
        left = await store.summaries.without_forgotten(texts)
        assert "harbour" not in "".join(left.values())
        assert "And tea" in left[question]
        assert "and cake" in left[""]


async def test_no_byte_of_a_summary_stays_when_it_is_forgotten_or_purged(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread_id, answers = await chat(store, "a", "b")
        await put(
            store, summary(thread_id, answers[0], "Quokkas dig.", own_text="Wombats dream.", pinned=("Numbats run.",))
        )
        await store.summaries.note_problem(thread_id, SummaryProblem.EMPTY)
        receipt = await store.threads.purge_thread(thread_id)
        assert receipt.summaries == 1
        other, others = await chat(store, "a")
        await put(store, summary(other, others[0], "Platypuses swim in the river at night."))
        await store.memory.add(item("platypuses swim in the river", id="i"))
        await store.memory.forget(["i"])
    assert words_in(tmp_path, b"Quokkas", b"Wombats", b"Numbats", b"latypuses") == set()


WRITER = """
import asyncio, sys
from pathlib import Path
from desktop.core.paths import DataPaths
from desktop.storage.store import open_store
from tests.support.stores import say
from tests.support.summary_world import SummaryWorld, NotingModel, SMALL
async def main():
    store = await open_store(DataPaths(Path(sys.argv[1])))
    numbers = iter(range(100_000))
    def notes(material):
        print("asked", flush=True)
        return f"note {next(numbers)}"
    world = SummaryWorld(store, NotingModel(notes), SMALL)
    world.thread_id = sys.argv[2]
    while True:
        run = await world.chat.send(world.thread_id, "go on")
        await run.wait_over()
        await world.settled()
asyncio.run(main())
"""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "kills" in metafunc.fixturenames:
        metafunc.parametrize("kills", [20 if metafunc.config.getoption("long") else 2])


async def test_a_kill_while_a_chat_is_summarised_leaves_the_former_summary_or_the_new_one(
    tmp_path: Path, kills: int
) -> None:
    async with opened(tmp_path) as store:
        thread_id, _ = await chat(store, "begin")
    before: Summary | None = None
    for number in range(kills):
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", WRITER, str(tmp_path), thread_id, cwd=_ROOT, stdout=asyncio.subprocess.PIPE
        )
        try:
            assert process.stdout is not None
            for _ in range(1 + number % 2):
                assert await asyncio.wait_for(process.stdout.readline(), 60) == b"asked\n"
            await asyncio.sleep(0.01 * (number % 4))
        finally:
            process.kill()
            await process.communicate()
        async with opened(tmp_path) as store:
            assert store.notices == ()
            await store.threads.recover()
            state = await store.summaries.on_path(thread_id)
            path = [message.id for message in await store.threads.path(thread_id)]
            if state.summary is not None:
                assert state.summary.until_id in path
                assert state.summary.text.startswith("note 0")
            if before is not None:
                assert state.summary is not None
                assert path.index(state.summary.until_id) >= path.index(before.until_id)
                assert state.summary.text.startswith(before.text)
            before = state.summary
