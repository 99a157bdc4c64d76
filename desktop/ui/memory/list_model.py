"""What is remembered as a list model: page by page, without what is about to be forgotten."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QAbstractListModel, QDate, QLocale, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from desktop.memory.entities import MemoryItem, MemoryStatus
from desktop.ui.memory.words import day, kind_word, origin_words, use_words
from desktop.ui.state.readable import one_line

AnyIndex = QModelIndex | QPersistentModelIndex
_NO_INDEX = QModelIndex()
MOST_SHOWN = 400
"""Characters of a text in the list; below it, all of the chosen one is shown."""


class MemoryRole(IntEnum):
    ID = Qt.ItemDataRole.UserRole + 1
    DETAILS = Qt.ItemDataRole.UserRole + 2
    """Kind, origin, date and use, in one line."""
    IS_PINNED = Qt.ItemDataRole.UserRole + 3
    IS_PAST = Qt.ItemDataRole.UserRole + 4
    """Something newer took its place."""


@dataclass(frozen=True)
class ChatPlace:
    """The chat that an item comes from, as far as it is there."""

    title: str
    can_be_opened: bool = True


@dataclass(frozen=True)
class Found:
    """A row of the list."""

    item: MemoryItem
    by_meaning: bool = False
    """It shares its meaning with what is searched for, not its words."""


class MemoryListModel(QAbstractListModel):
    """Signals:
    more_requested: how many rows are loaded; the next ones are wanted.
    """

    more_requested = Signal(int)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._loaded: list[Found] = []
        self._rows: list[Found] = []
        self._places: dict[str, ChatPlace | None] = {}
        self._hidden: frozenset[str] = frozenset()
        self._complete = False
        self._asked_at = -1
        self._locale = QLocale()

    @property
    def loaded_count(self) -> int:
        """How many were loaded, with those that are hidden."""
        return sum(not found.by_meaning for found in self._loaded)

    @property
    def is_complete(self) -> bool:
        return self._complete

    def show(self, found: Sequence[Found], places: Mapping[str, ChatPlace | None], *, complete: bool) -> None:
        """Show what another search found instead of what was shown."""
        self.beginResetModel()
        self._loaded, self._complete, self._asked_at = list(found), complete, -1
        self._places.update(places)
        self._rows = [one for one in self._loaded if one.item.id not in self._hidden]
        self._locale = QLocale()
        self.endResetModel()

    def update(self, found: Sequence[Found], places: Mapping[str, ChatPlace | None], *, complete: bool) -> None:
        """Show what the same search found by now: rows that stay are moved and changed, so that the choice among them
        holds."""
        self._loaded, self._complete, self._asked_at = list(found), complete, -1
        self._places.update(places)
        self._locale = QLocale()
        wanted = [one for one in self._loaded if one.item.id not in self._hidden]
        kept = {one.item.id for one in wanted}
        for number in range(len(self._rows) - 1, -1, -1):
            if self._rows[number].item.id not in kept:
                self._remove_row(number)
        for number, one in enumerate(wanted):
            at = next((n for n in range(number, len(self._rows)) if self._rows[n].item.id == one.item.id), None)
            if at is None:
                self._insert_row(number, one)
            elif at != number:
                self.beginMoveRows(_NO_INDEX, at, at, _NO_INDEX, number)
                self._rows.insert(number, self._rows.pop(at))
                self.endMoveRows()
        self._rows = wanted
        if wanted:
            self.dataChanged.emit(self.index(0), self.index(len(wanted) - 1))

    def append(self, found: Sequence[Found], places: Mapping[str, ChatPlace | None], *, complete: bool) -> None:
        """Show further ones below; what is there already is left out."""
        known = {one.item.id for one in self._loaded}
        new = [one for one in found if one.item.id not in known]
        self._places.update(places)
        self._loaded += new
        self._complete = complete
        if shown := [one for one in new if one.item.id not in self._hidden]:
            self.beginInsertRows(QModelIndex(), len(self._rows), len(self._rows) + len(shown) - 1)
            self._rows += shown
            self.endInsertRows()

    def set_hidden(self, hidden: frozenset[str]) -> None:
        """Leave these out; those that are not among them any more come back where they were."""
        if hidden == self._hidden:
            return
        gone, back = hidden - self._hidden, self._hidden - hidden
        self._hidden = hidden
        for number in range(len(self._rows) - 1, -1, -1):
            if self._rows[number].item.id in gone:
                self._remove_row(number)
        wanted = [one for one in self._loaded if one.item.id not in hidden]
        for number, one in enumerate(wanted):
            if one.item.id in back:
                self._insert_row(number, one)

    def item_at(self, index: AnyIndex) -> MemoryItem | None:
        return self._rows[index.row()].item if index.isValid() and index.row() < len(self._rows) else None

    def place_of(self, item: MemoryItem) -> ChatPlace | None:
        """Return the chat that an item comes from; None where it is gone."""
        return self._places.get(item.source.thread_id) if item.source is not None else None

    def row_of(self, item_id: str) -> QModelIndex:
        """Return the item's index; an invalid one when it is not shown."""
        for number, found in enumerate(self._rows):
            if found.item.id == item_id:
                return self.index(number)
        return QModelIndex()

    def retranslate(self) -> None:
        """Take the present language and day."""
        self._locale = QLocale()
        if self._rows:
            self.dataChanged.emit(self.index(0), self.index(len(self._rows) - 1))

    # -- Qt's side

    def rowCount(self, parent: AnyIndex = _NO_INDEX) -> int:  # noqa: N802
        return 0 if parent.isValid() else len(self._rows)

    def canFetchMore(self, parent: AnyIndex = _NO_INDEX) -> bool:  # noqa: N802
        return not parent.isValid() and not self._complete and bool(self._loaded)

    def fetchMore(self, parent: AnyIndex = _NO_INDEX) -> None:  # noqa: N802
        if self._asked_at != self.loaded_count:  # once for each page, however often the view asks
            self._asked_at = self.loaded_count
            self.more_requested.emit(self._asked_at)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        found = self._rows[index.row()]
        item = found.item
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return one_line(item.text, MOST_SHOWN)
            case Qt.ItemDataRole.AccessibleTextRole:
                pinned = self.tr("pinned") if item.is_pinned else ""
                return ", ".join(filter(None, (one_line(item.text, MOST_SHOWN), pinned, self._details(found))))
            case MemoryRole.ID:
                return item.id
            case MemoryRole.DETAILS:
                return self._details(found)
            case MemoryRole.IS_PINNED:
                return item.is_pinned
            case MemoryRole.IS_PAST:
                return item.status is MemoryStatus.SUPERSEDED
            case _:
                return None

    def _remove_row(self, number: int) -> None:
        self.beginRemoveRows(_NO_INDEX, number, number)
        del self._rows[number]
        self.endRemoveRows()

    def _insert_row(self, number: int, one: Found) -> None:
        self.beginInsertRows(_NO_INDEX, number, number)
        self._rows.insert(number, one)
        self.endInsertRows()

    def _details(self, found: Found) -> str:
        item, today = found.item, QDate.currentDate()
        pieces = [self.tr("found by its meaning")] if found.by_meaning else []
        pieces.append(kind_word(item.kind))
        if item.valid_to is not None:
            until = self.tr("true until %1")
            pieces.append(until.replace("%1", day(item.valid_to, today, self._locale)))
        place = self.place_of(item)
        pieces.append(origin_words(item, place.title if place is not None else None))
        pieces.append(day(item.observed_at, today, self._locale))
        if item.only_thread_id is not None:
            pieces.append(self.tr("only in its chat"))
        if item.status is not MemoryStatus.PENDING:
            pieces.append(use_words(item, today, self._locale))
        return " · ".join(pieces)
