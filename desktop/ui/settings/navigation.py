"""The list of settings pages: icon, title, and during a search how many settings were found on each."""

from collections.abc import Mapping

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListWidget,
    QListWidgetItem,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from desktop.ui.sidebar.row_painting import RowState, paint_background, paint_line, smaller
from desktop.ui.theme.theme_manager import ThemeManager

KEY, ICON, COUNT = (Qt.ItemDataRole.UserRole + number for number in range(3))
ICON_SIZE = 18
Index = QModelIndex | QPersistentModelIndex


class Navigation(QListWidget):
    """Emits ``page_chosen`` with a page's key when the user goes to it, ``entered`` for Enter or Right on a row."""

    page_chosen = Signal(str)
    entered_page = Signal()

    def __init__(self, theme: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setObjectName("settingsNavigation")
        self.setProperty("role", "sidebar")
        self.setItemDelegate(_PageDelegate(theme, self))
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.currentItemChanged.connect(self._current_changed)
        theme.changed.connect(self.scheduleDelayedItemsLayout)

    def add_page(self, key: str, icon: str) -> None:
        item = QListWidgetItem()
        item.setData(KEY, key)
        item.setData(ICON, icon)
        self.addItem(item)

    def set_titles(self, titles: Mapping[str, str]) -> None:
        for item in self._items():
            item.setText(titles[item.data(KEY)])

    def show_counts(self, counts: Mapping[str, int] | None) -> None:
        """Show only the pages of ``counts`` with their numbers (0 for a page found by its title); None shows all."""
        for item in self._items():
            key = item.data(KEY)
            item.setHidden(counts is not None and key not in counts)
            count = counts.get(key, 0) if counts is not None else 0
            item.setData(COUNT, count)
            found = self.tr("%n settings found", "", count)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{item.text()}, {found}" if count else None)

    def select(self, key: str) -> None:
        """Make the page's row the current one; emits nothing."""
        self.blockSignals(True)
        for item in self._items():
            if item.data(KEY) == key:
                self.setCurrentItem(item)
        self.blockSignals(False)
        self.viewport().update()

    def neighbour(self, step: int) -> str:
        """Return the key of the page that is ``step`` rows away among those shown, in a circle; empty without any."""
        keys = [item.data(KEY) for item in self._items() if not item.isHidden()]
        if not keys:
            return ""
        current = self.currentItem()
        key = current.data(KEY) if current is not None else ""
        return keys[(keys.index(key) + step) % len(keys)] if key in keys else keys[0]

    def wanted_width(self) -> int:
        """As wide as the longest title with its icon and a number."""
        widths = [self.fontMetrics().horizontalAdvance(item.text()) for item in self._items()]
        return max(widths, default=0) + self._theme.px(ICON_SIZE) + 84

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Right):
            self.entered_page.emit()
            return
        super().keyPressEvent(event)

    def _items(self) -> list[QListWidgetItem]:
        return [self.item(number) for number in range(self.count())]

    def _current_changed(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.page_chosen.emit(item.data(KEY))


class _PageDelegate(QStyledItemDelegate):
    def __init__(self, theme: ThemeManager, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: N802
        return QSize(100, QFontMetrics(self._theme.ui_font()).height() + 20)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        tokens, state = self._theme.tokens, RowState.of(option)
        rect = option.rect.adjusted(0, 1, 0, -1)
        paint_background(painter, rect, tokens, state)
        colour = "accent" if state.selected else "muted"
        size = self._theme.px(ICON_SIZE)
        icon = self._theme.icon(index.data(ICON), colour, size)
        icon.paint(painter, rect.left() + 10, rect.top(), size, rect.height())
        font, count = self._theme.ui_font(), index.data(COUNT)
        right = rect.right() - 10
        if count:
            number = str(count)
            width = QFontMetrics(font).horizontalAdvance(number)
            paint_line(
                painter, QRectF(right - width, rect.top(), width + 4, rect.height()), number, smaller(font), tokens.text
            )
            right -= width + 8
        left = rect.left() + 10 + size + 10
        paint_line(painter, QRectF(left, rect.top(), right - left, rect.height()), index.data(), font, tokens.text)
        painter.restore()
