"""Reads large JSON in many small steps, so that the window gets its turn in between: a parser in C lets nobody else run."""

import json
import re
from collections.abc import Callable, Collection
from typing import Any

MOST_VALUES = 200_000
"""So many values one text may hold, beside what is left as text: each costs the window a little, also once it is read."""
_PIECE = 2**18
"""So much of a text is given to code in C at once."""
_MOST_DIGITS = 400
_BLANKS = re.compile(r"[ \t\r\n]*")
_SCALAR = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|true|false|null|NaN|-?Infinity")
_BRACKET_OR_TEXT = re.compile(r'"[^"\\]{0,500}+"|["{}\[\]]')
_WHOLE_CHARACTERS = re.compile(
    r"(?:[^\\]|\\[^u]|\\u(?![dD][89abAB])[0-9a-fA-F]{4}|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})*+",
    re.DOTALL,
)
"""In a JSON text; a half of a character that is alone is none of them."""
_LONGEST_CHARACTER = len(r"\ud83d\ude00")
_LONGEST_UTF8 = 4
_LONE_SURROGATES = re.compile("[\ud800-\udfff]")


class TooManyValuesError(ValueError):
    """It is JSON as far as it was read, with more values than are read."""


class RawJson(str):
    """The JSON of a value that was left as it stands."""

    __slots__ = ()


def read_big_json(data: bytes | memoryview, *, raw: Collection[tuple[str, ...]] = (), raw_from: int = 0) -> Any:
    """Return what the JSON says. The value at a path in ``raw`` stays ``RawJson`` where it is ``raw_from`` characters
    long or longer. To be called in a thread.

    What is no UTF-8, or half a character, is replaced; whole numbers of hundreds of digits become texts. Raises
    ``ValueError`` for anything but JSON.
    """
    reader = _Reader(str(data, "latin-1"), frozenset(raw), raw_from)
    try:
        value, end = reader.value(0, ())
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    if reader.after_blanks(end) != len(reader.text):
        raise ValueError("something follows the JSON")
    return value


class _Reader:
    """``text`` has a character for each byte, which is quick to cut; texts are decoded one by one."""

    def __init__(self, text: str, raw: frozenset[tuple[str, ...]], raw_from: int) -> None:
        self.text = text
        self._raw = raw
        self._raw_from = raw_from
        self._deepest = max((len(path) for path in raw), default=0)
        self._left = MOST_VALUES

    def value(self, at: int, path: tuple[str, ...]) -> tuple[Any, int]:
        """Return the value that begins at ``at``, or after blanks, and where it ends."""
        at = self.after_blanks(at)
        if path in self._raw and (end := self._end_of(at)) - at >= self._raw_from:
            return RawJson(_joined(self.text, at, end, _utf8)), end
        self._left -= 1
        if self._left < 0:
            raise TooManyValuesError
        match self.text[at : at + 1]:
            case '"':
                return self._string(at)
            case "{":
                return self._object(at, path)
            case "[":
                return self._array(at)
            case _:
                return self._scalar(at)

    def _object(self, at: int, path: tuple[str, ...]) -> tuple[dict[str, Any], int]:
        found: dict[str, Any] = {}
        at = self.after_blanks(at + 1)
        if self._is("}", at):
            return found, at + 1
        while True:
            if not self._is('"', at):
                raise ValueError("a name is missing")
            name, at = self._string(at)
            at = self.after_blanks(at)
            if not self._is(":", at):
                raise ValueError("a colon is missing")
            # Beyond the deepest path nothing is looked for.
            found[name], at = self.value(at + 1, (*path, name) if len(path) < self._deepest else path)
            at = self.after_blanks(at)
            if self._is("}", at):
                return found, at + 1
            if not self._is(",", at):
                raise ValueError("a comma is missing")
            at = self.after_blanks(at + 1)

    def _array(self, at: int) -> tuple[list[Any], int]:
        found: list[Any] = []
        at = self.after_blanks(at + 1)
        if self._is("]", at):
            return found, at + 1
        while True:
            item, at = self.value(at, ("[]",) * (self._deepest + 1))
            found.append(item)
            at = self.after_blanks(at)
            if self._is("]", at):
                return found, at + 1
            if not self._is(",", at):
                raise ValueError("a comma is missing")
            at += 1

    def _scalar(self, at: int) -> tuple[Any, int]:
        found = _SCALAR.match(self.text, at)
        if found is None:
            raise ValueError("a value is missing")
        word = found.group()
        if len(word) > _MOST_DIGITS:
            return word, found.end()
        return json.loads(word), found.end()

    def _string(self, at: int) -> tuple[str, int]:
        end = self._end_of_string(at)
        return _string_of(self.text, at + 1, end - 1), end

    def _end_of_string(self, at: int) -> int:
        closing = at
        while True:
            closing = self.text.find('"', closing + 1)
            if closing < 0:
                raise ValueError("a text has no end")
            before = closing
            while self.text[before - 1] == "\\":
                before -= 1
            if (closing - before) % 2 == 0:
                return closing + 1

    def _end_of(self, at: int) -> int:
        """Return where a value ends, without reading what is in it."""
        first = self.text[at : at + 1]
        if first == '"':
            return self._end_of_string(at)
        if first not in ("{", "["):
            return self._scalar(at)[1]
        depth = 0
        while True:
            found = _BRACKET_OR_TEXT.search(self.text, at, at + _PIECE)
            if found is None:
                at += _PIECE
                if at >= len(self.text):
                    raise ValueError("a bracket is missing")
                continue
            at, word = found.end(), found.group()
            if word == '"':  # a longer text, or one with escapes
                at = self._end_of_string(at - 1)
            elif word in "{[":
                depth += 1
            elif word in "}]":
                depth -= 1
                if depth == 0:
                    return at

    def after_blanks(self, at: int) -> int:
        found = _BLANKS.match(self.text, at)
        assert found is not None
        return found.end()

    def _is(self, character: str, at: int) -> bool:
        return self.text.startswith(character, at)


def _string_of(text: str, at: int, end: int) -> str:
    if text.find("\\", at, end) >= 0:
        return _joined(text, at, end, _unescaped)
    raw = text[at:end]
    return raw if raw.isascii() else _joined(text, at, end, _utf8)


def _joined(text: str, at: int, end: int, read: Callable[[str], str]) -> str:
    pieces: list[str] = []
    while at < end:
        until = _piece_end(text, at, end)
        pieces.append(read(text[at:until]))
        at = until
    return "".join(pieces)


def _piece_end(text: str, at: int, last: int) -> int:
    """Return where a piece may end: within no escape, nor in the middle of a character."""
    limit = min(at + _PIECE, last)
    found = _WHOLE_CHARACTERS.match(text, at, limit)
    assert found is not None
    end = found.end()
    if end == last:
        return end
    if end == at or end <= limit - _LONGEST_CHARACTER:
        end += len(r"\ud83d")  # a half that is alone, or no escape at all
    while end < min(limit + _LONGEST_UTF8, last) and "\x80" <= text[end] <= "\xbf":
        end += 1
    return min(end, last)


def _unescaped(piece: str) -> str:
    text: str = json.loads(f'"{_utf8(piece)}"', strict=False)
    return _LONE_SURROGATES.sub("\ufffd", text) if "\\u" in piece else text


def _utf8(piece: str) -> str:
    return piece.encode("latin-1").decode("utf-8", "replace")
