"""A chat's own instructions and temperature: chosen in the dialog, kept with the chat, sent with its next message."""

import asyncio
import dataclasses
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QDoubleSpinBox,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QToolButton,
    QWidget,
)

from desktop.conversation.entities import ThreadOptions
from desktop.conversation.service import ConversationService
from desktop.core.language_model import SystemMessage
from desktop.core.settings import AgentSettings
from desktop.ui.controls import is_on
from desktop.ui.dialogs.thread_options import ThreadOptionsDialog
from tests.support.scripted_model import said
from tests.support.small_disks import fill_up, make_room, mounted
from tests.support.window_world import WindowWorld, window_world

W = TypeVar("W", bound=QWidget)
Until = Callable[..., Coroutine[Any, Any, None]]
CONTROL = Qt.KeyboardModifier.ControlModifier
OWN = ThreadOptions(system_prompt="Answer in rhyme.", temperature=0.25)


def child(parent: QWidget, kind: type[W], name: str) -> W:
    widget = parent.findChild(kind, name)
    assert widget is not None, f"no {kind.__name__} {name}"
    return widget


def click(widget: QWidget) -> None:
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, widget.rect().center())


def options_button(world: WindowWorld) -> QToolButton:
    return child(world.presenter.window, QToolButton, "chatOptions")


def opened(world: WindowWorld) -> ThreadOptionsDialog:
    """Open the dialog as a click in the header does."""
    click(options_button(world))
    return child(world.presenter.window, ThreadOptionsDialog, "threadOptions")


def prompt_of(dialog: ThreadOptionsDialog) -> QPlainTextEdit:
    return child(dialog, QPlainTextEdit, "threadPrompt")


def enter(dialog: ThreadOptionsDialog, options: ThreadOptions) -> None:
    prompt_of(dialog).setPlainText(options.system_prompt or "")
    switch = child(dialog, QCheckBox, "threadTemperature-switch")
    if switch.isChecked() != (options.temperature is not None):
        QTest.mouseClick(switch, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(20, 13))
    if options.temperature is not None:
        child(dialog, QDoubleSpinBox, "threadTemperature-number").setValue(options.temperature)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    with mounted(tmp_path / "small-disk", "size=16m") as folder:
        yield folder


async def send(world: WindowWorld, text: str) -> None:
    edit = child(world.presenter.window, QPlainTextEdit, "messageEdit")
    edit.setFocus()
    edit.insertPlainText(text)
    QTest.keyClick(edit, Qt.Key.Key_Return)


async def test_what_is_saved_is_kept_marked_and_sent(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path, said("a")) as world:
        thread_id = await world.add_thread("Hello")
        await world.presenter.open_thread(thread_id)
        button = options_button(world)
        assert (button.text(), button.accessibleName()) == ("", "Chat options")
        message = child(world.presenter.window, QPlainTextEdit, "messageEdit")
        await until(message.hasFocus)
        QTest.keyClick(world.presenter.window, Qt.Key.Key_I, CONTROL)
        dialog = child(world.presenter.window, ThreadOptionsDialog, "threadOptions")
        await until(prompt_of(dialog).hasFocus)
        enter(dialog, OWN)
        QTest.keyClick(prompt_of(dialog), Qt.Key.Key_Return, CONTROL)
        await until(lambda: button.text() == "•")
        assert "its own instructions, temperature 0.25" in button.accessibleName()
        thread = await world.conversations.get_thread(thread_id)
        assert thread is not None
        assert thread.options == OWN
        await until(message.hasFocus)

        await send(world, "again")
        await until(lambda: world.model.finished)
        (request,) = world.model.requests
        assert request.messages[0] == SystemMessage(text="Answer in rhyme.")
        assert request.sampling.temperature == 0.25


