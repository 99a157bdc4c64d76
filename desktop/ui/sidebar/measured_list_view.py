"""A list view that knows where each row is without measuring them all: threads of one height, and a few lower rows between."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate, zip_longest

from PySide6.QtCore import (
    QAbstractItemModel,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    Qt,
    SignalInstance,
)
from PySide6.QtGui import QAccessible, QAccessibleEvent, QCursor, QPainter, QPaintEvent, QRegion, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyleOptionViewItem

from desktop.ui.sidebar.list_views import SidebarListView
from desktop.ui.sidebar.sectioned_model import SectionedModel
from desktop.ui.sidebar.thread_sections import Row, RowKind

AnyIndex = QModelIndex | QPersistentModelIndex
ROWS_AHEAD = 60
"""So many rows before the end of what is loaded, more is asked for: whoever scrolls shall not see the end."""
MANY_PARTS = 20
"""A selection of more parts than this is drawn anew as a whole."""
Action = QAbstractItemView.CursorAction
Sight = tuple[tuple[int, Row | None], ...]
"""What is in sight, and how far below the upper edge each row stands."""


class MeasuredListView(SidebarListView):
    """``QListView`` lays out all rows whenever one comes or goes; this one counts. Only what is in sight is drawn.

    Rows that come or go above what is in sight do not move it, unless the view stands at its very top.
    """

    # On the class: Qt asks for the layout before ``__init__`` has come to the end of its first line.
    _heights: Mapping[RowKind, int] = dict.fromkeys(RowKind, 1)
    _lower: Sequence[int] = ()
    """The rows that are no threads."""
    _saved: Sequence[int] = (0,)
    """How much higher everything below the first of them, the first two, … stands than if they were threads."""
    _tops: Sequence[int] = ()
    """Where each of them begins."""
    _is_stale = True
    _anchor: tuple[QPersistentModelIndex, int] | None = None
    _before: "Sight | None" = None
    """What was in sight when rows began to change; None while they do not."""

    def set_heights(self, heights: Mapping[RowKind, int]) -> None:
        """Say how high each kind of row is."""
        self._heights = heights
        self._rows_changed()

    def setModel(self, model: QAbstractItemModel | None) -> None:  # noqa: N802
        signals = () if model is None else _signals_of(model)
        for signal in signals:
            signal.connect(self._forget_places)  # before anything of Qt asks where a row is now
        super().setModel(model)
        if model is None:
            return
        model.rowsAboutToBeInserted.connect(self._about_to_change)
        model.rowsAboutToBeRemoved.connect(self._about_to_leave)
        model.rowsAboutToBeMoved.connect(self._about_to_leave)
        model.layoutAboutToBeChanged.connect(self._about_to_change)
        for signal in signals:
            signal.connect(self._rows_changed)

    # -- where rows are

    def top_of(self, row: int) -> int:
        """Return how far below the first row this one begins."""
        self._measure()
        return row * self._heights[RowKind.THREAD] - self._saved[bisect_right(self._lower, row - 1)]

    def row_at(self, y: int) -> int:
        """Return the row at a distance from the top of all; the nearest one beyond the ends, -1 where there is none."""
        self._measure()
        count = self._count()
        if count == 0:
            return -1
        height, place = self._heights[RowKind.THREAD], bisect_right(self._tops, y) - 1
        if place < 0:
            row = y // height
        else:
            row = self._lower[place]
            below = y - self.top_of(row + 1)
            if below >= 0:
                row += 1 + below // height
        return min(max(row, 0), count - 1)

    def rows_in_sight(self) -> range:
        """Return the rows of which something can be seen."""
        top = self.verticalOffset()
        first = self.row_at(top)
        return range(0) if first < 0 else range(first, self.row_at(top + self.viewport().height()) + 1)

    def _count(self) -> int:
        model = self.model()
        return model.rowCount() if isinstance(model, SectionedModel) else 0

    def _measure(self) -> None:
        if not self._is_stale:
            return
        self._is_stale = False
        model = self.model()
        others = model.other_rows() if isinstance(model, SectionedModel) else []
        height = self._heights[RowKind.THREAD]
        self._lower = [row for row, _ in others]
        self._saved = [0, *accumulate(height - self._heights[kind] for _, kind in others)]
        self._tops = [row * height - saved for row, saved in zip(self._lower, self._saved, strict=False)]

    def _height_of(self, row: int) -> int:
        return self.top_of(row + 1) - self.top_of(row)

    def _keep_anchor(self, first: int = -1, last: int = -1) -> None:
        """Remember what stands at the top of what is in sight; a row that is about to leave its place does not count."""
        if self._anchor is not None or self.verticalOffset() == 0:
            return
        for row in self.rows_in_sight():
            if not first <= row <= last:
                index = self.model().index(row, 0)
                self._anchor = QPersistentModelIndex(index), self.top_of(row) - self.verticalOffset()
                return

    def _sight(self) -> "Sight":
        model, top = self.model(), self.verticalOffset()
        if not isinstance(model, SectionedModel):
            return ()
        return tuple((self.top_of(row) - top, model.what_is_at(row)) for row in self.rows_in_sight())

    def _about_to_change(self, *_what: object) -> None:
        self._about_to_leave(QModelIndex(), -1, -1)

    def _about_to_leave(self, _parent: QModelIndex, first: int, last: int, *_where_to: object) -> None:
        if self._before is None and self.isVisible():
            self._before = self._sight()
        self._keep_anchor(first, last)

    def _forget_places(self, *_what: object) -> None:
        self._is_stale = True

    def _rows_changed(self, *_what: object) -> None:
        self._is_stale = True
        self.executeDelayedItemsLayout()  # while it is put off, Qt draws no row that changes
        self.updateGeometries()
        anchor, self._anchor = self._anchor, None
        if anchor is not None and anchor[0].isValid():
            self.verticalScrollBar().setValue(self.top_of(anchor[0].row()) - anchor[1])
        before, self._before = self._before, None
        self._draw_changed(before)
        self._ask_for_more()

    def _draw_changed(self, before: "Sight | None") -> None:
        """Draw what is in sight from the first row on that is another one: drawing is dear, and most is out of sight."""
        area = self.viewport().rect()
        if before is not None:
            pairs = zip_longest(before, self._sight(), fillvalue=(area.height(), None))
            area.setTop(next((min(old[0], new[0]) for old, new in pairs if old != new), area.height()))
        self.viewport().update(area)

    def _ask_for_more(self) -> None:
        model = self.model()
        if not isinstance(model, SectionedModel) or not self.isVisible() or not model.canFetchMore(QModelIndex()):
            return
        in_sight = self.rows_in_sight()
        if not in_sight or in_sight.stop + ROWS_AHEAD >= self._count():
            model.fetchMore(QModelIndex())

    # -- what QListView does by its own layout

    def doItemsLayout(self) -> None:  # noqa: N802
        self.updateGeometries()
        if self._before is None:  # what is changed by rows that come or go is drawn by ``_rows_changed``
            self.viewport().update()

    def updateGeometries(self) -> None:  # noqa: N802
        QAbstractItemView.updateGeometries(self)
        bar, height = self.verticalScrollBar(), self.viewport().height()
        bar.setRange(0, max(0, self.top_of(self._count()) - height))
        bar.setPageStep(height)
        bar.setSingleStep(self._heights[RowKind.THREAD] // 2)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        QAbstractItemView.resizeEvent(self, event)
        self._ask_for_more()

    def scrollContentsBy(self, dx: int, dy: int) -> None:  # noqa: N802
        if self._before is not None:
            return  # rows above what is in sight came or went: it stands still
        self.viewport().scroll(dx, dy)
        self._ask_for_more()

    def verticalOffset(self) -> int:  # noqa: N802
        return self.verticalScrollBar().value()

    def horizontalOffset(self) -> int:  # noqa: N802
        return 0

    def visualRect(self, index: AnyIndex) -> QRect:  # noqa: N802
        if not index.isValid() or index.row() >= self._count():
            return QRect()
        row = index.row()
        top = self.top_of(row) - self.verticalOffset()
        return QRect(0, top, self.viewport().width(), self._height_of(row))

    def indexAt(self, point: QPoint) -> QModelIndex:  # noqa: N802
        y = point.y() + self.verticalOffset()
        row = self.row_at(y)
        is_there = row >= 0 and 0 <= y < self.top_of(self._count())
        return self.model().index(row, 0) if is_there else QModelIndex()

    def scrollTo(  # noqa: N802
        self, index: AnyIndex, hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible
    ) -> None:
        rect = self.visualRect(index)
        if rect.isNull():
            return
        bar, height = self.verticalScrollBar(), self.viewport().height()
        if hint is QAbstractItemView.ScrollHint.PositionAtCenter:
            bar.setValue(bar.value() + rect.center().y() - height // 2)
        elif rect.top() < 0 or hint is QAbstractItemView.ScrollHint.PositionAtTop:
            bar.setValue(bar.value() + rect.top())
        elif rect.bottom() >= height or hint is QAbstractItemView.ScrollHint.PositionAtBottom:
            bar.setValue(bar.value() + min(rect.bottom() - height + 1, rect.top()))

    def moveCursor(self, action: Action, modifiers: Qt.KeyboardModifier) -> QModelIndex:  # noqa: N802
        count, current = self._count(), self.currentIndex().row()
        if count == 0:
            return QModelIndex()
        page = max(1, self.viewport().height() // self._heights[RowKind.THREAD] - 1)
        wanted, step = {
            Action.MoveUp: (current - 1, -1),
            Action.MovePrevious: (current - 1, -1),
            Action.MoveDown: (current + 1, 1),
            Action.MoveNext: (current + 1, 1),
            Action.MovePageUp: (max(0, current - page), 1),
            Action.MovePageDown: (min(count - 1, current + page), -1),
            Action.MoveHome: (0, 1),
            Action.MoveEnd: (count - 1, -1),
        }.get(action, (current, 1))
        for row in range(wanted, count if step > 0 else -1, step):
            index = self.model().index(row, 0)
            if index.flags() & Qt.ItemFlag.ItemIsEnabled:
                return index
        return self.currentIndex()

    def setSelection(self, rect: QRect, command: QItemSelectionModel.SelectionFlag) -> None:  # noqa: N802
        rect = rect.normalized().translated(0, self.verticalOffset())
        first, last = self.row_at(rect.top()), self.row_at(rect.bottom())
        selection = QItemSelection()
        if first >= 0 and rect.top() < self.top_of(self._count()):
            selection.select(self.model().index(first, 0), self.model().index(last, 0))
        self.selectionModel().select(selection, command)

    def visualRegionForSelection(self, selection: QItemSelection) -> QRegion:  # noqa: N802
        area = self.viewport().rect()
        if selection.count() > MANY_PARTS:
            return QRegion(area)
        region, offset = QRegion(), self.verticalOffset()
        for first, last in parts_of(selection):
            top = self.top_of(first) - offset
            region += QRect(0, top, area.width(), self.top_of(last + 1) - offset - top).intersected(area)
        return region

    def currentChanged(self, current: AnyIndex, previous: AnyIndex) -> None:  # noqa: N802
        QAbstractItemView.currentChanged(self, current, previous)
        if current.isValid() and QAccessible.isActive():
            event = QAccessibleEvent(self, QAccessible.Event.Focus)
            event.setChild(current.row())
            QAccessible.updateAccessibility(event)

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:  # noqa: N802
        QAbstractItemView.selectionChanged(self, selected, deselected)
        if not QAccessible.isActive():
            return
        for changed, kind in ((deselected, QAccessible.Event.SelectionRemove), (selected, QAccessible.Event.Selection)):
            for row, _ in parts_of(changed)[:1]:
                event = QAccessibleEvent(self, kind)
                event.setChild(row)
                QAccessible.updateAccessibility(event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self.viewport())
        try:
            self._paint_rows(painter, event.rect())
        finally:
            painter.end()  # an error would keep it alive, beyond what it draws on

    def _paint_rows(self, painter: QPainter, area: QRect) -> None:
        model, selection, delegate = self.model(), self.selectionModel(), self.itemDelegate()
        offset, width = self.verticalOffset(), self.viewport().width()
        first, last = self.row_at(area.top() + offset), self.row_at(area.bottom() + offset)
        if first < 0:
            return
        below = self.top_of(first)
        pointer = self.viewport().mapFromGlobal(QCursor.pos()) if self.viewport().underMouse() else None
        current = self.currentIndex().row() if self.hasFocus() else -1
        flag = QStyle.StateFlag
        option = QStyleOptionViewItem()
        self.initViewItemOption(option)
        usual = option.state & ~flag.State_HasFocus
        for row in range(first, last + 1):
            index = model.index(row, 0)
            top, below = below, self.top_of(row + 1)
            option.rect = rect = QRect(0, top - offset, width, below - top)
            state = usual
            if selection.isSelected(index):
                state |= flag.State_Selected
            if row == current:
                state |= flag.State_HasFocus
            if pointer is not None and rect.contains(pointer):
                state |= flag.State_MouseOver
            option.state = state
            delegate.paint(painter, option, index)


def parts_of(selection: QItemSelection) -> list[tuple[int, int]]:
    """Return the first and the last row of each part of a selection; rows that cannot be selected are among them."""
    return [(selection.at(part).top(), selection.at(part).bottom()) for part in range(selection.count())]


def _signals_of(model: QAbstractItemModel) -> Sequence[SignalInstance]:
    """Those after which rows stand elsewhere."""
    return model.rowsInserted, model.rowsRemoved, model.rowsMoved, model.layoutChanged, model.modelReset
