"""Reads rows out of the pages of a database file that SQLite itself gave up: page by page, each row on its own.

Understands what is needed of the file format: trees of tables with row numbers, their rows, and rows that go on in other
pages. Nothing here trusts a number of the file: whatever leads nowhere, around in a circle or out of a page ends that row or
that page and no more.
"""

import mmap
import struct
from collections.abc import Iterator, Sequence
from pathlib import Path

_INTERIOR, _LEAF = 5, 13
_MOST_PAYLOAD = 1_000_000_000
_INTEGER_BYTES = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}

Value = None | int | float | str | bytes
Row = tuple[int, tuple[Value, ...]]
"""Its number, and what stands in its columns; the column that is the number itself holds None."""


class BrokenError(ValueError):
    """What stands there is not as SQLite writes it."""


class RawPages:
    """A file whose log was moved into it, and that is not empty; ``close`` it.

    ``bad_pages`` are those that could not be read, or not all of them, as far as anything led there.
    """

    def __init__(self, path: Path) -> None:
        with path.open("rb") as file:
            self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        size = int.from_bytes(self._data[16:18], "big")
        size = 65536 if size == 1 else size
        is_size = 512 <= size <= 65536 and size & (size - 1) == 0
        self._size = size if is_size else 4096
        reserved = self._data[20] if is_size and len(self._data) > 20 else 0
        self._usable = self._size - reserved
        self.count = len(self._data) // self._size
        self.bad_pages: set[int] = set()
        self._seen: set[int] = set()

    def close(self) -> None:
        self._data.close()

    def rows(self, root: int) -> Iterator[Row]:
        """Return what can be read of the table whose tree begins at page ``root``."""
        waiting = [root]
        while waiting:
            number = waiting.pop()
            if number in self._seen:
                continue
            self._seen.add(number)
            try:
                kind, cells, right = self._page(number)
            except BrokenError:
                self.bad_pages.add(number)
                continue
            if kind == _LEAF:
                yield from self._leaf_rows(number, cells)
            else:
                children = [int.from_bytes(self._bytes(number)[cell : cell + 4], "big") for cell in cells]
                waiting += reversed([*children, right])

    def orphans(self) -> Iterator[Sequence[Row]]:
        """Return the rows of pages to which nothing led that was asked for, a page at a time."""
        for number in range(2, self.count + 1):
            if number in self._seen or self._bytes(number)[0] != _LEAF:
                continue
            try:
                _, cells, _ = self._page(number)
            except BrokenError:
                continue
            rows = list(self._leaf_rows(number, cells))
            if rows:
                yield rows

    def _bytes(self, number: int) -> bytes:
        if not 1 <= number <= self.count:
            raise BrokenError("there is no such page")
        return self._data[(number - 1) * self._size : number * self._size]

    def _page(self, number: int) -> tuple[int, list[int], int]:
        """Return its kind, where its cells begin, and the page at its right."""
        page, header = self._bytes(number), 100 if number == 1 else 0
        kind = page[header]
        if kind not in (_INTERIOR, _LEAF):
            raise BrokenError("no page of a table")
        count = int.from_bytes(page[header + 3 : header + 5], "big")
        begin = header + (12 if kind == _INTERIOR else 8)
        if begin + 2 * count > self._usable:
            raise BrokenError("more rows than there is room for")
        cells = [int.from_bytes(page[at : at + 2], "big") for at in range(begin, begin + 2 * count, 2)]
        right = int.from_bytes(page[header + 8 : header + 12], "big") if kind == _INTERIOR else 0
        return kind, [cell for cell in cells if begin + 2 * count <= cell < self._usable - 3], right

    def _leaf_rows(self, number: int, cells: Sequence[int]) -> Iterator[Row]:
        page = self._bytes(number)
        for cell in cells:
            try:
                yield self._row(page, cell)
            except (BrokenError, IndexError, struct.error):
                self.bad_pages.add(number)

    def _row(self, page: bytes, cell: int) -> Row:
        size, at = _varint(page, cell)
        rowid, at = _varint(page, at)
        if not 0 < size <= min(_MOST_PAYLOAD, len(self._data)):
            raise BrokenError("a row that is larger than the file")
        return rowid - (1 << 64) if rowid >= 1 << 63 else rowid, _record(self._payload(page, at, size))

    def _payload(self, page: bytes, at: int, size: int) -> bytes:
        usable = self._usable
        most = usable - 35
        if size <= most:
            here = size
        else:
            least = (usable - 12) * 32 // 255 - 23
            here = least + (size - least) % (usable - 4)
            here = here if here <= most else least
        if at + here > usable:
            raise BrokenError("a row reaches out of its page")
        pieces, left = [page[at : at + here]], size - here
        following = int.from_bytes(page[at + here : at + here + 4], "big") if left else 0
        visited: set[int] = set()
        while left:
            if following in visited:
                raise BrokenError("a row goes around in a circle")
            visited.add(following)
            more = self._bytes(following)
            pieces.append(more[4 : 4 + min(left, usable - 4)])
            left -= len(pieces[-1])
            following = int.from_bytes(more[:4], "big")
        self._seen |= visited
        return b"".join(pieces)


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for index in range(8):
        byte = data[at + index]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + index + 1
    return value << 8 | data[at + 8], at + 9


def _record(payload: bytes) -> tuple[Value, ...]:
    end, at = _varint(payload, 0)
    if not 0 < end <= len(payload):
        raise BrokenError("a row whose head is longer than itself")
    kinds: list[int] = []
    while at < end:
        kind, at = _varint(payload, at)
        kinds.append(kind)
    values: list[Value] = []
    at = end
    for kind in kinds:
        value, at = _value(payload, at, kind)
        values.append(value)
    if at > len(payload):
        raise BrokenError("a row that is too short")
    return tuple(values)


def _value(payload: bytes, at: int, kind: int) -> tuple[Value, int]:
    if kind in (0, 8, 9):
        return (None, 0, 1)[0 if kind == 0 else kind - 7], at
    if kind in _INTEGER_BYTES:
        end = at + _INTEGER_BYTES[kind]
        return int.from_bytes(payload[at:end], "big", signed=True), end
    if kind == 7:
        return struct.unpack(">d", payload[at : at + 8])[0], at + 8
    if kind < 12:
        raise BrokenError("a kind that SQLite never writes")
    end = at + (kind - 12) // 2
    if end > len(payload):
        raise BrokenError("a value reaches out of its row")
    content = payload[at:end]
    return (content if kind % 2 == 0 else content.decode("utf-8", "replace")), end
