"""Memory in the whole app, with the embedder and the index that it ships: what another chat was told is in the request."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QToolButton

from desktop.app.event_loop import QtLoop
from desktop.conversation.entities import RecallPart
from desktop.core.memory_settings import MemoryUse
from desktop.memory.entities import MemoryKind, MemorySource
from desktop.memory.recall import RecallRules
from desktop.ui.memory.recalled_popup import RecalledPopup
from tests.support.endpoint import Answer, text
from tests.support.endpoint_wire import RecordedRequest
from tests.support.memory_items import item
from tests.support.several_world import SeveralWorld, several_world
from tests.support.waiting import until


def answer(request: RecordedRequest) -> Answer:
    return [text(f"That is {len(request.messages)}.")]


@asynccontextmanager
async def patient_world(app: QApplication, folder: Path) -> AsyncGenerator[SeveralWorld, None]:
    """The app, where recall may take as long as a busy machine needs."""
    async with several_world(app, folder, answer) as world:
        memory = world.session.container.memory
        memory.service._recall._rules = RecallRules(deadline_seconds=30)  # pyright: ignore[reportPrivateUsage]
        memory.recaller._deadline_seconds = 60  # pyright: ignore[reportPrivateUsage]
        yield world


async def ask(world: SeveralWorld, words: str, *, new_chat: bool = False) -> RecordedRequest:
    """Send as a person does; return what went over the wire for it."""
    presenter = world.session.presenter
    if new_chat:
        await presenter.open_thread(None)
    world.send(words)
    chat = world.session.container.chat
    await until(lambda: any(c.last_user_text.endswith(words) for c in world.endpoint.chats))
    await until(lambda: world.thread_id and not chat.runs_of(world.thread_id))
    return next(c for c in reversed(world.endpoint.chats) if c.last_user_text.endswith(words))


async def all_is_embedded(world: SeveralWorld) -> None:
    """What was said has its vectors, and the index knows them."""
    indexing = world.session.container.memory.service.indexing
    await indexing.catch_up()
    assert indexing.meaning is not None


def popup() -> RecalledPopup:
    (found,) = [w for w in QApplication.topLevelWidgets() if isinstance(w, RecalledPopup) and w.isVisible()]
    return found


def button(shown: RecalledPopup, name: str) -> QPushButton:
    (found,) = shown.findChildren(QPushButton, name)
    return found


async def open_popup(world: SeveralWorld) -> RecalledPopup:
    await until(lambda: world.is_seen("recalled-memories"))
    world.find(QToolButton, "recalled-memories").click()
    await until(lambda: any(isinstance(w, RecalledPopup) and w.isVisible() for w in QApplication.topLevelWidgets()))
    return popup()


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("My aunt keeps bees on the roof of the library.", "Who of my family keeps bees?"),
        ("I am allergic to peanuts, so no satay for me.", "Which food could make me ill?"),
        ("My cat is called Dumpling and is three years old.", "我的猫叫什么名字？"),
        ("我家的猫叫团子，今年三岁了。", "What is the name of my cat?"),
    ],
    ids=["words", "meaning", "chinese-question", "english-question"],
)
async def test_what_one_chat_was_told_another_one_knows(
    qloop: QtLoop, qapp: QApplication, tmp_path: Path, told: str, asked: str
) -> None:
    async with patient_world(qapp, tmp_path) as world:
        world.session.presenter.work_expected.emit()
        await ask(world, told)
        await ask(world, "The weather is nice today, the sun is out.", new_chat=True)
        await all_is_embedded(world)
        request = await ask(world, asked, new_chat=True)
        block, _, typed = request.last_user_text.rpartition("</memory>\n\n")
        assert typed == asked
        assert told in block
        path = await world.path()
        assert [message.text for message in path][:1] == [asked]
        (part,) = [part for part in path[-1].parts if isinstance(part, RecallPart)]
        assert part.had_meaning
        shown = await open_popup(world)
        assert told in {label.accessibleName() for label in shown.findChildren(QLabel)}
        shown.close()


async def test_what_has_nothing_to_do_with_the_message_is_not_sent(
    qloop: QtLoop, qapp: QApplication, tmp_path: Path
) -> None:
    async with patient_world(qapp, tmp_path) as world:
        world.session.presenter.work_expected.emit()
        await ask(world, "My aunt keeps bees on the roof of the library.")
        await all_is_embedded(world)
        request = await ask(world, "What is 17 times 23?", new_chat=True)
        assert request.last_user_text == "What is 17 times 23?"
        assert not world.is_seen("recalled-memories")
        await until(lambda: world.is_seen("answer-figures"))
        figures = world.find(QLabel, "answer-figures")
        assert "No memories" in figures.toolTip()


async def test_wishes_stand_in_the_system_message_and_in_the_list(
    qloop: QtLoop, qapp: QApplication, tmp_path: Path
) -> None:
    async with patient_world(qapp, tmp_path) as world:
        memory = world.session.container.memory.service
        wish = await memory.write("Always answer in rhymes", MemoryKind.WISH)
        request = await ask(world, "Hello there, how are you?")
        system = request.body["messages"][0]
        assert system["role"] == "system"
        assert '"Always answer in rhymes"' in system["content"]
        shown = await open_popup(world)
        names = [label.accessibleName() for label in shown.findChildren(QLabel)]
        assert "Wishes that hold for every answer" in names
        assert "Always answer in rhymes" in names
        button(shown, f"recalled-forget-{wish.id}").click()
        assert world.window.toast.isVisible()
        shown = await open_popup(world)
        assert "Forgotten since" in [label.accessibleName() for label in shown.findChildren(QLabel)]
        shown.close()
        world.session.presenter.window.toast.act()
        shown = await open_popup(world)
        assert "Always answer in rhymes" in [label.accessibleName() for label in shown.findChildren(QLabel)]
        shown.close()
        assert await memory.get([wish.id])


async def test_from_an_answer_to_the_message_that_it_was_told_of(
    qloop: QtLoop, qapp: QApplication, tmp_path: Path
) -> None:
    async with patient_world(qapp, tmp_path) as world:
        world.session.presenter.work_expected.emit()
        await ask(world, "My aunt keeps bees on the roof of the library.")
        first = world.thread_id
        message = (await world.path())[0]
        await all_is_embedded(world)
        await ask(world, "Who of my family keeps bees?", new_chat=True)
        assert world.thread_id != first
        shown = await open_popup(world)
        QTest.keyClick(button(shown, f"recalled-go-{message.id}"), Qt.Key.Key_Space)
        await until(lambda: world.thread_id == first and world.window.transcript.has_message(message.id))
        assert not any(isinstance(w, RecalledPopup) and w.isVisible() for w in QApplication.topLevelWidgets())


async def test_a_chat_that_is_told_nothing_says_so_and_is_told_nothing(
    qloop: QtLoop, qapp: QApplication, tmp_path: Path
) -> None:
    async with patient_world(qapp, tmp_path) as world:
        await ask(world, "My aunt keeps bees on the roof of the library.")
        await all_is_embedded(world)
        await world.session.presenter.open_thread(None)
        world.session.presenter.options.change(memory=MemoryUse.OFF)
        options = world.find(QToolButton, "chatOptions")
        assert "Memory off" in options.accessibleName()
        assert world.find(QPushButton, "memoryChip").text() == "Memory off"
        request = await ask(world, "Who of my family keeps bees?")
        assert request.last_user_text == "Who of my family keeps bees?"
        assert not world.is_seen("recalled-memories")


async def test_words_that_were_forgotten_are_not_sent_from_the_chat_where_they_stand(
    qloop: QtLoop, qapp: QApplication, tmp_path: Path
) -> None:
    async with patient_world(qapp, tmp_path) as world:
        world.session.presenter.work_expected.emit()
        said = "I play the oboe. Which exercises are good for the breath?"
        await ask(world, said)
        (question, _) = await world.path()
        memory = world.session.container.memory.service
        known = item(
            "The user plays the oboe.",
            source=MemorySource(thread_id=world.thread_id, message_id=question.id, quote="I play the oboe."),
        )
        await memory.add([known])
        await all_is_embedded(world)
        asked = "Which instrument do I play, and which exercises did I ask for?"
        assert "I play the oboe" in (await ask(world, asked, new_chat=True)).last_user_text
        await memory.forget([known.id])
        request = await ask(world, asked, new_chat=True)
        assert "Which exercises are good for the breath?" in request.last_user_text
        assert "oboe" not in request.last_user_text


async def test_what_the_user_asked_to_remember_is_known_in_the_next_chat_whatever_that_is_about(
    qloop: QtLoop, qapp: QApplication, tmp_path: Path
) -> None:
    async with patient_world(qapp, tmp_path) as world:
        await ask(world, "记住：我对花生过敏")
        memory = world.session.container.memory.service
        for _ in range(2000):  # it is read in the background
            if await memory.search():
                break
            await asyncio.sleep(0.01)
        request = await ask(world, "我能吃什么零食？", new_chat=True)
        block = request.last_user_text.partition("</memory>")[0]
        assert '"said_by": "user", "text": "我对花生过敏"' in block
        shown = await open_popup(world)
        assert any("pinned" in label.text() for label in shown.findChildren(QLabel))
        shown.close()
