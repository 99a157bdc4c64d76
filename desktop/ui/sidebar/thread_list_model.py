"""The rows of the thread list: pinned threads, folders, groups by day, newest first, with a mark for what goes on in them."""

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QLocale, QModelIndex, QObject, Qt, Signal

from desktop.ui.sidebar.sectioned_model import AnyIndex, Place, SectionedModel
from desktop.ui.sidebar.thread_groups import group_key, group_label, time_label
from desktop.ui.sidebar.thread_roles import BY_URGENCY, ThreadMark, ThreadRole, microseconds, second_line
from desktop.ui.sidebar.thread_sections import (
    FLAT,
    PINNED,
    RECENT,
    Row,
    RowKind,
    Section,
    SortKey,
    order_of_folder,
    order_of_group,
)

if TYPE_CHECKING:
    from desktop.conversation.entities import Thread
    from desktop.conversation.lists import Folder

OTHERS = ""
"""The part of the list that is loaded as one is scrolled down; the other ones are ``PINNED`` and ids of folders."""
_NO_INDEX = QModelIndex()
_FOLDER = "folder "


class ThreadListModel(SectionedModel):
    """Holds the threads loaded so far. A change touches the rows that it changes, however many there are.

    Signals:
        more_requested: further threads of a part of the list are wanted: ``OTHERS``, ``PINNED``, or a folder's id.
        rename_requested: the user typed a title in place; carries the thread's id and the title.
        folder_rename_requested: the same for a folder.
    """

    more_requested = Signal(str)
    rename_requested = Signal(str, str)
    folder_rename_requested = Signal(str, str)

    def __init__(
        self, parent: QObject | None = None, *, grouped: bool = True, today: Callable[[], date] = date.today
    ) -> None:
        super().__init__(parent)
        self._grouped = grouped
        self._today = today
        self._day = today()
        self._locale = QLocale()
        self._threads: dict[str, Thread] = {}
        self._folders: dict[str, Folder] = {}
        self._marks: dict[str, ThreadMark] = {}
        self._arrivals = 0
        self._complete = False
        self._asked: set[str] = set()

    @property
    def thread_count(self) -> int:
        """How many threads are loaded, also those in closed folders."""
        return len(self._places)

    @property
    def is_complete(self) -> bool:
        """Whether all threads of ``OTHERS`` are loaded."""
        return self._complete

    @property
    def folders(self) -> "tuple[Folder, ...]":
        return tuple(self._folders.values())

    @property
    def is_blank(self) -> bool:
        """There is no row."""
        return self._sections.row_count == 0

    def reset(self, threads: Sequence["Thread"], *, complete: bool) -> None:
        """Show exactly these threads."""
        self.beginResetModel()
        self._threads, self._places = {}, {}
        for section in list(self._sections):
            section.keys.clear()
            if not section.is_folder:
                self._sections.remove(section.key)
        self._sections.changed()
        self.endResetModel()
        self.append(threads, complete=complete)

    def keep_only(self, thread_ids: Iterable[str]) -> None:
        """Forget all other threads."""
        for thread_id in self._threads.keys() - set(thread_ids):
            self.remove(thread_id)

    def append(self, threads: Sequence["Thread"], *, complete: bool, part: str = OTHERS) -> None:
        """Add a further page of a part; ``complete`` says that no more follows. What is held already and newer stays."""
        new: dict[str, list[SortKey]] = {}
        for thread in threads:
            held = self._threads.get(thread.id)
            if held is not None and held.updated_at > thread.updated_at:
                continue
            place = self._place_for(thread)
            if thread.id in self._places or place is None:
                self.put(thread)
                continue
            self._threads[thread.id] = thread
            new.setdefault(place[0], []).append(place[1])
        for key, keys in new.items():
            self._insert(key, sorted(keys))
        self._asked.discard(part)
        if part == OTHERS:
            self._complete = complete
        else:
            self._set_more(PINNED if part == PINNED else _FOLDER + part, not complete)

    def put(self, thread: "Thread") -> None:
        """Show a thread that is new or changed, at its place; one that was archived goes."""
        self._threads[thread.id] = thread
        before, after = self._places.get(thread.id), self._place_for(thread)
        if before == after:
            self._tell_changed(thread.id)
        elif after is None:
            self._take_out(thread.id)
        elif before is None:
            self._insert(after[0], [after[1]])
        else:
            self._move(thread.id, before, after)

    def would_show(self, thread: "Thread") -> bool:
        """Tell whether the thread would have a row."""
        place = self._place_for(thread)
        section = None if place is None else self._sections.get(place[0])
        return place is not None and (section is None or section.is_open)

    def remove(self, thread_id: str) -> None:
        self._take_out(thread_id)
        self._threads.pop(thread_id, None)
        self._marks.pop(thread_id, None)

    def set_folders(self, folders: Sequence["Folder"]) -> None:
        """Show these folders. What was in one that is gone has no row until it is put anew."""
        wanted = {folder.id: folder for folder in folders}
        for folder_id in self._folders.keys() - wanted.keys():
            section = self._sections.get(_FOLDER + folder_id)
            if section is not None:
                self._remove_rows_of(section)
        known = [folder_id for folder_id in self._folders if folder_id in wanted]
        if known != [folder.id for folder in folders if folder.id in self._folders]:
            self._reorder(lambda: self._number_folders(wanted))
        self._folders = wanted
        self._number_folders(wanted)
        for folder in folders:
            section = self._sections.get(_FOLDER + folder.id)
            if section is None:
                self._insert(_FOLDER + folder.id, ())
            else:
                self._set_open(section, folder.is_open)
            self._tell_head_changed(folder.id)

    def get(self, thread_id: str) -> "Thread | None":
        """Return the thread as far as it is known here, also one that has no row."""
        return self._threads.get(thread_id)

    def title_of(self, thread_id: str) -> str:
        """Return the title of a chat; empty for one that has none or is not here."""
        thread = self._threads.get(thread_id)
        return thread.title if thread is not None else ""

    def mark(self, thread_id: str) -> ThreadMark:
        mark = self._marks.get(thread_id, ThreadMark.NONE)
        thread = self._threads.get(thread_id)
        return ThreadMark.UNREAD if mark is ThreadMark.NONE and thread is not None and thread.is_unread else mark

    def set_mark(self, thread_id: str, mark: ThreadMark) -> None:
        if mark is ThreadMark.NONE:
            self._marks.pop(thread_id, None)
        else:
            self._marks[thread_id] = mark
        self._tell_changed(thread_id)
        place = self._places.get(thread_id)
        if place is not None and place[0].startswith(_FOLDER):
            self._tell_head_changed(place[0].removeprefix(_FOLDER))

    def index_of_folder(self, folder_id: str) -> QModelIndex:
        key = _FOLDER + folder_id
        return self.index(self._sections.start(key)) if key in self._sections else QModelIndex()

    def folder_of_row(self, row: int) -> str | None:
        """Return the id of the folder whose row it is, or below which it stands."""
        key = self._section_at(row)
        return key.removeprefix(_FOLDER) if key.startswith(_FOLDER) else None

    def is_in_pinned(self, row: int) -> bool:
        """Whether the row belongs to what is pinned."""
        return self._section_at(row) == PINNED

    def end_of_folders(self) -> int:
        """Return the row below all folders."""
        return self._sections.start_for(order_of_folder(len(self._folders)))

    def find_title(self, text: str, after: int) -> QModelIndex:
        """Return the first thread below a row, else from the top, whose title begins with a text."""
        wanted, first = text.casefold(), -1
        for row, thread_id in self._sections.threads():
            if (row > after or first < 0) and self._threads[thread_id].title.casefold().startswith(wanted):
                if row > after:
                    return self.index(row)
                first = row
        return self.index(first)

    def regroup(self) -> None:
        """Take the present day and language for groups and times."""
        locale, day = QLocale(), self._today()
        if locale == self._locale and day == self._day:
            return
        self._locale, self._day = locale, day
        self._reorder(self._group_again)
        if self.rowCount():
            self.dataChanged.emit(self.index(0), self.index(self.rowCount() - 1))

    # -- Qt's side

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        row = self._row(index)
        if row is None or row.kind is RowKind.HEADING:
            return Qt.ItemFlag.NoItemFlags
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemNeverHasChildren
        if row.kind is RowKind.THREAD:
            flags |= Qt.ItemFlag.ItemIsSelectable
        is_named = self._grouped and row.kind is not RowKind.MORE
        return flags | Qt.ItemFlag.ItemIsEditable if is_named else flags

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self._row(index)
        if row is None:
            return None
        if role == ThreadRole.IS_HEADING:
            return row.kind is not RowKind.THREAD
        if role == ThreadRole.KIND:
            return row.kind
        if row.kind is RowKind.THREAD:
            return self._thread_data(self._threads[row.key], role)
        if row.kind is RowKind.FOLDER:
            return self._folder_data(self._folders[row.key.removeprefix(_FOLDER)], role)
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._heading(row)
        return None

    def setData(self, index: AnyIndex, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:  # noqa: N802
        """Turn an edit in place into a request; the row changes when the service says so."""
        row = self._row(index)
        if row is None or role != Qt.ItemDataRole.EditRole or row.kind not in (RowKind.THREAD, RowKind.FOLDER):
            return False
        text = " ".join(str(value).split())
        if text and text != index.data(Qt.ItemDataRole.EditRole):
            if row.kind is RowKind.THREAD:
                self.rename_requested.emit(row.key, text)
            else:
                self.folder_rename_requested.emit(row.key.removeprefix(_FOLDER), text)
        return True

    def canFetchMore(self, parent: AnyIndex = _NO_INDEX) -> bool:  # noqa: N802
        return not parent.isValid() and not self._complete and OTHERS not in self._asked and bool(self._threads)

    def fetchMore(self, parent: AnyIndex = _NO_INDEX) -> None:  # noqa: N802
        self.ask_for_more(OTHERS)

    def ask_for_more(self, part: str) -> None:
        """Ask for further threads of a part, once for each page."""
        if part not in self._asked:
            self._asked.add(part)
            self.more_requested.emit(part)

    def ask_at(self, index: AnyIndex) -> None:
        """Do what a row ``RowKind.MORE`` is for."""
        row = self._row(index)
        if row is not None and row.kind is RowKind.MORE:
            self.ask_for_more(row.key.removeprefix(_FOLDER))

    # -- inside

    def _place_for(self, thread: "Thread") -> Place | None:
        if not self._grouped:
            self._arrivals -= 1
            return self._places.get(thread.id) or (FLAT, (self._arrivals, thread.id))
        if thread.deleted_at is not None or thread.archived_at is not None:
            return None
        if thread.pinned_at is not None:
            return PINNED, (microseconds(thread.pinned_at), thread.id)
        by_change = microseconds(thread.updated_at), thread.id
        if thread.folder_id is None:
            return group_key(thread.updated_at, self._day), by_change
        return (_FOLDER + thread.folder_id, by_change) if thread.folder_id in self._folders else None

    def _new_section(self, key: str) -> Section:
        if not key.startswith(_FOLDER):
            return Section(key, order_of_group(key))
        folder_id = key.removeprefix(_FOLDER)
        order = order_of_folder(list(self._folders).index(folder_id))
        return Section(key, order, is_folder=True, is_open=self._folders[folder_id].is_open)

    def _number_folders(self, folder_ids: Iterable[str]) -> None:
        for position, folder_id in enumerate(folder_ids):
            section = self._sections.get(_FOLDER + folder_id)
            if section is not None:
                section.order = order_of_folder(position)
        self._sections.changed()

    def _group_again(self) -> None:
        """Another day has begun: months stay, what is more recent moves on."""
        recent = [section for key in RECENT if (section := self._sections.get(key)) is not None]
        moved = [thread_id for section in recent for _, thread_id in section.keys]
        for section in recent:
            self._sections.remove(section.key)
        for thread_id in moved:
            place = self._place_for(self._threads[thread_id])
            assert place is not None
            self._places[thread_id] = place
            section = self._sections.get(place[0])
            if section is None:
                section = self._new_section(place[0])
                self._sections.add(section)
            section.add(place[1])

    def _tell_head_changed(self, folder_id: str) -> None:
        head = self.index_of_folder(folder_id)
        if head.isValid():
            self.dataChanged.emit(head, head)

    def _heading(self, row: Row) -> str:
        if row.kind is RowKind.MORE:
            return self.tr("Show more chats")
        return self.tr("Pinned") if row.key == PINNED else group_label(row.key, self._locale)

    def _folder_data(self, folder: "Folder", role: int) -> Any:
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.EditRole:
                return folder.name
            case Qt.ItemDataRole.AccessibleTextRole:
                state = self.tr("open") if folder.is_open else self.tr("closed")
                name = self.tr("Folder %1").replace("%1", folder.name)
                chats = self.tr("%n chats", "", folder.chats)
                return ", ".join(filter(None, (name, chats, state, self._mark_words(self._mark_of(folder)))))
            case ThreadRole.ID:
                return folder.id
            case ThreadRole.COUNT:
                return folder.chats
            case ThreadRole.IS_OPEN:
                return folder.is_open
            case ThreadRole.MARK:
                return self._mark_of(folder)
            case _:
                return None

    def _mark_of(self, folder: "Folder") -> ThreadMark:
        """Return the most urgent mark of what is hidden in a folder."""
        if folder.is_open:
            return ThreadMark.NONE
        key = _FOLDER + folder.id
        inside = [mark for thread_id, mark in self._marks.items() if self._places.get(thread_id, ("",))[0] == key]
        marks = [*inside, ThreadMark.UNREAD if folder.unread else ThreadMark.NONE]
        return max(marks, key=BY_URGENCY.index)

    def _thread_data(self, thread: "Thread", role: int) -> Any:
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return thread.title or self.tr("New chat")
            case Qt.ItemDataRole.EditRole:
                return thread.title
            case Qt.ItemDataRole.AccessibleTextRole:
                return self._spoken(thread)
            case ThreadRole.ID:
                return thread.id
            case ThreadRole.SNIPPET:
                return second_line(thread)
            case ThreadRole.TIME:
                return time_label(thread.deleted_at or thread.updated_at, self._day, self._locale)
            case ThreadRole.MARK:
                return self.mark(thread.id)
            case ThreadRole.IS_INSIDE:
                return self._places[thread.id][0].startswith(_FOLDER)
            case _:
                return None

    def _mark_words(self, mark: ThreadMark) -> str:
        return {
            ThreadMark.NONE: "",
            ThreadMark.UNREAD: self.tr("not read yet"),
            ThreadMark.RUNNING: self.tr("answering"),
            ThreadMark.WAITING: self.tr("waiting for you"),
            ThreadMark.FAILED: self.tr("failed"),
        }[mark]

    def _spoken(self, thread: "Thread") -> str:
        mark = self._mark_words(self.mark(thread.id))
        time = time_label(thread.deleted_at or thread.updated_at, self._day, self._locale)
        return ", ".join(filter(None, (thread.title or self.tr("New chat"), mark, time, second_line(thread))))
