"""What texts of the transcript ask of the view: another height, and to be led to another place of the same message."""

from collections.abc import Callable, Iterator
from typing import cast

import shiboken6
from PySide6.QtCore import QObject, QPoint, QTimer
from PySide6.QtGui import QTextCursor, QTextDocument
from PySide6.QtWidgets import QWidget

from desktop.ui.state.row_blocks import RichBlock, TableBlock
from desktop.ui.transcript.blocks.rich_text import RichText
from desktop.ui.transcript.column import Column
from desktop.ui.transcript.context import BlockActions, BlockWidget
from desktop.ui.transcript.row import Cell, Row

FROM_TOP = 40
"""Room above a place that was jumped to."""


class TextRequests(QObject):
    """Belongs to a view, whose ``relayout`` it calls."""

    def __init__(self, view: QWidget, column: Column, actions: BlockActions, relayout: Callable[[], None]) -> None:
        super().__init__(view)
        self._viewport = view
        self._column = column
        self._relayout = relayout
        self._changed: list[QWidget] = []
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._measure_again)
        actions.height_changed.connect(self._height_changed)
        actions.place_requested.connect(self._go_to)

    def _height_changed(self, text: QWidget) -> None:
        self._changed.append(text)
        self._soon.start()

    def _measure_again(self) -> None:
        """What can be seen above stays where it is, and what follows moves."""
        changed, self._changed = [each for each in self._changed if shiboken6.isValid(each)], []
        for _, _, cell in self._live_cells():
            widget = cell.widget
            if widget is not None and any(widget is each or widget.isAncestorOf(each) for each in changed):
                cell.height = None
        self._relayout()

    def _go_to(self, text: QWidget, name: str) -> None:
        """Bring the place of this name into sight, in the message that ``text`` is a part of, and mark its line."""
        row = next((row for _, row, cell in self._live_cells() if cell.widget is text), None)
        if row is None:
            return
        cells = enumerate(row.cells)
        number = next((number for number, cell in cells if name in _anchors(cell)), None)
        if number is None:
            return
        if not self._is_in_sight(row.cells[number]):
            index = next(index for index, each in self._column.rows.items() if each is row)
            self._column.sticks_to_end = False
            self._column.anchor_at(index, number, FROM_TOP)
            self._relayout()
        target = row.cells[number].widget
        place = cast(BlockWidget, target).text_widget() if target is not None else None
        if isinstance(place, RichText) and (cursor := _line_of(place.document(), name)) is not None:
            place.setTextCursor(cursor)

    def _is_in_sight(self, cell: Cell) -> bool:
        if cell.widget is None or cell.widget.isHidden():
            return False
        top = cell.widget.mapTo(self._viewport, QPoint()).y()
        return top >= 0 and top + cell.widget.height() <= self._viewport.height()

    def _live_cells(self) -> Iterator[tuple[int, Row, Cell]]:
        for index, row in self._column.live_rows():
            for cell in row.cells:
                yield index, row, cell


def _anchors(cell: Cell) -> tuple[str, ...]:
    block = cell.block
    return block.segment.anchors if isinstance(block, RichBlock | TableBlock) else ()


def _line_of(document: QTextDocument, name: str) -> QTextCursor | None:
    """A selection of the paragraph in which the place stands."""
    block = document.begin()
    while block.isValid():
        iterator = block.begin()
        while not iterator.atEnd():
            if name in iterator.fragment().charFormat().anchorNames():
                cursor = QTextCursor(block)
                cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
                return cursor
            iterator += 1
        block = block.next()
    return None
