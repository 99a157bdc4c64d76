"""The focus stays where the user left it while a control is off, so that the next key works nowhere else."""

from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QHBoxLayout, QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from desktop.core.endpoints import EndpointCheck
from desktop.core.errors import ModelError
from desktop.ui.controls import has_focus, is_on, set_enabled
from tests.gui.test_first_start import OLLAMA, first_start
from tests.gui.test_models_page import LOCAL, models_page
from tests.support.settings_world import open_settings
from tests.support.window_world import window_world

Until = Callable[..., Coroutine[Any, Any, None]]


@pytest.fixture
def buttons(qtbot: QtBot) -> Iterator[tuple[QPushButton, QPushButton]]:
    window = QWidget()
    first, second = QPushButton("First"), QPushButton("Second")
    layout = QHBoxLayout(window)
    layout.addWidget(first)
    layout.addWidget(second)
    qtbot.addWidget(window)
    window.show()
    window.activateWindow()
    first.setFocus()
    qtbot.waitUntil(first.hasFocus)
    yield first, second
    window.close()


def pressed(*watched: QPushButton) -> list[str]:
    clicks: list[str] = []
    for button in watched:
        button.clicked.connect(lambda _=False, button=button: clicks.append(button.text()))
    return clicks


def test_a_control_that_is_off_keeps_the_focus_and_does_nothing(buttons: tuple[QPushButton, QPushButton]) -> None:
    first, second = buttons
    clicks = pressed(first, second)
    set_enabled(first, False)
    set_enabled(first, False)
    assert first.hasFocus()
    assert not is_on(first)
    for key in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter):
        QTest.keyClick(first, key)
    QTest.mouseClick(first, Qt.MouseButton.LeftButton)
    assert clicks == []
    set_enabled(first, True)
    QTest.keyClick(first, Qt.Key.Key_Space)
    assert clicks == ["First"]


def test_it_is_really_off_as_soon_as_the_focus_is_elsewhere(buttons: tuple[QPushButton, QPushButton]) -> None:
    first, second = buttons
    set_enabled(first, False)
    QTest.keyClick(first, Qt.Key.Key_Tab)
    assert second.hasFocus()
    assert not first.isEnabled()
    assert first.property("off") is False
    set_enabled(first, True)
    assert is_on(first)
    set_enabled(first, False)
    assert not first.isEnabled()


async def test_space_after_the_test_at_the_first_start_keeps_what_was_entered(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    form = "endpointForm-custom"
    async with first_start(qapp, tmp_path) as page:
        page.directory.answer = EndpointCheck(error=ModelError("model.unreachable", url="http://h/v1", detail="no"))
        await page.unfold("customEndpoint", form, until)
        page.paste("http://127.0.0.1:9/v1", "endpointAddress", form)
        test = page.find(QPushButton, "testEndpoint", form)
        test.setFocus()
        page.directory.go.clear()
        QTest.keyClick(test, Qt.Key.Key_Space)
        assert page.result(form).startswith("Asking")
        for _ in range(2):
            assert QApplication.focusWidget() is test
            QTest.keyClick(test, Qt.Key.Key_Space)
        page.directory.go.set()
        await until(lambda: is_on(test))
        assert QApplication.focusWidget() is test
        assert [what for what, *_ in page.directory.asked].count("check") == 1
        assert not page.chat_is_there


async def test_cancelling_a_test_by_key_leads_back_to_its_button(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    form = "endpointForm-preset"
    async with first_start(qapp, tmp_path) as page:
        await page.unfold("preset-zhipu", form, until)
        page.paste("sk-abcdefghij0123456789ABCDEF", "endpointKey", form)
        page.directory.go.clear()
        test, cancel = (page.find(QPushButton, name, form) for name in ("testEndpoint", "cancelTest"))
        for ends in ("cancelled", "answered"):
            page.click("testEndpoint", form)
            cancel.setFocus()
            if ends == "cancelled":
                QTest.keyClick(cancel, Qt.Key.Key_Space)
            else:
                page.directory.go.set()
            await until(lambda: is_on(test))
            assert QApplication.focusWidget() is test, ends


async def test_asking_for_the_models_and_looking_again_keep_the_focus(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    form = "endpointForm-custom"
    async with first_start(qapp, tmp_path, OLLAMA) as page:
        again = page.find(QPushButton, "lookAgain")
        await until(lambda: is_on(again))
        await page.unfold("customEndpoint", form, until)
        page.paste("http://127.0.0.1:9/v1", "endpointAddress", form)
        refresh = page.find(QToolButton, "refreshModels", form)
        await until(lambda: is_on(refresh))
        for button in (refresh, again):
            page.directory.go.clear()
            button.setFocus()
            QTest.keyClick(button, Qt.Key.Key_Space)
            await until(lambda button=button: not is_on(button))
            assert button.hasFocus()
            page.directory.go.set()
            await until(lambda button=button: is_on(button))
            assert button.hasFocus()


async def test_a_test_on_the_models_page_goes_to_its_cancel_and_back(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with models_page(qapp, tmp_path, LOCAL) as page:
        test, cancel = (page.find(QPushButton, name, "endpoint-local") for name in ("endpointTest", "endpointCancel"))
        for ends in ("cancelled", "answered"):
            page.directory.go.clear()
            test.setFocus()
            QTest.keyClick(test, Qt.Key.Key_Space)
            assert has_focus(cancel), ends
            if ends == "cancelled":
                QTest.keyClick(cancel, Qt.Key.Key_Space)
            else:
                page.directory.go.set()
            await until(test.isVisible)
            assert has_focus(test), ends


async def test_reset_by_key_keeps_the_focus(qapp: QApplication, qloop: object, tmp_path: Path, until: Until) -> None:
    async with window_world(qapp, tmp_path) as world:
        world.presenter.open_settings("appearance")
        window = open_settings(world)
        await until(lambda: window.findChild(QPushButton, "theme-dark") is not None)
        dark, reset = (window.findChild(QPushButton, name) for name in ("theme-dark", "reset-appearance"))
        assert dark is not None
        assert reset is not None
        dark.click()
        reset.setFocus()
        QTest.keyClick(reset, Qt.Key.Key_Space)
        assert not dark.isChecked()
        assert has_focus(reset)
        assert not is_on(reset)
