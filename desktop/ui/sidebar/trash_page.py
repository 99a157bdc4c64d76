"""The Trash: deleted threads, to be restored or deleted for good."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton

from desktop.conversation.trash import TRASH_DAYS
from desktop.ui.controls import describe
from desktop.ui.sidebar.side_page import SidePage
from desktop.ui.sidebar.thread_list_view import Shelf
from desktop.ui.theme.theme_manager import ThemeManager


class TrashPage(SidePage):
    """Widgets emit requests: ``restore_requested`` and ``purge_requested`` carry lists of thread ids."""

    restore_requested = Signal(list)
    purge_requested = Signal(list)

    def __init__(self, theme: ThemeManager) -> None:
        super().__init__(theme, "trash", Shelf.TRASH)
        self.view.delete_requested.connect(self.purge_requested)
        self.view.restore_requested.connect(self.restore_requested)
        self._restore = QPushButton()
        self._restore.setObjectName("restoreButton")
        self._restore.clicked.connect(lambda: self.restore_requested.emit(self.view.selected_ids()))
        self._purge = QPushButton()
        self._purge.setObjectName("purgeButton")
        self._purge.setProperty("role", "danger")
        self._purge.clicked.connect(lambda: self.purge_requested.emit(self.view.selected_ids()))
        self._finish(self._restore, self._purge)

    def _retranslate(self) -> None:
        super()._retranslate()
        self._title.setText(self.tr("Trash"))
        self._hint.setText(self.tr("Chats stay here for %n days, then they are deleted for good.", "", TRASH_DAYS))
        self._empty.setText(self.tr("The Trash is empty"))
        self._restore.setText(self.tr("Restore"))
        self._purge.setText(self.tr("Delete for good"))
        describe(self._restore, self.tr("Restore the selected chats"))
        describe(self._purge, self.tr("Delete the selected chats for good"), shortcut="Del")
        self.view.setAccessibleName(self.tr("Deleted chats"))
