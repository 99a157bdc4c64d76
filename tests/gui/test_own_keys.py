"""Keys that the user chose: pressed in the list of shortcuts, in force at once everywhere, and kept."""

import dataclasses
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QLineEdit, QPushButton, QTreeWidget, QWidget

from desktop.core.settings import SettingsStore
from desktop.ui.key_names import IS_MAC, first_keys
from desktop.ui.keyboard.own_keys import put_in_force, with_keys
from desktop.ui.keyboard.rules import Refusal, refusal, share_place
from desktop.ui.keyboard.shortcut_list import ID
from desktop.ui.shortcuts import SHORTCUTS, keys_of, sequences, use_own_keys, usual_sequences
from tests.gui.test_keyboard import edit_of, find, focused, press, press_key, press_keys
from tests.support.window_world import WindowWorld, window_world

Until = Callable[..., Coroutine[Any, Any, None]]
CHANGEABLE = sorted(each.id for each in SHORTCUTS.values() if not each.is_fixed)


@pytest.fixture(autouse=True)
def usual_keys_afterwards() -> Iterator[None]:
    yield
    use_own_keys({})


def texts(shortcut_id: str) -> list[str]:
    return [each.toString() for each in sequences(shortcut_id)]


def choose(world: WindowWorld, **keys: tuple[str, ...]) -> None:
    """Store these keys, as if they had been pressed."""
    settings = world.settings.settings
    world.settings.update(dataclasses.replace(settings, shortcuts={**settings.shortcuts, **keys}))


# -- which keys there may be


@pytest.mark.parametrize(
    ("action", "keys", "reason"),
    [
        ("memory", "A", Refusal.TYPES),
        ("memory", "Shift+A", Refusal.TYPES),
        ("memory", "Backspace", Refusal.TYPES),
        ("memory", "Return", Refusal.LEADS),
        ("memory", "Esc", Refusal.LEADS),
        ("memory", "Tab", Refusal.LEADS),
        ("memory", "Space", Refusal.LEADS),
        ("memory", "Ctrl+C", Refusal.EDITS),
        ("memory", "Ctrl+V", Refusal.EDITS),
        ("memory", "Ctrl+Z", Refusal.EDITS),
        ("memory", "F8", None),
        ("memory", "Ctrl+Shift+M", None),
        ("memory", "Ctrl+Return", None),
        ("undo", "Ctrl+Z", None),
        ("send", "Return", None),
        ("send", "Ctrl+Return", None),
        ("delete_chat", "Backspace", None),
        ("delete_chat", "X", Refusal.TYPES),
    ],
)
def test_what_types_edits_or_leads_is_refused(
    qapp: QApplication, action: str, keys: str, reason: Refusal | None
) -> None:
    assert refusal(SHORTCUTS[action], first_keys(QKeySequence(keys))) is reason


@pytest.mark.skipif(IS_MAC, reason="other keys belong to macOS")
@pytest.mark.parametrize("keys", ["Alt+F4", "Alt+Tab", "Meta+A", "Ctrl+Alt+Del"])
def test_what_belongs_to_the_system_is_refused(qapp: QApplication, keys: str) -> None:
    assert refusal(SHORTCUTS["memory"], first_keys(QKeySequence(keys))) is Refusal.SYSTEM


def test_no_action_has_keys_that_would_be_refused_another(qapp: QApplication) -> None:
    for shortcut in SHORTCUTS.values():
        for keys in usual_sequences(shortcut.id):
            assert refusal(shortcut, first_keys(keys)) is None


@pytest.mark.allowed_log("in the settings for")
@pytest.mark.parametrize("bad", ["", "nonsense", "A", "Ctrl+C", "Ctrl+K, Ctrl+S", "Ctrl+N", "Ctrl"])
def test_keys_in_the_file_that_cannot_be_are_left_out(
    qapp: QApplication, bad: str, caplog: pytest.LogCaptureFixture
) -> None:
    put_in_force({"memory": (bad,), "settings": (bad, "F8")})
    assert texts("memory") == [each.toString() for each in usual_sequences("memory")]
    assert texts("settings") == ["F8"]
    assert "memory" in caplog.text


@pytest.mark.allowed_log("in the settings for")
def test_unknown_and_fixed_actions_in_the_file_change_nothing(qapp: QApplication) -> None:
    put_in_force({"fly": ("F8",), "stop": ("F9",)})
    assert texts("stop") == ["Esc"]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(CHANGEABLE), st.sampled_from(CHANGEABLE)), max_size=12))
