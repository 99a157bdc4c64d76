"""A step of an assistant that was asked, as a section of the card: who did what, and its text."""

from collections.abc import Mapping

from PySide6.QtCore import QCoreApplication

from desktop.core.error_text import QT_TRANSLATE_NOOP
from desktop.ui.bundled_words import bundled_title
from desktop.ui.error_words import error_words
from desktop.ui.punctuation import sentences
from desktop.ui.state.inner_steps import InnerStep, StepKind
from desktop.ui.state.readable import one_line, readable
from desktop.ui.state.tool_item import ToolState
from desktop.ui.transcript.blocks.tool_section import SectionText

MOST_NAME = 80
_STATES: Mapping[ToolState, str] = {
    ToolState.PROPOSED: QT_TRANSLATE_NOOP("ToolCard", "Preparing…"),
    ToolState.WAITING_APPROVAL: QT_TRANSLATE_NOOP("ToolCard", "Waiting for your approval"),
    ToolState.RUNNING: QT_TRANSLATE_NOOP("ToolCard", "Running…"),
    ToolState.WAITING_ANSWER: QT_TRANSLATE_NOOP("ToolCard", "Waiting for your answer"),
    ToolState.OK: QT_TRANSLATE_NOOP("ToolCard", "Done"),
    ToolState.ERROR: QT_TRANSLATE_NOOP("ToolCard", "Failed"),
    ToolState.DENIED: QT_TRANSLATE_NOOP("ToolCard", "Refused"),
    ToolState.TIMEOUT: QT_TRANSLATE_NOOP("ToolCard", "Timed out"),
    ToolState.INTERRUPTED: QT_TRANSLATE_NOOP("ToolCard", "Interrupted"),
    ToolState.UNKNOWN: QT_TRANSLATE_NOOP("ToolCard", "Outcome unknown, not repeated"),
}


def state_words(state: ToolState) -> str:
    """Return what a card says of its call."""
    return QCoreApplication.translate("ToolCard", _STATES[state])


def section_of(step: InnerStep) -> SectionText:
    """Return the section that shows a step. Names and texts are the models' and the servers'."""
    who = " › ".join(one_line(name, MOST_NAME) for name in step.who)
    translate = QCoreApplication.translate
    match step.kind:
        case StepKind.SAID:
            return SectionText(who, step.text, is_prose=True)
        case StepKind.THOUGHT:
            return SectionText(translate("ToolCard", "%1: reasoning").replace("%1", who), step.text, is_prose=True)
        case StepKind.FAILED:
            title = translate("ToolCard", "%1: failed").replace("%1", who)
            words = error_words(step.error.code, step.error.params) if step.error is not None else None
            return SectionText(title, sentences(words.title, words.detail) if words is not None else "", is_prose=True)
        case StepKind.CALLED:
            tool = bundled_title(step.server, step.tool) or readable(one_line(step.tool, MOST_NAME))
            state = state_words(step.state) if step.state is not None else ""
            title = translate("ToolCard", "%1: %2 · %3")
            return SectionText(title.replace("%3", state).replace("%2", tool).replace("%1", who), step.text)
