"""The page Keyboard of the settings: the same list as that of F1, changed there, and found by the search of the settings."""

from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QPushButton, QTreeWidgetItem, QWidget

from desktop.ui.key_names import first_keys
from desktop.ui.keyboard.shortcut_list import ID
from desktop.ui.settings.keyboard_page import KeyboardPage
from desktop.ui.shortcuts import sequences, use_own_keys, usual_sequences
from tests.support.app_language import app_language
from tests.support.settings_world import open_settings
from tests.support.window_world import WindowWorld, window_world

Until = Callable[..., Coroutine[Any, Any, None]]


@pytest.fixture(autouse=True)
def usual_keys_afterwards() -> Iterator[None]:
    yield
    use_own_keys({})


def page_of(world: WindowWorld) -> KeyboardPage:
    page = open_settings(world).page("keyboard")
    assert isinstance(page, KeyboardPage)
    return page


def row(world: WindowWorld, shortcut_id: str) -> QTreeWidgetItem:
    tree = page_of(world).panel.list.tree
    tops = [tree.topLevelItem(number) for number in range(tree.topLevelItemCount())]
    rows = [top.child(number) for top in tops if top is not None for number in range(top.childCount())]
    return next(each for each in rows if each is not None and each.data(0, ID) == shortcut_id)


def listed(world: WindowWorld) -> list[str]:
    tree = page_of(world).panel.list.tree
    tops = [tree.topLevelItem(number) for number in range(tree.topLevelItemCount())]
    rows = [top.child(number) for top in tops if top is not None for number in range(top.childCount())]
    return [each.data(0, ID) for each in rows if each is not None and not each.isHidden()]


def keys_dialog(world: WindowWorld) -> QDialog:
    return next(each for each in open_settings(world).findChildren(QDialog, "keysDialog") if each.isVisible())


def press_in(dialog: QDialog, keys: str) -> None:
    recorder = dialog.findChild(QWidget, "keyRecorder")
    assert recorder is not None
    pressed = first_keys(QKeySequence(keys))
    QTest.keyClick(recorder, pressed.key(), pressed.keyboardModifiers())


def bottom_of(page: KeyboardPage) -> int:
    """The lower edge of the last thing on the page."""
    last = button(page, "reset-keyboard")
    return last.mapTo(page, last.rect().bottomLeft()).y()


def button(inside: QWidget, name: str) -> QPushButton:
    found = inside.findChild(QPushButton, name)
    assert found is not None
    return found


async def test_keys_are_changed_on_the_page_a_conflict_is_named_and_a_reset_can_be_undone(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        world.presenter.open_settings("keyboard")
        page = page_of(world)
        reset = button(page, "reset-keyboard")
        assert not reset.isEnabled()
        page.panel.list.tree.setCurrentItem(row(world, "memory"))
        button(page, "shortcutsChange").click()
        dialog = keys_dialog(world)
        press_in(dialog, "Ctrl+B")
        problem = dialog.findChild(QLabel, "keysProblem")
        assert problem is not None
        assert "Show or hide the list of chats" in problem.text()
        button(dialog, "keysTake").click()
        await until(lambda: row(world, "memory").text(1) == "Ctrl+B")
        assert row(world, "toggle_sidebar").text(1) == "–"
        assert sequences("toggle_sidebar") == []
        assert world.settings.settings.shortcuts == {"memory": ("Ctrl+B",), "toggle_sidebar": ()}
        await until(reset.isEnabled)
        reset.click()
        await until(lambda: row(world, "memory").text(1) != "Ctrl+B")
        assert sequences("memory") == usual_sequences("memory")
        assert not reset.isEnabled()
        open_settings(world).toast.act()
        await until(lambda: row(world, "memory").text(1) == "Ctrl+B")
        assert world.settings.settings.shortcuts == {"memory": ("Ctrl+B",), "toggle_sidebar": ()}


@pytest.mark.parametrize(
    ("language", "typed", "action"),
    [
        ("en", "rename", "rename"),
        ("en", "ctrl+shift+f", "search"),
        ("zh_CN", "重命名", "rename"),
        ("zh_CN", "rename", "rename"),
    ],
)
async def test_the_search_of_the_settings_finds_actions_and_lists_only_those(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until, language: str, typed: str, action: str
) -> None:
    with app_language(qapp, language):
        async with window_world(qapp, tmp_path) as world:
            world.presenter.open_settings("keyboard")
            everything = len(listed(world))
            open_settings(world).search.setText(typed)
            assert open_settings(world).page_key == "keyboard"
            assert action in listed(world)
            assert len(listed(world)) < 8
            open_settings(world).search.setText("zzzzz")
            assert len(listed(world)) == everything
            open_settings(world).search.clear()
            assert len(listed(world)) == everything


async def test_the_list_fills_the_page_and_scrolls_by_itself(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        world.presenter.open_settings("keyboard")
        window, page = open_settings(world), page_of(world)
        for height in (700, 900):
            window.resize(900, height)
            await until(lambda h=height: window.height() == h)
            await until(lambda: page.height() - 80 < bottom_of(page) < page.height())
            assert page.verticalScrollBar().maximum() == 0
        QTest.keyClick(page.panel.list.tree, Qt.Key.Key_End)
        assert page.verticalScrollBar().value() == 0
