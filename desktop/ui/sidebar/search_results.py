"""Draws what a search found: hits below the title of their chat, the matches marked."""

from collections.abc import Mapping

from PySide6.QtCore import QPointF, QRect, QRectF, QSize
from PySide6.QtGui import QColor, QFontMetricsF, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop.conversation.shelf import Shelf
from desktop.ui.sidebar.result_model import AnyIndex, HitRole, RowKind
from desktop.ui.sidebar.row_painting import (
    RowState,
    marked_layout,
    paint_background,
    paint_line,
    paint_marked_text,
    smaller,
)
from desktop.ui.theme.fonts import strong
from desktop.ui.theme.theme_manager import ThemeManager

PADDING_X = 10.0
PADDING_Y = 6
INDENT = 12.0
GAP = 8
HEADING_ICON = 13
BESIDE_ICON = 6
MAX_LINES = 2


_ICONS: Mapping[RowKind, str] = {
    RowKind.CALL: "wrench",
    RowKind.MORE: "chevron-down",
    RowKind.OLDER: "rotate-ccw-clock",
    RowKind.ITEM: "brain",
    RowKind.SUMMARY: "scroll-text",
}
_SHELF_ICONS: Mapping[Shelf, str] = {Shelf.ARCHIVE: "archive", Shelf.TRASH: "trash"}
MOST_FOR_SHELF = 0.45
"""Of a title's line; where the words would take more, the icon stands alone."""
_IN_A_CHAT = (RowKind.MESSAGE, RowKind.CALL, RowKind.MORE)
_PASSAGES = (RowKind.MESSAGE, RowKind.CALL, RowKind.ITEM, RowKind.SUMMARY)
"""Rows of as many lines as there is text for, at most ``MAX_LINES``."""


class SearchResultDelegate(QStyledItemDelegate):
    """Draws a thread's title in and below it the found passages."""

    def __init__(self, theme: ThemeManager, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    @property
    def _padding(self) -> int:
        return self._theme.sizes.room(PADDING_Y)

    def _gap(self, index: AnyIndex) -> int:
        """What stands free above a row."""
        kind = index.data(HitRole.KIND)
        if not index.row() or kind in _IN_A_CHAT or kind in _PASSAGES:
            return 0
        above = index.model().index(index.row() - 1, 0).data(HitRole.KIND)
        return 0 if above == RowKind.HEADING else GAP

    def _left(self, kind: RowKind) -> float:
        """Where the text of a row begins, within its room."""
        indent = INDENT if kind in _IN_A_CHAT else 0.0
        return indent + (self._theme.px(HEADING_ICON) + BESIDE_ICON if kind in _ICONS else 0.0)

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:  # noqa: N802
        font, kind = self._theme.ui_font(), RowKind(index.data(HitRole.KIND))
        small = smaller(font)
        if kind not in _PASSAGES:
            line = QFontMetricsF(font if kind is RowKind.THREAD else small).height()
            return QSize(100, round(line + 2 * self._padding + self._gap(index)))
        parent = self.parent()
        width = parent.width() if isinstance(parent, QWidget) else 240
        shelf = index.data(HitRole.SHELF)
        taken = self._width_of_shelf(shelf[1], width - 2 * PADDING_X)[0] + GAP if shelf else 0
        lines = marked_layout(
            str(index.data()),
            index.data(HitRole.HIGHLIGHTS),
            small,
            self._theme.tokens,
            width - 2 * PADDING_X - self._left(kind) - taken,
            max_lines=MAX_LINES,
        ).lineCount()
        return QSize(100, round(min(lines, MAX_LINES) * QFontMetricsF(small).height() + 2 * self._padding))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        painter.save()
        kind, tokens, font = RowKind(index.data(HitRole.KIND)), self._theme.tokens, self._theme.ui_font()
        rect: QRect = option.rect.adjusted(0, self._gap(index), 0, 0)
        if kind is RowKind.HEADING:
            icon = "sparkles" if index.data(HitRole.BY_MEANING) else "brain"
            self._paint_heading(painter, rect, icon, str(index.data()), bool(index.row()))
            painter.restore()
            return
        paint_background(painter, rect, tokens, RowState.of(option))
        inner = QRectF(rect).adjusted(PADDING_X, self._padding, -PADDING_X, -self._padding)
        if kind in _ICONS:
            first_line = QFontMetricsF(smaller(font)).height()
            left = inner.left() + (INDENT if kind in _IN_A_CHAT else 0)
            self._paint_icon(painter, left, inner.top() + first_line / 2, _ICONS[kind])
        is_title = kind is RowKind.THREAD
        taken = 0.0
        if shelf := index.data(HitRole.SHELF):
            first_line = inner.height() if is_title else QFontMetricsF(smaller(font)).height()
            first = QRectF(inner.left(), inner.top(), inner.width(), first_line)
            taken = self._paint_shelf(painter, first, *shelf)
        paint_marked_text(
            painter,
            inner.adjusted(self._left(kind), 0, -taken, 0),
            str(index.data()),
            index.data(HitRole.HIGHLIGHTS),
            strong(font) if is_title else smaller(font),
            tokens,
            colour=tokens.text if is_title else tokens.muted,
            max_lines=MAX_LINES if kind in _PASSAGES else 1,
        )
        painter.restore()

    def _paint_shelf(self, painter: QPainter, inner: QRectF, shelf: Shelf, words: str) -> float:
        """Say at the end of a line where its chat lies, in words if there is room; returns what that takes of the line."""
        icon = self._theme.px(HEADING_ICON) + BESIDE_ICON
        width, has_room = self._width_of_shelf(words, inner.width())
        left = inner.right() - width
        self._paint_icon(painter, left, inner.center().y(), _SHELF_ICONS[shelf])
        if has_room:
            place = QRectF(left + icon, inner.top(), width - icon, inner.height())
            paint_line(painter, place, words, smaller(self._theme.ui_font()), self._theme.tokens.muted)
        return width + GAP

    def _width_of_shelf(self, words: str, room: float) -> tuple[float, bool]:
        """The width of what says where a chat lies in a line of this ``room``, and whether that has its words."""
        icon = self._theme.px(HEADING_ICON)
        width = icon + BESIDE_ICON + QFontMetricsF(smaller(self._theme.ui_font())).horizontalAdvance(words) + 1
        return (width, True) if width <= room * MOST_FOR_SHELF else (icon, False)

    def _paint_heading(self, painter: QPainter, rect: QRect, icon: str, text: str, has_line: bool) -> None:
        tokens, font = self._theme.tokens, smaller(self._theme.ui_font())
        if has_line:
            painter.setPen(QColor(tokens.line))
            painter.drawLine(
                QPointF(rect.left() + PADDING_X, rect.top()), QPointF(rect.right() - PADDING_X, rect.top())
            )
        inner = QRectF(rect).adjusted(PADDING_X, 0, -PADDING_X, 0)
        self._paint_icon(painter, inner.left(), inner.center().y(), icon)
        left = self._theme.px(HEADING_ICON) + BESIDE_ICON
        paint_line(painter, inner.adjusted(left, 0, 0, 0), text, font, tokens.muted)

    def _paint_icon(self, painter: QPainter, left: float, middle: float, name: str) -> None:
        size = self._theme.px(HEADING_ICON)
        self._theme.icon(name, "muted", size).paint(painter, round(left), round(middle - size / 2), size, size)
