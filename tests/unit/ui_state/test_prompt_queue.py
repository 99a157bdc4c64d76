"""The queue shows one question at a time, in order, and keeps the three endings apart."""

import asyncio
from collections.abc import Callable

import pytest

from desktop.ui.dialogs.prompt_queue import PromptQueue, Question
from tests.support.waiting import until


class Desk:
    """Stands for the dialogs: notes what is shown and what was closed, and answers when told."""

    def __init__(self, queue: PromptQueue) -> None:
        self.queue = queue
        self.shown: list[str] = []
        self.closed: list[str] = []
        self.open: dict[str, Callable[[str], None]] = {}
        self.waiting: list[tuple[str, bool]] = []
        queue.thread_waiting.connect(self.note_waiting)

    def note_waiting(self, thread_id: str, waiting: bool) -> None:
        self.waiting.append((thread_id, waiting))

    async def ask(self, name: str, thread_id: str = "t") -> str:
        def show(answer: Callable[[str], None]) -> Callable[[], None]:
            assert not self.open, "two questions at once"
            self.shown.append(name)
            self.open[name] = answer
            return close

        def close() -> None:
            self.closed.append(name)
            del self.open[name]

        question = Question(thread_id=thread_id, show=show, refused=f"{name} refused", aborted=f"{name} aborted")
        return await self.queue.ask(question)

    def answer(self, name: str, value: str) -> None:
        self.open.pop(name)(value)


@pytest.fixture
def desk() -> Desk:
    return Desk(PromptQueue())


async def test_one_at_a_time_and_in_order(desk: Desk) -> None:
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(desk.ask(name)) for name in "abc"]
        for name, left in (("a", 2), ("b", 1), ("c", 0)):
            await until(lambda name=name: name in desk.open)
            assert desk.queue.waiting_count == left
            desk.answer(name, f"{name}!")
    assert [task.result() for task in tasks] == ["a!", "b!", "c!"]
    assert desk.shown == ["a", "b", "c"]
    assert desk.closed == []
    assert desk.waiting == [("t", True), ("t", False)]
    assert desk.queue.is_empty


async def test_a_cancelled_asker_closes_its_dialog_and_the_next_comes(desk: Desk) -> None:
    async with asyncio.TaskGroup() as group:
        first = group.create_task(desk.ask("a", "one"))
        waiting = group.create_task(desk.ask("b", "two"))
        last = group.create_task(desk.ask("c", "three"))
        await until(lambda: "a" in desk.open and desk.queue.waiting_count == 2)
        waiting.cancel()
        first.cancel()
        await until(lambda: "c" in desk.open)
        desk.answer("c", "yes")
    assert first.cancelled()
    assert waiting.cancelled()
    assert last.result() == "yes"
    assert desk.shown == ["a", "c"]
    assert desk.closed == ["a"]
    assert sorted(desk.waiting) == sorted((t, w) for t in ("one", "two", "three") for w in (True, False))


async def test_refuse_all_ends_every_question_as_refused(desk: Desk) -> None:
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(desk.ask(name, name)) for name in "abc"]
        await until(lambda: desk.queue.waiting_count == 2)
        desk.queue.refuse_all()
    assert [task.result() for task in tasks] == ["a refused", "b refused", "c refused"]
    assert desk.closed == ["a"]
    assert desk.shown == ["a"]
    assert {w for w in desk.waiting if not w[1]} == {("a", False), ("b", False), ("c", False)}


async def test_after_close_every_question_is_aborted_at_once(desk: Desk) -> None:
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(desk.ask(name)) for name in "ab"]
        await until(lambda: desk.queue.waiting_count == 1)
        desk.queue.close()
    assert [task.result() for task in tasks] == ["a aborted", "b aborted"]
    assert await desk.ask("late") == "late aborted"
    assert desk.shown == ["a"]


async def test_abort_all_leaves_the_queue_usable(desk: Desk) -> None:
    async with asyncio.TaskGroup() as group:
        first = group.create_task(desk.ask("a"))
        await until(lambda: "a" in desk.open)
        desk.queue.abort_all()
        await until(first.done)
        second = group.create_task(desk.ask("b"))
        await until(lambda: "b" in desk.open)
        desk.answer("b", "yes")
    assert first.result() == "a aborted"
    assert second.result() == "yes"


async def test_a_question_that_cannot_be_shown_fails_alone(desk: Desk) -> None:
    def show(answer: Callable[[str], None]) -> Callable[[], None]:
        raise ValueError("no window")

    with pytest.raises(ValueError, match="no window"):
        await desk.queue.ask(Question(thread_id="t", show=show, refused="", aborted=""))
    async with asyncio.TaskGroup() as group:
        task = group.create_task(desk.ask("b"))
        await until(lambda: "b" in desk.open)
        desk.answer("b", "yes")
    assert task.result() == "yes"
    assert desk.waiting == [("t", True), ("t", False), ("t", True), ("t", False)]


async def test_a_second_answer_changes_nothing(desk: Desk) -> None:
    async with asyncio.TaskGroup() as group:
        first = group.create_task(desk.ask("a"))
        second = group.create_task(desk.ask("b"))
        await until(lambda: "a" in desk.open)
        give = desk.open.pop("a")
        give("yes")
        give("no")
        await until(lambda: "b" in desk.open)
        desk.answer("b", "yes")
    assert first.result() == "yes"
    assert second.result() == "yes"
