"""The words for assistants: how far their memory reaches, what they are in one line, and their rows in lists."""

from PySide6.QtCore import QCoreApplication

from desktop.conversation.assistants.entities import Assistant, AssistantMemory
from desktop.conversation.prompts.entities import SavedPrompt
from desktop.core.error_text import QT_TRANSLATE_NOOP
from desktop.ui.state.readable import one_line
from desktop.ui.state.templates import find_template

MOST_NAME, MOST_LINE = 80, 300
_OUTCOMES = (
    QT_TRANSLATE_NOOP("results", "Not run: “{name}” cannot be asked here any more."),
    QT_TRANSLATE_NOOP("results", "Not run: one answer may ask assistants at most {count} times."),
    QT_TRANSLATE_NOOP("results", "“{name}” was stopped: it may work for {seconds} seconds."),
    QT_TRANSLATE_NOOP("results", "“{name}” was stopped: it may take {count} steps."),
    QT_TRANSLATE_NOOP("results", "“{name}” was stopped."),
    QT_TRANSLATE_NOOP("results", "“{name}” did not answer: its model refused."),
    QT_TRANSLATE_NOOP("results", "“{name}” ended without an answer."),
    QT_TRANSLATE_NOOP("results", "“{name}” could not finish. {why}"),
)
_SAID = QT_TRANSLATE_NOOP("results", "What it had said until then:")
_MOST_OUTCOME = 2_000
"""Longer ones are no words of the app."""


def shown_name(assistant: Assistant) -> str:
    """Return the name as it is shown: one may come from a file."""
    return one_line(assistant.name, MOST_NAME)


def memory_word(memory: AssistantMemory | None) -> str:
    """Return what a reach of memory is called in the language shown."""
    translate = QCoreApplication.translate
    match memory:
        case None:
            return translate("assistants", "As usual")
        case AssistantMemory.EVERYWHERE:
            return translate("assistants", "All chats")
        case AssistantMemory.OWN_CHATS:
            return translate("assistants", "Its own chats")
        case AssistantMemory.OFF:
            return translate("assistants", "Nothing")


def list_row(assistant: Assistant) -> SavedPrompt:
    """Return the row of an assistant in a list like that of the prompts."""
    return SavedPrompt(
        id=assistant.id,
        name=assistant.name,
        description=one_line(assistant.description or assistant.instructions, MOST_LINE),
        text=assistant.instructions,
        created_at=assistant.created_at,
        updated_at=assistant.updated_at,
    )


def outcome_words(text: str) -> str:
    """Return what an assistant brought as it is shown: how it ended in the language shown, what it said as it came."""
    ending, said_before, said = text.partition(f"\n{_SAID}\n\n")
    found = find_template(_OUTCOMES, ending) if len(ending) <= _MOST_OUTCOME else None
    if found is None:
        return text
    translate = QCoreApplication.translate
    words = translate("results", found[0])
    for name, value in found[1].items():
        words = words.replace(f"{{{name}}}", value)
    return f"{words}\n{translate('results', _SAID)}\n\n{said}" if said_before else words
