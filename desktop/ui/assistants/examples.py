"""Assistants to begin with, in the language shown; the first one may ask the others."""

from PySide6.QtCore import QCoreApplication

from desktop.conversation.assistants.entities import Assistant, AssistantMemory
from desktop.core.ids import new_id
from desktop.ui.bundled_words import BUNDLED_SERVER, DATE


def examples() -> list[Assistant]:
    """Return them in the order in which they are added."""
    translate = QCoreApplication.translate
    researcher, editor = new_id(), new_id()
    return [
        Assistant(
            id=new_id(),
            name=translate("exampleAssistants", "Coordinator"),
            description=translate("exampleAssistants", "Splits a task and has the others do the parts"),
            instructions=translate(
                "exampleAssistants",
                "You plan and check. Split the task into parts, give each part to the assistant that fits, with all that"
                " it needs to know, and put their answers together. Say plainly what could not be found out.",
            ),
            helpers=(researcher, editor),
        ),
        Assistant(
            id=researcher,
            name=translate("exampleAssistants", "Researcher"),
            description=translate("exampleAssistants", "Finds facts with tools, and names where they come from"),
            instructions=translate(
                "exampleAssistants",
                "You find out facts with the tools that you have. Name the source of each fact. Do not guess: where"
                " nothing can be found, say so. Answer in short points.",
            ),
        ),
        Assistant(
            id=editor,
            name=translate("exampleAssistants", "Editor"),
            description=translate("exampleAssistants", "Makes texts clear and short"),
            instructions=translate(
                "exampleAssistants",
                "You edit texts: clear, short, friendly, without losing facts. Return the edited text alone.",
            ),
            tools=(f"{BUNDLED_SERVER}/{DATE}",),
            memory=AssistantMemory.OFF,
        ),
    ]
