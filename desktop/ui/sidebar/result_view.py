"""The list of what a search found: keys, and what its rows lead to."""

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QWidget

from desktop.ui.sidebar.list_views import SidebarListView
from desktop.ui.sidebar.result_model import PLACES, HitRole, RowKind


class SearchResultView(SidebarListView):
    """What a search found.

    Signals:
        hit_activated: thread and message id; the latter empty for a thread.
        more_requested: the id of the thread whose further hits are to be shown.
        older_requested: hits further back are to be looked for.
        item_requested: something that is remembered is to be shown.
        trash_requested: a hit in the Trash was chosen, where nothing is read.
    """

    hit_activated = Signal(str, str)
    more_requested = Signal(str)
    older_requested = Signal()
    item_requested = Signal()
    trash_requested = Signal()

    def __init__(self, object_name: str, parent: QWidget | None = None) -> None:
        super().__init__(object_name, parent)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.is_of_trash = False
        """All hits are in the Trash."""
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

    def step(self, direction: int) -> bool:
        """Go to the next hit and open it, or to the one before; what is folded is asked for. False at the end."""
        model = self.model()
        current = self.currentIndex()
        row = current.row() if current.isValid() and self.selectionModel().isSelected(current) else -1
        if row < 0 and direction < 0:
            row = model.rowCount()
        row += direction
        while 0 <= row < model.rowCount():
            index = model.index(row, 0)
            if self._is_hit(index) or (direction > 0 and index.data(HitRole.KIND) in (RowKind.MORE, RowKind.OLDER)):
                self.choose(index)
                self.open_current()
                return True
            row += direction
        return False

    def choose(self, index: QModelIndex) -> None:
        """Make a row the current one, in sight."""
        self.selectionModel().setCurrentIndex(index, self.selectionModel().SelectionFlag.ClearAndSelect)
        self.scrollTo(index)

    def _is_hit(self, index: QModelIndex) -> bool:
        """A place in a chat, or a chat that was found by its title alone."""
        kind = index.data(HitRole.KIND)
        if kind != RowKind.THREAD:
            return kind in PLACES
        below = self.model().index(index.row() + 1, 0)
        return below.data(HitRole.KIND) not in PLACES or below.data(HitRole.THREAD_ID) != index.data(HitRole.THREAD_ID)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.scheduleDelayedItemsLayout()  # the passages wrap anew

    def _open(self, index: QModelIndex) -> None:
        match index.data(HitRole.KIND):
            case RowKind.HEADING:
                pass
            case RowKind.MORE:
                self.more_requested.emit(index.data(HitRole.THREAD_ID))
            case RowKind.OLDER:
                self.older_requested.emit()
            case RowKind.ITEM:
                self.item_requested.emit()
            case _ if self.is_of_trash:
                self.trash_requested.emit()
            case _:
                self.hit_activated.emit(index.data(HitRole.THREAD_ID), index.data(HitRole.MESSAGE_ID))
