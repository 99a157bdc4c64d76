"""The window without a mouse: the table of shortcuts, what each does, the order of Tab, and where the focus goes back to."""

import asyncio
import dataclasses
from collections import Counter
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest
from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QMenu, QPlainTextEdit, QTreeWidget, QWidget

from desktop.core.errors import StorageError
from desktop.core.settings import FONT_SIZES, EndpointSettings
from desktop.ui.dialogs.confirm import confirm
from desktop.ui.dialogs.dialog_prompts import DialogPrompts
from desktop.ui.key_names import MEDIA_KEYS, first_keys
from desktop.ui.shortcuts import SHORTCUTS, Place, keys_of, sequences
from tests.support.dialog_world import approval
from tests.support.scripted_model import said
from tests.support.settings_world import open_settings
from tests.support.window_world import WindowWorld, window_world

W = TypeVar("W", bound=QWidget)
Until = Callable[..., Coroutine[Any, Any, None]]


def find(world: WindowWorld, kind: type[W], name: str) -> W:
    widget = world.presenter.window.findChild(kind, name)
    assert widget is not None, f"no {kind.__name__} {name}"
    return widget


def edit_of(world: WindowWorld) -> QPlainTextEdit:
    return find(world, QPlainTextEdit, "messageEdit")


def press(shortcut_id: str, number: int = 0) -> None:
    """Press the keys of an action where the focus is."""
    press_keys(first_keys(sequences(shortcut_id)[number]))


def press_keys(keys: QKeyCombination) -> None:
    target = QApplication.focusWidget() or QApplication.activeWindow()
    assert target is not None
    QTest.keyClick(target, keys.key(), keys.keyboardModifiers())


def press_key(key: Qt.Key) -> None:
    """Press a key without modifiers where the focus is."""
    press_keys(QKeyCombination(key))


def focused() -> str:
    """The object name of what has the focus."""
    widget = QApplication.focusWidget()
    return widget.objectName() if widget is not None else ""


async def two_threads(world: WindowWorld, until: Until) -> tuple[str, str]:
    """An older and a newer thread; the newer stands above."""
    older, newer = await world.add_thread("older question"), await world.add_thread("newer question")
    await until(lambda: world.presenter.window.sidebar.model.thread_count == 2)
    await until(lambda: edit_of(world).hasFocus())
    return older, newer


# -- the table


def test_no_keys_have_two_meanings_in_one_place(qapp: QApplication) -> None:
    places: dict[str, list[Place]] = {}
    for shortcut in SHORTCUTS.values():
        for sequence in sequences(shortcut.id):
            places.setdefault(sequence.toString(), []).append(shortcut.place)
    for keys, used in places.items():
        assert max(Counter(used).values()) == 1, keys
        assert Place.WINDOW not in used or used == [Place.WINDOW], f"{keys} counts everywhere and somewhere"


def test_every_action_has_a_name_and_keys_or_can_be_given_some(qapp: QApplication) -> None:
    for shortcut in SHORTCUTS.values():
        assert shortcut.name
        assert keys_of(shortcut.id) or not shortcut.is_fixed, shortcut.id
    assert sum(bool(keys_of(each)) for each in SHORTCUTS) > 40


async def test_no_shortcut_of_the_window_is_ambiguous(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path) as world:
        everywhere = [
            keys
            for shortcut in world.presenter.window.findChildren(QShortcut)
            if shortcut.context() == Qt.ShortcutContext.WindowShortcut
            for keys in map(QKeySequence.toString, shortcut.keys())
        ]
        assert len(everywhere) > 20
        assert [keys for keys, count in Counter(everywhere).items() if count > 1] == []


# -- what they do

WITH_THE_FOCUS = frozenset(each.id for each in SHORTCUTS.values() if each.place is not Place.WINDOW) - {"undo"}
"""What the lists and the message field carry out themselves."""


def _keys_for_all() -> dict[str, tuple[str, ...]]:
    """Other keys for every action that can have others, each its own."""
    changeable = [each.id for each in SHORTCUTS.values() if not each.is_fixed]
    modifiers = ("Ctrl+Shift+", "Ctrl+", "Shift+")
    keys = [f"{with_these}F{number}" for with_these in modifiers for number in range(11, 36)]
    return dict(zip(changeable, ((each,) for each in keys), strict=False))


