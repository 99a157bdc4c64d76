"""The questions of a server for the model: all of its text, plain, read to the end, and refusing is the way out."""

import asyncio
import dataclasses
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QLocale, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QLabel, QPushButton, QScrollArea, QWidget

from desktop.app.event_loop import QtLoop
from desktop.core.costs import Cost
from desktop.core.settings import AppearanceSettings, Theme
from desktop.tools.entities import ElicitationRequest, Ending
from desktop.tools.server_sampling import (
    ModelAnswer,
    SamplingChoice,
    SamplingDecision,
    SamplingMessage,
    SamplingQuestion,
    SamplingRequest,
    SamplingRole,
)
from desktop.ui.dialogs.dialog_prompts import DialogPrompts
from desktop.ui.dialogs.plain_box import PlainBox
from desktop.ui.dialogs.sampling_dialog import AskModelDialog, SendAnswerDialog
from tests.support.app_language import app_language
from tests.support.clipping import clipped_texts
from tests.support.dialog_world import DialogWorld, dialog_world

Until = Callable[[Callable[[], object]], Awaitable[None]]
ALLOWING = ("sampling_allow", "sampling_allow_and_send")
SHORT = (SamplingMessage(role=SamplingRole.USER, text="Sum it up."),)
LONG = tuple(
    SamplingMessage(role=role, text="\n".join(f"{number}: line {line}" for line in range(80)))
    for number, role in enumerate((SamplingRole.USER, SamplingRole.ASSISTANT, SamplingRole.USER))
)
ANSWER = ModelAnswer(text="It went well.\u202e", stop_reason="maxTokens", output_tokens=4)


def question(answer: ModelAnswer | None = None, **more: Any) -> SamplingQuestion:
    ids = {"server_id": "helper", "thread_id": "thread", "turn_id": "turn"}
    request = SamplingRequest(**{**ids, "messages": SHORT, "max_tokens": 100, "asked_tokens": 100, **more})
    return SamplingQuestion(
        request=request,
        model="qwen3-235b-a22b-instruct-2507-fp8",
        endpoint="OpenRouter",
        thread_title="Report",
        input_tokens=1_234,
        most_cost=Cost(amount=0.0123, currency="$"),
        answer=answer,
    )


@pytest.fixture
def world(qapp: QApplication, qloop: QtLoop) -> Iterator[DialogWorld]:
    with dialog_world(qapp) as made:
        yield made


@pytest.fixture(params=["en", "zh_CN"])
def language(qapp: QApplication, request: pytest.FixtureRequest) -> Iterator[str]:
    with app_language(qapp, request.param) as language:
        yield language


def ask(world: DialogWorld, asked: SamplingQuestion, arming_delay_ms: int = 0) -> AskModelDialog:
    dialog = AskModelDialog(world.window, world.theme, asked, arming_delay_ms)
    dialog.open()
    return dialog


def texts(dialog: QWidget) -> list[str]:
    return [box.toPlainText() for box in dialog.findChildren(PlainBox)]


async def test_everything_is_there_as_plain_text_with_its_marks(world: DialogWorld, until: Until) -> None:
    said = (
        SamplingMessage(role=SamplingRole.USER, text="<b>bold</b> \u202eevil\u202c [x](https://example.org)\u200b"),
        SamplingMessage(role=SamplingRole.ASSISTANT, text="Which one?"),
    )
    more = {"system_prompt": "Message 2, as if you had written it", "stop_sequences": ("END",), "wants_context": True}
    dialog = ask(world, question(messages=said, asked_tokens=100_000, **more))
    await until(lambda: dialog.armed)
    assert world.text("headline") == "A server wants to use your model"
    assert world.text("subline") == "Server “helper”, which you added"
    assert texts(dialog) == [
        "Message 2, as if you had written it",
        "<b>bold</b> <U+202E>evil<U+202C> [x](https://example.org)<U+200B>",
        "Which one?",
        "END",
    ]
    captions = [label.text() for label in dialog.findChildren(QLabel) if label.property("role") == "section"]
    assert captions == [
        "Instructions for the model, by the server",
        "Message 1, as if you had written it",
        "Message 2, as if the model had written it",
        "The answer is cut where one of these comes",
    ]
    assert "qwen3-235b-a22b-instruct-2507-fp8 at OpenRouter" in world.text("fact_model")
    number = QLocale().toString
    assert f"About {number(1_234)} tokens" in world.text("fact_input")
    assert f"100 tokens (the server asked for {number(100_000)})" in world.text("fact_output")
    assert "$0.0123" in world.text("fact_cost")
    assert "Report" in world.text("fact_thread")
    assert dialog.findChild(QWidget, "sampling_context") is not None
    dialog.take_back()


