"""The heights of all rows, measured or guessed, and where each begins."""

import itertools
from collections.abc import Iterable


class RowHeights:
    """Heights by index; the places of the rows are summed up again only after one before the last has changed."""

    def __init__(self, heights: Iterable[int] = (), *, top: int) -> None:
        self._heights = list(heights)
        self._top = top
        self._offsets: list[int] | None = None

    def __getitem__(self, index: int) -> int:
        return self._heights[index]

    def __setitem__(self, index: int, height: int) -> None:
        change = height - self._heights[index]
        if change:
            self._heights[index] = height
            if self._offsets is not None and index == len(self._heights) - 1:
                self._offsets[-1] += change  # the usual case: the last message grows
            else:
                self._offsets = None

    def surround(self, before: Iterable[int], after: Iterable[int]) -> None:
        self._heights[:0] = before
        self._heights += after
        self._offsets = None

    def append(self, height: int) -> None:
        self._heights.append(height)
        self._offsets = None

    @property
    def offsets(self) -> list[int]:
        """Where each row begins, and behind them where the last one ends."""
        if self._offsets is None:
            self._offsets = list(itertools.accumulate(self._heights, initial=self._top))
        return self._offsets
