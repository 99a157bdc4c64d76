"""The page Servers on the running app: real servers start, end and are put back by clicks."""

import json
import sys
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDialog,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QToolButton,
    QWidget,
)

from desktop.app.error_reporter import ErrorReporter
from desktop.app.options import LaunchOptions, WindowCommand
from desktop.app.window import WindowSession
from desktop.core.settings import Settings, SettingsStore
from desktop.ui.dialogs.plain_box import PlainBox
from desktop.ui.endpoints.choice_box import ChoiceBox
from desktop.ui.settings.server_row import ServerRow
from desktop.ui.settings.window import SettingsWindow
from tests.support.mcp_world import HOSTILE_SERVER

W = TypeVar("W", bound=QWidget)
Until = Callable[..., Coroutine[Any, Any, None]]


def find(window: QWidget, kind: type[W], name: str) -> W:
    widget = window.findChild(kind, name)
    assert widget is not None, f"no {kind.__name__} {name}"
    return widget


def click(widget: QWidget) -> None:
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, widget.rect().center())


def choose(box: ChoiceBox, key: str) -> None:
    box.show_key(key)
    box.activated.emit(box.currentIndex())


def dialog(name: str) -> QDialog:
    found = [w for w in QApplication.topLevelWidgets() if isinstance(w, QDialog) and w.objectName() == name]
    return next(d for d in found if d.isVisible())


@asynccontextmanager
async def opened(app: QApplication, data_dir: Path) -> AsyncGenerator[tuple[WindowSession, SettingsWindow], None]:
    reporter = ErrorReporter()
    session = WindowSession(app, WindowCommand(launch=LaunchOptions(data_dir=data_dir), language="en"), reporter)
    await session.open()
    try:
        session.presenter.open_settings("servers")
        window = session.presenter.settings_window
        assert window is not None
        yield session, window
    finally:
        await session.close()
    assert reporter.count == 0


def words(window: SettingsWindow, key: str) -> str:
    row = window.findChild(ServerRow, f"server-{key}")
    return "" if row is None else "\n".join(label.text() for label in row.findChildren(QLabel))


def servers(session: WindowSession) -> list[str]:
    return [status.server_id for status in session.container.gateway.statuses()]


@pytest.mark.timeout(150)
async def test_a_server_lives_and_dies_by_clicks(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    SettingsStore(tmp_path / "settings.json").update(Settings(welcomed=True, bundled_servers_off=("command",)))
    async with opened(qapp, tmp_path) as (session, window):
        assert servers(session) == []
        click(find(window, QPushButton, "pasteServers"))
        text = json.dumps({"probe": {"command": sys.executable, "args": [str(HOSTILE_SERVER)]}})
        find(dialog("serverForm"), QPlainTextEdit, "serverJson").insertPlainText(text)
        click(find(dialog("serverForm"), QPushButton, "serverSave"))  # reads it
        click(find(dialog("serverForm"), QPushButton, "serverSave"))
        await until(lambda: any(w.objectName() == "confirmDialog" for w in QApplication.topLevelWidgets()))
        assert servers(session) == []  # nothing runs before the answer
        assert str(HOSTILE_SERVER) in find(dialog("confirmDialog"), PlainBox, "startLine").toPlainText()
        click(find(dialog("confirmDialog"), QPushButton, "confirm_yes"))
        await until(lambda: "Ready, 1 tool" in words(window, "probe"))
        click(find(window, QToolButton, "fold-probe"))
        assert "does something" in words(window, "probe")
        box = find(window, ChoiceBox, "tool-probe-act")
        choose(box, "block")
        await until(lambda: session.container.servers.trust(session.container.settings.settings, "probe").tool_rules)
        assert await session.container.tools.available() == ()
        choose(box, "usual")
        assert [tool.name for tool in await session.container.tools.available()] == ["act"]
        assert find(session.presenter.window, QToolButton, "serversButton").text() == "1"
        child = session.container.gateway._sessions["probe"]._child
        assert child is not None
        click(find(window, QAbstractButton, "switch-probe"))
        assert servers(session) == []
        assert "Off" in words(window, "probe")
        await until(child.ended.is_set)
        click(find(window, QAbstractButton, "switch-probe"))  # seen before
        await until(lambda: "Ready" in words(window, "probe"))
        click(find(window, QPushButton, "remove-probe"))
        assert servers(session) == []
        click(find(window, QPushButton, "toastAction"))
        await until(lambda: "Ready" in words(window, "probe"))
        assert [tool.name for tool in await session.container.tools.available()] == ["act"]


@pytest.mark.timeout(150)
async def test_the_built_in_server_stays_off_after_a_restart(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with opened(qapp, tmp_path) as (session, window):
        await until(lambda: "Ready, 6 tools · built in" in words(window, "command"), within=60)
        child = session.container.gateway._sessions["command"]._child
        assert child is not None
        click(find(window, QAbstractButton, "switch-command"))
        assert servers(session) == []
        await until(child.ended.is_set)
    async with opened(qapp, tmp_path) as (session, window):
        assert servers(session) == []
        assert await session.container.tools.available() == ()
        assert "Off · built in" in words(window, "command")
