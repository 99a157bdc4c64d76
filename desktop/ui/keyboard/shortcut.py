"""What the table of shortcuts is made of: an action with its keys, where they count, and its group in the list."""

from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtGui import QKeySequence

from desktop.core.error_text import QT_TRANSLATE_NOOP

Keys = QKeySequence.StandardKey


class Group(StrEnum):
    """Under which heading an action is listed."""

    CHATS = QT_TRANSLATE_NOOP("shortcuts", "Chats")
    WRITING = QT_TRANSLATE_NOOP("shortcuts", "Writing")
    READING = QT_TRANSLATE_NOOP("shortcuts", "Reading")
    WINDOW = QT_TRANSLATE_NOOP("shortcuts", "Window")


class Place(StrEnum):
    """Where the focus must be for the keys to count."""

    WINDOW = ""
    """Anywhere in the main window."""
    CHATS = QT_TRANSLATE_NOOP("shortcuts", "in the list")
    MESSAGE = QT_TRANSLATE_NOOP("shortcuts", "while writing")
    ELSEWHERE = QT_TRANSLATE_NOOP("shortcuts", "elsewhere")


@dataclass(frozen=True)
class Shortcut:
    """An action with its keys: what the platform is used to, else a text such as ``Ctrl+B`` (on macOS that is Cmd)."""

    id: str
    group: Group
    name: str
    keys: tuple[Keys | str, ...]
    place: Place = Place.WINDOW
    words: str = ""
    """Further words that somebody may search for; translated as a whole."""
    needs_chat: bool = False
    """It makes sense only while a chat is open."""
    is_fixed: bool = False
    """It has these keys and no others: what everybody's hands know, or what the text field itself does."""
