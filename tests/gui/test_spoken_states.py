"""What a screen reader hears of chats that are not shown: each end and each question once, never a stream."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication, QWidget

from desktop.core.errors import ModelError
from desktop.core.language_model import FinishReason, StreamEnd, TextDelta
from desktop.ui import spoken_states
from tests.support.scripted_model import Step, said
from tests.support.window_world import window_world

Until = Callable[..., Coroutine[Any, Any, None]]


@pytest.fixture
def spoken(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    texts: list[str] = []

    def announce(_widget: QWidget, text: str, *, assertive: bool = False) -> None:
        texts.append(text)

    monkeypatch.setattr(spoken_states, "announce", announce)
    return texts


async def test_the_ends_of_hidden_answers_are_said_once(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until, spoken: list[str]
) -> None:
    failing: Step = [TextDelta(text="Half"), ModelError("model.timeout", seconds=5)]
    stopped: Step = [TextDelta(text="Half of it"), asyncio.Event(), StreamEnd(reason=FinishReason.STOP)]
    async with window_world(qapp, tmp_path, said("A long answer. " * 50), failing, stopped, said("Seen.")) as world:
        world.presenter.window.activateWindow()
        first = await world.add_thread("First\u202e question")
        second = await world.add_thread("Second question")
        await until(lambda: world.presenter.window.sidebar.model.thread_count == 2)
        await world.presenter.open_thread(second)
        await (await world.chat.send(first, "Why?")).wait()
        await until(lambda: spoken == ["First<U+202E> question: The answer is ready"])
        await (await world.chat.send(first, "Why?")).wait()
        await until(lambda: spoken[1:] == ["First<U+202E> question: The answer failed"])
        run = await world.chat.send(first, "Why?")
        await asyncio.sleep(0.05)
        await world.chat.stop(first)  # that was the user
        await run.wait()
        await (await world.chat.send(second, "Why?")).wait()  # the transcript says that
        await asyncio.sleep(0.05)
        assert len(spoken) == 2


async def test_a_hidden_chat_that_waits_is_named(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until, spoken: list[str]
) -> None:
    async with window_world(qapp, tmp_path) as world:
        world.presenter.window.activateWindow()
        first, second = await world.add_thread("First question"), await world.add_thread("Second question")
        await until(lambda: world.presenter.window.sidebar.model.thread_count == 2)
        await world.presenter.open_thread(second)
        world.presenter.set_waiting(first, True)
        world.presenter.set_waiting(first, False)
        world.presenter.set_waiting(second, True)  # its dialog speaks
        assert spoken == ["First question: Waiting for your answer"]
