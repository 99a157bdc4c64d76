"""Zeroes what no row uses inside the pages of a database file: copies of rows that SQLite moved and removed since.

``secure_delete`` overwrites a row where it stands. Where rows were moved to another page, because one was split or two
were joined, their old places keep what stood there until something else comes.
"""

import logging
import os
from pathlib import Path

logger = logging.getLogger(__name__)

_HEADER_BYTES = 100
"""At the beginning of the file, and so of its first page."""
_INTERIOR, _LEAVES = (2, 5), (10, 13)
"""The first byte of pages that hold rows or keys. All others begin with the number of a page, of which the highest byte is
0 below 16 million pages."""
_MOST_PAGES = 0xFFFFFF


class PageGaps:
    """The gaps of one file. It is kept open until ``close``, which must come after all of SQLite's connections are
    closed: closing a file ends the locks that a process has on it."""

    def __init__(self, database: Path) -> None:
        self._file = os.open(database, os.O_RDWR | getattr(os, "O_BINARY", 0))

    def close(self) -> None:
        os.close(self._file)

    def zero(self, first: int, count: int) -> bool:
        """Zero the gaps of so many pages from the number ``first``, from 0, on; False when these were the last ones.

        Only while nothing writes, the log is empty, and no connection that writes has any of these pages in its cache.
        """
        header = self._read(0, _HEADER_BYTES)
        size = int.from_bytes(header[16:18]) or 0
        size = 65536 if size == 1 else size
        if size < 512 or os.fstat(self._file).st_size // size > _MOST_PAGES:
            return False
        pages = self._read(first * size, count * size)
        is_changed = False
        for place in range(0, len(pages) - size + 1, size):
            number = first + place // size
            page = bytearray(pages[place : place + size])
            if not _zero_gaps(page, _HEADER_BYTES if number == 0 else 0, size - header[20]):
                logger.warning("page %d of the database is not as expected and stays as it is", number + 1)
            elif page != pages[place : place + size]:
                self._write(number * size, page)
                is_changed = True
        if is_changed:
            os.fsync(self._file)
        return len(pages) == count * size

    def _read(self, start: int, size: int) -> bytes:
        os.lseek(self._file, start, os.SEEK_SET)
        pieces: list[bytes] = []
        while size and (piece := os.read(self._file, size)):
            pieces.append(piece)
            size -= len(piece)
        return b"".join(pieces)

    def _write(self, start: int, content: bytearray) -> None:
        os.lseek(self._file, start, os.SEEK_SET)
        while content:
            del content[: os.write(self._file, content)]


def _zero_gaps(page: bytearray, header: int, usable: int) -> bool:
    """Zero them in a page of rows; False, and nothing changed, when the page is not as SQLite makes it."""
    kind = page[header]
    if kind not in (*_INTERIOR, *_LEAVES):
        return True
    begin = header + (12 if kind in _INTERIOR else 8) + 2 * _number(page, header + 3)
    content = _number(page, header + 5) or 65536
    gaps = [(begin, content)]
    at = _number(page, header + 1)
    while at:  # a chain of freed places, each with the next one and its own size in front
        following, size = _number(page, at), _number(page, at + 2)
        if at < content or size < 4 or (following and following < at + size):
            return False
        gaps.append((at + 4, at + size))
        at = following
    if any(start > end or end > usable for start, end in gaps):
        return False
    for start, end in gaps:
        page[start:end] = bytes(end - start)
    return True


def _number(page: bytearray, place: int) -> int:
    return int.from_bytes(page[place : place + 2])
