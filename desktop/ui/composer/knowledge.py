"""Documents that count in the chat, at its message: the button that adds some, and the line that says how far they are."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from desktop.ui.controls import describe, prepare_icon_button
from desktop.ui.popup import round_corners
from desktop.ui.theme.theme_manager import ThemeManager

if TYPE_CHECKING:
    from desktop.ui.composer.knowledge_line import KnowledgeLine


class Knowledge(QObject):
    """``place`` puts the line where it belongs; it is made with the first document.

    Signals:
        files_requested, folder_requested: the user wants to choose some.
        folders_given: folders were dropped; carries their paths (``list[Path]``).
        list_requested: the documents are to be shown.
        changed: the line came or went.
        words_wanted: what the line says is to be said in another language.
    """

    files_requested = Signal()
    folder_requested = Signal()
    folders_given = Signal(list)
    list_requested = Signal()
    changed = Signal()
    words_wanted = Signal()

    def __init__(self, theme: ThemeManager, place: Callable[[QWidget], object], parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._place = place
        self._line: KnowledgeLine | None = None
        self._menu = QMenu(parent)
        self._menu.setObjectName("knowledgeMenu")
        round_corners(self._menu)
        self._files = self._menu.addAction("", self.files_requested.emit)
        self._folder = self._menu.addAction("", self.folder_requested.emit)
        self._menu.addSeparator()
        self._list = self._menu.addAction("", self.list_requested.emit)
        self.button = QToolButton(parent)
        prepare_icon_button(self.button, theme, "knowledgeButton", "book-open")
        self.button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.button.setMenu(self._menu)

    @property
    def words(self) -> str:
        """What the line says; empty while there is none."""
        return self._line.words if self._line is not None and not self._line.isHidden() else ""

    def show_words(self, words: str, *, has_problem: bool = False) -> None:
        """Say how far the documents are; with no words there are none."""
        if self._line is None:
            if not words:
                return
            from desktop.ui.composer.knowledge_line import KnowledgeLine

            self._line = KnowledgeLine(self._theme)
            self._line.list_requested.connect(self.list_requested)
            self._place(self._line)
        was_there = not self._line.isHidden()
        self._line.show_words(words, has_problem=has_problem)
        self._line.setVisible(bool(words))
        if was_there != bool(words):
            self.changed.emit()

    def focus_stops(self) -> list[QWidget]:
        return [self._line.button] if self._line is not None else []

    def retranslate(self) -> None:
        describe(
            self.button,
            self.tr("Add knowledge"),
            tooltip=self.tr("Add documents that answers in this chat can draw on"),
        )
        self._files.setText(self.tr("Add files as knowledge…"))
        self._folder.setText(self.tr("Add a folder as knowledge…"))
        self._list.setText(self.tr("Show all documents"))
        self.words_wanted.emit()
