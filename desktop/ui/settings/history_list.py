"""The list of decided calls: two lines each, more of them read from the disk as the user scrolls."""

from collections.abc import Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop.tools.ledger import LedgerEntry, LedgerVerdict
from desktop.ui.history_words import call_line, chat_words, decision_words, outcome_words, time_words, tool_words
from desktop.ui.sidebar.row_painting import RowState, paint_background, paint_line, smaller
from desktop.ui.theme.theme_manager import ThemeManager

ENTRY = Qt.ItemDataRole.UserRole
Index = QModelIndex | QPersistentModelIndex
_COLOURS = {LedgerVerdict.ALLOWED: "accent", LedgerVerdict.REFUSED: "error", LedgerVerdict.UNDECIDED: "muted"}
_ICONS = {LedgerVerdict.ALLOWED: "check", LedgerVerdict.REFUSED: "ban", LedgerVerdict.UNDECIDED: "circle-question-mark"}
_ICON = 16


class HistoryModel(QAbstractListModel):
    """Emits ``more_wanted`` when the view has come to the end of what was read."""

    more_wanted = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.entries: list[LedgerEntry] = []
        self._has_more = False
        self._is_waiting = False

    def show_entries(self, entries: Sequence[LedgerEntry], *, has_more: bool) -> None:
        self.beginResetModel()
        self.entries = list(entries)
        self._has_more, self._is_waiting = has_more, False
        self.endResetModel()

    def add_entries(self, entries: Sequence[LedgerEntry], *, has_more: bool) -> None:
        self._has_more, self._is_waiting = has_more, False
        if entries:
            first = len(self.entries)
            self.beginInsertRows(QModelIndex(), first, first + len(entries) - 1)
            self.entries += entries
            self.endInsertRows()

    def words_changed(self) -> None:
        if self.entries:
            self.dataChanged.emit(self.index(0), self.index(len(self.entries) - 1))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: N802, B008
        return 0 if parent.isValid() else len(self.entries)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        entry = self.entries[index.row()]
        if role == ENTRY:
            return entry
        if role == Qt.ItemDataRole.DisplayRole:
            return call_line(entry)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            said = (call_line(entry), tool_words(entry), decision_words(entry), outcome_words(entry))
            return ", ".join((*said, chat_words(entry), time_words(entry.proposed_at)))
        return None

    def canFetchMore(self, parent: Index) -> bool:  # noqa: N802
        return not parent.isValid() and self._has_more and not self._is_waiting

    def fetchMore(self, parent: Index) -> None:  # noqa: N802
        self._is_waiting = True
        self.more_wanted.emit()


class HistoryDelegate(QStyledItemDelegate):
    """Only what is in sight is drawn, so that the length of the list does not matter."""

    def __init__(self, theme: ThemeManager, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: N802
        font = self._theme.ui_font()
        return QSize(100, QFontMetrics(font).height() + QFontMetrics(smaller(font)).height() + 22)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        entry: LedgerEntry = index.data(ENTRY)
        painter.save()
        tokens = self._theme.tokens
        rect = option.rect.adjusted(2, 1, -2, -1)
        paint_background(painter, rect, tokens, RowState.of(option))
        size = self._theme.px(_ICON)
        icon = self._theme.icon(_ICONS[entry.verdict], _COLOURS[entry.verdict], size)
        icon.paint(painter, rect.left() + 10, rect.top(), size, rect.height())
        inside = QRectF(rect).adjusted(20 + size, 6, -12, -6)
        font, small = self._theme.ui_font(), smaller(self._theme.ui_font())
        upper = QRectF(inside.left(), inside.top(), inside.width(), QFontMetrics(font).height())
        time = time_words(entry.proposed_at)
        width = QFontMetrics(small).horizontalAdvance(time)
        code = self._theme.code_font()
        code.setPointSizeF(font.pointSizeF())
        paint_line(painter, upper.adjusted(0, 0, -width - 14, 0), call_line(entry), code, tokens.text)
        paint_line(painter, upper.adjusted(upper.width() - width, 0, 8, 0), time, small, tokens.muted)
        lower = QRectF(inside.left(), upper.bottom() + 4, inside.width(), inside.bottom() - upper.bottom() - 4)
        said = (decision_words(entry), outcome_words(entry), tool_words(entry), chat_words(entry))
        paint_line(painter, lower, " · ".join(said), small, tokens.muted)
        painter.restore()
