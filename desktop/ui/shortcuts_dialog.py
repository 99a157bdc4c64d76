"""The list of keyboard shortcuts: grouped, searchable, made from the one table."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from desktop.ui.dialogs.returning_dialog import ReturningDialog
from desktop.ui.punctuation import bracketed
from desktop.ui.shortcuts import SHORTCUTS, Group, Shortcut, search_text, shown_keys, translated
from desktop.ui.theme.fonts import strong

SIZE = (520, 620)
SEARCHED = Qt.ItemDataRole.UserRole
"""The text of a row that the search looks through."""


class ShortcutsDialog(ReturningDialog):
    """Opened with ``open()``; deletes itself when closed."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("shortcutsDialog")
        self.setProperty("prompt", True)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.resize(SIZE[0], min(SIZE[1], max(360, parent.height() - 80)))
        self._title = QLabel()
        self._title.setProperty("role", "heading")
        self._search = QLineEdit()
        self._search.setObjectName("shortcutSearch")
        self._search.setClearButtonEnabled(True)
        self._search.textChanged.connect(self._filter)
        self._tree = QTreeWidget()
        self._tree.setObjectName("shortcutList")
        self._tree.setColumnCount(2)
        self._tree.setHeaderHidden(True)
        self._tree.setRootIsDecorated(False)
        self._tree.setItemsExpandable(False)
        self._tree.setIndentation(0)  # what lies beside a row would be marked apart from it
        self._tree.setUniformRowHeights(True)
        self._tree.setTabKeyNavigation(False)
        self._tree.header().setStretchLastSection(False)
        self._tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self._tree.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self._none = QLabel()
        self._none.setObjectName("noShortcuts")
        self._none.setProperty("role", "muted")
        self._none.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._close = QPushButton()
        self._close.setObjectName("shortcutsClose")
        self._close.setAutoDefault(False)
        self._close.clicked.connect(self.accept)
        self._arrange()
        self._retranslate()
        self._search.setFocus()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _arrange(self) -> None:
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self._close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 20, 22, 18)
        layout.setSpacing(12)
        layout.addWidget(self._title)
        layout.addWidget(self._search)
        layout.addWidget(self._tree, 1)
        layout.addWidget(self._none, 1)
        layout.addLayout(buttons)

    def _retranslate(self) -> None:
        title = self.tr("Keyboard shortcuts")
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        self._title.setText(title)
        self._search.setPlaceholderText(self.tr("Search shortcuts"))
        self._search.setAccessibleName(self.tr("Search shortcuts"))
        self._tree.setAccessibleName(title)
        self._none.setText(self.tr("No matching shortcut."))
        self._close.setText(self.tr("Close"))
        self._close.setAccessibleName(self.tr("Close"))
        self._fill()

    def _fill(self) -> None:
        self._tree.clear()
        for group in Group:
            heading = QTreeWidgetItem([translated(group)])
            heading.setFlags(Qt.ItemFlag.ItemIsEnabled)
            heading.setFont(0, strong(self._tree.font()))
            self._tree.addTopLevelItem(heading)
            heading.setFirstColumnSpanned(True)
            heading.addChildren([self._item(each) for each in SHORTCUTS.values() if each.group is group])
            heading.setExpanded(True)
        self._filter(self._search.text())

    def _item(self, shortcut: Shortcut) -> QTreeWidgetItem:
        name, keys, place = translated(shortcut.name), shown_keys(shortcut.id), translated(shortcut.place)
        item = QTreeWidgetItem([bracketed(name, place) if place else name, keys])
        item.setData(0, Qt.ItemDataRole.AccessibleTextRole, ", ".join(filter(None, (name, place, keys))))
        item.setData(0, SEARCHED, search_text(shortcut))
        item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return item

    def _filter(self, text: str) -> None:
        words = text.casefold().split()
        found = 0
        for number in range(self._tree.topLevelItemCount()):
            heading = self._tree.topLevelItem(number)
            assert heading is not None
            rows = [row for each in range(heading.childCount()) if (row := heading.child(each)) is not None]
            for row in rows:
                said = row.data(0, SEARCHED)
                row.setHidden(not all(word in said for word in words))
            shown = sum(not row.isHidden() for row in rows)
            heading.setHidden(not shown)
            found += shown
        self._tree.setVisible(bool(found))
        self._none.setVisible(not found)