def test_whatever_is_taken_from_whom_no_keys_have_two_meanings(pairs: list[tuple[str, str]]) -> None:
    use_own_keys({})
    own = {}
    for taker, giver in pairs:
        if not sequences(giver) or any(refusal(SHORTCUTS[taker], first_keys(each)) for each in sequences(giver)):
            continue
        own = with_keys(own, taker, sequences(giver))
        put_in_force(own)
        for one in SHORTCUTS.values():
            for other in SHORTCUTS.values():
                if one.id < other.id and share_place(one, other):
                    assert not set(texts(one.id)) & set(texts(other.id))
    for action in CHANGEABLE:
        own = with_keys(own, action, usual_sequences(action))
        put_in_force(own)
    assert not own


# -- in the window


def select(tree: QTreeWidget, shortcut_id: str) -> None:
    """Go to a row of the list."""
    for number in range(tree.topLevelItemCount()):
        top = tree.topLevelItem(number)
        for row in range(top.childCount() if top is not None else 0):
            item = top.child(row) if top is not None else None
            if item is not None and item.data(0, ID) == shortcut_id:
                tree.setCurrentItem(item)
                return
    raise AssertionError(f"{shortcut_id} is not listed")


async def asked_for_keys(world: WindowWorld, until: Until, shortcut_id: str) -> QDialog:
    """Open the list, and from it the dialog for the keys of an action."""
    if focused() not in ("shortcutSearch", "shortcutList"):
        press("shortcuts")
        await until(lambda: find(world, QLineEdit, "shortcutSearch").hasFocus())
    tree = find(world, QTreeWidget, "shortcutList")
    select(tree, shortcut_id)
    tree.setFocus()
    press_key(Qt.Key.Key_Return)
    await until(lambda: focused() == "keyRecorder")
    return find(world, QDialog, "keysDialog")


def part(dialog: QWidget, name: str) -> QPushButton:
    button = dialog.findChild(QPushButton, name)
    assert button is not None
    return button


def problem(dialog: QWidget) -> str:
    label = dialog.findChild(QLabel, "keysProblem")
    assert label is not None
    return label.accessibleName()


def record(keys: str) -> None:
    press_keys(first_keys(QKeySequence(keys)))


