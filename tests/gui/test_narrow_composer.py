"""Below the message at 700 pixels: no word is cut, what has no room is an icon that says what it is."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from desktop.core.permission_mode import PermissionMode
from desktop.core.thinking_effort import ThinkingEffort
from desktop.ui.composer.composer import Composer
from tests.support.settings_world import set_appearance
from tests.support.waiting import until
from tests.support.window_world import window_world


@pytest.mark.parametrize("language", ["en", "zh_CN"])
@pytest.mark.parametrize("size", [10, 16, 20])
async def test_no_word_is_cut_at_700_pixels(
    qapp: QApplication, qloop: object, tmp_path: Path, size: int, language: str
) -> None:
    async with window_world(qapp, tmp_path) as world:
        set_appearance(world, font_size=size, language=language)
        window = world.presenter.window
        composer = window.findChild(Composer)
        assert composer is not None
        bar, mode = composer.model_bar, composer.mode_button
        bar.show_model("a, b and c", "3 models", are_several=True)
        bar.thinking.show_levels([ThinkingEffort.LOW, ThinkingEffort.MEDIUM], ThinkingEffort.MEDIUM, None)
        mode.show_mode(PermissionMode.ASK_FOR_RISK, "/home/me", has_own_folder=False)
        composer.window().resize(700, 600)
        await until(lambda: window.width() <= 720 and bar.model_button.text() == "3 models")
        for button in (bar.thinking, mode):
            await until(lambda button=button: button.text() == ("" if button.is_folded else button.full_text))
            assert button.full_text
            assert button.accessibleName()
            assert button.toolTip()
            assert not button.icon().isNull()
            assert button.width() >= button.sizeHint().width()
        assert bar.thinking.is_folded or not mode.is_folded
        window.resize(1500, 800)
        if size == 10:
            await until(lambda: not bar.thinking.is_folded and not mode.is_folded)
            assert (bar.thinking.text(), mode.text()) == (bar.thinking.full_text, mode.full_text)
