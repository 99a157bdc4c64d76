"""The virtualised column: which rows and blocks are near the viewport, and where.

The layout goes by an *anchor*, the first block that can be seen and its place in the viewport. A step of the scroll
bar moves the anchor; everything around it is measured before the scroll bar is set, so that guessed heights never
make the text jump. Guesses only decide where a jump lands.
"""

import bisect
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtWidgets import QWidget

from desktop.conversation.entities import MessageOutline
from desktop.ui.state.transcript_state import RowState
from desktop.ui.transcript.context import BlockContext
from desktop.ui.transcript.estimates import estimated_row_height
from desktop.ui.transcript.row import Cell, Row
from desktop.ui.transcript.row_heights import RowHeights
from desktop.ui.transcript.style import GUTTER

OVERSCAN = 240
"""How far outside the viewport blocks have widgets."""

KEPT = 480
"""How far outside they keep them."""

TOP_MARGIN, BOTTOM_MARGIN = 14, 20
KEPT_ROWS = 400
"""Loaded messages that are kept; others are fetched again when they come near."""

NEAR_ROWS = 12
"""Messages around the realised ones that are wanted loaded."""


@dataclass(frozen=True)
class Anchor:
    """A cell and the place of its top in the viewport. Without a cell the row itself, whose body is not loaded."""

    row: int
    cell: Cell | None
    y: int


