"""The words of the inspector: its sections, what stands in them, and what is not kept; ``rows`` puts them into the language."""

from collections.abc import Mapping
from enum import StrEnum

from desktop.conversation.request_records import LeftOutKind, PieceKind, Purpose
from desktop.core.error_text import QT_TRANSLATE_NOOP
from desktop.memory.entities import Silence


class Section(StrEnum):
    """In the order in which they stand."""

    INSTRUCTIONS = QT_TRANSLATE_NOOP("inspector", "Instructions")
    WISHES = QT_TRANSLATE_NOOP("inspector", "Your standing wishes")
    SERVERS = QT_TRANSLATE_NOOP("inspector", "What tool servers say of themselves")
    SUMMARY = QT_TRANSLATE_NOOP("inspector", "Summary of earlier messages")
    MEMORIES = QT_TRANSLATE_NOOP("inspector", "Memories")
    SESSION = QT_TRANSLATE_NOOP("inspector", "From the shared session")
    MESSAGES = QT_TRANSLATE_NOOP("inspector", "Messages")
    TOOLS = QT_TRANSLATE_NOOP("inspector", "Tools")
    LEFT_OUT = QT_TRANSLATE_NOOP("inspector", "Left out")
    OPTIONS = QT_TRANSLATE_NOOP("inspector", "Options")
    TOKENS = QT_TRANSLATE_NOOP("inspector", "Tokens")
    EXACT = QT_TRANSLATE_NOOP("inspector", "For programmers")


SECTION_OF: Mapping[PieceKind, Section] = {
    PieceKind.INSTRUCTIONS: Section.INSTRUCTIONS,
    PieceKind.WISHES: Section.WISHES,
    PieceKind.SERVERS: Section.SERVERS,
    PieceKind.SUMMARY: Section.SUMMARY,
    PieceKind.MEMORIES: Section.MEMORIES,
    PieceKind.SESSION: Section.SESSION,
    PieceKind.TOOL: Section.TOOLS,
}
"""Of all others: the messages."""
KINDS: Mapping[PieceKind, str] = {
    PieceKind.THINKING: QT_TRANSLATE_NOOP("inspector", "Reasoning"),
    PieceKind.CALL: QT_TRANSLATE_NOOP("inspector", "Use of the tool %1"),
    PieceKind.RESULT: QT_TRANSLATE_NOOP("inspector", "Result of the tool %1"),
    PieceKind.IMAGE: QT_TRANSLATE_NOOP("inspector", "Image %1"),
    PieceKind.REPLAY: QT_TRANSLATE_NOOP("inspector", "Fields that the provider gets back as it gave them"),
}
SILENCES: Mapping[str, str] = {
    Silence.NOTHING_KNOWN: QT_TRANSLATE_NOOP("inspector", "No memories: nothing is remembered yet."),
    Silence.NOTHING_NEAR: QT_TRANSLATE_NOOP("inspector", "No memories: nothing that is remembered fits the question."),
    Silence.TOO_LATE: QT_TRANSLATE_NOOP("inspector", "No memories: looking them up took too long."),
    Silence.OFF: QT_TRANSLATE_NOOP("inspector", "No memories: memory is off for this chat."),
}
LEFT_OUT: Mapping[LeftOutKind, str] = {
    LeftOutKind.TOO_LONG: QT_TRANSLATE_NOOP(
        "inspector", "The request was too long for the model: the oldest messages, or parts of long results, were cut."
    ),
    LeftOutKind.IMAGE: QT_TRANSLATE_NOOP("inspector", "Images that did not go along: %1"),
    LeftOutKind.RESULT: QT_TRANSLATE_NOOP("inspector", "Long results of which the middle was cut: %1"),
    LeftOutKind.TOOL: QT_TRANSLATE_NOOP("inspector", "Tools that were not offered: %1"),
}
PURPOSES: Mapping[Purpose, str] = {
    Purpose.TITLE: QT_TRANSLATE_NOOP("inspector", "For the chat's title"),
    Purpose.SUMMARY: QT_TRANSLATE_NOOP("inspector", "For the summary"),
    Purpose.MEMORY: QT_TRANSLATE_NOOP("inspector", "For memory"),
    Purpose.ASSISTANT: QT_TRANSLATE_NOOP("inspector", "For an assistant that was asked"),
}
NOT_KEPT = QT_TRANSLATE_NOOP(
    "inspector",
    "The text is not kept any more: it is too old, or something in it was forgotten. Only its figures are left.",
)
ONLY_SUMS = QT_TRANSLATE_NOOP(
    "inspector",
    "The single parts of this request are not kept any more: it is too old, or too many were sent after it. Only their sums"
    " are left.",
)
SUMS: Mapping[PieceKind, str] = {
    PieceKind.TEXT: QT_TRANSLATE_NOOP("inspector", "Texts of messages"),
    PieceKind.THINKING: QT_TRANSLATE_NOOP("inspector", "Reasoning"),
    PieceKind.CALL: QT_TRANSLATE_NOOP("inspector", "Uses of tools"),
    PieceKind.RESULT: QT_TRANSLATE_NOOP("inspector", "Results of tools"),
    PieceKind.IMAGE: QT_TRANSLATE_NOOP("inspector", "Images"),
    PieceKind.REPLAY: QT_TRANSLATE_NOOP("inspector", "Fields that the provider gets back as it gave them"),
}
"""What the parts of one kind are called together."""
ALL_PARTS = QT_TRANSLATE_NOOP("inspector", "All parts together")
"""Those that are a section of their own."""
