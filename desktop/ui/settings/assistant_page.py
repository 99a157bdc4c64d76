"""The page Assistant: what every chat begins with, how freely the model answers, and where commands run."""

from pathlib import Path

from PySide6.QtCore import QSignalBlocker, QSize
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QSizePolicy

from desktop.core.paths import default_workspace
from desktop.core.permission_mode import PermissionMode
from desktop.core.settings import MAX_OUTPUT_TOKENS, MAX_STEP_LIMIT, AgentSettings
from desktop.ui.controls import set_enabled
from desktop.ui.permission_words import mode_sentence, mode_title
from desktop.ui.settings.context import SettingsContext
from desktop.ui.settings.controls import (
    CalmDoubleSpinBox,
    CalmSpinBox,
    OptionalNumber,
    SegmentedChoice,
    Switch,
    show_number,
)
from desktop.ui.settings.folder_field import FolderDialog, FolderField
from desktop.ui.settings.section_page import SectionPage, SectionPresenter
from desktop.ui.text_field import TextField

FIELDS = (
    *("system_prompt", "temperature", "top_p", "max_output_tokens", "name_chats"),
    *("permission_mode", "step_limit", "workspace"),
)
PROMPT_LINES = 5


def make_assistant_page(context: SettingsContext) -> SectionPage:
    page = AssistantPage()
    SectionPresenter(page, context, "agent", FIELDS)
    context.writer.flushing.connect(page.hand_over)
    return page


