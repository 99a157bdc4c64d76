"""Temporary chats: begun by a button or a key, marked, in no list, gone for good when left, or kept after all."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QToolButton

from tests.support.scripted_model import said
from tests.support.window_world import WindowWorld, window_world

Until = Callable[..., Coroutine[Any, Any, None]]
WORD = "quincunxsentinel"


def button(world: WindowWorld, name: str) -> QPushButton | QToolButton:
    window = world.presenter.window
    found = window.findChild(QPushButton, name) or window.findChild(QToolButton, name)
    assert found is not None
    return found


def is_marked(world: WindowWorld) -> bool:
    window = world.presenter.window
    labels = [window.findChild(QLabel, name) for name in ("temporaryChip", "temporaryWords")]
    return all(label is not None and label.isVisible() for label in labels)


def listed(world: WindowWorld) -> int:
    return world.presenter.window.sidebar.model.thread_count


def files_with(world: WindowWorld, word: str) -> list[str]:
    files = [file for file in world.data_dir.rglob("*") if file.is_file()]
    return [file.name for file in files if word.encode() in file.read_bytes()]


async def begin(world: WindowWorld, until: Until) -> str:
    before = world.presenter.thread_id
    button(world, "temporaryChatButton").click()
    await until(lambda: world.presenter.thread_id not in (None, before) and is_marked(world))
    await until(lambda: world.presenter.transcript.is_loaded)
    assert world.presenter.thread_id is not None
    return world.presenter.thread_id


async def talk(world: WindowWorld, until: Until, text: str) -> None:
    thread_id = world.presenter.thread_id
    assert thread_id is not None
    world.presenter.window.composer.edit.insertPlainText(text)
    QTest.keyClick(world.presenter.window.composer.edit, Qt.Key.Key_Return)
    await until(lambda: world.presenter.window.composer.text == "")
    await until(lambda: not world.chat.runs_of(thread_id))


async def is_gone(world: WindowWorld, thread_id: str) -> None:
    for _ in range(2000):
        if await world.store.threads.get_thread(thread_id) is None and not files_with(world, WORD):
            return
        await asyncio.sleep(0.01)
    raise AssertionError(f"still there: {files_with(world, WORD)}")


async def test_nothing_is_left_of_a_temporary_chat_that_was_left(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path, said("fine")) as world:
        other = await world.add_thread("other")
        await until(lambda: listed(world) == 1)
        thread_id = await begin(world, until)
        assert not button(world, "keepChatButton").isVisible()
        await talk(world, until, f"{WORD} is my secret")
        assert files_with(world, WORD)
        assert listed(world) == 1
        assert world.presenter.window.sidebar.list.selected_ids() == []
        world.presenter.window.sidebar.list.setCurrentIndex(world.presenter.window.sidebar.model.index_of(other))
        await until(lambda: world.presenter.thread_id == other and not is_marked(world))
        await is_gone(world, thread_id)
        assert listed(world) == 1


async def test_the_key_begins_one_and_again_changes_nothing_while_it_is_empty(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        await until(world.presenter.window.isActiveWindow)
        modifiers = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
        QTest.keyClick(world.presenter.window.composer.edit, Qt.Key.Key_N, modifiers)
        await until(lambda: world.presenter.thread_id is not None and is_marked(world))
        first = world.presenter.thread_id
        QTest.keyClick(world.presenter.window.composer.edit, Qt.Key.Key_N, modifiers)
        button(world, "newChatButton").click()
        await until(lambda: not is_marked(world))
        assert world.presenter.thread_id is None
        await is_gone(world, str(first))


@pytest.mark.parametrize("leaves", [False, True])
async def test_what_is_being_written_is_asked_about_before_it_is_lost(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until, leaves: bool
) -> None:
    async with window_world(qapp, tmp_path) as world:
        other = await world.add_thread("other")
        await until(lambda: listed(world) == 1)
        thread_id = await begin(world, until)
        world.presenter.window.composer.edit.insertPlainText(f"{WORD} half")
        await world.presenter.composer.flush()
        assert files_with(world, WORD) == []
        sidebar = world.presenter.window.sidebar
        sidebar.list.setCurrentIndex(sidebar.model.index_of(other))
        await until(lambda: world.presenter.window.findChild(QPushButton, "confirm_yes") is not None)
        assert world.presenter.thread_id == thread_id
        button(world, "confirm_yes" if leaves else "confirm_no").click()
        if leaves:
            await until(lambda: world.presenter.thread_id == other)
            await is_gone(world, thread_id)
        else:
            await until(lambda: sidebar.list.selected_ids() == [])
            assert world.presenter.thread_id == thread_id
            assert is_marked(world)
            assert world.presenter.window.composer.text == f"{WORD} half"


async def test_what_still_runs_is_asked_about_and_ends_with_the_chat(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    never = asyncio.Event()
    async with window_world(qapp, tmp_path, [never, *said("fine")]) as world:
        thread_id = await begin(world, until)
        world.presenter.window.composer.edit.insertPlainText(f"{WORD} asked")
        QTest.keyClick(world.presenter.window.composer.edit, Qt.Key.Key_Return)
        await until(lambda: world.model.open_streams == 1)
        button(world, "newChatButton").click()
        await until(lambda: world.presenter.window.findChild(QPushButton, "confirm_yes") is not None)
        button(world, "confirm_yes").click()
        await until(lambda: world.presenter.thread_id is None and world.model.open_streams == 0)
        await is_gone(world, thread_id)


async def test_a_chat_that_is_kept_is_one_like_any_other(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path, said("fine"), said("again")) as world:
        thread_id = await begin(world, until)
        await talk(world, until, f"{WORD} is no secret")
        assert await world.conversations.search(WORD) == ()
        await until(lambda: button(world, "keepChatButton").isVisible())
        world.presenter.window.composer.edit.insertPlainText("half a thought")
        button(world, "keepChatButton").click()
        await until(lambda: listed(world) == 1 and not is_marked(world))
        assert world.presenter.thread_id == thread_id
        thread = await world.store.threads.get_thread(thread_id)
        assert thread is not None
        assert (thread.options.is_temporary, thread.options.memory) == (False, None)
        assert {hit.message_id is None for hit in await world.conversations.search(WORD)} == {True, False}
        await world.presenter.composer.flush()
        assert await world.conversations.load_draft(thread_id) == "half a thought"
        button(world, "newChatButton").click()
        await until(lambda: world.presenter.thread_id is None)
        assert await world.store.threads.get_thread(thread_id) is not None


async def test_a_temporary_chat_that_is_deleted_is_not_in_the_trash(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path, said("fine")) as world:
        thread_id = await begin(world, until)
        await talk(world, until, f"{WORD} asked")
        await world.chat.delete_thread(thread_id)
        await until(lambda: world.presenter.thread_id is None)
        await is_gone(world, thread_id)
