"""A list to read in a dialog: a line with an icon for each entry, however many there are."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QSize, Qt
from PySide6.QtWidgets import QListView

from desktop.ui.theme.theme_manager import ThemeManager

AnyIndex = QModelIndex | QPersistentModelIndex
_NO_INDEX = QModelIndex()
_ICON = 16


class IconLines(QAbstractListModel):
    """What stands in the line of an entry its ``icon_of`` and ``words_of`` say; ``UserRole`` gives the entry itself."""

    def __init__(self, theme: ThemeManager, entries: Sequence[Any] = ()) -> None:
        super().__init__()
        self._theme = theme
        self._entries = entries

    def icon_of(self, entry: Any) -> tuple[str, str]:
        """Return the name and the colour of its icon."""
        raise NotImplementedError

    def words_of(self, entry: Any) -> str:
        """Return its words, in one line."""
        raise NotImplementedError

    def show_entries(self, entries: Sequence[Any]) -> None:
        self.beginResetModel()
        self._entries = entries
        self.endResetModel()

    def retranslate(self) -> None:
        if self._entries:
            self.dataChanged.emit(self.index(0), self.index(len(self._entries) - 1))

    def rowCount(self, parent: AnyIndex = _NO_INDEX) -> int:  # noqa: N802
        return 0 if parent.isValid() else len(self._entries)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        entry = self._entries[index.row()]
        match role:
            case Qt.ItemDataRole.DecorationRole:
                return self._theme.icon(*self.icon_of(entry), self._theme.px(_ICON))
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.AccessibleTextRole:
                return self.words_of(entry)
            case Qt.ItemDataRole.UserRole:
                return entry
            case _:
                return None


def icon_list(object_name: str, theme: ThemeManager, model: IconLines) -> QListView:
    """Return a view of these lines, which cuts off what is too long for it; it owns the model."""
    view = QListView()
    view.setObjectName(object_name)
    view.setUniformItemSizes(True)
    view.setTextElideMode(Qt.TextElideMode.ElideRight)
    view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    view.setSelectionMode(QListView.SelectionMode.SingleSelection)
    view.setIconSize(QSize(theme.px(_ICON), theme.px(_ICON)))
    view.setSpacing(2)
    model.setParent(view)
    view.setModel(model)
    return view
