"""What a search found, as rows: hits grouped by their chat, what more there is of each, notes of memory, what is like it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from desktop.conversation.shelf import Shelf
from desktop.ui.state.plain_line import marked_without_marks

if TYPE_CHECKING:
    from desktop.conversation.entities import SearchHit

AnyIndex = QModelIndex | QPersistentModelIndex
_NO_INDEX = QModelIndex()


class RowKind(IntEnum):
    HEADING = 0
    """Says how what stands below it was found; cannot be chosen."""
    THREAD = 1
    MESSAGE = 2
    CALL = 3
    """A call of a tool."""
    MORE = 4
    """Shows the further hits of the chat above."""
    OLDER = 5
    """Looks on for older hits."""
    ITEM = 6
    """Something that is remembered."""
    SUMMARY = 7
    """A summary of the earlier part of a chat."""


class HitRole(IntEnum):
    THREAD_ID = Qt.ItemDataRole.UserRole
    MESSAGE_ID = Qt.ItemDataRole.UserRole + 1
    """Empty for the row of a thread."""
    HIGHLIGHTS = Qt.ItemDataRole.UserRole + 2
    KIND = Qt.ItemDataRole.UserRole + 3
    CALL_ID = Qt.ItemDataRole.UserRole + 4
    BY_MEANING = Qt.ItemDataRole.UserRole + 5
    SHELF = Qt.ItemDataRole.UserRole + 6
    """Where a thread lies that is not in the list, as an id and in words; None for any other row."""


Highlights = tuple[tuple[int, int], ...]

PLACES = (RowKind.MESSAGE, RowKind.CALL, RowKind.SUMMARY)
"""Rows that lead to a place in a chat."""


@dataclass(frozen=True)
class Note:
    """A note of memory with the words."""

    text: str
    highlights: Highlights = ()
    thread_id: str = ""
    """Of a summary; empty for something that is remembered."""
    message_id: str = ""
    shelf: Shelf | None = None
    """Where the chat of a summary lies when it is not in the list."""


@dataclass
class _Group:
    title: str
    shelf: Shelf | None = None
    highlights: Highlights = ()
    hits: "list[SearchHit]" = field(default_factory=list)


@dataclass(frozen=True)
class _Row:
    kind: RowKind
    text: str = ""
    highlights: Highlights = ()
    thread_id: str = ""
    message_id: str = ""
    by_meaning: bool = False
    call_id: str = ""
    count: int = 0
    shelf: Shelf | None = None


class SearchResultModel(QAbstractListModel):
    """A row for each thread with a hit, followed by one for each place in it; below them notes of memory, and what is
    like the search."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[_Row] = []

    # -- what was found

    def show_hits(
        self, hits: Sequence["SearchHit"], further: Mapping[str, int] | None = None, *, has_older: bool = False
    ) -> None:
        """Replace the rows; threads stand in the order of their first hit. ``further``: how many more these have."""
        self.beginResetModel()
        self._rows = _rows_of(hits, further or {}, by_meaning=False)
        if has_older:
            self._rows.append(_Row(RowKind.OLDER))
        self.endResetModel()

    def add_older(self, hits: Sequence["SearchHit"], further: Mapping[str, int], *, has_older: bool) -> None:
        """Add what was found further back: new threads below the others, of those that are there only the number."""
        there = {row.thread_id for row in self._rows if row.kind is RowKind.THREAD and not row.by_meaning}
        counts = dict(further)
        new: list[SearchHit] = []
        for hit in hits:
            if hit.thread_id not in there:
                new.append(hit)
            elif hit.message_id is not None:
                counts[hit.thread_id] = counts.get(hit.thread_id, 0) + 1
        for thread_id in there & counts.keys():
            self._count_further(thread_id, counts[thread_id])
        place = self._end_of_hits
        had_older = place < len(self._rows) and self._rows[place].kind is RowKind.OLDER
        rows = _rows_of(new, {key: count for key, count in counts.items() if key not in there}, by_meaning=False)
        self._insert(place, rows)
        if had_older and not has_older:
            self._remove(place + len(rows), 1)
        elif has_older and not had_older:
            self._insert(place + len(rows), [_Row(RowKind.OLDER)])

    def _count_further(self, thread_id: str, count: int) -> None:
        last = max(place for place, row in enumerate(self._rows[: self._end_of_hits]) if row.thread_id == thread_id)
        row = self._rows[last]
        if row.kind is RowKind.MORE:
            self._rows[last] = _Row(RowKind.MORE, thread_id=thread_id, count=row.count + count)
            self.dataChanged.emit(self.index(last), self.index(last))
        else:
            self._insert(last + 1, [_Row(RowKind.MORE, thread_id=thread_id, count=count)])

    @property
    def _end_of_hits(self) -> int:
        """The place below the hits by words."""
        kinds = (RowKind.OLDER, RowKind.HEADING)
        return next((place for place, row in enumerate(self._rows) if row.kind in kinds), len(self._rows))

    def unfold(self, thread_id: str, hits: Sequence["SearchHit"], *, has_more: bool) -> None:
        """Show these hits of a thread in the place of its last row, those that are there already left out."""
        place = next(
            (i for i, row in enumerate(self._rows) if row.kind is RowKind.MORE and row.thread_id == thread_id), -1
        )
        if place < 0:
            return
        there = {(row.message_id, row.call_id) for row in self._rows[:place] if row.thread_id == thread_id}
        rows = [_row_of(hit) for hit in hits if (hit.message_id or "", hit.call_id) not in there]
        if has_more:
            rows.append(_Row(RowKind.MORE, thread_id=thread_id))
        self._remove(place, 1)
        self._insert(place, rows)

    def add_notes(self, notes: Sequence[Note]) -> None:
        """Show notes of memory below a heading, above what is only like the search."""
        rows = [
            _Row(
                RowKind.SUMMARY if note.thread_id else RowKind.ITEM,
                note.text,
                note.highlights,
                note.thread_id,
                note.message_id,
                shelf=note.shelf,
            )
            for note in notes
        ]
        if rows:
            place = self._end_of_hits
            if place < len(self._rows) and self._rows[place].kind is RowKind.OLDER:
                place += 1
            self._insert(place, [_Row(RowKind.HEADING), *rows])

    def add_like(self, hits: Sequence["SearchHit"]) -> None:
        """Show further hits below a heading, best first, without those that are there; all other rows stay as they are."""
        there = {row.message_id for row in self._rows if row.kind is not RowKind.SUMMARY}
        rows = _rows_of([hit for hit in hits if hit.message_id not in there], {}, by_meaning=True)
        if rows:
            has_heading = any(row.kind is RowKind.HEADING and row.by_meaning for row in self._rows)
            self._insert(len(self._rows), rows if has_heading else [_Row(RowKind.HEADING, by_meaning=True), *rows])

    def _insert(self, place: int, rows: Sequence[_Row]) -> None:
        if rows:
            self.beginInsertRows(_NO_INDEX, place, place + len(rows) - 1)
            self._rows[place:place] = rows
            self.endInsertRows()

    def _remove(self, place: int, count: int) -> None:
        self.beginRemoveRows(_NO_INDEX, place, place + count - 1)
        del self._rows[place : place + count]
        self.endRemoveRows()

    # -- asking

    def holds(self, thread_id: str) -> bool:
        """Whether anything of this thread was found."""
        return any(row.thread_id == thread_id for row in self._rows)

    def thread_count(self) -> int:
        """In how many chats something was found by words."""
        return sum(row.kind is RowKind.THREAD and not row.by_meaning for row in self._rows)

    # -- Qt's side

    def rowCount(self, parent: AnyIndex = _NO_INDEX) -> int:  # noqa: N802
        return 0 if parent.isValid() else len(self._rows)

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        if index.isValid() and self._rows[index.row()].kind is RowKind.HEADING:
            return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemNeverHasChildren
        return super().flags(index)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        row = self._rows[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._shown(row)
            case Qt.ItemDataRole.AccessibleTextRole:
                return self._spoken(row)
            case HitRole.THREAD_ID:
                return row.thread_id
            case HitRole.MESSAGE_ID:
                return row.message_id
            case HitRole.HIGHLIGHTS:
                return row.highlights
            case HitRole.KIND:
                return row.kind
            case HitRole.CALL_ID:
                return row.call_id
            case HitRole.BY_MEANING:
                return row.by_meaning
            case HitRole.SHELF:
                return row.shelf and (row.shelf, self._place_of(row.shelf))
            case Qt.ItemDataRole.ToolTipRole:
                return row.shelf and f"{self._shown(row)}\n{self._place_of(row.shelf)}"
            case _:
                return None

    def _shown(self, row: _Row) -> str:
        match row.kind:
            case RowKind.HEADING:
                return self.tr("By meaning") if row.by_meaning else self.tr("In memory")
            case RowKind.MORE:
                is_counted = row.count and not any(each.kind is RowKind.OLDER for each in self._rows)
                return self.tr("%n more in this chat", "", row.count) if is_counted else self.tr("More in this chat")
            case RowKind.OLDER:
                return self.tr("Look for older ones")
            case _:
                return row.text or self.tr("New chat")

    def _spoken(self, row: _Row) -> str:
        match row.kind:
            case RowKind.HEADING:
                if not row.by_meaning:
                    return self.tr("In memory: what is remembered, and summaries")
                return self.tr("By meaning: in other words, or in another language")
            case RowKind.THREAD:
                words = self._spoken_chat(row.shelf)
            case RowKind.CALL:
                words = self.tr("Tool call: %1")
            case RowKind.ITEM:
                words = self.tr("Remembered: %1")
            case RowKind.SUMMARY:
                words = self.tr("Summary of an archived chat: %1") if row.shelf else self.tr("Summary: %1")
            case RowKind.MESSAGE:
                words = self.tr("Message of a like meaning: %1") if row.by_meaning else self.tr("Message: %1")
            case _:
                return self._shown(row)
        return words.replace("%1", self._shown(row))

    def _spoken_chat(self, shelf: Shelf | None) -> str:
        if shelf is None:
            return self.tr("Chat: %1")
        return self.tr("Chat in the Trash: %1") if shelf is Shelf.TRASH else self.tr("Archived chat: %1")

    def _place_of(self, shelf: Shelf) -> str:
        return self.tr("In Trash") if shelf is Shelf.TRASH else self.tr("Archived")


def note_of_summary(hit: "SearchHit") -> Note:
    """Return the note of a summary in which words were found."""
    line = marked_without_marks(hit.snippet, hit.highlights)
    return Note(*line, hit.thread_id, hit.message_id or "", _shelf_of(hit))


def _row_of(hit: "SearchHit", *, by_meaning: bool = False) -> _Row:
    line = marked_without_marks(hit.snippet, hit.highlights)
    kind = RowKind.CALL if hit.call_id else RowKind.MESSAGE
    return _Row(kind, *line, hit.thread_id, hit.message_id or "", by_meaning, hit.call_id)


def _shelf_of(hit: "SearchHit") -> Shelf | None:
    if hit.is_deleted:
        return Shelf.TRASH
    return Shelf.ARCHIVE if hit.is_archived else None


def _rows_of(hits: Sequence["SearchHit"], further: Mapping[str, int], *, by_meaning: bool) -> list[_Row]:
    groups: dict[str, _Group] = {}
    for hit in hits:
        group = groups.setdefault(hit.thread_id, _Group(hit.thread_title, _shelf_of(hit)))
        if hit.message_id is None:
            group.title, group.highlights = hit.snippet, hit.highlights
        else:
            group.hits.append(hit)
    rows: list[_Row] = []
    for thread_id, group in groups.items():
        shelf = group.shelf
        rows.append(_Row(RowKind.THREAD, group.title, group.highlights, thread_id, by_meaning=by_meaning, shelf=shelf))
        rows += [_row_of(hit, by_meaning=by_meaning) for hit in group.hits]
        if count := further.get(thread_id, 0):
            rows.append(_Row(RowKind.MORE, thread_id=thread_id, count=count))
    return rows
