"""One message asked of several models: their answers stream in columns side by side, and the chat goes on with one."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QTabBar, QWidget

from desktop.app.event_loop import QtLoop
from desktop.conversation.entities import MessageOutline, MessageStatus, StartedTurn, TextPart
from desktop.core.language_model import Usage
from desktop.core.paths import DataPaths
from desktop.storage.store import Store, open_store
from desktop.ui.comparison.page import AnswerTabs
from desktop.ui.transcript.blocks.answer_switch import AnswerSwitch
from tests.support.endpoint import Answer, LoopbackEndpoint, status, text
from tests.support.endpoint_wire import RecordedRequest
from tests.support.several_world import BEGINNINGS, MODELS, SeveralWorld, at_once, several_world
from tests.support.waiting import until

ENDS = [f"This is {model}, the end of {model}." for model in MODELS]


async def test_each_text_lands_in_its_own_column_and_the_chat_goes_on_with_the_one_chosen(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path
) -> None:
    async with several_world(qapp, tmp_path) as world:
        await world.ask_all("Who are you?")
        assert [column.model_words() for column in world.columns()] == list(MODELS)
        assert [column.state_words() for column in world.columns()] == ["Writing…"] * 3
        assert world.find(QLabel, "comparison-question").text() == "Who are you?"
        assert not world.window.transcript.isVisible()
        assert world.window.composer.edit.hasFocus(), "the next message can be written meanwhile"

        world.endpoint.release("gamma")
        await until(lambda: world.texts() == [*BEGINNINGS[:2], ENDS[2]])
        assert not world.find(QPushButton, "column-use", world.columns()[2]).isHidden()
        world.press("column-stop", world.columns()[1])
        await until(lambda: world.columns()[1].state_words() == "Stopped")
        assert world.columns()[0].row.is_streaming, "the others go on"
        world.endpoint.release("alpha")
        await until(lambda: world.texts() == [ENDS[0], BEGINNINGS[1], ENDS[2]])
        await world.all_are_done()
        assert [is_in_chat(world, index) for index in range(3)] == [True, False, False]
        offers = [button for column in world.columns() for button in column.findChildren(QPushButton, "column-use")]
        assert [button.isHidden() for button in offers] == [True, False, False], "the first stands in the chat already"

        world.press("column-use", world.columns()[2])
        await until(lambda: not world.columns() and f"Answer from gamma: {ENDS[2]}" in world.shown())
        assert [message.text for message in await world.path()] == ["Who are you?", ENDS[2]]
        assert world.find(QLabel, "answer-number").text() == "3 of 3"
        (switch,) = [each for each in world.window.findChildren(AnswerSwitch) if each.isVisible()]
        world.press("answer-before", switch)
        await until(lambda: f"Answer from beta: {BEGINNINGS[1]}" in world.shown())
        assert [message.text for message in await world.path()] == ["Who are you?", BEGINNINGS[1]]
        world.press("answers-beside")
        await until(lambda: world.texts() == [ENDS[0], BEGINNINGS[1], ENDS[2]])
        assert [is_in_chat(world, index) for index in range(3)] == [False, True, False]


def is_in_chat(world: SeveralWorld, index: int) -> bool:
    return world.columns()[index].property("chosen") is True


async def test_a_chat_that_is_left_while_they_stream_shows_them_again(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path
) -> None:
    async with several_world(qapp, tmp_path) as world:
        await world.ask_all()
        thread_id = world.thread_id
        await world.session.presenter.open_thread(None)
        assert not world.columns()
        assert world.window.transcript.isVisible()
        world.endpoint.release("beta")
        await world.session.presenter.open_thread(thread_id)
        await until(lambda: world.texts() == [BEGINNINGS[0], ENDS[1], BEGINNINGS[2]])
        world.press("comparison-back")
        await world.session.presenter.open_thread(None)  # in the same moment
        await world.session.presenter.open_thread(thread_id)
        await until(lambda: f"Answer from alpha: {BEGINNINGS[0]}" in world.shown())
        assert not world.columns(), "who went back to the chat is not led away from it again"
        world.endpoint.release("alpha")
        await until(lambda: f"Answer from alpha: {ENDS[0]}" in world.shown())
        world.press("sendButton")  # stops what still runs
        await world.all_are_done()
        await until(lambda: world.is_seen("answers-beside"))
        world.press("answers-beside")
        await until(lambda: world.texts() == [ENDS[0], ENDS[1], BEGINNINGS[2]])


async def test_answers_that_end_while_the_page_reads_them_are_shown_as_they_ended(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with several_world(qapp, tmp_path) as world:
        await world.ask_all()
        thread_id, threads = world.thread_id, world.session.container.store.threads
        await world.session.presenter.open_thread(None)
        outline = threads.outline

        async def late(thread_id: str) -> Sequence[MessageOutline]:
            for model in MODELS:
                world.endpoint.release(model)
            await until(lambda: not world.session.container.chat.runs_of(thread_id))
            return await outline(thread_id)

        monkeypatch.setattr(threads, "outline", late)
        await world.session.presenter.open_thread(thread_id)
        await until(lambda: world.texts() == ENDS)
        assert not [column for column in world.columns() if column.row.is_streaming]


async def test_after_a_restart_the_answers_are_there_and_the_choice_holds(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path
) -> None:
    with LoopbackEndpoint(at_once, models=MODELS) as endpoint:
        async with several_world(qapp, tmp_path, endpoint=endpoint) as world:
            await ask_all_at_once(world, "one")
            world.press("column-use", world.columns()[1])
            await until(lambda: not world.columns())
            await ask_all_at_once(world, "two")
            thread_id = world.thread_id
        async with several_world(qapp, tmp_path, endpoint=endpoint) as world:
            await world.session.presenter.open_thread(thread_id)
            await until(lambda: "Answer from alpha: alpha on two" in world.shown())
            assert "Answer from beta: beta on one" in world.shown()
            assert world.find(QPushButton, "composerModel").text() == "3 models"
            switches = [each for each in world.window.findChildren(AnswerSwitch) if each.isVisible()]
            (first,) = [each for each in switches if world.find(QLabel, "answer-number", each).text() == "2 of 3"]
            world.press("answers-beside", first)
            await until(lambda: world.texts() == [f"{model} on one" for model in MODELS])
            assert not world.is_seen("column-stop")
            world.press("column-use", world.columns()[2])
            await until(lambda: world.shown()[-1:] == ["Answer from gamma: gamma on one"])
            assert [m.text for m in await world.path()] == ["one", "gamma on one"], "nothing was said below it yet"


async def ask_all_at_once(world: SeveralWorld, words: str) -> None:
    world.choose_all()
    world.send(words)
    await until(lambda: world.texts() == [f"{model} on {words}" for model in MODELS])
    await world.all_are_done()


async def test_the_next_message_goes_on_with_the_answer_in_the_chat_and_fills_new_columns(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path
) -> None:
    async with several_world(qapp, tmp_path, at_once) as world:
        await ask_all_at_once(world, "one")
        world.send("two")
        await until(lambda: world.texts() == [f"{model} on two" for model in MODELS])
        await world.all_are_done()
        said = [message["content"] for message in world.endpoint.chats[-1].body["messages"]]
        assert said[-3:] == ["one", "alpha on one", "two"], "no model reads what another one answered beside it"
        world.press("comparison-back")
        await until(lambda: world.shown()[-1:] == ["Answer from alpha: alpha on two"])
        assert len(world.shown()) == 4


async def test_one_that_fails_beside_good_ones_is_tried_again_in_its_place(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path
) -> None:
    failing = ["beta"]

    def script(request: RecordedRequest) -> Answer:
        if request.body["model"] in failing:
            return [status(401, {"error": {"message": "Incorrect API key"}})]
        return [text(f"{request.body['model']} is fine")]

    async with several_world(qapp, tmp_path, script) as world:
        world.choose_all()
        world.send("Well?")
        await until(lambda: [c.state_words() for c in world.columns()].count("Failed") == 1)
        await world.all_are_done()
        failed = world.columns()[1]
        assert world.find(QPushButton, "retry", failed).isVisible()
        assert not any(button.isVisible() for button in failed.findChildren(QPushButton, "column-use"))
        assert world.session.presenter.sidebar._failed == set(), "the chat as a whole has not failed"
        failing.clear()
        world.press("retry", failed)
        await until(lambda: world.texts() == [f"{model} is fine" for model in ("alpha", "gamma", "beta")])
        await world.all_are_done()
        assert [m.status for m in await world.path()][-1] is MessageStatus.COMPLETE


async def test_where_not_all_have_room_tabs_lead_to_the_others(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path
) -> None:
    async with several_world(qapp, tmp_path, at_once) as world:
        world.window.resize(1300, 700)
        await ask_all_at_once(world, "one")

        def seen() -> list[bool]:
            return [column.isVisible() for column in world.columns()]

        assert seen() == [True, True, True]
        assert not world.is_seen("comparison-tabs")
        world.window.resize(700, 600)
        await until(lambda: seen() == [True, True, False])
        tabs = world.find(QTabBar, "comparison-tabs")
        assert [tabs.tabText(index) for index in range(tabs.count())] == list(MODELS)
        tabs.setFocus()
        QTest.keyClick(tabs, Qt.Key.Key_Right)
        assert seen() == [True, True, False], "the second one is there already"
        QTest.keyClick(tabs, Qt.Key.Key_Right)
        assert seen() == [False, True, True]
        for column in world.columns()[1:]:
            right = column.mapTo(world.window, column.rect().bottomRight()).x()
            assert right < world.window.width(), "nothing is cut off"


def test_one_long_name_does_not_shorten_the_others_at_the_tabs(qapp: QApplication) -> None:
    tabs = AnswerTabs()
    tabs.setExpanding(False)
    tabs.setUsesScrollButtons(False)
    tabs.setElideMode(Qt.TextElideMode.ElideMiddle)
    for name in ("alpha", "a model with a name that is far longer than the others " * 2, "beta", "gamma-4"):
        tabs.addTab(name)
    tabs.resize(2000, 40)
    tabs.show()
    wide = [tabs.tabRect(index).width() for index in range(tabs.count())]
    tabs.resize(wide[0] + wide[2] + wide[3] + wide[1] // 2, 40)
    narrow = [tabs.tabRect(index).width() for index in range(tabs.count())]
    assert [narrow[index] for index in (0, 2, 3)] == [wide[index] for index in (0, 2, 3)]
    assert narrow[1] == wide[1] // 2
    tabs.resize(2000, 40)
    assert [tabs.tabRect(index).width() for index in range(tabs.count())] == wide
    tabs.close()
    tabs.deleteLater()


async def test_the_answer_that_stands_in_the_chat_is_in_sight(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path
) -> None:
    async with several_world(qapp, tmp_path, at_once) as world:
        world.window.resize(700, 600)
        await ask_all_at_once(world, "one")

        def seen() -> list[bool]:
            return [column.isVisible() for column in world.columns()]

        assert seen() == [True, True, False], "of those asked together the first"
        await world.session.container.chat.ask_again(world.columns()[0].message_id)
        await until(lambda: seen() == [False, False, True, True])
        await world.all_are_done()
        world.find(QTabBar, "comparison-tabs").setCurrentIndex(0)
        assert seen() == [True, True, False, False]
        world.window.resize(720, 600)
        assert seen() == [True, True, False, False], "nothing is taken out of sight by itself"
        world.press("comparison-back")
        await until(lambda: world.is_seen("answers-beside"))
        world.press("answers-beside")
        await until(lambda: seen() == [False, False, True, True])
        world.press("column-use", world.columns()[2])
        await until(lambda: world.is_seen("answers-beside"))
        world.press("answers-beside")
        await until(lambda: seen() == [False, True, True, False])


async def test_keys_alone_compare_choose_and_switch(qapp: QApplication, qloop: QtLoop, tmp_path: Path) -> None:
    async with several_world(qapp, tmp_path, at_once) as world:
        world.window.resize(1300, 700)
        world.window.activateWindow()
        await ask_all_at_once(world, "one")
        world.window.composer.edit.setFocus()
        stops: list[str] = []
        for _ in range(40):
            QTest.keyClick(world.window.focusWidget(), Qt.Key.Key_Backtab)
            focused = world.window.focusWidget()
            stops.append(f"{focused.objectName()} {focused.accessibleName()}")
            if focused.objectName() == "comparison-back":
                break
        assert stops[0] == "column-use Use the answer from gamma"
        assert any(stop.startswith("column-transcript Answer 1 of 3, from alpha, ") for stop in stops)
        use = world.find(QPushButton, "column-use", world.columns()[1])
        use.setFocus(Qt.FocusReason.TabFocusReason)
        QTest.keyClick(use, Qt.Key.Key_Space)
        await until(lambda: "Answer from beta: beta on one" in world.shown())
        assert world.window.transcript.hasFocus(), "the focus stays where answers are read"
        after = world.find(QWidget, "answer-after")
        after.setFocus(Qt.FocusReason.TabFocusReason)
        QTest.keyClick(after, Qt.Key.Key_Space)
        await until(lambda: "Answer from gamma: gamma on one" in world.shown())
        await until(lambda: world.window.focusWidget().objectName() == "answer-before")
        beside = world.find(QWidget, "answers-beside")
        beside.setFocus(Qt.FocusReason.TabFocusReason)
        QTest.keyClick(beside, Qt.Key.Key_Space)
        await until(lambda: len(world.texts()) == 3)
        QTest.keyClick(world.window.focusWidget(), Qt.Key.Key_Escape)
        await until(lambda: not world.columns() and "Answer from gamma: gamma on one" in world.shown())


async def test_in_a_long_chat_any_message_can_be_switched_and_what_a_search_finds_beside_the_path_is_shown(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path
) -> None:
    store = await open_store(DataPaths(tmp_path))
    thread = await store.threads.create_thread(title="Long")
    beside = ""
    for number in range(60):
        turn = await store.threads.begin_turn(thread.id, f"question {number}", model="alpha")
        await finish(store, turn, f"alpha on {number}, " + "word " * 60)
        if number == 10:
            other = await store.threads.add_answer(turn.assistant_message.id, model="beta")
            await finish(store, other, "beta on ten, a pelican")
            beside = turn.assistant_message.id
    await store.close()
    async with several_world(qapp, tmp_path, at_once) as world:
        await world.session.presenter.open_thread(thread.id, beside)
        await until(lambda: world.is_seen("answer-switch"))
        assert world.find(QLabel, "answer-number").text() == "1 of 2"
        world.press("answer-after")
        await until(lambda: any(words.startswith("Answer from beta: beta on ten") for words in world.shown()))
        assert len(await world.path()) == 22, "nothing was said below this one"
        before = top_of_switch(world)
        world.press("answer-before")
        await until(lambda: any(words.startswith("Answer from alpha: alpha on 10") for words in world.shown()))
        assert len(await world.path()) == 120, "below the other one all is as it was"
        await until(lambda: world.is_seen("answer-switch") and top_of_switch(world) == before)

        await world.session.presenter.open_thread(None)
        (hit,) = await world.session.container.conversations.search("pelican")
        assert hit.message_id is not None
        await world.session.presenter.open_thread(thread.id, hit.message_id)
        await until(lambda: any(words.startswith("Answer from beta: beta on ten") for words in world.shown()))
        assert world.find(QLabel, "answer-number").text() == "2 of 2"


async def finish(store: Store, turn: StartedTurn, words: str) -> None:
    await store.threads.finish_turn(
        turn.turn_id,
        parts=[TextPart(text=words)],
        status=MessageStatus.COMPLETE,
        reason="completed",
        usage=Usage(output_tokens=5),
        duration_seconds=1.0,
    )


def top_of_switch(world: SeveralWorld) -> int:
    switch = world.find(QWidget, "answer-switch")
    return switch.mapTo(world.window, switch.rect().topLeft()).y()


async def test_one_that_was_stopped_goes_on_in_its_column(qapp: QApplication, qloop: QtLoop, tmp_path: Path) -> None:
    async with several_world(qapp, tmp_path) as world:
        await world.ask_all()
        world.press("sendButton")  # stops them all
        await world.all_are_done()
        await until(lambda: [column.state_words() for column in world.columns()] == ["Stopped"] * 3)
        for model in MODELS:
            world.endpoint.release(model)
        beta = world.columns()[1]
        await until(lambda: any(button.isVisible() for button in beta.findChildren(QPushButton, "continue-answer")))
        world.press("continue-answer", beta)
        await until(lambda: beta.row.text.endswith("the end of beta."))
        await world.all_are_done()
        assert [is_in_chat(world, index) for index in range(3)] == [False, True, False]
        assert world.texts()[0] == BEGINNINGS[0], "the others stay as they were"
