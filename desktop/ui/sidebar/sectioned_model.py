"""A list model of sections: puts rows in, moves them and takes them out one by one, so that selections and places stay."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex

from desktop.ui.sidebar.thread_sections import Row, RowKind, Section, Sections, SortKey

AnyIndex = QModelIndex | QPersistentModelIndex
Place = tuple[str, SortKey]
"""The section of a thread, and where in it."""
_NO_INDEX = QModelIndex()


class SectionedModel(QAbstractListModel):
    """Knows where each thread stands. A change costs what it changes, not what there is."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._sections = Sections()
        self._places: dict[str, Place] = {}

    def rowCount(self, parent: AnyIndex = _NO_INDEX) -> int:  # noqa: N802
        return 0 if parent.isValid() else self._sections.row_count

    def index_of(self, thread_id: str) -> QModelIndex:
        """Return the thread's index; an invalid one where it has no row."""
        place = self._places.get(thread_id)
        return QModelIndex() if place is None else self.index(self._sections.row_of(*place))

    def what_is_at(self, row: int) -> Row | None:
        """Return what stands in a row."""
        return self._sections.at(row)

    def threads_between(self, first: int, last: int) -> list[str]:
        """Return the ids of the threads from one row to another, both included, in their order."""
        return self._sections.threads_between(first, last)

    def other_rows(self) -> list[tuple[int, RowKind]]:
        """Return all rows that are no threads, in their order."""
        return self._sections.other_rows()

    def heading_above(self, row: int) -> int:
        """Return the row of the head under which a row stands."""
        key = self._section_at(row)
        return self._sections.start(key) if key else 0

    def _new_section(self, key: str) -> Section:
        raise NotImplementedError

    def _row(self, index: AnyIndex) -> Row | None:
        return self._sections.at(index.row()) if index.isValid() else None

    def _section_at(self, row: int) -> str:
        """Return the key of the section to which a row belongs; empty where there is no such row."""
        found = self._sections.at(row)
        if found is None:
            return ""
        return self._places[found.key][0] if found.kind is RowKind.THREAD else found.key

    # -- threads

    def _insert(self, key: str, keys: Sequence[SortKey]) -> None:
        """Put threads, in ascending order, into a section, neighbours at once."""
        for sort_key in keys:
            self._places[sort_key[1]] = key, sort_key
        section = self._sections.get(key)
        if section is None:
            section = self._new_section(key)
            start = self._sections.start_for(section.order)
            self.beginInsertRows(QModelIndex(), start, start + section.head_rows + len(keys) - 1)
            section.keys = list(keys)
            self._sections.add(section)
            self.endInsertRows()
            return
        if not section.is_open:
            for sort_key in keys:
                section.add(sort_key)
            return
        left = list(keys)
        while left:
            above, low = section.above(left[-1]), len(left) - 1
            while low > 0 and section.above(left[low - 1]) == above:
                low -= 1
            row = self._sections.start(key) + section.head_rows + above
            self.beginInsertRows(QModelIndex(), row, row + len(left) - low - 1)
            at = len(section.keys) - above
            section.keys[at:at] = left[low:]
            self._sections.changed()
            self.endInsertRows()
            del left[low:]

    def _take_out(self, thread_id: str) -> None:
        place = self._places.get(thread_id)
        section = self._sections.get(place[0]) if place is not None else None
        if place is None or section is None:
            return
        row = self._sections.row_of(*place)
        if row < 0:
            section.discard(place[1])
            del self._places[thread_id]
            return
        is_last = not section.is_folder and not section.has_more and len(section.keys) == 1
        self.beginRemoveRows(QModelIndex(), row - section.head_rows if is_last else row, row)
        section.discard(place[1])
        del self._places[thread_id]
        if is_last:
            self._sections.remove(section.key)
        else:
            self._sections.changed()
        self.endRemoveRows()

    def _move(self, thread_id: str, before: Place, after: Place) -> None:
        source, target = self._sections.get(before[0]), self._sections.get(after[0])
        assert source is not None
        if not source.is_open or (target is not None and not target.is_open):
            self._take_out(thread_id)
            self._insert(after[0], [after[1]])
            return
        if target is None:
            target = self._new_section(after[0])
            start = self._sections.start_for(target.order)
            self.beginInsertRows(QModelIndex(), start, start)
            self._sections.add(target)
            self.endInsertRows()
        row = self._sections.row_of(*before)
        to = self._sections.start(target.key) + target.head_rows + target.above(after[1])
        moves = to not in (row, row + 1)
        if moves:
            self.beginMoveRows(QModelIndex(), row, row, QModelIndex(), to)
        source.discard(before[1])
        target.add(after[1])
        self._places[thread_id] = after
        self._sections.changed()
        if moves:
            self.endMoveRows()
        if not source.is_needed:
            self._remove_rows_of(source)
        self._tell_changed(thread_id)

    def _tell_changed(self, thread_id: str) -> None:
        index = self.index_of(thread_id)
        if index.isValid():
            self.dataChanged.emit(index, index)

    # -- sections

    def _remove_rows_of(self, section: Section) -> None:
        """Take a section away with all its rows; its threads have none until they are put anew."""
        start = self._sections.start(section.key)
        self.beginRemoveRows(QModelIndex(), start, start + section.row_count - 1)
        for _, thread_id in section.keys:
            self._places.pop(thread_id, None)
        self._sections.remove(section.key)
        self.endRemoveRows()

    def _set_more(self, key: str, has_more: bool) -> None:
        """Show or take away the row that asks for further threads of a section."""
        section = self._sections.get(key)
        if section is None or section.has_more == has_more:
            return
        row = self._sections.start(key) + section.head_rows + section.shown
        if not section.is_open:
            section.has_more = has_more
        elif has_more:
            self.beginInsertRows(QModelIndex(), row, row)
            section.has_more = True
            self._sections.changed()
            self.endInsertRows()
        else:
            self.beginRemoveRows(QModelIndex(), row, row)
            section.has_more = False
            self._sections.changed()
            self.endRemoveRows()

    def _set_open(self, section: Section, is_open: bool) -> None:
        """Show or hide what stands below the head of a section."""
        count = len(section.keys) + section.has_more
        if section.is_open == is_open or count == 0:
            section.is_open = is_open
            return
        first = self._sections.start(section.key) + section.head_rows
        if is_open:
            self.beginInsertRows(QModelIndex(), first, first + count - 1)
        else:
            self.beginRemoveRows(QModelIndex(), first, first + count - 1)
        section.is_open = is_open
        self._sections.changed()
        if is_open:
            self.endInsertRows()
        else:
            self.endRemoveRows()

    def _reorder(self, change: Callable[[], object]) -> None:
        """Let ``change`` put sections, or threads into other sections, in another order."""
        self.layoutAboutToBeChanged.emit()
        before = self.persistentIndexList()
        rows = [self._sections.at(index.row()) for index in before]
        change()
        self._sections.changed()
        self.changePersistentIndexList(before, [self._index_of_row(row) for row in rows])
        self.layoutChanged.emit()

    def _index_of_row(self, row: Row | None) -> QModelIndex:
        if row is None:
            return QModelIndex()
        if row.kind is RowKind.THREAD:
            return self.index_of(row.key)
        section = self._sections.get(row.key)
        if section is None:
            return QModelIndex()
        start = self._sections.start(row.key)
        return self.index(start + section.row_count - 1 if row.kind is RowKind.MORE else start)
