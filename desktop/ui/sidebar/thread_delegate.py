"""Draws the rows of the thread list and of the Trash, and edits a title in place."""

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor, QFontMetricsF, QHelpEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLineEdit,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
    QWidget,
)

from desktop.ui.controls import select_from_end
from desktop.ui.sidebar.measured_list_view import MeasuredListView
from desktop.ui.sidebar.row_painting import RADIUS, RowState, paint_background, paint_line, smaller
from desktop.ui.sidebar.thread_roles import ThreadMark, ThreadRole
from desktop.ui.sidebar.thread_sections import RowKind
from desktop.ui.theme.fonts import strong
from desktop.ui.theme.theme_manager import ThemeManager

AnyIndex = QModelIndex | QPersistentModelIndex
PADDING_X = 10.0
PADDING_Y = 7
LINE_GAP = 3
MARK = 14

INDENT = 14.0
"""So much further right stands what is in a folder."""

_MARKS = {
    ThreadMark.RUNNING: ("loader-circle", "accent"),
    ThreadMark.WAITING: ("circle-question-mark", "warning"),
    ThreadMark.FAILED: ("circle-alert", "error"),
    ThreadMark.UNREAD: ("circle-dot", "accent"),
}
"""Icon and colour: what tells marks apart must not be the colour alone."""


