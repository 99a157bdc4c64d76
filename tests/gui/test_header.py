"""The header stands still while the tool servers behind it start."""

from pathlib import Path

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QApplication, QToolButton, QWidget

from desktop.tools.entities import ServerState, ServerStatus
from tests.support.settings_world import set_appearance
from tests.support.window_world import window_world

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
