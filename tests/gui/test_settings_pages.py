"""The pages Appearance, Assistant, Data and About: what each control stores, shows and does."""

import dataclasses
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QFileDialog,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSlider,
    QToolButton,
    QTreeWidget,
    QWidget,
)

from desktop.core.paths import default_workspace
from desktop.core.settings import Accent, AgentSettings, AppearanceSettings, Density, SettingsStore, Theme
from desktop.ui.controls import is_on
from desktop.ui.settings.about_page import version_details
from desktop.ui.settings.window import SettingsWindow
from tests.support.settings_world import open_settings
from tests.support.system_opener import system_opener
from tests.support.window_world import WindowWorld, window_world

W = TypeVar("W", bound=QWidget)
Until = Callable[..., Coroutine[Any, Any, None]]


def find(window: QWidget, kind: type[W], name: str) -> W:
    widget = window.findChild(kind, name)
    assert widget is not None, f"no {kind.__name__} {name}"
    return widget


def click(widget: QWidget) -> None:
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, widget.rect().center())


def press(window: SettingsWindow, name: str) -> None:
    """Click the control of this name, wherever the page is scrolled to."""
    widget = find(window, QWidget, name)
    window.page(window.page_key).ensureWidgetVisible(widget)
    click(widget)


def type_number(window: SettingsWindow, name: str, text: str) -> None:
    box = find(window, QAbstractSpinBox, name)
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, text)


def opened(world: WindowWorld, page: str) -> SettingsWindow:
    world.presenter.open_settings(page)
    return open_settings(world)


def on_disk(world: WindowWorld) -> SettingsStore:
    """What a start after a crash at this moment would read."""
    return SettingsStore(world.data_dir / "settings.json")


def appearance_on_disk(world: WindowWorld) -> AppearanceSettings:
    return on_disk(world).settings.appearance


def agent_on_disk(world: WindowWorld) -> AgentSettings:
    return on_disk(world).settings.agent


