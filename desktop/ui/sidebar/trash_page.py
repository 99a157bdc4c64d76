"""The Trash: deleted threads, to be restored or deleted for good."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop.conversation.trash import TRASH_DAYS
from desktop.ui.controls import describe, prepare_icon_button, set_enabled
from desktop.ui.sidebar.list_views import ThreadListView
from desktop.ui.sidebar.thread_delegate import ThreadDelegate
from desktop.ui.sidebar.thread_list_model import ThreadListModel
from desktop.ui.theme.theme_manager import ThemeManager

if TYPE_CHECKING:
    from desktop.conversation.entities import Thread


class TrashPage(QWidget):
    """Widgets emit requests: ``restore_requested`` and ``purge_requested`` carry lists of thread ids."""

    back_requested = Signal()
    restore_requested = Signal(list)
    purge_requested = Signal(list)

    def __init__(self, theme: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("trashPage")
        self.model = ThreadListModel(self, grouped=False)
        self._back = QToolButton()
        prepare_icon_button(self._back, theme, "trashBackButton", "arrow-left")
        self._back.clicked.connect(self.back_requested)
        self._title = QLabel()
        self._title.setProperty("role", "title")
        self._hint = QLabel()
        self._hint.setProperty("role", "muted")
        self._hint.setWordWrap(True)
        self.view = ThreadListView("trashList", trash=True)
        self.view.setModel(self.model)
        self.view.setItemDelegate(ThreadDelegate(theme, self.view))
        self.view.delete_requested.connect(self.purge_requested)
        self.view.restore_requested.connect(self.restore_requested)
        self.view.left_upwards.connect(self._back.setFocus)
        self.view.selectionModel().selectionChanged.connect(self._update_buttons)
        self._empty = QLabel()
        self._empty.setObjectName("trashEmpty")
        self._empty.setProperty("role", "muted")
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._restore = QPushButton()
        self._restore.setObjectName("restoreButton")
        self._restore.clicked.connect(lambda: self.restore_requested.emit(self.view.selected_ids()))
        self._purge = QPushButton()
        self._purge.setObjectName("purgeButton")
        self._purge.setProperty("role", "danger")
        self._purge.clicked.connect(lambda: self.purge_requested.emit(self.view.selected_ids()))
        self._arrange()
        self._retranslate()
        self._update_buttons()

    def show_threads(self, threads: Sequence["Thread"], *, complete: bool) -> None:
        """Show these deleted threads."""
        self.model.reset(threads, complete=complete)
        self._update_empty()

    def remove(self, thread_id: str) -> None:
        self.model.remove(thread_id)
        self._update_empty()

    def focus_stops(self) -> list[QWidget]:
        """Where Tab stops, in reading order."""
        return [self._back, self.view, self._restore, self._purge]

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

    def _arrange(self) -> None:
        top = QHBoxLayout()
        top.addWidget(self._back)
        top.addWidget(self._title, 1)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self._restore, 1)
        buttons.addWidget(self._purge, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(10)
        layout.addLayout(top)
        layout.addWidget(self._hint)
        layout.addWidget(self.view, 1)
        layout.addWidget(self._empty, 1)
        layout.addLayout(buttons)

    def _retranslate(self) -> None:
        self._title.setText(self.tr("Trash"))
        self._hint.setText(self.tr("Chats stay here for %n days, then they are deleted for good.", "", TRASH_DAYS))
        self._empty.setText(self.tr("The Trash is empty"))
        self._restore.setText(self.tr("Restore"))
        self._purge.setText(self.tr("Delete for good"))
        describe(self._back, self.tr("Back to the chats"), shortcut="Esc")
        describe(self._restore, self.tr("Restore the selected chats"))
        describe(self._purge, self.tr("Delete the selected chats for good"), shortcut="Del")
        self.view.setAccessibleName(self.tr("Deleted chats"))

    def _update_buttons(self) -> None:
        chosen = bool(self.view.selected_ids())
        set_enabled(self._restore, chosen)
        set_enabled(self._purge, chosen)

    def _update_empty(self) -> None:
        is_empty = self.model.rowCount() == 0
        self.view.setVisible(not is_empty)
        self._empty.setVisible(is_empty)
        self._update_buttons()
