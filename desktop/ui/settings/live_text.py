"""A read-only text that grows and changes while it is looked at: it stays where the reader is, or follows the end."""

from PySide6.QtWidgets import QPlainTextEdit

from desktop.tools.visible_text import reveal
from desktop.ui.theme.theme_manager import ThemeManager

_MOST_INDENT = 24
"""Further in, a text could be out of sight."""


class LiveText(QPlainTextEdit):
    """Untrusted text, plain, in the font of code; what cannot be seen stands there as a token."""

    def __init__(self, object_name: str, theme: ThemeManager, *, follows: bool = True) -> None:
        super().__init__()
        self._follows = follows
        self._theme = theme
        self._text = ""
        self.setObjectName(object_name)
        self.setProperty("role", "code")
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        theme.changed.connect(self._restyle)
        self._restyle()

    def show_text(self, text: str) -> None:
        """Show this; a text as before is not touched."""
        if text == self._text:
            return
        self._text = text
        bar = self.verticalScrollBar()
        place, was_at_end = bar.value(), bar.value() >= bar.maximum() - 1
        self.setPlainText("\n".join(map(_shown, text.split("\n"))))
        bar.setValue(bar.maximum() if self._follows and was_at_end else place)

    def _restyle(self) -> None:
        self.setFont(self._theme.code_font())


def _shown(line: str) -> str:
    """Return the line with tokens for what cannot be seen; an indent, as tracebacks have it, can be."""
    rest = line.lstrip(" ")
    indent = len(line) - len(rest)
    return " " * indent + reveal(rest, keep_newlines=False) if indent <= _MOST_INDENT else reveal(line)
