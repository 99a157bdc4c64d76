"""The list of the user's prompts: two lines each, of one height, so that thousands cost no more than what is in sight."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QKeySequence, QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop.conversation.prompts.entities import SavedPrompt
from desktop.ui.prompts.list_model import PromptListModel, PromptRole
from desktop.ui.shortcuts import sequences
from desktop.ui.sidebar.list_views import OpeningListView
from desktop.ui.sidebar.row_painting import RowState, paint_background, paint_line, smaller
from desktop.ui.theme.fonts import strong
from desktop.ui.theme.theme_manager import ThemeManager

AnyIndex = QModelIndex | QPersistentModelIndex
PADDING_X, PADDING_Y = 12, 7


class PromptListView(OpeningListView):
    """Signals:
    delete_requested: Delete was pressed.
    move_requested: Alt with Up (-1) or Down (1).
    """

    delete_requested = Signal()
    move_requested = Signal(int)

    def __init__(self, object_name: str, theme: ThemeManager, model: PromptListModel, *, several: bool) -> None:
        """``several``: more than one row can be chosen."""
        super().__init__(object_name)
        modes = QAbstractItemView.SelectionMode
        self.setSelectionMode(modes.ExtendedSelection if several else modes.SingleSelection)
        self.setUniformItemSizes(True)
        self.prompts = model
        model.setParent(self)
        self.setModel(model)
        self.setItemDelegate(_PromptDelegate(theme, self))
        theme.changed.connect(self.scheduleDelayedItemsLayout)

    def chosen(self) -> list[SavedPrompt]:
        """Return the chosen prompts in the order of the list."""
        rows = sorted(self.selectionModel().selectedIndexes(), key=QModelIndex.row)
        return [prompt for index in rows if (prompt := self.prompts.prompt_at(index)) is not None]

    def choose(self, prompt_ids: list[str]) -> None:
        """Choose these, as far as they are shown, the first of them with the focus, and bring it into view."""
        selection = self.selectionModel()
        selection.clearSelection()
        flags = selection.SelectionFlag
        rows = [row for prompt_id in prompt_ids if (row := self.prompts.row_of(prompt_id)).isValid()]
        for row in reversed(rows):
            selection.setCurrentIndex(row, flags.Select)
        if rows:
            self.scrollTo(rows[0])

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        keys, is_delete = Qt.Key, QKeySequence(event.keyCombination()) in sequences("delete_chat")
        is_alt = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.AltModifier
        if is_delete or event.key() == keys.Key_Delete:
            self.delete_requested.emit()
        elif is_alt and event.key() in (keys.Key_Up, keys.Key_Down):
            self.move_requested.emit(-1 if event.key() == keys.Key_Up else 1)
        else:
            super().keyPressEvent(event)


class _PromptDelegate(QStyledItemDelegate):
    """Name and how often it was used in one line, what it is for in the next."""

    def __init__(self, theme: ThemeManager, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, _option: QStyleOptionViewItem, _index: AnyIndex) -> QSize:  # noqa: N802
        font = self._theme.ui_font()
        lines = QFontMetricsF(strong(font)).height() + QFontMetricsF(smaller(font)).height()
        return QSize(100, round(lines + 2 * self._theme.sizes.room(PADDING_Y) + 4))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        painter.save()
        tokens, font = self._theme.tokens, self._theme.ui_font()
        rect = option.rect.adjusted(0, 1, 0, -1)
        paint_background(painter, rect, tokens, RowState.of(option))
        padding = self._theme.sizes.room(PADDING_Y)
        inner = QRectF(rect).adjusted(PADDING_X, padding, -PADDING_X, -padding)
        title, small = strong(font), smaller(font)
        first = QRectF(inner.left(), inner.top(), inner.width(), QFontMetricsF(title).height())
        use = str(index.data(PromptRole.USE) or "")
        width = min(QFontMetricsF(small).horizontalAdvance(use) + 2, inner.width() / 3) if use else 0
        paint_line(painter, first.adjusted(0, 0, -width - 12, 0), str(index.data()), title, tokens.text)
        if use:
            paint_line(painter, first.adjusted(first.width() - width, 0, 0, 0), use, small, tokens.muted)
        second = QRectF(inner.left(), inner.bottom() - QFontMetricsF(small).height(), inner.width(), 0)
        second.setBottom(inner.bottom())
        paint_line(painter, second, str(index.data(PromptRole.DETAILS)), small, tokens.muted)
        painter.restore()
