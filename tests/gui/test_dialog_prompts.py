"""Questions as dialogs: one at a time over the window, three endings kept apart, gone when the asker is."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QPushButton

from desktop.app.event_loop import QtLoop
from desktop.tools.entities import (
    ApprovalAnswer,
    Choice,
    ElicitationAction,
    ElicitationAnswer,
    ElicitationMode,
    ElicitationRequest,
    Ending,
)
from desktop.ui.dialogs.confirm import confirm
from desktop.ui.dialogs.dialog_prompts import DialogPrompts
from desktop.ui.dialogs.plain_box import PlainBox
from desktop.ui.dialogs.prompt_dialog import PromptDialog
from tests.support.dialog_world import DialogWorld, approval, click, dialog_world

Until = Callable[[Callable[[], object]], Awaitable[None]]


class Office:
    """The prompts over a window, and what they told."""

    def __init__(self, world: DialogWorld) -> None:
        self.world = world
        self.opened: list[str] = []
        self.told: list[tuple[str, bool]] = []
        self.prompts = DialogPrompts(lambda: world.window, world.theme, 0, self._open)
        self.prompts.waiting_changed.connect(self._tell)

    def _open(self, url: str) -> bool:
        self.opened.append(url)
        return True

    def _tell(self, thread_id: str, waiting: bool) -> None:
        self.told.append((thread_id, waiting))

    def is_asking(self, text: str = "") -> bool:
        return any(
            d.armed and any(text in box.toPlainText() for box in d.findChildren(PlainBox)) for d in self.world.dialogs()
        )

    def left_over(self) -> list[PromptDialog]:
        return self.world.window.findChildren(PromptDialog)


@pytest.fixture
def office(qapp: QApplication, qloop: QtLoop) -> Iterator[Office]:
    with dialog_world(qapp) as world:
        yield Office(world)


def question(message: str = "Which?", **more: Any) -> ElicitationRequest:
    schema = more.pop("schema", {"type": "object", "properties": {"v": {"type": "string", "enum": ["a", "b"]}}})
    return ElicitationRequest(server_id=more.pop("server", "asker"), message=message, schema=schema, **more)


async def test_an_approval_is_answered_by_a_click(office: Office, until: Until) -> None:
    async with asyncio.TaskGroup() as group:
        task = group.create_task(office.prompts.approve(approval({"command": "ls"})))
        await until(office.is_asking)
        assert office.world.dialog().windowModality() is Qt.WindowModality.WindowModal
        assert office.world.dialog().parentWidget() is office.world.window
        office.world.click("approve_once")
    assert task.result().choice is Choice.ALLOW_ONCE
    assert task.result().ending is Ending.ANSWERED
    assert office.told == [("thread", True), ("thread", False)]
    await until(lambda: not office.left_over())
    assert office.prompts.is_idle


async def test_the_three_endings_of_an_approval(office: Office, until: Until) -> None:
    endings: list[tuple[Choice, Ending]] = []
    leave: list[Callable[[], object]] = [
        lambda: office.world.click("refuse"),
        lambda: QTest.keyClick(office.world.dialog(), Qt.Key.Key_Escape),
        lambda: office.world.dialog().close(),
        office.prompts.abort_all,
    ]
    for way in leave:
        async with asyncio.TaskGroup() as group:
            task = group.create_task(office.prompts.approve(approval({"command": "ls"})))
            await until(office.is_asking)
            way()
        endings.append((task.result().choice, task.result().ending))
        assert not office.world.dialogs()
    assert endings == [
        (Choice.REFUSE, Ending.ANSWERED),
        (Choice.REFUSE, Ending.CANCELLED),
        (Choice.REFUSE, Ending.CANCELLED),
        (Choice.REFUSE, Ending.ABORTED),
    ]


async def test_the_three_endings_of_a_form(office: Office, until: Until) -> None:
    endings: list[tuple[ElicitationAction, Ending]] = []
    leave: list[Callable[[], object]] = [
        lambda: office.world.click("elicit_accept"),
        lambda: office.world.click("elicit_decline"),
        lambda: office.world.click("elicit_cancel"),
        lambda: office.world.dialog().close(),
        office.prompts.abort_all,
    ]
    for way in leave:
        async with asyncio.TaskGroup() as group:
            task = group.create_task(office.prompts.elicit(question()))
            await until(office.is_asking)
            way()
        endings.append((task.result().action, task.result().ending))
    assert endings == [
        (ElicitationAction.ACCEPT, Ending.ANSWERED),
        (ElicitationAction.DECLINE, Ending.ANSWERED),
        (ElicitationAction.CANCEL, Ending.CANCELLED),
        (ElicitationAction.CANCEL, Ending.CANCELLED),
        (ElicitationAction.CANCEL, Ending.ABORTED),
    ]


async def test_cancelling_the_asker_closes_its_dialog(office: Office, until: Until) -> None:
    async with asyncio.TaskGroup() as group:
        tasks: list[asyncio.Task[Any]] = [
            group.create_task(office.prompts.approve(approval({"command": "ls"}))),
            group.create_task(office.prompts.elicit(question())),
        ]
        await until(office.is_asking)
        for task in tasks:
            task.cancel()
    assert all(task.cancelled() for task in tasks)
    assert not office.world.dialogs()
    await until(lambda: not office.left_over())
    assert office.prompts.is_idle


async def test_three_at_once_come_one_after_the_other(office: Office, until: Until) -> None:
    async with asyncio.TaskGroup() as group:
        first = group.create_task(office.prompts.approve(approval({"command": "echo first"}, thread_id="one")))
        second = group.create_task(office.prompts.elicit(question("second", thread_id="two")))
        third = group.create_task(office.prompts.approve(approval({"command": "echo third"}, thread_id="one")))
        await until(lambda: office.is_asking("echo first"))
        await until(lambda: office.prompts.waiting_count == 2)
        assert office.world.text("waiting") == "2 more waiting"
        await until(lambda: office.world.is_enabled("approve_once"))
        office.world.click("approve_once")
        await until(lambda: office.is_asking("second"))
        assert office.world.text("waiting") == "1 more waiting"
        office.world.click("field_0_option_1")
        office.world.click("elicit_accept")
        await until(lambda: office.is_asking("echo third"))
        assert not office.world.find(QPushButton, "refuse_all").isVisible()
        office.world.click("refuse")
    assert first.result().choice is Choice.ALLOW_ONCE
    assert second.result().content == {"v": "b"}
    assert third.result().choice is Choice.REFUSE
    assert office.told == [("one", True), ("two", True), ("two", False), ("one", False)]


async def test_a_double_click_does_not_answer_the_next_question(office: Office, until: Until) -> None:
    slow = DialogPrompts(lambda: office.world.window, office.world.theme, 3_600_000)
    async with asyncio.TaskGroup() as group:
        first = group.create_task(slow.approve(approval({"command": "echo one"})))
        second = group.create_task(slow.approve(approval({"command": "echo two"})))
        await until(lambda: office.world.dialogs() and slow.waiting_count == 1)
        office.world.click("refuse")
        await until(lambda: office.world.dialogs() and slow.waiting_count == 0)
        await until(lambda: office.world.find(PlainBox, "approval_text").end_was_shown)
        office.world.click("approve_once")
        assert not second.done()
        slow.abort_all()
    assert first.result().ending is Ending.ANSWERED
    assert second.result().ending is Ending.ABORTED


async def test_refuse_all_refuses_every_kind_of_question(office: Office, until: Until) -> None:
    async with asyncio.TaskGroup() as group:
        tasks: list[asyncio.Task[Any]] = [
            group.create_task(office.prompts.approve(approval({"command": f"echo {i}"}))) for i in range(3)
        ]
        form = group.create_task(office.prompts.elicit(question()))
        await until(lambda: office.is_asking() and office.prompts.waiting_count == 3)
        office.world.click("refuse_all")
    answers = [task.result() for task in tasks]
    assert all(isinstance(a, ApprovalAnswer) and a.choice is Choice.REFUSE for a in answers)
    assert all(a.ending is Ending.ANSWERED for a in answers)
    assert form.result() == ElicitationAnswer(action=ElicitationAction.DECLINE)
    assert not office.world.dialogs()


async def test_after_close_nothing_is_shown_and_all_is_aborted(office: Office, until: Until) -> None:
    async with asyncio.TaskGroup() as group:
        shown = group.create_task(office.prompts.approve(approval({"command": "ls"})))
        waits = group.create_task(office.prompts.elicit(question()))
        await until(lambda: office.is_asking() and office.prompts.waiting_count == 1)
        office.prompts.close()
    late = await office.prompts.approve(approval({"command": "late"}))
    late_form = await office.prompts.elicit(question())
    assert {shown.result().ending, waits.result().ending, late.ending, late_form.ending} == {Ending.ABORTED}
    assert late.choice is Choice.REFUSE
    assert late_form.action is ElicitationAction.CANCEL
    assert not office.world.dialogs()


async def test_a_window_that_is_destroyed_aborts_its_question(office: Office, until: Until) -> None:
    async with asyncio.TaskGroup() as group:
        task = group.create_task(office.prompts.approve(approval({"command": "ls"})))
        await until(office.is_asking)
        office.world.dialog().deleteLater()
    assert task.result().ending is Ending.ABORTED
    assert task.result().choice is Choice.REFUSE


@pytest.mark.expected_log("asker.*cancelled")
@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {"a": {"type": "object", "properties": {}}}},
        {"type": "object", "properties": {f"f{i}": {"type": "string"} for i in range(5000)}},
        {"type": "object", "properties": {"a": {"type": "integer", "minimum": 2, "maximum": 1}}},
    ],
)
async def test_a_schema_that_no_form_may_ask_is_cancelled_unseen(office: Office, schema: dict[str, Any]) -> None:
    answer = await office.prompts.elicit(question(schema=schema))
    assert answer.action is ElicitationAction.CANCEL
    assert answer.ending is Ending.ABORTED
    assert not office.left_over()


@pytest.mark.expected_log("too many at once")
async def test_a_server_cannot_flood_the_person(office: Office, until: Until) -> None:
    async with asyncio.TaskGroup() as group:
        flood = [group.create_task(office.prompts.elicit(question(f"{i}"))) for i in range(40)]
        other = group.create_task(office.prompts.elicit(question("other", server="quiet")))
        await until(lambda: sum(task.done() for task in flood) == 32)
        assert not other.done()
        office.prompts.refuse_all()
    actions = [task.result().action for task in flood]
    assert actions == [ElicitationAction.DECLINE] * 8 + [ElicitationAction.CANCEL] * 32
    assert other.result().action is ElicitationAction.DECLINE
    async with asyncio.TaskGroup() as group:
        again = group.create_task(office.prompts.elicit(question()))
        await until(office.is_asking)
        office.world.click("elicit_decline")
    assert again.result().action is ElicitationAction.DECLINE, "its turn comes again"


async def test_an_address_opens_on_a_click(office: Office, until: Until) -> None:
    request = question(mode=ElicitationMode.URL, url="https://example.com/login", schema={})
    async with asyncio.TaskGroup() as group:
        task = group.create_task(office.prompts.elicit(request))
        await until(lambda: office.is_asking() and office.world.is_enabled("elicit_accept"))
        assert office.opened == []
        office.world.click("elicit_accept")
    assert office.opened == ["https://example.com/login"]
    assert task.result().action is ElicitationAction.ACCEPT


async def test_a_hidden_window_comes_back_for_a_question(office: Office, until: Until) -> None:
    office.world.window.hide()
    async with asyncio.TaskGroup() as group:
        task = group.create_task(office.prompts.approve(approval({"command": "ls"})))
        await until(office.is_asking)
        assert office.world.window.isVisible()
        office.world.click("refuse")
    assert task.result().choice is Choice.REFUSE


async def test_a_hundred_questions_leave_nothing_behind(office: Office, until: Until, long_run: bool) -> None:
    for turn in range(100 if long_run else 15):
        async with asyncio.TaskGroup() as group:
            task = group.create_task(office.prompts.approve(approval({"command": f"echo {turn}"})))
            await until(office.is_asking)
            office.world.click("refuse")
        assert task.result().ending is Ending.ANSWERED
    await until(lambda: not office.left_over())


def confirm_dialog(office: Office) -> QDialog | None:
    found = [
        d for d in office.world.window.findChildren(QDialog) if d.objectName() == "confirmDialog" and d.isVisible()
    ]
    return found[0] if found else None


@pytest.mark.parametrize(
    ("leave", "confirmed"),
    [
        (lambda d: click(d.findChild(QPushButton, "confirm_yes")), True),
        (lambda d: click(d.findChild(QPushButton, "confirm_no")), False),
        (lambda d: QTest.keyClick(d, Qt.Key.Key_Escape), False),
        (lambda d: QTest.keyClick(d, Qt.Key.Key_Return), False),
        (lambda d: d.close(), False),
    ],
)
async def test_confirming_takes_a_click_on_its_button(
    office: Office, until: Until, leave: Callable[[Any], object], confirmed: bool
) -> None:
    async with asyncio.TaskGroup() as group:
        task = group.create_task(
            confirm(office.world.window, title="Empty the trash?", text="3 threads go for good.", confirm_label="Empty")
        )
        await until(lambda: confirm_dialog(office))
        leave(confirm_dialog(office))
    assert task.result() is confirmed
    await until(lambda: not office.world.window.findChildren(QDialog))


async def test_a_cancelled_confirmation_closes(office: Office, until: Until) -> None:
    async with asyncio.TaskGroup() as group:
        task = group.create_task(confirm(office.world.window, title="T", text="t", confirm_label="Yes", danger=False))
        await until(lambda: confirm_dialog(office))
        task.cancel()
    assert task.cancelled()
    await until(lambda: not office.world.window.findChildren(QDialog))


async def test_it_tells_which_server_asks_in_which_thread(office: Office, until: Until) -> None:
    told: list[tuple[str, str, bool]] = []
    office.prompts.server_asks.connect(lambda *what: told.append(what))
    async with asyncio.TaskGroup() as group:
        first = group.create_task(office.prompts.elicit(question("first", thread_id="t")))
        second = group.create_task(office.prompts.elicit(question("second", thread_id="t")))
        await until(lambda: office.is_asking("first"))
        assert told == [("t", "asker", True)]
        office.world.click("elicit_decline")
        await until(lambda: office.is_asking("second"))
        assert told == [("t", "asker", True)], "it asks still"
        second.cancel()
        await until(lambda: first.done() and second.done())
    assert told == [("t", "asker", True), ("t", "asker", False)]
