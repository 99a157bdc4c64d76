"""The settings window: one instance, navigation, search, errors, Undo, focus, and its end."""

import dataclasses
import json
import subprocess
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPushButton, QToolButton, QWidget

from desktop.core.paths import resources_folder
from desktop.core.settings import SettingsStore, Theme
from desktop.ui.controls import is_on
from desktop.ui.settings.window import SettingsWindow
from tests.support.settings_world import open_settings
from tests.support.window_world import WindowWorld, window_world

W = TypeVar("W", bound=QWidget)
Until = Callable[..., Coroutine[Any, Any, None]]


def find(window: QWidget, kind: type[W], name: str) -> W:
    widget = window.findChild(kind, name)
    assert widget is not None, f"no {kind.__name__} {name}"
    return widget


def click(widget: QWidget) -> None:
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, widget.rect().center())


def listed(window: SettingsWindow) -> list[str]:
    """The titles in the navigation that are shown."""
    items = [window.navigation.item(number) for number in range(window.navigation.count())]
    return [item.text() for item in items if not item.isHidden()]


async def opened(world: WindowWorld, until: Until, page: str = "") -> SettingsWindow:
    """The window with this page, in front, so that keys reach it."""
    world.presenter.open_settings(page)
    window = open_settings(world)
    await until(window.isActiveWindow)
    return window


def store_on_disk(world: WindowWorld) -> SettingsStore:
    """What a new start would read."""
    return SettingsStore(world.data_dir / "settings.json")


