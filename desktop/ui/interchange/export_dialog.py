"""Asks as what chats are to be exported, and shows how far that is and where it went."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QDialogButtonBox, QProgressBar, QRadioButton, QVBoxLayout, QWidget

from desktop.ui.controls import announce, bring_into_view
from desktop.ui.dialogs.choice_words import stand_below
from desktop.ui.dialogs.parts import dialog_button, ending, name_button, plain_label, scrolled, set_plain
from desktop.ui.dialogs.returning_dialog import GrowingDialog
from desktop.ui.state.readable import one_line

FORMATS = ("markdown", "html", "pdf", "json")
_WIDTH = 520
_MOST_TITLE = 120


class ExportDialog(GrowingDialog):
    """Opened with ``open()``; deletes itself when closed.

    Signals:
        place_wanted: a format of ``FORMATS`` was chosen, and whether the Trash belongs to it.
        stop_requested: what is being written shall end, with nothing written.
        folder_wanted: the folder with the file is to be shown; its ``Path``.
    """

    place_wanted = Signal(str, bool)
    stop_requested = Signal()
    folder_wanted = Signal(object)

    def __init__(self, parent: QWidget, *, title: str = "", count: int | None = None) -> None:
        """For one chat its ``title``, for several their ``count``; without either for all chats."""
        super().__init__(parent)
        self.setObjectName("exportDialog")
        self.setProperty("prompt", True)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self._chat, self._count = one_line(title, _MOST_TITLE), count
        self._progress: tuple[int, int] | None = None
        self._written: tuple[Path, int] | None = None
        self._problem: Sequence[str] = ()
        self._title, self._subject = plain_label("", "heading"), plain_label("", "muted")
        self._choices = {name: (QRadioButton(), plain_label("", "muted")) for name in FORMATS}
        self._trash = QCheckBox()
        self._trash.setObjectName("exportTrash")
        self._note, self._state = plain_label("", "muted"), plain_label("")
        self._state.setObjectName("exportState")
        self._bar = QProgressBar()
        self._bar.setObjectName("exportProgress")
        self._bar.setTextVisible(False)
        self._cancel, self._folder = dialog_button("exportCancel"), dialog_button("exportFolder")
        self._go = dialog_button("exportGo", "primary")
        self._go.setDefault(True)
        self._arrange()
        self._cancel.clicked.connect(self.reject)
        self._go.clicked.connect(self._choose)
        self._folder.clicked.connect(self._want_folder)
        self._retranslate()
        self.resize(min(_WIDTH, max(360, parent.width() - 60)), 0)
        self._choices[FORMATS[0]][0].setChecked(True)
        self._choices[FORMATS[0]][0].setFocus()

    def open(self) -> None:
        for button, words in self._choices.values():
            stand_below(words, button, gap=4)
        super().open()

    @property
    def format(self) -> str:
        return next(name for name, (button, _) in self._choices.items() if button.isChecked())

    @property
    def is_writing(self) -> bool:
        return self._progress is not None

    def show_progress(self, done: int, total: int) -> None:
        """Say how many chats are written."""
        self._progress, self._problem = (done, total), ()
        self._retranslate()

    def show_written(self, path: Path, chats: int) -> None:
        """Say where it went."""
        self._progress, self._written = None, (path, chats)
        self._retranslate()
        self._shrink()
        self._go.setFocus()
        announce(self, self._state.accessibleName())

    def show_problem(self, title: str, detail: str) -> None:
        """Say why nothing was written; it can be tried again."""
        self._progress, self._problem = None, (title, detail)
        self._retranslate()
        bring_into_view(self._state, 0)
        announce(self, self._state.accessibleName(), assertive=True)

    def show_choice(self) -> None:
        """Let the user choose once more: no place was chosen, or the writing was stopped."""
        self._progress = None
        self._retranslate()

    def reject(self) -> None:
        """While it is writing, stop that, and stay."""
        if self.is_writing:
            self.stop_requested.emit()
        else:
            super().reject()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _shrink(self) -> None:
        """Take no more room than what is left to be said."""
        self.resize(self.width(), self.wanted_height())

    def _choose(self) -> None:
        if self._written is not None:
            self.accept()
        else:
            self.place_wanted.emit(self.format, self._trash.isChecked())

    def _want_folder(self) -> None:
        if self._written is not None:
            self.folder_wanted.emit(self._written[0].parent)

    def _arrange(self) -> None:
        inside = QWidget()
        inside.setProperty("role", "clear")
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self._subject)
        column.addSpacing(6)
        for name, (button, words) in self._choices.items():
            button.setObjectName(f"export-{name}")
            column.addWidget(button)
            column.addWidget(words)
        for widget in (self._trash, self._note, self._bar, self._state):
            column.addWidget(widget)
        column.addStretch(1)
        self.area = scrolled(inside, "exportArea")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 20, 22, 18)
        layout.setSpacing(6)
        layout.addWidget(self._title)
        layout.addWidget(self.area, 1)
        layout.addSpacing(8)
        buttons = ending(accept=self._go, cancel=self._cancel)
        buttons.addButton(self._folder, QDialogButtonBox.ButtonRole.ActionRole)
        layout.addWidget(buttons)

    def _retranslate(self) -> None:
        title = self.tr("Export chats") if self._count != 1 else self.tr("Export this chat")
        if self._written is not None:
            title = self.tr("Exported")
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        set_plain(self._title, title)
        set_plain(self._subject, self._subject_words())
        words = {
            "markdown": ("Markdown", self.tr("Text to read and to edit: what the chat shows.")),
            "html": ("HTML", self.tr("A page for any browser, with its pictures in it.")),
            "pdf": ("PDF", self.tr("Pages to print and to pass on.")),
            "json": (
                "JSON",
                self.tr("Complete: every answer, tool call and file. Threadwell can import it again."),
            ),
        }
        is_open = self._progress is None and self._written is None
        for name, (button, explanation) in self._choices.items():
            button.setText(words[name][0])
            button.setAccessibleDescription(words[name][1])
            set_plain(explanation, words[name][1])
            button.setVisible(self._written is None)
            explanation.setVisible(self._written is None)
            button.setEnabled(is_open)
        self._trash.setText(self.tr("Also the chats in the Trash"))
        self._trash.setVisible(self._count is None and self._written is None)
        self._trash.setEnabled(is_open)
        set_plain(self._note, self._note_words())
        self._note.setVisible(self._written is None)
        self._show_state()
        name_button(self._cancel, self.tr("Stop") if self.is_writing else self.tr("Cancel"))
        self._cancel.setVisible(self._written is None)
        name_button(self._go, self.tr("Close") if self._written is not None else self.tr("Choose where…"))
        self._go.setEnabled(not self.is_writing)
        name_button(self._folder, self.tr("Show the folder"))
        self._folder.setVisible(self._written is not None)

    def _show_state(self) -> None:
        self._bar.setVisible(self.is_writing)
        text = ""
        if self._progress is not None:
            done, total = self._progress
            self._bar.setRange(0, total)
            self._bar.setValue(done)
            number = self.locale().toString
            text = self.tr("Writing %1 of %2…").replace("%2", number(total)).replace("%1", number(done))
        elif self._written is not None:
            path, chats = self._written
            text = self.tr("%Ln chats exported to %1", "", chats).replace("%1", one_line(path.name, _MOST_TITLE))
        elif self._problem:
            text = "\n".join(self._problem)
        set_plain(self._state, text)
        self._state.setProperty("role", "error" if self._problem else "")
        self._state.style().polish(self._state)
        self._state.setVisible(bool(text))

    def _subject_words(self) -> str:
        if self._count is None:
            return self.tr("All chats")
        return self._chat if self._count == 1 else self.tr("%Ln chats", "", self._count)

    def _note_words(self) -> str:
        if self._count == 1:
            return self.tr("With files in the chat, Markdown and JSON become a ZIP file that holds them, too.")
        return self.tr("Several chats become one ZIP file.")
