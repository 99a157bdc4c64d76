"""The list of threads, of the archive and of the Trash: its keys, its selection, its menus, and dragging in it."""

from collections.abc import Sequence
from enum import StrEnum

from PySide6.QtCore import (
    QElapsedTimer,
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    Qt,
    Signal,
)
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication, QMenu, QWidget

from desktop.ui.shortcuts import pressed
from desktop.ui.sidebar.measured_list_view import AnyIndex, MeasuredListView, parts_of
from desktop.ui.sidebar.thread_drag import ThreadDrag
from desktop.ui.sidebar.thread_list_model import ThreadListModel
from desktop.ui.sidebar.thread_menu import ThreadMenu, folder_menu, list_menu, moving_menu
from desktop.ui.sidebar.thread_roles import ThreadRole
from desktop.ui.sidebar.thread_sections import RowKind


class Shelf(StrEnum):
    """Which threads a list shows."""

    LIST = "list"
    ARCHIVE = "archive"
    TRASH = "trash"


class ThreadListView(MeasuredListView):
    """Emits what is asked for, always with the ids of the threads that are meant.

    Signals:
        delete_requested: Delete was pressed or chosen.
        restore_requested: they shall come back from the Trash.
        pin_requested, archive_requested, unread_requested: with whether it shall be so from now on.
        move_requested: with the id of a folder, or None for none.
        new_folder_requested: a folder shall be made, for these threads, which may be none.
        folder_opened, folder_deleted, folder_moved: a folder shall be shown or hidden, deleted, or stand before another
            one, with None below all.
        clicked_alone: one thread was chosen with the mouse.
        settled: the mouse button is up again, and nothing was dragged.
    """

    clicked_alone = Signal()
    delete_requested = Signal(list)
    restore_requested = Signal(list)
    export_requested = Signal(list)
    pin_requested = Signal(list, bool)
    archive_requested = Signal(list, bool)
    unread_requested = Signal(list, bool)
    move_requested = Signal(list, object)
    new_folder_requested = Signal(list)
    folder_opened = Signal(str, bool)
    folder_deleted = Signal(str)
    folder_moved = Signal(str, object)
    settled = Signal()
    drag_ended = Signal()

    shelf = Shelf.LIST
    is_pressed = False
    """A mouse button is held down: what is selected by it may yet be dragged."""

    def __init__(self, object_name: str, shelf: Shelf = Shelf.LIST, parent: QWidget | None = None) -> None:
        super().__init__(object_name, parent)
        self.shelf = shelf
        self._typed, self._last_key = "", QElapsedTimer()
        self._drag = ThreadDrag(self)
        self.clicked.connect(self._tell_click)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)

    @property
    def threads(self) -> ThreadListModel:
        model = self.model()
        assert isinstance(model, ThreadListModel)
        return model

    def dataChanged(  # noqa: N802
        self,
        first: QModelIndex | QPersistentModelIndex,
        last: QModelIndex | QPersistentModelIndex,
        roles: Sequence[int] = (),
    ) -> None:
        """Repaint only: no change of a row changes its height, nor what is being typed in it."""
        if self.state() is QAbstractItemView.State.EditingState:
            self.viewport().update()
            return
        QAbstractItemView.dataChanged(self, first, last, roles)

    def selected_ids(self) -> list[str]:
        """The selected threads in the order of the list."""
        # By ranges: Qt would ask the model about each row, which takes a second for a long list.
        found: list[str] = []
        below = 0
        for top, bottom in sorted(parts_of(self.selectionModel().selection())):
            found += self.threads.threads_between(max(top, below), bottom)
            below = max(below, bottom + 1)
        return found

    def current_folder(self) -> str | None:
        """Return the id of the folder that has the focus."""
        index = self.currentIndex()
        return str(index.data(ThreadRole.ID)) if index.data(ThreadRole.KIND) == RowKind.FOLDER else None

    def edit_folder(self, folder_id: str) -> None:
        """Let the name of a folder be changed in place."""
        index = self.threads.index_of_folder(folder_id)
        if index.isValid():
            self.setFocus()
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
            self.scrollTo(index)
            self.edit(index)

    def toggle_folder(self, folder_id: str, *, is_open: bool | None = None) -> None:
        """Show what is in a folder, or hide it."""
        was_open = bool(self.threads.index_of_folder(folder_id).data(ThreadRole.IS_OPEN))
        if is_open is not was_open:
            self.folder_opened.emit(folder_id, not was_open)

    # -- keys

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if self._drag.is_under_way:
            if event.key() == Qt.Key.Key_Escape:
                self._end_drag(drops=False)
            return
        if self.state() is QAbstractItemView.State.EditingState:  # the Enter that ends it comes here, too
            super().keyPressEvent(event)
            return
        if self._act_by_key(event) or (self.shelf is Shelf.LIST and self._act_on_folder(event)):
            return
        super().keyPressEvent(event)

    def _act_by_key(self, event: QKeyEvent) -> bool:
        """Do what a key stands for in the list; returns whether it stood for something."""
        ids, folder_id = self.selected_ids(), self.current_folder()
        if pressed(event, "delete_chat"):
            if folder_id is not None:
                self.folder_deleted.emit(folder_id)
            elif ids:
                self.delete_requested.emit(ids)
        elif pressed(event, "rename") or event.key() == Qt.Key.Key_F2:
            # Qt would edit the title by F2, whatever the keys for that are.
            if self.shelf is Shelf.LIST and pressed(event, "rename"):
                self.edit(self.currentIndex())
        elif pressed(event, "pin_chat"):
            if ids and self.shelf is Shelf.LIST:
                self.pin_requested.emit(ids, not self._all_are_pinned(ids))
        elif pressed(event, "archive_chat"):
            if ids and self.shelf is not Shelf.TRASH:
                self.archive_requested.emit(ids, self.shelf is Shelf.LIST)
        elif pressed(event, "move_chat"):
            if ids and self.shelf is Shelf.LIST:
                self._pop_up(moving_menu(self, ids, self), None)
        else:
            return False
        return True

    def _act_on_folder(self, event: QKeyEvent) -> bool:
        """Arrows open and close folders, Enter and Space toggle them, and ask for further threads."""
        index, key = self.currentIndex(), event.key()
        kind = index.data(ThreadRole.KIND)
        if kind == RowKind.MORE and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.threads.ask_at(index)
            return True
        above = self.threads.folder_of_row(index.row()) if index.isValid() else None
        if above is None or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        if kind != RowKind.FOLDER:
            if key != Qt.Key.Key_Left:
                return False
            head = self.threads.index_of_folder(above)
            self.selectionModel().setCurrentIndex(head, QItemSelectionModel.SelectionFlag.NoUpdate)
            self.scrollTo(head)
            return True
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.toggle_folder(above)
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.toggle_folder(above, is_open=key == Qt.Key.Key_Right)
        else:
            return False
        return True

    def keyboardSearch(self, search: str) -> None:  # noqa: N802
        """Go to the next thread whose title begins with what is typed; Qt would ask for the text of every row."""
        if not self._last_key.isValid() or self._last_key.restart() > QApplication.keyboardInputInterval():
            self._typed = ""
        self._last_key.start()
        self._typed += search
        index = self.threads.find_title(self._typed, self.currentIndex().row() - (len(self._typed) > 1))
        if index.isValid():
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
            self.scrollTo(index)

    def selectionCommand(  # noqa: N802
        self, index: AnyIndex, event: QEvent | None = None
    ) -> QItemSelectionModel.SelectionFlag:
        """Folders take the focus and leave the selection as it is: what is open stays marked."""
        if index.isValid() and index.data(ThreadRole.IS_HEADING):
            return QItemSelectionModel.SelectionFlag.NoUpdate
        return super().selectionCommand(index, event)

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        super().focusOutEvent(event)
        if event.reason() is not Qt.FocusReason.PopupFocusReason:
            self._end_drag(drops=False)

    # -- mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        index = self.indexAt(event.position().toPoint())
        if event.button() is Qt.MouseButton.RightButton:  # for the menu; what is open stays so
            if index.isValid() and index.flags() & Qt.ItemFlag.ItemIsEnabled:
                self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
            return
        self.is_pressed = event.button() is Qt.MouseButton.LeftButton
        super().mousePressEvent(event)
        if self.is_pressed and self.shelf is Shelf.LIST:
            self._drag.press(index, event.position().toPoint())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._drag.move(event.position().toPoint())  # Qt would select all rows on the way
            return
        super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        self.is_pressed = False
        if self._drag.is_under_way:
            self._end_drag(drops=True)
            return
        self._drag.forget()
        super().mouseReleaseEvent(event)
        if event.button() is Qt.MouseButton.LeftButton:
            self._click_row(self.indexAt(event.position().toPoint()))
            self.settled.emit()

    def _click_row(self, index: QModelIndex) -> None:
        if index == self.currentIndex() and (folder_id := self.current_folder()) is not None:
            self.toggle_folder(folder_id)
        elif index.isValid():
            self.threads.ask_at(index)

    def _end_drag(self, *, drops: bool) -> None:
        if not self._drag.is_under_way:
            return
        if drops:
            self._drag.drop()
        self._drag.forget()
        self.is_pressed = False
        self.drag_ended.emit()

    def _tell_click(self, index: QModelIndex) -> None:
        if self.selected_ids() == [index.data(ThreadRole.ID)]:  # with Ctrl or Shift there are several, or none
            self.clicked_alone.emit()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        super().paintEvent(event)
        if self._drag.is_under_way:
            painter = QPainter(self.viewport())
            self._drag.paint(painter)

    # -- menus

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802
        by_mouse = event.reason() is QContextMenuEvent.Reason.Mouse
        index = self.indexAt(event.pos()) if by_mouse else self.currentIndex()
        kind = index.data(ThreadRole.KIND) if index.isValid() else None
        if kind == RowKind.THREAD:
            thread_id, ids = str(index.data(ThreadRole.ID)), self.selected_ids()
            self._pop_up(self.context_menu(ids if thread_id in ids else [thread_id]), event)
        elif kind == RowKind.FOLDER:
            self._pop_up(folder_menu(self, str(index.data(ThreadRole.ID))), event)
        elif self.shelf is Shelf.LIST:
            self._pop_up(list_menu(self), event)

    def context_menu(self, ids: Sequence[str]) -> QMenu:
        """Make the menu for these threads."""
        return ThreadMenu(self, list(ids))

    def _pop_up(self, menu: QMenu, event: QContextMenuEvent | None) -> None:
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        position = QPoint() if event is None else event.globalPos()
        if event is None or event.reason() is QContextMenuEvent.Reason.Keyboard:
            position = self.viewport().mapToGlobal(self.visualRect(self.currentIndex()).center() + QPoint(0, 8))
        menu.popup(position)

    def _all_are_pinned(self, ids: Sequence[str]) -> bool:
        threads = [self.threads.get(thread_id) for thread_id in ids]
        return all(thread is not None and thread.pinned_at is not None for thread in threads)