async def test_the_button_and_the_keys_open_one_window(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        main = world.presenter.window
        click(find(main, QToolButton, "settingsButton"))
        window = open_settings(world)
        assert window.isVisible()
        assert not window.isModal()
        window.close()
        assert not window.isVisible()
        await until(main.isActiveWindow)
        QTest.keyClick(main, Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier)
        assert window.isVisible()
        world.presenter.open_settings("about")
        assert open_settings(world) is window
        assert window.page_key == "about"
        tops = [widget for widget in QApplication.topLevelWidgets() if isinstance(widget, SettingsWindow)]
        assert tops == [window]


async def test_pages_are_made_when_they_are_needed(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        window = await opened(world, until, "language")
        pages = [child.objectName() for child in window.findChildren(QWidget) if "settingsPage-" in child.objectName()]
        assert pages == ["settingsPage-language"]


async def test_arrows_and_ctrl_tab_go_through_the_pages(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        window = await opened(world, until, "assistant")
        order = window.page_keys()
        place = order.index("assistant")
        QTest.keyClick(window.navigation, Qt.Key.Key_Down)
        assert window.page_key == order[place + 1]
        QTest.keyClick(window.navigation, Qt.Key.Key_Up)
        assert window.page_key == "assistant"
        seen = []
        for _ in order:
            QTest.keyClick(window, Qt.Key.Key_Tab, Qt.KeyboardModifier.ControlModifier)
            seen.append(window.page_key)
        assert seen == [*order[place + 1 :], *order[: place + 1]]
        QTest.keyClick(window, Qt.Key.Key_Tab, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
        assert window.page_key == order[place - 1]


async def test_a_walk_by_keyboard_reaches_a_setting_and_changes_it(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        main = world.presenter.window
        await until(main.isActiveWindow)
        QTest.keyClick(main, Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier)
        window = open_settings(world)
        await until(window.navigation.hasFocus)
        while window.page_key != "appearance":
            QTest.keyClick(window.navigation, Qt.Key.Key_Down)
        QTest.keyClick(window.navigation, Qt.Key.Key_Return)
        focused = QApplication.focusWidget()
        assert focused is not None
        assert focused.objectName() == "theme-system"
        QTest.keyClick(focused, Qt.Key.Key_Right)
        assert store_on_disk(world).settings.appearance.theme is Theme.LIGHT
        names: list[str] = []
        for _ in range(40):
            QTest.keyClick(focused, Qt.Key.Key_Tab)
            focused = QApplication.focusWidget()
            assert focused is not None
            names.append(focused.objectName())
            if names[-1] == "settingsSearch":
                break
        wanted = [
            "accent-indigo",
            "fontSize",
            "codeFontSize",
            "density-comfortable",
            "textWidthPreset-760",
            "textWidth",
        ]
        wanted += ["reduceMotion", "notify", "reset-appearance"]
        assert [name for name in names if name in wanted] == wanted, " ".join(names)


async def test_focus_returns_to_where_it_was(qapp: QApplication, qloop: object, tmp_path: Path, until: Until) -> None:
    async with window_world(qapp, tmp_path) as world:
        main = world.presenter.window
        search = find(main, QLineEdit, "searchEdit")
        search.setFocus()
        window = await opened(world, until)
        QTest.keyClick(window, Qt.Key.Key_Escape)
        assert not window.isVisible()
        await until(search.hasFocus)


async def test_search_narrows_marks_counts_and_opens_the_first_match(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        window = await opened(world, until, "about")
        QTest.keyClick(window, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
        assert window.search.hasFocus()
        QTest.keyClicks(window.search, "randomness")
        assert listed(window) == ["Assistant"]
        assert window.page_key == "assistant"
        page = window.page("assistant")
        marked = [row for section in page.sections for row in section.rows if row.property("marked")]
        assert [row.control.objectName() for row in marked] == ["temperature"]
        item = window.navigation.currentItem()
        assert item is not None
        assert str(item.data(Qt.ItemDataRole.AccessibleTextRole)).startswith("Assistant, 1 ")
        QTest.keyClick(window.search, Qt.Key.Key_Return)
        await until(find(window, QWidget, "temperature-switch").hasFocus)


async def test_a_match_further_down_is_scrolled_to(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        window = await opened(world, until, "appearance")
        window.resize(680, 480)
        window.search.setText("notifications another window")
        switch = find(window, QWidget, "notify")
        page = window.page("appearance")
        await until(lambda: not switch.visibleRegion().isEmpty())
        assert page.verticalScrollBar().value() > 0


async def test_nothing_found_says_so_and_escape_clears_then_closes(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        window = await opened(world, until, "data")
        window.search.setText("zzz<b>q")
        assert listed(window) == []
        nothing = find(window, QWidget, "settingsNothingFound")
        assert nothing.isVisible()
        texts = [label.text() for label in nothing.findChildren(QLabel)]
        assert "Nothing found for “zzz<b>q”" in texts
        QTest.keyClick(window, Qt.Key.Key_Escape)
        assert window.search.text() == ""
        assert window.isVisible()
        assert window.page_key == "data"
        assert len(listed(window)) == len(window.page_keys())
        QTest.keyClick(window, Qt.Key.Key_Escape)
        assert not window.isVisible()


async def test_a_page_found_by_its_title_is_listed(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        window = await opened(world, until, "data")
        window.search.setText("appearance")
        assert listed(window) == ["Appearance", "Keyboard"], "and the page with the key that switches it"
        assert window.page_key == "appearance"


@pytest.mark.expected_log("settings could not be written")
async def test_what_cannot_be_written_is_said_in_the_window_and_undone(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with window_world(qapp, tmp_path) as world:
        window = await opened(world, until, "appearance")

        def refuse(settings: object) -> None:
            raise OSError(28, "No space left on device", str(tmp_path / "settings.json"))

        monkeypatch.setattr(world.settings, "update", refuse)
        click(find(window, QPushButton, "theme-dark"))
        assert find(window, QPushButton, "theme-system").isChecked()
        assert not find(window, QPushButton, "theme-dark").isChecked()
        assert len(window.notices.titles) == 1
        assert world.presenter.window.notices.titles == []
        assert world.settings.settings.appearance.theme is Theme.SYSTEM


async def test_reset_and_undo_restore_exactly(qapp: QApplication, qloop: object, tmp_path: Path, until: Until) -> None:
    async with window_world(qapp, tmp_path) as world:
        store = world.settings
        own = dataclasses.replace(
            store.settings.appearance, theme=Theme.DARK, font_size=12.5, text_width=901, language="en", notify=False
        )
        store.update(dataclasses.replace(store.settings, appearance=own))
        window = await opened(world, until, "appearance")
        reset = find(window, QPushButton, "reset-appearance")
        click(reset)
        assert store.settings.appearance.theme is Theme.SYSTEM
        assert store.settings.appearance.font_size == 10.0
        assert store.settings.appearance.language == "en", "the language has a page of its own"
        assert not is_on(reset), "nothing is left to be reset"
        assert window.toast.can_act
        QTest.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        assert store.settings.appearance == own
        assert store_on_disk(world).settings.appearance == own
        assert find(window, QPushButton, "theme-dark").isChecked()
        assert is_on(reset)


async def test_a_change_made_elsewhere_shows(qapp: QApplication, qloop: object, tmp_path: Path, until: Until) -> None:
    async with window_world(qapp, tmp_path) as world:
        window = await opened(world, until, "appearance")
        world.presenter.window.sidebar.footer.theme_chosen.emit(Theme.DARK)
        assert find(window, QPushButton, "theme-dark").isChecked()


async def test_what_was_typed_is_kept_at_the_end_of_the_program(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        window = await opened(world, until, "assistant")
        find(window, QWidget, "systemPrompt").setFocus()
        QTest.keyClicks(find(window, QWidget, "systemPrompt"), "Be brief.")
        assert world.settings.settings.agent.system_prompt == "", "not at every key"
    assert SettingsStore(tmp_path / "settings.json").settings.agent.system_prompt == "Be brief."


async def test_closing_and_losing_the_attention_write_what_was_typed(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        window = await opened(world, until, "assistant")
        prompt = find(window, QWidget, "systemPrompt")
        QTest.keyClicks(prompt, "One.")
        world.presenter.window.activateWindow()
        await until(lambda: store_on_disk(world).settings.agent.system_prompt == "One.")
        world.presenter.open_settings("assistant")
        folder = find(window, QLineEdit, "workspace")
        folder.setFocus()
        folder.selectAll()
        QTest.keyClicks(folder, str(tmp_path / "work"))
        window.close()
        assert store_on_disk(world).settings.agent.workspace == str(tmp_path / "work")


async def test_place_and_page_are_remembered(qapp: QApplication, qloop: object, tmp_path: Path, until: Until) -> None:
    async with window_world(qapp, tmp_path) as world:
        world.presenter.open_settings("data")
        open_settings(world).resize(701, 503)
    kept = json.loads((tmp_path / "window.json").read_text("utf-8"))
    assert kept["settings_page"] == "data"
    async with window_world(qapp, tmp_path) as world:
        window = await opened(world, until)
        assert window.page_key == "data"
        assert (window.width(), window.height()) == (701, 503)


@pytest.fixture
def chinese(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The Chinese translation, compiled anew."""
    target = tmp_path / "resources" / "translations"
    target.mkdir(parents=True)
    source = resources_folder() / "translations" / "threadwell_zh_CN.ts"
    command = [str(Path(sys.executable).with_name("pyside6-lrelease")), "-silent", str(source)]
    subprocess.run([*command, "-qm", str(target / "threadwell_zh_CN.qm")], check=True, timeout=60)
    monkeypatch.setattr("tests.support.window_world.resources_folder", lambda: tmp_path / "resources")


@pytest.mark.usefixtures("chinese")
async def test_another_language_renews_every_page(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with window_world(qapp, tmp_path / "data") as world:
        window = await opened(world, until, "language")
        renewed: set[str] = set()
        for key in window.page_keys():
            page = window.page(key)

            def noted(key: str = key, retranslate: Callable[[], None] = page.retranslate) -> None:
                renewed.add(key)
                retranslate()

            monkeypatch.setattr(page, "retranslate", noted)
        click(find(window, QWidget, "language-zh_CN"))
        await until(lambda: renewed == set(window.page_keys()))
        assert store_on_disk(world).settings.appearance.language == "zh_CN"
        assert "年" in find(window, QLabel, "dateSample").text()
        click(find(window, QWidget, "language-en"))
        await until(lambda: "年" not in find(window, QLabel, "dateSample").text())


async def test_everything_that_tab_reaches_has_a_name_for_tests_and_for_screen_readers(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        window = await opened(world, until)
        reached = [
            widget
            for part in (window.search, window.navigation, *(window.page(key) for key in window.page_keys()))
            for widget in (part, *part.findChildren(QWidget))
            if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.focusProxy() is None
        ]
        assert len(reached) > 40
        nameless = [
            f"{type(widget).__name__} {widget.objectName()!r}"
            for widget in reached
            if not widget.objectName()
            or not (widget.accessibleName() or (isinstance(widget, QPushButton) and widget.text()))
        ]
        assert nameless == []


async def test_nothing_is_cut_off_in_a_small_window_with_large_text(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        look = dataclasses.replace(world.settings.settings.appearance, font_size=16.0, code_font_size=15.0)
        agent = dataclasses.replace(world.settings.settings.agent, temperature=0.7, max_output_tokens=1000)
        world.settings.update(dataclasses.replace(world.settings.settings, appearance=look, agent=agent))
        window = await opened(world, until)
        window.resize(680, 480)
        for key in window.page_keys():
            window.open_page(key)
            page = window.page(key)
            content = find(page, QWidget, "settingsCanvas")
            await until(lambda content=content, page=page: content.width() == page.viewport().width())
            right = content.width()
            beyond = [
                f"{key}: {type(part).__name__} {part.objectName()}"
                for part in content.findChildren(QWidget)
                if part.isVisible() and part.mapTo(content, part.rect().topRight()).x() > right
            ]
            squeezed = [
                f"{key}: {button.text()}"
                for button in content.findChildren(QPushButton)
                if button.isVisible() and button.width() < button.minimumSizeHint().width()
            ]
            assert beyond + squeezed == []