async def test_each_choice_of_the_look_is_stored_and_in_force_at_once(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        window = opened(world, "appearance")
        press(window, "theme-dark")
        assert appearance_on_disk(world).theme is Theme.DARK
        assert world.theme.tokens.name == "dark"
        indigo = world.theme.tokens.accent
        press(window, "accent-rose")
        assert appearance_on_disk(world).accent is Accent.ROSE
        assert world.theme.tokens.accent != indigo
        press(window, "density-compact")
        assert appearance_on_disk(world).density is Density.COMPACT
        press(window, "textWidthPreset-1000")
        assert appearance_on_disk(world).text_width == 1000
        assert find(window, QAbstractSpinBox, "textWidth").text().startswith("1000")
        press(window, "reduceMotion")
        press(window, "notify")
        assert appearance_on_disk(world).reduce_motion
        assert not appearance_on_disk(world).notify


async def test_sizes_are_stored_a_moment_after_they_were_typed(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        window = opened(world, "appearance")
        type_number(window, "fontSize", "13")
        type_number(window, "codeFontSize", "12")
        type_number(window, "textWidth", "905")
        assert appearance_on_disk(world).font_size == 10.0, "not at every key"
        await until(lambda: appearance_on_disk(world).font_size == 13.0)
        assert appearance_on_disk(world).code_font_size == 12.0
        assert appearance_on_disk(world).text_width == 905
        assert world.theme.ui_font().pointSizeF() == 13.0
        assert find(window, QLabel, "sampleCode").font().pointSizeF() == 12.0
        checked = [
            b.objectName() for b in window.findChildren(QPushButton) if b.isChecked() and "Preset" in b.objectName()
        ]
        assert checked == [], "905 pixels are none of the presets"


async def test_the_wheel_turns_no_number_that_passes_under_it(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path) as world:
        window = opened(world, "appearance")
        box = find(window, QAbstractSpinBox, "fontSize")
        centre = QPointF(box.mapTo(window, box.rect().center()))
        QTest.wheelEvent(window.windowHandle(), centre, QPoint(0, 120))
        assert box.text().startswith("10.0")


async def test_words_of_a_row_lead_to_its_control(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        window = opened(world, "appearance")
        page = window.page("appearance")
        row = next(r for s in page.sections for r in s.rows if r.control.objectName() == "notify")
        page.ensureWidgetVisible(row)
        QTest.mouseClick(
            row,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
            row.rect().center(),
        )
        assert not appearance_on_disk(world).notify
        await until(find(window, QWidget, "notify").hasFocus)


async def test_how_the_model_answers(qapp: QApplication, qloop: object, tmp_path: Path, until: Until) -> None:
    async with window_world(qapp, tmp_path) as world:
        window = opened(world, "assistant")
        QTest.keyClicks(find(window, QPlainTextEdit, "systemPrompt"), "Be kind.")
        assert not find(window, QSlider, "temperature-slider").isVisible(), "left to the model at first"
        press(window, "temperature-switch")
        press(window, "topP-switch")
        press(window, "maxTokens-switch")
        type_number(window, "maxTokens-number", "2048")
        type_number(window, "stepLimit", "7")
        press(window, "nameChats")
        slider = find(window, QSlider, "temperature-slider")
        slider.setFocus()
        QTest.keyClick(slider, Qt.Key.Key_Home)
        QTest.keyClick(slider, Qt.Key.Key_Right)
        await until(lambda: agent_on_disk(world).temperature == 0.1)
        assert agent_on_disk(world) == AgentSettings(
            system_prompt="Be kind.", temperature=0.1, top_p=0.9, max_output_tokens=2048, step_limit=7, name_chats=False
        )
        press(window, "temperature-switch")
        await until(lambda: agent_on_disk(world).temperature is None)
        assert not slider.isVisible()


async def test_the_working_folder(qapp: QApplication, qloop: object, tmp_path: Path, until: Until) -> None:
    chosen, file = tmp_path / "chosen", tmp_path / "notes.txt"
    chosen.mkdir()
    file.write_text("", "utf-8")
    async with window_world(qapp, tmp_path / "data") as world:
        window = opened(world, "assistant")
        edit = find(window, QLineEdit, "workspace")
        assert edit.text() == str(default_workspace())
        assert not find(window, QPushButton, "resetWorkspace").isEnabled()
        edit.setFocus()
        edit.selectAll()
        QTest.keyClicks(edit, str(tmp_path / "typed"))
        QTest.keyClick(edit, Qt.Key.Key_Return)
        assert agent_on_disk(world).workspace == str(tmp_path / "typed")
        edit.setFocus()
        edit.selectAll()
        QTest.keyClicks(edit, str(file))
        QTest.keyClick(edit, Qt.Key.Key_Return)
        assert agent_on_disk(world).workspace == str(tmp_path / "typed"), "a file is no folder"
        assert find(window, QLabel, "workspace-problem").isVisible()
        press(window, "chooseWorkspace")
        dialog = find(window, QFileDialog, "workspaceDialog")
        await until(dialog.isVisible)
        dialog.fileSelected.emit(str(chosen))
        dialog.close()
        assert agent_on_disk(world).workspace == str(chosen)
        assert edit.text() == str(chosen)
        assert not find(window, QLabel, "workspace-problem").isVisible()
        press(window, "resetWorkspace")
        assert agent_on_disk(world).workspace == ""
        assert edit.text() == str(default_workspace())


async def test_resetting_the_assistant_brings_back_a_prompt_that_was_just_typed(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path) as world:
        own = AgentSettings(system_prompt="First.", temperature=0.25, step_limit=3)
        world.settings.update(dataclasses.replace(world.settings.settings, agent=own))
        window = opened(world, "assistant")
        prompt = find(window, QPlainTextEdit, "systemPrompt")
        prompt.selectAll()
        QTest.keyClicks(prompt, "Second.")
        press(window, "reset-assistant")
        assert agent_on_disk(world) == AgentSettings()
        assert prompt.toPlainText() == ""
        window.toast.act()
        assert agent_on_disk(world) == dataclasses.replace(own, system_prompt="Second.")
        assert prompt.toPlainText() == "Second."


async def test_data_says_where_and_how_much_and_opens_the_folder(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    with system_opener("file") as folders:
        async with window_world(qapp, tmp_path) as world:
            await world.add_thread("one")
            await world.add_thread("two")
            window = opened(world, "data")
            await until(lambda: find(window, QLabel, "chatCount").text() not in ("", "…"))
            assert find(window, QLabel, "chatCount").text().startswith("2 chat")
            assert "4 message" in find(window, QLabel, "chatCount").text()
            assert find(window, QLabel, "dataSize").text().endswith("MB")
            assert find(window, QLineEdit, "dataFolder").text() == str(tmp_path)
            press(window, "copyDataFolder")
            assert QGuiApplication.clipboard().text() == str(tmp_path)
            press(window, "openDataFolder")
            assert folders.files == [tmp_path]
            assert not (tmp_path / "logs").exists()
            press(window, "openLogFolder")
            assert folders.files == [tmp_path]
            assert window.notices.titles == ["The folder could not be opened"]
            await world.add_thread("three")
            await until(lambda: find(window, QLabel, "chatCount").text().startswith("3 chat"))


async def test_the_trash_is_emptied_after_a_question(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        for text in ("one", "two"):
            await world.chat.delete_thread(await world.add_thread(text))
        await world.add_thread("kept")
        window = opened(world, "data")
        empty = find(window, QPushButton, "emptyTrash")
        await until(lambda: is_on(empty))
        press(window, "emptyTrash")
        await until(lambda: window.findChild(QPushButton, "confirm_no") is not None)
        click(find(window, QPushButton, "confirm_no"))
        await until(lambda: window.findChild(QPushButton, "confirm_no") is None)
        assert len(await world.conversations.list_trash()) == 2
        press(window, "emptyTrash")
        await until(lambda: window.findChild(QPushButton, "confirm_yes") is not None)
        click(find(window, QPushButton, "confirm_yes"))
        await until(lambda: not is_on(empty))
        assert await world.conversations.list_trash() == ()
        assert len(await world.conversations.list_threads()) == 1
        trash = find(world.presenter.window, QToolButton, "trashButton")
        await until(lambda: trash.text() == "")


async def test_a_settings_file_set_aside_is_said_on_the_data_page(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    (tmp_path / "settings.json").write_text("{broken", "utf-8")
    async with window_world(qapp, tmp_path) as world:
        window = opened(world, "data")
        note = find(window, QWidget, "settingsSetAside")
        assert note.isVisible()
        assert "settings.broken-" in " ".join(label.text() for label in note.findChildren(QLabel))


async def test_about_lists_the_packages_and_shows_a_licence(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        window = opened(world, "about")
        packages = find(window, QTreeWidget, "packageList")
        await until(lambda: packages.topLevelItemCount() > 20)
        item = packages.findItems("aiosqlite", Qt.MatchFlag.MatchExactly)[0]
        packages.setCurrentItem(item)
        QTest.keyClick(packages, Qt.Key.Key_Return)
        await until(lambda: window.findChild(QPlainTextEdit, "licenceText") is not None)
        assert "Permission is hereby granted" in find(window, QPlainTextEdit, "licenceText").toPlainText()
        click(find(window, QPushButton, "licenceClose"))
        await until(lambda: window.findChild(QPlainTextEdit, "licenceText") is None)
        press(window, "ownLicence")
        await until(lambda: window.findChild(QPlainTextEdit, "licenceText") is not None)
        assert "MIT License" in find(window, QPlainTextEdit, "licenceText").toPlainText()
        press(window, "copyDetails")
        assert QGuiApplication.clipboard().text() == version_details(world.store.data.engine)


def test_the_details_for_a_bug_report_name_no_person_and_no_place(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("USER", "somebody")
    details = version_details("SQLite 3")
    assert "Threadwell" in details
    assert "Qt 6" in details
    assert "somebody" not in details
    assert str(Path.home()) not in details
    assert "/" not in details.replace(" / ", "")
