"""The palette in the real window: chats and actions by what is typed, by keys and mouse, and never by an input method's Enter."""

from collections.abc import Callable, Coroutine
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from desktop.conversation.lists import Place
from desktop.core.errors import StorageError
from desktop.core.settings import Theme
from desktop.ui.palette.panel import PalettePanel
from desktop.ui.palette.presenter import PalettePresenter
from desktop.ui.shortcuts import SHORTCUTS
from tests.gui.test_keyboard import edit_of, focused, press, press_key
from tests.support.settings_world import set_appearance
from tests.support.window_world import WindowWorld, window_world

Until = Callable[..., Coroutine[Any, Any, None]]
TITLES = ("Plan for the release 发布计划", "天气预报怎么看", "Fix the parser", "读书笔记：三体")


def palette_of(world: WindowWorld) -> PalettePresenter:
    return world.presenter.features.keyboard.palette


def panel_of(world: WindowWorld) -> PalettePanel:
    return palette_of(world).panel


def shown(world: WindowWorld) -> list[str]:
    """The texts of the rows that can be chosen."""
    return [row.text for row in panel_of(world).rows if row.act is not None]


def chats(world: WindowWorld) -> list[str]:
    return [row.text for row in panel_of(world).rows if row.id.startswith("chat:")]


def current(world: WindowWorld) -> str:
    row = panel_of(world).current
    return row.text if row is not None else ""


async def with_chats(world: WindowWorld, until: Until, *titles: str) -> list[str]:
    ids = [await world.add_thread(f"question {title}", title=title) for title in titles or TITLES]
    await until(lambda: edit_of(world).hasFocus())
    return ids


def commit(field: QWidget, text: str) -> None:
    """What an input method does at its end."""
    event = QInputMethodEvent("", [])
    event.setCommitString(text)
    QApplication.sendEvent(field, event)


async def opened(world: WindowWorld, until: Until, keys: str = "palette", text: str = "") -> None:
    """Open it by its keys and type; the rows for that are there."""
    press(keys)
    assert focused() == "paletteField"
    for character in text:
        if character.isascii():
            QTest.keyClicks(panel_of(world).field, character)
        else:
            commit(panel_of(world).field, character)
    await until(lambda: bool(panel_of(world).rows) and not palette_of(world).is_searching)


