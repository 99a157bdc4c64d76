"""Blocks take a new look one after another: those in sight before anything is painted, the others after it."""

import time
from collections.abc import Callable, Iterator

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QWidget

from desktop.ui.transcript.column import OVERSCAN, Column
from desktop.ui.transcript.reading_position import HeldPlace
from desktop.ui.transcript.row import Row

STEP_SECONDS = 0.012
"""Of one step; a large block alone may take longer."""


class Restyling(QObject):
    """Lets blocks that have a widget take the look again, a few in a step; what was shown stays painted until then.

    While it ``is_holding`` nothing is laid out for a change of size alone: the text in sight is not measured yet.
    """

    def __init__(self, column: Column, viewport: QWidget, relayout: Callable[[int], None]) -> None:
        super().__init__(viewport)
        self._column = column
        self._viewport = viewport
        self._relayout = relayout
        self._held: HeldPlace | None = None
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self._go_on)

    @property
    def is_holding(self) -> bool:
        return self._held is not None

    @property
    def is_running(self) -> bool:
        return self._timer.isActive()

    def begin(self) -> None:
        """Everything has another look and perhaps other heights."""
        if self._held is None:
            self._held = HeldPlace(self._column)
        for row in self._column.rows.values():
            row.restyle()
        self._viewport.setUpdatesEnabled(False)
        self._timer.start()

    def release(self) -> None:
        """Hold nothing back any more: the text is laid out now, and what is still to be restyled is as it is met."""
        held, self._held = self._held, None
        if held is not None:
            held.restore()
            self._viewport.setUpdatesEnabled(True)

    def _go_on(self) -> None:
        width, end = self._column.geometry()[1], time.thread_time() + STEP_SECONDS
        for row, index in self._to_come_into_sight() if self.is_holding else list(self._stale()):
            row.realise(index, width)
            if time.thread_time() >= end:
                self._timer.start()
                return
        if self.is_holding:
            self._timer.start()
            self._relayout(0)
        else:
            self._relayout(OVERSCAN)

    def _to_come_into_sight(self) -> Iterator[tuple[Row, int]]:
        """From the place that is held on, as many as there is room for with their new heights."""
        column, room, rows = self._column, self._viewport.height(), self._column.rows
        if column.anchor is None:
            return
        at_end = column.sticks_to_end
        number, step = (len(column) - 1, -1) if at_end else (column.anchor.row, 1)
        begin = 0 if at_end else column.anchor_cell_index()
        room += 0 if at_end else max(0, -column.anchor.y)  # what is above the edge takes none
        while room > 0 and (row := rows.get(number)) is not None:
            for index in range(len(row.cells) - 1, -1, -1) if at_end else range(begin, len(row.cells)):
                cell = row.cells[index]
                if cell.is_stale or cell.widget is None:
                    yield row, index
                room -= (cell.height or 0) + cell.gap
                if room <= 0:
                    return
            number, begin = number + step, 0

    def _stale(self) -> Iterator[tuple[Row, int]]:
        for _, row in self._column.live_rows():
            for index, cell in enumerate(row.cells):
                if cell.is_stale:
                    yield row, index
