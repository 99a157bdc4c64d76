"""The menus of the list of threads: for one thread or several, for a folder, and for the list itself."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QItemSelectionModel, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from desktop.ui.popup import round_corners
from desktop.ui.shortcuts import keys_of

if TYPE_CHECKING:
    from desktop.conversation.entities import Thread
    from desktop.ui.sidebar.thread_list_view import ThreadListView

translate = QCoreApplication.translate


class ThreadMenu(QMenu):
    """What can be done with these threads."""

    def __init__(self, view: "ThreadListView", ids: list[str]) -> None:
        super().__init__(view)
        self.setObjectName("threadMenu")
        round_corners(self)
        self._view, self._ids = view, ids
        self._threads = _threads_of(view, ids)
        match view.shelf:
            case "trash":
                self._add(self.tr("Restore"), lambda: view.restore_requested.emit(ids))
                self._add_export()
            case "archive":
                self._add(self.tr("Bring back to the list"), lambda: view.archive_requested.emit(ids, False))
                self._add_export()
            case _:
                self._fill()
        self.addSeparator()
        if view.shelf == "trash":
            text = self.tr("Delete for good…")
        else:
            text = self.tr("Delete") if len(ids) == 1 else self.tr("Delete %n chats", "", len(ids))
        self._add(text, lambda: view.delete_requested.emit(ids), "delete_chat", name="deleteChats")

    def _fill(self) -> None:
        view, ids = self._view, self._ids
        if len(ids) == 1:
            self._add(self.tr("Rename"), self._rename, "rename")
        all_pinned = all(thread.pinned_at is not None for thread in self._threads)
        pin = self.tr("Unpin") if all_pinned else self.tr("Pin")
        self._add(pin, lambda: view.pin_requested.emit(ids, not all_pinned), "pin_chat", name="pinChats")
        self.addMenu(moving_menu(view, ids, self))
        self._add(
            self.tr("Archive"), lambda: view.archive_requested.emit(ids, True), "archive_chat", name="archiveChats"
        )
        any_unread = any(thread.is_unread for thread in self._threads)
        unread = self.tr("Mark as read") if any_unread else self.tr("Mark as unread")
        self._add(unread, lambda: view.unread_requested.emit(ids, not any_unread), name="unreadChats")
        self._add_export()

    def _add_export(self) -> None:
        ids = self._ids
        text = self.tr("Export…") if len(ids) == 1 else self.tr("Export %n chats…", "", len(ids))
        self._add(text, lambda: self._view.export_requested.emit(ids), name="exportChats")

    def _add(self, text: str, act: Callable[[], object], shortcut: str = "", *, name: str = "") -> None:
        action = self.addAction(text)
        action.setObjectName(name)
        if shortcut:
            show_shortcut(action, shortcut)
        action.triggered.connect(lambda: act())

    def _rename(self) -> None:
        index = self._view.threads.index_of(self._ids[0])
        self._view.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
        self._view.edit(index)


def moving_menu(view: "ThreadListView", ids: list[str], parent: QWidget) -> QMenu:
    """Make the menu of folders into which these threads can be moved."""
    menu = QMenu(parent)
    round_corners(menu)
    menu.setObjectName("moveMenu")
    menu.setTitle(translate("ThreadMenu", "Move to folder"))
    threads = _threads_of(view, ids)
    inside = {thread.folder_id for thread in threads if thread.pinned_at is None}
    for folder in view.threads.folders:
        action = menu.addAction(_plain(folder.name))
        action.setObjectName(f"move-{folder.id}")
        action.setCheckable(True)
        action.setChecked(inside == {folder.id})
        action.triggered.connect(lambda _=False, key=folder.id: view.move_requested.emit(ids, key))
    if not menu.isEmpty():
        menu.addSeparator()
    new = menu.addAction(translate("ThreadMenu", "New folder…"))
    new.setObjectName("moveToNewFolder")
    new.triggered.connect(lambda: view.new_folder_requested.emit(ids))
    if any(thread.folder_id is not None for thread in threads):
        out = menu.addAction(translate("ThreadMenu", "Out of the folder"))
        out.setObjectName("moveOut")
        out.triggered.connect(lambda: view.move_requested.emit(ids, None))
    return menu


def folder_menu(view: "ThreadListView", folder_id: str) -> QMenu:
    """Make the menu of a folder."""
    menu = _menu(view)
    ids = [folder.id for folder in view.threads.folders]
    place = ids.index(folder_id)
    rename = menu.addAction(translate("ThreadMenu", "Rename"))
    show_shortcut(rename, "rename")
    rename.triggered.connect(lambda: view.edit_folder(folder_id))
    up, down = menu.addAction(translate("ThreadMenu", "Move up")), menu.addAction(translate("ThreadMenu", "Move down"))
    up.setEnabled(place > 0)
    up.triggered.connect(lambda: view.folder_moved.emit(folder_id, ids[place - 1]))
    down.setEnabled(place < len(ids) - 1)
    below = ids[place + 2] if place + 2 < len(ids) else None
    down.triggered.connect(lambda: view.folder_moved.emit(folder_id, below))
    _add_new_folder(menu, view)
    menu.addSeparator()
    delete = menu.addAction(translate("ThreadMenu", "Delete the folder, keep its chats"))
    delete.setObjectName("deleteFolder")
    show_shortcut(delete, "delete_chat")
    delete.triggered.connect(lambda: view.folder_deleted.emit(folder_id))
    return menu


def list_menu(view: "ThreadListView") -> QMenu:
    """Make the menu for where no thread is."""
    menu = _menu(view)
    _add_new_folder(menu, view)
    return menu


def _threads_of(view: "ThreadListView", ids: list[str]) -> list["Thread"]:
    return [thread for each in ids if (thread := view.threads.get(each)) is not None]


def _menu(view: "ThreadListView") -> QMenu:
    menu = QMenu(view)
    menu.setObjectName("threadMenu")
    round_corners(menu)
    return menu


def _add_new_folder(menu: QMenu, view: "ThreadListView") -> None:
    new = menu.addAction(translate("ThreadMenu", "New folder…"))
    new.setObjectName("newFolder")
    new.triggered.connect(lambda: view.new_folder_requested.emit([]))


def show_shortcut(action: QAction, shortcut_id: str) -> None:
    """Write the key in the menu; the view itself handles it, so the action must not."""
    action.setShortcut(QKeySequence(keys_of(shortcut_id)))
    action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
    action.setShortcutVisibleInContextMenu(True)


def _plain(name: str) -> str:
    """An ampersand would underline what follows it."""
    return name.replace("&", "&&")
