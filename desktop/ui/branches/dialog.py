"""The map of a chat's branches: a line for each message, the way shown marked, all others folded beside it."""

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QStyleOptionViewItem,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from desktop.conversation.entities import MessageStatus, Role
from desktop.ui.controls import describe
from desktop.ui.dialogs.parts import dialog_button, plain_label
from desktop.ui.dialogs.returning_dialog import ReturningDialog
from desktop.ui.state.branch_map import BranchMap, MapRow, way_to
from desktop.ui.state.plain_line import without_marks
from desktop.ui.state.readable import readable
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.transcript.model_name import model_name

_WIDTH, _HEIGHT = 680, 620
_ICON, _LINE = 14, 28
_Index = QModelIndex | QPersistentModelIndex
_ROW = Qt.ItemDataRole.UserRole + 1
_IS_FILLED = Qt.ItemDataRole.UserRole + 2


class BranchMapDialog(ReturningDialog):
    """Opened with ``open()``. ``chosen`` carries the id of the message to which the user wants to go."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget, theme: ThemeManager) -> None:
        super().__init__(parent)
        self._theme = theme
        self._map = BranchMap((), 0)
        self._at = ""
        self._is_unfolded = False
        self.setObjectName("branchMap")
        self.setProperty("prompt", True)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.resize(min(theme.px(_WIDTH), max(360, parent.width() - 60)), min(theme.px(_HEIGHT), parent.height() - 60))
        self._title, self._words = plain_label("", "title"), plain_label("", "muted")
        self._words.setObjectName("branchMapWords")
        self._model = QStandardItemModel(self)
        self._tree = _Tree(theme)
        self._tree.setModel(self._model)
        self._tree.setIconSize(QSize(theme.px(_ICON), theme.px(_ICON)))
        self._tree.header().setStretchLastSection(False)
        self._tree.expanded.connect(self._fill_index)
        self._tree.clicked.connect(self._use)
        self._tree.entered_on.connect(self._use)
        self._unfold, self._close = dialog_button("branchMapUnfold"), dialog_button("branchMapClose")
        self._unfold.clicked.connect(self._unfold_all)
        self._close.clicked.connect(self.reject)
        self._arrange()
        theme.changed.connect(self._show)
        self._retranslate()

    @property
    def tree(self) -> QTreeView:
        return self._tree

    def show_map(self, shown: BranchMap, message_id: str) -> None:
        """Show the messages of a chat, with the line of this one chosen."""
        self._map, self._at = shown, message_id
        self._show()
        self._tree.setFocus()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _arrange(self) -> None:
        buttons = QHBoxLayout()
        buttons.addWidget(self._unfold)
        buttons.addStretch(1)
        buttons.addWidget(self._close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 20, 22, 18)
        layout.setSpacing(12)
        for widget in (self._title, self._words):
            layout.addWidget(widget)
        layout.addWidget(self._tree, 1)
        layout.addLayout(buttons)

    def _retranslate(self) -> None:
        self.setWindowTitle(self.tr("Map of branches"))
        self._title.setText(self.windowTitle())
        self._tree.setAccessibleName(self.windowTitle())
        self._unfold.setText(self.tr("Unfold all"))
        self._close.setText(self.tr("Close"))
        describe(self._unfold, self._unfold.text())
        self._show()

    # -- rows

    def _show(self) -> None:
        if self._map.ends > 1:
            words = self.tr(
                "%n ways through this chat. What is shown now has a dot; click a line to go there.",
                "",
                self._map.ends,
            )
        else:
            words = self.tr(
                "One way through this chat. Change a message or ask for another answer to begin a further one."
            )
        self._words.setText(words)
        here = self._tree.currentIndex().siblingAtColumn(0).data(_ROW)
        if isinstance(here, MapRow) and here.node is not None:
            self._at = here.node.id
        self._model.clear()
        self._model.setColumnCount(2)
        header = self._tree.header()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self._add(self._model.invisibleRootItem(), self._map.rows)
        self._unfold.setVisible(any(row.rows for row in self._map.rows))
        if self._is_unfolded:
            self._fill_all()
        self._choose(self._at)

    def _add(self, parent: QStandardItem, rows: Sequence[MapRow]) -> None:
        for row in rows:
            item, place = QStandardItem(self._text(row)), QStandardItem(self._place(row))
            node = row.node
            is_shown = node.is_on_path if node is not None else all(r.node and r.node.is_on_path for r in row.rows)
            icon = "circle-dot" if is_shown else "circle"
            item.setIcon(self._theme.icon(icon, "accent" if is_shown else "muted", self._theme.px(_ICON)))
            if node is None:
                item.setIcon(self._theme.icon("ellipsis-vertical", "muted", self._theme.px(_ICON)))
            if not is_shown or node is None:
                item.setForeground(QColor(self._theme.tokens.muted))
            place.setForeground(QColor(self._theme.tokens.muted))
            item.setData(row, _ROW)
            item.setToolTip("" if node is None else f"<qt>{escape(readable(node.beginning), quote=False)}</qt>")
            item.setData(self._spoken(row, is_shown), Qt.ItemDataRole.AccessibleTextRole)
            item.setSizeHint(QSize(0, self._theme.px(_LINE)))
            for each in (item, place):
                each.setEditable(False)
            if row.rows:
                item.appendRow(QStandardItem())  # what is folded is made when it is unfolded
            parent.appendRow([item, place])

    def _text(self, row: MapRow) -> str:
        node = row.node
        if node is None:
            return self.tr("%n messages", "", row.size)
        who = self.tr("You") if node.role is Role.USER else model_name(node.model) or self.tr("Answer")
        said = readable(node.beginning if node.role is Role.USER else without_marks(node.beginning))
        return self.tr("%1: %2").replace("%1", who).replace("%2", said or self._state(node.status))

    def _state(self, status: MessageStatus) -> str:
        match status:
            case MessageStatus.STREAMING:
                return self.tr("being written…")
            case MessageStatus.FAILED:
                return self.tr("failed")
            case MessageStatus.STOPPED | MessageStatus.INTERRUPTED:
                return self.tr("stopped before its first word")
            case MessageStatus.COMPLETE:
                return self.tr("no words")

    def _place(self, row: MapRow) -> str:
        if row.node is None or row.count == 1:
            return ""
        return self.tr("%1 of %2").replace("%1", str(row.number)).replace("%2", str(row.count))

    def _spoken(self, row: MapRow, is_shown: bool) -> str:
        """What a screen reader says of a line: its place and whether it is shown do not depend on its looks."""
        parts = [self._text(row), self._place(row), self.tr("shown now") if is_shown else self.tr("on another way")]
        if row.node is not None and row.rows:
            parts.append(self.tr("%n messages", "", row.size))
        return ", ".join(filter(None, parts))

    def _fill_index(self, index: QModelIndex) -> None:
        self._fill(self._model.itemFromIndex(index.siblingAtColumn(0)))

    def _fill(self, item: QStandardItem) -> None:
        row = item.data(_ROW)
        if isinstance(row, MapRow) and row.rows and not item.data(_IS_FILLED):
            item.setData(True, _IS_FILLED)
            item.removeRows(0, item.rowCount())
            self._add(item, row.rows)

    def _choose(self, message_id: str) -> None:
        """Unfold what a message is folded in, and choose its line; without one the last line that is shown."""
        way = way_to(self._map.rows, message_id) or ((len(self._map.rows) - 1,) if self._map.rows else ())
        item = self._model.invisibleRootItem()
        for depth, place in enumerate(way):
            if depth:
                self._fill(item)
                self._tree.setExpanded(item.index(), True)
            item = item.child(place)
        if way:
            self._tree.setCurrentIndex(item.index())
            self._tree.scrollTo(item.index(), QTreeView.ScrollHint.PositionAtCenter)

    def _unfold_all(self) -> None:
        self._is_unfolded = True
        self._fill_all()
        self._tree.setFocus()

    def _fill_all(self) -> None:
        waiting = [self._model.invisibleRootItem()]
        while waiting:
            item = waiting.pop()
            self._fill(item)
            waiting += [item.child(row) for row in range(item.rowCount()) if item.child(row).hasChildren()]
        self._tree.expandAll()

    def _use(self, index: QModelIndex) -> None:
        index = index.siblingAtColumn(0)
        row = index.data(_ROW)
        if not isinstance(row, MapRow):
            return
        if row.node is None:
            self._tree.setExpanded(index, not self._tree.isExpanded(index))
            return
        self.accept()
        self.chosen.emit(row.node.id)


class _Tree(QTreeView):
    """``entered_on`` comes with Enter or Space on a line. The line that the keys are at is marked over its whole width."""

    entered_on = Signal(QModelIndex)

    def __init__(self, theme: ThemeManager) -> None:
        super().__init__()
        self._theme = theme
        self.setObjectName("branchTree")
        self.setSelectionMode(QTreeView.SelectionMode.NoSelection)  # which the style would draw in two pieces
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setAnimated(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setTabKeyNavigation(False)
        self.setExpandsOnDoubleClick(False)

    def drawRow(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:  # noqa: N802
        if index == self.currentIndex().siblingAtColumn(0):
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(self._theme.tokens.selection))
            painter.drawRoundedRect(QRect(0, option.rect.y(), self.viewport().width(), option.rect.height()), 6, 6)
            painter.restore()
        super().drawRow(painter, option, index)

    def drawBranches(self, painter: QPainter, rect: QRect, index: _Index) -> None:  # noqa: N802
        if index.model().hasChildren(index):
            size = self._theme.px(_ICON)
            icon = self._theme.icon("chevron-down" if self.isExpanded(index) else "chevron-right", "muted", size)
            place = QRect(rect.right() - (self.indentation() + size) // 2, rect.center().y() - size // 2, size, size)
            icon.paint(painter, place)

    def currentChanged(self, current: _Index, previous: _Index) -> None:  # noqa: N802
        super().currentChanged(current, previous)
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        keys = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
        if event.key() in keys and self.currentIndex().isValid():
            self.entered_on.emit(self.currentIndex())
        else:
            super().keyPressEvent(event)
