"""An open question follows a change of the language: its words change, and what was typed, ticked and read stays."""

import re
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)

from desktop.app.event_loop import QtLoop
from desktop.tools.entities import (
    ApprovalAnswer,
    ElicitationAnswer,
    ElicitationMode,
    ElicitationRequest,
    Finding,
)
from desktop.tools.server_sampling import SamplingMessage, SamplingQuestion, SamplingRequest, SamplingRole
from desktop.tools.sign_in import SignInPage
from desktop.ui.dialogs.approval_dialog import ApprovalDialog
from desktop.ui.dialogs.elicitation_dialog import ElicitationDialog
from desktop.ui.dialogs.plain_box import PlainBox
from desktop.ui.dialogs.prompt_dialog import PromptDialog
from desktop.ui.dialogs.sampling_dialog import AskModelDialog
from desktop.ui.dialogs.sign_in_dialog import SignInDialog
from desktop.ui.dialogs.url_dialog import UrlDialog
from desktop.ui.state.form_schema import parse_schema
from tests.support.app_language import app_language
from tests.support.dialog_world import DialogWorld, approval, dialog_world
from tests.support.marked_language import marked_language

Until = Callable[[Callable[[], object]], Awaitable[None]]
FORM = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "title": "Name", "maxLength": 3},
        "story": {"type": "string", "title": "Story", "maxLength": 500, "default": "one\r\ntwo"},
        "agree": {"type": "boolean", "title": "Agree"},
        "one": {"type": "string", "title": "One", "enum": ["a", "b"]},
        "list": {"type": "string", "title": "List", "enum": list("abcdefgh")},
        "many": {"type": "array", "title": "Many", "items": {"type": "string", "enum": ["x", "y"]}},
    },
}

OTHERS = {
    "approval": {"/home/mei/工作 space", "A thread"},
    "form": {"Name", "Story", "Agree", "One", "List", "Many", "a", "b", "x", "y"},
    "page": {"b.example"},
    "sign_in": {"login.example", "read"},
    "sampling": set[str](),
}
"""What others say in it: no language of ours changes that."""


@pytest.fixture
def world(qapp: QApplication, qloop: QtLoop) -> Iterator[DialogWorld]:
    with dialog_world(qapp) as made:
        yield made


def request(**more: Any) -> ElicitationRequest:
    return ElicitationRequest(server_id="forms", message="Your password?", **more)


def made(world: DialogWorld, kind: str) -> PromptDialog:
    window, theme = world.window, world.theme
    page = request(mode=ElicitationMode.URL, url="https://a@b.example/")
    sign_in = SignInPage(server_id="forms", url="https://login.example/", rights=("read",))
    asked = SamplingRequest(
        server_id="forms",
        thread_id="thread",
        turn_id="turn",
        messages=(SamplingMessage(role=SamplingRole.USER, text="Hello"),),
        max_tokens=9,
        asked_tokens=9,
    )
    match kind:
        case "approval":
            findings = (Finding(code="destructive_name", detail="rm", severe=True),)
            return ApprovalDialog(window, theme, approval({"command": "ls\n" * 300}, findings=findings), 0)
        case "form":
            return ElicitationDialog(window, theme, request(schema=FORM), parse_schema(FORM), 0, chat="旅行计划")
        case "page":
            return UrlDialog(window, theme, page, lambda _url: True, 0, chat="旅行计划")
        case "sign_in":
            return SignInDialog(window, theme, sign_in, lambda _url: True, 0)
        case _:
            question = SamplingQuestion(request=asked, model="m", endpoint="e", input_tokens=3)
            return AskModelDialog(window, theme, question, 0)


async def opened(world: DialogWorld, until: Until, kind: str) -> PromptDialog:
    dialog = made(world, kind)
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()
    await until(lambda: dialog.armed)
    return dialog


def words(dialog: PromptDialog) -> list[str]:
    """What can be read in it, but for the words of others."""
    shown = [label for label in dialog.findChildren(QLabel) if label.isVisibleTo(dialog)]
    labels = [label.text().replace("\u200b", "") for label in shown]
    buttons = [button.text() for button in dialog.findChildren(QPushButton)]
    return [text for text in (*labels, *buttons, dialog.windowTitle()) if text]


@pytest.mark.parametrize("kind", ["approval", "form", "page", "sign_in", "sampling"])
async def test_every_question_is_said_in_the_new_language_and_again_in_the_old(
    qapp: QApplication, world: DialogWorld, until: Until, kind: str
) -> None:
    dialog = await opened(world, until, kind)
    english = words(dialog)
    with marked_language(qapp):
        await until(lambda: dialog.windowTitle().startswith("«"))
        marked = words(dialog)
        assert {text for text in marked if "«" not in text and re.search("[A-Za-z]", text)} == OTHERS[kind]
        assert len(marked) == len(english)
        await until(lambda: dialog.armed)
    await until(lambda: words(dialog) == english)
    dialog.take_back()


