"""Where somebody reads in a thread: kept while another thread is open, and held while the text changes its size."""

from dataclasses import dataclass

from desktop.ui.transcript.column import Anchor, Column


@dataclass(frozen=True)
class ReadingPosition:
    """The first visible block and its place in the viewport, or the end."""

    message_id: str
    cell_index: int
    y: int
    is_at_end: bool


def position_in(column: Column) -> ReadingPosition | None:
    """Return where the column is read now; None for an empty one."""
    anchor = column.anchor
    if anchor is None or not len(column):
        return None
    return ReadingPosition(column.id_of(anchor.row), column.anchor_cell_index(), anchor.y, column.sticks_to_end)


class HeldPlace:
    """Holds the same part of the block at the top there, while another font gives everything other heights."""

    def __init__(self, column: Column) -> None:
        self._column = column
        self._part: float | None = None
        anchor = column.anchor
        if not column.sticks_to_end and anchor is not None and anchor.cell is not None and anchor.cell.height:
            self._anchor, self._cell = anchor, anchor.cell
            self._part = anchor.y / anchor.cell.height if anchor.y < 0 else None

    def restore(self) -> None:
        """Put it back after the change, before everything is laid out anew."""
        row = None if self._part is None else self._column.rows.get(self._anchor.row)
        if self._part is not None and row is not None and self._cell in row.cells:
            height = row.realise(row.cells.index(self._cell), self._column.geometry()[1])
            self._column.anchor = Anchor(self._anchor.row, self._cell, round(self._part * height))
