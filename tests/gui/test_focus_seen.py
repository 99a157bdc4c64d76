"""The focus can be seen wherever it is, in both themes, and the keyboard reaches every control of every page."""

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop.conversation.prompts.library import PromptLibrary
from desktop.core.settings import Theme
from desktop.ui.prompts.examples import examples
from desktop.ui.settings.catalogue import page_entries
from tests.support.settings_world import open_settings
from tests.support.walks import stops, unnamed, walk, without_ring
from tests.support.window_world import window_world

Until = Callable[..., Coroutine[Any, Any, None]]
THEMES = [Theme.LIGHT, Theme.DARK]
PAGES = [entry.key for entry in page_entries()]


@pytest.mark.parametrize("theme", THEMES)
async def test_the_focus_is_seen_in_the_window(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until, theme: Theme
) -> None:
    async with window_world(qapp, tmp_path, theme=theme) as world:
        window = world.presenter.window
        thread = await world.add_thread("A question")
        await until(lambda: window.sidebar.model.thread_count == 1)
        await world.presenter.open_thread(thread)
        world.presenter.options.change(system_prompt="Be brief.")
        window.composer.add_pasted("line\n" * 500)
        window.activateWindow()
        window.composer.edit.setFocus()
        for part in (window.header, window.composer):
            reached = [each for each in walk(window) if part.isAncestorOf(each)]
            assert len(reached) > 3
            assert without_ring([each for each in reached if each is not window.composer.edit]) == []


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("key", PAGES)
async def test_the_focus_is_seen_and_reaches_all_of_a_page(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until, theme: Theme, key: str
) -> None:
    async with window_world(qapp, tmp_path, theme=theme) as world:
        await PromptLibrary(world.store.prompts).take_in(examples())
        world.presenter.open_settings(key)
        settings = open_settings(world)
        settings.activateWindow()
        page = settings.page(key)
        await until(page.isVisible)
        QTest.qWait(50)
        settings.navigation.setFocus()
        QTest.keyClick(settings.navigation, Qt.Key.Key_Right)
        assert page.isAncestorOf(settings.focusWidget())
        assert unnamed(page) == []
        reached = walk(page)
        assert without_ring(reached) == []
        wanted = [each for each in stops(page) if each.focusPolicy() & Qt.FocusPolicy.TabFocus]
        assert {each.objectName() for each in wanted if each not in reached} == set()
