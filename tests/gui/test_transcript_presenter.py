"""The presenter on Qt's loop: opening, following a running answer, switching threads, loading what comes near."""

import asyncio
from pathlib import Path

import pytest
from PySide6.QtTest import QSignalSpy
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget

from desktop.conversation.entities import Message, ResultStatus
from desktop.core.errors import ModelError, StorageError
from desktop.core.language_model import FinishReason, StreamEnd, TextDelta, ThinkingDelta
from desktop.core.settings import SettingsStore
from desktop.tools.entities import ServerState, ServerStatus
from desktop.ui.transcript import view as view_module
from desktop.ui.transcript.blocks.fold_header import FoldHeader
from desktop.ui.transcript.blocks.rich_text import RichTextWidget
from tests.support.in_memory_threads import InMemoryThreadRepository
from tests.support.scripted_model import Step, called, said
from tests.support.transcript_world import PresenterWorld, presenter_world
from tests.support.waiting import until

END = StreamEnd(reason=FinishReason.STOP)


def answers(world: PresenterWorld) -> list[str]:
    return [text.toPlainText() for text in world.world.all(RichTextWidget, "")]


def settings(tmp_path: Path) -> SettingsStore:
    return SettingsStore(tmp_path / "settings.json")


async def test_a_thread_opens_at_its_end(qloop: object, qapp: QApplication, tmp_path: Path) -> None:
    async with presenter_world(qapp, settings(tmp_path)) as world:
        thread_id = await world.add_thread(*(f"text {n}" for n in range(100)))
        opened = QSignalSpy(world.presenter.opened)
        await world.presenter.open_thread(thread_id)
        assert opened.at(0)[0] == thread_id
        assert world.view.message_count == 100
        assert "Answer from model-x: text 99" in world.shown()
        assert "text 2\n" not in world.shown()


async def test_no_thread_and_an_empty_one_greet(qloop: object, qapp: QApplication, tmp_path: Path) -> None:
    async with presenter_world(qapp, settings(tmp_path)) as world:
        await world.presenter.open_thread(None)
        assert len(world.world.all(QPushButton, "example-prompt")) == 4
        thread_id = await world.add_thread("q", "a")
        await world.presenter.open_thread(thread_id)
        assert world.world.all(QPushButton, "example-prompt") == []
        empty = await world.repository.create_thread()
        await world.presenter.open_thread(empty.id)
        assert len(world.world.all(QPushButton, "example-prompt")) == 4


async def test_a_sent_message_and_its_answer_appear_and_end_as_stored(
    qloop: object, qapp: QApplication, tmp_path: Path
) -> None:
    step: Step = [ThinkingDelta(text="Hm."), TextDelta(text="It is **so**."), END]
    async with presenter_world(qapp, settings(tmp_path), step) as world:
        thread_id = await world.add_thread("q", "a")
        await world.presenter.open_thread(thread_id)
        run = await world.chat.send(thread_id, "Why?")
        assert "You said: Why?" in world.shown()
        assert world.world.find(QLabel, "status-text").text() == "Working…"
        await run.wait()
        await until(lambda: len(world.world.all(QLabel, "answer-figures")) == 2)
        assert answers(world)[-1] == "It is so."
        assert world.world.all(FoldHeader, "thinking-header")[0].accessibleName().startswith("Thought for a moment")
        await world.presenter.open_thread(None)
        await world.presenter.open_thread(thread_id)
        assert world.world.all(FoldHeader, "thinking-header")[0].accessibleName().startswith("Thought for a moment")


async def test_an_answer_is_shown_whole_also_where_the_next_message_is_faster_than_its_end(
    qloop: object, qapp: QApplication, tmp_path: Path
) -> None:
    steps: list[Step] = [[TextDelta(text=f"Answer {number}."), END] for number in range(3)]
    async with presenter_world(qapp, settings(tmp_path), *steps) as world:
        thread_id = await world.add_thread("q", "a")
        await world.presenter.open_thread(thread_id)
        for number in range(3):
            run = await world.chat.send(thread_id, f"Question {number}")
            await run.wait_over()
        await until(lambda: answers(world)[-3:] == [f"Answer {number}." for number in range(3)])
        await until(lambda: len(world.world.all(QLabel, "answer-figures")) == 4)
        assert world.world.all(QLabel, "status-text") == []