async def test_a_name_of_a_server_or_a_model_cannot_deceive(world: DialogWorld, until: Until) -> None:
    asked = dataclasses.replace(
        question(server_id="a\u202eb\nc"), model="m\u202eo\n" + "x" * 500, thread_title="t\u200b"
    )
    dialog = ask(world, asked)
    await until(lambda: dialog.armed)
    assert "<U+202E>" in world.text("subline")
    assert "\n" not in world.text("subline")
    assert "<U+202E>" in world.text("fact_model")
    assert len(world.text("fact_model")) < 200
    assert "<U+200B>" in world.text("fact_thread")
    dialog.take_back()


@pytest.mark.parametrize(
    ("button", "choice"),
    [
        ("sampling_allow", SamplingChoice.ALLOW),
        ("sampling_allow_and_send", SamplingChoice.ALLOW_AND_SEND),
        ("sampling_refuse", SamplingChoice.REFUSE),
    ],
)
async def test_each_button_says_what_it_does(
    world: DialogWorld, until: Until, button: str, choice: SamplingChoice
) -> None:
    dialog = ask(world, question())
    await until(lambda: world.is_enabled("sampling_allow"))
    world.click(button)
    assert isinstance(dialog.answer, SamplingDecision)
    assert (dialog.answer.choice, dialog.answer.ending) == (choice, Ending.ANSWERED)
    assert dialog.answer.shown_seconds > 0


@pytest.mark.parametrize("leave", [lambda d: QTest.keyClick(d, Qt.Key.Key_Escape), lambda d: d.close()])
@pytest.mark.parametrize("answer", [None, ANSWER], ids=["ask", "send"])
async def test_leaving_refuses(
    world: DialogWorld, until: Until, leave: Callable[[QWidget], object], answer: ModelAnswer | None
) -> None:
    asked = question(answer)
    dialog = SendAnswerDialog(world.window, world.theme, asked, answer, 0) if answer else ask(world, asked)
    dialog.open()
    await until(lambda: dialog.armed)
    leave(dialog)
    assert isinstance(dialog.answer, SamplingDecision)
    assert (dialog.answer.choice, dialog.answer.ending) == (SamplingChoice.REFUSE, Ending.CANCELLED)
    assert not dialog.answer.allows


async def test_enter_does_nothing_wherever_the_focus_is(world: DialogWorld, until: Until) -> None:
    dialog = ask(world, question())
    await until(lambda: world.is_enabled("sampling_allow"))
    assert not isinstance(dialog.focusWidget(), QPushButton), "what is typed when it appears goes nowhere"
    for widget in [dialog, *dialog.findChildren(QWidget)]:
        for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
                QApplication.sendEvent(widget, QKeyEvent(kind, key, Qt.KeyboardModifier.NoModifier))
    assert dialog.answer is None
    assert dialog.isVisible()
    dialog.take_back()


async def test_nothing_is_allowed_before_it_stood_still(world: DialogWorld, until: Until) -> None:
    dialog = ask(world, question(), arming_delay_ms=3_600_000)
    await until(lambda: dialog._texts.all_was_seen)
    for name in ALLOWING:
        assert not world.is_enabled(name)
        world.click(name)
    assert dialog.answer is None
    assert world.is_enabled("sampling_refuse")
    dialog.take_back()


async def test_a_long_text_is_read_to_its_end_first(world: DialogWorld, until: Until) -> None:
    dialog = ask(world, question(messages=LONG))
    await until(lambda: dialog.armed)
    QApplication.processEvents()
    assert not any(world.is_enabled(name) for name in ALLOWING)
    assert "Scroll to the end" in world.text("hint")
    area = world.find(QScrollArea, "sampling_texts")
    assert area.hasFocus()
    QTest.keyClick(area, Qt.Key.Key_PageDown)
    QApplication.processEvents()
    assert not world.is_enabled("sampling_allow")
    for _ in range(60):
        QTest.keyClick(area, Qt.Key.Key_PageDown)
        QApplication.processEvents()
    await until(lambda: all(world.is_enabled(name) for name in ALLOWING))
    assert [len(text.splitlines()) for text in texts(dialog)] == [80, 80, 80]
    dialog.take_back()


async def test_jumping_to_the_end_is_not_reading_it(world: DialogWorld, until: Until) -> None:
    dialog = ask(world, question(messages=LONG))
    await until(lambda: dialog.armed)
    bar = world.find(QScrollArea, "sampling_texts").verticalScrollBar()
    bar.setValue(bar.maximum())
    QApplication.processEvents()
    assert not world.is_enabled("sampling_allow"), "two texts between were never on the screen"
    dialog.take_back()


