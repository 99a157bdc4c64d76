"""The list views of the sidebar: keys, context menu, and how they hand the focus on."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QContextMenuEvent, QFocusEvent, QKeyEvent, QKeySequence, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QMenu, QWidget

from desktop.ui.popup import round_corners
from desktop.ui.shortcuts import keys_of, sequences
from desktop.ui.sidebar.search_results import HitRole, RowKind
from desktop.ui.sidebar.thread_list_model import ThreadRole


class SidebarListView(QListView):
    """A quiet list without frame. Up in the first row asks to leave it upwards."""

    left_upwards = Signal()

    def __init__(self, object_name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(object_name)
        self.setProperty("role", "sidebar")
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setMouseTracking(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self._is_led_by_keys = True

    @property
    def shows_focus(self) -> bool:
        """Whether the row with the focus gets a ring; a click needs none."""
        return self._is_led_by_keys

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        self._led_by_keys(True)
        if event.key() == Qt.Key.Key_Up and not self._can_go_up():
            self.left_upwards.emit()
            return
        if event.key() == Qt.Key.Key_Escape:
            event.ignore()  # the window's; Qt would look for a row that begins with it
            return
        super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Give the keyboard a place to start from, without selecting anything."""
        super().focusInEvent(event)
        if event.reason() not in (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason):
            self._led_by_keys(event.reason() is not Qt.FocusReason.MouseFocusReason)
        if not self.currentIndex().isValid():
            self.go_to_first(select=False)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        self._led_by_keys(False)
        super().mousePressEvent(event)

    def _led_by_keys(self, by_keys: bool) -> None:
        if by_keys != self._is_led_by_keys:
            self._is_led_by_keys = by_keys
            self.viewport().update()

    def go_to_first(self, *, select: bool) -> None:
        """Make the first row that can be chosen the current one."""
        for row in range(self.model().rowCount()):
            index = self.model().index(row, 0)
            if index.flags() & Qt.ItemFlag.ItemIsSelectable:
                flag = self.selectionModel().SelectionFlag
                command = flag.ClearAndSelect if select else flag.NoUpdate
                self.selectionModel().setCurrentIndex(index, command)
                return

    def _can_go_up(self) -> bool:
        rows = range(self.currentIndex().row() - 1, -1, -1)
        return any(self.model().index(row, 0).flags() & Qt.ItemFlag.ItemIsSelectable for row in rows)


class ThreadListView(SidebarListView):
    """The threads, or with ``trash`` the deleted ones.

    Signals:
        delete_requested: Delete was pressed or chosen; carries the ids of the selected threads.
        export_requested: the same, to be written into a file.
        clicked_alone: one thread was chosen with the mouse.
    """

    clicked_alone = Signal()
    delete_requested = Signal(list)
    restore_requested = Signal(list)
    export_requested = Signal(list)

    def __init__(self, object_name: str, *, trash: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(object_name, parent)
        self._trash = trash
        self.clicked.connect(self._tell_click)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        if not trash:
            self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)

    def dataChanged(  # noqa: N802
        self,
        first: QModelIndex | QPersistentModelIndex,
        last: QModelIndex | QPersistentModelIndex,
        roles: Sequence[int] = (),
    ) -> None:
        """Repaint only: no change of a row changes its height, and QListView would lay all rows out again."""
        QAbstractItemView.dataChanged(self, first, last, roles)

    def selected_ids(self) -> list[str]:
        """The selected threads in the order of the list."""
        rows = sorted(self.selectionModel().selectedIndexes(), key=QModelIndex.row)
        return [str(index.data(ThreadRole.ID)) for index in rows if not index.data(ThreadRole.IS_HEADING)]

    def _tell_click(self, index: QModelIndex) -> None:
        if self.selected_ids() == [index.data(ThreadRole.ID)]:  # with Ctrl or Shift there are several, or none
            self.clicked_alone.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        is_delete = QKeySequence(event.keyCombination()) in sequences("delete_chat")
        if is_delete or event.key() == Qt.Key.Key_Delete:  # also the one of the number pad
            if ids := self.selected_ids():
                self.delete_requested.emit(ids)
            return
        super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802
        ids = self.selected_ids()
        if not ids:
            return
        menu = self.context_menu(ids)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        position = event.globalPos()
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            position = self.viewport().mapToGlobal(self.visualRect(self.currentIndex()).center() + QPoint(0, 8))
        menu.popup(position)

    def context_menu(self, ids: Sequence[str]) -> QMenu:
        """Make the menu for these threads."""
        menu = QMenu(self)
        round_corners(menu)
        menu.setObjectName("threadMenu")
        if self._trash:
            restore = menu.addAction(self.tr("Restore"))
            restore.triggered.connect(lambda: self.restore_requested.emit(list(ids)))
        elif len(ids) == 1:
            rename = menu.addAction(self.tr("Rename"))
            _show_shortcut(rename, keys_of("rename"))
            rename.triggered.connect(lambda: self.edit(self.currentIndex()))
        export = menu.addAction(self.tr("Export…") if len(ids) == 1 else self.tr("Export %n chats…", "", len(ids)))
        export.setObjectName("exportChats")
        export.triggered.connect(lambda: self.export_requested.emit(list(ids)))
        if self._trash:
            text = self.tr("Delete for good…")
        else:
            text = self.tr("Delete") if len(ids) == 1 else self.tr("Delete %n chats", "", len(ids))
        delete = menu.addAction(text)
        _show_shortcut(delete, keys_of("delete_chat"))
        delete.triggered.connect(lambda: self.delete_requested.emit(list(ids)))
        return menu


class SearchResultView(SidebarListView):
    """What a search found. ``hit_activated`` carries thread and message id; the latter empty for a thread."""

    hit_activated = Signal(str, str)

    def __init__(self, object_name: str, parent: QWidget | None = None) -> None:
        super().__init__(object_name, parent)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.clicked.connect(self._open)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        # Not through ``activated``: with a style that activates on one click it would come twice.
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.open_current()
            return
        super().keyPressEvent(event)

    def open_current(self) -> None:
        if self.currentIndex().isValid():
            self._open(self.currentIndex())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.scheduleDelayedItemsLayout()  # the passages wrap anew

    def _open(self, index: QModelIndex) -> None:
        if index.data(HitRole.KIND) != RowKind.HEADING:
            self.hit_activated.emit(index.data(HitRole.THREAD_ID), index.data(HitRole.MESSAGE_ID))


def _show_shortcut(action: QAction, keys: str) -> None:
    """Write the key in the menu; the view itself handles it, so the action must not."""
    action.setShortcut(QKeySequence(keys))
    action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
    action.setShortcutVisibleInContextMenu(True)
