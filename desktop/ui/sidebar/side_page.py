"""A page of the sidebar beside the list of chats: a way back, a word about it, a list, and buttons for what is selected."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QToolButton, QVBoxLayout, QWidget

from desktop.ui.controls import describe, prepare_icon_button, set_enabled
from desktop.ui.sidebar.thread_delegate import ThreadDelegate
from desktop.ui.sidebar.thread_list_model import ThreadListModel
from desktop.ui.sidebar.thread_list_view import Shelf, ThreadListView
from desktop.ui.theme.theme_manager import ThemeManager

if TYPE_CHECKING:
    from desktop.conversation.entities import Thread


class SidePage(QWidget):
    """The base of the archive and the Trash. ``name`` begins the names of its objects."""

    back_requested = Signal()

    def __init__(self, theme: ThemeManager, name: str, shelf: Shelf) -> None:
        super().__init__()
        self.setObjectName(f"{name}Page")
        self.model = ThreadListModel(self, grouped=False)
        self._back = QToolButton()
        prepare_icon_button(self._back, theme, f"{name}BackButton", "arrow-left")
        self._back.clicked.connect(self.back_requested)
        self._title, self._hint, self._empty = QLabel(), QLabel(), QLabel()
        self._title.setProperty("role", "title")
        self._hint.setProperty("role", "muted")
        self._hint.setWordWrap(True)
        self.view = ThreadListView(f"{name}List", shelf)
        self.view.setModel(self.model)
        self.view.setItemDelegate(ThreadDelegate(theme, self.view))
        self.view.left_upwards.connect(self._back.setFocus)
        self.view.selectionModel().selectionChanged.connect(self._update_buttons)
        self._empty.setObjectName(f"{name}Empty")
        self._empty.setProperty("role", "muted")
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._buttons: list[QPushButton] = []

    def show_threads(self, threads: Sequence["Thread"], *, complete: bool) -> None:
        """Show these threads."""
        self.model.reset(threads, complete=complete)
        self._update_empty()

    def remove(self, thread_id: str) -> None:
        self.model.remove(thread_id)
        self._update_empty()

    def focus_stops(self) -> list[QWidget]:
        """Where Tab stops, in reading order."""
        return [self._back, self.view, *self._buttons]

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.key() == Qt.Key.Key_Escape:
            self.back_requested.emit()
            return
        super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
            self.model.regroup()

    def _finish(self, *buttons: QPushButton) -> None:
        """Put everything in its place; to be called when the buttons are there."""
        self._buttons = list(buttons)
        top = QHBoxLayout()
        top.addWidget(self._back)
        top.addWidget(self._title, 1)
        row = QHBoxLayout()
        row.setSpacing(8)
        for button in buttons:
            row.addWidget(button, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(10)
        layout.addLayout(top)
        layout.addWidget(self._hint)
        layout.addWidget(self.view, 1)
        layout.addWidget(self._empty, 1)
        layout.addLayout(row)
        self._retranslate()
        self._update_empty()

    def _retranslate(self) -> None:
        describe(self._back, self.tr("Back to the chats"), shortcut="Esc")

    def _update_buttons(self) -> None:
        chosen = bool(self.view.selected_ids())
        for button in self._buttons:
            set_enabled(button, chosen)

    def _update_empty(self) -> None:
        is_empty = self.model.rowCount() == 0
        if is_empty and any(widget.hasFocus() for widget in (self.view, *self._buttons)):
            self._back.setFocus(Qt.FocusReason.OtherFocusReason)  # else it would go to whatever comes next
        for widget in (self.view, *self._buttons):
            widget.setVisible(not is_empty)
        self._empty.setVisible(is_empty)
        self._update_buttons()
