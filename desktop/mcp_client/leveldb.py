"""Reads one value out of a LevelDB folder that another program may have open: bounded, and without taking its lock.

The checksums are not looked at: what a half-written file makes of a value is for the reader of that value to notice.
"""

import errno
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

MOST_FILES = 500
MOST_BYTES = 64 * 2**20
"""Of one file, and of one block of a table when it is unpacked."""
_MOST_TRIES = 4
_LOG_BLOCK, _LOG_HEADER = 2**15, 7
_FULL, _FIRST, _MIDDLE, _LAST = 1, 2, 3, 4
_DELETED, _PUT = 0, 1
_FOOTER_SIZE, _TRAILER_SIZE, _TAG_SIZE = 48, 5, 8
_MAGIC = bytes.fromhex("57fb808b247547db")
_PLAIN, _SNAPPY = 0, 1
_TABLES = ("ldb", "sst")
_LONGEST_NAME = 100
_COMPARATOR, _LOG_NUMBER, _PLACE_OF_MERGING, _TABLE_GONE, _NEW_TABLE = 1, 2, 5, 6, 7

_Found = tuple[int, bytes | None]
"""What a key was given, None where it was deleted, and the number of that change: the highest one counts."""


class LevelDbError(Exception):
    """Something in the files is not as it should be, or larger than is read."""


def read_value(folder: Path, key: bytes) -> bytes | None:
    """Return the newest value of ``key``; None where it has none.

    Raises ``LevelDbError`` and ``OSError``.
    """
    for attempt in range(_MOST_TRIES):
        try:
            found = [each for path in _files(folder) for each in _changes(path, key)]
        except FileNotFoundError:  # the program has just merged it with others into a new one
            if attempt == _MOST_TRIES - 1:
                raise
        else:
            return max(found, key=lambda each: each[0])[1] if found else None
    raise AssertionError


def _files(folder: Path) -> list[Path]:
    """Return the logs and tables that count: others are half written, or about to be removed."""
    with _opened(folder / "CURRENT") as file:
        name = file.read(_LONGEST_NAME).decode("ascii", "replace").strip()
    if not re.fullmatch(r"MANIFEST-\d+", name):
        raise LevelDbError("CURRENT is damaged")
    with _opened(folder / name) as file:
        tables, first_log = _listed(file.read(MOST_BYTES))
    paths: list[Path] = []
    for entry in os.listdir(folder):
        number, _, kind = entry.partition(".")
        is_number = number.isascii() and number.isdigit()
        if is_number and (int(number) >= first_log if kind == "log" else kind in _TABLES and int(number) in tables):
            paths.append(folder / entry)
    if len(paths) > MOST_FILES:
        raise LevelDbError("there are too many files")
    if len([path for path in paths if path.suffix != ".log"]) != len(tables):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(folder))
    return paths


def _listed(manifest: bytes) -> tuple[set[int], int]:
    """Return the numbers of the tables, and of the first log that is not yet among them."""
    tables: set[int] = set()
    first_log = 0
    for edit in _records(manifest):
        at = 0
        while at < len(edit):
            tag, at = _varint(edit, at)
            if tag in (_COMPARATOR, _PLACE_OF_MERGING):
                at = _varint(edit, at)[1] if tag == _PLACE_OF_MERGING else at
                _name, at = _text(edit, at)
                continue
            number, at = _varint(edit, at)
            if tag == _LOG_NUMBER:
                first_log = number
            elif tag in (_TABLE_GONE, _NEW_TABLE):
                number, at = _varint(edit, at)  # the first one was its level
                (tables.add if tag == _NEW_TABLE else tables.discard)(number)
                if tag == _NEW_TABLE:
                    _size, at = _varint(edit, at)
                    _smallest, at = _text(edit, at)
                    _largest, at = _text(edit, at)
    return tables, first_log


def _changes(path: Path, key: bytes) -> list[_Found]:
    with _opened(path) as file:
        return list(_in_log(file.read(MOST_BYTES), key) if path.suffix == ".log" else _in_table(file, key))


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(handle, "rb") as file:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode) or status.st_size > MOST_BYTES:
            raise LevelDbError(f"{path.name} cannot be read")
        try:
            yield file
        except (IndexError, ValueError, OverflowError) as error:
            raise LevelDbError(f"{path.name} is damaged") from error


# -- the log: what was written last


def _in_log(data: bytes, key: bytes) -> Iterator[_Found]:
    for batch in _records(data):
        sequence, count = int.from_bytes(batch[:8], "little"), int.from_bytes(batch[8:12], "little")
        at = 12
        for number in range(count):
            kind = batch[at]
            name, at = _text(batch, at + 1)
            value, at = _text(batch, at) if kind == _PUT else (None, at)
            if kind not in (_PUT, _DELETED):
                raise ValueError(kind)
            if name == key:
                yield sequence + number, value


