"""Writes something to be remembered, or other words for what is remembered already."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QCheckBox, QSizePolicy, QVBoxLayout, QWidget

from desktop.core.errors import ThreadwellError
from desktop.memory.entities import MemoryItem, MemoryKind
from desktop.memory.transfer import MOST_CHARACTERS
from desktop.ui.controls import announce, describe, set_enabled
from desktop.ui.dialogs.parts import dialog_button, ending, plain_label, set_plain
from desktop.ui.dialogs.writing_dialog import WritingDialog
from desktop.ui.error_words import words_of_exception
from desktop.ui.memory.words import kind_sentence, kind_word
from desktop.ui.punctuation import follow, sentences
from desktop.ui.settings.controls import SegmentedChoice
from desktop.ui.text_field import TextField

WIDTH = 560
TEXT_LINES = 4


class MemoryEditDialog(WritingDialog):
    """Opened with ``open()``; deletes itself when closed. Escape leaves everything as it was.

    Signals:
        save_requested: the text, its ``MemoryKind``, and whether it counts in one chat only. The dialog waits for
            ``accept``, when that is on disk, or ``show_failure``, after which the user can try again.
    """

    save_requested = Signal(str, object, bool)

    def __init__(self, parent: QWidget, item: MemoryItem | None = None, *, in_a_chat: bool = False) -> None:
        """Without an ``item`` a new one is written. ``in_a_chat``: it can be kept to the chat it comes from or is written in."""
        super().__init__(parent)
        self.setObjectName("memoryEdit")
        self.setProperty("prompt", True)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self._item = item
        self._kind = item.kind if item else MemoryKind.FACT
        self._is_saving = False
        self._failure: Exception | None = None
        self._title, self._words = plain_label("", "heading"), plain_label("", "muted")
        self._text = _MemoryField(item.text if item else "")
        self._kinds = SegmentedChoice("memoryKind", list(MemoryKind))
        self._kinds.set_value(self._kind)
        self._kind_words = plain_label("", "muted")
        self._only_here = QCheckBox()
        self._only_here.setObjectName("memoryOnlyHere")
        self._only_here.setChecked(item is not None and item.only_thread_id is not None)
        self._only_here.setVisible(in_a_chat or self._only_here.isChecked())
        self._problem = plain_label("", "error")
        self._problem.setObjectName("memoryProblem")
        self._problem.hide()
        self._cancel, self._save = dialog_button("memoryCancel"), dialog_button("memorySave", "primary")
        self._save.setDefault(True)
        self._arrange()
        self._text.textChanged.connect(self._edited)
        self._kinds.chosen.connect(self._choose_kind)
        self._cancel.clicked.connect(self.reject)
        self._save.clicked.connect(self._hand_over)
        self._retranslate()
        self.resize(min(WIDTH, max(360, parent.width() - 60)), 0)
        self._text.setFocus()

    @property
    def text(self) -> str:
        """What is entered, in one line."""
        return " ".join(self._text.text.split())

    def show_failure(self, error: Exception) -> None:
        """Say why nothing was saved; what was entered stays."""
        self._is_saving, self._failure = False, error
        self._retranslate()
        announce(self, self._problem.accessibleName(), assertive=True)

    def _arrange(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 20, 22, 18)
        layout.setSpacing(8)
        for widget in (self._title, self._words, self._text, self._kinds, self._kind_words, self._only_here):
            layout.addWidget(widget)
        layout.addWidget(self._problem)
        layout.addSpacing(8)
        layout.addWidget(ending(accept=self._save, cancel=self._cancel))

    def _choose_kind(self, kind: MemoryKind) -> None:
        self._kind = kind
        self._retranslate()

    @property
    def _is_known(self) -> bool:
        return isinstance(self._failure, ThreadwellError) and self._failure.code == "memory.known"

    def _edited(self) -> None:
        if self._is_known:
            self._failure = None  # it was said of another text
        self._judge()

    def _judge(self) -> None:
        """Tell at once when it is too long; an empty text is only not offered to be saved."""
        count = len(self.text)
        too_long = self.tr("Too long: %1 of at most %2 characters. Write it as two memories.")
        number = self.locale().toString
        set_plain(self._problem, "")
        if count > MOST_CHARACTERS:
            set_plain(self._problem, too_long.replace("%1", number(count)).replace("%2", number(MOST_CHARACTERS)))
        elif self._failure is not None:
            words = words_of_exception(self._failure)
            set_plain(self._problem, follow(self.tr("Not saved yet."), sentences(words.title, words.detail)))
        self._problem.setVisible(bool(self._problem.text()))
        set_enabled(self._save, 0 < count <= MOST_CHARACTERS)

    def _hand_over(self) -> None:
        if not self._is_saving and 0 < len(self.text) <= MOST_CHARACTERS:
            self._is_saving = True
            self.save_requested.emit(self.text, self._kind, self._only_here.isChecked())

    def _retranslate(self) -> None:
        title = self.tr("Write a memory") if self._item is None else self.tr("Edit the memory")
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        set_plain(self._title, title)
        set_plain(self._words, self.tr("One sentence that stays true without its chat, with dates written out."))
        self._text.setAccessibleName(self.tr("Text of the memory"))
        self._text.setPlaceholderText(self.tr("For example: I work at a hospital in Leipzig since May 2024."))
        self._kinds.set_words({kind: kind_word(kind) for kind in MemoryKind})
        self._kinds.setAccessibleName(self.tr("Kind"))
        set_plain(self._kind_words, kind_sentence(self._kind))
        self._only_here.setText(self.tr("Only in this chat"))
        for button, text in (
            (self._cancel, self.tr("Cancel")),
            (self._save, self.tr("Save") if self._failure is None or self._is_known else self.tr("Try again")),
        ):
            button.setText(text)
            describe(button, text, tooltip="")
        self._judge()


class _MemoryField(TextField):
    def __init__(self, text: str) -> None:
        super().__init__("memoryText")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setPlainText(text)
        self.moveCursor(QTextCursor.MoveOperation.End)

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(super().sizeHint().width(), self.fontMetrics().lineSpacing() * TEXT_LINES + 24)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(120, self.fontMetrics().lineSpacing() * 2 + 24)
