"""How a row of the palette is drawn: an icon, the text with what was typed marked, and keys, a folder or a time at the end."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop.ui.palette.rows import Row
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

ICON = 16
_PADDING_X, _PADDING_Y = 10, 7
_GAP = 10
_LEAST_TEXT = 0.45
"""The text has at least this part of the row, before what stands at its end."""
_MOST_FOR_PLACE = 0.4
"""Of what keys or a note leave of the line."""
ROW = Qt.ItemDataRole.UserRole
AnyIndex = QModelIndex | QPersistentModelIndex


class RowPainter(QStyledItemDelegate):
    """All rows with something to choose have one height; headings are lower."""

    def __init__(self, theme: ThemeManager, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        theme.changed.connect(self._measure)
        self._measure()

    def _measure(self) -> None:
        font = self._theme.ui_font()
        line = line_height(font, self._theme.tokens)
        padding = self._theme.sizes.room(_PADDING_Y)
        self._height = round(max(line, self._theme.px(ICON)) + 2 * padding)
        self._heading_height = round(QFontMetricsF(smaller(font)).height() * 1.15 + 2 * padding - 4)

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:  # noqa: N802
        row: Row = index.data(ROW)
        return QSize(100, self._height if row.act is not None else self._heading_height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        row: Row = index.data(ROW)
        painter.save()
        tokens, font, rect = self._theme.tokens, self._theme.ui_font(), option.rect
        inner = QRectF(rect).adjusted(_PADDING_X, 0, -_PADDING_X, 0)
        if row.act is None:
            paint_line(painter, inner.adjusted(0, 4, 0, 0), row.text, smaller(font), tokens.muted)
            painter.restore()
            return
        state = RowState.of(option)
        paint_background(painter, rect, tokens, RowState(selected=state.selected, hovered=state.hovered, focused=False))
        size = self._theme.px(ICON)
        place = QRect(round(inner.left()), round(inner.center().y() - size / 2), size, size)
        self._theme.icon(row.icon, "accent" if state.selected else "muted", size).paint(painter, place)
        left = inner.left() + size + _GAP
        room = (inner.right() - left) * (1 - _LEAST_TEXT)
        right = inner.right() - self._paint_end(painter, row, inner, room, smaller(font))
        if row.place:
            right -= self._paint_place(painter, row.place, QRectF(left, inner.top(), right - left, inner.height()))
        lines = marked_layout(row.text, row.matches, font, tokens, right - left, max_lines=1)
        height = lines.lineAt(0).height()
        text = QRectF(left, inner.center().y() - height / 2, right - left, height)
        paint_marked_text(painter, text, row.text, row.matches, font, tokens, colour=tokens.text, max_lines=1)
        painter.restore()

    def _paint_place(self, painter: QPainter, place: str, inner: QRectF) -> float:
        """Draw where a chat lies at the end of what is left of the line; returns what that takes of it, with the gap."""
        font = smaller(self._theme.ui_font())
        width = min(QFontMetricsF(font).horizontalAdvance(place) + 2.0, inner.width() * _MOST_FOR_PLACE)
        frame = QRectF(inner.right() - width, inner.top(), width, inner.height())
        paint_line(painter, frame, place, font, self._theme.tokens.muted)
        return width + _GAP

    def _paint_end(self, painter: QPainter, row: Row, inner: QRectF, room: float, font: QFont) -> float:
        """Draw the keys or the note at the end; returns how much of the line that takes, with the gap before it."""
        said = row.keys or row.note
        if not said:
            return 0.0
        metrics, tokens = QFontMetricsF(font), self._theme.tokens
        beside = 12.0 if row.keys else 2.0
        width = min(metrics.horizontalAdvance(said) + beside, room)
        height = metrics.height() + 4
        frame = QRectF(inner.right() - width, inner.center().y() - height / 2, width, height)
        if row.keys:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setBrush(QColor(tokens.window))
            painter.setPen(QPen(QColor(tokens.line), 1))
            painter.drawRoundedRect(frame.adjusted(0.5, 0.5, -0.5, -0.5), 5, 5)
        paint_line(painter, frame.adjusted(beside / 2, 0, 0, 0), said, font, tokens.muted)
        return width + _GAP