async def test_an_answer_says_that_it_waits_for_the_tools(qloop: object, qapp: QApplication, tmp_path: Path) -> None:
    go = asyncio.Event()
    async with presenter_world(qapp, settings(tmp_path), [go, TextDelta(text="Now."), END]) as world:
        world.gateway.set_status(ServerStatus(server_id="command", state=ServerState.STOPPED))
        thread_id = await world.add_thread("q", "a")
        await world.presenter.open_thread(thread_id)
        run = await world.chat.send(thread_id, "Why?")

        def status() -> str:
            return world.world.find(QLabel, "status-text").text()

        await until(lambda: status() == "Working…")
        world.gateway.set_status(ServerStatus(server_id="command", state=ServerState.STARTING))
        await until(lambda: status() == "Starting the tools…")
        world.gateway.set_status(ServerStatus(server_id="command", state=ServerState.READY))
        await until(lambda: status() == "Working…")
        go.set()
        await run.wait()
        await until(lambda: len(world.world.all(QLabel, "answer-figures")) == 2)
        world.gateway.set_status(ServerStatus(server_id="command", state=ServerState.RESTARTING))
        world.world.settle()
        assert world.world.all(QLabel, "status-text") == []


async def test_an_answer_that_goes_on_says_what_it_waits_for_until_it_does(
    qloop: object, qapp: QApplication, tmp_path: Path
) -> None:
    never, go = asyncio.Event(), asyncio.Event()
    steps: list[Step] = [[TextDelta(text="First half"), never], [go, TextDelta(text=", second half."), END]]
    async with presenter_world(qapp, settings(tmp_path), *steps) as world:
        world.gateway.set_status(ServerStatus(server_id="command", state=ServerState.STOPPED))
        thread_id = await world.add_thread("q", "a")
        await world.presenter.open_thread(thread_id)
        await world.chat.send(thread_id, "Why?")
        await until(lambda: "First half" in answers(world))
        await world.chat.stop(thread_id)
        await until(lambda: len(world.world.all(QPushButton, "continue-answer")) == 1)
        run = await world.chat.continue_answer(thread_id)

        def statuses() -> list[str]:
            return [label.text() for label in world.world.all(QLabel, "status-text")]

        await until(lambda: statuses() == ["Working…"])
        world.gateway.set_status(ServerStatus(server_id="command", state=ServerState.STARTING))
        await until(lambda: statuses() == ["Starting the tools…"])
        assert "First half" in answers(world)
        go.set()
        await run.wait()
        await until(lambda: "First half, second half." in answers(world) and statuses() == [])


async def test_an_answer_never_lands_in_another_thread(qloop: object, qapp: QApplication, tmp_path: Path) -> None:
    go = asyncio.Event()
    step: Step = [TextDelta(text="First half"), go, TextDelta(text=", second half."), END]
    async with presenter_world(qapp, settings(tmp_path), step) as world:
        running = await world.add_thread("q", "a")
        other = await world.add_thread("other question", "other answer")
        await world.presenter.open_thread(running)
        run = await world.chat.send(running, "Go on")
        await until(lambda: "First half" in answers(world))
        await world.presenter.open_thread(other)
        go.set()
        await run.wait()
        await until(lambda: world.chat.run_of(running) is None)
        world.world.settle()
        assert answers(world) == ["other answer"]
        assert "half" not in world.shown()
        await world.presenter.open_thread(running)
        assert answers(world)[-1] == "First half, second half."


