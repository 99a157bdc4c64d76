"""What a document of the transcript says as text: its formulas as they were typed, and nothing in the place of pictures."""

from collections.abc import Sequence

from PySide6.QtGui import QTextCursor, QTextDocument

from desktop.ui.markdown.html_writer import WrittenFormula
from desktop.ui.transcript.blocks.formula_places import places

_AS_TEXT: dict[int, str | None] = {0xFFFC: None, 0xFDD0: "\n", 0xFDD1: "\n", 0x2028: "\n", 0x2029: "\n", 0xA0: " "}


def document_text(
    document: QTextDocument, formulas: Sequence[WrittenFormula] = (), start: int = 0, end: int | None = None
) -> str:
    """Return the text between two positions, as Qt counts them; ``end`` may lie behind the end."""
    last = document.characterCount() - 1
    end = last if end is None else min(end, last)
    pieces: list[str] = []
    position = min(start, end)
    for number, place, _ in places(document) if formulas else ():
        if position <= place < end:
            pieces += [_between(document, position, place), formulas[number].source]
            position = place + 1
    return "".join((*pieces, _between(document, position, end)))


def _between(document: QTextDocument, start: int, end: int) -> str:
    cursor = QTextCursor(document)
    cursor.setPosition(start)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    return cursor.selectedText().translate(_AS_TEXT)