async def test_what_stands_in_a_form_stays(qapp: QApplication, world: DialogWorld, until: Until) -> None:
    dialog = await opened(world, until, "form")
    line = world.find(QLineEdit, "field_0")
    line.setFocus()
    line.insert("梅李花 too long")
    line.setCursorPosition(2)
    world.click("field_2")
    world.click("field_3_option_1")
    world.find(QComboBox, "field_4").setCurrentIndex(5)
    world.click("field_5_option_1")
    world.click("elicit_confirm_secret")
    world.click("elicit_accept")
    assert world.find(QLabel, "problem_0").isVisible()
    before = world.text("problem_0")
    line.setFocus()
    with app_language(qapp, "zh_CN"):
        await until(
            lambda: (
                world.text("headline") == "服务器向您提问" or world.text("headline") != "A server asks you something"
            )
        )
        again = world.find(QLineEdit, "field_0")
        assert again is not line
        assert (again.text(), again.cursorPosition()) == ("梅李花 too long", 2)
        assert dialog.focusWidget() is again
        assert world.find(QLabel, "problem_0").isVisible()
        assert world.text("problem_0") != before
        again.setText("梅李")
        await until(lambda: dialog.armed)
        world.click("elicit_accept")
    assert isinstance(dialog.answer, ElicitationAnswer)
    assert dialog.answer.content == {
        "name": "梅李",
        "story": "one\r\ntwo",
        "agree": True,
        "one": "b",
        "list": "e",
        "many": ["y"],
    }


async def test_what_was_read_and_unfolded_before_a_call_stays(
    qapp: QApplication, world: DialogWorld, until: Until
) -> None:
    dialog = await opened(world, until, "approval")
    assert not world.is_enabled("approve_once")
    box = world.find(PlainBox, "approval_text")
    box.verticalScrollBar().setValue(box.verticalScrollBar().maximum())
    await until(lambda: world.is_enabled("approve_once"))
    world.click("refuse_say_why")
    QTest.keyClicks(world.find(QPlainTextEdit, "refuse_reason"), "not now")
    world.click("more_ways")
    world.find(QComboBox, "lasting_until").setCurrentIndex(2)
    dialog.set_waiting_count(3)
    with app_language(qapp, "zh_CN"):
        await until(lambda: world.find(PlainBox, "approval_text") is not box)
        assert world.find(QPlainTextEdit, "refuse_reason").toPlainText() == "not now"
        assert world.find(QWidget, "refuse_reason").isVisible()
        assert not world.find(QAbstractButton, "refuse_say_why").isVisible()
        assert world.find(QComboBox, "lasting_until").currentIndex() == 2
        assert "3" in world.text("waiting")
        assert world.find(QLabel, "waiting").isVisible()
        await until(lambda: world.is_enabled("approve_once"))
        QTest.keyClick(
            world.find(QPlainTextEdit, "refuse_reason"), Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier
        )
    assert isinstance(dialog.answer, ApprovalAnswer)
    assert dialog.answer.reason == "not now"


async def test_what_was_not_read_is_not_allowed_by_another_language(
    qapp: QApplication, world: DialogWorld, until: Until
) -> None:
    dialog = await opened(world, until, "approval")
    box = world.find(PlainBox, "approval_text")
    with app_language(qapp, "zh_CN"):
        await until(lambda: world.find(PlainBox, "approval_text") is not box)
        await until(lambda: dialog.armed)
        assert not world.is_enabled("approve_once")
    dialog.take_back()


async def test_nothing_can_be_allowed_just_after_the_buttons_were_replaced(
    qapp: QApplication, world: DialogWorld, until: Until
) -> None:
    dialog = ApprovalDialog(world.window, world.theme, approval({"command": "ls"}), 3_600_000)
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()
    dialog._arming._time_out()
    await until(lambda: world.is_enabled("approve_once"))
    with app_language(qapp, "zh_CN"):
        await until(lambda: world.text("headline") != "Run a command")
        assert not world.is_enabled("approve_once")
        world.click("approve_once")
        assert dialog.answer is None
    dialog.take_back()


async def test_the_question_of_a_server_names_its_chat(world: DialogWorld, until: Until) -> None:
    for kind in ("form", "page"):
        dialog = await opened(world, until, kind)
        assert world.find(QLabel, "fact_thread").isVisible()
        assert world.text("fact_thread") == "Chat: 旅行计划"
        dialog.take_back()
        await until(lambda: not world.dialogs())
