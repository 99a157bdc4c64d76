"""The header stands still while the tool servers behind it start, and has room for the title in any font."""

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QApplication, QPushButton, QToolButton, QWidget

from desktop.tools.entities import ServerState, ServerStatus
from tests.support.settings_world import set_appearance
from tests.support.window_world import window_world

Until = Callable[..., Coroutine[Any, Any, None]]
WAITING, STARTING, READY, FAILED = (ServerState(s) for s in ("stopped", "starting", "ready", "failed"))


def statuses(*states: ServerState) -> tuple[ServerStatus, ...]:
    return tuple(ServerStatus(server_id=f"server-{number}", state=state) for number, state in enumerate(states))


@pytest.mark.parametrize("font_size", [10.0, 14.0])
async def test_nothing_in_it_moves_while_servers_start(
    qapp: QApplication, qloop: object, tmp_path: Path, font_size: float
) -> None:
    async with window_world(qapp, tmp_path, statuses=statuses(WAITING, WAITING)) as world:
        set_appearance(world, font_size=font_size)
        header = world.presenter.window.header
        button = header.findChild(QToolButton, "serversButton")
        assert button is not None

        def places() -> list[QRect]:
            for _ in range(4):
                QApplication.processEvents()
            return [widget.geometry() for widget in header.findChildren(QWidget) if widget.isVisible()]

        before = places()
        shown = [button.text()]
        for states in ((STARTING, STARTING), (READY, STARTING), (READY, READY), (READY, FAILED)):
            for status in statuses(*states):
                world.gateway.set_status(status)
            assert places() == before
            shown.append(button.text())
        assert shown == ["2", "0/2", "1/2", "2", "1/2"]


@pytest.mark.parametrize("width", [700, 900])
async def test_a_long_name_of_a_model_leaves_the_title_room(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until, width: int
) -> None:
    async with window_world(qapp, tmp_path) as world:
        set_appearance(world, font_size=16.0)
        window = world.presenter.window
        window.resize(width, 608)
        thread_id = await world.add_thread("hello", title="一个相当长的标题，讲的是夏天的旅行计划")
        await world.presenter.open_thread(thread_id)
        header = window.header
        header.set_model("provider/some-model-with-a-very-long-name-2026-11-30", scripted=False)
        title = header.findChild(QPushButton, "threadTitle")
        assert title is not None
        await until(lambda: len(title.text()) >= 4)
        assert all(
            header.rect().contains(widget.geometry())
            for widget in header.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
            if widget.isVisible()
        )
