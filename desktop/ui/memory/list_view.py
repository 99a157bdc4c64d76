"""The list of what is remembered: rows of one height, so that thousands cost no more than what is in sight."""

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QPainter
from PySide6.QtWidgets import QAbstractItemView, QMenu, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop.ui.memory.list_model import MemoryListModel, MemoryRole
from desktop.ui.shortcuts import pressed
from desktop.ui.sidebar.list_views import OpeningListView
from desktop.ui.sidebar.row_painting import (
    RowState,
    line_height,
    marked_layout,
    paint_background,
    paint_line,
    paint_marked_text,
    smaller,
)
from desktop.ui.theme.theme_manager import ThemeManager

AnyIndex = QModelIndex | QPersistentModelIndex
PADDING_X, PADDING_Y, GAP = 12.0, 8, 3
MOST_LINES = 2
PIN = 14


class MemoryListView(OpeningListView):
    """Several rows can be chosen.

    Signals:
        chosen: the selection changed.
        forget_requested: Delete was pressed.
    """

    chosen = Signal()
    forget_requested = Signal()

    def __init__(self, theme: ThemeManager, model: MemoryListModel) -> None:
        super().__init__("memoryList")
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setUniformItemSizes(True)
        self.setModel(model)
        self.setItemDelegate(MemoryDelegate(theme, self))
        self.selectionModel().selectionChanged.connect(lambda: self.chosen.emit())
        theme.changed.connect(self.scheduleDelayedItemsLayout)

    def selected_ids(self) -> list[str]:
        """The ids of the chosen rows in the order of the list."""
        rows = sorted(self.selectionModel().selectedIndexes(), key=QModelIndex.row)
        return [str(index.data(MemoryRole.ID)) for index in rows]

    @contextmanager
    def place_kept(self) -> Iterator[None]:
        """Rows may come, go and move meanwhile: what is read stays where it is, and who is at the top stays there."""
        bar = self.verticalScrollBar()
        is_at_top = bar.value() == bar.minimum()
        first = QPersistentModelIndex(self.indexAt(QPoint(self.viewport().width() // 2, 1)))
        before = self.visualRect(first).top()
        yield
        self.doItemsLayout()
        if is_at_top:
            bar.setValue(bar.minimum())
        elif first.isValid():
            after = self.visualRect(first).top()
            bar.setValue(bar.value() + after - before)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if pressed(event, "delete_chat"):
            self.forget_requested.emit()
        else:
            super().keyPressEvent(event)


def pop_up(menu: QMenu, position: QPoint) -> None:
    """Show a menu that goes when it is closed."""
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.popup(position)


class MemoryDelegate(QStyledItemDelegate):
    """Two lines of the text, and one of where it comes from; a pin at the right."""

    def __init__(self, theme: ThemeManager, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        theme.changed.connect(self._measure)
        self._measure()

    def _measure(self) -> None:
        font = self._theme.ui_font()
        room = self._theme.sizes.room
        self._padding, self._gap = room(PADDING_Y), room(GAP)
        self._line = line_height(font, self._theme.tokens)
        self._small = QFontMetricsF(smaller(font)).height()
        height = MOST_LINES * self._line + self._gap + self._small + 2 * self._padding + 2
        self._size = QSize(100, round(height))

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:  # noqa: N802
        return self._size

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        painter.save()
        tokens, font = self._theme.tokens, self._theme.ui_font()
        rect = option.rect.adjusted(0, 1, 0, -1)
        paint_background(painter, rect, tokens, RowState.of(option))
        inner = QRectF(rect).adjusted(PADDING_X, self._padding, -PADDING_X, -self._padding)
        text = str(index.data())
        if index.data(MemoryRole.IS_PINNED):
            size = self._theme.px(PIN)
            icon = self._theme.icon("pin", "accent", size)
            icon.paint(painter, QRectF(inner.right() - size, inner.top() + 2, size, size).toRect())
        words = inner.adjusted(0, 0, -self._theme.px(PIN) - 8, 0)
        layout = marked_layout(text, (), font, tokens, words.width())
        lines = min(layout.lineCount(), MOST_LINES)
        height = sum(layout.lineAt(number).height() for number in range(lines))
        words.translate(0, (MOST_LINES * self._line - height) / 2)  # the block stands in the middle of its row
        colour = tokens.muted if index.data(MemoryRole.IS_PAST) else tokens.text
        paint_marked_text(painter, words, text, (), font, tokens, colour=colour, max_lines=MOST_LINES)
        below = QRectF(inner.left(), words.top() + height + self._gap, inner.width(), self._small)
        paint_line(painter, below, str(index.data(MemoryRole.DETAILS)), smaller(font), tokens.muted)
        if index.row() + 1 < index.model().rowCount():
            painter.setPen(QColor(tokens.line))
            y = option.rect.bottom() + 0.5
            painter.drawLine(QPointF(inner.left(), y), QPointF(inner.right(), y))
        painter.restore()