async def test_coming_back_to_a_running_answer_shows_it_from_the_beginning(
    qloop: object, qapp: QApplication, tmp_path: Path
) -> None:
    pause, go = asyncio.Event(), asyncio.Event()
    pieces = [TextDelta(text=f"{n} ") for n in range(1_500)]
    step: Step = [*pieces, pause, TextDelta(text="middle "), go, TextDelta(text="end"), END]
    async with presenter_world(qapp, settings(tmp_path), step) as world:
        running = await world.add_thread("q", "a")
        await world.presenter.open_thread(running)
        run = await world.chat.send(running, "Count")
        await until(lambda: "1499" in answers(world)[-1])
        await world.presenter.open_thread(None)
        await world.presenter.open_thread(running)
        pause.set()
        await until(lambda: answers(world)[-1].endswith("middle"))
        go.set()
        await run.wait()
        expected = " ".join(map(str, range(1_500))) + " middle end"
        await until(lambda: "".join(answers(world)[-2:]).endswith("middle end"))
        assert "0 1 2 3 " in expected
        (stored,) = await world.repository.messages([run.message_id])
        assert stored.text == expected


async def test_tools_show_their_states_while_they_run(qloop: object, qapp: QApplication, tmp_path: Path) -> None:
    steps: list[Step] = [called(("c1", "no__such_tool", "{}")), said("Done.")]
    async with presenter_world(qapp, settings(tmp_path), *steps) as world:
        thread_id = await world.add_thread("q", "a")
        await world.presenter.open_thread(thread_id)
        run = await world.chat.send(thread_id, "Use a tool")
        await run.wait()
        await until(lambda: "Done." in answers(world))
        (header,) = world.world.all(FoldHeader, "tool-card-header")
        assert header.accessibleName().startswith("Tool such_tool of no: Failed")
        (stored,) = await world.repository.messages([run.message_id])
        results = [part for part in stored.parts if hasattr(part, "status")]
        assert [part.status for part in results] == [ResultStatus.ERROR]  # type: ignore[union-attr]


