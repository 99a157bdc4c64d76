"""What one chat does in its own way: instructions, temperature, and what it is told, each with what the settings say."""

import dataclasses
from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from desktop.conversation.entities import ThreadOptions, UsageTotal
from desktop.core.memory_settings import MemoryUse
from desktop.core.session_settings import SessionUse
from desktop.core.settings import AgentSettings
from desktop.ui.controls import announce, describe, set_enabled
from desktop.ui.dialogs.parts import dialog_button, ending, plain_label, scrolled, set_plain
from desktop.ui.dialogs.session_choice import SessionChoice
from desktop.ui.dialogs.writing_dialog import WritingDialog
from desktop.ui.error_words import words_of_exception
from desktop.ui.memory.words import memory_use_sentence, memory_use_word
from desktop.ui.punctuation import follow, sentences
from desktop.ui.screen_room import room_on_screen
from desktop.ui.settings.controls import CalmDoubleSpinBox, OptionalNumber, SegmentedChoice
from desktop.ui.settings.page import SettingsSection
from desktop.ui.text_field import TextField
from desktop.ui.usage_words import usage_text

WIDTH = 560
PROMPT_LINES = 6
LEAST_PROMPT_LINES = 3
LITTLE_ROOM = 34
"""On a screen with room for fewer lines of text the field for the instructions has its least lines."""
SHOWN_CHARACTERS = 400
"""Of the settings' instructions, where the field is empty."""
USUAL_TEMPERATURE = 0.7