class Column:
    """Rows by index; ``rows`` holds the loaded ones."""

    def __init__(self, viewport: QWidget, context: BlockContext) -> None:
        self._viewport = viewport
        self._context = context
        self._ids: list[str] = []
        self._index: dict[str, int] = {}
        self._heights = RowHeights(top=TOP_MARGIN)
        self._width = context.look.sizes.text_width
        self._overscan = OVERSCAN
        self.rows: dict[int, Row] = {}
        self.live = (0, -1)
        """The first and the last row that are realised."""
        self.anchor: Anchor | None = None
        self.sticks_to_end = True

    def __len__(self) -> int:
        return len(self._ids)

    def index_of(self, message_id: str) -> int | None:
        return self._index.get(message_id)

    def id_of(self, index: int) -> str:
        return self._ids[index]

    def reset(self, outlines: Sequence[MessageOutline]) -> None:
        """Begin anew with these messages, none of them loaded."""
        for row in self.rows.values():
            row.drop()
        self.rows = {}
        self._ids = [outline.id for outline in outlines]
        self._index = {message_id: index for index, message_id in enumerate(self._ids)}
        self._width = self.geometry()[1]
        self._heights = RowHeights(self._estimates(outlines), top=TOP_MARGIN)
        self.live = (0, -1)
        self.anchor = None
        self.sticks_to_end = True

    def surround(self, before: Sequence[MessageOutline], after: Sequence[MessageOutline]) -> None:
        """Add messages before the first and after the last one; what can be seen stays where it is."""
        if after:
            self._end_lastness(len(self._ids) - 1)
        count = len(before)
        self._ids = [*(outline.id for outline in before), *self._ids, *(outline.id for outline in after)]
        self._index = {message_id: index for index, message_id in enumerate(self._ids)}
        self._heights.surround(self._estimates(before), self._estimates(after))
        self.rows = {index + count: row for index, row in self.rows.items()}
        self.live = (self.live[0] + count, self.live[1] + count)
        if self.anchor is not None:
            self.anchor = Anchor(self.anchor.row + count, self.anchor.cell, self.anchor.y)

    def load(self, state: RowState) -> bool:
        """Show ``state`` in its row; False when there is no such row."""
        if (index := self._index.get(state.message_id)) is None:
            return False
        is_last = index == len(self._ids) - 1
        if (row := self.rows.get(index)) is None:
            self.rows[index] = row = Row(state, self._context, self._viewport, is_last=is_last)
            if self.anchor is not None and self.anchor.row == index and self.anchor.cell is None:
                self.anchor = None if not row.cells else Anchor(index, row.cells[0], self.anchor.y)
        else:
            row.set_state(state, is_last=is_last)
        if row.is_parsed:
            self._heights[index] = row.height(self._width)
        return True

    def append(self, state: RowState) -> None:
        """Add a row at the end, loaded."""
        self._ids.append(state.message_id)
        self._index[state.message_id] = len(self._ids) - 1
        self._heights.append(0)
        self.load(state)
        self._heights[len(self._ids) - 1] = self.rows[len(self._ids) - 1].height(self._width)
        self._end_lastness(len(self._ids) - 2)

    def _end_lastness(self, index: int) -> None:
        if (row := self.rows.get(index)) is not None:
            row.set_state(row.state, is_last=False)  # its error offers no second try any more

    def toggle(self, message_id: str, key: str) -> None:
        """Open or close a block; the line of a tool or of reasoning stays where it is, and what follows it moves."""
        index = self._index.get(message_id)
        if index is not None and (row := self.rows.get(index)) is not None:
            held = row.live_header(key)
            self.anchor = Anchor(index, *held) if held is not None else self.anchor
            cell_index = self.anchor_cell_index()
            row.toggle(key)
            self.revive_anchor(cell_index)
            self._heights[index] = row.height(self._width)

    def live_rows(self) -> Iterator[tuple[int, Row]]:
        first, last = self.live
        for index in range(first, last + 1):
            row = self.rows.get(index)
            if row is not None and row.widget is not None:
                yield index, row

    def missing(self) -> list[str]:
        """Ids of the messages near the viewport whose bodies are not loaded, those in view first."""
        first, last = self.live
        wanted = itertools.chain(
            range(first, last + 1),
            range(last + 1, min(len(self._ids), last + 1 + NEAR_ROWS)),
            range(max(0, first - NEAR_ROWS), first),
        )
        return [self._ids[index] for index in wanted if index not in self.rows]

    def geometry(self) -> tuple[int, int]:
        """The left edge and the width of the column in the viewport."""
        room = self._viewport.width()
        width = max(120, min(self._context.look.sizes.text_width + GUTTER, room - 2 * (24 if room > 560 else 14)))
        return (room - width) // 2, width

    @property
    def _scale(self) -> float:
        return self._context.look.sizes.scale

    def _estimates(self, outlines: Sequence[MessageOutline]) -> list[int]:
        width, scale = self._width, self._scale
        return [estimated_row_height(outline, width, scale) for outline in outlines]

    def total(self) -> int:
        return self._heights.offsets[-1] + BOTTOM_MARGIN

    def scroll_value(self) -> int:
        """Where the viewport's top lies in the whole."""
        if self.anchor is None:
            return 0
        return self._heights.offsets[self.anchor.row] - self._row_top(self.anchor)

    def _row_top(self, anchor: Anchor) -> int:
        if anchor.cell is None:
            return anchor.y
        row = self.rows[anchor.row]
        return anchor.y - row.top_of(row.cells.index(anchor.cell), self._width)

    def move_by(self, distance: int) -> None:
        """Move the text up by ``distance``; what can be seen stays together."""
        if self.anchor is not None:
            self.anchor = Anchor(self.anchor.row, self.anchor.cell, self.anchor.y - distance)

    def jump_to(self, value: int) -> None:
        """Go to a place of the whole, by the heights as far as they are known."""
        offsets = self._heights.offsets
        index = min(len(self._ids) - 1, max(0, bisect.bisect_right(offsets, value) - 1))
        top = offsets[index] - value
        self.anchor = self._anchor_in(index, top)

    def jump_to_row(self, index: int) -> None:
        """Bring the top of a row to the top of the viewport."""
        self.anchor = self._anchor_in(index, 0)

    def anchor_at(self, index: int, cell_index: int, y: int) -> None:
        """Go back to a place that was left earlier."""
        row = self.rows.get(index)
        if row is not None and cell_index < len(row.cells):
            self.anchor = Anchor(index, row.cells[cell_index], y)
        else:
            self.anchor = self._anchor_in(index, 0)

    def _anchor_in(self, index: int, top: int) -> Anchor:
        row = self.rows.get(index)
        if row is None or not row.cells:
            return Anchor(index, None, top)
        for cell, y in row.tops(self._width):
            if top + y + cell.estimate(self._width, self._scale) > 0:
                return Anchor(index, cell, top + y)
        return Anchor(index, row.cells[-1], top + row.top_of(len(row.cells) - 1, self._width))

    def layout(self, overscan: int = OVERSCAN) -> None:
        """Realise what is near the viewport around the anchor, or up from the end, and place it.

        With no ``overscan`` only what can be seen is made, for the first look at a place; another layout follows.
        """
        if not self._ids:
            return
        self._overscan = overscan
        x, width = self.geometry()
        if width != self._width:
            self._change_width(width)
        height = self._viewport.height()
        if self.sticks_to_end or self.anchor is None or not self._is_valid(self.anchor):
            self.anchor = self._anchor_at_end(height)
        # Twice at most: after the first pass the ends are measured, and the text may have to move to one of them.
        for _ in range(2):
            top, bottom = self._realise_around(self.anchor, height)
            shift = self._shift_to_ends(top, bottom, height)
            if not shift:
                break
            self.anchor = Anchor(self.anchor.row, self.anchor.cell, self.anchor.y + shift)
        self._place(x, height)

    def _is_valid(self, anchor: Anchor) -> bool:
        if anchor.row >= len(self._ids):
            return False
        row = self.rows.get(anchor.row)
        if anchor.cell is None:
            return row is None or not row.cells
        return row is not None and anchor.cell in row.cells

    def revive_anchor(self, cell_index: int) -> None:
        """After a row changed: when the anchor's cell is gone, hold on to the one that is now at its place."""
        anchor = self.anchor
        if anchor is None or anchor.cell is None or self._is_valid(anchor):
            return
        row = self.rows.get(anchor.row)
        if row is not None and row.cells:
            self.anchor = Anchor(anchor.row, row.cells[min(cell_index, len(row.cells) - 1)], anchor.y)

    def anchor_cell_index(self) -> int:
        if self.anchor is None or self.anchor.cell is None:
            return 0
        row = self.rows.get(self.anchor.row)
        return row.cells.index(self.anchor.cell) if row and self.anchor.cell in row.cells else 0

    def _anchor_at_end(self, height: int) -> Anchor:
        last = len(self._ids) - 1
        row = self.rows.get(last)
        if row is None or not row.cells:
            return Anchor(last, None, height - BOTTOM_MARGIN - self._heights[last])
        measured = row.realise(len(row.cells) - 1, self._width)
        row_end = row.height(self._width) - row.top_of(len(row.cells) - 1, self._width) - measured
        return Anchor(last, row.cells[-1], height - BOTTOM_MARGIN - row_end - measured)

    def _realise_around(self, anchor: Anchor, height: int) -> tuple[int, int]:
        """Measure from the anchor down and up; returns the top of the first and the bottom of the last row touched."""
        index = anchor.row
        row = self.rows.get(index)
        start = row.cells.index(anchor.cell) if row and anchor.cell is not None else 0
        if row is not None:
            # Downwards from the anchor, then upwards within the same row.
            y = anchor.y
            for position in range(start, len(row.cells)):
                y += row.cells[position].gap if position > start else 0
                if y > height + self._overscan:
                    break
                y += row.realise(position, self._width)
            y = anchor.y - row.cells[start].gap if row.cells else anchor.y
            for position in range(start - 1, -1, -1):
                if y < -self._overscan:
                    break
                y -= row.realise(position, self._width) + row.cells[position].gap
            self._heights[index] = row.height(self._width)
        top = self._row_top(anchor)
        last, bottom = self._realise_down(index, top, height)
        first, first_top = self._realise_up(index, top)
        self.live = (first, last)
        return first_top, bottom

    def _realise_down(self, index: int, top: int, height: int) -> tuple[int, int]:
        y = top + self._heights[index]
        while y < height + self._overscan and index + 1 < len(self._ids):
            index += 1
            row = self.rows.get(index)
            if row is not None:
                for position, (_, inner_top) in enumerate(row.tops(self._width)):
                    if y + inner_top > height + self._overscan:
                        break
                    row.realise(position, self._width)
                self._heights[index] = row.height(self._width)
            y += self._heights[index]
        return index, y

    def _realise_up(self, index: int, top: int) -> tuple[int, int]:
        y = top
        while y > -self._overscan and index > 0:
            index -= 1
            row = self.rows.get(index)
            if row is not None:
                room = y + self._overscan
                for position in range(len(row.cells) - 1, -1, -1):
                    if room < 0:
                        break
                    room -= row.realise(position, self._width) + row.cells[position].gap
                self._heights[index] = row.height(self._width)
            y -= self._heights[index]
        return index, y

    def _shift_to_ends(self, top: int, bottom: int, height: int) -> int:
        """How far the text must move so that no empty room stands above its begin or below its end."""
        first, last = self.live
        shift = 0
        if last == len(self._ids) - 1 and bottom < height - BOTTOM_MARGIN:
            shift = height - BOTTOM_MARGIN - bottom
        if first == 0 and top + shift > TOP_MARGIN:
            shift = TOP_MARGIN - top
        return shift

    def _place(self, x: int, height: int) -> None:
        anchor = self.anchor
        assert anchor is not None
        first, last = self.live
        y = self._row_top(anchor)
        for index in range(anchor.row - 1, first - 1, -1):
            y -= self._heights[index]
        self._scroll_along(first, last, y, height)
        seen: Anchor | None = None
        for index in range(first, last + 1):
            row = self.rows.get(index)
            if row is not None:
                row.drop_outside(-KEPT - y, height + KEPT - y, self._width)
                row.place(x, y, self._width)
            if seen is None and y + self._heights[index] > 0:
                seen = self._anchor_in(index, y)
            y += self._heights[index]
        self._put_in_order()
        self._drop_far(first, last)
        if seen is not None and not self.sticks_to_end:
            self.anchor = seen

    def _scroll_along(self, first: int, last: int, y: int, height: int) -> None:
        """Move all widgets as most rows in view will move: pixels are copied instead of painted again."""
        distances: list[int] = []
        for index in range(first, last + 1):
            row = self.rows.get(index)
            widget = row.widget if row is not None else None
            if widget is not None and not widget.isHidden() and -widget.height() < widget.y() < height:
                distances.append(y - widget.y())
            y += self._heights[index]
        if distances and (distance := max(distances, key=distances.count)):
            self._viewport.scroll(0, distance)

    def _put_in_order(self) -> None:
        """Keep the rows in reading order among their siblings, whichever was made first."""
        after: QWidget | None = None
        for _, row in reversed(list(self.live_rows())):
            if row.is_new and after is not None and row.widget is not None:
                row.widget.stackUnder(after)
            row.is_new = False
            after = row.widget

    def _drop_far(self, first: int, last: int) -> None:
        for index, row in self.rows.items():
            if row.widget is not None and not first <= index <= last:
                row.drop()
        if len(self.rows) > KEPT_ROWS:
            by_distance = sorted(self.rows, key=lambda index: max(first - index, index - last))
            for index in by_distance[KEPT_ROWS * 3 // 4 :]:
                if not self.rows[index].state.is_streaming:
                    del self.rows[index]

    def _change_width(self, width: int) -> None:
        """After a change of width the block at the top stays, at the same part of it."""
        anchor, old_width = self.anchor, self._width
        self._width = width
        if anchor is None or anchor.cell is None or self.sticks_to_end or not self._is_valid(anchor):
            return
        row = self.rows[anchor.row]
        before = anchor.cell.estimate(old_width, self._scale)
        after = row.realise(row.cells.index(anchor.cell), width)
        if anchor.y < 0 and before:
            self.anchor = Anchor(anchor.row, anchor.cell, round(anchor.y * after / before))
