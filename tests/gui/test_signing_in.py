"""Signing in at a remote server from the window: the row, the dialog, a real browser's part, and signing out."""

import asyncio
import json
from collections.abc import Callable, Coroutine, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QPlainTextEdit, QPushButton, QToolButton, QWidget

from desktop.app.error_reporter import ErrorReporter
from desktop.app.options import LaunchOptions, WindowCommand
from desktop.app.window import WindowSession
from desktop.core.settings import Settings, SettingsStore, Theme
from desktop.core.tasks import TaskSupervisor
from desktop.mcp_client.server_book import ConfiguredServers
from desktop.tools.entities import ServerState, ServerStatus
from desktop.tools.server_remarks import Remark
from desktop.tools.sign_in import PageAnswer, SignInPage
from desktop.ui.dialogs.dialog_prompts import DialogPrompts
from desktop.ui.dialogs.sign_in_dialog import SignInDialog
from desktop.ui.notices import Notice
from desktop.ui.settings.server_row import ServerRow
from desktop.ui.theme.theme_manager import ThemeManager
from tests.support.dialog_world import click
from tests.support.mcp_world import mcp_world
from tests.support.oauth_world import Behaviour, Browser, oauth_world
from tests.support.scripted_model import said
from tests.support.system_opener import SystemOpener, system_opener
from tests.support.window_world import window_world

Until = Callable[..., Coroutine[Any, Any, None]]
PAGE = SignInPage(
    server_id="tracker",
    url="https://login.example.org/authorize?client_id=abc&state=xyz",
    rights=("read", "write"),
)


@pytest.fixture
def system_browser(qapp: QApplication) -> Iterator[SystemOpener]:
    with system_opener("http", "https") as browser:
        yield browser


def dialogs() -> list[QDialog]:
    tops = QApplication.topLevelWidgets()
    return [w for w in tops if isinstance(w, SignInDialog) and w.isVisible()]


def button(parent: QWidget, name: str) -> QPushButton:
    found = parent.findChild(QPushButton, name)
    assert found is not None, name
    return found


def texts(widget: QWidget) -> str:
    return "\n".join(label.accessibleName() or label.text() for label in widget.findChildren(QLabel))


def row_of(session: WindowSession) -> ServerRow:
    window = session.presenter.settings_window
    assert window is not None
    row = window.findChild(ServerRow, "server-remote")
    assert row is not None
    return row


@pytest.mark.timeout(150)
@pytest.mark.expected_log("MCP server remote")
@pytest.mark.allowed_log("Session termination failed")
async def test_a_click_a_look_and_the_browser_sign_in_and_a_click_signs_out(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until, system_browser: SystemOpener
) -> None:
    async with oauth_world() as servers:
        servers.behaviour = Behaviour(scopes="read write")
        book = ConfiguredServers(source="", environment={}, workspace=lambda _settings: tmp_path)
        entry = {"url": servers.url}
        SettingsStore(tmp_path / "settings.json").update(
            Settings(
                welcomed=True,
                bundled_servers_off=("command",),
                mcp_servers={"remote": entry},
                confirmed_servers=(book.read("remote", entry).fingerprint,),
            )
        )
        reporter = ErrorReporter()
        command = WindowCommand(launch=LaunchOptions(data_dir=tmp_path), language="en")
        session = WindowSession(qapp, command, reporter, arming_delay_ms=0)
        await session.open()
        try:
            session.presenter.open_settings("servers")
            await until(lambda: "Needs sign-in" in texts(row_of(session)))
            assert dialogs() == []
            click(button(row_of(session), "help-remote"))
            await until(dialogs)
            dialog = dialogs()[0]
            assert "read, write" in texts(dialog)
            assert "Server “remote”, which you added" in texts(dialog)
            address = dialog.findChild(QPlainTextEdit, "elicit_url")
            assert address is not None
            assert servers.issuer in address.toPlainText()
            assert system_browser.addresses == []
            await until(button(dialog, "sign_in_open").isEnabled)
            click(button(dialog, "sign_in_open"))
            await until(lambda: system_browser.addresses)
            await until(lambda: "it goes on in your browser" in texts(row_of(session)))
            assert button(row_of(session), "help-remote").text() == "Cancel"
            await Browser().follow(system_browser.addresses[0])
            await until(lambda: "Ready, 2 tools" in texts(row_of(session)))
            click(row_of(session).findChild(QToolButton, "fold-remote"))  # type: ignore[arg-type]
            assert f"127.0.0.1:{servers.auth_port}" in texts(row_of(session))
            click(button(row_of(session), "signOut-remote"))
            await until(lambda: "Needs sign-in" in texts(row_of(session)))
            assert button(row_of(session), "signOut-remote").isHidden()
            written = (tmp_path / "settings.json").read_text("utf-8")
            assert not any(secret in written for secret in servers.secrets)
            assert "sign-in:" not in json.loads(written).get("server_secrets", [])
        finally:
            await session.close()
        assert reporter.count == 0


