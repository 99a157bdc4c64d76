"""A server whose name suddenly leads inside, in the window: it is not asked, the row says why, and only a click connects."""

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QPlainTextEdit, QPushButton, QWidget

from desktop.app.error_reporter import ErrorReporter
from desktop.app.options import LaunchOptions, WindowCommand
from desktop.app.window import WindowSession
from desktop.core.settings import Settings, SettingsStore
from desktop.mcp_client.server_book import ConfiguredServers
from desktop.ui.settings.server_row import ServerRow
from tests.support.dialog_world import click
from tests.support.hostile_web import hostile_web
from tests.support.name_answers import NameAnswers

Until = Callable[..., Coroutine[Any, Any, None]]


def texts(widget: QWidget) -> str:
    return "\n".join(label.accessibleName() or label.text() for label in widget.findChildren(QLabel))


def button(parent: QWidget, name: str) -> QPushButton:
    found = parent.findChild(QPushButton, name)
    assert found is not None, name
    return found


def question() -> QWidget | None:
    return next(
        (w for w in QApplication.topLevelWidgets() if w.objectName() == "confirmDialog" and w.isVisible()), None
    )


@pytest.mark.timeout(150)
@pytest.mark.expected_log("MCP server remote")
@pytest.mark.allowed_log("Session termination failed")
async def test_the_row_says_where_it_leads_and_a_click_and_a_look_connect(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    NameAnswers(monkeypatch, mcp_example=["127.0.0.1"])
    async with hostile_web() as server:
        entry = {"url": f"http://mcp.example:{server.port}/mcp", "allowInsecure": True}
        book = ConfiguredServers(source="", environment={}, workspace=lambda _settings: tmp_path)
        store = SettingsStore(tmp_path / "settings.json")
        store.update(
            Settings(
                welcomed=True,
                bundled_servers_off=("command",),
                mcp_servers={"remote": entry},
                confirmed_servers=(book.read("remote", entry).fingerprint,),
                server_places={"mcp.example": "public"},
            )
        )
        command = WindowCommand(launch=LaunchOptions(data_dir=tmp_path), language="en")
        session = WindowSession(qapp, command, ErrorReporter(), arming_delay_ms=0)
        await session.open()
        try:
            session.presenter.open_settings("servers")
            window = session.presenter.settings_window
            assert window is not None
            row = window.findChild(ServerRow, "server-remote")
            assert row is not None
            await until(lambda: "Not connected. Its address leads to 127.0.0.1, inside this computer" in texts(row))
            assert button(row, "help-remote").text() == "Connect all the same…"
            assert button(row, "help-remote").property("role") != "primary", "what is risky is not put forward"
            click(button(row, "help-remote"))
            await until(question)
            asked = question()
            assert asked is not None
            assert "127.0.0.1" in texts(asked)
            line = asked.findChild(QPlainTextEdit, "startLine")
            assert line is not None
            assert line.toPlainText() == entry["url"]
            click(button(asked, "confirm_no"))
            await until(lambda: question() is None)
            assert server.methods == []
            # A press counts once what the first one began has ended, a moment after its dialog.
            await until(lambda: question() or click(button(row, "help-remote")))
            asked = question()
            assert asked is not None
            click(button(asked, "confirm_yes"))
            await until(lambda: "Ready, 1 tool" in texts(row))
            assert button(row, "help-remote").isHidden()
            kept = SettingsStore(tmp_path / "settings.json").settings
            assert kept.server_places == {"mcp.example": "loopback"}
        finally:
            await session.close()
