"""The list of chats among the screenshots: folders, what is pinned, put away, unread or under way; and what is below it."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QLineEdit, QMenu
from shots_scenes import Scene, scene
from shots_world import CARDS, FAILED, LONG, RESULTS, TITLES

from desktop.ui.sidebar.thread_roles import ThreadMark

if TYPE_CHECKING:
    from shots_stage import Stage

SIDEBAR_SCENES: list[Scene] = []
TRAVEL, WORK, CLOSED = "Travel, and everything to think of before", "工作", "Put aside"
MARKS = {
    CARDS: ThreadMark.RUNNING,
    TITLES[2]: ThreadMark.UNREAD,
    FAILED: ThreadMark.FAILED,
    RESULTS: ThreadMark.WAITING,
}


async def _arranged(stage: "Stage") -> None:
    """Folders, pins, an archive and marks; once for all scenes."""
    lists = stage.session.container.lists
    if not stage.window.sidebar.isVisible():  # a narrow window hides it
        await stage.press("sidebarToggle")
    if await lists.folders():
        return
    for name, titles in ((TRAVEL, TITLES[:2]), (WORK, (TITLES[4], RESULTS)), (CLOSED, ("草稿",))):
        folder = await lists.create_folder(name)
        assert folder is not None
        everything = await stage.session.container.conversations.list_threads()
        await lists.move([thread.id for thread in everything if thread.title in titles], folder.id)
        await lists.open_folder(folder.id, name != CLOSED)
    await lists.pin([await stage.thread(TITLES[5]), await stage.thread(LONG)])
    await lists.archive([await stage.thread(TITLES[3])])
    await stage.settle()


@scene(SIDEBAR_SCENES, "80-sidebar-1-arranged")
async def arranged(stage: "Stage") -> None:
    await _arranged(stage)
    await stage.open(LONG)
    for title, mark in MARKS.items():
        stage.window.sidebar.set_mark(await stage.thread(title), mark)
    await stage.settle()
    await stage.picture("80-sidebar-1-arranged")


@scene(SIDEBAR_SCENES, "81-sidebar-menus")
async def menus(stage: "Stage") -> None:
    await _arranged(stage)
    view = stage.window.sidebar.list

    def show() -> None:
        for former in view.findChildren(QMenu, "threadMenu"):
            former.setObjectName("")
        menu = view.context_menu([view.selected_ids()[0], view.threads.threads_between(0, 20)[-1]])
        menu.popup(view.mapToGlobal(view.rect().center()))

    await stage.picture_each("81-sidebar-menus", show, "threadMenu")


@scene(SIDEBAR_SCENES, "82-sidebar-archive")
async def archive(stage: "Stage") -> None:
    await _arranged(stage)
    await stage.press("archiveButton")
    await stage.picture("82-sidebar-archive")
    await stage.press("archiveBackButton")


@scene(SIDEBAR_SCENES, "83-sidebar-renaming")
async def renaming(stage: "Stage") -> None:
    await _arranged(stage)
    view = stage.window.sidebar.list
    view.edit_folder(view.threads.folders[0].id)
    await stage.settle()
    await stage.picture("83-sidebar-renaming")
    view.setFocus()
    stage.window.composer.focus_text()


@scene(SIDEBAR_SCENES, "84-sidebar-archived-hit")
async def archived_hit(stage: "Stage") -> None:
    await _arranged(stage)
    edit = stage.find(QLineEdit, "searchEdit")
    edit.setText("offers")
    await stage.pilot.until(lambda: stage.window.sidebar.results_model.rowCount() > 0, "hits")
    await stage.picture("84-sidebar-archived-hit")
    edit.clear()
    await stage.settle()
