"""When tools ask and where commands run: shown below the message, changed there, kept with the chat."""

import dataclasses
import os
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPushButton, QRadioButton

from desktop.core.permission_mode import PermissionMode
from desktop.core.sandbox_problems import PROBLEMS, SandboxProblem
from desktop.core.workspaces import resolved
from desktop.tools.sandbox import SandboxHealth, SandboxState
from desktop.ui.composer.mode_button import ModeButton
from desktop.ui.composer.mode_popup import ORDER, ModePopup
from desktop.ui.permission_words import mode_sentence, mode_title
from desktop.ui.sandbox_words import problem_words, sandbox_words
from desktop.ui.settings.folder_field import FolderDialog
from tests.support.scripted_model import said
from tests.support.window_world import WindowWorld, window_world

Until = Callable[..., Coroutine[Any, Any, None]]
HOLDS = SandboxState(health=SandboxHealth.HOLDS)
MISSING = SandboxState(health=SandboxHealth.MISSING, reason="none", problem=SandboxProblem("not_installed"))


def button(world: WindowWorld) -> ModeButton:
    found = world.presenter.window.findChild(ModeButton, "modeButton")
    assert found is not None
    return found


def opened(world: WindowWorld) -> ModePopup:
    QTest.mouseClick(button(world), Qt.MouseButton.LeftButton)
    popup = button(world).findChild(ModePopup, "modePopup")
    assert popup is not None
    assert popup.isVisible()
    return popup


def tick(popup: ModePopup, mode: PermissionMode) -> None:
    radio = popup.findChild(QRadioButton, f"mode-{mode}")
    assert radio is not None
    QTest.mouseClick(radio, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(8, 8))


def ticked(popup: ModePopup) -> str:
    return next(r.objectName() for r in popup.findChildren(QRadioButton) if r.isChecked())


def child(popup: ModePopup, kind: type[Any], name: str) -> Any:
    found = popup.findChild(kind, name)
    assert found is not None, name
    return found


async def test_the_mode_is_the_chats_own_and_kept(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path, said("One."), said("Two.")) as world:
        assert button(world).full_text == "Ask for risk"
        popup = opened(world)
        assert ticked(popup) == "mode-ask_for_risk"
        tick(popup, PermissionMode.READ_ONLY)
        popup.close()
        assert button(world).full_text == "Read only"
        options = await world.presenter.options.of_new_chat()
        assert options.mode is PermissionMode.READ_ONLY
        world.presenter.window.composer.send_requested.emit("Hello")
        await until(lambda: world.presenter.thread_id is not None and not world.chat.run_of(world.presenter.thread_id))
        first = world.presenter.thread_id
        assert first is not None
        thread = await world.conversations.get_thread(first)
        assert thread is not None
        assert thread.options.mode is PermissionMode.READ_ONLY
        await world.presenter.open_thread(None)
        assert button(world).full_text == "Ask for risk"
        await world.presenter.open_thread(first)
        await until(lambda: button(world).full_text == "Read only")
        tick(opened(world), PermissionMode.ASK_FOR_RISK)  # the usual one follows the settings again
        await until(lambda: button(world).full_text == "Ask for risk")
        agent = dataclasses.replace(world.settings.settings.agent, permission_mode=PermissionMode.CHAT_ONLY)
        world.settings.update(dataclasses.replace(world.settings.settings, agent=agent))
        assert button(world).full_text == "Chat only"
        assert not world.errors


async def test_keys_reach_and_change_it(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path) as world:
        stops = world.presenter.window.composer.focus_stops()
        assert button(world) in stops
        button(world).setFocus()
        QTest.keyClick(button(world), Qt.Key.Key_Space)
        popup = child_popup(world)
        assert popup.isVisible()
        radio = child(popup, QRadioButton, "mode-ask_for_risk")
        QTest.keyClick(radio, Qt.Key.Key_Up)
        assert button(world).full_text == "Ask always"
        QTest.keyClick(popup, Qt.Key.Key_Escape)
        assert not popup.isVisible()
        assert button(world).property("open") is False


