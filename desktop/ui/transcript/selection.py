"""Text selected across blocks and messages, and what Ctrl+C makes of it.

Within one block Qt's own selection serves. Once the mouse leaves the block where it was pressed, the selection is a
pair of places here, drawn as ordinary selections in the live blocks and again in blocks that come alive later.
"""

from dataclasses import dataclass
from typing import cast

from PySide6.QtCore import QPoint
from PySide6.QtGui import QTextCursor, QTextDocumentFragment

from desktop.ui.state import row_blocks
from desktop.ui.state.row_blocks import Block
from desktop.ui.transcript.column import Column
from desktop.ui.transcript.context import BlockWidget, TextWidget
from desktop.ui.transcript.row import Cell, Row


@dataclass(frozen=True, order=True)
class Place:
    """A position in the text of a cell of a row."""

    row: int
    cell: int
    position: int


class Selection:
    def __init__(self, column: Column) -> None:
        self._column = column
        self._pressed: Place | None = None
        self._start: Place | None = None
        self._end: Place | None = None

    @property
    def is_active(self) -> bool:
        """True for a selection that spans blocks."""
        return self._start is not None

    def press(self, place: Place | None) -> None:
        """Forget what was selected; a drag may begin at ``place``."""
        self._start = self._end = None
        self._pressed = place
        for text in self._live_texts():
            if text.textCursor().hasSelection():
                cursor = text.textCursor()
                cursor.clearSelection()
                text.setTextCursor(cursor)

    def drag(self, place: Place | None) -> bool:
        """Extend to ``place``; True when the selection spans blocks, so that Qt must not also select."""
        if self._pressed is None or place is None:
            return self.is_active
        same_block = (place.row, place.cell) == (self._pressed.row, self._pressed.cell)
        if not self.is_active and same_block:
            return False
        self._start, self._end = self._pressed, place
        self.apply()
        return True

    def clear(self) -> None:
        self.press(None)

    def apply(self) -> None:
        """Draw the selection in all live blocks; blocks that came alive since get their part."""
        if not self.is_active:
            return
        for index, row in self._column.live_rows():
            for cell_index, cell in enumerate(row.cells):
                text = _text_of(cell)
                if text is None:
                    continue
                cursor = QTextCursor(text.document())
                if (part := self._part(index, cell_index)) is not None:
                    length = text.document().characterCount() - 1
                    cursor.setPosition(min(part[0], length))
                    cursor.setPosition(min(part[1], length), QTextCursor.MoveMode.KeepAnchor)
                text.setTextCursor(cursor)

    def text(self) -> str:
        """The selected text: lines of one message joined as they are, messages by blank lines."""
        if not self.is_active:
            return next((selected_text(text) for text in self._live_texts() if text.textCursor().hasSelection()), "")
        low, high = self._ordered()
        messages: list[str] = []
        for index in range(low.row, high.row + 1):
            row = self._column.rows.get(index)
            if row is not None and (pieces := self._pieces(index, row)):
                messages.append("\n".join(pieces))
        return "\n\n".join(messages)

    def _pieces(self, index: int, row: Row) -> list[str]:
        pieces: list[str] = []
        for cell_index, cell in enumerate(row.cells):
            part = self._part(index, cell_index)
            if part is None:
                continue
            live = _text_of(cell)
            text = live.toPlainText() if live is not None else plain_text(cell.block)
            if text:
                pieces.append(text[part[0] : part[1]])
        return pieces

    def _ordered(self) -> tuple[Place, Place]:
        assert self._start is not None
        assert self._end is not None
        return min(self._start, self._end), max(self._start, self._end)

    def _part(self, row: int, cell: int) -> tuple[int, int] | None:
        """Which characters of a cell are selected; None for none."""
        low, high = self._ordered()
        if not (low.row, low.cell) <= (row, cell) <= (high.row, high.cell):
            return None
        begin = low.position if (row, cell) == (low.row, low.cell) else 0
        end = high.position if (row, cell) == (high.row, high.cell) else 1 << 30
        return begin, end

    def place_at(self, position: QPoint) -> Place | None:
        """The text position at a global position, or the nearest above it."""
        best: Place | None = None
        for index, row in self._column.live_rows():
            for cell_index, cell in enumerate(row.cells):
                text = _text_of(cell)
                if text is None:
                    continue
                local = text.viewport().mapFromGlobal(position)
                if local.y() < 0:
                    return best or Place(index, cell_index, 0)
                if local.y() < text.viewport().height():
                    return Place(index, cell_index, text.cursorForPosition(local).position())
                best = Place(index, cell_index, text.document().characterCount() - 1)
        return best

    def _live_texts(self) -> list[TextWidget]:
        texts = (_text_of(cell) for _, row in self._column.live_rows() for cell in row.cells)
        return [text for text in texts if text is not None]


def selected_text(text: TextWidget) -> str:
    return text.textCursor().selection().toPlainText()


def plain_text(block: Block) -> str:
    """The text of a block without a widget."""
    match block:
        case row_blocks.RichBlock() | row_blocks.TableBlock():
            return QTextDocumentFragment.fromHtml(block.segment.html).toPlainText()
        case row_blocks.CodeBlock():
            return block.segment.text
        case row_blocks.BubbleBlock():
            return block.text
        case _:
            return ""


def _text_of(cell: Cell) -> TextWidget | None:
    return None if cell.widget is None else cast(BlockWidget, cell.widget).text_widget()
