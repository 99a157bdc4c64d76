"""Fields for plain text: one line of it, or some that stay usable whatever is pasted into them."""

from PySide6.QtCore import QMimeData, QPoint
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QToolTip

from desktop.ui.controls import announce

MOST_CHARACTERS = 400_000
LONGEST_LINE = 20_000
"""Characters. Wrapping a line takes time with the square of its length: some minutes for a million characters."""


class TextField(QPlainTextEdit):
    """To be filled in; Tab leaves it. What is too long to be pasted is not cut: it stays out, and the field says so."""

    def __init__(self, object_name: str) -> None:
        super().__init__()
        self.setObjectName(object_name)
        self.setProperty("role", "field")
        self.setTabChangesFocus(True)

    @property
    def text(self) -> str:
        """The text, without halves of characters, which no file could hold."""
        return self.toPlainText().encode("utf-16", "surrogatepass").decode("utf-16", "replace")

    def insertFromMimeData(self, source: QMimeData) -> None:  # noqa: N802
        """Paste or drop."""
        text = source.text()
        longest = max(map(len, text.split("\n"))) + self.textCursor().block().length()
        if longest <= LONGEST_LINE and self.document().characterCount() + len(text) <= MOST_CHARACTERS:
            super().insertFromMimeData(source)
            return
        words = self.tr("Not pasted: at most %1 characters, and %2 in one line.")
        number = self.locale().toString
        words = words.replace("%1", number(MOST_CHARACTERS)).replace("%2", number(LONGEST_LINE))
        QToolTip.showText(self.mapToGlobal(QPoint(8, 8)), words, self)
        announce(self, words)


def line_field(object_name: str, most: int) -> QLineEdit:
    """Return a field for one line of at most so many characters."""
    field = QLineEdit()
    field.setObjectName(object_name)
    field.setMaxLength(most)
    return field