class ThreadOptionsDialog(WritingDialog):
    """Opened with ``open()``; deletes itself when closed. Escape leaves everything as it was.

    Signals:
        save_requested: the ``ThreadOptions`` that the user wants. The dialog waits for ``accept``, when they are on
            disk, or ``show_failure``, after which the user can try again.
        prompts_requested: one of the user's prompts is to be chosen for the instructions; ``put_instructions`` takes it.
    """

    save_requested = Signal(object)
    prompts_requested = Signal()

    def __init__(
        self,
        parent: QWidget,
        options: ThreadOptions,
        defaults: AgentSettings,
        memory: MemoryUse = MemoryUse.EVERYWHERE,
        sessions: SessionUse = SessionUse.OFF,
    ) -> None:
        """``options`` are the chat's, ``defaults``, ``memory`` and ``sessions`` what holds where it has none."""
        super().__init__(parent)
        self.setObjectName("threadOptions")
        self.setProperty("prompt", True)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self._defaults, self._usual_memory = defaults, memory
        self._before = options
        self._number, self._use = options.temperature, options.memory
        self._is_saving = False
        self._failure: Exception | None = None
        self._title = plain_label("", "heading")
        self._words = plain_label("", "muted")
        self._prompt = _PromptField()
        self._temperature = OptionalNumber(
            "threadTemperature",
            CalmDoubleSpinBox("threadTemperature-number", 0.0, 2.0, 0.1, 2),
            start=USUAL_TEMPERATURE if defaults.temperature is None else defaults.temperature,
            slider=True,
        )
        section = SettingsSection()
        self._prompt_row = section.add_row(self._prompt, wide=True)
        self._from_prompts = dialog_button("threadPromptChoice")
        self._from_prompts_row = section.add_row(self._from_prompts)
        self._temperature_row = section.add_row(self._temperature)
        self._memory = SegmentedChoice("threadMemory", [None, *MemoryUse])
        self._memory.setEnabled(not options.is_temporary)
        self._memory_row = section.add_row(self._memory)
        self._session = SessionChoice(sessions)
        self._session.setEnabled(not options.is_temporary)
        self._session_row = section.add_row(self._session, wide=True)
        self._session_row.setVisible(sessions is not SessionUse.OFF)
        self._usage: Sequence[UsageTotal] = ()
        self._usage_words = plain_label("", "muted")
        self._usage_words.setObjectName("threadUsage")
        self._usage_words.hide()
        self._problem = plain_label("", "error")
        self._problem.setObjectName("threadOptionsProblem")
        self._problem.hide()
        self._reset = dialog_button("threadOptionsReset")
        self._cancel = dialog_button("threadOptionsCancel")
        self._save = dialog_button("threadOptionsSave", "primary")
        self._save.setDefault(True)
        self._arrange(section)
        self._connect()
        self._show(options)
        self._retranslate()
        self.resize(min(WIDTH, max(360, parent.width() - 60)), 0)
        self._prompt.setFocus()

    @property
    def options(self) -> ThreadOptions:
        """The chat's, with what is entered here; blank instructions are none of its own."""
        return dataclasses.replace(
            self._before,
            system_prompt=self._prompt.own_text,
            temperature=self._number,
            memory=self._use,
            session=self._session.session,
        )

    def show_usage(self, totals: Sequence[UsageTotal]) -> None:
        """Say what the answers of the chat used so far; nothing where nothing was counted."""
        self._usage = totals
        self._retranslate()

    def put_instructions(self, text: str) -> None:
        """Put a text in place of the instructions, as if the user had written it: the field's Undo brings them back."""
        self._prompt.show_text(text)
        self._prompt.setFocus()

    def show_failure(self, error: Exception) -> None:
        """Say why nothing was saved; what was entered stays."""
        self._is_saving, self._failure = False, error
        self._retranslate()
        self._problem.show()
        announce(self, self._problem.accessibleName(), assertive=True)

    def _connect(self) -> None:
        self._temperature.changed.connect(self._take_number)
        self._memory.chosen.connect(self._take_use)
        self._session.changed.connect(self._show_reset)
        self._prompt.textChanged.connect(self._show_reset)
        self._from_prompts.clicked.connect(self.prompts_requested)
        self._reset.clicked.connect(lambda: self._show(ThreadOptions()))
        self._cancel.clicked.connect(self.reject)
        self._save.clicked.connect(self._hand_over)

    def _arrange(self, section: QWidget) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 20, 22, 18)
        layout.setSpacing(6)
        layout.addWidget(self._title)
        layout.addWidget(self._words)
        layout.addSpacing(8)
        self.area = scrolled(section, "threadOptionsArea")
        layout.addWidget(self.area, 1)
        layout.addWidget(self._usage_words)
        layout.addWidget(self._problem)
        layout.addSpacing(10)
        layout.addWidget(ending(accept=self._save, cancel=self._cancel, reset=self._reset))

    def _show(self, options: ThreadOptions) -> None:
        self._number, self._use = options.temperature, options.memory
        self._memory.set_value(options.memory)
        self._session.show_session(options.session)
        self._prompt.show_text(options.system_prompt or "")
        self._temperature.set_value(options.temperature)
        self._show_reset()

    def _take_number(self, value: float | None) -> None:
        self._number = value
        self._show_reset()

    def _take_use(self, use: MemoryUse | None) -> None:
        self._use = use
        self._show_reset()
        self._describe_memory()

    def _show_reset(self) -> None:
        own = (self._prompt.own_text, self._number, self._use, self._session.session)
        set_enabled(self._reset, any(value is not None for value in own))

    def _hand_over(self) -> None:
        if not self._is_saving and self._session.is_whole():
            self._is_saving = True
            self.save_requested.emit(self.options)

    def _retranslate(self) -> None:
        title = self.tr("Chat options")
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        set_plain(self._title, title)
        set_plain(self._words, self.tr("They apply from the next message. Anything left empty follows Settings."))
        self._prompt_row.set_texts(
            self.tr("Instructions for this chat"), self.tr("Instead of the instructions for every chat.")
        )
        self._from_prompts.setText(self.tr("Choose…"))
        self._from_prompts_row.set_texts(self.tr("Use one of your prompts"))
        self._temperature_row.set_texts(self.tr("Temperature"), self._words_about_temperature())
        words = {None: self.tr("As in Settings"), **{use: memory_use_word(use) for use in MemoryUse}}
        self._memory.set_words(words)
        self._memory.setAccessibleName(self.tr("Memory"))
        self._describe_memory()
        self._session.retranslate()
        self._session_row.set_texts(self.tr("Shared session"), self._session.explanation)
        text = usage_text(self._usage)
        set_plain(self._usage_words, self.tr("This chat so far: %1").replace("%1", text))
        self._usage_words.setVisible(bool(text))
        usual = " ".join(self._defaults.system_prompt[: 2 * SHOWN_CHARACTERS].split())
        if len(usual) > SHOWN_CHARACTERS:
            usual = f"{usual[: SHOWN_CHARACTERS - 1].rstrip()}…"
        self._prompt.setPlaceholderText(
            self.tr("As in Settings: %1").replace("%1", usual)
            if usual
            else self.tr("For example: You are a patient teacher. Answer with short examples.")
        )
        if self._failure is not None:
            words = words_of_exception(self._failure)
            set_plain(self._problem, follow(self.tr("Not saved yet."), sentences(words.title, words.detail)))
        for button, text in (
            (self._reset, self.tr("Use the settings")),
            (self._cancel, self.tr("Cancel")),
            (self._save, self.tr("Save") if self._failure is None else self.tr("Try again")),
        ):
            button.setText(text)
            describe(button, text, tooltip="")
        describe(self._reset, self._reset.text(), tooltip=self.tr("No options of its own: everything follows Settings"))

    def _describe_memory(self) -> None:
        if self._before.is_temporary:
            words = self.tr("A temporary chat is told nothing of earlier chats.")
        elif self._use is None:
            words = self.tr("As in Settings: %1").replace("%1", memory_use_word(self._usual_memory))
        else:
            words = memory_use_sentence(self._use)
        self._memory_row.set_texts(self.tr("Memory"), words)

    def _words_about_temperature(self) -> str:
        usual = self._defaults.temperature
        if usual is None:
            return self.tr("Low: steady and exact. High: varied and surprising. Off: as in Settings, the model's own.")
        words = self.tr("Low: steady and exact. High: varied and surprising. Off: as in Settings, %1.")
        return words.replace("%1", self.locale().toString(usual, "f", 2))


class _PromptField(TextField):
    """Some lines of plain text; blank ones count as none."""

    def __init__(self) -> None:
        super().__init__("threadPrompt")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    @property
    def own_text(self) -> str | None:
        return self.text if self.text.strip() else None

    def show_text(self, text: str) -> None:
        """Put the text in so that the field's own Undo brings back what stood there."""
        cursor = self.textCursor()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(text)
        self.setTextCursor(cursor)

    def sizeHint(self) -> QSize:  # noqa: N802
        has_room = room_on_screen(self).height() >= LITTLE_ROOM * self.fontMetrics().lineSpacing()
        lines = PROMPT_LINES if has_room else LEAST_PROMPT_LINES
        return QSize(super().sizeHint().width(), self.fontMetrics().lineSpacing() * lines + 24)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(120, self.fontMetrics().lineSpacing() * LEAST_PROMPT_LINES + 24)