class AssistantPage(SectionPage):
    def __init__(self) -> None:
        super().__init__("assistant", "sparkles")
        self._workspace_shown = ""
        self._prompt = _PromptField()
        self._temperature = OptionalNumber(
            "temperature", CalmDoubleSpinBox("temperature-number", 0.0, 2.0, 0.1, 2), start=0.7, slider=True
        )
        self._top_p = OptionalNumber(
            "topP", CalmDoubleSpinBox("topP-number", 0.01, 1.0, 0.05, 2), start=0.9, slider=True
        )
        self._tokens = OptionalNumber(
            "maxTokens", CalmSpinBox("maxTokens-number", 1, MAX_OUTPUT_TOKENS, 256), start=4096, slider=False
        )
        self._mode = SegmentedChoice("permissionMode", list(PermissionMode))
        self._mode_shown = PermissionMode.ASK_FOR_RISK
        self._steps = CalmSpinBox("stepLimit", 1, MAX_STEP_LIMIT)
        self._names = Switch("nameChats")
        self._folder = FolderField("workspace", "chooseWorkspace", "resetWorkspace")
        self._instructions, self._answers, self._tools = (self.add_section() for _ in range(3))
        self.field_rows = self._rows = {
            "system_prompt": self._instructions.add_row(self._prompt, wide=True),
            "temperature": self._answers.add_row(self._temperature),
            "top_p": self._answers.add_row(self._top_p),
            "max_output_tokens": self._answers.add_row(self._tokens),
            "name_chats": self._answers.add_row(self._names),
            "permission_mode": self._tools.add_row(self._mode, wide=True),
            "step_limit": self._tools.add_row(self._steps),
            "workspace": self._tools.add_row(self._folder, wide=True),
        }
        self._connect()
        self.retranslate()

    def show_values(self, values: AgentSettings) -> None:
        self._prompt.show_text(values.system_prompt)
        self._temperature.set_value(values.temperature)
        self._top_p.set_value(values.top_p)
        self._tokens.set_value(values.max_output_tokens)
        self._mode_shown = values.permission_mode
        self._mode.set_value(values.permission_mode)
        self._describe_mode()
        show_number(self._steps, values.step_limit)
        with QSignalBlocker(self._names):
            self._names.setChecked(values.name_chats)
        folder = values.workspace or str(default_workspace())
        if folder != self._workspace_shown:  # else something may be half typed there
            self._workspace_shown = folder
            self._folder.show_path(folder)
        set_enabled(self._folder.buttons[1], bool(values.workspace))

    def hand_over(self) -> None:
        """Emit a folder that was typed but not left yet."""
        text = self._folder.edit.text().replace("\0", "").strip()
        is_file = Path(text).expanduser().is_file() if text else False
        self._folder.show_problem(self.tr("This is a file. Choose a folder.") if is_file else "")
        if text == self._workspace_shown or is_file:
            return
        self._workspace_shown = text
        is_usual = not text or Path(text) == default_workspace()
        self.typed.emit("workspace", "" if is_usual else text)
        self.store_requested.emit()

    def retranslate(self) -> None:
        self.set_texts(self.tr("Assistant"), self.tr("How the model is asked to answer, in every chat."))
        self._instructions.set_heading(self.tr("Instructions"))
        self._answers.set_heading(self.tr("Answers"))
        self._tools.set_heading(self.tr("Tools"))
        self._prompt.setPlaceholderText(self.tr("For example: Answer briefly. My name is Lin."))
        rows = self._rows
        rows["system_prompt"].set_texts(
            self.tr("Instructions for every chat"),
            self.tr("Sent before each chat. A chat can have its own instead."),
            keywords=self.tr("system prompt custom role"),
        )
        rows["temperature"].set_texts(
            self.tr("Temperature"),
            self.tr("Low: steady and exact. High: varied and surprising. Off: the model's own."),
            keywords=self.tr("creativity randomness sampling"),
        )
        rows["top_p"].set_texts(
            self.tr("Top-p"),
            self.tr("Below 1, unlikely words are left out. Change this or the temperature, not both."),
            keywords=self.tr("nucleus sampling probability"),
        )
        rows["max_output_tokens"].set_texts(
            self.tr("Maximum length"),
            self.tr("In tokens; a token is about three quarters of a word. Off: as long as the model likes."),
            keywords=self.tr("max tokens length limit"),
        )
        rows["name_chats"].set_texts(
            self.tr("Let the model name new chats"),
            self.tr(
                "After the first answer it is asked for a title: one more short request. Off: the question is the title."
            ),
            keywords=self.tr("title automatic"),
        )
        self._describe_mode()
        rows["step_limit"].set_texts(
            self.tr("Steps per answer"),
            self.tr("How many times the model may use tools before it must stop."),
            keywords=self.tr("limit loop iterations tool calls"),
        )
        rows["workspace"].set_texts(
            self.tr("Working folder"),
            self.tr("Commands run here. The folder is created when it is first needed."),
            keywords=self.tr("workspace directory path"),
        )
        self._folder.set_words(self.tr("Choose…"), self.tr("Use the default"))

    def _describe_mode(self) -> None:
        self._mode.set_words({mode: mode_title(mode) for mode in PermissionMode})
        words = self.tr("%1 A chat can have its own way instead.").replace("%1", mode_sentence(self._mode_shown))
        self._rows["permission_mode"].set_texts(
            self.tr("Permissions of tools"), words, keywords=self.tr("ask approve mode sandbox read only")
        )

    def _connect(self) -> None:
        self._prompt.textChanged.connect(lambda: self.typed.emit("system_prompt", self._prompt.text))
        for field, number in (
            ("temperature", self._temperature),
            ("top_p", self._top_p),
            ("max_output_tokens", self._tokens),
        ):
            number.changed.connect(lambda value, field=field: self.typed.emit(field, value))
        self._steps.valueChanged.connect(lambda value: self.typed.emit("step_limit", value))
        self._mode.chosen.connect(lambda mode: self.chosen.emit("permission_mode", mode))
        self._names.toggled.connect(lambda on: self.chosen.emit("name_chats", on))
        self._folder.edit.editingFinished.connect(self.hand_over)
        choose, usual = self._folder.buttons
        choose.clicked.connect(self._choose_folder)
        usual.clicked.connect(lambda: self.chosen.emit("workspace", ""))

    def _choose_folder(self) -> None:
        dialog = FolderDialog("workspaceDialog", self.window(), self.tr("Working folder"), self._workspace_shown)
        dialog.fileSelected.connect(lambda path: self.chosen.emit("workspace", path))
        dialog.open()


class _PromptField(TextField):
    """Some lines of plain text."""

    def __init__(self) -> None:
        super().__init__("systemPrompt")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_text(self, text: str) -> None:
        """Put the text in so that the field's own Undo brings back what stood there; emits nothing."""
        if self.text == text:
            return
        with QSignalBlocker(self):
            cursor = self.textCursor()
            cursor.select(QTextCursor.SelectionType.Document)
            cursor.insertText(text)
            cursor.movePosition(QTextCursor.MoveOperation.Start)
            self.setTextCursor(cursor)

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(super().sizeHint().width(), self.fontMetrics().lineSpacing() * PROMPT_LINES + 24)
