"""Below an answer: what was remembered of the message, live and after opening again, taken back exactly, or changed."""

from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget

from desktop.conversation.entities import Message
from desktop.memory.entities import MemoryItem, MemorySource, MemoryStatus
from desktop.memory.ports import Found
from desktop.ui.memory.edit_dialog import MemoryEditDialog
from desktop.ui.transcript.blocks.fold_header import FoldHeader
from desktop.ui.transcript.blocks.remembered import RememberedItem
from tests.support.clipping import clipped_texts
from tests.support.memory_items import item
from tests.support.waiting import until
from tests.support.window_world import WindowWorld, window_world

W = TypeVar("W", bound=QWidget)


def shown(world: WindowWorld, kind: type[W], name: str) -> list[W]:
    found = world.presenter.window.transcript.viewport().findChildren(kind, name)
    return sorted((w for w in found if w.isVisible()), key=lambda w: w.mapTo(w.window(), w.rect().topLeft()).y())


def headers(world: WindowWorld) -> list[str]:
    return [header.accessibleName() for header in shown(world, FoldHeader, "remembered-header")]


async def question_of(world: WindowWorld, thread_id: str) -> Message:
    return (await world.store.threads.path(thread_id))[0]


def said_in(question: Message, text: str, **fields: object) -> MemoryItem:
    source = MemorySource(thread_id=question.thread_id, message_id=question.id, quote="said")
    return item(text, source=source, **fields)


async def unfold(world: WindowWorld) -> None:
    await until(lambda: headers(world))
    shown(world, FoldHeader, "remembered-header")[0].click()
    await until(lambda: shown(world, QLabel, "remembered-text"))


async def test_it_appears_while_the_chat_is_open_and_again_when_it_is_opened(
    qloop: object, qapp: QApplication, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path) as world:
        thread_id = await world.add_thread("I live in Bonn")
        await world.presenter.open_thread(thread_id)
        assert headers(world) == []
        memory = world.memory
        await memory.add([said_in(await question_of(world, thread_id), "I live in Bonn")])
        await until(lambda: headers(world) == ["Memory updated, closed"])
        await world.presenter.open_thread(await world.add_thread("Another"))
        assert headers(world) == []
        await world.presenter.open_thread(thread_id)
        await unfold(world)
        assert [label.text() for label in shown(world, QLabel, "remembered-text")] == ["I live in Bonn"]


async def test_undo_takes_it_back_and_restores_what_it_replaced(
    qloop: object, qapp: QApplication, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path) as world:
        memory = world.memory
        thread_id = await world.add_thread("We moved to Ghent")
        old = item("I live in Bonn", is_pinned=True)
        await memory.add([old])
        question = await question_of(world, thread_id)
        (said,) = await world.store.readings.unread(thread_id, 5)
        await world.store.readings.keep(
            thread_id, said.message_id, [Found(said_in(question, "I live in Ghent", supersedes_id=old.id))]
        )
        await world.presenter.open_thread(thread_id)
        await unfold(world)
        assert shown(world, QLabel, "remembered-words")[0].text() == "Instead of: I live in Bonn"
        (undo,) = shown(world, QPushButton, "remembered-undo")
        assert undo.accessibleName() == "Undo: I live in Ghent"
        undo.click()
        await until(lambda: not headers(world))
        assert await memory.search(statuses=list(MemoryStatus)) == (old,)


async def test_what_waits_is_said_to_wait(qloop: object, qapp: QApplication, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path) as world:
        thread_id = await world.add_thread("I live in Bonn")
        question = await question_of(world, thread_id)
        await world.memory.add([said_in(question, "I live in Bonn", status=MemoryStatus.PENDING)])
        await world.presenter.open_thread(thread_id)
        await until(lambda: any("wait" in header for header in headers(world)))
        await unfold(world)
        assert "others wrote" in shown(world, QLabel, "remembered-words")[0].text()
        accept, refuse = (shown(world, QPushButton, f"remembered-{name}")[0] for name in ("edit", "undo"))
        assert (accept.text(), refuse.text()) == ("Accept", "Refuse")
        assert accept.x() < refuse.x(), "as in the tray of the memory page"
        accept.click()
        await until(lambda: headers(world) == ["Memory updated, open"])
        (accepted,) = await world.memory.search()
        assert accepted.text == "I live in Bonn"


async def test_edit_changes_its_words(qloop: object, qapp: QApplication, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path) as world:
        thread_id = await world.add_thread("I live in Bonn")
        question = await question_of(world, thread_id)
        await world.memory.add([said_in(question, "I live in Bonn")])
        await world.presenter.open_thread(thread_id)
        await unfold(world)
        shown(world, QPushButton, "remembered-edit")[0].click()
        await until(lambda: world.presenter.window.findChild(MemoryEditDialog))
        dialog = world.presenter.window.findChild(MemoryEditDialog)
        assert dialog is not None
        dialog.save_requested.emit("I live near Bonn", item("").kind, False)
        await until(lambda: [label.text() for label in shown(world, QLabel, "remembered-text")] == ["I live near Bonn"])


@pytest.mark.parametrize("width", [700, 1100])
async def test_nothing_of_it_is_cut_off(qloop: object, qapp: QApplication, tmp_path: Path, width: int) -> None:
    async with window_world(qapp, tmp_path) as world:
        thread_id = await world.add_thread("I live in Bonn")
        question = await question_of(world, thread_id)
        long = "I play the cello in an amateur orchestra that meets on Thursdays and gives two concerts a year. " * 4
        await world.memory.add([said_in(question, long), said_in(question, "我住在波恩，靠近莱茵河。")])
        world.presenter.window.resize(width, 700)
        await world.presenter.open_thread(thread_id)
        await unfold(world)
        qapp.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        assert len(shown(world, RememberedItem, "remembered-item")) == 2
        for line in shown(world, RememberedItem, "remembered-item"):
            assert clipped_texts(line) == []
