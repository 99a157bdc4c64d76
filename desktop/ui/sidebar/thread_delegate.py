"""Draws the rows of the thread list and of the Trash, and edits a title in place."""

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QFontMetricsF, QHelpEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLineEdit,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
    QWidget,
)

from desktop.ui.controls import select_from_end
from desktop.ui.sidebar.row_painting import RowState, paint_background, paint_line, smaller
from desktop.ui.sidebar.thread_list_model import ThreadMark, ThreadRole
from desktop.ui.theme.fonts import strong
from desktop.ui.theme.theme_manager import ThemeManager

AnyIndex = QModelIndex | QPersistentModelIndex
PADDING_X = 10.0
PADDING_Y = 7
LINE_GAP = 3
MARK = 14

_MARKS = {
    ThreadMark.RUNNING: ("loader-circle", "accent"),
    ThreadMark.WAITING: ("circle-question-mark", "warning"),
    ThreadMark.FAILED: ("circle-alert", "error"),
}
"""Icon and colour: what tells marks apart must not be the colour alone."""


class ThreadDelegate(QStyledItemDelegate):
    """A heading, or two lines: title and time, snippet and mark."""

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
        self._heading_size = QSize(100, round(second + room(16)))
        self._thread_size = QSize(100, round(QFontMetricsF(font).height() + second + 2 * self._padding + self._gap + 2))

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:  # noqa: N802
        return self._heading_size if index.data(ThreadRole.IS_HEADING) else self._thread_size

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        painter.save()
        rect: QRect = option.rect
        if index.data(ThreadRole.IS_HEADING):
            self._paint_heading(painter, rect, str(index.data()))
        else:
            self._paint_thread(painter, rect.adjusted(0, 1, 0, -1), RowState.of(option), index)
        painter.restore()

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
        time = str(index.data(ThreadRole.TIME))
        time_width = QFontMetricsF(small).horizontalAdvance(time)
        inner = QRectF(rect).adjusted(PADDING_X, self._padding, -PADDING_X, -self._padding)
        title_height = QFontMetricsF(font).height()
        mark = ThreadMark(index.data(ThreadRole.MARK))
        snippet = str(index.data(ThreadRole.SNIPPET))
        if not snippet and mark is ThreadMark.NONE:  # one line alone stands in the middle
            inner.translate(0, (inner.height() - title_height) / 2)
        title = QRectF(inner.left(), inner.top(), inner.width() - time_width - 8, title_height)
        paint_line(painter, title, str(index.data()), font, tokens.text)
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
        size = self._theme.px(MARK)
        area = QRectF(line.right() - size, line.center().y() - size / 2, size, size).toRect()
        self._theme.icon(name, colour, size).paint(painter, area)

    def helpEvent(  # noqa: N802
        self, event: QHelpEvent, view: QAbstractItemView, option: QStyleOptionViewItem, index: AnyIndex
    ) -> bool:
        """Show the whole title and snippet, as plain text."""
        if event.type() != QEvent.Type.ToolTip or not index.isValid() or index.data(ThreadRole.IS_HEADING):
            return False
        marks = {
            ThreadMark.RUNNING: self.tr("Answering…"),
            ThreadMark.WAITING: self.tr("Waiting for your answer"),
            ThreadMark.FAILED: self.tr("The last answer failed"),
        }
        lines = [str(index.data()), str(index.data(ThreadRole.SNIPPET)), marks.get(index.data(ThreadRole.MARK), "")]
        # A leading markup-like title would be read as rich text: escape and say so.
        text = "<br>".join(line.replace("&", "&amp;").replace("<", "&lt;") for line in lines if line)
        QToolTip.showText(event.globalPos(), f"<qt>{text}</qt>", view)
        return True

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: AnyIndex) -> QWidget:  # noqa: N802
        editor = QLineEdit(parent)
        editor.setObjectName("threadTitleEdit")
        editor.setAccessibleName(self.tr("Title of the chat"))
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
