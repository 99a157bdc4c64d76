"""Several chats in the real window at once: streaming into one while others are opened, begun and deleted; and what waits."""

import asyncio
import random
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from desktop.app.event_loop import QtLoop
from desktop.conversation.entities import MessageStatus
from tests.support.endpoint import Answer, LoopbackEndpoint, hold, text
from tests.support.endpoint_wire import RecordedRequest
from tests.support.several_world import MODELS, SeveralWorld, several_world
from tests.support.waiting import until


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "seed" in metafunc.fixturenames:
        metafunc.parametrize("seed", range(20 if metafunc.config.getoption("long") else 2))


def in_pieces(request: RecordedRequest) -> Answer:
    """Every answer names its question in each piece, and waits between them."""
    words = request.last_user_text.split("\n")[-1]
    if words.startswith("quick"):
        return [text(f"about {words}")]
    pieces = [step for n in range(3) for step in (hold(f"{words} {n}"), text(f"[{words}: {n}] "))]
    return [text(f"[{words}: begun] "), *pieces]


def shown_answers(world: SeveralWorld) -> str:
    return " ".join(row for row in world.shown() if row.startswith("Answer"))


async def begin(world: SeveralWorld, words: str) -> str:
    """Begin a chat with this message; returns its id."""
    world.session.presenter.window.sidebar.new_chat_requested.emit()
    await until(lambda: world.session.presenter.thread_id is None)
    world.send(words)
    await until(lambda: world.thread_id and f"[{words}: begun]" in shown_answers(world))
    return world.thread_id


async def test_answers_stream_on_while_others_are_opened_begun_and_deleted(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path, seed: int
) -> None:
    chance = random.Random(seed)
    with LoopbackEndpoint(in_pieces, models=MODELS) as endpoint:
        async with several_world(qapp, tmp_path, endpoint=endpoint) as world:
            presenter, chat = world.session.presenter, world.session.container.chat
            threads = {words: await begin(world, words) for words in ("tea", "rain", "moon", "sand")}
            steps = [(words, n) for words in threads for n in range(3)]
            chance.shuffle(steps)
            steps.sort(key=lambda step: step[1])
            deleted = "sand"
            for number, (words, n) in enumerate(steps):
                opened = chance.choice(list(threads))
                await presenter.open_thread(threads[opened])
                await until(lambda opened=opened: f"[{opened}: begun]" in shown_answers(world))
                if words in threads:
                    endpoint.release(f"{words} {n}")
                if number == 4:
                    gone = threads.pop(deleted)
                    await chat.delete_thread(gone)
                    await until(lambda gone=gone: presenter.thread_id != gone)
                if number == 6:
                    threads["wind"] = await begin(world, "wind")
                others = [each for each in ("tea", "rain", "moon", "sand", "wind") if each != opened]
                if presenter.thread_id == threads.get(opened):
                    assert not any(f"[{other}:" in shown_answers(world) for other in others)
            for n in range(3):
                endpoint.release(f"wind {n}")
            for words, thread_id in threads.items():
                await until(lambda thread_id=thread_id: not chat.runs_of(thread_id))
                question, answer = await world.session.container.store.threads.path(thread_id)
                assert question.text == words
                assert answer.status is MessageStatus.COMPLETE
                assert answer.text.strip() == " ".join(f"[{words}: {n}]" for n in ("begun", 0, 1, 2))
                await presenter.open_thread(thread_id)
                await until(lambda words=words: f"[{words}: 2]" in shown_answers(world))
                assert shown_answers(world).count("[") == 4
            assert endpoint.problems == []


async def test_what_waits_survives_a_restart_and_goes_to_its_own_chat(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path
) -> None:
    with LoopbackEndpoint(in_pieces, models=MODELS) as endpoint:
        async with several_world(qapp, tmp_path, endpoint=endpoint) as world:
            edit = world.window.composer.edit
            tea = await begin(world, "tea")
            for words in ("quick cup", "quick pot"):
                world.send(words)
                await until(lambda: edit.toPlainText() == "")
            await until(lambda: len(world.session.container.queue.queue_of(tea).messages) == 2)
            rain = await begin(world, "rain")
            assert not world.is_seen("queuePanel"), "what waits in one chat is not shown in another"
            world.send("quick umbrella")
            await until(lambda: world.is_seen("queuePanel"))
            for n in range(3):
                endpoint.release(f"rain {n}")
            await until(lambda: shown_answers(world).endswith("about quick umbrella"))
            assert [m.text for m in await world.path()][::2] == ["rain", "quick umbrella"]
        async with several_world(qapp, tmp_path, endpoint=endpoint) as world:
            await world.session.presenter.open_thread(tea)
            await until(lambda: world.is_seen("queuePanel"))
            before = len(endpoint.chats)
            await asyncio.sleep(0.3)
            assert len(endpoint.chats) == before, "nothing is sent before the user says so"
            world.find(QPushButton, "queueGoOn").click()
            await until(lambda: shown_answers(world).endswith("about quick pot"))
            assert [m.text for m in await world.path()][::2] == ["tea", "quick cup", "quick pot"]
            assert not world.is_seen("queuePanel")
            assert rain != tea
            assert endpoint.problems == []


async def test_what_waits_is_asked_of_all_models_of_the_chat(qapp: QApplication, qloop: QtLoop, tmp_path: Path) -> None:
    with LoopbackEndpoint(in_pieces, models=MODELS) as endpoint:
        async with several_world(qapp, tmp_path, endpoint=endpoint) as world:
            await begin(world, "tea")
            world.choose_all()
            world.send("quick all")
            await until(lambda: world.is_seen("queuePanel"))
            for n in range(3):
                endpoint.release(f"tea {n}")
            await until(lambda: len(endpoint.chats) == 4)
            await world.all_are_done()
            assert sorted(chat.body["model"] for chat in endpoint.chats[1:]) == sorted(MODELS)


async def test_a_change_of_an_earlier_message_pauses_what_waits(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path
) -> None:
    with LoopbackEndpoint(in_pieces, models=MODELS) as endpoint:
        async with several_world(qapp, tmp_path, endpoint=endpoint) as world:
            edit = world.window.composer.edit
            await begin(world, "tea")
            world.send("quick next")
            await until(lambda: world.is_seen("queuePanel"))
            QTest.keyClick(edit, Qt.Key.Key_Up)
            await until(lambda: edit.toPlainText() == "tea")
            edit.selectAll()
            edit.insertPlainText("quick coffee")
            QTest.keyClick(edit, Qt.Key.Key_Return)
            await until(lambda: shown_answers(world).endswith("about quick coffee"))
            await world.all_are_done()
            assert [m.text for m in await world.path()][::2] == ["quick coffee"]
            world.find(QPushButton, "queueGoOn").click()
            await until(lambda: shown_answers(world).endswith("about quick next"))
            assert [m.text for m in await world.path()][::2] == ["quick coffee", "quick next"]
