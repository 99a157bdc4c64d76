"""The sidebar as a whole: new chat, search, the threads or what was found, the archive, the Trash, the footer."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from desktop.ui.controls import SMALL_ICON, announce, describe, prepare_icon_button
from desktop.ui.shortcuts import keys_of
from desktop.ui.sidebar.archive_page import ArchivePage
from desktop.ui.sidebar.chats_page import ChatsPage
from desktop.ui.sidebar.import_drop import ImportDrop
from desktop.ui.sidebar.results_page import ResultsPage
from desktop.ui.sidebar.search_box import SearchBox
from desktop.ui.sidebar.side_page import SidePage
from desktop.ui.sidebar.sidebar_footer import SidebarFooter
from desktop.ui.sidebar.thread_roles import ThreadMark
from desktop.ui.sidebar.trash_page import TrashPage
from desktop.ui.theme.theme_manager import ThemeManager

if TYPE_CHECKING:
    from desktop.conversation.entities import Thread

SEARCH_DELAY_MS = 60


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

    def __init__(self, theme: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sidebar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = theme
        self._make_top()
        self._make_lists()
        self.trash = TrashPage(theme)
        self.archive = ArchivePage(theme)
        for page in (self.archive, self.trash):
            page.view.export_requested.connect(self.export_requested)
        self.archive.delete_requested.connect(self.delete_requested)
        self.archive.chosen.connect(self.thread_selected)
        self.footer = SidebarFooter(theme)
        self._arrange()
        self._retranslate()
        theme.changed.connect(self._theme_changed)
        self._theme_changed()

    # -- what the presenter calls

    def put_thread(self, thread: "Thread") -> None:
        self.chats.put(thread)

    def set_mark(self, thread_id: str, mark: ThreadMark) -> None:
        self.model.set_mark(thread_id, mark)

    def select_thread(self, thread_id: str | None) -> None:
        """Select the row of the open thread, or none; emits nothing."""
        self.chats.select(thread_id)

    def show_results(self, query: str, change: Callable[[ResultsPage], str], *, begins: bool = False) -> None:
        """Let ``change`` show what was found for ``query``, unless something else is shown by now; it returns what is said.

        ``begins``: it is the first for this query.
        """
        if begins:
            self._found_for = query
        elif query != self._found_for:
            return
        said = change(self._results_page)
        if begins:
            self._lists.setCurrentWidget(self._results_page)
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
            self.tr("Search in titles, messages, tool calls and memory, by words and by meaning")
            if self._finds_by_meaning
            else self.tr("Search in titles, messages, tool calls and memory, by words")
        )
        name = self.tr("Search in titles, messages, tool calls and memory")
        describe(self.search, name, shortcut=keys_of("search"), tooltip=words)

    def show_threads(self) -> None:
        """Go back from search results, archive or Trash to the threads."""
        self._lists.setCurrentWidget(self.chats)
        self._pages.setCurrentWidget(self._main_page)

    def show_trash(self, threads: Sequence["Thread"], *, complete: bool) -> None:
        self._show_side_page(self.trash, threads, complete=complete)

    def show_archive(self, threads: Sequence["Thread"], *, complete: bool) -> None:
        self._show_side_page(self.archive, threads, complete=complete)

    def _show_side_page(self, page: SidePage, threads: Sequence["Thread"], *, complete: bool) -> None:
        page.show_threads(threads, complete=complete)
        if self._pages.currentWidget() is not page:
            self._pages.setCurrentWidget(page)
            (page.view if threads else page).setFocus()

    def step_thread(self, step: int) -> None:
        """Choose the thread ``step`` rows below the open one; without one the first, or the last for a step up."""
        if self.chats.step(step):
            self.show_main_page()

    def focus_list(self) -> None:
        """Go to the list that is shown, or to the search box where it is empty."""
        for view in (self.trash.view, self.archive.view, self.results, self.list):
            if view.isVisibleTo(self):
                view.setFocus(Qt.FocusReason.ShortcutFocusReason)
                return
        page = self._pages.currentWidget()
        (self.search if page is self._main_page or page is None else page).setFocus(Qt.FocusReason.ShortcutFocusReason)

    def focus_stops(self) -> list[QWidget]:
        """Where Tab stops, in reading order."""
        return [
            self.temporary_chat,
            self.new_chat,
            *self.search_box.focus_stops(),
            self.list,
            self.results,
            *self.archive.focus_stops(),
            *self.trash.focus_stops(),
            *self.footer.focus_stops(),
        ]

    @property
    def is_trash_shown(self) -> bool:
        return self._pages.currentWidget() is self.trash

    @property
    def is_archive_shown(self) -> bool:
        return self._pages.currentWidget() is self.archive

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
        self.search_box = SearchBox(self._theme)
        self.search = self.search_box.field
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
        self.chats = ChatsPage(self._theme)
        self.model, self.list = self.chats.model, self.chats.list
        self.chats.thread_selected.connect(self.thread_selected)
        self.chats.emptied.connect(self.new_chat.setFocus)
        self.list.delete_requested.connect(self.delete_requested)
        self.list.export_requested.connect(self.export_requested)
        self.list.left_upwards.connect(self.search.setFocus)
        self.model.rename_requested.connect(self.rename_requested)
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
        self._lists = QStackedWidget()
        self._lists.addWidget(self.chats)
        self._lists.addWidget(self._results_page)
        self._main_page = QWidget()
        main = QVBoxLayout(self._main_page)
        main.setContentsMargins(0, 0, 0, 0)
        main.setSpacing(10)
        main.addLayout(top)
        main.addWidget(self.search_box)
        main.addWidget(self._lists, 1)
        self._pages = QStackedWidget()
        self._pages.setObjectName("sidebarPages")
        self._pages.addWidget(self._main_page)
        self._pages.addWidget(self.archive)
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

    def _theme_changed(self) -> None:
        self.list.scheduleDelayedItemsLayout()
        self.results.scheduleDelayedItemsLayout()

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
                self.search_box.show_filters(())
            self.search_changed.emit(text)