async def test_a_chat_is_found_by_its_title_and_opened(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        ids = await with_chats(world, until)
        for typed, place in (("parser", 2), ("书", 3), ("计划", 0), ("气怎么", 1), ("rel", 0)):
            await opened(world, until, text=typed)
            assert chats(world) == [TITLES[place]]
            press_key(Qt.Key.Key_Return)
            assert not palette_of(world).is_open
            assert world.presenter.thread_id == ids[place]
            assert focused() == "messageEdit"


async def test_a_chat_says_in_which_folder_it_is_or_that_it_is_archived(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        plain, filed, put_away = await with_chats(world, until, "heron one", "heron two", "heron three")
        folder = await world.store.lists.create_folder("Birds of the north")
        await world.store.lists.set_places(
            {filed: Place(folder_id=folder.id), put_away: Place(archived_at=datetime.now(UTC))}
        )
        for keys in ("palette", "go_to_chat"):
            await opened(world, until, keys, text="heron")
            places = {row.id.removeprefix("chat:"): row.place for row in panel_of(world).rows if row.act is not None}
            assert [places[each] for each in (plain, filed, put_away)] == ["", "Birds of the north", "Archived"]
            spoken = [
                panel_of(world).list.item(at).data(Qt.ItemDataRole.AccessibleTextRole)
                for at, row in enumerate(panel_of(world).rows)
                if row.id == f"chat:{filed}"
            ]
            assert spoken[0].startswith("heron two. Birds of the north. ")
            press_key(Qt.Key.Key_Escape)


async def test_without_anything_typed_the_last_chats_stand_first_and_enter_goes_back_to_the_one_before(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        await with_chats(world, until)
        await opened(world, until)
        assert chats(world) == list(reversed(TITLES)), "newest first"
        assert current(world) == TITLES[3]
        press_key(Qt.Key.Key_Return)
        await opened(world, until, "go_to_chat", "plan")
        press_key(Qt.Key.Key_Return)
        for expected in (TITLES[3], TITLES[0]):
            await opened(world, until, "go_to_chat")
            assert current(world) == expected, "there and back"
            press_key(Qt.Key.Key_Return)


async def test_actions_are_found_in_the_language_shown_and_in_english(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        await with_chats(world, until)
        set_appearance(world, language="zh_CN")
        for typed, expected in (
            ("设置", "settings"),
            ("sett", "settings"),
            ("新对", "new_chat"),
            ("incognito", "temporary_chat"),
        ):
            await opened(world, until, "run_action", typed)
            row = panel_of(world).current
            assert row is not None
            assert row.id == f"action:{expected}", typed
            press_key(Qt.Key.Key_Escape)
        await opened(world, until, text="> 设置")
        assert not chats(world)


async def test_an_action_is_done_and_stands_first_the_next_time(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        await until(lambda: edit_of(world).hasFocus())
        sidebar = world.presenter.window.sidebar
        assert sidebar.isVisible()
        await opened(world, until, "run_action", "hide the list")
        press_key(Qt.Key.Key_Return)
        assert not sidebar.isVisible()
        assert focused() == "messageEdit"
        await opened(world, until, "run_action")
        assert current(world) == "Show or hide the list of chats"
        press_key(Qt.Key.Key_Return)
        assert sidebar.isVisible()
        assert world.presenter.window.state().recent_actions == ("toggle_sidebar",)
    async with window_world(qapp, tmp_path) as world:
        await until(lambda: edit_of(world).hasFocus())
        await opened(world, until, "run_action")
        assert current(world) == "Show or hide the list of chats", "also after a start"


async def test_what_makes_no_sense_now_is_not_offered(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        ids = await with_chats(world, until)
        needing = {each.id for each in SHORTCUTS.values() if each.needs_chat}
        assert len(needing) > 8

        def offered() -> set[str]:
            return {row.id.removeprefix("action:") for row in panel_of(world).rows}

        await opened(world, until, "run_action")
        assert not needing & offered()
        assert "undo" not in offered()
        press_key(Qt.Key.Key_Escape)
        await world.presenter.open_thread(ids[0])
        await opened(world, until, "run_action")
        assert {each for each in needing if world.presenter.window.keys.can(each)} <= offered()


async def test_settings_pages_and_looks_can_be_gone_to(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        await until(lambda: edit_of(world).hasFocus())
        await opened(world, until, "run_action", "theme dark")
        press_key(Qt.Key.Key_Return)
        assert world.settings.settings.appearance.theme is Theme.DARK
        await opened(world, until, "run_action", "tool servers")
        assert "Settings: Tool servers" in shown(world)
        while current(world) != "Settings: Tool servers":
            press_key(Qt.Key.Key_Down)
        press_key(Qt.Key.Key_Return)
        assert world.presenter.settings_window is not None
        assert world.presenter.settings_window.page_key == "servers"


async def test_keys_move_through_the_rows_and_never_to_a_heading(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        await with_chats(world, until)
        await opened(world, until)
        rows = shown(world)
        for key, place in (
            (Qt.Key.Key_Down, 1),
            (Qt.Key.Key_Up, 0),
            (Qt.Key.Key_Up, len(rows) - 1),
            (Qt.Key.Key_Down, 0),
            (Qt.Key.Key_Tab, 1),
            (Qt.Key.Key_Backtab, 0),
        ):
            press_key(key)
            assert current(world) == rows[place]
            assert focused() == "paletteField"
        seen = 0
        for _ in range(40):
            press_key(Qt.Key.Key_PageDown)
            assert current(world) in rows[seen:]
            seen = rows.index(current(world))
        assert seen == len(rows) - 1
        for _ in range(40):
            press_key(Qt.Key.Key_PageUp)
        assert current(world) == rows[0]


async def test_escape_and_a_click_beside_it_close_it_and_give_the_focus_back(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        await with_chats(world, until)
        world.presenter.window.sidebar.list.setFocus()
        press("palette")
        press_key(Qt.Key.Key_Escape)
        assert focused() == "threadList"
        press("palette")
        press("palette")
        assert focused() == "threadList", "the same keys once more close it"
        press("palette")
        QTest.mouseClick(panel_of(world), Qt.MouseButton.LeftButton, pos=QPoint(3, panel_of(world).height() - 3))
        assert not palette_of(world).is_open
        assert focused() == "threadList"
        press("palette")
        edit_of(world).setFocus()
        assert not palette_of(world).is_open, "whoever goes elsewhere has left it"
        assert focused() == "messageEdit"


async def test_a_click_on_a_row_acts(qapp: QApplication, qloop: object, tmp_path: Path, until: Until) -> None:
    async with window_world(qapp, tmp_path) as world:
        ids = await with_chats(world, until)
        await opened(world, until, text="parser")
        view = panel_of(world).list
        place = next(place for place, row in enumerate(panel_of(world).rows) if row.id.startswith("chat:"))
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualItemRect(view.item(place)).center())
        assert world.presenter.thread_id == ids[2]


async def test_enter_of_a_composition_runs_nothing(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        await with_chats(world, until)
        await opened(world, until)
        field = panel_of(world).field
        QApplication.sendEvent(field, QInputMethodEvent("tian qi", []))
        for key in (Qt.Key.Key_Return, Qt.Key.Key_Escape):
            press_key(key)
            assert palette_of(world).is_open
        commit(field, "天气")
        press_key(Qt.Key.Key_Return)  # some input methods pass theirs on
        assert palette_of(world).is_open
        assert world.presenter.thread_id is None
        await until(lambda: chats(world) == [TITLES[1]] and not field.is_composing)
        press_key(Qt.Key.Key_Return)
        assert world.presenter.thread_id is not None


async def test_enter_acts_on_what_is_typed_also_before_the_store_has_answered(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        ids = await with_chats(world, until)
        press("palette")
        QTest.keyClicks(panel_of(world).field, "parser")
        press_key(Qt.Key.Key_Return)
        await until(lambda: world.presenter.thread_id == ids[2])
        assert not palette_of(world).is_open


async def test_a_search_through_all_messages_is_the_way_on(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        await with_chats(world, until)
        await opened(world, until, text="nothing is called this")
        assert shown(world) == ["Search all messages for “nothing is called this”"]
        press_key(Qt.Key.Key_Return)
        assert world.presenter.window.sidebar.search_text == "nothing is called this"
        assert focused() == "searchEdit"


async def test_other_keys_of_the_window_close_it_and_do_what_they_do(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        ids = await with_chats(world, until)
        await world.presenter.open_thread(ids[0])
        await opened(world, until)
        press("new_chat")
        assert not palette_of(world).is_open
        assert world.presenter.thread_id is None


@pytest.mark.parametrize("keys", ["palette", "go_to_chat"])
async def test_a_store_that_fails_leaves_the_actions(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until, monkeypatch: pytest.MonkeyPatch, keys: str
) -> None:
    async with window_world(qapp, tmp_path) as world:
        await until(lambda: edit_of(world).hasFocus())

        async def fail(query: str, *, limit: int = 50) -> None:
            raise StorageError("storage.failed", detail="broken")

        monkeypatch.setattr(world.store.titles, "find", fail)
        press(keys)
        await until(lambda: bool(world.errors))
        assert palette_of(world).is_open
        assert ("New chat" in shown(world)) is (keys == "palette")
        press_key(Qt.Key.Key_Escape)


async def test_it_can_be_heard(qapp: QApplication, qloop: object, tmp_path: Path, until: Until) -> None:
    async with window_world(qapp, tmp_path) as world:
        await with_chats(world, until)
        await opened(world, until)
        panel = panel_of(world)
        for name in ("paletteField", "paletteList", "palettePanel"):
            widget = panel.findChild(QWidget, name)
            assert widget is not None
            assert widget.accessibleName()
        said = [panel.list.item(place).data(Qt.ItemDataRole.AccessibleTextRole) for place in range(panel.list.count())]
        assert any("New chat" in each and "N" in each.split(". ")[-1] for each in said), "with its keys"


@pytest.mark.parametrize("width", [700, 1240])
@pytest.mark.parametrize("font_size", [10.0, 24.0])
async def test_it_lies_within_the_window_and_its_current_row_in_sight(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until, width: int, font_size: float
) -> None:
    async with window_world(qapp, tmp_path) as world:
        await with_chats(world, until, *(f"A chat with a long title, number {number}" * 3 for number in range(8)))
        set_appearance(world, font_size=font_size)
        world.presenter.window.resize(width, 500)
        await opened(world, until)
        panel = panel_of(world)
        frame = panel.findChild(QWidget, "palettePanel")
        assert frame is not None
        assert panel.rect().contains(frame.geometry())
        for _ in range(30):
            press_key(Qt.Key.Key_Down)
            place = panel.list.visualItemRect(panel.list.currentItem())
            assert panel.list.viewport().rect().contains(place.center())
