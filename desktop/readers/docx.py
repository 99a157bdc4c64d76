"""The text of a Word document: headings, paragraphs, tables and notes, read from its XML as a stream."""

import io
import zipfile
import zlib
from collections.abc import Iterator
from typing import IO
from xml.parsers import expat

from desktop.readers.main import UnreadableError
from desktop.readers.splitting import Block

MOST_XML_BYTES = 100_000_000
"""Of one part of the file, unpacked; it says itself how much that is, and is not believed."""
_AT_ONCE = 1 << 16
_PARTS = ("word/document.xml", "word/footnotes.xml", "word/endnotes.xml")
_DEEPEST = 6


def is_docx(data: bytes) -> bool:
    """Whether the bytes are a package with a Word document inside."""
    if not data.startswith(b"PK"):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            return _PARTS[0] in package.namelist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        return False


def docx_blocks(data: bytes) -> Iterator[Block]:
    """Yield paragraphs and headings. Raises ``UnreadableError``: broken, locked, or larger inside than is read."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            names = package.namelist()
            levels = _levels(package) if "word/styles.xml" in names else {}
            for name in _PARTS:
                if name in names:
                    reader = _Body(levels)
                    yield from reader.read(package, name)
    except (zipfile.BadZipFile, zlib.error, EOFError, expat.ExpatError, NotImplementedError, OSError) as error:
        raise UnreadableError("file.docx_unreadable") from error
    except RuntimeError as error:  # a part that is encrypted
        raise UnreadableError("file.docx_unreadable") from error


class _Reader:
    """Feeds one part of the package to a parser that knows no entities, and so none outside the file either."""

    def __init__(self) -> None:
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.buffer_text = True
        self._parser.StartDoctypeDeclHandler = _refuse
        self._parser.StartElementHandler = self._started
        self._parser.EndElementHandler = self._ended
        self._parser.CharacterDataHandler = self.text

    def feed(self, package: zipfile.ZipFile, name: str) -> Iterator[None]:
        """Parse a part, and pause after each piece of it."""
        with package.open(name) as part:
            for piece in _bounded(part):
                self._parser.Parse(piece, False)
                yield
        self._parser.Parse(b"", True)
        yield

    def _started(self, name: str, attributes: dict[str, str]) -> None:
        self.started(_local(name), {_local(key): value for key, value in attributes.items()})

    def _ended(self, name: str) -> None:
        self.ended(_local(name))

    def started(self, name: str, attributes: dict[str, str]) -> None:
        raise NotImplementedError

    def ended(self, name: str) -> None:
        raise NotImplementedError

    def text(self, text: str) -> None:
        raise NotImplementedError


class _Styles(_Reader):
    """Which style is a heading, and how deep: by its English name, which it has in every language, or its outline level."""

    def __init__(self) -> None:
        super().__init__()
        self.levels: dict[str, int] = {}
        self._style = ""

    def started(self, name: str, attributes: dict[str, str]) -> None:
        value = attributes.get("val", "")
        if name == "style":
            self._style = attributes.get("styleId", "")
        elif name == "name" and self._style:
            word, _, number = value.lower().partition(" ")
            if word == "title":
                self.levels[self._style] = 1
            elif word == "heading" and number.isdigit():
                self.levels[self._style] = min(_DEEPEST, int(number))
        elif name == "outlineLvl" and self._style and value.isdigit() and int(value) < 9:
            self.levels.setdefault(self._style, min(_DEEPEST, int(value) + 1))

    def ended(self, name: str) -> None:
        if name == "style":
            self._style = ""

    def text(self, text: str) -> None:
        pass


class _Body(_Reader):
    def __init__(self, levels: dict[str, int]) -> None:
        super().__init__()
        self._levels = levels
        self._found: list[Block] = []
        self._words: list[str] = []
        self._cells: list[list[str]] = []
        """Of each row of a table that is open, the texts of its cells."""
        self._level = 0
        self._is_text = False
        self._left_out = 0
        """How many elements are open of what is left out: what stands in the file twice for older programs."""

    def read(self, package: zipfile.ZipFile, name: str) -> Iterator[Block]:
        for _ in self.feed(package, name):
            yield from self._found
            self._found.clear()

    def started(self, name: str, attributes: dict[str, str]) -> None:
        if self._left_out or name == "Fallback":
            self._left_out += 1
        elif name == "p":
            self._level = 0
        elif name == "pStyle":
            self._level = self._levels.get(attributes.get("val", ""), 0)
        elif name == "outlineLvl" and attributes.get("val", "").isdigit() and int(attributes["val"]) < 9:
            self._level = min(_DEEPEST, int(attributes["val"]) + 1)
        elif name == "t":
            self._is_text = True
        elif name == "tab":
            self._words.append("\t")
        elif name in ("br", "cr"):
            self._words.append("\n")
        elif name == "tr":
            self._cells.append([])
        elif name == "tc" and self._cells:
            self._cells[-1].append("")

    def ended(self, name: str) -> None:
        if self._left_out:
            self._left_out -= 1
        elif name == "t":
            self._is_text = False
        elif name == "p":
            self._end_paragraph()
        elif name == "tr" and self._cells:
            row = " | ".join(self._cells.pop())
            if row.strip(" |"):
                self._put(row)

    def text(self, text: str) -> None:
        if self._is_text and not self._left_out:
            self._words.append(text)

    def _end_paragraph(self) -> None:
        text = "".join(self._words).strip()
        self._words.clear()
        if not text:
            return
        if self._cells:
            self._put(text)
        else:
            self._found.append(Block(text, level=self._level))

    def _put(self, text: str) -> None:
        """Into the cell around, or out where there is none any more."""
        if self._cells and self._cells[-1]:
            self._cells[-1][-1] = " ".join(filter(None, (self._cells[-1][-1], text)))
        else:
            self._found.append(Block(text))


def _levels(package: zipfile.ZipFile) -> dict[str, int]:
    styles = _Styles()
    for _ in styles.feed(package, "word/styles.xml"):
        pass
    return styles.levels


def _bounded(part: IO[bytes]) -> Iterator[bytes]:
    size = 0
    while piece := part.read(_AT_ONCE):
        size += len(piece)
        if size > MOST_XML_BYTES:
            raise UnreadableError("file.unpacks_too_large", limit=f"{MOST_XML_BYTES // 1_000_000} MB")
        yield piece


def _refuse(*_: object) -> None:
    raise UnreadableError("file.docx_unreadable")  # Word writes no document types; they declare entities


def _local(name: str) -> str:
    return name.rpartition(" ")[2]