@pytest.mark.expected_log("MCP server remote")
@pytest.mark.allowed_log("Session termination failed")
async def test_the_listener_works_on_the_windows_loop(qloop: Any, tmp_path: Path, until: Until) -> None:
    from desktop.mcp_client.sign_in_record import SignIns
    from desktop.tools.server_secrets import ServerSecrets
    from tests.support.in_memory_secrets import InMemorySecrets

    tasks, secrets = TaskSupervisor(), InMemorySecrets()
    sign_ins = SignIns(ServerSecrets(SettingsStore(tmp_path / "settings.json"), secrets, tasks), secrets)
    browser = Browser("wanders")
    async with (
        oauth_world() as servers,
        mcp_world([servers.config()], sign_ins=sign_ins, pages=browser) as world,
    ):

        def state() -> ServerState:
            return world.gateway.statuses()[0].state

        await until(lambda: state() is ServerState.NEEDS_SIGN_IN)
        world.gateway.sign_in("remote")
        await until(lambda: browser.pages)
        world.gateway.cancel_sign_in("remote")
        await until(lambda: state() is ServerState.NEEDS_SIGN_IN)
        browser.does = "agrees"
        world.gateway.sign_in("remote")
        await until(lambda: state() is ServerState.READY)
        assert (await world.call("look")).text == "did look"
    assert await tasks.close() == []


async def test_the_dialog_says_what_is_odd_and_opens_nothing_else(
    qapp: QApplication, qloop: object, until: Until
) -> None:
    theme, window, opened = ThemeManager(qapp, Theme.LIGHT, "en"), QWidget(), list[str]()
    window.show()
    prompts = DialogPrompts(lambda: window, theme, 0, lambda url: bool(opened.append(url)) or True)
    tasks = TaskSupervisor()
    hostile = SignInPage(
        server_id="tracker\u202e",
        url="https://bank.example@xn--pple-43d.example/authorize?state=1",
        rights=("<b>all</b>",),
        given_to="evil.example",
        former_host="login.example",
    )
    asked = tasks.spawn(prompts.open_page(hostile), name="ask")
    await until(dialogs)
    dialog = dialogs()[0]
    shown = texts(dialog)
    assert "<b>all</b>" in shown
    assert "handed on to evil.example" in shown
    assert "Until now you signed in somewhere else: login.example" in shown
    assert "\u202e" not in shown
    assert dialog.findChild(QWidget, "warning_user_before_host") is not None
    assert not button(dialog, "sign_in_open").isEnabled()
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    click(button(dialog, "sign_in_cancel"))
    assert await asyncio.wait_for(asked, 10) is PageAnswer.REFUSED
    assert opened == []

    asked = tasks.spawn(prompts.open_page(PAGE), name="ask")
    await until(dialogs)
    asked.cancel()
    await until(lambda: not dialogs())
    asked = tasks.spawn(prompts.open_page(PAGE), name="ask")
    await until(dialogs)
    await until(button(dialogs()[0], "sign_in_open").isEnabled)
    click(button(dialogs()[0], "sign_in_open"))
    assert await asyncio.wait_for(asked, 10) is PageAnswer.OPENED
    assert opened == [PAGE.url]
    prompts.close()
    window.close()
    window.deleteLater()
    theme.deleteLater()
    assert await tasks.close() == []


def needs(*remarks: Remark) -> ServerStatus:
    return ServerStatus(server_id="tracker", state=ServerState.NEEDS_SIGN_IN, remarks=remarks)


async def test_a_chat_that_lacks_a_server_says_so_once_and_signs_in_from_there(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path, said("Well."), statuses=(needs(),)) as world:

        def notices() -> Sequence[Notice]:
            return world.presenter.window.notices.shown

        assert not notices()
        run = await world.chat.send(None, "Hello")
        await until(notices)
        assert "“tracker” needs you to sign in" in texts(notices()[0])
        await run.wait_over()
        click(button(notices()[0], "noticeAction-0"))
        assert world.gateway.asked == [("sign in", "tracker")]
        world.gateway.set_status(ServerStatus(server_id="tracker", state=ServerState.SIGNING_IN))
        await until(lambda: not notices())
        world.gateway.set_status(needs(Remark("sign_in_wrong_issuer")))
        await until(notices)
        assert "not the one that it says it is" in texts(notices()[0])
        world.gateway.set_status(ServerStatus(server_id="tracker", state=ServerState.READY, tool_count=1))
        await until(lambda: not notices())


async def test_the_list_of_servers_in_the_header_signs_in_and_cancels(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path, statuses=(needs(),)) as world:
        window = world.presenter.window
        opener = window.findChild(QToolButton, "serversButton")
        assert opener is not None
        click(opener)
        click(button(window, "popupSignIn-tracker"))
        world.gateway.set_status(ServerStatus(server_id="tracker", state=ServerState.SIGNING_IN))
        click(opener)
        click(button(window, "popupCancel-tracker"))
        assert world.gateway.asked == [("sign in", "tracker"), ("cancel", "tracker")]
