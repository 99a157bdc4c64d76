"""The choice of one of the user's prompts: a search, and the list."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop.conversation.prompts.entities import SavedPrompt
from desktop.ui.controls import set_enabled
from desktop.ui.dialogs.parts import dialog_button, ending, name_button, plain_label, set_plain
from desktop.ui.dialogs.returning_dialog import ReturningDialog
from desktop.ui.prompts.list_model import PromptListModel
from desktop.ui.prompts.list_view import PromptListView
from desktop.ui.search_field import SearchField
from desktop.ui.theme.theme_manager import ThemeManager

WIDTH, HEIGHT = 480, 460


class PromptChooser(ReturningDialog):
    """Opened with ``open()``; deletes itself when closed.

    Signals:
        chosen: the ``SavedPrompt`` that the user wants.
        managing_requested: the page with all prompts is wanted.
    """

    chosen = Signal(object)
    managing_requested = Signal()

    def __init__(self, parent: QWidget, theme: ThemeManager, prompts: Sequence[SavedPrompt]) -> None:
        super().__init__(parent)
        self.setObjectName("promptChooser")
        self.setProperty("prompt", True)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self._title, self._nothing = plain_label("", "heading"), plain_label("", "muted")
        self._search = SearchField("promptChooserSearch", theme)
        self._model = PromptListModel()
        self._list = PromptListView("promptChooserList", theme, self._model, several=False)
        self._model.show(prompts)
        self._manage = dialog_button("promptChooserManage")
        self._cancel, self._choose = dialog_button("promptChooserCancel"), dialog_button("promptChooserUse", "primary")
        self._choose.setDefault(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 20, 22, 18)
        layout.setSpacing(8)
        for widget in (self._title, self._search, self._nothing):
            layout.addWidget(widget)
        layout.addWidget(self._list, 1)
        layout.addWidget(ending(accept=self._choose, cancel=self._cancel, reset=self._manage))
        self._search.textChanged.connect(self._find)
        self._search.installEventFilter(self)
        self._list.opened.connect(self._hand_over)
        self._list.left_upwards.connect(self._search.setFocus)
        self._list.selectionModel().selectionChanged.connect(lambda: self._show_parts())
        self._cancel.clicked.connect(self.reject)
        self._choose.clicked.connect(self._hand_over)
        self._manage.clicked.connect(self._leave)
        self._retranslate()
        self._find("")
        self.resize(min(WIDTH, max(340, parent.width() - 60)), HEIGHT)
        self._search.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """While one types, Up and Down go through the list."""
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
            and self._model.rowCount()
        ):
            step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -5}.get(Qt.Key(event.key()), 5)
            row = min(max(self._list.currentIndex().row() + step, 0), self._model.rowCount() - 1)
            self._list.setCurrentIndex(self._model.index(row))
            return True
        return super().eventFilter(watched, event)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _find(self, words: str) -> None:
        self._model.search(words)
        if self._model.rowCount():
            self._list.go_to_first(select=True)
        self._show_parts()

    def _show_parts(self) -> None:
        self._nothing.setVisible(not self._model.rowCount())
        set_enabled(self._choose, bool(self._list.chosen()))

    def _hand_over(self) -> None:
        if chosen := self._list.chosen():
            self.accept()
            self.chosen.emit(chosen[0])

    def _leave(self) -> None:
        self.reject()
        self.managing_requested.emit()

    def _retranslate(self) -> None:
        title = self.tr("Choose a prompt")
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        set_plain(self._title, title)
        for control in (self._search, self._list):
            control.setAccessibleName(self.tr("Search prompts") if control is self._search else self.tr("Your prompts"))
        self._search.setPlaceholderText(self.tr("Search prompts"))
        there = bool(self._model.all)
        set_plain(self._nothing, self.tr("No prompt fits your search.") if there else self.tr("No prompts yet"))
        name_button(self._manage, self.tr("All prompts…"))
        name_button(self._cancel, self.tr("Cancel"))
        name_button(self._choose, self.tr("Use"))
