"""Cuts Markdown source into the pieces that the transcript draws and updates one by one.

A piece is small enough that drawing it again fits into a frame: prose is joined to about ``SEGMENT_CHARACTERS``, long
lists are cut between items, long paragraphs at line breaks; code blocks and tables stand alone.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from desktop.ui.markdown.html_writer import HtmlWriter, Link
from desktop.ui.markdown.parser import MAX_NESTING, parser

if TYPE_CHECKING:
    from markdown_it.token import Token

SEGMENT_CHARACTERS = 1_000
PARAGRAPH_CHARACTERS = 4_000
RENDERED_CHARACTERS = 200_000
"""Source beyond this is not rendered; the transcript offers it as plain text."""


@dataclass(frozen=True)
class RichSegment:
    """Prose: headings, paragraphs, lists, quotes."""

    html: str
    links: tuple[Link, ...] = ()
    follows: bool = False
    """It goes on with the list or paragraph of the segment before, so that no gap belongs between."""
    size: int = field(default=0, compare=False)
    """Characters of source, for estimates."""


@dataclass(frozen=True)
class TableSegment:
    html: str
    links: tuple[Link, ...] = ()
    rows: int = 0
    hidden_rows: int = 0


@dataclass(frozen=True)
class CodeSegment:
    language: str
    text: str
    is_closed: bool = True
    """False while the closing fence has not come."""


@dataclass(frozen=True)
class PlainSegment:
    """Source that is shown as it is: nested too deeply to be rendered."""

    text: str


Segment = RichSegment | TableSegment | CodeSegment | PlainSegment


@dataclass(frozen=True)
class Piece:
    """A segment and where it begins in the source that was cut."""

    segment: Segment
    start: int
    list_number: int | None = None
    """The number of its first item, when it begins within an ordered list."""
    is_inside: bool = False
    """It begins within a block, so that parsing from here on may mean something else."""


class GrowingBlocks:
    """The top-level blocks of a source that grows: only the last one is parsed again."""

    def __init__(self) -> None:
        self._closed: list[list[Token]] = []
        self._start = 0
        self._line = 0

    def of(self, source: str) -> "list[list[Token]]":
        """Return the tokens of each block; ``source`` begins with the one of the last call."""
        fresh = list(_groups(parser().parse(source[self._start :])))
        for token in itertools.chain.from_iterable(fresh):
            if token.map is not None:
                token.map = [line + self._line for line in token.map]
        blocks = [*self._closed, *fresh]
        if len(fresh) > 1 and (extent := fresh[-1][0].map) is not None:
            lines = source[self._start :].split("\n", extent[0] - self._line)
            if "\n" in lines[-1]:  # half a line can still turn out to belong to the block before
                self._closed += fresh[:-1]
                self._start = len(source) - len(lines[-1])
                self._line = extent[0]
        return blocks


def split(
    source: str, *, is_final: bool = True, list_number: int | None = None, blocks: GrowingBlocks | None = None
) -> list[Piece]:
    """Cut ``source``, whose lines end in line feeds (``normalized``).

    ``list_number`` is what its first item counts as when the source is the rest of an ordered list. ``blocks`` keeps
    what was parsed of a source that grows.
    """
    cutter = _Cutter(source, is_final=is_final, list_number=list_number)
    for group in (blocks or GrowingBlocks()).of(source):
        cutter.add(group)
    return cutter.finish()


def normalized(text: str) -> str:
    """The text with line feeds only, as the parser reads it."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def rendered_part(text: str) -> str:
    """The beginning of ``text`` that is rendered, cut at a line where there is one."""
    if len(text) <= RENDERED_CHARACTERS:
        return text
    line_end = text.rfind("\n", RENDERED_CHARACTERS // 2, RENDERED_CHARACTERS)
    return text[: line_end + 1 if line_end > 0 else RENDERED_CHARACTERS]


def _groups(tokens: "Sequence[Token]") -> "Iterator[list[Token]]":
    """One list of tokens for each top-level block."""
    group: list[Token] = []
    for token in tokens:
        group.append(token)
        if token.level == 0 and token.nesting <= 0:
            yield group
            group = []


class _Cutter:
    """Collects prose until it is long enough; what stands alone ends it."""

    def __init__(self, source: str, *, is_final: bool, list_number: int | None) -> None:
        self._source = source
        self._lines = source.split("\n")
        self._offsets = list(itertools.accumulate((len(line) + 1 for line in self._lines), initial=0))
        self._is_final = is_final
        self._list_number = list_number
        self._pieces: list[Piece] = []
        self._prose: list[Token] = []
        self._prose_start = 0
        self._prose_end = 0
        self._prose_number: int | None = None

    def add(self, group: "list[Token]") -> None:
        first = group[0]
        start, end = self._extent(first)
        size = end - start
        if max(token.level for token in group) >= MAX_NESTING - 1:
            self._alone(PlainSegment(self._source[start:end].strip("\n")), start)
        elif first.type in ("fence", "code_block"):
            self._alone(self._code(first), start)
        elif first.type == "table_open":
            self._alone(_table(group), start)
        elif first.type in ("ordered_list_open", "bullet_list_open"):
            self._add_list(group, start, size)
        elif first.type == "paragraph_open" and size > PARAGRAPH_CHARACTERS:
            self._add_long_paragraph(group[1], start)
        else:
            self._add_prose(group, start, end)

    def finish(self) -> list[Piece]:
        self._end_prose()
        return self._pieces

    def _extent(self, token: "Token") -> tuple[int, int]:
        begin, end = token.map or (0, len(self._lines))
        last = len(self._offsets) - 1
        return self._offsets[min(begin, last)], self._offsets[min(end, last)]

    def _alone(self, segment: Segment, start: int) -> None:
        self._end_prose()
        self._pieces.append(Piece(segment, start))

    def _add_prose(self, tokens: "list[Token]", start: int, end: int, number: int | None = None) -> None:
        if self._prose and self._prose_end - self._prose_start >= SEGMENT_CHARACTERS:
            self._end_prose()
        if not self._prose:
            self._prose_start = start
            self._prose_number = number
        self._prose.extend(tokens)
        self._prose_end = end

    def _end_prose(self) -> None:
        if self._prose:
            writer = HtmlWriter()
            writer.write(self._prose)
            size = self._prose_end - self._prose_start
            segment = RichSegment(writer.html, tuple(writer.links), size=size)
            self._pieces.append(Piece(segment, self._prose_start, self._prose_number))
            self._prose = []

    def _code(self, token: "Token") -> CodeSegment:
        words = token.info.split()
        is_closed = True
        if token.type == "fence" and not self._is_final and token.map is not None:
            begin, end = token.map
            last_line = self._lines[end - 1].strip() if end <= len(self._lines) else ""
            is_closed = end - 1 > begin and last_line.startswith(token.markup) and not last_line.strip(token.markup[0])
        return CodeSegment(words[0] if words else "", token.content.rstrip("\n"), is_closed)

    def _add_list(self, group: "list[Token]", start: int, size: int) -> None:
        """A short list is prose; a long one is cut between its items."""
        number = None
        if group[0].type == "ordered_list_open":
            is_rest = self._list_number is not None and not self._pieces and not self._prose
            number = self._list_number if is_rest else int(group[0].attrGet("start") or 1)
        if size <= SEGMENT_CHARACTERS:
            if number is not None:
                group[0] = group[0].copy(attrs={**group[0].attrs, "start": number})
            self._add_prose(group, start, start + size, number)
            return
        self._end_prose()
        batch: list[Token] = []
        batch_start, count = start, 0
        for item in _items(group[1:-1]):
            item_start, item_end = self._extent(item[0])
            if batch and item_end - batch_start > SEGMENT_CHARACTERS:
                self._list_piece([group[0], *batch, group[-1]], batch_start, number, follows=batch_start > start)
                number = None if number is None else number + count
                batch, batch_start, count = [], item_start, 0
            batch.extend(item)
            count += 1
        self._list_piece([group[0], *batch, group[-1]], batch_start, number, follows=batch_start > start)

    def _list_piece(self, tokens: "list[Token]", start: int, number: int | None, *, follows: bool) -> None:
        if number is not None:
            tokens[0] = tokens[0].copy(attrs={**tokens[0].attrs, "start": number})
        writer = HtmlWriter()
        writer.write(tokens)
        segment = RichSegment(writer.html, tuple(writer.links), follows, size=len(writer.html))
        self._pieces.append(Piece(segment, start, number, is_inside=follows))

    def _add_long_paragraph(self, inline: "Token", start: int) -> None:
        """Cut the text of a long paragraph; a mark that spans a cut is shown as typed."""
        self._end_prose()
        text = inline.content
        start += len(self._source[start : start + 4]) - len(self._source[start : start + 4].lstrip())
        position = 0
        while position < len(text):
            end = _cut(text, position)
            writer = HtmlWriter()
            writer.write_paragraph(parser().parseInline(text[position:end].strip("\n"))[0].children or ())
            segment = RichSegment(writer.html, tuple(writer.links), follows=position > 0, size=end - position)
            self._pieces.append(Piece(segment, start + position, is_inside=position > 0))
            position = end


def _table(group: "list[Token]") -> TableSegment:
    writer = HtmlWriter()
    writer.write(group)
    rows = sum(token.type == "tr_open" for token in group) - writer.hidden_rows
    return TableSegment(writer.html, tuple(writer.links), rows, writer.hidden_rows)


def _items(tokens: "Sequence[Token]") -> "Iterator[list[Token]]":
    """The top-level items of a list, without the tags of the list itself."""
    item: list[Token] = []
    for token in tokens:
        item.append(token)
        if token.level == 1 and token.type == "list_item_close":
            yield item
            item = []


def _cut(text: str, position: int) -> int:
    """Where a piece of at most ``PARAGRAPH_CHARACTERS`` ends: at a line, else at a blank, else just there."""
    limit = position + PARAGRAPH_CHARACTERS
    if limit >= len(text):
        return len(text)
    for mark in ("\n", " "):
        found = text.rfind(mark, position + PARAGRAPH_CHARACTERS // 2, limit)
        if found > 0:
            return found + 1
    return limit
