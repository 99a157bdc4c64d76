"""Reads a large JSON list item by item, so that no more than one item is held at a time."""

import codecs
import json
from collections.abc import Generator
from typing import IO, Any

MOST_ITEM_CHARACTERS = 300_000_000
_CHUNK = 1 << 20
_BLANK = " \t\r\n"


class BrokenJsonError(ValueError):
    """What follows is no JSON, is cut off, or is too large; what came before is whole."""


class JsonItems:
    """``items`` gives those of a list at the top, or the one value that stands there instead."""

    def __init__(self, file: IO[bytes], *, most_item: int = MOST_ITEM_CHARACTERS) -> None:
        self._file = file
        self._most_item = most_item
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self._json = json.JSONDecoder()
        self._text = ""
        self._at = 0
        self._is_over = False

    def items(self) -> Generator[Any, None, None]:
        """Raises ``BrokenJsonError`` where it cannot go on."""
        if self._next() != "[":
            yield self._value()
            return
        self._at += 1
        if self._next() == "]":
            return
        while True:
            yield self._value()
            sign = self._next()
            self._at += 1
            if sign == "]":
                return
            if sign != ",":
                raise BrokenJsonError("the list is cut off")

    def _next(self) -> str:
        """Return the next character that is no blank; empty at the end."""
        while True:
            while self._at < len(self._text) and self._text[self._at] in _BLANK:
                self._at += 1
            if self._at < len(self._text) or not self._read(_CHUNK):
                return self._text[self._at : self._at + 1]

    def _value(self) -> Any:
        self._next()
        while True:
            try:
                value, end = self._json.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                held = len(self._text) - self._at
                if held > self._most_item:
                    raise BrokenJsonError("an item is too large") from error
                # Twice as much each time: what was read in vain stays in proportion.
                if not self._read(max(_CHUNK, held)):
                    raise BrokenJsonError("it is no JSON, or cut off") from error
            except (RecursionError, ValueError) as error:
                raise BrokenJsonError("it is nested too deep, or holds a number that is none") from error
            else:
                is_number = type(value) in (int, float)
                if is_number and end == len(self._text) and self._read(_CHUNK):
                    continue  # it may go on
                self._at = end
                return value

    def _read(self, size: int) -> bool:
        if self._is_over:
            return False
        data = self._file.read(size)
        self._is_over = not data
        more = self._decoder.decode(data, final=self._is_over)
        self._text = self._text[self._at :] + more
        self._at = 0
        return not self._is_over or bool(more)