async def test_the_answer_is_shown_whole_before_it_goes(world: DialogWorld, until: Until) -> None:
    dialog = SendAnswerDialog(world.window, world.theme, question(ANSWER), ANSWER, 0)
    dialog.open()
    await until(lambda: world.is_enabled("sampling_send"))
    assert texts(dialog) == ["It went well.<U+202E>"]
    assert "At the longest length" in world.text("fact_end")
    world.click("sampling_send")
    assert isinstance(dialog.answer, SamplingDecision)
    assert dialog.answer.allows


@pytest.mark.parametrize("font_size", [10.0, 16.0])
@pytest.mark.parametrize("kind", ["short", "long", "answer"])
async def test_nothing_is_cut_off(world: DialogWorld, until: Until, language: str, font_size: float, kind: str) -> None:
    world.window.resize(700, 600)
    world.theme.set_language(language)
    world.theme.set_appearance(
        AppearanceSettings(theme=Theme.LIGHT, font_size=font_size, code_font_size=font_size - 0.5)
    )
    asked = question(messages=LONG if kind == "long" else SHORT, system_prompt="You sum up.", wants_context=True)
    dialog = (
        SendAnswerDialog(world.window, world.theme, question(ANSWER), ANSWER, 0)
        if kind == "answer"
        else ask(world, asked)
    )
    dialog.open()
    await until(lambda: dialog.armed)
    QApplication.processEvents()
    assert dialog.width() <= 700 * font_size / 10
    assert clipped_texts(dialog.findChild(QWidget, "hint").parentWidget()) == []  # type: ignore[union-attr]
    if kind != "long":
        assert clipped_texts(dialog) == []
    if kind != "long" and font_size == 10.0:
        for area in dialog.findChildren(QAbstractScrollArea):
            assert area.verticalScrollBar().maximum() == 0, area.objectName()
    for box in dialog.findChildren(PlainBox):
        assert box.verticalScrollBar().maximum() == 0, "a box inside never scrolls by itself"
    dialog.take_back()


async def test_it_waits_its_turn_among_all_questions(world: DialogWorld, until: Until) -> None:
    prompts = DialogPrompts(lambda: world.window, world.theme, 0)
    told: list[tuple[str, str, bool]] = []
    prompts.server_asks.connect(lambda *what: told.append(what))
    form = ElicitationRequest(server_id="other", message="Who?", schema={"type": "object", "properties": {}})
    async with asyncio.TaskGroup() as group:
        first = group.create_task(prompts.sample(question()))
        second = group.create_task(prompts.elicit(form))
        third = group.create_task(prompts.sample(question(ANSWER)))
        await until(lambda: world.dialogs() and prompts.waiting_count == 2 and world.is_enabled("sampling_allow"))
        assert told == [("thread", "helper", True), ("", "other", True)]
        world.click("sampling_allow")
        await until(lambda: first.done() and world.dialogs() and world.is_enabled("elicit_accept"))
        world.click("elicit_decline")
        await until(lambda: second.done() and world.dialogs() and world.is_enabled("sampling_send"))
        assert world.dialog().objectName() == "sendAnswerDialog"
        prompts.refuse_all()
    assert first.result().allows
    assert third.result() == SamplingDecision(choice=SamplingChoice.REFUSE)
    assert told[-1] == ("thread", "helper", False)


async def test_taking_it_back_closes_it_and_allows_nothing(world: DialogWorld, until: Until) -> None:
    prompts = DialogPrompts(lambda: world.window, world.theme, 0)
    async with asyncio.TaskGroup() as group:
        cancelled = group.create_task(prompts.sample(question()))
        await until(world.dialogs)
        cancelled.cancel()
        await until(lambda: not world.dialogs())
        closed = group.create_task(prompts.sample(question()))
        await until(world.dialogs)
        prompts.close()
    assert cancelled.cancelled()
    assert closed.result().ending is Ending.ABORTED
    assert not closed.result().allows


@pytest.mark.expected_log("too many at once")
async def test_a_server_cannot_flood_the_person(world: DialogWorld, until: Until) -> None:
    prompts = DialogPrompts(lambda: world.window, world.theme, 0)
    async with asyncio.TaskGroup() as group:
        flood = [group.create_task(prompts.sample(question())) for _ in range(40)]
        await until(lambda: sum(task.done() for task in flood) == 32)
        prompts.refuse_all()
    endings = [task.result().ending for task in flood]
    assert endings == [Ending.ANSWERED] * 8 + [Ending.ABORTED] * 32
    assert not any(task.result().allows for task in flood)
