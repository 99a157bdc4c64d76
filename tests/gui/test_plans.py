"""A plan in the window: shown, edited by keys, approved, ticked off, planned anew; and what a screen reader is told."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QLabel, QPushButton, QToolButton

from desktop.conversation.entities import Message
from desktop.conversation.plans import PlanPart, PlanState, StepState, plan_of
from desktop.ui.composer.mode_popup import ModePopup
from desktop.ui.state.plan_item import PlanItem
from desktop.ui.transcript.blocks.plan_card import PlanCard, PlanLine, PlanStepLine
from desktop.ui.transcript.blocks.plan_fields import PlanFields, StepEdit
from tests.support.plan_world import proposed
from tests.support.scripted_model import said
from tests.support.window_world import WindowWorld, window_world

Until = Callable[..., Coroutine[Any, Any, None]]


def card(world: WindowWorld) -> PlanCard | None:
    cards = world.presenter.window.transcript.findChildren(PlanCard)
    return next((each for each in cards if each.isVisible()), None)


def edits(world: WindowWorld) -> list[StepEdit]:
    found = card(world)
    return [] if found is None else [each for each in found.findChildren(StepEdit) if each.isVisible()]


def texts(world: WindowWorld) -> list[str]:
    return [each.toPlainText() for each in sorted(edits(world), key=lambda each: each.accessibleName())]


def lines(world: WindowWorld) -> list[str]:
    found = card(world)
    return [] if found is None else [line.accessibleName() for line in found.findChildren(PlanLine)]


def button(world: WindowWorld, name: str) -> QPushButton:
    found = card(world)
    assert found is not None
    pressed = found.findChild(QPushButton, name)
    assert pressed is not None
    return pressed


async def stored(world: WindowWorld) -> tuple[Message, PlanPart]:
    assert world.presenter.thread_id is not None
    message = (await world.store.threads.path(world.presenter.thread_id))[-1]
    plan = plan_of(message.parts)
    assert plan is not None
    return message, plan


async def asked(world: WindowWorld, until: Until, text: str = "Do it") -> None:
    """Switch plans on as a user does, send a message, and wait for the card."""
    mode = world.presenter.window.composer.mode_button
    QTest.mouseClick(mode, Qt.MouseButton.LeftButton)
    popup = mode.findChild(ModePopup, "modePopup")
    assert popup is not None
    box = popup.findChild(QCheckBox, "plansFirst")
    assert box is not None
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Space)
    popup.close()
    world.presenter.window.activateWindow()
    await until(world.presenter.window.isActiveWindow)
    assert mode.full_text == "Plan first"
    assert "plan first" in mode.accessibleName()
    world.presenter.window.composer.send_requested.emit(text)
    await until(lambda: edits(world))


async def test_a_plan_is_edited_by_keys_approved_and_ticked_off(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    gate = asyncio.Event()
    answer = said("STEP FAILED: it is locked")
    steps = (
        proposed("Read", "Write"),
        said("I read it."),
        [*answer[:-1], gate, answer[-1]],
        proposed("Ask for the key"),
        said("Asked."),
        said("All is well."),
    )
    async with window_world(qapp, tmp_path, *steps) as world:
        await asked(world, until)
        assert world.presenter.window.sidebar.model.rowCount() > 0
        found = card(world)
        assert found is not None
        assert "Waits for your approval" in found.accessibleName()
        assert texts(world) == ["Read", "Write"]
        first = edits(world)[0]
        assert first.accessibleName() == "Step 1"
        first.setFocus()
        QTest.keyClicks(first, "Re-")
        QTest.keyClick(first, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
        assert texts(world) == ["Write", "Re-Read"]
        focused = QApplication.focusWidget()
        assert isinstance(focused, StepEdit)
        assert focused.toPlainText() == "Re-Read"
        QTest.keyClick(focused, Qt.Key.Key_Return)
        new = QApplication.focusWidget()
        assert isinstance(new, StepEdit)
        QTest.keyClicks(new, "Then look")
        assert texts(world) == ["Write", "Re-Read", "Then look"]
        assert len(world.model.requests) == 1
        await until(lambda: _kept(world) == ("Write", "Re-Read", "Then look"))
        QTest.keyClick(new, Qt.Key.Key_Return)
        empty = QApplication.focusWidget()
        assert isinstance(empty, StepEdit)
        QTest.keyClick(empty, Qt.Key.Key_Backspace)  # an empty one goes
        removed = next(b for b in found.findChildren(QToolButton) if b.accessibleName() == "Remove step 3")
        removed.setFocus()
        QTest.keyClick(removed, Qt.Key.Key_Space)
        assert texts(world) == ["Write", "Re-Read"]
        edit = edits(world)[0]
        edit.setFocus()
        QTest.keyClick(edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        await until(lambda: len(world.model.requests) == 3)
        assert isinstance(QApplication.focusWidget(), type(world.presenter.window.composer.edit))
        await until(lambda: lines(world) == ["Step 1, done: Write", "Step 2, running: Re-Read"])
        gate.set()
        await until(lambda: texts(world) == ["Ask for the key"])
        assert lines(world) == ["Step 1, done: Write", "Step 2, failed: Re-Read. it is locked"]
        approve = button(world, "plan-approve")
        approve.setFocus()
        QTest.keyClick(approve, Qt.Key.Key_Return)
        await until(lambda: not world.chat.runs_of(world.presenter.thread_id or ""))
        await until(lambda: lines(world)[2:] == ["Step 3, done: Ask for the key. New since the step above failed"])
        heads = [each.accessibleName() for each in world.presenter.window.transcript.findChildren(PlanStepLine)]
        assert heads == [
            "Step 1: Write. done",
            "Step 2: Re-Read. failed",
            "Step 3: Ask for the key. done",
            "Result of the plan",
        ]
        message, plan = await stored(world)
        assert message.text.endswith("Asked.\n\nAll is well.")
        assert plan.state is PlanState.ENDED
        assert world.errors == []


def _kept(world: WindowWorld) -> tuple[str, ...]:
    row = world.presenter.transcript.followed_row
    plan = next((item.plan for item in row.items if isinstance(item, PlanItem)), None) if row is not None else None
    return plan.waiting if plan is not None else ()


async def test_refused_by_mouse_and_said_in_the_sidebar(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path, proposed("Delete all")) as world:
        await asked(world, until)
        thread_id = world.presenter.thread_id
        assert thread_id is not None
        assert thread_id in world.presenter.sidebar._waiting  # pyright: ignore[reportPrivateUsage]
        stops = [each.objectName() for each in world.presenter.window.transcript.focus_stops()]
        of_plan = [name for name in stops if name.startswith("plan-")]
        assert of_plan == [
            "plan-step-edit", "plan-step-up", "plan-step-down", "plan-step-remove", "plan-add", "plan-alone",
            "plan-approve", "plan-without", "plan-refuse",
        ]  # fmt: skip
        QTest.mouseClick(button(world, "plan-refuse"), Qt.MouseButton.LeftButton)
        await until(lambda: not world.chat.runs_of(thread_id))
        assert thread_id not in world.presenter.sidebar._waiting  # pyright: ignore[reportPrivateUsage]
        await until(lambda: lines(world) == ["Step 1, not done: Delete all"])
        _, plan = await stored(world)
        assert plan.state is PlanState.REFUSED
        assert len(world.model.requests) == 1


async def test_a_plan_that_was_stopped_is_shown_so_and_goes_on(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    held = asyncio.Event()
    async with window_world(qapp, tmp_path, proposed("One", "Two"), [held, *said("x")]) as world:
        await asked(world, until)
        QTest.mouseClick(button(world, "plan-approve"), Qt.MouseButton.LeftButton)
        await until(lambda: len(world.model.requests) == 2)
        thread_id = world.presenter.thread_id
        assert thread_id is not None
        await world.chat.stop(thread_id)
        await world.presenter.open_thread(None)
        await world.presenter.open_thread(thread_id)
        await until(lambda: lines(world) == ["Step 1, interrupted: One", "Step 2, waiting: Two"])
        world.model.script(said("one"), said("two"), said("end"))
        more = world.presenter.window.transcript.context.actions.continue_requested
        more.emit()
        await until(lambda: lines(world) == ["Step 1, done: One", "Step 2, done: Two"])
        await until(lambda: not world.chat.runs_of(thread_id))


async def test_a_long_step_is_shown_whole_and_a_pasted_one_is_one_line(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    long = "Look at all of it and " * 20
    async with window_world(qapp, tmp_path, proposed(long.strip())) as world:
        await asked(world, until)
        (edit,) = edits(world)
        await until(lambda: edit.height() > 3 * edit.fontMetrics().lineSpacing())
        document = edit.document()
        last = document.lastBlock()
        await until(lambda: edit.blockBoundingGeometry(last).bottom() <= edit.viewport().height() + 1)
        QGuiApplication.clipboard().setText("a\nb\tc")
        edit.selectAll()
        edit.paste()
        assert edit.toPlainText() == "a b c"
        edit.setPlainText("x" * 900)
        assert len(edit.toPlainText()) == 500
        labels = [label.text() for label in world.presenter.window.transcript.findChildren(QLabel, "plan-state")]
        assert labels == ["Waits for your approval"]
        assert StepState.WAITING is (await stored(world))[1].steps[0].state


async def test_what_is_typed_while_an_edit_is_kept_stays(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path, proposed("One")) as world:
        await asked(world, until)
        (edit,) = edits(world)
        found = card(world)
        assert found is not None
        edit.setPlainText("Two")
        fields = found.findChild(PlanFields)
        assert fields is not None
        fields.flush()
        edit.setPlainText("Two and more")  # before what was kept comes back
        await until(lambda: _kept(world) == ("Two",))
        assert texts(world) == ["Two and more"]
        await until(lambda: _kept(world) == ("Two and more",))
        assert texts(world) == ["Two and more"]
