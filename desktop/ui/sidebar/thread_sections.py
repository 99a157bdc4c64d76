"""Which rows the thread list has: sections with their heads, each section in its order; found and counted without a look at
every row."""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import accumulate

PINNED = "pinned"
FLAT = "flat"
"""The one section of a list without headings."""
RECENT = ("today", "yesterday", "week")
"""Groups whose threads move on with each day."""


class RowKind(StrEnum):
    THREAD = "thread"
    HEADING = "heading"
    FOLDER = "folder"
    """The row of a folder: its threads stand below it while it is open."""
    MORE = "more"
    """There are further threads in the section, which come when this row is chosen."""


@dataclass(frozen=True)
class Row:
    """One row: of a thread by its id, any other by the key of its section."""

    kind: RowKind
    key: str


SortKey = tuple[int, str]
"""Larger ones stand further up; the second part is the thread's id."""


@dataclass
class Section:
    """A head, the threads below it, and perhaps a row that asks for further ones."""

    key: str
    order: tuple[int, ...]
    is_folder: bool = False
    is_open: bool = True
    has_more: bool = False
    keys: list[SortKey] = field(default_factory=list[SortKey])
    """In ascending order: the last one stands at the top."""

    @property
    def head_rows(self) -> int:
        return 0 if self.key == FLAT else 1

    @property
    def shown(self) -> int:
        """How many threads of it have a row."""
        return len(self.keys) if self.is_open else 0

    @property
    def row_count(self) -> int:
        return self.head_rows + self.shown + (self.is_open and self.has_more)

    @property
    def is_needed(self) -> bool:
        """A folder stands there also while it is empty."""
        return self.is_folder or bool(self.keys) or self.has_more

    def above(self, key: SortKey) -> int:
        """How many of its threads stand above the place of ``key``."""
        return len(self.keys) - bisect_right(self.keys, key)

    def add(self, key: SortKey) -> None:
        insort(self.keys, key)

    def discard(self, key: SortKey) -> None:
        place = bisect_left(self.keys, key)
        if place < len(self.keys) and self.keys[place] == key:
            del self.keys[place]

    def thread_at(self, place: int) -> str:
        """Return the id of its thread, counted from the top."""
        return self.keys[len(self.keys) - 1 - place][1]


class Sections:
    """All sections in their order. Whoever changes one calls ``changed``."""

    def __init__(self) -> None:
        self._by_key: dict[str, Section] = {}
        self._sorted: list[Section] = []
        self._starts: list[int] = [0]

    def __iter__(self) -> Iterator[Section]:
        return iter(self._sorted)

    def __contains__(self, key: str) -> bool:
        return key in self._by_key

    def get(self, key: str) -> Section | None:
        return self._by_key.get(key)

    def clear(self) -> None:
        self._by_key.clear()
        self.changed()

    def add(self, section: Section) -> None:
        self._by_key[section.key] = section
        self.changed()

    def remove(self, key: str) -> None:
        self._by_key.pop(key, None)
        self.changed()

    def changed(self) -> None:
        """Count the rows anew."""
        self._sorted = sorted(self._by_key.values(), key=lambda section: section.order)
        self._starts = [0, *accumulate(section.row_count for section in self._sorted)]

    @property
    def row_count(self) -> int:
        return self._starts[-1]

    def start(self, key: str) -> int:
        """Return the first row of a section; where it would be, for one that is not there yet."""
        return self._starts[self._sorted.index(self._by_key[key])]

    def start_for(self, order: tuple[int, ...]) -> int:
        """Return the row at which a section of this order would begin."""
        return self._starts[bisect_left([section.order for section in self._sorted], order)]

    def at(self, row: int) -> Row | None:
        if not 0 <= row < self.row_count:
            return None
        number = bisect_right(self._starts, row) - 1
        while self._sorted[number].row_count == 0:  # an empty one begins at the same row
            number -= 1
        section, place = self._sorted[number], row - self._starts[number]
        if place < section.head_rows:
            return Row(RowKind.FOLDER if section.is_folder else RowKind.HEADING, section.key)
        place -= section.head_rows
        return (
            Row(RowKind.THREAD, section.thread_at(place)) if place < section.shown else Row(RowKind.MORE, section.key)
        )

    def threads_between(self, first: int, last: int) -> list[str]:
        """Return the threads of all rows from one to another, both included, from the top."""
        found: list[str] = []
        number = max(0, bisect_right(self._starts, first) - 1)
        for section, start in zip(self._sorted[number:], self._starts[number:], strict=False):
            top, count = start + section.head_rows, len(section.keys)
            begin, end = max(0, first - top), min(section.shown, last + 1 - top)
            if begin < end:
                found += [thread_id for _, thread_id in reversed(section.keys[count - end : count - begin])]
        return found

    def row_of(self, section_key: str, key: SortKey) -> int:
        """Return the row of a thread; -1 where it has none."""
        section = self._by_key.get(section_key)
        if section is None or not section.is_open:
            return -1
        return self.start(section_key) + section.head_rows + section.above(key)

    def threads(self) -> Iterator[tuple[int, str]]:
        """Yield every thread that has a row, with that, from the top."""
        for section, start in zip(self._sorted, self._starts, strict=False):
            if section.is_open:
                for place, (_, thread_id) in enumerate(reversed(section.keys)):
                    yield start + section.head_rows + place, thread_id

    def other_rows(self) -> list[tuple[int, RowKind]]:
        """Return all rows that are no threads, in their order: there are few of them, and they are lower."""
        found: list[tuple[int, RowKind]] = []
        for section, start in zip(self._sorted, self._starts, strict=False):
            if section.head_rows:
                found.append((start, RowKind.FOLDER if section.is_folder else RowKind.HEADING))
            if section.is_open and section.has_more:
                found.append((start + section.row_count - 1, RowKind.MORE))
        return found


def order_of_group(key: str) -> tuple[int, ...]:
    """Return the order of a section by its ``thread_groups.group_key``, or of ``PINNED``."""
    if key in (PINNED, FLAT):
        return (0,)
    if key in RECENT:
        return 2, RECENT.index(key)
    year, month = key.split("-")
    return 3, -int(year), -int(month)


def order_of_folder(position: int) -> tuple[int, ...]:
    """Return the order of a folder's section: below what is pinned, above the days."""
    return 1, position
