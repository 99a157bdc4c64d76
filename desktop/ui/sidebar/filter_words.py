"""The filters of the search in the language of the window: as they are typed, what they do, and how they are shown."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from PySide6.QtCore import QCoreApplication

from desktop.core.error_text import QT_TRANSLATE_NOOP

_CONTEXT = "SearchFilters"


@dataclass(frozen=True)
class FilterLine:
    """A filter of the list: how it is typed, what it keeps; ``example`` is to be overwritten by the user."""

    token: str
    words: str
    example: str = ""

    @property
    def text(self) -> str:
        return self.token + self.example


_LINES: tuple[tuple[tuple[str, str], ...], ...] = (
    (
        (QT_TRANSLATE_NOOP("SearchFilters", "in:title"), QT_TRANSLATE_NOOP("SearchFilters", "in titles only")),
        (QT_TRANSLATE_NOOP("SearchFilters", "in:messages"), QT_TRANSLATE_NOOP("SearchFilters", "in messages only")),
        (
            QT_TRANSLATE_NOOP("SearchFilters", "in:tools"),
            QT_TRANSLATE_NOOP("SearchFilters", "in tool calls and results only"),
        ),
        (QT_TRANSLATE_NOOP("SearchFilters", "in:memory"), QT_TRANSLATE_NOOP("SearchFilters", "in memory only")),
        (QT_TRANSLATE_NOOP("SearchFilters", "in:archive"), QT_TRANSLATE_NOOP("SearchFilters", "in archived chats")),
        (QT_TRANSLATE_NOOP("SearchFilters", "in:trash"), QT_TRANSLATE_NOOP("SearchFilters", "in the Trash")),
        (QT_TRANSLATE_NOOP("SearchFilters", "in:"), QT_TRANSLATE_NOOP("SearchFilters", "in a folder")),
    ),
    (
        (QT_TRANSLATE_NOOP("SearchFilters", "from:me"), QT_TRANSLATE_NOOP("SearchFilters", "what I wrote")),
        (QT_TRANSLATE_NOOP("SearchFilters", "from:model"), QT_TRANSLATE_NOOP("SearchFilters", "answers")),
        (QT_TRANSLATE_NOOP("SearchFilters", "model:"), QT_TRANSLATE_NOOP("SearchFilters", "answers of a model")),
    ),
    (
        (QT_TRANSLATE_NOOP("SearchFilters", "has:tool"), QT_TRANSLATE_NOOP("SearchFilters", "answers with tools")),
        (QT_TRANSLATE_NOOP("SearchFilters", "has:file"), QT_TRANSLATE_NOOP("SearchFilters", "messages with a file")),
        (QT_TRANSLATE_NOOP("SearchFilters", "has:code"), QT_TRANSLATE_NOOP("SearchFilters", "messages with code")),
    ),
    (
        (
            QT_TRANSLATE_NOOP("SearchFilters", "before:"),
            QT_TRANSLATE_NOOP("SearchFilters", "before a day, month or year"),
        ),
        (
            QT_TRANSLATE_NOOP("SearchFilters", "after:"),
            QT_TRANSLATE_NOOP("SearchFilters", "from a day, month or year on"),
        ),
        (QT_TRANSLATE_NOOP("SearchFilters", "on:"), QT_TRANSLATE_NOOP("SearchFilters", "on a day")),
    ),
)
_CHIPS: Mapping[tuple[str, str], str] = {
    ("in", "title"): QT_TRANSLATE_NOOP("SearchFilters", "Titles"),
    ("in", "messages"): QT_TRANSLATE_NOOP("SearchFilters", "Messages"),
    ("in", "tools"): QT_TRANSLATE_NOOP("SearchFilters", "Tools"),
    ("in", "memory"): QT_TRANSLATE_NOOP("SearchFilters", "Memory"),
    ("in", "archive"): QT_TRANSLATE_NOOP("SearchFilters", "Archive"),
    ("in", "trash"): QT_TRANSLATE_NOOP("SearchFilters", "Trash"),
    ("from", "me"): QT_TRANSLATE_NOOP("SearchFilters", "From me"),
    ("from", "model"): QT_TRANSLATE_NOOP("SearchFilters", "Answers"),
    ("has", "tool"): QT_TRANSLATE_NOOP("SearchFilters", "With tools"),
    ("has", "file"): QT_TRANSLATE_NOOP("SearchFilters", "With a file"),
    ("has", "code"): QT_TRANSLATE_NOOP("SearchFilters", "With code"),
}
_WITH_VALUES: Mapping[str, str] = {
    "in": QT_TRANSLATE_NOOP("SearchFilters", "Folder: {value}"),
    "before": QT_TRANSLATE_NOOP("SearchFilters", "Before {value}"),
    "after": QT_TRANSLATE_NOOP("SearchFilters", "From {value} on"),
    "on": QT_TRANSLATE_NOOP("SearchFilters", "On {value}"),
    "model": QT_TRANSLATE_NOOP("SearchFilters", "Model: {value}"),
}


def filter_list(now: datetime) -> list[list[FilterLine]]:
    """Return the filters in groups."""
    month, day = f"{now:%Y-%m}", f"{now:%Y-%m-%d}"
    folder = QCoreApplication.translate("SearchFilters", "Folder")
    examples = {"in:": f'"{folder}"', "model:": "qwen", "before:": month, "after:": month, "on:": day}
    return [
        [
            FilterLine(
                QCoreApplication.translate(_CONTEXT, token),
                QCoreApplication.translate(_CONTEXT, words),
                examples.get(token, ""),
            )
            for token, words in group
        ]
        for group in _LINES
    ]


def chip_text(name: str, value: str) -> str:
    """Return how a filter that was understood is shown."""
    source = _CHIPS.get((name, value)) or _WITH_VALUES[name]
    return QCoreApplication.translate(_CONTEXT, source).replace("{value}", value)
