"""Makes an assistant, or changes one: what it is told, which model answers, and what it has to work with."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from desktop.conversation.assistants import entities
from desktop.conversation.assistants.entities import Assistant, AssistantMemory
from desktop.ui.assistants.tick_list import Tick, TickList
from desktop.ui.assistants.words import memory_word
from desktop.ui.controls import announce, set_enabled
from desktop.ui.dialogs.parts import dialog_button, ending, name_button, plain_label, scrolled, set_plain
from desktop.ui.dialogs.tick_marks import CalmComboBox
from desktop.ui.dialogs.writing_dialog import WritingDialog
from desktop.ui.error_words import words_of_exception
from desktop.ui.punctuation import follow, sentences
from desktop.ui.settings.controls import CalmSpinBox, SegmentedChoice, Switch
from desktop.ui.settings.page import SettingRow, SettingsSection
from desktop.ui.text_field import TextField, line_field

WIDTH, WIDTH_IN_LINES = 640, 32
"""In pixels, and with larger text in heights of a line."""
TEXT_LINES, LEAST_LINES = 6, 3


@dataclass(frozen=True)
class ModelOffer:
    """A model that can be chosen; without an endpoint and a model it is the demo model."""

    text: str
    endpoint_id: str
    model: str


@dataclass(frozen=True, kw_only=True)
class Offers:
    """What the form offers beside its fields."""

    models: Sequence[ModelOffer] = ()
    tools: Sequence[Tick] = ()
    helpers: Sequence[Tick] = ()


class AssistantEditDialog(WritingDialog):
    """Opened with ``open()``; deletes itself when closed. Escape leaves everything as it was.

    Signals:
        save_requested: the ``Assistant`` that is wanted. The dialog waits for ``accept``, when that is on disk, or
            ``show_failure``, ``show_taken`` or ``show_full``, after which the user can try again.
    """

    save_requested = Signal(object)

    def __init__(self, parent: QWidget, assistant: Assistant | None, offers: Offers) -> None:
        """None makes a new one."""
        super().__init__(parent)
        self.setObjectName("assistantEdit")
        self.setProperty("prompt", True)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self._is_new, self._is_saving = assistant is None, False
        self._before = before = assistant or Assistant(id="", name="")
        self._failure: Exception | None = None
        self._refusal = ""
        self._title = plain_label("", "heading")
        self._name, self._description = (
            line_field("assistantName", entities.MOST_NAME),
            line_field("assistantDescription", entities.MOST_DESCRIPTION),
        )
        self._name.setText(before.name)
        self._description.setText(before.description)
        self._instructions = _Instructions(before.instructions)
        self._model = _model_box(offers.models, before)
        self._has_all_tools = Switch("assistantAllTools")
        self._has_all_tools.setChecked(before.tools is None)
        self._tools = TickList("assistantTools", offers.tools, before.tools or ())
        self._memory = SegmentedChoice("assistantMemory", [None, *AssistantMemory])
        self._reach = before.memory
        self._memory.set_value(before.memory)
        self._helpers = TickList("assistantHelpers", offers.helpers, before.helpers)
        self._steps = CalmSpinBox("assistantSteps", 1, entities.MOST_STEPS)
        self._tokens = CalmSpinBox("assistantTokens", 1_000, entities.MOST_TOKENS, 10_000)
        self._tokens.setGroupSeparatorShown(True)
        self._seconds = CalmSpinBox("assistantSeconds", 5, entities.MOST_SECONDS, 30)
        for box, value in ((self._steps, before.most_steps), (self._tokens, before.most_tokens)):
            box.setValue(value)
        self._seconds.setValue(before.most_seconds)
        self._problem = plain_label("", "error")
        self._problem.setObjectName("assistantProblem")
        self._cancel, self._save = dialog_button("assistantCancel"), dialog_button("assistantSave", "primary")
        self._save.setDefault(True)
        self._arrange()
        self._connect()
        self._retranslate()
        self.ensurePolished()
        wanted = max(WIDTH, WIDTH_IN_LINES * self.fontMetrics().lineSpacing())
        self.resize(min(wanted, max(360, parent.width() - 60)), 0)
        self._name.setFocus()
        self._name.selectAll()

    @property
    def draft(self) -> Assistant:
        """What is entered."""
        offer: ModelOffer | None = self._model.currentData()
        return replace(
            self._before,
            name=self._name.text().strip(),
            description=self._description.text().strip(),
            instructions=self._instructions.text,
            endpoint_id=None if offer is None else offer.endpoint_id,
            model=None if offer is None else offer.model or None,
            tools=None if self._has_all_tools.isChecked() else self._tools.chosen,
            memory=self._reach,
            helpers=self._helpers.chosen,
            most_steps=self._steps.value(),
            most_tokens=self._tokens.value(),
            most_seconds=self._seconds.value(),
        )

    def show_failure(self, error: Exception) -> None:
        """Say why nothing was saved; what was entered stays."""
        self._failure = error
        self._show_again("")

    def show_taken(self) -> None:
        """Say that another assistant has this name."""
        self._show_again(self.tr("Another assistant has this name. Choose a different one."))

    def show_full(self) -> None:
        """Say that the library takes no more."""
        self._show_again(self.tr("There is no room for more assistants. Delete some that you no longer need."))

    def _show_again(self, refusal: str) -> None:
        self._is_saving, self._refusal = False, refusal
        self._judge()
        announce(self, self._problem.accessibleName(), assertive=True)

    def _connect(self) -> None:
        self._name.textChanged.connect(self._edited)
        self._instructions.textChanged.connect(self._edited)
        self._has_all_tools.toggled.connect(self._show_tools)
        self._memory.chosen.connect(self._take_reach)
        self._cancel.clicked.connect(self.reject)
        self._save.clicked.connect(self._hand_over)

    def _take_reach(self, reach: AssistantMemory | None) -> None:
        self._reach = reach
        self._memory.set_value(reach)

    def _edited(self) -> None:
        self._refusal = ""
        self._judge()

    def _show_tools(self) -> None:
        self._tools_row.setVisible(not self._has_all_tools.isChecked())

    def _arrange(self) -> None:
        who, what, asked = SettingsSection(), SettingsSection(), SettingsSection()
        self._rows: dict[str, SettingRow] = {
            "name": who.add_row(self._name, wide=True),
            "description": who.add_row(self._description, wide=True),
            "instructions": who.add_row(self._instructions, wide=True),
            "model": what.add_row(self._model),
            "all_tools": what.add_row(self._has_all_tools),
            "tools": what.add_row(self._tools, wide=True),
            "memory": what.add_row(self._memory),
            "helpers": asked.add_row(self._helpers, wide=True),
            "steps": asked.add_row(self._steps),
            "tokens": asked.add_row(self._tokens),
            "seconds": asked.add_row(self._seconds),
        }
        self._tools_row = self._rows["tools"]
        self._rows["helpers"].setVisible(bool(self._helpers.boxes))
        self._asked = asked
        inside = QWidget()
        inside.setProperty("role", "clear")
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        for section in (who, what, asked):
            column.addWidget(section)
        self.area = scrolled(inside, "assistantArea")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 20, 22, 18)
        layout.setSpacing(6)
        layout.addWidget(self._title)
        layout.addWidget(self.area, 1)
        layout.addWidget(self._problem)
        layout.addSpacing(8)
        layout.addWidget(ending(accept=self._save, cancel=self._cancel))
        self._show_tools()

    def _judge(self) -> None:
        length, words, number = len(self._instructions.text), self._refusal, self.locale().toString
        if length > entities.MOST_INSTRUCTIONS:
            words = self.tr("Too long: %1 of at most %2 characters.")
            words = words.replace("%1", number(length)).replace("%2", number(entities.MOST_INSTRUCTIONS))
        elif self._failure is not None and not words:
            told = words_of_exception(self._failure)
            words = follow(self.tr("Not saved yet."), sentences(told.title, told.detail))
        set_plain(self._problem, words)
        self._problem.setVisible(bool(words))
        set_enabled(self._save, self._can_save)

    @property
    def _can_save(self) -> bool:
        is_short = len(self._instructions.text) <= entities.MOST_INSTRUCTIONS
        return bool(self._name.text().strip()) and is_short and not self._refusal

    def _hand_over(self) -> None:
        if not self._is_saving and self._can_save:
            self._is_saving = True
            self.save_requested.emit(self.draft)

    def _retranslate(self) -> None:
        title = self.tr("New assistant") if self._is_new else self.tr("Edit the assistant")
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        set_plain(self._title, title)
        self._asked.set_heading(self.tr("Working together"))
        rows = self._rows
        rows["name"].set_texts(self.tr("Name"))
        rows["description"].set_texts(
            self.tr("What it is for"), self.tr("For you, and for other assistants that may ask it.")
        )
        rows["instructions"].set_texts(
            self.tr("Instructions"), self.tr("Empty: those of the settings. A chat's own instructions go before them.")
        )
        rows["model"].set_texts(self.tr("Model"), self.tr("A chat takes it over when you choose the assistant there."))
        rows["all_tools"].set_texts(
            self.tr("All tools"), self.tr("Off: only those that you tick. Your rules and questions hold in any case.")
        )
        rows["tools"].set_texts(self.tr("Only these tools"))
        rows["memory"].set_texts(
            self.tr("Memory"), self.tr("What its answers are told of earlier chats; never more than in the settings.")
        )
        rows["helpers"].set_texts(
            self.tr("May ask these assistants"),
            self.tr(
                "Each works by itself, with its own model, instructions and tools. What it does stands in the card."
            ),
        )
        rows["steps"].set_texts(self.tr("Steps, when another one asks it"))
        rows["tokens"].set_texts(self.tr("Tokens, when another one asks it"))
        rows["seconds"].set_texts(
            self.tr("Seconds, when another one asks it"), self.tr("Time in which it waits for you does not count.")
        )
        self._memory.set_words({reach: memory_word(reach) for reach in (None, *AssistantMemory)})
        self._model.setItemText(0, self.tr("The one of the chat"))
        self._name.setPlaceholderText(self.tr("For example: Researcher"))
        self._description.setPlaceholderText(self.tr("For example: finds and compares sources"))
        name_button(self._cancel, self.tr("Cancel"))
        name_button(self._save, self.tr("Save") if self._failure is None else self.tr("Try again"))
        self._judge()


def _model_box(offers: Sequence[ModelOffer], chosen: Assistant) -> CalmComboBox:
    box = CalmComboBox()
    box.setObjectName("assistantModel")
    box.setSizeAdjustPolicy(box.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(18)
    box.addItem("", None)
    for offer in offers:
        box.addItem(offer.text, offer)
        if (offer.endpoint_id, offer.model or None) == (chosen.endpoint_id, chosen.model):
            box.setCurrentIndex(box.count() - 1)
    return box


class _Instructions(TextField):
    def __init__(self, text: str) -> None:
        super().__init__("assistantInstructions")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setPlainText(text)

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(super().sizeHint().width(), self.fontMetrics().lineSpacing() * TEXT_LINES + 24)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(120, self.fontMetrics().lineSpacing() * LEAST_LINES + 24)
