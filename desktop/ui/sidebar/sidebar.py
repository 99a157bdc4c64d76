"""The sidebar as a whole: new chat, search, the threads or what was found, the Trash, the footer."""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from desktop.ui.controls import SMALL_ICON, announce, describe, prepare_icon_button
from desktop.ui.search_field import SearchField
from desktop.ui.shortcuts import keys_of
from desktop.ui.sidebar.import_drop import ImportDrop
from desktop.ui.sidebar.list_views import ThreadListView
from desktop.ui.sidebar.results_page import ResultsPage, empty_label
from desktop.ui.sidebar.sidebar_footer import SidebarFooter
from desktop.ui.sidebar.thread_delegate import ThreadDelegate
from desktop.ui.sidebar.thread_list_model import ThreadListModel, ThreadMark, ThreadRole
from desktop.ui.sidebar.trash_page import TrashPage
from desktop.ui.theme.theme_manager import ThemeManager

if TYPE_CHECKING:
    from desktop.conversation.entities import SearchHit, Thread

SEARCH_DELAY_MS = 150
PATIENCE_MS = 600
"""After this long without any thread the sidebar says that it reads them."""


class Sidebar(QWidget):
    """Shows what its presenter gives it, and emits requests.

    Signals:
        thread_selected: the user chose one thread; its id.
        delete_requested: ids of threads for the Trash.
        export_requested: ids of threads to be written into a file.
        import_requested: paths of files that were dropped, with chats to be taken in (``list[Path]``).
        rename_requested: id and the new title.
        search_changed: what to look for, a moment after the last key; empty ends the search.
        hit_activated: thread id and message id (empty for the thread itself).
        more_requested: how many threads are loaded.
    """

    new_chat_requested = Signal()
    temporary_chat_requested = Signal()
    thread_selected = Signal(str)
    delete_requested = Signal(list)
    export_requested = Signal(list)
    import_requested = Signal(list)
    rename_requested = Signal(str, str)
    search_changed = Signal(str)
    hit_activated = Signal(str, str)
    more_requested = Signal(int)

    def __init__(self, theme: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sidebar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = theme
        self._quiet = False
        self._waits_long = False
        self._make_top()
        self._make_lists()
        self.trash = TrashPage(theme)
        self.trash.view.export_requested.connect(self.export_requested)
        self.footer = SidebarFooter(theme)
        self._arrange()
        self._retranslate()
        self._update_empty()
        QTimer.singleShot(PATIENCE_MS, self, self._lose_patience)
        theme.changed.connect(self._theme_changed)
        self._theme_changed()

    # -- what the presenter calls

    def append_threads(self, threads: Sequence["Thread"], *, complete: bool) -> None:
        with self._quietly():
            self.model.append(threads, complete=complete)
        self._update_empty()

    def reload_threads(self, threads: Sequence["Thread"], *, complete: bool) -> None:
        """Show exactly these threads; selection and place stay."""
        with self._quietly():
            self.model.replace(threads, complete=complete)
        self._update_empty()

    def put_thread(self, thread: "Thread") -> None:
        with self._quietly():
            self.model.put(thread)
        self._update_empty()

    def remove_thread(self, thread_id: str) -> None:
        with self._quietly():
            index = self.model.index_of(thread_id)
            if index.isValid() and self.list.currentIndex() == index:
                # Qt would make the neighbour the current one and select it.
                flags = self.list.selectionModel().SelectionFlag
                self.list.selectionModel().setCurrentIndex(self.list.rootIndex(), flags.NoUpdate)
            self.model.remove(thread_id)
        self._update_empty()

    def set_mark(self, thread_id: str, mark: ThreadMark) -> None:
        self.model.set_mark(thread_id, mark)

    def select_thread(self, thread_id: str | None) -> None:
        """Select the row of the open thread, or none; emits nothing."""
        with self._quietly():
            index = self.model.index_of(thread_id) if thread_id else self.list.rootIndex()
            if not index.isValid():
                self.list.clearSelection()
                self.list.selectionModel().setCurrentIndex(index, self.list.selectionModel().SelectionFlag.NoUpdate)
            elif self.list.selected_ids() != [thread_id]:
                self.list.selectionModel().setCurrentIndex(
                    index, self.list.selectionModel().SelectionFlag.ClearAndSelect
                )
                self.list.scrollTo(index)

    def show_hits(self, query: str, hits: Sequence["SearchHit"], *, goes_on: bool = False) -> None:
        """Show what was found for ``query``; ``goes_on``: ``add_like`` comes soon, also where it has nothing to add."""
        self._found_for = query
        said = self._results_page.show_hits(hits, goes_on=goes_on)
        self._lists.setCurrentWidget(self._results_page)
        self._results_shown(said)

    def add_like(self, query: str, hits: Sequence["SearchHit"]) -> None:
        """Show what means something like ``query`` below what was found by its words."""
        if query == self._found_for:
            self._results_shown(self._results_page.add_like(hits))

    def _results_shown(self, said: str) -> None:
        if said:
            announce(self.search, said)
        if self._after_found is not None and self._found_for == self.search_text and self._results_page.is_decided:
            self._after_found()

    def set_finds_by_meaning(self, finds: bool) -> None:
        """Whether the search goes by meaning, too: only its tooltip says so."""
        self._finds_by_meaning = finds
        self._describe_search()

    def _describe_search(self) -> None:
        words = (
            self.tr("Search in titles and messages, by words and by meaning")
            if self._finds_by_meaning
            else self.tr("Search in titles and messages, by words")
        )
        describe(self.search, self.tr("Search in titles and messages"), shortcut=keys_of("search"), tooltip=words)

    def show_threads(self) -> None:
        """Go back from search results or Trash to the threads."""
        self._lists.setCurrentWidget(self._list_page)
        self._pages.setCurrentWidget(self._main_page)

    def show_trash(self, threads: Sequence["Thread"], *, complete: bool) -> None:
        self.trash.show_threads(threads, complete=complete)
        if self._pages.currentWidget() is not self.trash:
            self._pages.setCurrentWidget(self.trash)
            (self.trash.view if threads else self.trash).setFocus()

    def step_thread(self, step: int) -> None:
        """Choose the thread ``step`` rows below the open one; without one the first, or the last for a step up."""
        rows = [row for row in range(self.model.rowCount()) if not self.model.index(row).data(ThreadRole.IS_HEADING)]
        if not rows:
            return
        chosen = self.list.selectionModel().selectedIndexes()
        before_all = -1 if step > 0 else len(rows)
        place = step + (rows.index(chosen[0].row()) if chosen and chosen[0].row() in rows else before_all)
        if 0 <= place < len(rows):
            self.show_main_page()
            index = self.model.index(rows[place])
            self.list.selectionModel().setCurrentIndex(index, self.list.selectionModel().SelectionFlag.ClearAndSelect)
            self.list.scrollTo(index)

    def focus_list(self) -> None:
        """Go to the list that is shown, or to the search box where it is empty."""
        for view in (self.trash.view, self.results, self.list):
            if view.isVisibleTo(self):
                view.setFocus(Qt.FocusReason.ShortcutFocusReason)
                return
        (self.trash if self.is_trash_shown else self.search).setFocus(Qt.FocusReason.ShortcutFocusReason)

    def focus_stops(self) -> list[QWidget]:
        """Where Tab stops, in reading order."""
        return [
            self.temporary_chat,
            self.new_chat,
            self.search,
            self.list,
            self.results,
            *self.trash.focus_stops(),
            *self.footer.focus_stops(),
        ]

    @property
    def is_trash_shown(self) -> bool:
        return self._pages.currentWidget() is self.trash

    @property
    def search_text(self) -> str:
        return self.search.text().strip()

    def focus_search(self) -> None:
        self.show_main_page()
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def show_main_page(self) -> None:
        self._pages.setCurrentWidget(self._main_page)

    def clear_search(self) -> None:
        self.search.clear()
        self._search_now()

    # -- Qt's side

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
            self.model.regroup()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Keys of the search box: down into the list, Enter opens the first hit, Escape clears."""
        if watched is not self.search or event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return super().eventFilter(watched, event)
        key = event.key()
        if key == Qt.Key.Key_Escape and self.search.text():
            self.clear_search()
            return True
        if key == Qt.Key.Key_Down and not self.search_text:
            self.list.setFocus()
            return True
        if key == Qt.Key.Key_Down:
            self._when_found(self._go_to_results)
            return True
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.search_text:
            self._when_found(self._open_first_result)
            return True
        return super().eventFilter(watched, event)

    # -- inside

    @contextmanager
    def _quietly(self) -> Generator[None, None, None]:
        """Changes of the model move the selection; only the user's own choice is a request."""
        before, self._quiet = self._quiet, True
        try:
            yield
        finally:
            self._quiet = before

    def _make_top(self) -> None:
        self._title = QLabel()
        self._title.setProperty("role", "title")
        self.new_chat = QPushButton()
        self.new_chat.setObjectName("newChatButton")
        self.new_chat.setProperty("role", "primary")
        self._theme.set_icon(self.new_chat, "square-pen", "on_accent", SMALL_ICON)
        self.new_chat.clicked.connect(self.new_chat_requested)
        self.temporary_chat = QToolButton()
        prepare_icon_button(self.temporary_chat, self._theme, "temporaryChatButton", "message-circle-dashed")
        self.temporary_chat.clicked.connect(self.temporary_chat_requested)
        self.search = SearchField("searchEdit", self._theme)
        self.search.installEventFilter(self)
        self._search_timer = QTimer(self)
        self._search_timer.setSingleShot(True)
        self._search_timer.setInterval(SEARCH_DELAY_MS)
        self._search_timer.timeout.connect(self._search_now)
        self.search.textChanged.connect(lambda: self._search_timer.start())
        self._searched = ""
        self._found_for = ""
        self._finds_by_meaning = True
        self._after_found: Callable[[], None] | None = None

    def _make_lists(self) -> None:
        self.model = ThreadListModel(self)
        self.list = ThreadListView("threadList")
        self.list.setModel(self.model)
        self.list.setItemDelegate(ThreadDelegate(self._theme, self.list))
        self.list.selectionModel().selectionChanged.connect(self._selection_changed)
        self.list.delete_requested.connect(self.delete_requested)
        self.list.export_requested.connect(self.export_requested)
        self.list.left_upwards.connect(self.search.setFocus)
        self.model.more_requested.connect(self.more_requested)
        self.model.rename_requested.connect(self.rename_requested)
        self._empty = empty_label("threadsEmpty")
        self._results_page = ResultsPage(self._theme)
        self.results, self.results_model = self._results_page.view, self._results_page.model
        self.results.hit_activated.connect(self.hit_activated)
        self.results.left_upwards.connect(self.search.setFocus)

    def _arrange(self) -> None:
        top = QHBoxLayout()
        top.addWidget(self._title)
        top.addStretch()
        top.addWidget(self.temporary_chat)
        top.addWidget(self.new_chat)
        self._list_page = _column(self.list, self._empty)
        self._lists = QStackedWidget()
        self._lists.addWidget(self._list_page)
        self._lists.addWidget(self._results_page)
        self._main_page = QWidget()
        main = QVBoxLayout(self._main_page)
        main.setContentsMargins(0, 0, 0, 0)
        main.setSpacing(10)
        main.addLayout(top)
        main.addWidget(self.search)
        main.addWidget(self._lists, 1)
        self._pages = QStackedWidget()
        self._pages.setObjectName("sidebarPages")
        self._pages.addWidget(self._main_page)
        self._pages.addWidget(self.trash)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 12, 12, 10)
        layout.setSpacing(8)
        layout.addWidget(self._pages, 1)
        layout.addWidget(self.footer)
        ImportDrop(self).dropped.connect(self.import_requested)

    def _retranslate(self) -> None:
        self._title.setText(self.tr("Chats"))
        self.new_chat.setText(" " + self.tr("New chat"))
        describe(self.new_chat, self.tr("New chat"), shortcut=keys_of("new_chat"))
        describe(
            self.temporary_chat,
            self.tr("New temporary chat: nothing of it is kept"),
            shortcut=keys_of("temporary_chat"),
        )
        self.search.setPlaceholderText(self.tr("Search chats"))
        self._describe_search()
        self._update_empty()
        self.list.setAccessibleName(self.tr("Chats"))

    def _theme_changed(self) -> None:
        self.list.scheduleDelayedItemsLayout()
        self.results.scheduleDelayedItemsLayout()

    def _lose_patience(self) -> None:
        self._waits_long = True
        self._update_empty()

    def _update_empty(self) -> None:
        is_empty = self.model.thread_count == 0
        if self.model.is_complete:
            self._empty.setText(self.tr("No chats yet") + "\n" + self.tr("What you write appears here."))
        else:
            self._empty.setText(self.tr("Reading the chats…"))
        # Before all was read nobody knows; only a long wait needs a word.
        self._empty.setVisible(is_empty and (self.model.is_complete or self._waits_long))
        if is_empty and self.list.hasFocus():
            self.new_chat.setFocus()  # with the list the focus would go to whatever comes next
        self.list.setVisible(not is_empty)

    def _selection_changed(self) -> None:
        ids = self.list.selected_ids()
        if len(ids) == 1 and not self._quiet:
            self.thread_selected.emit(ids[0])

    def _when_found(self, action: Callable[[], None]) -> None:
        """Do it with the results of what is typed: at once, or when they are there."""
        if self._found_for == self.search_text and self._results_page.is_decided:
            action()
            return
        self._after_found = action
        self._search_now()

    def _go_to_results(self) -> None:
        self._after_found = None
        self.results.setFocus()
        self.results.go_to_first(select=True)

    def _open_first_result(self) -> None:
        self._after_found = None
        self.results.go_to_first(select=True)
        self.results.open_current()

    def _search_now(self) -> None:
        """Emit the search text unless it was already emitted."""
        self._search_timer.stop()
        text = self.search_text
        if text != self._searched:
            self._searched = text
            if not text:
                self._found_for = ""
                self._after_found = None
                self._results_page.end()
            self.search_changed.emit(text)


def _column(*widgets: QWidget) -> QWidget:
    page = QWidget()
    layout = QVBoxLayout(page)
    layout.setContentsMargins(0, 0, 0, 0)
    for widget in widgets:
        layout.addWidget(widget, 1)
    return page
