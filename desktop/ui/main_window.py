"""The window: the sidebar, and beside it header, notices, transcript and composer."""

from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QEvent, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QMainWindow, QSplitter, QVBoxLayout, QWidget

from desktop.ui.app_icon import app_icon
from desktop.ui.composer.composer import Composer
from desktop.ui.composer.drop_area import DropArea
from desktop.ui.controls import tab_stops
from desktop.ui.early_requests import EarlyRequests
from desktop.ui.header import Header
from desktop.ui.notices import NoticeArea
from desktop.ui.screen_room import limit_least_size, placed_within, room_on_screen
from desktop.ui.sidebar.sidebar import Sidebar
from desktop.ui.sidebar_drawer import SidebarDrawer
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.toast import Toast
from desktop.ui.window_keys import WindowKeys
from desktop.ui.window_state import WindowState

if TYPE_CHECKING:
    from desktop.ui.transcript.view import TranscriptView

LEAST_SIZE = QSize(700, 400)
MIN_SIDEBAR_WIDTH = 220
MAX_SIDEBAR_WIDTH = 420
FOLD_BELOW = 540
"""The sidebar folds away by itself where less than this would be left beside its least width."""


class MainWindow(QMainWindow):
    """Holds the parts in their places; what they do is the presenters' business.

    The transcript comes when the window is painted: ``set_transcript``.

    Signals:
        close_requested: the window was closed; the program may end.
        undo_requested: Ctrl+Z outside a text field, or in one that has nothing to undo.
        settings_requested: the keys for the settings.
        shortcuts_shown: the list of shortcuts was opened; carries the ``ShortcutsDialog``.
        palette_requested: the keys that open the palette; the action in the table says which part of it.
        text_size_requested: 1 for larger text, -1 for smaller, 0 for the usual size.
        copy_answer_requested: the keys that copy the last answer.
        sent_requested: the keys that show what was sent for the last answer.
        again_requested: the keys that ask for the last answer once more.
        map_requested: the keys that show the map of branches.
        version_step_requested: the keys for the version before (-1) or after (1) of a message or an answer.
        activated: the window got the attention again; the day may have changed.
    """

    close_requested = Signal()
    undo_requested = Signal()
    settings_requested = Signal()
    shortcuts_shown = Signal(object)
    palette_requested = Signal(str)
    text_size_requested = Signal(int)
    copy_answer_requested = Signal()
    sent_requested = Signal()
    again_requested = Signal()
    map_requested = Signal()
    version_step_requested = Signal(int)
    activated = Signal()

    transcript: "TranscriptView"
    has_transcript = False
    """Whether ``transcript`` is there yet."""

    def __init__(self, theme: ThemeManager, state: WindowState | None = None) -> None:
        super().__init__()
        state = state or WindowState()
        self._theme = theme
        self.setObjectName("mainWindow")
        self.setWindowTitle("Threadwell")
        self.setWindowIcon(app_icon())
        self._wants_sidebar = state.sidebar_visible
        self._sidebar_width = state.sidebar_width
        self._was_narrow = False
        self.recent_actions = state.recent_actions
        """What was chosen in the palette, the newest first."""
        self.seen_version = state.seen_version
        """Of which version the user was told what is new."""
        self.sidebar = Sidebar(theme)
        self.header = Header(theme)
        self.notices = NoticeArea(theme)
        self._room = QWidget()
        self._page: QWidget | None = None
        self.composer = Composer(theme)
        self.right_side = self._right = QWidget()
        self._arrange()
        self._drawer = SidebarDrawer(theme, self.sidebar, self._splitter, self)
        # Not at once: what leads away from the sidebar is an event of something in it.
        self._drawer.left.connect(self._leave_drawer, Qt.ConnectionType.QueuedConnection)
        self.drop_area = DropArea(self._right, self.composer)
        self.drop_area.dropped.connect(self.composer.files.given)
        self.drop_area.picture_dropped.connect(self.composer.files.picture_given)
        self.composer.edit.files_dragged.connect(self.drop_area.begin)
        self.composer.edit.drag_left.connect(self.drop_area.end_soon)
        self.toast = Toast(theme, self._right, above=self.composer)
        self.toast.left.connect(self.composer.focus_text)
        self.header.sidebar_toggled.connect(self.toggle_sidebar)
        self.header.memories_requested.connect(self.sidebar.footer.memory_requested)
        self.sidebar.list.clicked_alone.connect(self.composer.focus_text)  # what is typed next is a message
        self.notices.changed.connect(self._order_focus)
        self.notices.left.connect(self.composer.focus_text)
        self.early_requests = self._keep_early_requests()
        self.keys = WindowKeys(self)
        self.composer.escape_unused.connect(self.keys.escape)
        self.composer.focus_stops_changed.connect(self._order_focus)
        self._order_focus()
        self._restore(state)

    def set_transcript(self, view: "TranscriptView") -> None:
        """Put the transcript into the room that was left for it."""
        self.transcript = view
        layout = self._right.layout()
        assert layout is not None
        layout.replaceWidget(self._room, view)
        view.stackUnder(self.composer)  # the order in which a screen reader meets the parts
        view.setMinimumHeight(1)  # in a low window the messages above it may need the room
        self.has_transcript = True
        self._room.deleteLater()
        self._order_focus()

    def stand_above_messages(self, bar: QWidget) -> None:
        """Give a bar its place between the header and the messages, at the right."""
        layout = self._right.layout()
        assert isinstance(layout, QVBoxLayout)
        layout.insertWidget(layout.indexOf(self.transcript), bar, 0, Qt.AlignmentFlag.AlignRight)
        bar.stackUnder(self.transcript)  # the order in which a screen reader meets the parts

    def leave_room_empty(self) -> None:
        """Show neither transcript nor composer: what stands there is decided behind the first paint."""
        self.composer.hide()
        if self.has_transcript:
            self.transcript.hide()

    def show_page(self, page: QWidget, *, with_composer: bool = False) -> None:
        """Put a page in place of transcript and composer; ``with_composer`` that stays, and the focus in it."""
        self.close_page()
        layout = self._right.layout()
        assert isinstance(layout, QVBoxLayout)
        focused = self.focusWidget()
        takes_focus = not with_composer or (focused is not None and self.transcript.isAncestorOf(focused))
        self.leave_room_empty()
        self.composer.setVisible(with_composer)
        self._page = page
        layout.insertWidget(layout.indexOf(self.composer), page, 1)
        page.stackUnder(self.composer)
        self._order_focus()
        if takes_focus:
            page.setFocus()
        elif focused is not None:
            focused.setFocus()  # hiding took it away

    def close_page(self) -> None:
        """Show transcript and composer again; the page is gone for good."""
        page, self._page = self._page, None
        focused = self.focusWidget()
        had_focus = page is not None and focused is not None and page.isAncestorOf(focused)
        if self.has_transcript:
            self.transcript.show()
            if had_focus:
                self.transcript.setFocus()
        self.composer.show()
        if page is not None:
            page.hide()
            page.deleteLater()

    @property
    def reading_place(self) -> QWidget | None:
        """Where answers are read: the transcript, or the page in its place; None while neither is there."""
        return self._page or (self.transcript if self.has_transcript else None)

    def parts(self) -> list[QWidget]:
        """The parts of the window in reading order."""
        middle: list[QWidget] = [self.transcript] if self.has_transcript else []
        page = [self._page] if self._page is not None else []
        return [self.sidebar, self.header, self.notices, *page, *middle, self.composer]

    def show_shortcuts(self) -> None:
        """Open the list of keyboard shortcuts."""
        from desktop.ui.shortcuts_dialog import ShortcutsDialog

        dialog = ShortcutsDialog(self._theme, self)
        dialog.open()
        self.shortcuts_shown.emit(dialog)

    def focus_search(self) -> None:
        """Show the sidebar, go to its search box and select what stands there."""
        if not self.sidebar.isVisibleTo(self):
            self._show_sidebar(True)
        self.sidebar.focus_search()

    def toggle_sidebar(self) -> None:
        """Show or hide the sidebar, and remember that."""
        visible = not self.sidebar.isVisibleTo(self)
        self._show_sidebar(visible)
        if not self._is_narrow():
            self._wants_sidebar = visible

    def state(self) -> WindowState:
        """What to remember for the next start."""
        return WindowState(
            geometry=bytes(self.saveGeometry().toBase64().data()).decode("ascii"),
            sidebar_width=self._sidebar_width,
            sidebar_visible=self._wants_sidebar,
            recent_actions=self.recent_actions,
            seen_version=self.seen_version,
        )

    def bring_to_front(self) -> None:
        """Show the window, not minimised, above the others as far as the system allows it."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()
        self.activateWindow()

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802
        super().closeEvent(event)
        self.close_requested.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.key() == Qt.Key.Key_Escape and not event.isAutoRepeat():
            self.keys.escape()
            return
        super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        may_be_back = event.type() in (QEvent.Type.ActivationChange, QEvent.Type.WindowStateChange)
        if may_be_back and self.isActiveWindow() and not self.isMinimized():
            self.activated.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._fold_if_narrow()
        self.notices.fit()

    def _keep_early_requests(self) -> EarlyRequests:
        early, sidebar, footer, header = EarlyRequests(self), self.sidebar, self.sidebar.footer, self.header
        early.keep(self.settings_requested, self.text_size_requested, self.copy_answer_requested)
        early.keep(self.palette_requested, self.shortcuts_shown)
        early.keep(sidebar.new_chat_requested, sidebar.temporary_chat_requested, sidebar.search_changed)
        early.keep(
            footer.settings_requested,
            footer.memory_requested,
            footer.about_requested,
            footer.help_requested,
            footer.archive_requested,
            footer.trash_requested,
            footer.theme_chosen,
            footer.language_chosen,
        )
        early.keep(header.new_chat_requested, header.model_requested, header.options_requested)
        early.keep(header.servers_managed, self.composer.model_bar.model_requested)
        self.composer.send_requested.connect(self._say_when_early)
        return early

    def _say_when_early(self) -> None:
        """A message is not kept: the chat that is about to open may not be the one that it was meant for."""
        if self.early_requests.is_early:
            self.toast.tell(lambda: self.tr("Threadwell is still opening. Your text stays here: send it in a moment."))

    def _is_narrow(self) -> bool:
        return self.width() < self.sidebar.minimumWidth() + FOLD_BELOW

    def _arrange(self) -> None:
        layout = QVBoxLayout(self._right)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.header)
        layout.addWidget(self.notices)
        layout.addWidget(self._room, 1)
        layout.addWidget(self.composer)
        self._take_sizes()
        self._theme.changed.connect(self._theme_changed)
        self._right.setMinimumWidth(400)
        self._splitter = QSplitter(Qt.Orientation.Horizontal)
        self._splitter.setObjectName("mainSplitter")
        self._splitter.setHandleWidth(1)
        self._splitter.setChildrenCollapsible(False)
        self._splitter.addWidget(self.sidebar)
        self._splitter.addWidget(self._right)
        self._splitter.splitterMoved.connect(self._splitter_moved)
        self._splitter.setStretchFactor(0, 0)
        self._splitter.setStretchFactor(1, 1)
        self.setCentralWidget(self._splitter)

    def _theme_changed(self) -> None:
        self._take_sizes()
        self._fold_if_narrow()
        if self.sidebar.isVisibleTo(self):
            self._share_width()  # what larger text needed is given back with smaller text

    def _take_sizes(self) -> None:
        """Give the sidebar room for its text."""
        self.sidebar.setMinimumWidth(self._theme.px(MIN_SIDEBAR_WIDTH))
        self.sidebar.setMaximumWidth(self._theme.px(MAX_SIDEBAR_WIDTH))

    def _fold_if_narrow(self) -> None:
        if self._is_narrow() != self._was_narrow:
            self._was_narrow = not self._was_narrow
            self._show_sidebar(self._wants_sidebar and not self._was_narrow)

    def _order_focus(self) -> None:
        """Let Tab go through the parts in reading order; within each the order of creation counts."""
        stops = [
            *self.sidebar.focus_stops(),
            *self.header.focus_stops(),
            *self.notices.focus_stops(),
            *(tab_stops(self._page) if self._page is not None else []),
            *(self.transcript.focus_stops() if self.has_transcript else []),
            *self.composer.focus_stops(),
        ]
        self.sidebar.stackUnder(self.right_side)  # Qt's splitter has them the other way round
        for before, after in pairwise(stops):
            self.setTabOrder(before, after)

    def _show_sidebar(self, visible: bool) -> None:
        """Show it beside the chat, in a narrow window over it."""
        if visible and self._is_narrow():
            self._drawer.open(self._sidebar_width)
        else:
            self._drawer.close_drawer()
            self.sidebar.setVisible(visible)
            self._order_focus()
        self.header.set_sidebar_visible(visible)
        if visible:
            self._share_width()

    def _leave_drawer(self) -> None:
        if self._drawer.isVisible():
            had_focus = self._drawer.isAncestorOf(self.focusWidget() or self)
            self._show_sidebar(False)
            if had_focus:
                self.composer.focus_text()

    def _share_width(self) -> None:
        """Give the sidebar the width that the user chose for it, as far as its least and its most allow it."""
        if self._drawer.isVisible():
            self._drawer.open(self._sidebar_width)
            return
        self._splitter.setSizes([self._sidebar_width, max(self.width() - self._sidebar_width, 400)])

    def _splitter_moved(self, position: int) -> None:
        self._sidebar_width = position

    def _restore(self, state: WindowState) -> None:
        limit_least_size(self, LEAST_SIZE)
        self.resize(1240, 860)
        if state.geometry:
            self.restoreGeometry(QByteArray.fromBase64(state.geometry.encode("ascii", "replace")))
        if not self.isMaximized() and not self.isFullScreen():
            self.setGeometry(placed_within(self.geometry(), room_on_screen(self), centred=not state.geometry))
        self._was_narrow = self._is_narrow()
        self._show_sidebar(self._wants_sidebar and not self._was_narrow)
