"""The list of the inspector: headings and rows; only what is in sight is drawn, so that its length does not matter."""

from collections.abc import Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QFontMetricsF, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop.ui.inspector.rows import Row, number, translate
from desktop.ui.inspector.share_bar import colour_of
from desktop.ui.sidebar.row_painting import RowState, paint_background, paint_line, smaller
from desktop.ui.theme.fonts import strong
from desktop.ui.theme.theme_manager import ThemeManager

ROW = Qt.ItemDataRole.UserRole
Index = QModelIndex | QPersistentModelIndex


class RowModel(QAbstractListModel):
    """Headings cannot be chosen."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.rows: Sequence[Row] = ()

    def show_rows(self, rows: Sequence[Row]) -> None:
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: N802, B008
        return 0 if parent.isValid() else len(self.rows)

    def flags(self, index: Index) -> Qt.ItemFlag:
        if index.isValid() and self.rows[index.row()].is_heading:
            return Qt.ItemFlag.ItemNeverHasChildren
        return super().flags(index)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        row = self.rows[index.row()]
        if role == ROW:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            said = [row.title, row.snippet]
            if row.tokens is not None:
                count = row.tokens
                said.append(translate("inspector", "%Ln tokens", "", count))
            return ", ".join(filter(None, said))
        return None


class RowDelegate(QStyledItemDelegate):
    """A heading in one line, a row in two where it has a second one; the tokens at the right."""

    def __init__(self, theme: ThemeManager, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: N802
        row: Row = index.data(ROW)
        font = self._theme.ui_font()
        height, lower = QFontMetrics(font).height(), QFontMetrics(smaller(font)).height()
        if row.is_heading:
            return QSize(80, height + 16)
        return QSize(80, height + (lower + 2 if row.snippet else 0) + 14)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: Row = index.data(ROW)
        tokens = self._theme.tokens
        painter.save()
        rect = option.rect.adjusted(2, 1, -2, -1)
        font, small = self._theme.ui_font(), smaller(self._theme.ui_font())
        if not row.is_heading:
            paint_background(painter, rect, tokens, RowState.of(option))
        figure = "" if row.tokens is None else number(row.tokens)
        width = QFontMetricsF(small).horizontalAdvance(figure) + (10 if figure else 0)
        inside = QRectF(rect).adjusted(10, 6, -10, -6)
        upper = QRectF(inside.left(), inside.top(), inside.width(), QFontMetricsF(font).height())
        if row.is_heading:
            upper.moveBottom(inside.bottom() + 2)
            dot = QRectF(upper.left(), upper.center().y() - 4, 8, 8)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colour_of(row.section, tokens) if row.tokens else tokens.line))
            painter.drawEllipse(dot)
            paint_line(painter, upper.adjusted(16, 0, -width, 0), row.title, strong(font), tokens.text)
        else:
            paint_line(painter, upper.adjusted(0, 0, -width, 0), row.title, font, tokens.text)
        if figure:
            paint_line(painter, upper.adjusted(upper.width() - width + 10, 0, 8, 0), figure, small, tokens.muted)
        if row.snippet and not row.is_heading:
            lower = QRectF(inside.left(), upper.bottom() + 2, inside.width(), inside.bottom() - upper.bottom() - 2)
            paint_line(painter, lower, row.snippet, small, tokens.muted)
        painter.restore()
