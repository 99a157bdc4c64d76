"""What a search found: hits grouped by their thread, the matches marked."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor, QFontMetricsF, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop.ui.sidebar.row_painting import (
    RowState,
    marked_layout,
    paint_background,
    paint_line,
    paint_marked_text,
    smaller,
)
from desktop.ui.state.plain_line import marked_without_marks
from desktop.ui.theme.fonts import strong
from desktop.ui.theme.theme_manager import ThemeManager

if TYPE_CHECKING:
    from desktop.conversation.entities import SearchHit

AnyIndex = QModelIndex | QPersistentModelIndex
_NO_INDEX = QModelIndex()
PADDING_X = 10.0
PADDING_Y = 6
INDENT = 12.0
GAP = 8
HEADING_ICON = 13
MAX_LINES = 2


class RowKind(IntEnum):
    HEADING = 0
    """Says how what stands below it was found; cannot be chosen."""
    THREAD = 1
    MESSAGE = 2


class HitRole(IntEnum):
    THREAD_ID = Qt.ItemDataRole.UserRole
    MESSAGE_ID = Qt.ItemDataRole.UserRole + 1
    """Empty for the row of a thread."""
    HIGHLIGHTS = Qt.ItemDataRole.UserRole + 2
    KIND = Qt.ItemDataRole.UserRole + 3


Highlights = tuple[tuple[int, int], ...]


@dataclass
class _Group:
    title: str
    highlights: Highlights = ()
    hits: "list[SearchHit]" = field(default_factory=list)


@dataclass(frozen=True)
class _Row:
    kind: RowKind
    text: str = ""
    highlights: Highlights = ()
    thread_id: str = ""
    message_id: str = ""
    by_meaning: bool = False


class SearchResultModel(QAbstractListModel):
    """A row for each thread with a hit, followed by one for each message in it; below them what is like the search."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[_Row] = []

    def show_hits(self, hits: Sequence["SearchHit"]) -> None:
        """Replace the rows; threads stand in the order of their first hit."""
        self.beginResetModel()
        self._rows = _rows_of(hits, by_meaning=False)
        self.endResetModel()

    def add_like(self, hits: Sequence["SearchHit"]) -> None:
        """Show further hits below a heading, best first, without those that are there; all other rows stay as they are."""
        there = {row.message_id for row in self._rows}
        rows = _rows_of([hit for hit in hits if hit.message_id not in there], by_meaning=True)
        if rows:
            has_heading = any(row.kind is RowKind.HEADING for row in self._rows)
            added = rows if has_heading else [_Row(RowKind.HEADING, by_meaning=True), *rows]
            self.beginInsertRows(_NO_INDEX, len(self._rows), len(self._rows) + len(added) - 1)
            self._rows += added
            self.endInsertRows()

    def holds(self, thread_id: str) -> bool:
        """Whether anything of this thread was found."""
        return any(row.thread_id == thread_id for row in self._rows)

    def rowCount(self, parent: AnyIndex = _NO_INDEX) -> int:  # noqa: N802
        return 0 if parent.isValid() else len(self._rows)

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        if index.isValid() and self._rows[index.row()].kind is RowKind.HEADING:
            return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemNeverHasChildren
        return super().flags(index)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        row = self._rows[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self.tr("By meaning") if row.kind is RowKind.HEADING else row.text or self.tr("New chat")
            case Qt.ItemDataRole.AccessibleTextRole:
                return self._spoken(row)
            case HitRole.THREAD_ID:
                return row.thread_id
            case HitRole.MESSAGE_ID:
                return row.message_id
            case HitRole.HIGHLIGHTS:
                return row.highlights
            case HitRole.KIND:
                return row.kind
            case _:
                return None

    def _spoken(self, row: _Row) -> str:
        if row.kind is RowKind.HEADING:
            return self.tr("By meaning: in other words, or in another language")
        if row.kind is RowKind.THREAD:
            return self.tr("Chat: %1").replace("%1", row.text or self.tr("New chat"))
        words = self.tr("Message of a like meaning: %1") if row.by_meaning else self.tr("Message: %1")
        return words.replace("%1", row.text)


def _rows_of(hits: Sequence["SearchHit"], *, by_meaning: bool) -> list[_Row]:
    groups: dict[str, _Group] = {}
    for hit in hits:
        group = groups.setdefault(hit.thread_id, _Group(hit.thread_title))
        if hit.message_id is None:
            group.title, group.highlights = hit.snippet, hit.highlights
        else:
            group.hits.append(hit)
    rows: list[_Row] = []
    for thread_id, group in groups.items():
        rows.append(_Row(RowKind.THREAD, group.title, group.highlights, thread_id, by_meaning=by_meaning))
        for hit in group.hits:
            line = marked_without_marks(hit.snippet, hit.highlights)
            rows.append(_Row(RowKind.MESSAGE, *line, thread_id, hit.message_id or "", by_meaning))
    return rows


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
        if not index.row() or index.data(HitRole.KIND) == RowKind.MESSAGE:
            return 0
        above = index.model().index(index.row() - 1, 0).data(HitRole.KIND)
        return 0 if above == RowKind.HEADING else GAP

    def _paint_heading(self, painter: QPainter, rect: QRect, text: str, has_line: bool) -> None:
        tokens, font = self._theme.tokens, smaller(self._theme.ui_font())
        if has_line:
            painter.setPen(QColor(tokens.line))
            painter.drawLine(
                QPointF(rect.left() + PADDING_X, rect.top()), QPointF(rect.right() - PADDING_X, rect.top())
            )
        inner = QRectF(rect).adjusted(PADDING_X, 0, -PADDING_X, 0)
        size = self._theme.px(HEADING_ICON)
        icon = self._theme.icon("sparkles", "muted", size)
        icon.paint(painter, round(inner.left()), round(inner.center().y() - size / 2), size, size)
        paint_line(painter, inner.adjusted(size + 6, 0, 0, 0), text, font, tokens.muted)

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:  # noqa: N802
        font = self._theme.ui_font()
        kind = index.data(HitRole.KIND)
        if kind != RowKind.MESSAGE:
            line = QFontMetricsF(smaller(font) if kind == RowKind.HEADING else font).height()
            return QSize(100, round(line + 2 * self._padding + (self._gap(index))))
        small = smaller(font)
        parent = self.parent()
        width = parent.width() if isinstance(parent, QWidget) else 240
        lines = marked_layout(
            str(index.data()),
            index.data(HitRole.HIGHLIGHTS),
            small,
            self._theme.tokens,
            width - 2 * PADDING_X - INDENT,
            max_lines=MAX_LINES,
        ).lineCount()
        return QSize(100, round(min(lines, MAX_LINES) * QFontMetricsF(small).height() + 2 * self._padding))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        painter.save()
        rect: QRect = option.rect
        kind = index.data(HitRole.KIND)
        is_message = kind == RowKind.MESSAGE
        rect = rect.adjusted(0, self._gap(index), 0, 0)
        tokens = self._theme.tokens
        font = self._theme.ui_font()
        if kind == RowKind.HEADING:
            self._paint_heading(painter, rect, str(index.data()), bool(index.row()))
            painter.restore()
            return
        paint_background(painter, rect, tokens, RowState.of(option))
        inner = QRectF(rect).adjusted(
            PADDING_X + (INDENT if is_message else 0), self._padding, -PADDING_X, -self._padding
        )
        paint_marked_text(
            painter,
            inner,
            str(index.data()),
            index.data(HitRole.HIGHLIGHTS),
            smaller(font) if is_message else strong(font),
            tokens,
            colour=tokens.muted if is_message else tokens.text,
            max_lines=MAX_LINES if is_message else 1,
        )
        painter.restore()
