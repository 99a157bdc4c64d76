"""The archive: threads that were put away, to be read, brought back or deleted."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton

from desktop.ui.controls import describe
from desktop.ui.shortcuts import keys_of
from desktop.ui.sidebar.side_page import SidePage
from desktop.ui.sidebar.thread_list_view import Shelf
from desktop.ui.theme.theme_manager import ThemeManager


class ArchivePage(SidePage):
    """Widgets emit requests, with ids of threads. ``chosen``: one thread shall be opened."""

    unarchive_requested = Signal(list)
    delete_requested = Signal(list)
    chosen = Signal(str)

    def __init__(self, theme: ThemeManager) -> None:
        super().__init__(theme, "archive", Shelf.ARCHIVE)
        self.view.delete_requested.connect(self.delete_requested)
        self.view.archive_requested.connect(lambda ids, _: self.unarchive_requested.emit(ids))
        self.view.clicked_alone.connect(self._choose)
        self.view.activated.connect(self._choose)
        self._bring_back = QPushButton()
        self._bring_back.setObjectName("unarchiveButton")
        self._bring_back.clicked.connect(lambda: self.unarchive_requested.emit(self.view.selected_ids()))
        self._delete = QPushButton()
        self._delete.setObjectName("deleteArchivedButton")
        self._delete.setProperty("role", "danger")
        self._delete.clicked.connect(lambda: self.delete_requested.emit(self.view.selected_ids()))
        self._finish(self._bring_back, self._delete)

    def _choose(self) -> None:
        ids = self.view.selected_ids()
        if len(ids) == 1:
            self.chosen.emit(ids[0])

    def _retranslate(self) -> None:
        super()._retranslate()
        self._title.setText(self.tr("Archive"))
        self._hint.setText(self.tr("These chats are kept and found by the search. A new message brings a chat back."))
        self._empty.setText(self.tr("The archive is empty"))
        self._bring_back.setText(self.tr("Bring back"))
        self._delete.setText(self.tr("Delete"))
        describe(
            self._bring_back, self.tr("Bring the selected chats back to the list"), shortcut=keys_of("archive_chat")
        )
        describe(self._delete, self.tr("Delete the selected chats"), shortcut="Del")
        self.view.setAccessibleName(self.tr("Archived chats"))
