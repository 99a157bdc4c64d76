"""What a search found: hits grouped by their thread, the matches marked."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop.ui.sidebar.row_painting import (
    RowState,
    marked_layout,
    paint_background,
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
MAX_LINES = 2


class HitRole(IntEnum):
    THREAD_ID = Qt.ItemDataRole.UserRole
    MESSAGE_ID = Qt.ItemDataRole.UserRole + 1
    """Empty for the row of a thread."""
    HIGHLIGHTS = Qt.ItemDataRole.UserRole + 2


@dataclass
class _Group:
    title: str
    highlights: tuple[tuple[int, int], ...] = ()
    hits: "list[SearchHit]" = field(default_factory=list)


class SearchResultModel(QAbstractListModel):
    """A row for each thread with a hit, followed by one for each message in it."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[tuple[str, str, str, tuple[tuple[int, int], ...]]] = []

    def show_hits(self, hits: Sequence["SearchHit"]) -> None:
        """Replace the rows; threads stand in the order of their first hit."""
        groups: dict[str, _Group] = {}
        for hit in hits:
            group = groups.setdefault(hit.thread_id, _Group(hit.thread_title))
            if hit.message_id is None:
                group.title, group.highlights = hit.snippet, hit.highlights
            else:
                group.hits.append(hit)
        self.beginResetModel()
        self._rows = []
        for thread_id, group in groups.items():
            self._rows.append((thread_id, "", group.title, group.highlights))
            self._rows += [
                (thread_id, hit.message_id or "", *marked_without_marks(hit.snippet, hit.highlights))
                for hit in group.hits
            ]
        self.endResetModel()

    def rowCount(self, parent: AnyIndex = _NO_INDEX) -> int:  # noqa: N802
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        thread_id, message_id, text, highlights = self._rows[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return text or self.tr("New chat")
            case Qt.ItemDataRole.AccessibleTextRole:
                return (
                    self.tr("Message: %1").replace("%1", text)
                    if message_id
                    else self.tr("Chat: %1").replace("%1", text)
                )
            case HitRole.THREAD_ID:
                return thread_id
            case HitRole.MESSAGE_ID:
                return message_id
            case HitRole.HIGHLIGHTS:
                return highlights
            case _:
                return None


class SearchResultDelegate(QStyledItemDelegate):
    """Draws a thread's title in and below it the found passages."""

    def __init__(self, theme: ThemeManager, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    @property
    def _padding(self) -> int:
        return self._theme.sizes.room(PADDING_Y)

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:  # noqa: N802
        font = self._theme.ui_font()
        if not index.data(HitRole.MESSAGE_ID):
            return QSize(100, round(QFontMetricsF(font).height() + 2 * self._padding + (8 if index.row() else 0)))
        small = smaller(font)
        parent = self.parent()
        width = parent.width() if isinstance(parent, QWidget) else 240
        lines = marked_layout(
            str(index.data()), index.data(HitRole.HIGHLIGHTS), small, self._theme.tokens, width - 2 * PADDING_X - INDENT
        ).lineCount()
        return QSize(100, round(min(lines, MAX_LINES) * QFontMetricsF(small).height() + 2 * self._padding))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        painter.save()
        rect: QRect = option.rect
        is_message = bool(index.data(HitRole.MESSAGE_ID))
        if not is_message and index.row():
            rect = rect.adjusted(0, 8, 0, 0)
        tokens = self._theme.tokens
        paint_background(painter, rect, tokens, RowState.of(option))
        font = self._theme.ui_font()
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
