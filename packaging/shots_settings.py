"""The pages of the settings window among the screenshots."""

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QLineEdit
from shots_scenes import Scene, scene

if TYPE_CHECKING:
    from shots_stage import Stage

SETTINGS_SCENES: list[Scene] = []


@scene(SETTINGS_SCENES, "50-settings")
async def pages(stage: "Stage") -> None:
    """Every page there is, and the lower end of those that are longer than the window."""
    window = await stage.settings()
    for number, key in enumerate(window.page_keys()):
        window.open_page(key)
        if key == "about":
            await asyncio.sleep(1)  # the licences are read when the page is first shown
        name = f"50-settings-{number}-{key}"
        await stage.picture(f"{name}-1", of=lambda: window)
        bar = window.page(key).verticalScrollBar()
        if bar.maximum() > 0:
            bar.setValue(bar.maximum())
            await stage.picture(f"{name}-2-end", of=lambda: window)
            bar.setValue(0)
    window.close()


@scene(SETTINGS_SCENES, "51-settings-search")
async def search(stage: "Stage") -> None:
    window = await stage.settings()
    edit = window.findChild(QLineEdit, "settingsSearch")
    assert edit is not None
    for name, words in (("51-settings-search-1-found", "temp"), ("51-settings-search-2-nothing", "zzzz")):
        edit.setText(words)
        await stage.picture(name, of=lambda: window)
    edit.clear()
    window.close()


@scene(SETTINGS_SCENES, "52-settings-endpoint")
async def endpoint(stage: "Stage") -> None:
    window = await stage.settings("models")
    await stage.press("addEndpoint", window)
    await stage.picture("52-settings-endpoint-new")
    stage.close_dialogs()
    window.close()


@scene(SETTINGS_SCENES, "53-settings-server")
async def server(stage: "Stage") -> None:
    window = await stage.settings("servers")
    await stage.press("addServer", window)
    await stage.picture("53-settings-server-new")
    stage.close_dialogs()
    window.close()


@scene(SETTINGS_SCENES, "54-settings-history")
async def history(stage: "Stage") -> None:
    window = await stage.settings("permissions")
    await stage.press("openHistory", window)
    await asyncio.sleep(0.5)  # the list is read from the disk
    await stage.picture("54-settings-history")
    stage.close_dialogs()
    window.close()
