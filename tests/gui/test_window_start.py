"""The window is there before the core is: what can happen to it in between."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QToolButton

from desktop.app.error_reporter import ErrorReporter
from desktop.app.event_loop import QtLoop
from desktop.app.options import LaunchOptions, WindowCommand
from desktop.app.start import FirstWindow
from desktop.app.window import WindowSession
from desktop.app.window_pilot import WindowPilot
from desktop.core.errors import StorageError
from desktop.core.paths import DataPaths
from desktop.core.settings import AppearanceSettings, EndpointSettings
from desktop.storage.store import open_store
from desktop.tools.entities import ServerState
from desktop.ui.key_names import first_keys
from desktop.ui.main_window import MainWindow
from desktop.ui.shortcuts import sequences
from tests.support.waiting import until


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


@asynccontextmanager
async def opened_after(
    app: QApplication, folder: Path, act: Callable[[MainWindow], None]
) -> AsyncGenerator[WindowSession, None]:
    """The session of a window to which ``act`` was done before its core was open."""
    reporter = ErrorReporter()
    first = FirstWindow(app, command(folder))
    first.window.show()
    await until(first.window.isActiveWindow)
    act(first.window)
    session = WindowSession(app, command(folder), reporter, first=first)
    await session.open()
    yield session
    await session.close()
    assert reporter.count == 0


def press(window: MainWindow, *shortcut_ids: str) -> None:
    for shortcut_id in shortcut_ids:
        keys = first_keys(sequences(shortcut_id)[0])
        QTest.keyClick(window, keys.key(), keys.keyboardModifiers())


async def chats(folder: Path, *texts: str) -> list[str]:
    """Store chats; the last one is what the app opens with. Returns their ids."""
    store = await open_store(DataPaths(folder))
    ids = []
    for text in texts:
        thread = await store.threads.create_thread()
        await store.threads.begin_turn(thread.id, text, model="scripted")
        ids.append(thread.id)
    await store.close()
    return ids


async def test_the_settings_asked_for_before_the_core_is_there_open_when_it_is(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path
) -> None:
    async with opened_after(qapp, tmp_path, lambda window: press(window, "settings", "settings")) as session:
        settings = session.presenter.settings_window
        assert settings is not None
        assert settings.isVisible()


async def test_each_early_step_of_the_text_size_counts(qapp: QApplication, qloop: QtLoop, tmp_path: Path) -> None:
    usual = AppearanceSettings().font_size
    once = ("larger_text",)
    async with opened_after(qapp, tmp_path / "1", lambda window: press(window, *once)) as session:
        step = session.container.settings.settings.appearance.font_size - usual
    assert step > 0
    async with opened_after(qapp, tmp_path / "2", lambda window: press(window, *once, *once)) as session:
        assert session.container.settings.settings.appearance.font_size == usual + 2 * step


async def test_a_new_chat_asked_for_early_is_what_the_window_opens_with(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path
) -> None:
    _, newer = await chats(tmp_path, "one", "two")
    async with opened_after(qapp, tmp_path, lambda window: None) as session:
        assert session.presenter.thread_id == newer
    async with opened_after(qapp, tmp_path, lambda window: press(window, "new_chat")) as session:
        await WindowPilot(session).until(lambda: session.presenter.thread_id is None, "a new chat is open")


async def test_a_search_and_a_step_to_another_chat_begun_early_go_on(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path
) -> None:
    older, _ = await chats(tmp_path, "one", "two")

    def search(window: MainWindow) -> None:
        press(window, "search")
        QTest.keyClicks(window.sidebar.search, "one")

    async with opened_after(qapp, tmp_path, search) as session:
        results = session.presenter.window.sidebar.results
        await WindowPilot(session).until(lambda: results.isVisible() and results.model().rowCount() > 0, "it was found")
    async with opened_after(qapp, tmp_path, lambda window: press(window, "next_chat")) as session:
        await WindowPilot(session).until(lambda: session.presenter.thread_id == older, "the next chat is open")


async def test_a_message_sent_too_early_stays_and_says_so(qapp: QApplication, qloop: QtLoop, tmp_path: Path) -> None:
    def send(window: MainWindow) -> None:
        QTest.keyClicks(window.composer.edit, "hello")
        QTest.keyClick(window.composer.edit, Qt.Key.Key_Return)
        label = window.toast.findChild(QLabel, "toastText")
        assert label is not None
        assert "still opening" in label.text()

    async with opened_after(qapp, tmp_path, send) as session:
        assert session.presenter.window.composer.text == "hello"
        assert await session.container.conversations.list_threads() == ()


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
