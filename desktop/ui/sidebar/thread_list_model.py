"""The rows of the thread list: headings of groups and threads, newest first, with a mark for what goes on in them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractListModel, QLocale, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from desktop.ui.sidebar.thread_groups import group_key, group_label, time_label
from desktop.ui.state.plain_line import without_marks

if TYPE_CHECKING:
    from desktop.conversation.entities import Thread

AnyIndex = QModelIndex | QPersistentModelIndex
_NO_INDEX = QModelIndex()


class ThreadMark(StrEnum):
    """What a row shows besides its text."""

    NONE = "none"
    RUNNING = "running"
    WAITING = "waiting"
    """The run waits for the user's answer in a dialog."""
    FAILED = "failed"


class ThreadRole(IntEnum):
    ID = Qt.ItemDataRole.UserRole
    IS_HEADING = Qt.ItemDataRole.UserRole + 1
    SNIPPET = Qt.ItemDataRole.UserRole + 2
    TIME = Qt.ItemDataRole.UserRole + 3
    MARK = Qt.ItemDataRole.UserRole + 4


@dataclass(frozen=True)
class _Row:
    key: str
    thread: "Thread | None"


class ThreadListModel(QAbstractListModel):
    """Holds the threads loaded so far.

    Signals:
        more_requested: the view came near the end; carries how many threads are loaded.
        rename_requested: the user typed a title in place; carries the thread's id and the title.
    """

    more_requested = Signal(int)
    rename_requested = Signal(str, str)

    def __init__(
        self, parent: QObject | None = None, *, grouped: bool = True, today: Callable[[], date] = date.today
    ) -> None:
        super().__init__(parent)
        self._grouped = grouped
        self._today = today
        self._locale = QLocale()
        self._threads: dict[str, Thread] = {}
        self._marks: dict[str, ThreadMark] = {}
        self._rows: list[_Row] = []
        self._complete = False
        self._asked_at = -1

    @property
    def thread_count(self) -> int:
        return len(self._threads)

    @property
    def is_complete(self) -> bool:
        """Whether all threads are loaded."""
        return self._complete

    def reset(self, threads: Sequence["Thread"], *, complete: bool) -> None:
        """Show exactly these threads."""
        self._threads = {}
        self._asked_at = -1
        self.append(threads, complete=complete)

    def replace(self, threads: Sequence["Thread"], *, complete: bool) -> None:
        """Show exactly these threads, where most of them may stand there already."""
        self._threads = {thread.id: thread for thread in threads}
        self._complete = complete
        self._asked_at = -1
        self._arrange(changed=set(self._threads))

    def append(self, threads: Sequence["Thread"], *, complete: bool) -> None:
        """Add a further page; ``complete`` says that no more follows. What is held already and newer stays."""
        for thread in threads:
            held = self._threads.get(thread.id)
            if held is None or held.updated_at <= thread.updated_at:
                self._threads[thread.id] = thread
        self._complete = complete
        self._asked_at = -1
        self._arrange(changed={thread.id for thread in threads})

    def put(self, thread: "Thread") -> None:
        """Show a thread that is new or changed, at its place."""
        self._threads[thread.id] = thread
        self._arrange(changed={thread.id})

    def remove(self, thread_id: str) -> None:
        if self._threads.pop(thread_id, None) is not None:
            self._marks.pop(thread_id, None)
            self._arrange(changed=set())

    def get(self, thread_id: str) -> "Thread | None":
        return self._threads.get(thread_id)

    def title_of(self, thread_id: str) -> str:
        """Return the title of a chat; empty for one that has none or is not here."""
        thread = self._threads.get(thread_id)
        return thread.title if thread is not None else ""

    def mark(self, thread_id: str) -> ThreadMark:
        return self._marks.get(thread_id, ThreadMark.NONE)

    def set_mark(self, thread_id: str, mark: ThreadMark) -> None:
        self._marks[thread_id] = mark
        self._tell_changed({thread_id})

    def index_of(self, thread_id: str) -> QModelIndex:
        """Return the thread's index; an invalid one when it is not loaded."""
        for number, row in enumerate(self._rows):
            if row.thread is not None and row.key == thread_id:
                return self.index(number)
        return QModelIndex()

    def regroup(self) -> None:
        """Take the present day and language for groups and times."""
        self._locale = QLocale()
        self._arrange(changed=set(self._threads))

    # -- Qt's side

    def rowCount(self, parent: AnyIndex = _NO_INDEX) -> int:  # noqa: N802
        return 0 if parent.isValid() else len(self._rows)

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        row = self._row(index)
        if row is None or row.thread is None:
            return Qt.ItemFlag.NoItemFlags
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
        return flags | Qt.ItemFlag.ItemIsEditable if self._grouped else flags

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self._row(index)
        if row is None:
            return None
        if role == ThreadRole.IS_HEADING:  # asked for most often
            return row.thread is None
        if row.thread is None:
            return self._heading_data(row, role)
        return self._thread_data(row.thread, role)

    def setData(self, index: AnyIndex, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:  # noqa: N802
        """Turn an edit in place into a request; the row changes when the service says so."""
        row = self._row(index)
        if row is None or row.thread is None or role != Qt.ItemDataRole.EditRole:
            return False
        title = " ".join(str(value).split())
        if title and title != row.thread.title:
            self.rename_requested.emit(row.thread.id, title)
        return True

    def canFetchMore(self, parent: AnyIndex = _NO_INDEX) -> bool:  # noqa: N802
        return not parent.isValid() and not self._complete and bool(self._threads)

    def fetchMore(self, parent: AnyIndex = _NO_INDEX) -> None:  # noqa: N802
        if self._asked_at != len(self._threads):  # once for each page, however often the view asks
            self._asked_at = len(self._threads)
            self.more_requested.emit(self._asked_at)

    # -- inside

    def _row(self, index: AnyIndex) -> _Row | None:
        return self._rows[index.row()] if index.isValid() and index.row() < len(self._rows) else None

    def _heading_data(self, row: _Row, role: int) -> Any:
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return group_label(row.key.removeprefix("group "), self._locale)
        return None

    def _thread_data(self, thread: "Thread", role: int) -> Any:
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return thread.title or self.tr("New chat")
            case Qt.ItemDataRole.EditRole:
                return thread.title
            case Qt.ItemDataRole.ToolTipRole:
                return None  # the delegate's business: plain text must not be read as rich text
            case Qt.ItemDataRole.AccessibleTextRole:
                return self._spoken(thread)
            case ThreadRole.ID:
                return thread.id
            case ThreadRole.SNIPPET:
                return _second_line(thread)
            case ThreadRole.TIME:
                return time_label(thread.deleted_at or thread.updated_at, self._today(), self._locale)
            case ThreadRole.MARK:
                return self.mark(thread.id)
            case _:
                return None

    def _spoken(self, thread: "Thread") -> str:
        mark = {
            ThreadMark.NONE: "",
            ThreadMark.RUNNING: self.tr("answering"),
            ThreadMark.WAITING: self.tr("waiting for you"),
            ThreadMark.FAILED: self.tr("failed"),
        }[self.mark(thread.id)]
        time = time_label(thread.deleted_at or thread.updated_at, self._today(), self._locale)
        return ", ".join(filter(None, (thread.title or self.tr("New chat"), mark, time, _second_line(thread))))

    def _wanted_rows(self) -> list[_Row]:
        if not self._grouped:
            return [_Row(thread.id, thread) for thread in self._threads.values()]
        rows: list[_Row] = []
        today = self._today()
        last = ""
        for thread in sorted(self._threads.values(), key=lambda each: (each.updated_at, each.id), reverse=True):
            key = group_key(thread.updated_at, today)
            if key != last:
                rows.append(_Row(f"group {key}", None))
                last = key
            rows.append(_Row(thread.id, thread))
        return rows

    def _arrange(self, *, changed: Iterable[str]) -> None:
        """Turn the rows into the wanted ones by removals, one move of all, and insertions: selections stay."""
        wanted = self._wanted_rows()
        order = {row.key: number for number, row in enumerate(wanted)}
        for number in range(len(self._rows) - 1, -1, -1):
            if self._rows[number].key not in order:
                self.beginRemoveRows(QModelIndex(), number, number)
                del self._rows[number]
                self.endRemoveRows()
        self._reorder(order)
        have = {row.key for row in self._rows}
        number = 0
        while number < len(wanted):
            if wanted[number].key in have:
                self._rows[number] = wanted[number]
                number += 1
                continue
            end = number
            while end < len(wanted) and wanted[end].key not in have:
                end += 1
            self.beginInsertRows(QModelIndex(), number, end - 1)
            self._rows[number:number] = wanted[number:end]
            self.endInsertRows()
            number = end
        self._tell_changed(set(changed))

    def _reorder(self, order: dict[str, int]) -> None:
        sorted_rows = sorted(self._rows, key=lambda row: order[row.key])
        if [row.key for row in sorted_rows] == [row.key for row in self._rows]:
            return
        self.layoutAboutToBeChanged.emit()
        before = self.persistentIndexList()
        keys = [self._rows[index.row()].key for index in before]
        self._rows = sorted_rows
        place = {row.key: number for number, row in enumerate(sorted_rows)}
        self.changePersistentIndexList(before, [self.index(place[key]) for key in keys])
        self.layoutChanged.emit()

    def _tell_changed(self, keys: set[str]) -> None:
        if len(keys) > 1:
            self.dataChanged.emit(self.index(0), self.index(len(self._rows) - 1))
            return
        for key in keys:
            index = self.index_of(key)
            if index.isValid():
                self.dataChanged.emit(index, index)


def _second_line(thread: "Thread") -> str:
    """Return the beginning of the last message; nothing where that only says the title once more, as at first."""
    line = without_marks(thread.snippet)
    head = thread.title.removesuffix("…")
    return "" if line == thread.title or (head and head != thread.title and line.startswith(head)) else line
