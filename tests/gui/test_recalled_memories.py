"""Below an answer: how many memories it was told of; opened, each as it is by now, why it was found, and what can be done."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QToolButton, QWidget

from desktop.conversation.entities import MessageStatus, RecalledRef, RecallPart, TextPart, ThreadOptions
from desktop.core.language_model import Usage
from desktop.core.memory_settings import MemorySettings, MemoryUse
from desktop.core.settings import AgentSettings, Theme
from desktop.memory.entities import MemoryItem, MemoryKind, MemorySource, Silence
from desktop.ui.dialogs.thread_options import ThreadOptionsDialog
from desktop.ui.memory.edit_dialog import MemoryEditDialog
from desktop.ui.memory.recalled_popup import RecalledPopup
from desktop.ui.screen_room import room_on_screen
from tests.support.clipping import clipped_texts
from tests.support.memory_items import item
from tests.support.settings_world import set_appearance
from tests.support.waiting import until
from tests.support.window_world import WindowWorld, window_world

W = TypeVar("W", bound=QWidget)


def ref(
    kind: str, found_id: str, *, words: float = 6.0, meaning: float | None = 2.0, score: float = 0.8
) -> RecalledRef:
    return RecalledRef(kind=kind, id=found_id, score=score, words=words, meaning=meaning)


async def answer_told(world: WindowWorld, part: RecallPart | None) -> str:
    """Store a chat whose answer was told this, and open it; returns its id."""
    threads = world.store.threads
    thread = await threads.create_thread()
    turn = await threads.begin_turn(thread.id, "Who keeps bees?", model="scripted")
    await threads.finish_turn(
        turn.turn_id,
        parts=[*([part] if part else []), TextPart(text="Your aunt.")],
        status=MessageStatus.COMPLETE,
        reason="completed",
        usage=Usage(output_tokens=3),
        duration_seconds=1.0,
    )
    await world.presenter.open_thread(thread.id)
    await until(lambda: seen(world, QLabel, "answer-figures"))
    return thread.id


def seen(world: WindowWorld, kind: type[W], name: str) -> list[W]:
    return [w for w in world.presenter.window.findChildren(kind, name) if w.isVisible()]


def memories(world: WindowWorld) -> QToolButton:
    (button,) = seen(world, QToolButton, "recalled-memories")
    return button


async def opened(world: WindowWorld) -> RecalledPopup:
    memories(world).click()
    await until(lambda: (popup := world.presenter.memory.recalled.popup) is not None and popup.isVisible())
    popup = world.presenter.memory.recalled.popup
    assert popup is not None
    return popup


def texts(popup: RecalledPopup) -> list[str]:
    return [label.accessibleName() for label in popup.findChildren(QLabel)]


def button(popup: QWidget, name: str) -> QPushButton:
    (found,) = popup.findChildren(QPushButton, name)
    return found


async def a_fact(world: WindowWorld, text: str = "The aunt keeps bees", **fields: object) -> MemoryItem:
    fact = item(text, **fields)
    await world.memory.add([fact])
    return fact


async def test_what_an_answer_was_told_is_listed_as_it_is_by_now(
    qloop: object, qapp: QApplication, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path) as world:
        other = await world.add_thread("My aunt keeps **bees** on the roof.", title="On the roof")
        said, reply = await world.store.threads.path(other)
        fact = await a_fact(world, source=MemorySource(thread_id=other, message_id=said.id, quote="keeps bees"))
        wish = await a_fact(world, "Answer in rhymes", kind=MemoryKind.WISH)
        gone = await a_fact(world, "The aunt has a dog")
        await answer_told(
            world,
            RecallPart(
                found=(
                    ref("fact", fact.id),
                    ref("fact", gone.id),
                    ref("message", said.id, meaning=0.2),
                    ref("message", reply.id, words=0.0, score=0.254),
                    ref("message", "no-such-message"),
                ),
                standing=(wish.id,),
            ),
        )
        assert memories(world).accessibleName() == "6 memories"
        await world.memory.forget([gone.id])
        await world.memory.edit(fact, "The aunt keeps seven hives of bees")
        popup = await opened(world)
        assert popup.accessibleName() == "6 memories"
        listed = texts(popup)
        assert "The aunt keeps seven hives of bees" in listed
        assert "The aunt has a dog" not in listed
        assert listed.count("Forgotten since") == 2
        about = [label.accessibleName() for label in popup.findChildren(QLabel, "recalledAbout")]
        assert about[0].startswith("Fact · From “On the roof” · ")
        assert about[0].endswith(" · changed since · found by words and meaning, 80 %")
        assert [words.count("changed since") for words in about] == [1, 0, 0, 0]
        assert about[1].startswith("You said · in “On the roof” · today")
        assert about[1].endswith("found by words, 80 %")
        assert about[2].startswith("An answer · ")
        assert about[2].endswith("found by meaning, 25 %")
        assert listed.index("Wishes that hold for every answer") < listed.index("Answer in rhymes")
        assert about[3].startswith("Standing wish · Written by you")
        popup.close()


async def test_the_keyboard_reaches_all_and_escape_leaves(qloop: object, qapp: QApplication, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path) as world:
        other = await world.add_thread("My aunt keeps bees.")
        said = (await world.store.threads.path(other))[0]
        fact = await a_fact(world)
        await answer_told(world, RecallPart(found=(ref("fact", fact.id), ref("message", said.id))))
        popup = await opened(world)
        reached: list[str] = []
        for _ in range(4):
            focused = popup.focusWidget()
            assert focused is not None
            reached.append(focused.objectName())
            QTest.keyClick(focused, Qt.Key.Key_Tab)
        assert reached == [
            f"recalled-edit-{fact.id}",
            f"recalled-forget-{fact.id}",
            f"recalled-go-{said.id}",
            "recalledChoose",
        ]
        assert button(popup, f"recalled-edit-{fact.id}").accessibleName() == "Edit: The aunt keeps bees"
        QTest.keyClick(popup, Qt.Key.Key_Escape)
        await until(lambda: world.presenter.memory.recalled.popup is None)


async def test_a_memory_is_edited_from_there(qloop: object, qapp: QApplication, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path) as world:
        fact = await a_fact(world)
        await answer_told(world, RecallPart(found=(ref("fact", fact.id),)))
        popup = await opened(world)
        button(popup, f"recalled-edit-{fact.id}").click()
        (dialog,) = world.presenter.window.findChildren(MemoryEditDialog)
        dialog.save_requested.emit("The aunt keeps wasps", MemoryKind.FACT, False)
        await until(lambda: not seen(world, MemoryEditDialog, "memoryEdit"))
        popup = await opened(world)
        assert "The aunt keeps wasps" in texts(popup)
        popup.close()


async def test_a_memory_is_forgotten_from_there_and_taken_back(
    qloop: object, qapp: QApplication, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path) as world:
        fact = await a_fact(world)
        await answer_told(world, RecallPart(found=(ref("fact", fact.id),)))
        popup = await opened(world)
        button(popup, f"recalled-forget-{fact.id}").click()
        assert world.presenter.window.toast.isVisible()
        popup = await opened(world)
        assert "Forgotten since" in texts(popup)
        popup.close()
        world.presenter.window.toast.act()
        popup = await opened(world)
        assert "The aunt keeps bees" in texts(popup)
        popup.close()


async def test_from_a_memory_to_the_message_that_it_comes_from(
    qloop: object, qapp: QApplication, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path) as world:
        other = await world.add_thread("My aunt keeps bees.")
        said = (await world.store.threads.path(other))[0]
        fact = await a_fact(world, source=MemorySource(thread_id=other, message_id=said.id, quote="bees"))
        await answer_told(world, RecallPart(found=(ref("fact", fact.id),)))
        button(await opened(world), f"recalled-go-{fact.id}").click()
        await until(lambda: world.presenter.thread_id == other)
        await until(lambda: world.presenter.window.transcript.has_message(said.id))


async def test_nobody_is_led_to_a_chat_in_the_trash(qloop: object, qapp: QApplication, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path) as world:
        other = await world.add_thread("My aunt keeps bees.")
        said = (await world.store.threads.path(other))[0]
        await answer_told(world, RecallPart(found=(ref("message", said.id),)))
        await world.conversations.delete(other)
        popup = await opened(world)
        assert "My aunt keeps bees." in texts(popup)
        assert popup.findChildren(QPushButton, f"recalled-go-{said.id}") == []
        popup.close()


@pytest.mark.parametrize(
    ("part", "tip"),
    [
        (None, ""),
        (RecallPart(silence=Silence.NOTHING_NEAR), "nothing near enough"),
        (RecallPart(silence=Silence.NOTHING_KNOWN), "nothing near enough"),
        (RecallPart(silence=Silence.TOO_LATE), "took too long"),
    ],
    ids=["nobody-asked", "nothing-near", "nothing-known", "too-late"],
)
async def test_no_memories_are_no_noise(
    qloop: object, qapp: QApplication, tmp_path: Path, part: RecallPart | None, tip: str
) -> None:
    async with window_world(qapp, tmp_path) as world:
        await answer_told(world, part)
        assert seen(world, QToolButton, "recalled-memories") == []
        (figures,) = seen(world, QLabel, "answer-figures")
        assert "memories" not in figures.text()
        assert ("No memories" in figures.toolTip()) == bool(tip)
        assert tip in figures.toolTip()


@pytest.mark.parametrize("theme", [Theme.LIGHT, Theme.DARK], ids=str)
@pytest.mark.parametrize(("width", "size"), [(700, 10), (700, 16), (1200, 12)])
async def test_nothing_is_cut_off(
    qloop: object, qapp: QApplication, tmp_path: Path, theme: Theme, width: int, size: int
) -> None:
    async with window_world(qapp, tmp_path, theme=theme) as world:
        store = world.settings
        store.update(replace(store.settings, appearance=replace(store.settings.appearance, font_size=size)))
        world.presenter.window.resize(width, 700)
        other = await world.add_thread(
            "字" * 500, title="A title that is rather long for the little room that there is"
        )
        said = (await world.store.threads.path(other))[0]
        facts = [await a_fact(world, text) for text in ("W" * 300, "蜜蜂在图书馆的屋顶上。" * 20, "\u202eshort")]
        found: Sequence[RecalledRef] = [ref("fact", fact.id) for fact in facts]
        await answer_told(world, RecallPart(found=(*found, ref("message", said.id))))
        popup = await opened(world)
        page = popup.findChild(QWidget, "recalledList")
        assert page is not None
        assert clipped_texts(page) == []
        assert popup.width() <= width
        screen = popup.screen().availableGeometry()
        assert screen.contains(popup.frameGeometry())
        assert "<U+202E>short" in texts(popup)
        assert clipped_texts(world.presenter.window.transcript.viewport()) == []
        popup.close()


@pytest.mark.parametrize("language", ["en", "zh_CN"])
@pytest.mark.parametrize("top", [0, 100, 200, 300, 450])
async def test_it_stays_on_the_screen_wherever_the_answer_stands(
    qloop: object, qapp: QApplication, tmp_path: Path, language: str, top: int
) -> None:
    async with window_world(qapp, tmp_path) as world:
        set_appearance(world, language=language, font_size=13)
        window = world.presenter.window
        window.resize(780, 700)
        facts = [await a_fact(world, f"{number}: the aunt keeps bees on the roof " * 4) for number in range(5)]
        await answer_told(world, RecallPart(found=tuple(ref("fact", fact.id) for fact in facts)))
        window.move(0, top)
        popup = await opened(world)
        qapp.processEvents()  # what is shown may still grow
        assert room_on_screen(window).contains(popup.frameGeometry())
        button_place = QRect(memories(world).mapToGlobal(QPoint(0, 0)), memories(world).size())
        assert not popup.frameGeometry().intersects(button_place)
        popup.close()


# -- what a chat is told ----------------------------------------------------------------------------------------------


async def test_what_a_chat_is_told_is_chosen_in_its_options_and_stands_in_the_header(
    qloop: object, qapp: QApplication, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path) as world:
        fact = await a_fact(world)
        thread_id = await answer_told(world, RecallPart(found=(ref("fact", fact.id),)))
        assert seen(world, QPushButton, "memoryChip") == []
        button(await opened(world), "recalledChoose").click()
        (dialog,) = world.presenter.window.findChildren(ThreadOptionsDialog)
        button(dialog, f"threadMemory-{MemoryUse.THIS_THREAD}").click()
        assert dialog.options.memory is MemoryUse.THIS_THREAD
        button(dialog, "threadOptionsSave").click()
        await until(lambda: seen(world, QPushButton, "memoryChip"))
        (chip,) = seen(world, QPushButton, "memoryChip")
        assert chip.accessibleName() == "Memory: only this chat"
        assert (await world.conversations.options_of(thread_id)).memory is MemoryUse.THIS_THREAD
        await world.presenter.open_thread(None)
        assert seen(world, QPushButton, "memoryChip") == []
        await world.presenter.open_thread(thread_id)
        await until(lambda: seen(world, QPushButton, "memoryChip"))
        chip.click()
        await until(lambda: seen(world, ThreadOptionsDialog, "threadOptions"))
        (dialog,) = seen(world, ThreadOptionsDialog, "threadOptions")
        assert button(dialog, f"threadMemory-{MemoryUse.THIS_THREAD}").isChecked()
        button(dialog, "threadOptionsReset").click()
        assert dialog.options == ThreadOptions()
        button(dialog, "threadOptionsSave").click()
        await until(lambda: not seen(world, QPushButton, "memoryChip"))


async def test_the_usual_choice_is_not_marked_and_follows_the_settings(
    qloop: object, qapp: QApplication, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path) as world:
        world.presenter.options.change(memory=MemoryUse.EVERYWHERE)
        assert seen(world, QPushButton, "memoryChip") == []
        world.settings.update(replace(world.settings.settings, memory=MemorySettings(use=MemoryUse.OFF)))
        (chip,) = seen(world, QPushButton, "memoryChip")
        assert chip.accessibleName() == "Memory: all chats"
        world.presenter.options.change(memory=None)
        assert seen(world, QPushButton, "memoryChip") == []


async def test_a_pause_is_said_in_the_chat(qloop: object, qapp: QApplication, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path) as world:
        usual = world.settings.settings
        await world.presenter.open_thread(await world.add_thread("hello"))
        world.settings.update(replace(usual, memory=usual.memory.paused()))
        (chip,) = seen(world, QPushButton, "memoryChip")
        assert chip.accessibleName() == "Memory paused"
        world.presenter.options.change(memory=MemoryUse.THIS_THREAD)
        assert chip.accessibleName() == "Memory paused"
        chip.click()
        await until(lambda: seen(world, QPushButton, "memoryPause"))
        (go_on,) = seen(world, QPushButton, "memoryPause")
        go_on.click()
        assert chip.accessibleName() == "Memory: only this chat"
        world.presenter.options.change(memory=None)
        assert seen(world, QPushButton, "memoryChip") == []


def test_the_dialog_says_what_each_choice_means(qapp: QApplication) -> None:
    parent = QWidget()
    dialog = ThreadOptionsDialog(parent, ThreadOptions(), AgentSettings(), MemoryUse.THIS_THREAD)
    words = " ".join(label.accessibleName() or label.text() for label in dialog.findChildren(QLabel))
    assert "As in Settings: Only this chat" in words
    button(dialog, f"threadMemory-{MemoryUse.OFF}").click()
    words = " ".join(label.accessibleName() or label.text() for label in dialog.findChildren(QLabel))
    assert "nothing of what was said before" in words
    temporary = ThreadOptionsDialog(parent, ThreadOptions(is_temporary=True), AgentSettings())
    assert not button(temporary, f"threadMemory-{MemoryUse.OFF}").isEnabled()
    for each in (dialog, temporary, parent):
        each.deleteLater()


async def test_where_the_header_is_narrow_the_chip_says_with_an_ellipsis_that_it_goes_on(
    qloop: object, qapp: QApplication, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path) as world:
        world.presenter.window.resize(700, 640)
        set_appearance(world, theme=Theme.LIGHT, language="en", font_size=16)
        world.presenter.options.change(memory=MemoryUse.THIS_THREAD)
        (chip,) = seen(world, QPushButton, "memoryChip")
        await until(lambda: chip.text().endswith("…"))
        assert chip.fontMetrics().horizontalAdvance(chip.text()) <= chip.width()
        assert chip.accessibleName() == "Memory: only this chat"
        world.presenter.window.resize(1500, 640)
        await until(lambda: chip.text() == "Memory: only this chat")
