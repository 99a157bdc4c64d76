"""A key in a message is held back until the user has chosen, and can become the key of a model instead."""

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QLineEdit, QPlainTextEdit, QPushButton, QWidget

from tests.support.endpoints_on_paper import DirectoryOnPaper
from tests.support.in_memory_secrets import InMemorySecrets
from tests.support.scripted_model import said
from tests.support.window_world import WindowWorld, window_world

W = TypeVar("W", bound=QWidget)
Until = Callable[..., Coroutine[Any, Any, None]]
KEY = "sk-or-v1-3f9a0c7be51d4286a7cd90e1b2f34586"


def find(world: WindowWorld, kind: type[W], name: str) -> W:
    widget = world.presenter.window.findChild(kind, name)
    assert widget is not None, f"no {kind.__name__} {name}"
    return widget


def is_warned(world: WindowWorld) -> bool:
    warning = world.presenter.window.findChild(QWidget, "keyWarning")
    return warning is not None and warning.isVisible()


def paste(world: WindowWorld, text: str) -> QPlainTextEdit:
    edit = find(world, QPlainTextEdit, "messageEdit")
    edit.setFocus()
    QGuiApplication.clipboard().setText(text)
    QTest.keyClick(edit, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    return edit


async def test_enter_does_not_send_a_key_before_the_user_has_chosen(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path, said("I see"), said("Again")) as world:
        edit = paste(world, f"Is this key right? {KEY}")
        assert is_warned(world)
        for _ in range(3):
            QTest.keyClick(edit, Qt.Key.Key_Return)
        assert world.presenter.window.focusWidget() is edit
        text = find(world, QLabel, "keyWarningText").text()
        assert text.startswith("Not sent yet: this looks like a key.")
        assert "goes to the model and stays in the chat" in text
        assert await world.conversations.last_thread() is None
        send = find(world, QPushButton, "sendKeyAnyway")
        QTest.keyClick(edit, Qt.Key.Key_Backtab)
        assert world.presenter.window.focusWidget() is send
        QTest.keyClick(send, Qt.Key.Key_Space)
        await until(lambda: world.presenter.thread_id is not None)
        assert not is_warned(world)
        await until(lambda: edit.toPlainText() == "")
        await until(lambda: world.chat.run_of(world.presenter.thread_id or "") is None)
        paste(world, KEY)
        assert is_warned(world), "each message is asked for"


async def test_the_warning_goes_with_the_key_and_escape_leads_back_to_the_text(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        edit = paste(world, KEY)
        use = find(world, QPushButton, "useKey")
        use.setFocus()
        QTest.keyClick(use, Qt.Key.Key_Escape)
        assert world.presenter.window.focusWidget() is edit
        use.setFocus()
        edit.selectAll()
        edit.insertPlainText("No key")
        assert not is_warned(world)
        assert world.presenter.window.focusWidget() is edit
        paste(world, "x" * 30_000 + f" {KEY}")
        assert not is_warned(world), "a long text is looked at when it is to be sent"
        QTest.keyClick(edit, Qt.Key.Key_Return)
        assert is_warned(world)
        await world.presenter.open_thread(None)


async def test_the_key_becomes_one_of_a_model_and_only_then_leaves_the_message(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    directory, secrets = DirectoryOnPaper(), InMemorySecrets()
    async with window_world(qapp, tmp_path, directory=directory, secrets=secrets) as world:
        edit = paste(world, f"my key: {KEY}")
        for ends in ("cancelled", "kept"):
            find(world, QPushButton, "useKey").click()
            await until(lambda: world.presenter.window.findChild(QDialog, "addEndpointDialog") is not None)
            dialog = find(world, QDialog, "addEndpointDialog")
            preset = dialog.findChild(QPushButton, "preset-openrouter")
            assert preset is not None
            preset.click()
            form = dialog.findChild(QWidget, "endpointForm-preset")
            assert form is not None
            key, submit = form.findChild(QLineEdit, "endpointKey"), form.findChild(QPushButton, "submitEndpoint")
            assert key is not None
            assert submit is not None
            assert key.text() == KEY
            assert directory.asked == [], "nobody is given the key before the user goes on"
            if ends == "cancelled":
                dialog.reject()
                assert edit.toPlainText() == f"my key: {KEY}"
                assert is_warned(world)
                await until(lambda: world.presenter.window.findChild(QDialog, "addEndpointDialog") is None)
            else:
                submit.click()
                await until(lambda: edit.toPlainText() == "my key: ")
        assert not is_warned(world)
        await until(lambda: list(secrets._secrets.values()) == [KEY])
        assert world.settings.settings.endpoint.name == "OpenRouter"
        assert not edit.document().isUndoAvailable()
