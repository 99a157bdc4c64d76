"""The list of chats among the screenshots: folders, what is pinned, put away, unread or under way; and what is below it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QItemSelectionModel, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu
from shots_scenes import Scene, scene
from shots_world import CARDS, FAILED, LONG, RESULTS, TITLES

from desktop.ui.sidebar.thread_menu import folder_menu
from desktop.ui.sidebar.thread_roles import ThreadMark

if TYPE_CHECKING:
    from shots_stage import Stage

    from desktop.ui.sidebar.thread_list_view import ThreadListView

SIDEBAR_SCENES: list[Scene] = []
TRAVEL, WORK, CLOSED, EMPTY = "Travel, and everything to think of before", "工作", "Put aside", "Ideas"
ONE_WORD = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen" * 4
MARKS = {
    CARDS: ThreadMark.RUNNING,
    TITLES[2]: ThreadMark.UNREAD,
    FAILED: ThreadMark.FAILED,
    RESULTS: ThreadMark.WAITING,
}


@asynccontextmanager
async def _arranged(stage: "Stage") -> AsyncIterator["ThreadListView"]:
    """The list in sight, also where the window is narrow; with folders, pins, an archive and marks."""
    sidebar = stage.window.sidebar
    was_visible = sidebar.isVisible()
    if not was_visible:
        await stage.press("sidebarToggle")
    await _arrange(stage)
    await stage.settle()
    yield sidebar.list
    if not was_visible and sidebar.isVisible():
        await stage.press("sidebarToggle")


async def _arrange(stage: "Stage") -> None:
    """Once for all scenes."""
    lists = stage.session.container.lists
    if await lists.folders():
        return
    for name, titles in ((TRAVEL, TITLES[:2]), (WORK, (TITLES[4], RESULTS)), (CLOSED, (TITLES[2],)), (EMPTY, ())):
        folder = await lists.create_folder(name)
        assert folder is not None
        everything = await stage.session.container.conversations.list_threads()
        await lists.move([thread.id for thread in everything if thread.title in titles], folder.id)
        await lists.open_folder(folder.id, name != CLOSED)
    await lists.pin([await stage.thread(TITLES[5]), await stage.thread(LONG)])
    await lists.archive([await stage.thread(TITLES[3])])


@scene(SIDEBAR_SCENES, "80-sidebar-1-arranged")
async def arranged(stage: "Stage") -> None:
    await stage.open(LONG)  # which closes a list that lies over the chat
    async with _arranged(stage):
        for title, mark in MARKS.items():
            stage.window.sidebar.set_mark(await stage.thread(title), mark)
        await stage.settle()
        await stage.picture("80-sidebar-1-arranged")


@scene(SIDEBAR_SCENES, "80-sidebar-2-selected")
async def selected(stage: "Stage") -> None:
    """Several chats, and the menu for them; the focus stands on the last one."""
    async with _arranged(stage) as view:
        flag = QItemSelectionModel.SelectionFlag
        view.selectionModel().clearSelection()
        for title in (CARDS, TITLES[4], TITLES[1]):
            index = view.threads.index_of(await stage.thread(title))
            view.selectionModel().setCurrentIndex(index, flag.Select)
        stage.window.activateWindow()
        view.setFocus(Qt.FocusReason.TabFocusReason)
        await stage.picture("80-sidebar-2-selected")
        stage.window.composer.focus_text()


@scene(SIDEBAR_SCENES, "80-sidebar-3-dragged")
async def dragged(stage: "Stage") -> None:
    """One chat on its way into a folder, and a folder on its way to another place."""
    async with _arranged(stage) as view:
        threads = view.threads
        chat = view.visualRect(threads.index_of(await stage.thread(CARDS))).center()
        folders = [view.visualRect(threads.index_of_folder(folder.id)).center() for folder in threads.folders]
        for name, start, end in (("1-chat", chat, folders[2]), ("2-folder", folders[0], folders[1] - QPoint(0, 6))):
            _drag(view, start, end)
            await stage.picture(f"80-sidebar-3-dragged-{name}")
            QTest.keyClick(view, Qt.Key.Key_Escape)
            QTest.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=end)
            await stage.settle()


def _drag(view: "ThreadListView", start: QPoint, end: QPoint) -> None:
    viewport = view.viewport()
    QTest.mousePress(viewport, Qt.MouseButton.LeftButton, pos=start)
    for point in (start + QPoint(0, 12), end):
        event = QMouseEvent(
            QEvent.Type.MouseMove,
            QPointF(point),
            QPointF(viewport.mapToGlobal(point)),
            Qt.MouseButton.NoButton,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
        QApplication.sendEvent(viewport, event)


@scene(SIDEBAR_SCENES, "80-sidebar-4-one-word")
async def one_word(stage: "Stage") -> None:
    """A title of more than 200 characters without a blank, in the list, in the header, and as the name of a folder."""
    async with _arranged(stage) as view:
        container, thread_id = stage.session.container, await stage.thread(CARDS)
        folder = view.threads.folders[0]
        await container.conversations.rename(thread_id, ONE_WORD)
        await container.lists.rename_folder(folder.id, ONE_WORD[:100])
        await stage.open(ONE_WORD)
        await stage.picture("80-sidebar-4-one-word")
        await container.conversations.rename(thread_id, CARDS)
        await container.lists.rename_folder(folder.id, TRAVEL)
        await stage.open(LONG)


@scene(SIDEBAR_SCENES, "81-sidebar-menus")
async def menus(stage: "Stage") -> None:
    async with _arranged(stage) as view:

        def show(menu: QMenu) -> None:
            for former in view.findChildren(QMenu, "shownMenu"):
                former.deleteLater()
                former.setObjectName("")
            menu.setObjectName("shownMenu")
            menu.popup(view.mapToGlobal(view.rect().center()))

        ids, folder_id = view.threads.threads_between(0, 20), view.threads.folders[0].id
        await stage.picture_each(
            "81-sidebar-menus-1-chats", lambda: show(view.context_menu([ids[0], ids[-1]])), "shownMenu"
        )
        await stage.picture_each("81-sidebar-menus-2-folder", lambda: show(folder_menu(view, folder_id)), "shownMenu")


@scene(SIDEBAR_SCENES, "82-sidebar-archive")
async def archive(stage: "Stage") -> None:
    async with _arranged(stage):
        await stage.press("archiveButton")
        await stage.picture("82-sidebar-archive-1")
        page = stage.window.sidebar.archive
        page.view.selectAll()
        await stage.picture("82-sidebar-archive-2-selected")
        lists, thread_id = stage.session.container.lists, await stage.thread(TITLES[3])
        await lists.unarchive([thread_id])
        await stage.settle()
        await stage.picture("82-sidebar-archive-3-empty")
        await lists.archive([thread_id])
        await stage.press("archiveBackButton")


@scene(SIDEBAR_SCENES, "83-sidebar-renaming")
async def renaming(stage: "Stage") -> None:
    async with _arranged(stage) as view:
        view.edit_folder(view.threads.folders[0].id)
        await stage.settle()
        await stage.picture("83-sidebar-renaming")
        view.setFocus()
        stage.window.composer.focus_text()


@scene(SIDEBAR_SCENES, "84-sidebar-archived-hit")
async def archived_hit(stage: "Stage") -> None:
    async with _arranged(stage):
        edit = stage.find(QLineEdit, "searchEdit")
        edit.setText("offers")
        await stage.pilot.until(lambda: stage.window.sidebar.results_model.rowCount() > 0, "hits")
        await stage.picture("84-sidebar-archived-hit")
        edit.clear()
        await stage.settle()


@scene(SIDEBAR_SCENES, "84-sidebar-toasts")
async def toasts(stage: "Stage") -> None:
    """What was done with several chats, and with a folder, and can be undone."""
    async with _arranged(stage) as view:
        toast, sidebar = stage.window.toast, stage.presenter.sidebar
        thread_ids = [await stage.thread(title) for title in (CARDS, FAILED)]
        sidebar.delete(thread_ids)
        await stage.pilot.until(toast.isVisible, "the toast")
        await stage.picture("84-sidebar-toasts-1-deleted")
        toast.act()
        await stage.settle()
        view.folder_deleted.emit(view.threads.folders[0].id)
        await stage.pilot.until(lambda: toast.isVisible() and toast.can_act, "the toast")
        await stage.picture("84-sidebar-toasts-2-folder")
        toast.act()
        await stage.settle()
