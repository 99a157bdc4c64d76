"""Dragging in the list of threads: into a folder, out of it, to what is pinned; and folders to another place among them.

Nothing of it leaves the list, so it needs no drag of the system, which would wait in a loop of its own.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QObject, QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QApplication

from desktop.ui.sidebar.thread_delegate import ThreadDelegate
from desktop.ui.sidebar.thread_roles import ThreadRole
from desktop.ui.sidebar.thread_sections import RowKind

if TYPE_CHECKING:
    from desktop.ui.sidebar.thread_list_view import ThreadListView

OPEN_AFTER_MS = 700
"""A closed folder opens when something is held over it for so long."""
SCROLL_EVERY_MS = 30
EDGE = 24
"""So near to its upper or lower edge the list scrolls."""


@dataclass(frozen=True)
class Target:
    """What would become of what is dragged, and what is marked for it."""

    row: int
    folder_id: str | None = None
    pins: bool = False
    before: str | None = None
    """The folder before which a folder would stand."""
    is_line: bool = False
    """It goes between two rows: above ``row``."""


class ThreadDrag(QObject):
    """Follows the mouse from a press on. ``is_under_way`` once it moved far enough."""

    def __init__(self, view: "ThreadListView") -> None:
        super().__init__(view)
        self._view = view
        self._pressed: tuple[QPoint, list[str], str | None] | None = None
        """Where, and the threads or the folder that would be dragged."""
        self._at = QPoint()
        self.is_under_way = False
        self.target: Target | None = None
        self._opening = QTimer(self)
        self._opening.setSingleShot(True)
        self._opening.setInterval(OPEN_AFTER_MS)
        self._opening.timeout.connect(self._open_folder)
        self._scrolling = QTimer(self)
        self._scrolling.setInterval(SCROLL_EVERY_MS)
        self._scrolling.timeout.connect(self._scroll)

    def press(self, index: QModelIndex, position: QPoint) -> None:
        """The mouse was pressed on a row, which perhaps is to be dragged, with all others that are selected."""
        kind = index.data(ThreadRole.KIND) if index.isValid() else None
        key = str(index.data(ThreadRole.ID))
        ids = self._view.selected_ids()
        self._pressed = None
        if kind == RowKind.FOLDER:
            self._pressed = position, [], key
        elif kind == RowKind.THREAD and key in ids:  # with Ctrl it may just have been taken out of the selection
            self._pressed = position, ids, None

    def move(self, position: QPoint) -> None:
        """The mouse moved with its button down."""
        if self._pressed is None:
            return
        self._at = position
        far = (position - self._pressed[0]).manhattanLength() >= QApplication.startDragDistance()
        if not self.is_under_way and far:
            self.is_under_way = True
            self._scrolling.start()
        if self.is_under_way:
            self._look()

    def drop(self) -> None:
        """The button was let go: do what the mark says."""
        target, pressed = self.target, self._pressed
        if target is None or pressed is None:
            return
        _, ids, folder_id = pressed
        if folder_id is not None:
            self._view.folder_moved.emit(folder_id, target.before)
        elif target.pins:
            self._view.pin_requested.emit(ids, True)
        else:
            self._view.move_requested.emit(ids, target.folder_id)

    def forget(self) -> None:
        """Nothing is dragged any more."""
        self._opening.stop()
        self._scrolling.stop()
        self._pressed = self.target = None
        if self.is_under_way:
            self.is_under_way = False
            self._view.viewport().unsetCursor()
            self._view.viewport().update()

    def paint(self, painter: QPainter) -> None:
        """Mark where it would go, and show at the pointer what is dragged."""
        delegate = self._view.itemDelegate()
        if not isinstance(delegate, ThreadDelegate) or self._pressed is None:
            return
        if self.target is not None:
            rect = self._row_rect(self.target.row)
            delegate.paint_target(painter, rect, is_line=self.target.is_line)
        delegate.paint_dragged(painter, self._at, self._words(), self._view.viewport().rect())

    def _words(self) -> str:
        assert self._pressed is not None
        _, ids, folder_id = self._pressed
        if folder_id is not None:
            return str(self._view.threads.index_of_folder(folder_id).data())
        if len(ids) == 1:
            return str(self._view.threads.index_of(ids[0]).data())
        return self.tr("%n chats", "", len(ids))

    def _row_rect(self, row: int) -> QRect:
        count = self._view.threads.rowCount()
        rect = self._view.visualRect(self._view.threads.index(min(row, count - 1), 0))
        return rect.translated(0, rect.height()) if row >= count else rect

    def _look(self) -> None:
        """Find what the pointer stands over."""
        before = self.target
        self.target = self._find_target()
        if self.target != before:
            self._opening.stop()
            if self.target is not None and self.target.folder_id is not None:
                self._opening.start()
        can_drop = self.target is not None
        shape = Qt.CursorShape.ClosedHandCursor if can_drop else Qt.CursorShape.ForbiddenCursor
        if self._view.viewport().cursor().shape() is not shape:
            self._view.viewport().setCursor(shape)
        self._view.viewport().update()

    def _find_target(self) -> Target | None:
        view, pressed = self._view, self._pressed
        index = view.indexAt(self._at)
        if pressed is None or not view.viewport().rect().contains(self._at):
            return None
        if pressed[2] is not None:
            return self._place_for_folder(pressed[2])
        if not index.isValid():
            return Target(row=view.threads.rowCount(), is_line=True)
        row = index.row()
        folder_id = view.threads.folder_of_row(row)
        if folder_id is not None:
            return Target(row=view.threads.index_of_folder(folder_id).row(), folder_id=folder_id)
        if view.threads.is_in_pinned(row):
            return Target(row=0, pins=True)
        return Target(row=view.threads.heading_above(row))

    def _place_for_folder(self, folder_id: str) -> Target | None:
        view = self._view
        ids = [folder.id for folder in view.threads.folders]
        index = view.indexAt(self._at)
        over = view.threads.folder_of_row(index.row()) if index.isValid() else None
        if over is None:
            return None
        place = ids.index(over)
        if self._at.y() > view.visualRect(view.threads.index_of_folder(over)).center().y():
            place += 1
        before = ids[place] if place < len(ids) else None
        row = view.threads.end_of_folders() if before is None else view.threads.index_of_folder(before).row()
        return None if before == folder_id else Target(row=row, before=before, is_line=True)

    def _open_folder(self) -> None:
        if self.target is not None and self.target.folder_id is not None:
            self._view.toggle_folder(self.target.folder_id, is_open=True)

    def _scroll(self) -> None:
        bar, height = self._view.verticalScrollBar(), self._view.viewport().height()
        step = -1 if self._at.y() < EDGE else 1 if self._at.y() > height - EDGE else 0
        if step:
            bar.setValue(bar.value() + step * EDGE)
            self._look()