@pytest.mark.parametrize("are_changed", [False, True])
async def test_each_action_is_carried_out_by_each_of_its_keys_and_no_other(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until, are_changed: bool
) -> None:
    async with window_world(qapp, tmp_path) as world:
        await until(lambda: edit_of(world).hasFocus())
        window, done = world.presenter.window, list[str]()
        if are_changed:
            own = _keys_for_all()
            world.settings.update(dataclasses.replace(world.settings.settings, shortcuts=own))
        missing = [each for each in SHORTCUTS if each not in WITH_THE_FOCUS and not window.keys.can(each)]
        assert missing == [], "in the table, but nobody does it"
        window.keys.used.connect(done.append)
        for shortcut_id in SHORTCUTS:
            if shortcut_id in WITH_THE_FOCUS:
                continue
            window.keys.add(shortcut_id, lambda: None)
            assert not are_changed or sequences(shortcut_id), shortcut_id
            for number, sequence in enumerate(sequences(shortcut_id)):
                if first_keys(sequence).key() >= MEDIA_KEYS:
                    continue  # there are none on most keyboards
                done.clear()
                press(shortcut_id, number)
                assert done == [shortcut_id], sequence.toString()


async def test_chats_are_stepped_through_and_the_text_field_keeps_the_focus(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        older, newer = await two_threads(world, until)
        for shortcut_id, expected in (
            ("next_chat", newer),
            ("next_chat", older),
            ("next_chat", older),
            ("previous_chat", newer),
            ("new_chat", None),
            ("previous_chat", older),
        ):
            press(shortcut_id)
            assert world.presenter.thread_id == expected
            assert focused() == "messageEdit"
        press("next_chat", 1)
        press("previous_chat", 1)
        assert world.presenter.thread_id == newer


async def test_escape_and_ctrl_l_lead_back_to_the_message_field_from_everywhere(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        await two_threads(world, until)
        press("next_chat")
        await until(lambda: world.presenter.window.transcript.message_count == 2)
        press("search")
        assert focused() == "searchEdit"
        press("focus_message")
        assert focused() == "messageEdit"
        for go, name in (
            (lambda: press("search"), "searchEdit"),
            (lambda: press("focus_transcript"), "transcript"),
            (lambda: find(world, QWidget, "threadList").setFocus(), "threadList"),
            (lambda: find(world, QWidget, "newChatButton").setFocus(), "newChatButton"),
        ):
            go()
            assert focused() == name
            press_key(Qt.Key.Key_Escape)
            assert focused() == "messageEdit", f"Escape in {name}"


async def test_f6_goes_around_the_parts_of_the_window(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        await two_threads(world, until)
        press("next_chat")
        await until(lambda: world.presenter.window.transcript.message_count == 2)
        world.presenter.show_error(StorageError("storage.full", path="/data"))
        there = ["messageEdit"]
        for _ in range(5):
            press("next_part")
            there.append(focused())
        assert there == ["messageEdit", "threadList", "threadTitle", "noticeAction-0", "transcript", "messageEdit"]
        back = ["messageEdit"]
        for _ in range(5):
            press("previous_part")
            back.append(focused())
        assert back == there[::-1]


async def test_the_last_answer_is_copied_from_anywhere(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        await two_threads(world, until)
        press("next_chat")
        QGuiApplication.clipboard().setText("before")
        press("copy_answer")
        await until(lambda: QGuiApplication.clipboard().text() == "Answer to: newer question")
        assert world.presenter.window.toast.isVisible()


async def test_the_text_grows_shrinks_and_goes_back_and_that_is_kept(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        await until(lambda: edit_of(world).hasFocus())

        def sizes() -> tuple[float, float]:
            appearance = world.settings.settings.appearance
            return appearance.font_size, appearance.code_font_size

        press("larger_text")
        press("larger_text")
        assert sizes() == (12.0, 11.5)
        assert world.theme.ui_font().pointSizeF() == 12.0
        press("smaller_text")
        assert sizes() == (11.0, 10.5)
        for bound, shortcut_id in ((FONT_SIZES[1], "larger_text"), (FONT_SIZES[0], "smaller_text")):
            settings = world.settings.settings
            near = dataclasses.replace(settings.appearance, font_size=(2 * bound + 10) / 3)
            world.settings.update(dataclasses.replace(settings, appearance=near))
            for _ in range(6):
                press(shortcut_id)
            assert sizes()[0] == bound
        press("normal_text")
        assert sizes() == (10.0, 9.5)


async def test_the_list_of_shortcuts_can_be_searched_and_gives_the_focus_back(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        await until(lambda: edit_of(world).hasFocus())
        press("shortcuts")
        await until(lambda: find(world, QLineEdit, "shortcutSearch").hasFocus())
        tree = find(world, QTreeWidget, "shortcutList")

        def listed() -> list[str]:
            tops = [tree.topLevelItem(number) for number in range(tree.topLevelItemCount())]
            rows = [top.child(row) for top in tops if top is not None for row in range(top.childCount())]
            return [row.text(0) for row in rows if row is not None and not row.isHidden()]

        assert len(listed()) == len(SHORTCUTS)
        QTest.keyClicks(find(world, QLineEdit, "shortcutSearch"), "sidebar elephant")
        assert listed() == []
        find(world, QLineEdit, "shortcutSearch").clear()
        QTest.keyClicks(find(world, QLineEdit, "shortcutSearch"), "ctrl+b")
        assert listed() == ["Show or hide the list of chats"]
        QTest.keyClick(find(world, QLineEdit, "shortcutSearch"), Qt.Key.Key_Escape)
        await until(lambda: focused() == "messageEdit")


async def test_the_menu_leads_to_the_shortcuts_and_to_what_this_is(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        menu = find(world, QMenu, "mainMenu")
        entries = {action.objectName(): action for action in menu.actions()}
        assert [entries[name].text() for name in ("showShortcuts", "showAbout")] == [
            "Keyboard shortcuts",
            "About Threadwell",
        ]
        entries["showShortcuts"].trigger()
        sheet = find(world, QDialog, "shortcutsDialog")
        assert sheet.isVisible()
        sheet.reject()
        entries["showAbout"].trigger()
        assert world.presenter.settings_window is not None
        assert world.presenter.settings_window.page_key == "about"


async def test_undo_outside_the_text_and_with_an_empty_field_brings_a_chat_back(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        older, _ = await two_threads(world, until)
        world.presenter.sidebar.delete([older])
        await until(world.presenter.window.toast.isVisible)
        assert focused() == "messageEdit"
        press("undo")
        await until(lambda: world.presenter.window.sidebar.model.get(older) is not None)
        world.presenter.sidebar.delete([older])
        await until(world.presenter.window.toast.isVisible)
        world.presenter.window.focus_search()
        press("undo")
        await until(lambda: world.presenter.window.sidebar.model.get(older) is not None)


# -- Tab


async def test_tab_goes_through_the_whole_window_in_reading_order_and_comes_around(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        await two_threads(world, until)
        press("next_chat")
        await until(lambda: world.presenter.window.transcript.message_count == 2)
        world.presenter.show_error(StorageError("storage.full", path="/data"))
        edit_of(world).insertPlainText("so that Send is enabled")
        await until(lambda: world.presenter.window.findChild(QWidget, "copy-answer") is not None)
        forward = _stops(Qt.Key.Key_Tab)
        assert forward[0] == "messageEdit"
        _in_order(
            forward,
            *("sendButton", "newChatButton", "searchEdit", "threadList", "settingsButton", "trashButton", "menuButton"),
            *("sidebarToggle", "threadTitle", "serversButton", "noticeAction-0", "noticeAction-1", "noticeClose"),
            *("transcript", "copy-answer"),
        )
        backward = _stops(Qt.Key.Key_Backtab)
        assert backward[1:] == forward[1:][::-1]
        for name in forward:
            widget = find(world, QWidget, name)
            assert widget.accessibleName(), f"{name} has no name"


def _stops(key: Qt.Key) -> list[str]:
    """The names of what Tab stops at until it comes around."""
    names = [focused()]
    for _ in range(60):
        press_key(key)
        if focused() == names[0]:
            return names
        names.append(focused())
    raise AssertionError(f"Tab does not come around: {names}")


def _in_order(names: list[str], *expected: str) -> None:
    assert [name for name in names if name in expected] == list(expected)


# -- where the focus goes back to


async def test_renaming_and_dialogs_give_the_focus_back(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        await two_threads(world, until)
        press("next_chat")
        for key in (Qt.Key.Key_Escape, Qt.Key.Key_Return):
            press("rename")
            assert focused() == "headerTitleEdit"
            press_key(key)
            assert focused() == "messageEdit"
        answer = asyncio.ensure_future(
            confirm(world.presenter.window, title="Sure?", text="Really?", confirm_label="Yes")
        )
        await until(lambda: focused() == "confirm_no")
        press_key(Qt.Key.Key_Escape)
        assert not await answer
        await until(lambda: focused() == "messageEdit")


@pytest.mark.parametrize(
    ("page", "opens", "key", "dialog"),
    [
        ("servers", "addServer", Qt.Key.Key_Space, "serverForm"),
        ("servers", "pasteServers", Qt.Key.Key_Space, "serverForm"),
        ("models", "addEndpoint", Qt.Key.Key_Space, "addEndpointDialog"),
        ("models", "endpointEdit", Qt.Key.Key_Space, "editEndpointDialog"),
        ("assistant", "chooseWorkspace", Qt.Key.Key_Space, "workspaceDialog"),
        ("about", "packageList", Qt.Key.Key_Return, "licenceDialog"),
        ("", "messageEdit", None, "threadOptions"),
    ],
)
async def test_a_dialog_gives_the_focus_back_to_what_opened_it(
    qapp: QApplication,
    qloop: object,
    tmp_path: Path,
    until: Until,
    page: str,
    opens: str,
    key: Qt.Key | None,
    dialog: str,
) -> None:
    async with window_world(qapp, tmp_path) as world:
        window: QWidget = world.presenter.window
        endpoint = EndpointSettings(id="local", name="Local", base_url="http://127.0.0.1:9/v1", model="m")
        world.settings.update(dataclasses.replace(world.settings.settings, endpoints=(endpoint,)))
        await until(lambda: edit_of(world).hasFocus())
        if page:
            world.presenter.open_settings(page)
            window = open_settings(world)
            await until(window.isActiveWindow)
        opener = next(each for each in window.findChildren(QWidget, opens) if each.isVisible())
        if isinstance(opener, QTreeWidget):
            await until(lambda: opener.topLevelItemCount() > 1)  # they are read in a thread
        opener.setFocus()
        await until(lambda: focused() == opens)
        if key is None:
            press("chat_options")
        else:
            press_key(key)
        await until(lambda: (top := QApplication.activeWindow()) is not None and top.objectName() == dialog)
        opened = QApplication.activeWindow()
        assert opened is not None
        QTest.keyClick(opened, Qt.Key.Key_Escape)
        await until(lambda: QApplication.activeWindow() is window)
        assert focused() == opens


async def test_closing_notices_by_keys_ends_in_the_message_field(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        await until(lambda: edit_of(world).hasFocus())
        notices = world.presenter.window.notices
        for number in range(3):
            world.presenter.show_notice(f"Title {number}", "detail")
        QTest.keyClick(edit_of(world), Qt.Key.Key_Escape)
        assert notices.titles == ["Title 0", "Title 1"], "Escape with nothing else to do closes the newest"
        notices.focus_first(Qt.FocusReason.TabFocusReason)
        assert focused() == "noticeClose"
        press_key(Qt.Key.Key_Escape)
        assert notices.titles == ["Title 0"]
        assert focused() == "noticeClose"
        press_key(Qt.Key.Key_Space)
        assert notices.titles == []
        assert focused() == "messageEdit"


@pytest.mark.parametrize("typed", ["yes\n", " ", "\n\n", "o"])
async def test_what_is_typed_while_a_question_opens_answers_nothing_and_is_not_lost(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until, typed: str
) -> None:
    async with window_world(qapp, tmp_path, said("never")) as world:
        await until(lambda: edit_of(world).hasFocus())
        edit = edit_of(world)
        QTest.keyClicks(edit, "half a sentence")
        for _ in range(4):
            QTest.keyClick(edit, Qt.Key.Key_Left)
        prompts = DialogPrompts(lambda: world.presenter.window, world.theme, arming_delay_ms=60_000)
        answer = asyncio.ensure_future(prompts.approve(approval({"command": "ls"})))
        await until(lambda: isinstance(QApplication.activeWindow(), QDialog))
        for character in typed:
            target = QApplication.focusWidget()
            assert target is not None
            if character == "\n":
                press_key(Qt.Key.Key_Return)
            else:
                QTest.keyClicks(target, character)
        assert not answer.done()
        prompts.refuse_all()
        await answer
        await until(lambda: focused() == "messageEdit")
        assert edit.toPlainText() == "half a sentence"
        assert edit.textCursor().position() == len("half a sentence") - 4
