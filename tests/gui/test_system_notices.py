"""Notifications of the system, over a real session bus with a service that stands in for the desktop's."""

import asyncio
import dataclasses
import logging
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPlainTextEdit

from desktop.core.errors import ModelError
from tests.support.displays import environment_variables, session_bus
from tests.support.scripted_model import said
from tests.support.window_world import WindowWorld, window_world

pytest.importorskip("jeepney", reason="jeepney, which stands in for the desktop, is not installed")

from tests.support.notification_service import NotificationService, Shown

Until = Callable[..., Coroutine[Any, Any, None]]


@pytest.fixture
def bus() -> Iterator[str]:
    with session_bus() as address:
        yield address


@pytest.fixture
def service(bus: str) -> Iterator[NotificationService]:
    with NotificationService(bus) as service:
        yield service


def send(world: WindowWorld, text: str) -> None:
    edit = world.presenter.window.findChild(QPlainTextEdit, "messageEdit")
    assert edit is not None
    edit.setFocus()
    edit.insertPlainText(text)
    QTest.keyClick(edit, Qt.Key.Key_Return)


def only(service: NotificationService) -> Shown:
    (shown,) = service.shown.values()
    return shown


async def test_a_hidden_window_tells_that_the_answer_is_done_and_a_click_opens_it(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until, bus: str, service: NotificationService
) -> None:
    hold = asyncio.Event()
    async with window_world(qapp, tmp_path, [hold, *said("a secret answer")]) as world:
        with environment_variables(DBUS_SESSION_BUS_ADDRESS=bus, XDG_ACTIVATION_TOKEN=""):
            send(world, "plan a trip to Kyoto")
            await until(lambda: world.presenter.thread_id is not None)
            thread_id = world.presenter.thread_id
            await world.presenter.open_thread(None)
            world.presenter.window.hide()
            hold.set()
            await until(lambda: len(service.shown) == 1)
            shown = only(service)
            assert (shown.app, shown.title, shown.text) == ("Threadwell", "plan a trip to Kyoto", "The answer is ready")
            assert shown.actions == ["default", "Open"]
            assert "secret" not in str(shown)
            service.click(shown.number)
            await until(lambda: world.presenter.thread_id == thread_id)
            assert world.presenter.window.isVisible()


async def test_what_waits_is_told_once_and_taken_back_when_it_was_answered(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until, bus: str, service: NotificationService
) -> None:
    async with window_world(qapp, tmp_path) as world:
        one, two = await world.add_thread("one", title="First <b>title</b>"), await world.add_thread("two")
        await until(lambda: world.presenter.window.sidebar.model.thread_count == 2)
        world.presenter.window.showMinimized()
        with environment_variables(DBUS_SESSION_BUS_ADDRESS=bus):
            world.presenter.set_waiting(one, True)
            world.presenter.set_waiting(two, True)
            await until(lambda: len(service.shown) == 2)
            first = next(shown for shown in service.shown.values() if "First" in shown.title)
            assert (first.title, first.text) == ("First <b>title</b>", "Waiting for your answer")
            world.presenter.set_waiting(one, False)
            await until(lambda: service.closed == [first.number])
            world.presenter.raise_window()
            await until(lambda: not service.shown)


async def test_a_failure_is_told_a_stop_is_not(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until, bus: str, service: NotificationService
) -> None:
    hold = asyncio.Event()
    async with window_world(qapp, tmp_path, [hold, ModelError("model.timeout", seconds=5)], [asyncio.Event()]) as world:
        with environment_variables(DBUS_SESSION_BUS_ADDRESS=bus):
            send(world, "first")
            await until(lambda: world.presenter.thread_id is not None)
            world.presenter.window.hide()
            hold.set()
            await until(lambda: len(service.shown) == 1)
            assert only(service).text == "The answer failed"
            thread_id = world.presenter.thread_id
            assert thread_id is not None
            await until(lambda: world.chat.run_of(thread_id) is None)
            await world.chat.send(thread_id, "second")
            await world.chat.stop(thread_id)
            world.presenter.set_waiting(thread_id, True)
            await until(lambda: only(service).text == "Waiting for your answer")
            assert only(service).times == 2, "the stopped answer was not told in between"


async def test_nothing_is_told_while_the_window_is_used_or_where_it_is_switched_off(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until, bus: str, service: NotificationService
) -> None:
    async with window_world(qapp, tmp_path) as world:
        one, two = await world.add_thread("one"), await world.add_thread("two")
        await until(lambda: qapp.activeWindow() is not None)
        with environment_variables(DBUS_SESSION_BUS_ADDRESS=bus):
            world.presenter.set_waiting(one, True)
            settings = world.settings.settings
            quiet = dataclasses.replace(settings.appearance, notify=False)
            world.settings.update(dataclasses.replace(settings, appearance=quiet))
            world.presenter.window.hide()
            world.presenter.set_waiting(two, True)
            world.settings.update(settings)
            world.presenter.set_waiting("three", True)
            await until(lambda: service.shown)
            assert only(service).title == "New chat", "only of the third, whose title is not known"


async def test_without_a_service_the_log_says_so_once(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until, bus: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "desktop.ui.desktop_notifier")

    def complaints() -> list[str]:
        return [record.getMessage() for record in caplog.records if "notifications" in record.getMessage()]

    for address in (bus, "unix:path=/nowhere/at/all"):
        caplog.clear()
        async with window_world(qapp, tmp_path) as world:
            world.presenter.window.hide()
            with environment_variables(DBUS_SESSION_BUS_ADDRESS=address):
                world.presenter.set_waiting("one", True)
                await until(complaints)
                world.presenter.set_waiting("two", True)
                world.presenter.set_waiting("one", False)
        assert len(complaints()) == 1
