"""Writes a prompt, or other words for one that is there."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from desktop.conversation.prompts.entities import MOST_DESCRIPTION, MOST_NAME, MOST_TEXT
from desktop.conversation.prompts.library import PromptDraft
from desktop.conversation.prompts.template import Gap, gaps_in
from desktop.ui.controls import announce, set_enabled
from desktop.ui.dialogs.parts import dialog_button, ending, name_button, plain_label, scrolled, set_plain
from desktop.ui.dialogs.writing_dialog import WritingDialog
from desktop.ui.error_words import words_of_exception
from desktop.ui.punctuation import follow, sentences
from desktop.ui.screen_room import room_on_screen
from desktop.ui.state.readable import one_line
from desktop.ui.text_field import TextField, line_field

WIDTH, WIDTH_IN_LINES = 600, 30
"""In pixels, and with larger text in heights of a line: low screens have more room to the side."""
TEXT_LINES, LEAST_LINES, LITTLE_ROOM = 9, 3, 34
_MOST_GAPS = 400


class PromptEditDialog(WritingDialog):
    """Opened with ``open()``; deletes itself when closed. Escape leaves everything as it was.

    Signals:
        save_requested: the ``PromptDraft`` that is wanted. The dialog waits for ``accept``, when that is on disk, or
            ``show_failure``, after which the user can try again.
    """

    save_requested = Signal(object)

    def __init__(self, parent: QWidget, draft: PromptDraft | None = None, *, is_new: bool = True) -> None:
        """``draft`` is what stands in it at first."""
        super().__init__(parent)
        self.setObjectName("promptEdit")
        self.setProperty("prompt", True)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self._is_new, self._is_saving = is_new, False
        self._failure: Exception | None = None
        draft = draft or PromptDraft("", "")
        self._title = plain_label("", "heading")
        self._name_label, self._text_label = plain_label("", "label"), plain_label("", "label")
        self._description_label = plain_label("", "label")
        self._name, self._description = (
            line_field("promptName", MOST_NAME),
            line_field("promptDescription", MOST_DESCRIPTION),
        )
        self._name.setText(draft.name)
        self._description.setText(draft.description)
        self._text = _TextOfPrompt(draft.text)
        self._help, self._gaps = plain_label("", "muted"), plain_label("")
        self._gaps.setObjectName("promptGaps")
        self._problem = plain_label("", "error")
        self._problem.setObjectName("promptProblem")
        self._cancel, self._save = dialog_button("promptCancel"), dialog_button("promptSave", "primary")
        self._save.setDefault(True)
        self._arrange()
        self._name.textChanged.connect(self._judge)
        self._text.textChanged.connect(self._judge)
        self._cancel.clicked.connect(self.reject)
        self._save.clicked.connect(self._hand_over)
        self._retranslate()
        self.ensurePolished()
        wanted = max(WIDTH, WIDTH_IN_LINES * self.fontMetrics().lineSpacing())
        self.resize(min(wanted, max(360, parent.width() - 60)), 0)
        self._name.setFocus()
        self._name.selectAll()

    @property
    def draft(self) -> PromptDraft:
        """What is entered."""
        return PromptDraft(self._name.text().strip(), self._text.text, self._description.text().strip())

    def show_failure(self, error: Exception) -> None:
        """Say why nothing was saved; what was entered stays."""
        self._is_saving, self._failure = False, error
        self._retranslate()
        announce(self, self._problem.accessibleName(), assertive=True)

    def show_full(self) -> None:
        """Say that the library takes no more."""
        self._is_saving = False
        words = self.tr("Your library is full. Delete prompts that you no longer need, then save this one again.")
        set_plain(self._problem, words)
        self._problem.show()
        announce(self, words, assertive=True)

    def _arrange(self) -> None:
        inside = QWidget()
        inside.setProperty("role", "clear")
        fields = QVBoxLayout(inside)
        fields.setContentsMargins(0, 0, 0, 0)
        fields.setSpacing(4)
        for label, field in (
            (self._name_label, self._name),
            (self._description_label, self._description),
            (self._text_label, self._text),
        ):
            fields.addSpacing(6)
            fields.addWidget(label)
            fields.addWidget(field, 1 if field is self._text else 0)
        fields.addSpacing(4)
        fields.addWidget(self._help)
        fields.addWidget(self._gaps)
        self.area = scrolled(inside, "promptArea")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 20, 22, 18)
        layout.setSpacing(4)
        layout.addWidget(self._title)
        layout.addWidget(self.area, 1)
        layout.addWidget(self._problem)
        layout.addSpacing(10)
        layout.addWidget(ending(accept=self._save, cancel=self._cancel))

    def _judge(self) -> None:
        """Say what is to be filled in, and at once what is wrong; an empty field is only not offered to be saved."""
        text = self._text.text
        gaps = ", ".join(filter(None, map(_gap_words, gaps_in(text))))
        set_plain(self._gaps, self.tr("To fill in: %1").replace("%1", one_line(gaps, _MOST_GAPS)) if gaps else "")
        self._gaps.setVisible(bool(gaps))
        words, number = "", self.locale().toString
        if len(text) > MOST_TEXT:
            words = self.tr("Too long: %1 of at most %2 characters.")
            words = words.replace("%1", number(len(text))).replace("%2", number(MOST_TEXT))
        elif self._failure is not None:
            told = words_of_exception(self._failure)
            words = follow(self.tr("Not saved yet."), sentences(told.title, told.detail))
        set_plain(self._problem, words)
        self._problem.setVisible(bool(words))
        set_enabled(self._save, self._can_save)

    @property
    def _can_save(self) -> bool:
        draft = self.draft
        return bool(draft.name and draft.text.strip()) and len(draft.text) <= MOST_TEXT

    def _hand_over(self) -> None:
        if not self._is_saving and self._can_save:
            self._is_saving = True
            self.save_requested.emit(self.draft)

    def _retranslate(self) -> None:
        title = self.tr("New prompt") if self._is_new else self.tr("Edit the prompt")
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        set_plain(self._title, title)
        for label, field, words in (
            (self._name_label, self._name, self.tr("Name")),
            (self._description_label, self._description, self.tr("What it is for (may stay empty)")),
            (self._text_label, self._text, self.tr("Text")),
        ):
            set_plain(label, words)
            field.setAccessibleName(words)
        self._name.setPlaceholderText(self.tr("For example: Sum up"))
        self._text.setPlaceholderText(
            self.tr("For example: Sum up the following text in {{sentences=three}} sentences:")
        )
        set_plain(
            self._help,
            self.tr(
                "What changes each time goes in double braces: {{name}}, with a usual value {{city=Berlin}}, or with"
                " choices {{tone:formal|friendly}}. {{date}} and {{time}} fill in by themselves; {{selection}} is what"
                " you selected in the chat, {{clipboard}} what you paste."
            ),
        )
        name_button(self._cancel, self.tr("Cancel"))
        name_button(self._save, self.tr("Save") if self._failure is None else self.tr("Try again"))
        self._judge()


def _gap_words(gap: Gap) -> str:
    if gap.choices:
        return f"{gap.name} ({' | '.join(gap.choices)})"
    return f"{gap.name} ({gap.value})" if gap.value else gap.name


class _TextOfPrompt(TextField):
    def __init__(self, text: str) -> None:
        super().__init__("promptText")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setPlainText(text)
        self.moveCursor(QTextCursor.MoveOperation.End)

    def sizeHint(self) -> QSize:  # noqa: N802
        has_room = room_on_screen(self).height() >= LITTLE_ROOM * self.fontMetrics().lineSpacing()
        lines = TEXT_LINES if has_room else LEAST_LINES
        return QSize(super().sizeHint().width(), self.fontMetrics().lineSpacing() * lines + 24)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(120, self.fontMetrics().lineSpacing() * LEAST_LINES + 24)