async def test_cancel_changes_nothing_and_reset_goes_back_to_the_settings(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        usual = AgentSettings(system_prompt="Be\nbrief. " * 200, temperature=0.5)
        world.settings.update(dataclasses.replace(world.settings.settings, agent=usual))
        thread_id = await world.add_thread("Hello")
        await world.conversations.set_options(thread_id, OWN)
        await world.presenter.open_thread(thread_id)
        await until(lambda: options_button(world).text() == "•")
        dialog = opened(world)
        assert prompt_of(dialog).toPlainText() == "Answer in rhyme."
        assert prompt_of(dialog).placeholderText().startswith("As in Settings: Be brief. Be brief.")
        assert len(prompt_of(dialog).placeholderText()) < 450
        assert child(dialog, QDoubleSpinBox, "threadTemperature-number").value() == 0.25
        enter(dialog, ThreadOptions(system_prompt="given up"))
        QTest.keyClick(prompt_of(dialog), Qt.Key.Key_Escape)
        await until(lambda: world.presenter.window.findChild(ThreadOptionsDialog) is None)
        thread = await world.conversations.get_thread(thread_id)
        assert thread is not None
        assert thread.options == OWN

        dialog = opened(world)
        click(child(dialog, QPushButton, "threadOptionsReset"))
        assert dialog.options == ThreadOptions()
        assert not is_on(child(dialog, QPushButton, "threadOptionsReset"))
        assert not child(dialog, QDoubleSpinBox, "threadTemperature-number").isVisible()
        click(child(dialog, QPushButton, "threadOptionsSave"))
        await until(lambda: options_button(world).text() == "")
        thread = await world.conversations.get_thread(thread_id)
        assert thread is not None
        assert thread.options == ThreadOptions()


async def test_a_new_chat_begins_with_what_was_chosen_for_it_and_the_next_one_does_not(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path, said("a"), said("b")) as world:
        dialog = opened(world)
        enter(dialog, OWN)
        click(child(dialog, QPushButton, "threadOptionsSave"))
        await until(lambda: options_button(world).text() == "•")
        other = await world.add_thread("other")
        await world.presenter.open_thread(other)
        assert options_button(world).text() == ""
        await world.presenter.open_thread(None)
        assert options_button(world).text() == "•"

        await send(world, "first")
        await until(lambda: world.presenter.thread_id not in (None, other))
        thread_id = world.presenter.thread_id
        assert thread_id is not None
        await until(lambda: world.chat.run_of(thread_id) is None)
        thread = await world.conversations.get_thread(thread_id)
        assert thread is not None
        assert thread.options == OWN
        await until(lambda: options_button(world).text() == "•")

        await world.presenter.open_thread(None)
        assert options_button(world).text() == ""
        await send(world, "second")
        await until(lambda: world.model.finished)
        assert not any(isinstance(message, SystemMessage) for message in world.model.requests[1].messages)


async def test_what_was_chosen_for_a_new_chat_is_on_disk_at_once_and_applies_after_a_restart(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        dialog = opened(world)
        enter(dialog, OWN)
        click(child(dialog, QPushButton, "threadOptionsSave"))
        await until(lambda: world.presenter.window.findChild(ThreadOptionsDialog) is None)
        assert await world.conversations.load_new_thread_options() == OWN
    async with window_world(qapp, tmp_path, said("a")) as world:
        await until(lambda: options_button(world).text() == "•")
        dialog = opened(world)
        assert dialog.options == OWN
        dialog.reject()
        await send(world, "first")
        await until(lambda: world.model.finished)
        (request,) = world.model.requests
        assert request.messages[0] == SystemMessage(text="Answer in rhyme.")
        assert request.sampling.temperature == 0.25
        assert await world.conversations.load_new_thread_options() == ThreadOptions()


@pytest.mark.allowed_log("reserve file", "log could not be emptied")
@pytest.mark.parametrize("is_new", [False, True])
async def test_what_a_full_disk_refuses_stays_in_the_dialog_until_it_is_saved(
    qapp: QApplication, qloop: object, small_disk: Path, until: Until, is_new: bool
) -> None:
    async with window_world(qapp, small_disk / "data") as world:
        thread_id = None if is_new else await world.add_thread("Hello")
        await world.presenter.open_thread(thread_id)
        dialog = opened(world)
        enter(dialog, OWN)
        save, problem = child(dialog, QPushButton, "threadOptionsSave"), child(dialog, QLabel, "threadOptionsProblem")
        fill_up(small_disk)
        click(save)
        await until(problem.isVisible)
        assert problem.accessibleName().startswith("Not saved yet. The disk is full.")
        assert (dialog.isVisible(), dialog.options, save.text()) == (True, OWN, "Try again")
        layout = dialog.layout()
        assert layout is not None
        await until(lambda: dialog.height() >= layout.totalHeightForWidth(dialog.width()))
        assert options_button(world).text() == ""
        make_room(small_disk)
        click(save)
        await until(lambda: options_button(world).text() == "•")
        await until(lambda: world.presenter.window.findChild(ThreadOptionsDialog) is None)
        thread = await world.conversations.get_thread(thread_id or "")
        assert (thread.options if thread else await world.conversations.load_new_thread_options()) == OWN
        assert world.errors == [], "it was said in the dialog"


async def test_the_dialog_leaves_the_model_of_the_chat_alone(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        thread_id = await world.add_thread("Hello")
        own = ThreadOptions(endpoint_id="own", model="m")
        await world.conversations.set_options(thread_id, own)
        await world.presenter.open_thread(thread_id)
        dialog = opened(world)
        assert not is_on(child(dialog, QPushButton, "threadOptionsReset"))
        enter(dialog, OWN)
        click(child(dialog, QPushButton, "threadOptionsSave"))
        await until(lambda: world.presenter.window.findChild(ThreadOptionsDialog) is None)
        thread = await world.conversations.get_thread(thread_id)
        assert thread is not None
        assert thread.options == dataclasses.replace(OWN, endpoint_id="own", model="m")


async def test_nothing_of_the_dialog_is_cut_off(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        for size in (10.0, 16.0):
            appearance = dataclasses.replace(world.settings.settings.appearance, font_size=size)
            world.settings.update(dataclasses.replace(world.settings.settings, appearance=appearance))
            dialog = opened(world)
            enter(dialog, OWN)  # with the temperature on it needs the most room
            field = prompt_of(dialog)
            await until(lambda f=field: (row := f.parentWidget()) and row.rect().contains(f.geometry()))
            assert field.height() >= field.minimumSizeHint().height()
            click(child(dialog, QPushButton, "threadOptionsCancel"))
            await until(lambda: world.presenter.window.findChild(ThreadOptionsDialog) is None)


async def test_what_is_chosen_while_the_window_still_reads_what_was_kept_stays(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_read, goes_on = asyncio.Event(), asyncio.Event()
    read = ConversationService.load_new_thread_options

    async def read_slowly(conversations: ConversationService) -> ThreadOptions:
        kept = await read(conversations)
        is_read.set()
        await goes_on.wait()
        return kept

    monkeypatch.setattr(ConversationService, "load_new_thread_options", read_slowly)
    async with window_world(qapp, tmp_path) as world:
        await is_read.wait()
        dialog = opened(world)
        enter(dialog, OWN)
        click(child(dialog, QPushButton, "threadOptionsSave"))
        await until(lambda: options_button(world).text() == "•")
        goes_on.set()
        await asyncio.sleep(0.05)
        assert options_button(world).text() == "•"
