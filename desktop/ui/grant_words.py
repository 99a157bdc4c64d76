"""What a lasting permission covers and where foreign text in a chat came from, in words for people."""

from PySide6.QtCore import QCoreApplication

from desktop.tools.grant_patterns import PATTERN_TEXTS, GrantPattern, pattern_words
from desktop.tools.taint import TAINT_TEXTS, Taint
from desktop.tools.visible_text import reveal

_MOST_CHARS = 120


def pattern_text(pattern: GrantPattern) -> str:
    """Say what a pattern covers, to go on a line: “mkdir” with -p on files in this folder."""
    key, values = pattern_words(pattern)
    words = QCoreApplication.translate("grants", PATTERN_TEXTS[key])
    for name, value in values.items():
        words = words.replace(f"{{{name}}}", _shown(value))
    return words


def taint_text(taint: Taint) -> str:
    """Say where foreign text came from, to stand in a sentence: a web page: …"""
    words = QCoreApplication.translate("taint", TAINT_TEXTS[taint.cause])
    return words.replace("{detail}", _shown(taint.detail))


def _shown(text: str) -> str:
    text = reveal(text, keep_newlines=False)
    return text if len(text) <= _MOST_CHARS else f"{text[:_MOST_CHARS]}…"
