"""The list of shortcuts names keys as they are printed, and finds every action by its words in both languages."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication, QLineEdit, QTreeWidget, QTreeWidgetItem, QWidget

from desktop.core.settings import Theme
from desktop.ui.key_names import IS_MAC, native_text
from desktop.ui.shortcuts import IS_WINDOWS, SHORTCUTS, translated
from desktop.ui.shortcuts_dialog import ShortcutsDialog
from desktop.ui.theme.theme_manager import ThemeManager
from tests.support.app_language import app_language
from tests.support.settings_world import set_appearance
from tests.support.window_world import window_world


@pytest.fixture
def dialog(qapp: QApplication, request: pytest.FixtureRequest) -> Iterator[ShortcutsDialog]:
    """The list in the language that the test names."""
    with app_language(qapp, request.param):
        window = QWidget()
        window.resize(800, 700)
        window.show()
        yield ShortcutsDialog(ThemeManager(qapp, Theme.LIGHT, request.param), window)
        window.close()
        window.deleteLater()


def rows(dialog: ShortcutsDialog) -> list[QTreeWidgetItem]:
    """What is listed."""
    tree = dialog.findChild(QTreeWidget, "shortcutList")
    assert tree is not None
    tops = [tree.topLevelItem(number) for number in range(tree.topLevelItemCount())]
    found = [top.child(row) for top in tops if top is not None for row in range(top.childCount())]
    return [row for row in found if row is not None and not row.isHidden()]


def search(dialog: ShortcutsDialog, text: str) -> list[str]:
    """The names of what is found."""
    field = dialog.findChild(QLineEdit, "shortcutSearch")
    assert field is not None
    field.setText(text)
    return [row.text(0) for row in rows(dialog)]


@pytest.mark.skipif(IS_MAC, reason="macOS has signs for keys")
@pytest.mark.parametrize("dialog", ["en", "zh_CN"], indirect=True)
def test_keys_are_named_as_they_are_printed(dialog: ShortcutsDialog) -> None:
    shown = [row.text(1) for row in rows(dialog)]
    assert {"Enter", "Shift+Enter", "Alt+↑", "Alt+↓", "Esc"} <= set(shown)
    assert not [keys for keys in shown if any(word in keys for word in ("Return", "回车", "方向", "Help", "帮助"))]
    assert native_text(QKeySequence("Ctrl+Return")) == "Ctrl+Enter"
    assert native_text(QKeySequence("Ctrl++")) == "Ctrl++"
    assert native_text(QKeySequence()) == ""


@pytest.mark.parametrize("dialog", ["en", "zh_CN"], indirect=True)
def test_every_action_is_found_by_its_words_in_both_languages(dialog: ShortcutsDialog) -> None:
    for shortcut in SHORTCUTS.values():
        shown = next(row.text(0) for row in rows(dialog) if row.text(0).startswith(translated(shortcut.name)))
        for words in (translated(shortcut.name), shortcut.name, *shortcut.words.split(), translated(shortcut.group)):
            assert shown in search(dialog, words), words
        search(dialog, "")


@pytest.mark.skipif(IS_WINDOWS, reason="Windows has no keys to quit")
@pytest.mark.parametrize("dialog", ["zh_CN"], indirect=True)
@pytest.mark.parametrize("text", ["退出", "quit", "ctrl+q"])
def test_the_keys_to_quit_are_found(dialog: ShortcutsDialog, text: str) -> None:
    search(dialog, text)
    assert any("Q" in row.text(1) for row in rows(dialog))


async def test_a_tooltip_names_the_keys_like_the_list(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path) as world:
        set_appearance(world, language="zh_CN")
        send = world.presenter.window.composer.button
        assert "回车" not in send.toolTip()
        assert IS_MAC or "Enter" in send.toolTip()