class ThreadDelegate(QStyledItemDelegate):
    """A heading, a folder, or two lines: title and time, snippet and mark."""

    def __init__(self, theme: ThemeManager, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        theme.changed.connect(self._measure)
        self._measure()

    def _measure(self) -> None:
        """Take the heights once for a font: every change of the order asks for the size of every row."""
        font = self._theme.ui_font()
        second = QFontMetricsF(smaller(font)).height()
        room = self._theme.sizes.room
        self._padding = room(PADDING_Y)
        self._gap = room(LINE_GAP)
        line = QFontMetricsF(font).height()
        self.heights = {
            RowKind.THREAD: round(line + second + 2 * self._padding + self._gap + 2),
            RowKind.HEADING: round(second + room(16)),
            RowKind.FOLDER: round(line + room(14)),
            RowKind.MORE: round(second + room(14)),
        }
        """How high each kind of row is."""
        view = self.parent()
        if isinstance(view, MeasuredListView):
            view.set_heights(self.heights)

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:  # noqa: N802
        return QSize(100, self.heights[RowKind(index.data(ThreadRole.KIND))])

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        painter.save()
        rect: QRect = option.rect
        state = RowState.of(option)
        match index.data(ThreadRole.KIND):
            case RowKind.HEADING:
                self._paint_heading(painter, rect, str(index.data()))
            case RowKind.FOLDER:
                self._paint_folder(painter, rect.adjusted(0, 1, 0, -1), state, index)
            case RowKind.MORE:
                self._paint_more(painter, rect.adjusted(0, 1, 0, -1), state, str(index.data()))
            case _:
                self._paint_thread(painter, rect.adjusted(0, 1, 0, -1), state, index)
        painter.restore()

    def paint_target(self, painter: QPainter, rect: QRect, *, is_line: bool) -> None:
        """Mark the row into which something would be dropped, or the line above it."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(self._theme.tokens.accent), 2))
        if is_line:
            y = max(rect.top(), 1)
            painter.drawLine(rect.left() + 4, y, rect.right() - 4, y)
        else:
            painter.drawRoundedRect(QRectF(rect).adjusted(1, 1, -1, -1), RADIUS, RADIUS)
        painter.restore()

    def paint_dragged(self, painter: QPainter, position: QPoint, text: str, area: QRect) -> None:
        """Draw beside the pointer what is dragged."""
        tokens, font = self._theme.tokens, smaller(self._theme.ui_font())
        metrics = QFontMetricsF(font)
        width = min(metrics.horizontalAdvance(text) + 2 * PADDING_X, area.width() * 0.75)
        height = metrics.height() + 2 * self._gap + 4
        left = min(position.x() + 12.0, area.right() - width - 2)
        rect = QRectF(max(left, 2.0), min(position.y() + 10.0, area.bottom() - height - 2), width, height)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(tokens.accent), 1))
        painter.setBrush(QColor(tokens.panel))
        painter.drawRoundedRect(rect, RADIUS, RADIUS)
        paint_line(painter, rect.adjusted(PADDING_X, 0, -PADDING_X, 0), text, font, tokens.text)
        painter.restore()

    def _paint_folder(self, painter: QPainter, rect: QRect, state: RowState, index: AnyIndex) -> None:
        tokens, size = self._theme.tokens, self._theme.px(MARK)
        paint_background(painter, rect, tokens, state)
        inner = QRectF(rect).adjusted(PADDING_X - 4, 0, -PADDING_X, 0)
        is_open = bool(index.data(ThreadRole.IS_OPEN))
        for name in ("chevron-down" if is_open else "chevron-right", "folder-open" if is_open else "folder"):
            self._paint_icon(painter, name, "muted", inner.left(), inner.center().y())
            inner.adjust(size + 4, 0, 0, 0)
        count, small = str(index.data(ThreadRole.COUNT) or ""), smaller(self._theme.ui_font())
        width = QFontMetricsF(small).horizontalAdvance(count)
        paint_line(
            painter,
            QRectF(inner.right() - width, inner.top(), width + 2, inner.height()),
            count,
            small,
            tokens.muted,
        )
        inner.adjust(2, 0, -width - 6, 0)
        mark = ThreadMark(index.data(ThreadRole.MARK))
        if mark is not ThreadMark.NONE:
            self._paint_mark(painter, inner, mark)
            inner.adjust(0, 0, -size - 6, 0)
        paint_line(painter, inner, str(index.data()), self._theme.ui_font(), tokens.text)

    def _paint_more(self, painter: QPainter, rect: QRect, state: RowState, text: str) -> None:
        paint_background(painter, rect, self._theme.tokens, state)
        inner = QRectF(rect).adjusted(PADDING_X + INDENT, 0, -PADDING_X, 0)
        paint_line(painter, inner, text, smaller(self._theme.ui_font()), self._theme.tokens.accent)

    def _paint_icon(self, painter: QPainter, name: str, colour: str, left: float, middle: float) -> None:
        size = self._theme.px(MARK)
        area = QRectF(left, middle - size / 2, size, size).toRect()
        self._theme.icon(name, colour, size).paint(painter, area)

    def _paint_heading(self, painter: QPainter, rect: QRect, text: str) -> None:
        font = strong(smaller(self._theme.ui_font()))
        height = QFontMetricsF(font).height()
        line = QRectF(rect.left() + PADDING_X, rect.bottom() - height - 2, rect.width() - 2 * PADDING_X, height)
        paint_line(painter, line, text, font, self._theme.tokens.muted)

    def _paint_thread(self, painter: QPainter, rect: QRect, state: RowState, index: AnyIndex) -> None:
        tokens = self._theme.tokens
        paint_background(painter, rect, tokens, state)
        font = self._theme.ui_font()
        small = smaller(font)
        mark = ThreadMark(index.data(ThreadRole.MARK))
        time = str(index.data(ThreadRole.TIME))
        time_width = QFontMetricsF(small).horizontalAdvance(time)
        left = PADDING_X + (INDENT if index.data(ThreadRole.IS_INSIDE) else 0)
        inner = QRectF(rect).adjusted(left, self._padding, -PADDING_X, -self._padding)
        title_height = QFontMetricsF(font).height()
        snippet = str(index.data(ThreadRole.SNIPPET))
        if not snippet and mark is ThreadMark.NONE:  # one line alone stands in the middle
            inner.translate(0, (inner.height() - title_height) / 2)
        title = QRectF(inner.left(), inner.top(), inner.width() - time_width - 8, title_height)
        title_font = strong(font) if mark is ThreadMark.UNREAD else font
        paint_line(painter, title, str(index.data()), title_font, tokens.text)
        paint_line(
            painter,
            QRectF(inner.right() - time_width, inner.top(), time_width + 2, title_height),
            time,
            small,
            tokens.muted,
        )
        second = QRectF(inner.left(), title.bottom() + self._gap, inner.width(), QFontMetricsF(small).height())
        if mark is not ThreadMark.NONE:
            self._paint_mark(painter, second, mark)
            second.adjust(0, 0, -self._theme.px(MARK) - 6, 0)
        paint_line(painter, second, snippet, small, tokens.muted)

    def _paint_mark(self, painter: QPainter, line: QRectF, mark: ThreadMark) -> None:
        name, colour = _MARKS[mark]
        self._paint_icon(painter, name, colour, line.right() - self._theme.px(MARK), line.center().y())

    def helpEvent(  # noqa: N802
        self, event: QHelpEvent, view: QAbstractItemView, option: QStyleOptionViewItem, index: AnyIndex
    ) -> bool:
        """Show the whole title and snippet, as plain text."""
        if (
            event.type() != QEvent.Type.ToolTip
            or not index.isValid()
            or index.data(ThreadRole.KIND)
            in (
                RowKind.HEADING,
                RowKind.MORE,
            )
        ):
            return False
        marks = {
            ThreadMark.RUNNING: self.tr("Answering…"),
            ThreadMark.WAITING: self.tr("Waiting for your answer"),
            ThreadMark.FAILED: self.tr("The last answer failed"),
            ThreadMark.UNREAD: self.tr("A new answer, not read yet"),
        }
        lines = [
            str(index.data()),
            str(index.data(ThreadRole.SNIPPET) or ""),
            marks.get(index.data(ThreadRole.MARK), ""),
        ]
        # A leading markup-like title would be read as rich text: escape and say so.
        text = "<br>".join(line.replace("&", "&amp;").replace("<", "&lt;") for line in lines if line)
        QToolTip.showText(event.globalPos(), f"<qt>{text}</qt>", view)
        return True

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: AnyIndex) -> QWidget:  # noqa: N802
        editor = QLineEdit(parent)
        editor.setObjectName("threadTitleEdit")
        is_folder = index.data(ThreadRole.KIND) == RowKind.FOLDER
        editor.setAccessibleName(self.tr("Name of the folder") if is_folder else self.tr("Title of the chat"))
        return editor

    def setEditorData(self, editor: QWidget, index: AnyIndex) -> None:  # noqa: N802
        assert isinstance(editor, QLineEdit)
        select_from_end(editor, str(index.data(Qt.ItemDataRole.EditRole)))

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: AnyIndex) -> None:  # noqa: N802
        assert isinstance(editor, QLineEdit)
        model.setData(index, editor.text())

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: AnyIndex) -> None:  # noqa: N802
        rect: QRect = option.rect
        editor.setGeometry(rect.adjusted(0, 1, 0, -1))