def _records(data: bytes) -> Iterator[bytes]:
    """Yield what is whole; the end may be half written."""
    parts: list[bytes] = []
    at = 0
    while at + _LOG_HEADER <= len(data):
        room = _LOG_BLOCK - at % _LOG_BLOCK
        length, kind = int.from_bytes(data[at + 4 : at + 6], "little"), data[at + 6]
        if room < _LOG_HEADER or kind not in (_FULL, _FIRST, _MIDDLE, _LAST):
            at += room
            continue
        part = data[at + _LOG_HEADER : at + _LOG_HEADER + length]
        at += _LOG_HEADER + length
        if len(part) < length:
            return
        parts = [part] if kind in (_FULL, _FIRST) else [*parts, part]
        if kind in (_FULL, _LAST):
            yield b"".join(parts)
            parts = []


# -- tables: what was written before, sorted by key


def _in_table(file: BinaryIO, key: bytes) -> Iterator[_Found]:
    file.seek(-_FOOTER_SIZE, os.SEEK_END)
    footer = file.read(_FOOTER_SIZE)
    if not footer.endswith(_MAGIC):
        raise ValueError("no table")
    at = 0
    for _ in range(2):  # the block before the index's tells of filters
        _number, at = _varint(footer, at)
    for last, handle in _entries(_block(file, footer, at)):
        if last[:-_TAG_SIZE] < key:
            continue
        for name, value in _entries(_block(file, handle, 0)):
            if name[:-_TAG_SIZE] == key:
                tag = int.from_bytes(name[-_TAG_SIZE:], "little")
                yield tag >> 8, value if tag & 0xFF == _PUT else None
        if last[:-_TAG_SIZE] > key:
            return


def _block(file: BinaryIO, handle: bytes, at: int) -> bytes:
    offset, at = _varint(handle, at)
    size, _ = _varint(handle, at)
    if size > MOST_BYTES:
        raise ValueError("the block is too large")
    file.seek(offset)
    data = file.read(size + _TRAILER_SIZE)
    packing = data[size]
    if packing not in (_PLAIN, _SNAPPY):
        raise ValueError(packing)
    return unpacked(data[:size]) if packing == _SNAPPY else data[:size]


def _entries(block: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield keys, of which each says only in what it differs from the one before, and values."""
    end = len(block) - 4 - 4 * int.from_bytes(block[-4:], "little")
    key, at = b"", 0
    while at < end:
        shared, at = _varint(block, at)
        rest, at = _varint(block, at)
        length, at = _varint(block, at)
        if at + rest + length > end:
            raise ValueError("an entry is longer than its block")
        key = key[:shared] + block[at : at + rest]
        at += rest
        yield key, block[at : at + length]
        at += length


# -- numbers, texts, and what Snappy has packed


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
        if shift > 63:
            raise ValueError("a number is too long")


def _text(data: bytes, at: int) -> tuple[bytes, int]:
    length, at = _varint(data, at)
    if at + length > len(data):
        raise ValueError("a text is longer than what holds it")
    return data[at : at + length], at + length


def unpacked(data: bytes) -> bytes:
    """Return what Snappy has packed. Raises ``ValueError`` and ``IndexError``."""
    size, at = _varint(data, 0)
    if size > MOST_BYTES:
        raise ValueError("the block is too large")
    out = bytearray()
    while at < len(data):
        tag = data[at]
        at += 1
        if tag & 3 == 0:  # a literal: one that is longer than 60 has its length in the bytes that follow
            more = max(0, (tag >> 2) - 59)
            length = (int.from_bytes(data[at : at + more], "little") if more else tag >> 2) + 1
            at += more
            out += data[at : at + length]
            at += length
        else:
            at = _repeat(out, data, tag, at)
        if len(out) > size:
            break
    if len(out) != size:
        raise ValueError("a block is not as long as it says")
    return bytes(out)


def _repeat(out: bytearray, data: bytes, tag: int, at: int) -> int:
    """Add what stands already further up, which may reach into what is being added; return where to go on."""
    if tag & 3 == 1:
        length, offset, more = (tag >> 2 & 7) + 4, (tag >> 5) << 8 | data[at], 1
    else:
        more = 2 if tag & 3 == 2 else 4
        length, offset = (tag >> 2) + 1, int.from_bytes(data[at : at + more], "little")
    start = len(out) - offset
    if offset == 0 or start < 0:
        raise ValueError("it repeats what is not there")
    piece = out[start : start + length]
    out += (piece * (length // len(piece) + 1))[:length]
    return at + more
