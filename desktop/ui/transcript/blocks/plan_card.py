"""The plan of an answer as a list that is ticked off; while it waits for the user, to be edited and approved."""

from collections.abc import Mapping

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from desktop.agent.plan_desk import PlanAnswer, PlanChoice
from desktop.conversation.plans import MOST_STEPS, Failure, PlanStep, StepState
from desktop.core.error_text import QT_TRANSLATE_NOOP
from desktop.ui.controls import describe, set_enabled, set_property
from desktop.ui.plain_label import PlainLabel
from desktop.ui.punctuation import labelled, sentences
from desktop.ui.settings.layouts import Wrapping
from desktop.ui.state.plan_item import PlanBlock, PlanStepBlock, Progress
from desktop.ui.state.readable import readable
from desktop.ui.state.row_blocks import Block
from desktop.ui.transcript.blocks.lines import Line
from desktop.ui.transcript.blocks.plan_fields import PlanFields, activate
from desktop.ui.transcript.blocks.spinner import SPINNING, StateIcon
from desktop.ui.transcript.context import BlockContext, TextWidget

ICON = 16
_LOOKS: Mapping[StepState, tuple[str, str]] = {
    StepState.WAITING: ("circle", "muted"),
    StepState.RUNNING: (SPINNING, "accent"),
    StepState.DONE: ("circle-check", "ok"),
    StepState.FAILED: ("circle-x", "error"),
    StepState.SKIPPED: ("circle-minus", "muted"),
}
_BROKEN = ("circle-pause", "warning")
_STATES: Mapping[StepState, str] = {
    StepState.WAITING: QT_TRANSLATE_NOOP("PlanCard", "waiting"),
    StepState.RUNNING: QT_TRANSLATE_NOOP("PlanCard", "running"),
    StepState.DONE: QT_TRANSLATE_NOOP("PlanCard", "done"),
    StepState.FAILED: QT_TRANSLATE_NOOP("PlanCard", "failed"),
    StepState.SKIPPED: QT_TRANSLATE_NOOP("PlanCard", "not done"),
}
_INTERRUPTED = QT_TRANSLATE_NOOP("PlanCard", "interrupted")
_PROGRESS: Mapping[Progress, str] = {
    Progress.ASKED: QT_TRANSLATE_NOOP("PlanCard", "Waits for your approval"),
    Progress.RUNNING: QT_TRANSLATE_NOOP("PlanCard", "%1 of %2 done"),
    Progress.BROKEN: QT_TRANSLATE_NOOP("PlanCard", "Interrupted, %1 of %2 done"),
    Progress.REFUSED: QT_TRANSLATE_NOOP("PlanCard", "You refused it, %1 of %2 done"),
    Progress.LEFT: QT_TRANSLATE_NOOP("PlanCard", "Answered without it"),
    Progress.DONE: QT_TRANSLATE_NOOP("PlanCard", "Done"),
    Progress.ENDED: QT_TRANSLATE_NOOP("PlanCard", "Ended, %1 of %2 done"),
}


def _words(text: str) -> str:
    return QCoreApplication.translate("PlanCard", text)


