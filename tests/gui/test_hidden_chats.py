"""A chat that is not shown says that its answer is there: by its mark in the list, or where no list is seen by a message."""

import asyncio
import dataclasses
from pathlib import Path

from PySide6.QtWidgets import QApplication, QLabel

from desktop.core.errors import ModelError
from tests.support.scripted_model import Step, said
from tests.support.waiting import until
from tests.support.window_world import WindowWorld, window_world


def held(hold: asyncio.Event, *last: object) -> Step:
    return [hold, *last]  # type: ignore[list-item]


def told(world: WindowWorld) -> str:
    toast = world.presenter.window.toast
    label = toast.findChild(QLabel, "toastText")
    return label.text() if label is not None and toast.isVisible() else ""


async def begin(world: WindowWorld) -> str:
    """Ask in a chat with a title, then open a new chat without a sidebar."""
    thread_id = await world.add_thread("About tea")
    await world.chat.send(thread_id, "go")
    world.presenter.window.activateWindow()
    if world.presenter.window.sidebar.isVisible():
        world.presenter.window.toggle_sidebar()
    await until(world.presenter.window.isActiveWindow)
    return thread_id


async def test_without_a_list_a_message_says_that_the_answer_is_ready_and_leads_there(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    hold = asyncio.Event()
    async with window_world(qapp, tmp_path, held(hold, *said("done"))) as world:
        thread_id = await begin(world)
        hold.set()
        await until(lambda: told(world) == "The answer is ready: About tea")
        world.presenter.window.toast.act()
        await until(lambda: world.presenter.thread_id == thread_id)


async def test_a_failure_is_told_once_and_only_after_all_that_waits(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    hold = asyncio.Event()
    failure = ModelError("model.unreachable", url="http://127.0.0.1:9/v1", detail="refused")
    async with window_world(qapp, tmp_path, held(hold, *said("done")), [failure]) as world:
        thread_id = await begin(world)
        await world.queue.add(thread_id, "and then")
        texts: list[str] = []
        world.chat.run_ended.connect(lambda _run: texts.append(told(world)))
        hold.set()
        await until(lambda: told(world) == "The answer failed: About tea")
        assert texts[0] == "", "the chat goes on"


async def test_nothing_is_told_of_the_chat_in_sight_beside_a_list_or_where_it_is_switched_off(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    holds = [asyncio.Event() for _ in range(3)]
    async with window_world(qapp, tmp_path, *(held(hold, *said("done")) for hold in holds)) as world:
        thread_id = await begin(world)
        await world.presenter.open_thread(thread_id)
        holds[0].set()
        await until(lambda: not world.chat.runs_of(thread_id))
        assert told(world) == ""
        await world.presenter.open_thread(None)
        appearance = world.settings.settings.appearance
        world.settings.update(
            dataclasses.replace(world.settings.settings, appearance=dataclasses.replace(appearance, notify=False))
        )
        await world.chat.send(thread_id, "again")
        holds[1].set()
        await until(lambda: not world.chat.runs_of(thread_id))
        assert told(world) == ""
        world.settings.update(
            dataclasses.replace(world.settings.settings, appearance=dataclasses.replace(appearance, notify=True))
        )
        world.presenter.window.toggle_sidebar()
        await world.chat.send(thread_id, "and again")
        holds[2].set()
        await until(lambda: not world.chat.runs_of(thread_id))
        assert told(world) == ""
