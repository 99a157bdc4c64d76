"""Where a chat lies, among the screenshots: hits in the archive and the Trash, folders in the palette, the list over the chat."""

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from shots_scenes import Scene, scene

from desktop.conversation.summaries import Summary, SummaryState
from tests.support.stores import say

if TYPE_CHECKING:
    from shots_stage import Stage

SHELF_SCENES: list[Scene] = []
_SOON = 1.2
_WORD = "cormorant"


async def _chats(stage: "Stage") -> None:
    """A chat in the list, one in a folder, one that is archived, and one in the Trash; once."""
    container = stage.session.container
    if any(_WORD in thread.title for thread in await container.store.threads.list_threads()):
        return
    plain, filed, put_away, gone = [
        (await container.store.threads.create_thread(title=f"The {_WORD}, part {number + 1}")).id for number in range(4)
    ]
    folder = await container.lists.create_folder("Birds of the northern coasts")
    if folder is not None:
        await container.lists.move([filed], folder.id)
    answer = await say(container.store, put_away, "What lives there?", "Birds of many kinds.")
    made = Summary(
        id="shelves",
        thread_id=put_away,
        until_id=answer.id,
        text=f"- A colony of the great {_WORD} on the rocks\n- Counted in May and again in July",
        created_at=(moment := datetime.now(UTC)),
        updated_at=moment,
    )
    await container.store.summaries.put(made, SummaryState())
    await container.lists.archive([put_away])
    await container.store.threads.delete_thread(gone)
    await container.conversations.announce(plain)


@scene(SHELF_SCENES, "87-shelves")
async def shelves(stage: "Stage") -> None:
    await _chats(stage)
    window, palette = stage.window, stage.presenter.features.keyboard.palette
    was_visible = window.sidebar.isVisible()
    for name, text in (("87-shelves-hits", _WORD), ("87-shelves-trash", f"{_WORD} in:trash")):
        window.focus_search()
        window.sidebar.search.setText(text)
        await asyncio.sleep(_SOON)
        await stage.picture(name)
    window.sidebar.clear_search()
    await stage.settle()
    await stage.picture("87-shelves-list")
    palette.open("go_to_chat")
    palette.panel.field.setText(_WORD)
    await stage.pilot.until(lambda: bool(palette.panel.rows) and not palette.is_searching, "the chats are there")
    await stage.picture("87-shelves-palette")
    palette.panel.close_palette()
    if not was_visible and window.sidebar.isVisible():
        window.toggle_sidebar()
    await stage.settle()
