"""The pages of the settings window among the screenshots."""

import asyncio
import dataclasses
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QLineEdit
from shots_scenes import Scene, scene

from desktop.core.memory_settings import EmbedderKind
from desktop.memory.indexing import IndexingState
from desktop.ui.settings.memory_page import MemoryPage

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


@scene(SETTINGS_SCENES, "67-settings-memory")
async def memory(stage: "Stage") -> None:
    """What is only seen while something is chosen, goes on, or went wrong."""
    container = stage.session.container
    before = container.settings.settings
    window = await stage.settings("memory")
    page = window.page("memory")
    assert isinstance(page, MemoryPage)

    async def take(name: str, share: float, state: IndexingState | None = None, **memory: Any) -> None:
        container.settings.update(dataclasses.replace(before, memory=dataclasses.replace(before.memory, **memory)))
        await stage.settle()
        await asyncio.sleep(0.5)  # what really is the matter is told by then, and nothing more for a while
        if state is not None:
            page.show_state(state)
        await stage.settle()
        bar = page.verticalScrollBar()
        bar.setValue(int(bar.maximum() * share))
        await stage.picture(f"67-settings-memory-{name}", of=lambda: window)

    changing = IndexingState(embedder_id="bundled", is_working=True, is_changing=True, done=4_210, total=12_345)
    failed = IndexingState(problem="memory.embedder_failed", detail="Connection refused")
    makeshift = IndexingState(embedder_id="bundled", problem="memory.index_makeshift")
    by_own = {"embedder": EmbedderKind.ENDPOINT, "embedding_endpoint_id": "own", "embedding_model": "bge-m3"}
    await take("1-provider", 0.6, embedder=EmbedderKind.ENDPOINT)
    await take("2-changing", 0.6, changing, **by_own)
    await take("3-failed", 0.6, failed, **by_own)
    await take("4-server", 1.0, makeshift, chroma_url="http://127.0.0.1:9")
    paused = before.memory.paused()
    await take("5-paused", 0.0, **{name: getattr(paused, name) for name in ("use", "remembers", "resumes_use")})
    container.settings.update(before)
    window.close()
