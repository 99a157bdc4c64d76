"""Text selected across blocks and messages, and what is copied of it: as text, or as Markdown.

Within one block Qt's own selection serves. Once the mouse leaves the block where it was pressed, the selection is a
pair of places here, drawn as ordinary selections in the live blocks and again in blocks that come alive later.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from PySide6.QtCore import QPoint
from PySide6.QtGui import QTextCursor, QTextDocument

from desktop.ui.markdown.html_writer import Link, WrittenFormula
from desktop.ui.state import row_blocks
from desktop.ui.state.row_blocks import Block
from desktop.ui.transcript.blocks.rich_text import RichText
from desktop.ui.transcript.column import Column
from desktop.ui.transcript.context import BlockWidget, TextWidget
from desktop.ui.transcript.document_text import document_text
from desktop.ui.transcript.markdown_copy import block_markdown, part_markdown
from desktop.ui.transcript.row import Cell

_WHOLE = 1 << 30
"""A position behind the end of any text."""


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

    def select_row(self, index: int) -> None:
        """Select a whole message."""
        row = self._column.rows.get(index)
        if row is None or not row.cells:
            return
        self.press(Place(index, 0, 0))
        self._start, self._end = Place(index, 0, 0), Place(index, len(row.cells) - 1, _WHOLE)
        self.apply()

    def text(self) -> str:
        """The selected text: lines of one message joined as they are, messages by blank lines."""
        return self._joined(_text_of_cell, "\n")

    def markdown(self) -> str:
        """The same as Markdown. Blocks of which all is selected are as they were written."""
        return self._joined(_markdown_of_cell, "\n\n")

    def _joined(self, written: Callable[[Cell, int, int], str], between: str) -> str:
        if not self.is_active:
            return next((written(cell, *part) for cell, part in self._selected_in_one_text()), "")
        low, high = self._ordered()
        messages: list[str] = []
        for index in range(low.row, high.row + 1):
            row = self._column.rows.get(index)
            parts = [(cell, self._part(index, number)) for number, cell in enumerate(row.cells)] if row else []
            pieces = [(cell, written(cell, *part)) for cell, part in parts if part is not None]
            if text := _joined([(cell, piece) for cell, piece in pieces if piece], between):
                messages.append(text)
        return "\n\n".join(messages)

    def _selected_in_one_text(self) -> Iterator[tuple[Cell, tuple[int, int]]]:
        """What Qt itself has selected, within one block."""
        for _, row in self._column.live_rows():
            for cell in row.cells:
                if (text := _text_of(cell)) is not None and (cursor := text.textCursor()).hasSelection():
                    yield cell, (cursor.selectionStart(), cursor.selectionEnd())

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
        end = high.position if (row, cell) == (high.row, high.cell) else _WHOLE
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


def _text_of_cell(cell: Cell, start: int, end: int) -> str:
    with_document = _document_of(cell)
    if with_document is None:
        return ""
    document, _, formulas = with_document
    return document_text(document, formulas, start, end)


def _markdown_of_cell(cell: Cell, start: int, end: int) -> str:
    with_document = _document_of(cell)
    if with_document is None:
        return ""
    document, links, formulas = with_document
    if start == 0 and end >= document.characterCount() - 1:
        return block_markdown(cell.block) or document_text(document, formulas, start, end)
    if isinstance(cell.block, row_blocks.RichBlock | row_blocks.TableBlock):
        return part_markdown(document, links, formulas, start, min(end, document.characterCount() - 1))
    return document_text(document, formulas, start, end)


def _document_of(cell: Cell) -> tuple[QTextDocument, Sequence[Link], Sequence[WrittenFormula]] | None:
    """The document of a cell with its links and formulas, made for a cell without a widget."""
    live, block = _text_of(cell), cell.block
    if isinstance(live, RichText):
        return live.document(), live.links, live.formulas
    if live is not None:
        return live.document(), (), ()
    document = QTextDocument()
    if isinstance(block, row_blocks.RichBlock | row_blocks.TableBlock):
        document.setHtml(block.segment.html)
        return document, block.segment.links, block.segment.formulas
    if text := plain_text(block):
        document.setPlainText(text)
        return document, (), ()
    return None


def plain_text(block: Block) -> str:
    """The text of a block that is plain anyway."""
    match block:
        case row_blocks.CodeBlock():
            return block.segment.text
        case row_blocks.BubbleBlock():
            return block.text
        case _:
            return ""


def _joined(pieces: Sequence[tuple[Cell, str]], between: str) -> str:
    """Joined blocks; what goes on with the block before is not separated from it by a blank line."""
    text = ""
    for cell, piece in pieces:
        block = cell.block
        follows = isinstance(block, row_blocks.RichBlock) and block.segment.follows
        text += (("\n" if follows else between) if text else "") + piece
    return text


def _text_of(cell: Cell) -> TextWidget | None:
    return None if cell.widget is None else cast(BlockWidget, cell.widget).text_widget()
