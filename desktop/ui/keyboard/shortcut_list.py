"""The list of all actions with their keys: grouped, searchable, and the place where keys are changed."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHeaderView, QLabel, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from desktop.ui.keyboard.own_keys import has_own_keys
from desktop.ui.punctuation import bracketed
from desktop.ui.search_field import SearchField
from desktop.ui.shortcuts import SHORTCUTS, Group, Shortcut, search_text, shown_keys, translated
from desktop.ui.theme.fonts import strong
from desktop.ui.theme.theme_manager import ThemeManager

SEARCHED = Qt.ItemDataRole.UserRole
"""The text of a row that the search looks through."""
ID = Qt.ItemDataRole.UserRole + 1
MOST_FOR_KEYS = 0.5
"""Of the width of the list; what does not fit is told by the tooltip."""


class ShortcutList(QWidget):
    """Signals:
    change_requested: a row was activated by Enter or a double click; carries the id of its action.
    current_changed: another row is the current one, or its keys are others now.
    """

    change_requested = Signal(str)
    current_changed = Signal()

    def __init__(self, theme: ThemeManager) -> None:
        super().__init__()
        self.search = SearchField("shortcutSearch", theme)
        self.search.textChanged.connect(self._filter)
        self.tree = QTreeWidget()
        self.tree.setObjectName("shortcutList")
        self.tree.setColumnCount(2)
        self.tree.setHeaderHidden(True)
        self.tree.setRootIsDecorated(False)
        self.tree.setItemsExpandable(False)
        self.tree.setIndentation(0)  # what lies beside a row would be marked apart from it
        self.tree.setUniformRowHeights(True)
        self.tree.setTabKeyNavigation(False)
        self.tree.header().setStretchLastSection(False)
        self.tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.tree.header().setSectionResizeMode(1, QHeaderView.ResizeMode.Fixed)
        self.tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.tree.itemActivated.connect(lambda _item, _column: self.change_current())
        self.tree.currentItemChanged.connect(lambda _now, _before: self.current_changed.emit())
        self._none = QLabel()
        self._none.setObjectName("noShortcuts")
        self._none.setProperty("role", "muted")
        self._none.setAlignment(Qt.AlignmentFlag.AlignCenter)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(12)
        layout.addWidget(self.search)
        layout.addWidget(self.tree, 1)
        layout.addWidget(self._none, 1)
        self._retranslate()

    @property
    def current(self) -> Shortcut | None:
        """The action of the current row."""
        item = self.tree.currentItem()
        shortcut_id = None if item is None or item.isHidden() else item.data(0, ID)
        return SHORTCUTS.get(shortcut_id) if shortcut_id else None

    def change_current(self) -> None:
        """Ask for the keys of the current row to be changed, if they can be."""
        if (shortcut := self.current) is not None and not shortcut.is_fixed:
            self.change_requested.emit(shortcut.id)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._share_width()

    def _share_width(self) -> None:
        """Give the keys what they need, but leave the names their part in a narrow list."""
        room = self.tree.viewport().width()
        self.tree.setColumnWidth(1, min(self.tree.sizeHintForColumn(1), round(room * MOST_FOR_KEYS)))

    def _retranslate(self) -> None:
        """Make all words anew; keys that were changed come this way, too."""
        self.search.setPlaceholderText(self.tr("Search shortcuts"))
        self.search.setAccessibleName(self.tr("Search shortcuts"))
        self.tree.setAccessibleName(self.tr("Keyboard shortcuts"))
        self._none.setText(self.tr("No matching shortcut."))
        current, scrolled = self.current, self.tree.verticalScrollBar().value()
        self.tree.clear()
        for group in Group:
            heading = QTreeWidgetItem([translated(group)])
            heading.setFlags(Qt.ItemFlag.ItemIsEnabled)
            heading.setFont(0, strong(self.tree.font()))
            self.tree.addTopLevelItem(heading)
            heading.setFirstColumnSpanned(True)
            for shortcut in SHORTCUTS.values():
                if shortcut.group is group:
                    row = self._item(shortcut)
                    heading.addChild(row)
                    if current is not None and shortcut.id == current.id:
                        self.tree.setCurrentItem(row)
            heading.setExpanded(True)
        self._filter(self.search.text())
        self._share_width()
        self.tree.verticalScrollBar().setValue(scrolled)
        self.current_changed.emit()

    def _item(self, shortcut: Shortcut) -> QTreeWidgetItem:
        name, keys, place = translated(shortcut.name), shown_keys(shortcut.id), translated(shortcut.place)
        item = QTreeWidgetItem([bracketed(name, place) if place else name, keys])
        for column in (0, 1):
            item.setToolTip(column, item.text(column))
        is_own = has_own_keys(shortcut.id)
        own = self.tr("changed") if is_own else ""
        item.setData(0, Qt.ItemDataRole.AccessibleTextRole, ", ".join(filter(None, (name, place, keys, own))))
        item.setData(0, SEARCHED, f"{search_text(shortcut)} {own}")
        item.setData(0, ID, shortcut.id)
        if is_own:
            item.setFont(1, strong(self.tree.font()))
            item.setText(1, keys or "–")
        item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return item

    def _filter(self, text: str) -> None:
        words = text.casefold().split()
        found = 0
        for number in range(self.tree.topLevelItemCount()):
            heading = self.tree.topLevelItem(number)
            assert heading is not None
            rows = [row for each in range(heading.childCount()) if (row := heading.child(each)) is not None]
            for row in rows:
                said = row.data(0, SEARCHED)
                row.setHidden(not all(word in said for word in words))
            shown = sum(not row.isHidden() for row in rows)
            heading.setHidden(not shown)
            found += shown
        self.tree.setVisible(bool(found))
        self._none.setVisible(not found)
