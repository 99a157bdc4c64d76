"""What changed in a tool's definition, in words and as lines that show where two texts differ."""

from dataclasses import replace

from PySide6.QtCore import QCoreApplication

from desktop.tools.definition_changes import FieldChange, common_ends
from desktop.tools.entities import Finding
from desktop.tools.findings import FINDING_TEXTS
from desktop.tools.visible_text import reveal
from desktop.ui.dialogs.display_lines import DisplayLine, display_lines

_MOST_OF_NAME, _MOST_OF_DETAIL = 60, 160


def field_words(change: FieldChange) -> str:
    """Return what the field is, for a caption. Names in it are the server's, made visible."""
    translate = QCoreApplication.translate
    match change.path:
        case ("title",):
            return translate("changes", "Title")
        case ("description",):
            return translate("changes", "Description")
        case ("instructions",):
            return translate("changes", "Instructions")
        case ("annotations", *rest):
            return _with(translate("changes", "What it says of its effects"), rest)
        case ("inputSchema", "properties", name, *rest):
            return _with(translate("changes", "Argument “%1”").replace("%1", _shown(name)), rest)
        case ("inputSchema", *rest):
            return _with(translate("changes", "Arguments"), rest)
        case ("outputSchema", *rest):
            return _with(translate("changes", "Results"), rest)
        case path:
            return _with("", list(path))


def differing_lines(text: str, other: str | None) -> tuple[DisplayLine, ...]:
    """Return a text as lines, what is not in ``other`` to stand out."""
    shown = reveal(text)
    lines = display_lines(text, numbered=False)
    if other is None:
        return lines
    twin = reveal(other)
    start, after = common_ends(shown, twin)
    end = len(shown) - after
    marked: list[DisplayLine] = []
    position = 0
    for line in lines:
        first, last = max(start, position), min(end, position + len(line.text))
        strong = ((first - position, last - position),) if first < last else ()
        marked.append(replace(line, strong=strong))
        position += len(line.text)
        position += shown[position : position + 1] == "\n"
    return tuple(marked)


def finding_text(finding: Finding) -> str:
    """Return what was noticed about a tool; its text made visible."""
    words = QCoreApplication.translate("findings", FINDING_TEXTS[finding.code])
    return words.replace("{detail}", reveal(finding.detail[:_MOST_OF_DETAIL], keep_newlines=False))


def _with(words: str, rest: list[str]) -> str:
    named = {
        "description": QCoreApplication.translate("changes", "description"),
        "default": QCoreApplication.translate("changes", "value if nothing is given"),
        "enum": QCoreApplication.translate("changes", "allowed values"),
        "required": QCoreApplication.translate("changes", "required ones"),
        "type": QCoreApplication.translate("changes", "type"),
        "title": QCoreApplication.translate("changes", "title"),
    }
    return " › ".join(filter(None, [words, *(named.get(part) or _shown(part) for part in rest)]))


def _shown(name: str) -> str:
    shown = reveal(name, keep_newlines=False)
    return shown if len(shown) <= _MOST_OF_NAME else f"{shown[:_MOST_OF_NAME]}…"
