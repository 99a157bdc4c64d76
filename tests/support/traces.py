"""Looks in every file of a folder for texts and vectors, in each form in which anything there may be written."""

import base64
import json
import random
import re
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from desktop.memory.ports import Vector
from desktop.storage import indexes, vector_codec
from tests.support.vectors import found_in

ALPHABETS = 32
_LETTERS = "bcdfghjklmnpqrtvwxz"
_LATIN, _HAN = 14, 6
_FIRST_HAN, _LAST_HAN = 0x4E00, 0x9FA5
_OF_DATES = "年月日"
"""Which the app itself puts into an index."""
_END = 9
"""So much of the end of a word stands in an index at least, which writes only how a word differs from the last."""
_ZLIB = re.compile(rb"\x78[\x01\x5e\x9c\xda]")
_STEP, _MOST_UNPACKED = 256, 200_000


class Secrets:
    """Words that stand nowhere else: each is a Latin one and a run of Han characters which only this ``number`` has."""

    def __init__(self, number: int) -> None:
        assert number < ALPHABETS
        self._chance = random.Random(f"secrets {number}")
        self._number = number
        self.latin: list[str] = []
        self.han: list[str] = []

    def __call__(self) -> str:
        self.latin.append("".join(self._chance.choices(_LETTERS, k=_LATIN)))
        own = [chr(code) for code in range(_FIRST_HAN + self._number, _LAST_HAN, ALPHABETS)]
        self.han.append("".join(self._chance.sample([each for each in own if each not in _OF_DATES], _HAN)))
        return f"{self.latin[-1]} {self.han[-1]}"

    def are_in(self, text: str) -> bool:
        return any(word in text for word in (*self.latin, *self.han))

    def owns_term(self, term: str) -> bool:
        """Whether a word of an index, which may be cut to its stem, is one of these."""
        if len(term) == 1:
            place = ord(term) - _FIRST_HAN
            is_own = 0 <= place <= _LAST_HAN - _FIRST_HAN and place % ALPHABETS == self._number
            return is_own and term not in _OF_DATES
        return any(word.startswith(term[:10]) for word in self.latin if len(term) >= 10)

    def forms(self) -> dict[bytes, str]:
        """What to look for, and what it is called; all in lower case."""
        found: dict[bytes, str] = {}
        for word in self.latin:
            found[word[-_END:].encode()] = f"{word} as text"
            found |= dict.fromkeys(_utf_16(word), f"{word} in UTF-16")
            found |= dict.fromkeys(_base_64(word), f"{word} in base 64")
        for word in self.han:
            found[word.encode()] = f"{word} as text"
            found[" ".join(word).encode()] = f"{word} as an index takes it"
            found[json.dumps(word)[1:-1].lower().encode()] = f"{word} in JSON"
            found[quote(word).lower().encode()] = f"{word} in an address"
            found |= dict.fromkeys(_utf_16(word), f"{word} in UTF-16")
            found |= dict.fromkeys(_base_64(word), f"{word} in base 64")
        return found


def _utf_16(word: str) -> Iterator[bytes]:
    yield word.encode("utf-16-le").lower()  # as what it is looked for in
    yield word.encode("utf-16-be").lower()


def _base_64(word: str) -> Iterator[bytes]:
    """The three ways in which it can stand within something longer, without the ends that depend on that."""
    for before in range(3):
        encoded = base64.b64encode(bytes(before) + word.encode())
        yield encoded[4 if before else 0 : -4].lower()


def texts_left(folder: Path, secrets: Secrets) -> set[str]:
    """Which words stand in which file: as they are, encoded, within something compressed, or as a word of an index."""
    forms = secrets.forms()
    found: set[str] = set()
    for path in folder.rglob("*"):
        name = str(path.relative_to(folder))
        found.update(f"{what}: the name {name}" for form, what in forms.items() if form in name.lower().encode())
        if path.is_file():
            content = path.read_bytes().strip(b"\0")  # the reserve is nothing else
            for each in (content, *_unpacked(content)):
                lower = each.lower()
                found.update(f"{what}: {name}" for form, what in forms.items() if form in lower)
    return found | {f"{term}: an index" for term in terms_in(folder) if secrets.owns_term(term)}


def _unpacked(content: bytes) -> Iterator[bytes]:
    """What can be read of everything that looks compressed, also where its end is missing or overwritten."""
    for match in _ZLIB.finditer(content):
        reader, pieces, size = zlib.decompressobj(), list[bytes](), 0
        try:
            for at in range(match.start(), len(content), _STEP):
                pieces.append(reader.decompress(content[at : at + _STEP]))
                size += len(pieces[-1])
                if reader.eof or size > _MOST_UNPACKED:
                    break
        except zlib.error:
            pass  # chance, or the rest was overwritten: what came before counts
        if size:
            yield b"".join(pieces)


def terms_in(folder: Path) -> set[str]:
    """All words that stand in the full-text indexes of every database below the folder, those noted as removed, too."""
    found: set[str] = set()
    for path in folder.rglob("*.db"):
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
            for index in indexes.ALL:
                for (block,) in connection.execute(f"SELECT block FROM {index.table}_data WHERE id > 10"):
                    found.update(term.decode("utf-8", "replace")[1:] for term in _terms(block))
                for (term,) in connection.execute(f"SELECT term FROM {index.table}_idx"):
                    found.add(bytes(term).decode("utf-8", "replace")[1:])
    return found


def _terms(leaf: bytes) -> Iterator[bytes]:
    """The words of one page of FTS5: where each begins is said at the page's end, from the one before on."""
    at, place, term = int.from_bytes(leaf[2:4]), 0, b""
    is_first = True
    while at < len(leaf):
        step, at = _varint(leaf, at)
        place += step
        kept, begin = (0, place) if is_first else _varint(leaf, place)
        size, begin = _varint(leaf, begin)
        term = term[:kept] + leaf[begin : begin + size]
        is_first = False
        yield term


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for count in range(9):
        byte = data[at + count]
        if count == 8:
            return value << 8 | byte, at + 9
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + count + 1
    raise AssertionError


def vectors_left(folder: Path, vectors: Sequence[Vector]) -> int:
    """How many of the vectors stand in a file: as numbers, as SQLite keeps them, or as they come back from there."""
    if not vectors:
        return 0
    stored = [vector_codec.to_bytes(vector) for vector in vectors]
    files = [path.read_bytes().strip(b"\0") for path in folder.rglob("*") if path.is_file()]
    as_numbers = found_in(folder, [*vectors, *map(vector_codec.from_bytes, stored)])
    return as_numbers + sum(any(one in content for content in files) for one in stored)


def of_texts(texts: Iterable[str], secrets: Secrets) -> list[str]:
    """Those of the texts in which one of the words stands."""
    return [text for text in dict.fromkeys(texts) if secrets.are_in(text)]
