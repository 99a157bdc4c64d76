"""What the tools of the built-in server are called and are for, in words for people; the server's own are for models."""

from collections.abc import Mapping
from typing import NamedTuple

from PySide6.QtCore import QCoreApplication

from desktop.core.error_text import QT_TRANSLATE_NOOP
from desktop.tools.assistant_tool import ASK_ASSISTANT, ASSISTANT_SERVER
from desktop.tools.entities import SHELL_TOOL, ToolDescriptor

BUNDLED_SERVER = "command"
SHELL, DATE, QUESTION = SHELL_TOOL, "get_date", "ask_user"
_FIELDS = frozenset({QT_TRANSLATE_NOOP("bundled", "Answer"), QT_TRANSLATE_NOOP("bundled", "Run this command")})
"""The titles of the fields in its forms."""


class _ToolWords(NamedTuple):
    title: str
    purpose: str


_TOOLS: Mapping[str, _ToolWords] = {
    SHELL: _ToolWords(
        QT_TRANSLATE_NOOP("bundled", "Run a command"),
        QT_TRANSLATE_NOOP("bundled", "Runs a command on this computer and tells the model what it printed."),
    ),
    "get_weather": _ToolWords(
        QT_TRANSLATE_NOOP("bundled", "Weather (example)"),
        QT_TRANSLATE_NOOP(
            "bundled", "Gives an example weather report for a city. It is made up: nothing is looked up."
        ),
    ),
    DATE: _ToolWords(
        QT_TRANSLATE_NOOP("bundled", "Date and time"),
        QT_TRANSLATE_NOOP("bundled", "Tells the model the date, the weekday and the time of this computer."),
    ),
    "calculate": _ToolWords(
        QT_TRANSLATE_NOOP("bundled", "Calculator"),
        QT_TRANSLATE_NOOP("bundled", "Does arithmetic. Whole numbers and decimal fractions are exact."),
    ),
    QUESTION: _ToolWords(
        QT_TRANSLATE_NOOP("bundled", "Question for you"),
        QT_TRANSLATE_NOOP("bundled", "Asks you something in a form and tells the model your answer."),
    ),
    "fetch_page": _ToolWords(
        QT_TRANSLATE_NOOP("bundled", "Read a web page"),
        QT_TRANSLATE_NOOP(
            "bundled",
            "Loads one public web page and gives the model its text. What the page says is not your own word.",
        ),
    ),
    "find_tools": _ToolWords(
        QT_TRANSLATE_NOOP("bundled", "Search for tools"),
        QT_TRANSLATE_NOOP("bundled", "Looks among your tools for those that did not fit beside the chat."),
    ),
}


_OF_ASSISTANTS = QT_TRANSLATE_NOOP("bundled", "Asks an assistant")


def bundled_title(server: str, tool: str) -> str:
    """Return what the card of a tool is headed; empty for other servers, whose own titles may deceive."""
    if server == ASSISTANT_SERVER and tool == ASK_ASSISTANT:
        return QCoreApplication.translate("bundled", _OF_ASSISTANTS)
    words = _TOOLS.get(tool) if server == BUNDLED_SERVER else None
    return QCoreApplication.translate("bundled", words.title) if words else ""


def tool_purpose(tool: ToolDescriptor) -> str:
    """Return what the tool is for: of the built-in server in our words, else in the server's, which are untrusted."""
    words = _TOOLS.get(tool.name) if tool.bundled else None
    if words is not None:
        return QCoreApplication.translate("bundled", words.purpose)
    return tool.description.partition("\n\n")[0].strip()  # what follows is meant for the model


def field_title(title: str) -> str:
    """Return how a field in a form of the built-in server is labelled."""
    return QCoreApplication.translate("bundled", title) if title in _FIELDS else title
