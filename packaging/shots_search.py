"""The search over all chats among the screenshots: hits of every kind, its filters, and what was understood of them."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication, QLineEdit
from shots_scenes import Scene, scene

from desktop.conversation.entities import MessageStatus, ResultStatus, TextPart, ToolCallPart, ToolResultPart
from desktop.core.language_model import Usage
from desktop.memory.entities import MemoryKind

if TYPE_CHECKING:
    from shots_stage import Stage

SEARCH_SCENES: list[Scene] = []
_SOON, _LATER = 1.2, 2.5
"""It searches when the typing pauses, and by meaning a little later."""


@contextmanager
def _searching(stage: "Stage") -> Iterator[QLineEdit]:
    """The search box, shown also where the window is narrow."""
    was_visible = stage.window.sidebar.isVisible()
    stage.window.focus_search()
    edit = stage.find(QLineEdit, "searchEdit")
    try:
        yield edit
    finally:
        edit.clear()
        if not was_visible and stage.window.sidebar.isVisible():
            stage.window.toggle_sidebar()


async def _ship(stage: "Stage") -> None:
    """A chat in which a harbour is spoken of, in words and in what a tool returned; once."""
    store = stage.session.container.store
    if any(thread.title == "The harbour of Ghent" for thread in await store.threads.list_threads()):
        return
    thread = await store.threads.create_thread(title="The harbour of Ghent")
    for number in range(6):
        turn = await store.threads.begin_turn(
            thread.id, f"What about the harbour, part {number + 1}?", model="qwen3:8b"
        )
        call = ToolCallPart(call_id="c", name="read_file", arguments='{"path": "harbour.md"}')
        text = "# Harbour\nThe harbour has eleven docks, the oldest of them from 1251."
        result = ToolResultPart(call_id="c", status=ResultStatus.OK, text=text, duration_seconds=0.2)
        answer = TextPart(text="The harbour of Ghent is reached by a canal. 港口由运河连接。", step=1)
        await store.threads.finish_turn(
            turn.turn_id,
            parts=[call, result, answer] if number == 4 else [answer],
            status=MessageStatus.COMPLETE,
            reason="completed",
            usage=Usage(input_tokens=320, output_tokens=48),
            duration_seconds=3.2,
        )
    await stage.session.container.memory.service.write("The user's boat lies in the harbour of Ghent", MemoryKind.FACT)
    await stage.session.container.conversations.announce(thread.id)


@scene(SEARCH_SCENES, "85-search-1-hits")
async def hits(stage: "Stage") -> None:
    await _ship(stage)
    with _searching(stage) as edit:
        for name, text in (
            ("85-search-1-hits", "harbour"),
            ("85-search-2-filters", "harbour from:model has:tool after:2020-01"),
            ("85-search-3-chinese", "港口 来自：模型"),
            ("85-search-4-nothing", "harbour in:trash before:1990"),
        ):
            edit.setText(text)
            await asyncio.sleep(_LATER)
            await stage.picture(name)
    await stage.settle()


@scene(SEARCH_SCENES, "86-search-list-of-filters")
async def list_of_filters(stage: "Stage") -> None:
    with _searching(stage):
        stage.window.sidebar.search_box.show_help()
        await asyncio.sleep(_SOON)
        await stage.picture("86-search-list-of-filters")
        if (popup := QApplication.activePopupWidget()) is not None:
            popup.close()
    await stage.settle()


@scene(SEARCH_SCENES, "87-search-in-a-tool-result")
async def in_a_tool_result(stage: "Stage") -> None:
    await _ship(stage)
    with _searching(stage) as edit:
        edit.setText("eleven docks")
        await asyncio.sleep(_LATER)
        stage.session.presenter.sidebar.search.step(1)
        await asyncio.sleep(_SOON)
        await stage.picture("87-search-in-a-tool-result")
    await stage.settle()
