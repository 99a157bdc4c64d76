"""What people read of something that a tool returned beside its text: what it is, its size, and what is odd about it."""

import re
from collections.abc import Mapping

from PySide6.QtCore import QCoreApplication, QLocale

from desktop.core.error_text import QT_TRANSLATE_NOOP
from desktop.core.tool_content import ItemKind, ItemProblem, ResultItem, mark_of
from desktop.ui.pasted_words import size_words
from desktop.ui.punctuation import labelled
from desktop.ui.state.readable import readable

ICONS: Mapping[ItemKind, str] = {
    ItemKind.IMAGE: "image",
    ItemKind.AUDIO: "volume-2",
    ItemKind.FILE: "file",
    ItemKind.LINK: "link",
    ItemKind.DATA: "braces",
    ItemKind.TEXT: "info",
    ItemKind.WHOLE: "file-text",
}
MOST_ADDRESS = 500
"""Characters of an address in a card; before it is opened all of it is shown."""
_BREAKS = re.compile(r"([/?&=._-]|\w{24})")
_TITLES: Mapping[ItemKind, str] = {
    ItemKind.IMAGE: QT_TRANSLATE_NOOP("ResultItems", "Image %1"),
    ItemKind.AUDIO: QT_TRANSLATE_NOOP("ResultItems", "Sound %1"),
    ItemKind.FILE: QT_TRANSLATE_NOOP("ResultItems", "File %1"),
    ItemKind.LINK: QT_TRANSLATE_NOOP("ResultItems", "Link %1"),
    ItemKind.DATA: QT_TRANSLATE_NOOP("ResultItems", "Structured data"),
    ItemKind.TEXT: QT_TRANSLATE_NOOP("ResultItems", "Text %1"),
    ItemKind.WHOLE: QT_TRANSLATE_NOOP("ResultItems", "The whole result"),
}
_PROBLEMS: Mapping[ItemProblem, str] = {
    ItemProblem.NOT_BASE64: QT_TRANSLATE_NOOP("ResultItems", "What the server sent cannot be read."),
    ItemProblem.TOO_LARGE: QT_TRANSLATE_NOOP("ResultItems", "Too large to be kept."),
    ItemProblem.NO_PICTURE: QT_TRANSLATE_NOOP("ResultItems", "Sent as an image, but not a picture that can be shown."),
    ItemProblem.NOT_KEPT: QT_TRANSLATE_NOOP("ResultItems", "There was no room on the disk to keep it."),
    ItemProblem.SCHEMA: QT_TRANSLATE_NOOP("ResultItems", "It does not fit what the tool itself promises: %1"),
    ItemProblem.NOT_CHECKED: QT_TRANSLATE_NOOP(
        "ResultItems", "Whether it fits what the tool promises could not be checked."
    ),
}
_AUDIENCES: Mapping[str, str] = {
    "user": QT_TRANSLATE_NOOP("ResultItems", "you"),
    "assistant": QT_TRANSLATE_NOOP("ResultItems", "the model"),
}


def item_title(item: ResultItem) -> str:
    """Return, for example, ``Image 2``."""
    return QCoreApplication.translate("ResultItems", _TITLES[item.kind]).replace("%1", str(item.number))


def item_words(item: ResultItem) -> str:
    """Return title, name and figures, for example ``File 1: report.pdf — application/pdf, 340 kB``."""
    name = readable(item.name or ("" if item.kind is ItemKind.LINK else item.uri))
    title = labelled(item_title(item), name) if name else item_title(item)
    size = f"{item.width} × {item.height}" if item.width else ""
    kind = "" if item.kind in (ItemKind.DATA, ItemKind.TEXT, ItemKind.WHOLE) else item.media_type
    figures = ", ".join(part for part in (size, kind, size_words(item.size) if item.size else "") if part)
    return f"{title} — {figures}" if figures else title


def shown_address(item: ResultItem) -> str:
    """Return the address of a link as it is written, with places where a line may break that is too narrow for it."""
    address = readable(item.uri)
    shown = address if len(address) <= MOST_ADDRESS else f"{address[:MOST_ADDRESS]}…"
    return _BREAKS.sub("\\1\u200b", shown)


def item_remarks(item: ResultItem) -> list[str]:
    """Return what is to be said about an item: what is wrong with it, and what its server claims of it."""
    remarks: list[str] = [shown_address(item)] if item.kind is ItemKind.LINK else []
    if item.problem is not None:
        words = QCoreApplication.translate("ResultItems", _PROBLEMS[item.problem])
        remarks.append(words.replace("%1", readable(item.detail)))
    if item.description:
        words = QCoreApplication.translate("ResultItems", "The server describes it: %1")
        remarks.append(words.replace("%1", readable(item.description)))
    if item.audience:
        words = QCoreApplication.translate("ResultItems", "The server says that it is meant for %1.")
        remarks.append(words.replace("%1", ", ".join(map(_audience, item.audience))))
    if item.priority is not None:
        words = QCoreApplication.translate("ResultItems", "The server gives it an importance of %1 (1 is the highest).")
        remarks.append(words.replace("%1", QLocale().toString(round(item.priority, 2))))
    return remarks


def _audience(name: str) -> str:
    known = _AUDIENCES.get(name)
    return QCoreApplication.translate("ResultItems", known) if known else readable(name)


def shown_text(text: str, items: tuple[ResultItem, ...]) -> str:
    """Return a result's text as it is shown: the lines that stand for its items in the user's language.

    Empty where it has no others.
    """
    marks = {mark: item for item in items if (mark := mark_of(item))}
    if not marks:
        return text
    lines = text.split("\n")
    if all(line in marks or not line for line in lines):
        return ""
    return "\n".join(f"[{item_title(marks[line])}]" if line in marks else line for line in lines)
