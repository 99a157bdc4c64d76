"""A label for plain text that wraps, also within a word that is longer than a line."""

import re

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

_LETTER = r"[^\s\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]"
"""Not of a script that has no blanks: Qt breaks such lines by itself, and never before a comma."""
_LONG_WORD = re.compile(rf"({_LETTER}{{24}})(?={_LETTER})")
_BREAK = "\u200b"


class PlainLabel(QLabel):
    """``text`` returns what was set. Names of models and addresses are often longer than a narrow window is wide."""

    def __init__(self, text: str = "", *, role: str = "", object_name: str = "") -> None:
        super().__init__()
        self.setObjectName(object_name)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        if role:
            self.setProperty("role", role)
        self.setText(text)

    def setText(self, text: str) -> None:  # noqa: N802
        shown = breakable(text)
        super().setText(shown)
        self.setAccessibleName(text if shown != text else "")

    def text(self) -> str:
        return super().text().replace(_BREAK, "")


def breakable(text: str) -> str:
    """Let words of more than 24 characters break: Qt's labels would cut them off at their edge."""
    return _LONG_WORD.sub(rf"\1{_BREAK}", text)
