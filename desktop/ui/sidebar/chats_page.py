"""The list of chats, or a word where there is none: keeps selection and place while rows come, go and move."""

from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop.ui.sidebar.results_page import empty_label
from desktop.ui.sidebar.thread_delegate import ThreadDelegate
from desktop.ui.sidebar.thread_list_model import OTHERS, ThreadListModel
from desktop.ui.sidebar.thread_list_view import ThreadListView
from desktop.ui.sidebar.thread_roles import ThreadRole
from desktop.ui.theme.theme_manager import ThemeManager

if TYPE_CHECKING:
    from desktop.conversation.entities import Thread
    from desktop.conversation.lists import Folder

PATIENCE_MS = 600
"""After this long without any thread it says that it reads them."""
Flag = QItemSelectionModel.SelectionFlag


class ChatsPage(QWidget):
    """``thread_selected``: the user chose one thread; its id. ``emptied``: the list went, with the focus in it."""

    thread_selected = Signal(str)
    emptied = Signal()

    def __init__(self, theme: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._quiet = False
        self._waits_long = False
        self._has_new_choice = False
        self._open_id: str | None = None
        self.model = ThreadListModel(self)
        self.list = ThreadListView("threadList")
        self.list.setModel(self.model)
        self.list.setItemDelegate(ThreadDelegate(theme, self.list))
        self.list.selectionModel().selectionChanged.connect(self._selection_changed)
        self.list.settled.connect(self._settle)
        self.list.drag_ended.connect(self._drag_ended)
        self._empty = empty_label("threadsEmpty")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.list, 1)
        layout.addWidget(self._empty, 1)
        self._retranslate()
        QTimer.singleShot(PATIENCE_MS, self, self._lose_patience)

    def append(self, threads: Sequence["Thread"], *, complete: bool, part: str = OTHERS) -> None:
        """Add a further page of a part of the list."""
        with self._quietly():
            self.model.append(threads, complete=complete, part=part)
            self._mark_open()
        self._update_empty()

    def keep_only(self, thread_ids: Iterable[str]) -> None:
        """Show no other threads than these."""
        with self._quietly():
            self.model.keep_only(thread_ids)
        self._update_empty()

    def put(self, thread: "Thread") -> None:
        """Show a thread that is new or changed."""
        with self._quietly():
            if not self.model.would_show(thread):
                self._let_go_of(thread.id)
            self.model.put(thread)
            if thread.id == self._open_id:
                self._mark_open()
        self._update_empty()

    def remove(self, thread_id: str) -> None:
        with self._quietly():
            self._let_go_of(thread_id)
            self.model.remove(thread_id)
        self._update_empty()

    def set_folders(self, folders: Sequence["Folder"]) -> None:
        """Show these folders."""
        with self._quietly():
            current = self.list.currentIndex()
            above = self.model.folder_of_row(current.row()) if current.isValid() else None
            closing = next((folder for folder in folders if folder.id == above and not folder.is_open), None)
            if closing is not None:
                # Qt would make a neighbour of what goes the current one.
                self.list.selectionModel().setCurrentIndex(self.model.index_of_folder(closing.id), Flag.NoUpdate)
            self.model.set_folders(folders)
            self._mark_open()
        self._update_empty()

    def select(self, thread_id: str | None) -> None:
        """Select the row of the open thread, or none; emits nothing."""
        self._open_id = thread_id
        with self._quietly():
            index = self.model.index_of(thread_id) if thread_id else QModelIndex()
            if not index.isValid():
                self.list.clearSelection()
                self.list.selectionModel().setCurrentIndex(index, Flag.NoUpdate)
            elif not self.list.selectionModel().isSelected(index):
                self.list.selectionModel().setCurrentIndex(index, Flag.ClearAndSelect)
                self.list.scrollTo(index)

    def step(self, step: int) -> bool:
        """Choose the thread ``step`` rows below the open one; without one the first, or the last for a step up."""
        count = self.model.rowCount()
        chosen = self.list.selected_ids()
        row = self.model.index_of(chosen[0]).row() if chosen else -1 if step > 0 else count
        while 0 <= (row := row + (1 if step > 0 else -1)) < count:
            index = self.model.index(row)
            if not index.data(ThreadRole.IS_HEADING):
                self.list.selectionModel().setCurrentIndex(index, Flag.ClearAndSelect)
                self.list.scrollTo(index)
                return True
        return False

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
            self.model.regroup()

    # -- inside

    @contextmanager
    def _quietly(self) -> Generator[None, None, None]:
        """Changes of the model move the selection; only the user's own choice is a request."""
        before, self._quiet = self._quiet, True
        try:
            yield
        finally:
            self._quiet = before

    def _let_go_of(self, thread_id: str) -> None:
        """Qt would make the neighbour of a row that goes the current one, and select it."""
        index = self.model.index_of(thread_id)
        if index.isValid() and self.list.currentIndex() == index:
            self.list.selectionModel().setCurrentIndex(QModelIndex(), Flag.NoUpdate)

    def _mark_open(self) -> None:
        """Select the open thread again where its row has come back."""
        if self._open_id is None or self.list.selected_ids():
            return
        index = self.model.index_of(self._open_id)
        if index.isValid():
            self.list.selectionModel().select(index, Flag.Select)

    def _selection_changed(self) -> None:
        if self._quiet:
            return
        self._has_new_choice = True
        if not self.list.is_pressed:  # what is pressed may be on its way to another folder
            self._settle()

    def _settle(self) -> None:
        if not self._has_new_choice:
            return
        self._has_new_choice = False
        ids = self.list.selected_ids()
        if len(ids) == 1:
            self._open_id = ids[0]
            self.thread_selected.emit(ids[0])

    def _drag_ended(self) -> None:
        """What was pressed only to be dragged was not chosen."""
        self._has_new_choice = False
        if len(self.list.selected_ids()) <= 1:
            self.select(self._open_id)

    def _retranslate(self) -> None:
        self.list.setAccessibleName(self.tr("Chats"))
        self._update_empty()

    def _lose_patience(self) -> None:
        self._waits_long = True
        self._update_empty()

    def _update_empty(self) -> None:
        is_empty = self.model.is_blank
        if self.model.is_complete:
            self._empty.setText(self.tr("No chats yet") + "\n" + self.tr("What you write appears here."))
        else:
            self._empty.setText(self.tr("Reading the chats…"))
        # Before all was read nobody knows; only a long wait needs a word.
        self._empty.setVisible(is_empty and (self.model.is_complete or self._waits_long))
        if is_empty and self.list.hasFocus():
            self.emptied.emit()  # with the list the focus would go to whatever comes next
        self.list.setVisible(not is_empty)
