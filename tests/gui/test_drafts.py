"""What is written but not sent: on disk while the user writes on, without keys, and shown where the user left it."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QPushButton

from desktop.app.error_reporter import ErrorReporter
from desktop.app.event_loop import QtLoop
from desktop.app.options import LaunchOptions, WindowCommand
from desktop.app.window import WindowSession
from desktop.conversation.entities import ThreadOptions
from desktop.core.paths import DataPaths
from desktop.core.settings import EndpointSettings
from desktop.storage.store import open_store
from desktop.ui.composer.drafts import MOST_DRAFT_BYTES
from desktop.ui.state.pasted_text import FOLD_LINES, Composed
from tests.support.scripted_model import said
from tests.support.window_world import WindowWorld, window_world

Until = Callable[..., Coroutine[Any, Any, None]]
KEY = "sk-or-v1-3f9a0c7be51d4286a7cd90e1b2f34586"
LOG = "\n".join(f"line {number}, token={KEY}" for number in range(FOLD_LINES + 1))


def edit_of(world: WindowWorld) -> QPlainTextEdit:
    return world.presenter.window.composer.edit


def is_on_disk(world: WindowWorld, text: str) -> bool:
    return any(text.encode() in file.read_bytes() for file in world.data_dir.rglob("*") if file.is_file())


async def stored_draft(world: WindowWorld) -> str:
    """The draft of a new chat, as soon as there is one on disk."""
    for _ in range(2000):
        if draft := await world.conversations.load_draft(""):
            return draft
        await asyncio.sleep(0.01)
    raise AssertionError("no draft was stored")


async def test_who_writes_without_a_pause_is_stored_meanwhile(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path) as world:
        draft = ""
        for _ in range(400):
            edit_of(world).insertPlainText("on and on ")
            await asyncio.sleep(0.02)
            if draft := await world.conversations.load_draft(""):
                break
        assert draft.startswith("on and on ")


@pytest.mark.parametrize("leaves", [False, True])
async def test_who_writes_before_the_draft_is_there_loses_neither(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until, leaves: bool
) -> None:
    async with window_world(qapp, tmp_path) as world:
        one, two = await world.add_thread("one"), await world.add_thread("two")
        await world.conversations.save_draft(one, "half a thought")
        composer = world.presenter.composer
        composer.switch(one)
        edit_of(world).insertPlainText("and more")
        if leaves:
            composer.switch(two)
            assert edit_of(world).toPlainText() == ""
            composer.switch(one)
        await until(lambda: edit_of(world).toPlainText() == "half a thought\nand more")
        await composer.flush()
        assert await world.conversations.load_draft(one) == "half a thought\nand more"


async def test_a_key_in_a_draft_stays_in_memory_and_the_rest_is_stored(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        other = await world.add_thread("other")
        composer = world.presenter.window.composer
        edit_of(world).insertPlainText(f"Is {KEY} mine?")
        composer.add_pasted(LOG)
        await world.presenter.open_thread(other)
        wanted, stored = "Is  mine?", await stored_draft(world)
        assert stored.startswith(wanted)
        assert "line 399, token=\n" in stored
        await world.presenter.open_thread(None)
        await until(lambda: composer.content == Composed(f"Is {KEY} mine?", (LOG,)))
    assert not is_on_disk(world, KEY)
    async with window_world(qapp, tmp_path) as world:
        await until(lambda: edit_of(world).toPlainText() == wanted)


async def test_a_key_that_was_sent_is_no_draft_any_more(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path, said("a")) as world:
        edit_of(world).insertPlainText(f"My key is {KEY}")
        await stored_draft(world)
        QTest.keyClick(edit_of(world), Qt.Key.Key_Return)
        button = world.presenter.window.findChild(QPushButton, "sendKeyAnyway")
        assert button is not None
        button.click()
        await until(lambda: world.presenter.thread_id is not None and edit_of(world).toPlainText() == "")
        await world.presenter.open_thread(None)
        assert edit_of(world).toPlainText() == ""
        assert await world.conversations.load_draft("") == ""


async def test_a_text_far_too_long_to_be_sent_is_kept_in_memory_only(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        other = await world.add_thread("other")
        composer = world.presenter.window.composer
        endless = "word word\n" * (MOST_DRAFT_BYTES // 10 + 1)
        composer.add_pasted(endless)
        await world.presenter.open_thread(other)
        await world.presenter.open_thread(None)
        await until(lambda: composer.content == Composed("", (endless,)))
        await world.presenter.composer.flush()
        assert await world.conversations.load_draft("") == ""


async def test_the_program_starts_where_something_was_being_written_for_a_new_chat(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path, until: Until
) -> None:
    async def first_thread() -> str | None:
        launch = LaunchOptions(data_dir=tmp_path, endpoint=EndpointSettings())
        command = WindowCommand(launch=launch, theme="light", language="en")
        session = WindowSession(qapp, command, ErrorReporter())
        await session.open()
        thread_id = session.presenter.thread_id
        await session.close()
        return thread_id

    store = await open_store(DataPaths(tmp_path))
    thread = await store.threads.create_thread(title="Old")
    await store.threads.begin_turn(thread.id, "old", model="m")
    await store.close()
    assert await first_thread() == thread.id
    for draft, options in (("half a thought", ThreadOptions()), ("", ThreadOptions(system_prompt="Rhyme."))):
        store = await open_store(DataPaths(tmp_path))
        await store.threads.save_draft("", draft)
        await store.threads.save_new_thread_options(options)
        await store.close()
        assert await first_thread() is None