async def test_new_keys_are_pressed_and_everything_follows_at_once(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        await until(lambda: edit_of(world).hasFocus())
        await asked_for_keys(world, until, "new_chat")
        record("Ctrl+Shift+F7")
        press_key(Qt.Key.Key_Return)
        await until(lambda: focused() == "shortcutList")
        assert texts("new_chat") == ["Ctrl+Shift+F7"]
        current = find(world, QTreeWidget, "shortcutList").currentItem()
        assert current is not None
        assert "F7" in current.text(1), "the row stays where it was, with its new keys"
        press_key(Qt.Key.Key_Escape)
        await until(lambda: focused() == "messageEdit")
        button = find(world, QPushButton, "newChatButton")
        assert "F7" in button.toolTip()
        await world.presenter.open_thread(await world.add_thread("a question"))
        record("Ctrl+N")
        assert world.presenter.thread_id is not None, "the old keys do nothing"
        press("new_chat")
        assert world.presenter.thread_id is None
        assert SettingsStore(tmp_path / "settings.json").settings.shortcuts == {"new_chat": ("Ctrl+Shift+F7",)}
    async with window_world(qapp, tmp_path):
        assert texts("new_chat") == ["Ctrl+Shift+F7"], "after a start, too"


async def test_keys_of_another_action_are_taken_from_it_only_when_that_was_said(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        await until(lambda: edit_of(world).hasFocus())
        dialog = await asked_for_keys(world, until, "memory")
        record("Ctrl+B")
        assert "Show or hide the list of chats" in problem(dialog)
        assert part(dialog, "keysTake").text() == "Take it from there"
        press_key(Qt.Key.Key_Escape)
        await until(lambda: focused() == "shortcutList")
        assert texts("toggle_sidebar") == ["Ctrl+B"]
        dialog = await asked_for_keys(world, until, "memory")
        record("Ctrl+B")
        part(dialog, "keysTake").click()
        await until(lambda: focused() == "shortcutList")
        assert texts("memory") == ["Ctrl+B"]
        assert texts("toggle_sidebar") == []
        assert keys_of("toggle_sidebar") == ""
        dialog = await asked_for_keys(world, until, "toggle_sidebar")
        part(dialog, "keysUsual").click()
        assert "Memory" in problem(dialog)
        part(dialog, "keysTake").click()
        await until(lambda: focused() == "shortcutList")
        assert texts("toggle_sidebar") == ["Ctrl+B"]
        assert texts("memory") == []
        part(find(world, QDialog, "shortcutsDialog"), "shortcutsReset").click()
        assert world.settings.settings.shortcuts == {}
        assert texts("memory") == [each.toString() for each in usual_sequences("memory")]


async def test_keys_are_added_and_taken_away(qapp: QApplication, qloop: object, tmp_path: Path, until: Until) -> None:
    async with window_world(qapp, tmp_path) as world:
        await until(lambda: edit_of(world).hasFocus())
        dialog = await asked_for_keys(world, until, "memory")
        record("F8")
        beside = dialog.findChild(QWidget, "keysBeside")
        assert beside is not None
        QTest.mouseClick(beside, Qt.MouseButton.LeftButton)
        part(dialog, "keysTake").click()
        await until(lambda: focused() == "shortcutList")
        assert texts("memory") == ["Ctrl+Shift+M", "F8"]
        part(await asked_for_keys(world, until, "memory"), "keysRemove").click()
        await until(lambda: focused() == "shortcutList")
        assert texts("memory") == []


@pytest.mark.parametrize("keys", ["A", "Ctrl+C", "Backspace", "Shift+Tab"])
async def test_what_cannot_be_keys_is_said_and_not_taken(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until, keys: str
) -> None:
    async with window_world(qapp, tmp_path) as world:
        await until(lambda: edit_of(world).hasFocus())
        dialog = await asked_for_keys(world, until, "memory")
        record(keys)
        if keys == "Shift+Tab":
            assert focused() != "keyRecorder", "it leads on"
            return
        assert problem(dialog)
        press_key(Qt.Key.Key_Return)
        assert dialog.isVisible()
        assert not world.settings.settings.shortcuts


async def test_enter_may_begin_a_line_and_other_keys_send(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        await until(lambda: edit_of(world).hasFocus())
        choose(world, send=("Ctrl+Return",), new_line=("Return", "Shift+Return"))
        sent: list[str] = []
        world.presenter.window.composer.send_requested.connect(sent.append)
        edit = edit_of(world)
        await until(lambda: "Ctrl+Enter" in edit.placeholderText() or IS_MAC)
        QTest.keyClicks(edit, "one")
        press_key(Qt.Key.Key_Return)
        QTest.keyClicks(edit, "two")
        press_keys(QKeyCombination(Qt.KeyboardModifier.KeypadModifier, Qt.Key.Key_Enter))
        QTest.keyClicks(edit, "three")
        assert edit.toPlainText() == "one\ntwo\nthree"
        assert not sent
        press_keys(QKeyCombination(Qt.KeyboardModifier.ControlModifier, Qt.Key.Key_Return))
        assert sent == ["one\ntwo\nthree"]


async def test_the_list_of_chats_renames_and_deletes_by_the_chosen_keys(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        thread_id = await world.add_thread("a question")
        await until(lambda: world.presenter.window.sidebar.model.thread_count == 1)
        choose(world, rename=("Ctrl+Shift+F9",), delete_chat=("Ctrl+Shift+D",))
        await world.presenter.open_thread(thread_id)
        world.presenter.window.sidebar.list.setFocus()
        press_key(Qt.Key.Key_F2)
        assert focused() == "threadList"
        press_key(Qt.Key.Key_Delete)
        record("Ctrl+Shift+F9")
        assert focused() == "threadTitleEdit"
        press_key(Qt.Key.Key_Escape)
        world.presenter.window.sidebar.list.setFocus()
        record("Ctrl+Shift+D")
        await until(lambda: world.presenter.window.sidebar.model.get(thread_id) is None)


async def test_keys_may_change_by_what_they_do(qapp: QApplication, qloop: object, tmp_path: Path, until: Until) -> None:
    async with window_world(qapp, tmp_path) as world:
        await until(lambda: edit_of(world).hasFocus())
        done: list[str] = []

        def change() -> None:
            done.append(texts("switch_theme")[0])
            choose(world, switch_theme=("F8",) if done[-1] == "F7" else ("F7",))

        world.presenter.window.keys.add("switch_theme", change)
        choose(world, switch_theme=("F7",))
        for key in (Qt.Key.Key_F7, Qt.Key.Key_F8, Qt.Key.Key_F7, Qt.Key.Key_F7):
            press_key(key)
        assert done == ["F7", "F8", "F7"], "the keys that it had before do nothing any more"


@pytest.mark.allowed_log("the keys could not be written")
async def test_a_full_disk_leaves_the_keys_as_they_were(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with window_world(qapp, tmp_path) as world:
        await until(lambda: edit_of(world).hasFocus())

        def fail(_settings: object) -> None:
            raise OSError(28, "No space left on device")

        dialog = await asked_for_keys(world, until, "memory")
        monkeypatch.setattr(world.settings, "update", fail)
        record("F8")
        part(dialog, "keysTake").click()
        await until(lambda: len(world.errors) == 1)
        assert texts("memory") == ["Ctrl+Shift+M"]
