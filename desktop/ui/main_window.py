"""The window: the sidebar, and beside it header, notices, transcript and composer."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QEvent, QRect, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QMainWindow, QSplitter, QVBoxLayout, QWidget

from desktop.ui.app_icon import app_icon
from desktop.ui.composer.composer import Composer
from desktop.ui.header import Header
from desktop.ui.notices import NoticeArea, Toast
from desktop.ui.sidebar.sidebar import Sidebar
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.window_state import WindowState

if TYPE_CHECKING:
    from desktop.ui.transcript.view import TranscriptView

MIN_SIDEBAR_WIDTH = 220
MAX_SIDEBAR_WIDTH = 420
TITLE_BAR = 32
"""Room for what the system draws above the window."""

FOLD_BELOW = 760
"""Below this width the sidebar folds away by itself."""


def placed_within(place: QRect, room: QRect, *, centred: bool) -> QRect:
    """Return ``place`` as it fits into ``room``: a window remembered from a larger screen must not hang over."""
    placed = QRect(place.topLeft(), place.size().boundedTo(room.size()))
    if centred:
        placed.moveCenter(room.center())
    placed.moveLeft(max(room.left(), min(placed.left(), room.right() + 1 - placed.width())))
    placed.moveTop(max(room.top(), min(placed.top(), room.bottom() + 1 - placed.height())))
    return placed


class MainWindow(QMainWindow):
    """Holds the parts in their places; what they do is the presenters' business.

    The transcript comes when the window is painted: ``set_transcript``.

    Signals:
        close_requested: the window was closed; the program may end.
        undo_requested: Ctrl+Z outside a text field.
        activated: the window got the attention again; the day may have changed.
    """

    close_requested = Signal()
    undo_requested = Signal()
    activated = Signal()

    transcript: "TranscriptView"

    def __init__(self, theme: ThemeManager, state: WindowState | None = None) -> None:
        super().__init__()
        state = state or WindowState()
        self.setObjectName("mainWindow")
        self.setWindowTitle("Threadwell")
        self.setWindowIcon(app_icon())
        self._wants_sidebar = state.sidebar_visible
        self._sidebar_width = state.sidebar_width
        self._was_narrow = False
        self.sidebar = Sidebar(theme)
        self.header = Header(theme)
        self.notices = NoticeArea(theme)
        self._room = QWidget()
        self.composer = Composer(theme)
        self._right = QWidget()
        self._arrange()
        self.toast = Toast(theme, self._right, above=self.composer)
        self.header.sidebar_toggled.connect(self.toggle_sidebar)
        self._add_shortcuts()
        self._restore(state)

    def set_transcript(self, view: "TranscriptView") -> None:
        """Put the transcript into the room that was left for it."""
        self.transcript = view
        layout = self._right.layout()
        assert layout is not None
        layout.replaceWidget(self._room, view)
        view.stackUnder(self.composer)  # the order in which a screen reader meets the parts
        self.setTabOrder(self.header.last_control, view)
        self._room.deleteLater()

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

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self.activated.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        if self._is_narrow() != self._was_narrow:
            self._was_narrow = not self._was_narrow
            self._show_sidebar(self._wants_sidebar and not self._was_narrow)

    def _is_narrow(self) -> bool:
        return self.width() < FOLD_BELOW

    def _arrange(self) -> None:
        layout = QVBoxLayout(self._right)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.header)
        layout.addWidget(self.notices)
        layout.addWidget(self._room, 1)
        layout.addWidget(self.composer)
        self.sidebar.setMinimumWidth(MIN_SIDEBAR_WIDTH)
        self.sidebar.setMaximumWidth(MAX_SIDEBAR_WIDTH)
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
        self.setMinimumSize(700, 480)

    def _add_shortcuts(self) -> None:
        for keys, action in (
            ("Ctrl+B", self.toggle_sidebar),
            ("Ctrl+N", self.sidebar.new_chat_requested.emit),
            ("Ctrl+F", self._focus_search),
            ("Ctrl+K", self._focus_search),
            ("Ctrl+Z", self.undo_requested.emit),
        ):
            QShortcut(QKeySequence(keys), self).activated.connect(action)
        # The list of threads has F2 for itself, for the row it stands on.
        QShortcut(
            QKeySequence("F2"), self._right, context=Qt.ShortcutContext.WidgetWithChildrenShortcut
        ).activated.connect(self.header.edit_title)

    def _focus_search(self) -> None:
        if not self.sidebar.isVisibleTo(self):
            self._show_sidebar(True)
        self.sidebar.focus_search()

    def _show_sidebar(self, visible: bool) -> None:
        self.sidebar.setVisible(visible)
        self.header.set_sidebar_visible(visible)
        if visible:
            self._splitter.setSizes([self._sidebar_width, max(self.width() - self._sidebar_width, 400)])

    def _splitter_moved(self, position: int) -> None:
        self._sidebar_width = position

    def _restore(self, state: WindowState) -> None:
        self.resize(1240, 860)
        if state.geometry:
            self.restoreGeometry(QByteArray.fromBase64(state.geometry.encode("ascii", "replace")))
        if (screen := self.screen()) is not None and not self.isMaximized() and not self.isFullScreen():
            room = screen.availableGeometry().adjusted(0, TITLE_BAR, 0, 0)
            self.setGeometry(placed_within(self.geometry(), room, centred=not state.geometry))
        self._was_narrow = self._is_narrow()
        self._show_sidebar(self._wants_sidebar and not self._was_narrow)