async def test_the_end_of_an_answer_is_announced_once(
    qloop: object, qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said_aloud: list[tuple[str, bool]] = []

    def announce(_widget: QWidget, text: str, *, assertive: bool = False) -> None:
        said_aloud.append((text, assertive))

    monkeypatch.setattr(view_module, "announce", announce)
    steps: list[Step] = [
        said("It is **so**, and more. " * 50),
        [TextDelta(text="Half"), ModelError("model.timeout", seconds=5)],
        [TextDelta(text="Half of it"), asyncio.Event(), END],
    ]
    async with presenter_world(qapp, settings(tmp_path), *steps) as world:
        thread_id = await world.add_thread("q", "a")
        await world.presenter.open_thread(thread_id)
        for number in range(3):
            run = await world.chat.send(thread_id, "Why?")
            if number == 2:
                await until(lambda: "Half of it" in answers(world))
                await world.chat.stop(thread_id)
            await run.wait()
            await until(lambda number=number: len(said_aloud) == number + 1)
    assert said_aloud[0][0].startswith("Answer finished: It is so, and more. It is so")
    assert len(said_aloud[0][0]) < 330
    assert [is_urgent for _, is_urgent in said_aloud] == [False, True, False]
    assert [text for text, _ in said_aloud[1:]] == [
        "The answer failed: The model did not answer in time",
        "Answer stopped",
    ]


async def test_a_stopped_answer_says_so(qloop: object, qapp: QApplication, tmp_path: Path) -> None:
    step: Step = [TextDelta(text="Half of it"), asyncio.Event(), END]
    async with presenter_world(qapp, settings(tmp_path), step) as world:
        thread_id = await world.add_thread("q", "a")
        await world.presenter.open_thread(thread_id)
        await world.chat.send(thread_id, "Long, please")
        await until(lambda: "Half of it" in answers(world))
        await world.chat.stop(thread_id)
        await until(lambda: world.world.all(QLabel, "status-text"))
        assert world.world.find(QLabel, "status-text").text() == "You stopped this answer."


async def test_each_thread_keeps_its_reading_place(qloop: object, qapp: QApplication, tmp_path: Path) -> None:
    async with presenter_world(qapp, settings(tmp_path)) as world:
        long = await world.add_thread(*("words " * 40 + str(n) for n in range(200)))
        short = await world.add_thread("q", "a")
        await world.presenter.open_thread(long)
        bar = world.view.verticalScrollBar()
        bar.setValue(bar.maximum() // 3)
        await until(lambda: world.world.rows())
        world.world.settle()
        place = world.view.reading_position()
        await world.presenter.open_thread(short)
        await world.presenter.open_thread(long)
        assert world.view.reading_position() == place


async def test_a_search_hit_opens_at_its_message(qloop: object, qapp: QApplication, tmp_path: Path) -> None:
    async with presenter_world(qapp, settings(tmp_path)) as world:
        thread_id = await world.add_thread(*("words " * 40 + str(n) for n in range(200)))
        hit = (await world.repository.outline(thread_id))[57].id
        await world.presenter.open_thread(thread_id, message_id=hit)
        place = world.view.reading_position()
        assert place is not None
        assert place.message_id == hit


async def test_messages_that_come_near_are_loaded(qloop: object, qapp: QApplication, tmp_path: Path) -> None:
    async with presenter_world(qapp, settings(tmp_path)) as world:
        thread_id = await world.add_thread(*(f"text number {n}" for n in range(1_000)))
        await world.presenter.open_thread(thread_id)
        world.view.verticalScrollBar().setValue(0)
        await until(lambda: "You said: text number 0" in world.shown())
        bar = world.view.verticalScrollBar()
        bar.setValue(bar.maximum() // 2)
        await until(lambda: world.world.rows() and "number 0" not in world.shown())


class SlowRepository(InMemoryThreadRepository):
    """Holds reading of a thread back until it is let go, and fails when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.gates: dict[str, asyncio.Event] = {}
        self.fails = False

    async def path(self, thread_id: str, *, last: int | None = None, until: str | None = None) -> tuple[Message, ...]:
        messages = await super().path(thread_id, last=last, until=until)
        if (gate := self.gates.get(thread_id)) is not None:
            await gate.wait()
        if self.fails:
            raise StorageError("storage.failed", detail="test")
        return messages


async def test_the_thread_asked_for_last_wins(qloop: object, qapp: QApplication, tmp_path: Path) -> None:
    repository = SlowRepository()
    async with presenter_world(qapp, settings(tmp_path), repository=repository) as world:
        slow, quick = await world.add_thread("slow", "slow answer"), await world.add_thread("quick", "quick answer")
        repository.gates[slow] = asyncio.Event()
        first = world.tasks.spawn(world.presenter.open_thread(slow), name="slow")
        await asyncio.sleep(0)
        await world.presenter.open_thread(quick)
        repository.gates[slow].set()
        await first
        assert answers(world) == ["quick answer"]
        assert world.presenter.thread_id == quick


async def test_a_run_that_begins_while_the_thread_is_read_is_shown(
    qloop: object, qapp: QApplication, tmp_path: Path
) -> None:
    repository = SlowRepository()
    async with presenter_world(qapp, settings(tmp_path), said("Here it is."), repository=repository) as world:
        thread_id = await world.add_thread("q", "a")
        gate = repository.gates[thread_id] = asyncio.Event()
        opening = world.tasks.spawn(world.presenter.open_thread(thread_id), name="open")
        await asyncio.sleep(0)
        run = await world.chat.send(thread_id, "And?")
        gate.set()
        await opening
        await run.wait()
        await until(lambda: answers(world) == ["a", "Here it is."])
        assert world.view.message_count == 4


async def test_a_store_that_fails_is_reported(qloop: object, qapp: QApplication, tmp_path: Path) -> None:
    repository = SlowRepository()
    async with presenter_world(qapp, settings(tmp_path), repository=repository) as world:
        thread_id = await world.add_thread("q", "a")
        repository.fails = True
        await world.presenter.open_thread(thread_id)
        (error,) = world.errors
        assert isinstance(error, StorageError)
        world.errors.clear()
