"""Splits documents into pieces by their structure: headings, paragraphs, sentences; a sentence is cut only where it must be."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

MOST = 1_200
"""Of a piece, in the weight of characters: one of a script without letters counts twice, because it says more."""
ENOUGH = 250
"""With so much a piece ends at the next heading or page; shorter parts stand together."""
OVERLAP = 100
"""Characters that both halves of a sentence have that had to be cut."""
_LONGEST_HEADING = 200
_ENDS = re.compile(r"\n+|(?<=[.!?…])[\"'”’)\]]*[ \t]+|(?<=[。！？；])")
_HIGH = re.compile("[\u2e80-\U0010ffff]")


@dataclass(frozen=True)
class Block:
    """A paragraph, heading, or group of lines, as a format's reader finds it."""

    text: str
    level: int = 0
    """Of a heading, 1 the outermost; 0 for any other text."""
    title: str = ""
    """What the heading is called where that is not all of the text."""
    page: int = 0
    line: int = 0
    """On which its text begins."""


@dataclass
class Piece:
    """Some 800 to 1,200 characters, and where they stand."""

    headings: tuple[str, ...]
    texts: list[str] = field(default_factory=list[str])
    weight: int = 0
    first_page: int = 0
    last_page: int = 0
    first_line: int = 0
    last_line: int = 0

    @property
    def text(self) -> str:
        return "\n\n".join(self.texts)

    def add(self, block: Block, weight: int) -> None:
        self.texts.append(block.text)
        self.weight += weight + 2
        self.first_page, self.last_page = self.first_page or block.page, block.page
        self.first_line = self.first_line or block.line
        self.last_line = block.line and block.line + block.text.count("\n")


def pieces(blocks: Iterable[Block]) -> Iterator[Piece]:
    """Yield the pieces of a document in order; together they hold all of its text."""
    path: list[tuple[int, str]] = []
    piece = Piece(())
    for block in blocks:
        if piece.weight >= ENOUGH and (block.level or block.page != piece.last_page):
            yield piece
            piece = Piece(())
        if block.level:
            while path and path[-1][0] >= block.level:
                path.pop()
            path.append((block.level, " ".join((block.title or block.text).split())[:_LONGEST_HEADING]))
        for part in _parts(block):
            weight = weight_of(part.text)
            if piece.texts and piece.weight + weight > MOST:
                yield piece
                piece = Piece(())
            if not piece.texts:
                piece.headings = tuple(title for _, title in path)
            piece.add(part, weight)
    if piece.texts:
        yield piece


def weight_of(text: str) -> int:
    return len(text) if text.isascii() else len(text) + len(_HIGH.findall(text))


def _parts(block: Block) -> Iterator[Block]:
    """Yield a block whole where it fits, else in runs of whole lines and sentences."""
    text = block.text.strip("\n")
    line = block.line + (len(block.text) - len(block.text.lstrip("\n"))) if block.line else 0
    if not text.strip():
        return
    run, weight = "", 0
    for sentence in _sentences(text):
        more = weight_of(sentence)
        if run and weight + more > MOST:
            yield Block(run.strip("\n"), page=block.page, line=line)
            line = line and line + run.count("\n")
            run, weight = "", 0
        if more > MOST:
            yield from (Block(part, page=block.page, line=line) for part in _cut(sentence))
            line = line and line + sentence.count("\n")
            continue
        run += sentence
        weight += more
    if run.strip():
        yield Block(run.strip("\n"), page=block.page, line=line)


def _sentences(text: str) -> Iterator[str]:
    start = 0
    for end in _ENDS.finditer(text):
        if end.end() > start:
            yield text[start : end.end()]
            start = end.end()
    if start < len(text):
        yield text[start:]


def _cut(sentence: str) -> Iterator[str]:
    start = 0
    while start < len(sentence):
        length = MOST
        while weight_of(sentence[start : start + length]) > MOST:
            length = length * 2 // 3
        end = start + length
        if end < len(sentence):
            blank = sentence.rfind(" ", end - OVERLAP, end)
            end = blank if blank > start else end
        if part := sentence[start:end].strip():
            yield part
        if end >= len(sentence):
            return
        start = end - OVERLAP
