"""The window is there before the core is: what can happen to it in between."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton

from desktop.app.error_reporter import ErrorReporter
from desktop.app.event_loop import QtLoop
from desktop.app.options import LaunchOptions, WindowCommand
from desktop.app.start import FirstWindow
from desktop.app.window import WindowSession
from desktop.app.window_pilot import WindowPilot
from desktop.core.errors import StorageError
from desktop.core.settings import EndpointSettings
from desktop.tools.entities import ServerState


def command(folder: Path, thread: str = "") -> WindowCommand:
    launch = LaunchOptions(data_dir=folder, thread=thread, endpoint=EndpointSettings())
    return WindowCommand(launch=launch, theme="light", language="en")


def test_showing_returns_when_the_window_is_on_the_screen(qapp: QApplication, tmp_path: Path) -> None:
    first = FirstWindow(qapp, command(tmp_path))
    first.show()
    assert first.window.windowHandle().isExposed()
    assert not hasattr(first.window, "transcript"), "messages come later"
    first.discard()


async def test_what_is_typed_before_the_core_is_there_stays(qapp: QApplication, qloop: QtLoop, tmp_path: Path) -> None:
    await type_before(qapp, tmp_path, typed="early", shown="early")
    await type_before(qapp, tmp_path, typed="more", shown="early\nmore")


async def type_before(app: QApplication, folder: Path, *, typed: str, shown: str) -> None:
    """Type into a window that has no core yet; ``shown`` is what the composer holds when it has one."""
    reporter = ErrorReporter()
    first = FirstWindow(app, command(folder))
    QTest.keyClicks(first.window.composer.edit, typed)
    session = WindowSession(app, command(folder), reporter, first=first)
    await session.open()
    await WindowPilot(session).until(lambda: first.window.composer.text == shown, "all texts are there")
    await session.close()
    assert reporter.count == 0


async def test_a_window_closed_before_the_core_is_there_ends_in_order(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path
) -> None:
    reporter = ErrorReporter()
    first = FirstWindow(qapp, command(tmp_path))
    first.window.show()
    first.window.close()
    await WindowSession(qapp, command(tmp_path), reporter, first=first).run()
    assert not first.window.isVisible()
    assert reporter.count == 0


async def test_a_store_that_cannot_be_opened_takes_the_window_away(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path
) -> None:
    (tmp_path / "threadwell.db").mkdir()
    first = FirstWindow(qapp, command(tmp_path))
    first.window.show()
    session = WindowSession(qapp, command(tmp_path), ErrorReporter(), first=first)
    with pytest.raises(StorageError, match="unwritable"):
        await session.open()
    assert not first.window.isVisible()


async def test_an_unknown_thread_takes_the_window_away(qapp: QApplication, qloop: QtLoop, tmp_path: Path) -> None:
    first = FirstWindow(qapp, command(tmp_path, "nowhere"))
    first.window.show()
    session = WindowSession(qapp, command(tmp_path, "nowhere"), ErrorReporter(), first=first)
    with pytest.raises(StorageError, match="thread_missing"):
        await session.open()
    assert not first.window.isVisible()


async def test_closing_during_the_start_ends_it_in_order(qapp: QApplication, qloop: QtLoop, tmp_path: Path) -> None:
    reporter = ErrorReporter()
    first = FirstWindow(qapp, command(tmp_path))
    first.window.show()
    session = WindowSession(qapp, command(tmp_path), reporter, first=first)
    first.window.close()
    await session.run()
    assert reporter.count == 0


async def write(session: WindowSession) -> None:
    QTest.keyClicks(session.presenter.window.composer.edit, "h")


async def send_without_writing(session: WindowSession) -> None:
    await session.container.chat.send(None, "hello")


async def look_at_the_servers(session: WindowSession) -> None:
    WindowPilot(session).find(QToolButton, "serversButton").click()


async def open_the_settings(session: WindowSession) -> None:
    session.presenter.open_settings("servers")


@pytest.mark.parametrize("act", [write, send_without_writing, look_at_the_servers, open_the_settings])
async def test_servers_start_when_they_are_wanted_and_not_before(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path, act: Callable[[WindowSession], Awaitable[None]]
) -> None:
    session = WindowSession(qapp, command(tmp_path), ErrorReporter())
    await session.open()
    try:
        button = WindowPilot(session).find(QToolButton, "serversButton")
        assert [status.state for status in session.container.gateway.statuses()] == [ServerState.STOPPED]
        assert button.accessibleName() == "Tool servers: 1, started when you begin to write"
        await act(session)
        assert [status.state for status in session.container.gateway.statuses()] == [ServerState.STARTING]
        assert button.accessibleName() == "Tool servers: 0 of 1 ready"
    finally:
        await session.close()