class PlanLine(QWidget):
    """A step with its state: one that is done, or that cannot be changed now."""

    def __init__(self, context: BlockContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._icon = StateIcon(context.theme, ICON, self)
        self._text = PlainLabel(object_name="plan-step")
        self._why = PlainLabel(role="small", object_name="plan-step-why")
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(self._text)
        words.addWidget(self._why)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(words, 1)

    def measure(self) -> None:
        """Let the lines around it know how high it is now, and not a moment later."""
        activate(self.layout())

    def show_step(self, number: int, step: PlanStep, *, is_live: bool) -> None:
        """``is_live``: the answer is being made, so that what is said to run does run."""
        is_broken = step.state is StepState.RUNNING and not is_live
        icon, colour = _BROKEN if is_broken else _LOOKS[step.state]
        look = self._context.look
        self._icon.show_icon(icon, colour)
        self._icon.setFixedSize(look.sizes.px(ICON), self._text.fontMetrics().lineSpacing())
        text = readable(step.text)
        place = self.locale().toString(number)
        self._text.setText(self.tr("%1. %2").replace("%1", place).replace("%2", text))
        font = look.ui_font if step.state is not StepState.RUNNING else look.strong_font
        self._text.setFont(font)
        set_property(self._text, "role", "muted" if step.state is StepState.SKIPPED else "")
        why = self._reason(step)
        if step.is_changed and not why:
            why = self.tr("New since the step above failed")
        self._why.setText(why)
        self._why.setVisible(bool(why))
        state = _words(_INTERRUPTED if is_broken else _STATES[step.state])
        spoken = self.tr("Step %1, %2").replace("%1", place).replace("%2", state)
        self.setAccessibleName(sentences(labelled(spoken, text), why))

    def _reason(self, step: PlanStep) -> str:
        """Why it failed, in words."""
        match step.failure:
            case None:
                return ""
            case Failure.TOOL:
                tool = readable(step.why).replace("__", " · ", 1)
                return self.tr("The tool %1 did not succeed.").replace("%1", tool)
            case Failure.LIMIT:
                return self.tr("It took more requests than one step may take.")
            case Failure.SILENT:
                return self.tr("The model said nothing.")
            case Failure.UNSAID:
                return self.tr("The model says that it cannot be done.")
            case Failure.SAID:
                return readable(step.why)


class PlanCard(QFrame):
    """Nothing runs before a button is pressed; Enter in a field presses none."""

    def __init__(self, context: BlockContext, message_id: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._message_id = message_id
        self._block: PlanBlock | None = None
        self.setObjectName("plan-card")
        self._icon = QLabel(self)
        self._title = PlainLabel(object_name="plan-title")
        self._state = PlainLabel(role="small", object_name="plan-state")
        self._lines: list[PlanLine] = []
        self._fields: PlanFields | None = None
        self._add = self._button("plan-add", "link")
        self._add.clicked.connect(self._add_step)
        self._alone = QCheckBox(self)
        self._alone.setObjectName("plan-alone")
        self._alone_words = PlainLabel(object_name="plan-alone-words")
        self._alone_words.setBuddy(self._alone)
        self._alone_words.installEventFilter(self)
        self._approve = self._button("plan-approve", "primary")
        self._without = self._button("plan-without", "")
        self._refuse = self._button("plan-refuse", "")
        for button, choice in (
            (self._approve, PlanChoice.APPROVE),
            (self._without, PlanChoice.WITHOUT),
            (self._refuse, PlanChoice.REFUSE),
        ):
            button.clicked.connect(lambda _=False, choice=choice: self._decide(choice))
            button.installEventFilter(self)
        self._arrange()

    def _button(self, name: str, role: str) -> QPushButton:
        button = QPushButton(self)
        button.setObjectName(name)
        button.setAutoDefault(False)
        if role:
            button.setProperty("role", role)
        return button

    def _arrange(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(self._title)
        head.addWidget(self._state, 1)
        self._steps = QVBoxLayout()
        self._steps.setSpacing(6)
        self._below = QVBoxLayout()
        self._below.setSpacing(8)
        self._below.addWidget(self._add, 0, Qt.AlignmentFlag.AlignLeft)
        alone = QHBoxLayout()
        alone.setSpacing(8)
        alone.addWidget(self._alone, 0, Qt.AlignmentFlag.AlignTop)
        alone.addWidget(self._alone_words, 1)
        self._below.addLayout(alone)
        self._below.addLayout(Wrapping(self._approve, self._without, self._refuse))
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(14, 10, 14, 12)
        self._layout.setSpacing(8)
        self._layout.addLayout(head)
        self._layout.addLayout(self._steps)
        self._layout.addLayout(self._below)
        self._layout.addStretch(1)

    # -- the block ------------------------------------------------------------------------------------------------

    def set_block(self, block: Block) -> None:
        assert isinstance(block, PlanBlock)
        self._block = block
        set_property(self, "state", block.progress.value)
        state = _words(_PROGRESS[block.progress])
        state = state.replace("%1", self.locale().toString(block.done))
        state = state.replace("%2", self.locale().toString(len(block.steps)))
        if block.is_asked and block.replans:
            state = self.tr("A step failed. The rest is planned anew and waits for your approval")
        title = self.tr("Plan")
        self._title.setText(title)
        self._state.setText(state)
        steps = self.tr("%n steps", "", len(block.steps))
        self.setAccessibleName(sentences(labelled(title, state), steps))
        self._show_lines(block)
        self._show_fields(block)
        self._name_buttons(block)
        self._paint_head()

    def _show_lines(self, block: PlanBlock) -> None:
        fixed = [each for each in block.steps if each.state is not StepState.WAITING or not block.is_asked]
        while len(self._lines) > len(fixed):
            line = self._lines.pop()
            self._steps.removeWidget(line)
            line.hide()
            line.deleteLater()
        while len(self._lines) < len(fixed):
            line = PlanLine(self._context, self)
            self._steps.insertWidget(len(self._lines), line)
            line.show()
            self._lines.append(line)
        is_live = block.progress in (Progress.ASKED, Progress.RUNNING)
        for number, (line, step) in enumerate(zip(self._lines, fixed, strict=True), 1):
            line.show_step(number, step, is_live=is_live)

    def _show_fields(self, block: PlanBlock) -> None:
        for control in (self._add, self._alone, self._alone_words, self._approve, self._without, self._refuse):
            control.setVisible(block.is_asked)
        if block.is_asked:
            if self._fields is None:
                self._fields = PlanFields(self._context, self)
                self._fields.edited.connect(self._edited)
                self._fields.resized.connect(self._resized)
                self._fields.approved.connect(lambda: self._decide(PlanChoice.APPROVE))
                self._steps.addWidget(self._fields)
                self._alone.setChecked(block.goes_on_alone)
            self._fields.show()
            self._fields.show_steps(block.waiting, first=len(self._lines) + 1)
            set_enabled(self._add, self._fields.may_add)
        elif self._fields is not None:
            self._fields.stop()
            self._steps.removeWidget(self._fields)
            self._fields.hide()
            self._fields.deleteLater()
            self._fields = None

    def _name_buttons(self, block: PlanBlock) -> None:
        self._add.setText(self.tr("Add a step"))
        most = self.tr("A plan has at most %1 steps").replace("%1", self.locale().toString(MOST_STEPS))
        describe(self._add, self._add.text(), tooltip=most)
        self._alone_words.setText(self.tr("Go on by itself when a step fails"))
        describe(
            self._alone,
            self._alone_words.text(),
            tooltip=self.tr("The steps that follow a failed one are planned anew without asking you again"),
        )
        self._approve.setText(self.tr("Go on with this") if block.replans else self.tr("Carry out this plan"))
        describe(self._approve, self._approve.text(), shortcut="Ctrl+Return", tooltip="")
        self._without.setText(self.tr("Answer now") if block.replans else self.tr("Answer without a plan"))
        describe(self._without, self._without.text(), tooltip="")
        self._refuse.setText(self.tr("Refuse"))
        describe(self._refuse, self.tr("Refuse the plan"), tooltip=self.tr("Nothing of it runs"))

    # -- what the user does ---------------------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Enter presses the button that has the focus, as it does in a dialog; the words of a box are a part of it."""
        if watched is self._alone_words and event.type() == QEvent.Type.MouseButtonPress:
            self._alone.click()
            return True
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return False
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_enter and isinstance(watched, QPushButton):
            watched.click()
            return True
        return False

    def _decide(self, choice: PlanChoice) -> None:
        if self._fields is None:
            return
        self._fields.stop()
        answer = PlanAnswer(choice=choice, steps=self._fields.texts, goes_on_alone=self._alone.isChecked())
        self._context.actions.plan_decided.emit(self._message_id, answer)

    def _edited(self, texts: tuple[str, ...]) -> None:
        if any(text.strip() for text in texts):
            self._context.actions.plan_edited.emit(self._message_id, texts)

    def _add_step(self) -> None:
        if self._fields is not None:
            self._fields.add()

    def _resized(self) -> None:
        if self._fields is not None:
            set_enabled(self._add, self._fields.may_add)
        self._context.actions.height_changed.emit(self)

    # -- geometry and look ----------------------------------------------------------------------------------------

    def height_for(self, width: int) -> int:
        for label in self.findChildren(QLabel):
            label.ensurePolished()  # else it is measured in another size than it has
        for line in self._lines:
            line.measure()
        if self._fields is not None:
            self._fields.fit(width)
        self._layout.activate()
        return self._layout.totalHeightForWidth(width)

    def text_widget(self) -> TextWidget | None:
        return None

    def focus_widgets(self) -> list[QWidget]:
        if self._fields is None:
            return []
        return [*self._fields.controls, self._add, self._alone, self._approve, self._without, self._refuse]

    def restyle(self) -> None:
        self._paint_head()
        if self._block is not None:
            self._show_lines(self._block)

    def _paint_head(self) -> None:
        look = self._context.look
        size = look.sizes.px(ICON)
        self._icon.setPixmap(self._context.theme.icon("list-checks", "accent", size).pixmap(QSize(size, size)))
        self._title.setFont(look.strong_font)


class PlanStepLine(Line):
    """The line above what was done for a step: its number, its text, and how it ended."""

    def __init__(self, context: BlockContext, parent: QWidget) -> None:
        super().__init__(context, parent)
        self.setObjectName("plan-step-line")
        self._icon = StateIcon(context.theme, ICON, self)
        self._text = PlainLabel(object_name="plan-step-heading")
        self._layout = QHBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(8)
        self._layout.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        self._layout.addWidget(self._text, 1)
        self._block: PlanStepBlock | None = None

    def set_block(self, block: Block) -> None:
        assert isinstance(block, PlanStepBlock)
        self._block = block
        is_broken = block.state is StepState.RUNNING and not block.is_live
        icon, colour = _BROKEN if is_broken else _LOOKS[block.state]
        if not block.number:
            icon, colour = "flag", "accent"
        self._icon.show_icon(icon, colour)
        self._text.setFont(self._context.look.strong_font)
        self._icon.setFixedSize(self.px(ICON), self._text.fontMetrics().lineSpacing())
        number = self.locale().toString(block.number)
        words = self.tr("Step %1: %2").replace("%1", number).replace("%2", readable(block.text))
        self._text.setText(words if block.number else self.tr("Result"))
        state = _words(_INTERRUPTED if is_broken else _STATES[block.state])
        self.setAccessibleName(sentences(words, state) if block.number else self.tr("Result of the plan"))

    def height_for(self, width: int) -> int:
        self._layout.activate()
        return self._layout.totalHeightForWidth(width)

    def restyle(self) -> None:
        if self._block is not None:
            self.set_block(self._block)