def child_popup(world: WindowWorld) -> ModePopup:
    popup = button(world).findChild(ModePopup, "modePopup")
    assert popup is not None
    return popup


@pytest.mark.skipif(os.name == "nt", reason="folders have owners elsewhere")
async def test_a_folder_is_chosen_for_the_chat_and_given_up_again(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    project = tmp_path / "project"
    project.mkdir()
    async with window_world(qapp, tmp_path / "data") as world:
        popup = opened(world)
        path = child(popup, QLineEdit, "chatFolder")
        assert path.text() == str(tmp_path / "data")
        assert not child(popup, QPushButton, "usualChatFolder").isEnabled()
        QTest.mouseClick(child(popup, QPushButton, "chooseChatFolder"), Qt.MouseButton.LeftButton)
        assert not popup.isVisible()
        dialog = world.presenter.window.findChild(FolderDialog, "chatFolderDialog")
        assert dialog is not None
        dialog.fileSelected.emit(str(project))
        dialog.close()
        await until(lambda: world.presenter.options.options.workspace == resolved(str(project)))
        assert str(project) in button(world).toolTip()
        popup = opened(world)
        assert path.text() == resolved(str(project))
        project.rmdir()
        popup.close()
        popup = opened(world)
        assert "does not exist" in child(popup, QLabel, "chatFolder-problem").text()
        QTest.mouseClick(child(popup, QPushButton, "usualChatFolder"), Qt.MouseButton.LeftButton)
        assert world.presenter.options.options.workspace is None
        assert path.text() == str(tmp_path / "data")
        options = await world.presenter.options.of_new_chat()
        assert options.workspace is None


async def test_a_folder_that_cannot_be_used_is_not_taken(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path) as world:
        QTest.mouseClick(child(opened(world), QPushButton, "chooseChatFolder"), Qt.MouseButton.LeftButton)
        dialog = world.presenter.window.findChild(FolderDialog, "chatFolderDialog")
        assert dialog is not None
        dialog.fileSelected.emit(str(tmp_path / "gone"))
        dialog.close()
        assert world.presenter.options.options.workspace is None
        hint = world.presenter.window.composer.findChild(QLabel, "composerHint")
        assert hint is not None
        assert "does not exist" in hint.text()


class Looked:
    """Implements ``Sandbox`` with an answer that the test gives."""

    def __init__(self, state: SandboxState) -> None:
        self.found = state
        self.folders: list[str] = []

    async def state(self, folder: str) -> SandboxState:
        self.folders.append(folder)
        return self.found

    def forget(self) -> None:
        self.folders.clear()


@pytest.mark.parametrize(("state", "words"), [(HOLDS, "run in a sandbox"), (MISSING, "bubblewrap is not installed")])
async def test_what_holds_commands_is_said(
    qapp: QApplication,
    qloop: object,
    tmp_path: Path,
    until: Until,
    state: SandboxState,
    words: str,
) -> None:
    sandbox = Looked(state)
    async with window_world(qapp, tmp_path, sandbox=sandbox) as world:
        popup = opened(world)
        label = child(popup, QLabel, "chatSandbox")
        await until(lambda: words in label.accessibleName())
        assert sandbox.folders == [resolved(str(tmp_path))]
        assert popup.height() >= popup.sizeHint().height() or popup.hasHeightForWidth()


def test_everything_has_words(qapp: QApplication) -> None:
    titles = [mode_title(mode) for mode in PermissionMode]
    sentences = [mode_sentence(mode) for mode in PermissionMode]
    assert len(set(titles)) == len(set(sentences)) == len(PermissionMode) == len(ORDER)
    assert all(sentence.endswith(".") for sentence in sentences)
    for code in PROBLEMS:
        problem = SandboxProblem(code, "/x\u202ey")
        assert "\u202e" not in problem_words(problem)
        state = SandboxState(health=SandboxHealth.BROKEN, reason=problem.english, problem=problem)
        assert sandbox_words(state).startswith("No sandbox")
