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
_KINDS = frozenset((*_INTERIOR, *_LEAVES))
"""The first byte of pages that hold rows or keys. All others begin with the number of a page, of which the highest byte is
0 below 16 million pages."""
_MOST_PAGES = 0xFFFFFF
_ZEROS = bytes(65536)
"""As many as the largest page has."""


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
        for page in range(0, len(pages) - size + 1, size):
            at_begin = first == page == 0
            if pages[page + (_HEADER_BYTES if at_begin else 0)] not in _KINDS:
                continue
            gaps = _gaps(pages[page : page + size], _HEADER_BYTES if at_begin else 0, size - header[20])
            if gaps is None:
                number = first + page // size + 1
                logger.warning("page %d of the database is not as expected and stays as it is", number)
                continue
            # Nearly all of them are zero already: a wipe goes through the whole file, so that is seen quickly.
            for start, end in gaps:
                if pages[page + start : page + end] != _ZEROS[: end - start]:
                    self._write(first * size + page + start, _ZEROS[: end - start])
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

    def _write(self, start: int, content: bytes) -> None:
        os.lseek(self._file, start, os.SEEK_SET)
        while content:
            content = content[os.write(self._file, content) :]


def _gaps(page: bytes, header: int, usable: int) -> list[tuple[int, int]] | None:
    """Return where they begin and end in a page of rows; None when the page is not as SQLite makes it."""
    begin = header + (12 if page[header] in _INTERIOR else 8) + 2 * _number(page, header + 3)
    content = _number(page, header + 5) or 65536
    gaps = [(begin, content)]
    at = _number(page, header + 1)
    while at:  # a chain of freed places, each with the next one and its own size in front
        following, size = _number(page, at), _number(page, at + 2)
        if at < content or size < 4 or (following and following < at + size):
            return None
        gaps.append((at + 4, at + size))
        at = following
    return None if any(start > end or end > usable for start, end in gaps) else gaps


def _number(page: bytes, place: int) -> int:
    return int.from_bytes(page[place : place + 2])
