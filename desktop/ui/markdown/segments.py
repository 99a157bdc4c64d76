"""Cuts Markdown source into the pieces that the transcript draws and updates one by one.

A piece is small enough that drawing it again fits into a frame: prose is joined to about ``SEGMENT_CHARACTERS``, long
lists are cut between items, long paragraphs at line breaks; code blocks, tables and formulas stand alone.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from desktop.conversation.formulas import Formula
from desktop.core.formula_limits import MOST_CHARACTERS
from desktop.ui.markdown.footnote_rules import OPEN, Footnotes, labels_in
from desktop.ui.markdown.formula_rules import GROWS
from desktop.ui.markdown.html_writer import HtmlWriter, Link, WrittenFormula
from desktop.ui.markdown.long_paragraphs import ends_of_pieces, is_long, is_monstrous
from desktop.ui.markdown.parser import MAX_NESTING, parser

if TYPE_CHECKING:
    from markdown_it.token import Token

SEGMENT_CHARACTERS = 1_000
MOST_UNDIVIDED = 20_000
"""Characters of an item of a list, or of a block in a quote; a longer one is shown as it is written."""
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
    formulas: tuple[WrittenFormula, ...] = ()
    anchors: tuple[str, ...] = ()
    """The names of its places that links of the same text may lead to."""
    source: str = field(default="", compare=False, repr=False)
    """The Markdown that it was made of."""


@dataclass(frozen=True)
class TableSegment:
    html: str
    links: tuple[Link, ...] = ()
    rows: int = 0
    hidden_rows: int = 0
    formulas: tuple[WrittenFormula, ...] = ()
    anchors: tuple[str, ...] = ()
    source: str = field(default="", compare=False, repr=False)


@dataclass(frozen=True)
class CodeSegment:
    language: str
    text: str
    is_closed: bool = True
    """False while the closing fence has not come."""


@dataclass(frozen=True)
class PlainSegment:
    """Source that is shown as it is: nested too deeply to be rendered, or too long to be drawn as one."""

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
    notes_before: int = 0
    """How many footnotes have a number by the text before it."""


class GrowingBlocks:
    """The top-level blocks of a source that grows: only the last one is parsed again."""

    def __init__(self) -> None:
        self._closed: list[list[Token]] = []
        self._start = 0
        self._line = 0

    def copy(self) -> "GrowingBlocks":
        """One that goes on by itself from here."""
        other = GrowingBlocks()
        other._closed, other._start, other._line = [list(block) for block in self._closed], self._start, self._line
        return other

    def of(self, source: str, *, is_final: bool = True) -> "list[list[Token]]":
        """Return the tokens of each block; ``source`` begins with the one of the last call."""
        fresh = list(_groups(parser().parse(source[self._start :], {GROWS: not is_final})))
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
    source: str,
    *,
    is_final: bool = True,
    list_number: int | None = None,
    blocks: GrowingBlocks | None = None,
    footnotes: Footnotes | None = None,
) -> list[Piece]:
    """Cut ``source``, whose lines end in line feeds (``normalized``).

    ``list_number`` is what its first item counts as when the source is the rest of an ordered list. ``blocks`` keeps
    what was parsed of a source that grows, and ``footnotes`` the numbers that the text before it gave.
    """
    groups = (blocks or GrowingBlocks()).of(source, is_final=is_final)
    if footnotes is None:
        footnotes = Footnotes(labels_in(groups) if is_final else None)
    cutter = _Cutter(source, is_final=is_final, list_number=list_number, footnotes=footnotes)
    for group in groups:
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

    def __init__(self, source: str, *, is_final: bool, list_number: int | None, footnotes: Footnotes) -> None:
        self._source = source
        self._footnotes = footnotes
        self._notes: list[list[Token]] = []
        """Those of a finished text, which stand at its end."""
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
        if max(token.level for token in group) >= MAX_NESTING - 1 or is_monstrous(group):
            self._alone(PlainSegment(self._source[start:end].strip("\n")), start)
        elif first.type in ("fence", "code_block"):
            self._add_code(first, start, end)
        elif first.type == "table_open":
            self._end_prose()
            self._alone(self._table(group, start, end), start)
        elif first.type == "formula_block":
            self._add_formula(first, start, end)
        elif first.type == OPEN:
            self._add_note(group, start, end)
        elif first.type in ("ordered_list_open", "bullet_list_open", "blockquote_open"):
            self._add_container(group, start, size)
        elif first.type == "paragraph_open" and is_long(group[1]):
            self._add_long_paragraph(group[1], start)
        else:
            self._add_prose(group, start, end)

    def finish(self) -> list[Piece]:
        self._end_prose()
        for note in sorted(self._notes, key=lambda note: self._footnotes.number_of_note(note[0].meta["label"])):
            start, end = self._extent(note[0])
            if self._prose and start != self._prose_end:
                self._end_prose()  # what was written elsewhere is no part of what it is shown beside
            self._add_prose(note, start, end)
        self._end_prose()
        return self._pieces

    def _extent(self, token: "Token") -> tuple[int, int]:
        begin, end = token.map or (0, len(self._lines))
        last = len(self._offsets) - 1
        return self._offsets[min(begin, last)], self._offsets[min(end, last)]

    def _alone(self, segment: Segment, start: int) -> None:
        self._end_prose()
        self._pieces.append(Piece(segment, start, notes_before=self._footnotes.count))

    def _add_note(self, group: "list[Token]", start: int, end: int) -> None:
        """Notes are not joined to other prose; those of a finished text stand at its end."""
        if self._is_final:
            self._notes.append(group)
            return
        if self._prose and self._prose[0].type != OPEN:
            self._end_prose()
        self._add_prose(group, start, end)

    def _add_formula(self, token: "Token", start: int, end: int) -> None:
        """One that grows still, or is too long to be drawn, is shown as code."""
        is_open = token.info == "open"
        if is_open or len(token.content) > MOST_CHARACTERS:
            self._alone(CodeSegment("latex", token.markup, is_closed=not is_open), start)
            return
        self._end_prose()
        self._prose, self._prose_start, self._prose_end = [token], start, end
        self._end_prose()

    def _add_code(self, token: "Token", start: int, end: int) -> None:
        segment = self._code(token)
        is_formula = segment.language == "math" and segment.is_closed and segment.text.strip()
        if not is_formula or len(segment.text) > MOST_CHARACTERS:
            self._alone(segment, start)
            return
        self._end_prose()  # another way to write a formula
        writer = HtmlWriter()
        writer.write_formula(Formula(segment.text.strip(), is_display=True), self._source[start:end].strip())
        self._rich_piece(writer, start, end, notes_before=self._footnotes.count)

    def _rich_piece(
        self,
        writer: HtmlWriter,
        start: int,
        end: int,
        *,
        notes_before: int,
        number: int | None = None,
        follows: bool = False,
        is_inside: bool = False,
    ) -> None:
        segment = RichSegment(
            writer.html,
            tuple(writer.links),
            follows,
            size=end - start,
            formulas=tuple(writer.formulas),
            anchors=tuple(writer.anchors),
            source=self._source[start:end].strip("\n"),
        )
        self._pieces.append(Piece(segment, start, number, is_inside, notes_before))

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
            notes_before = self._footnotes.count
            writer = HtmlWriter(footnotes=self._footnotes)
            writer.write(self._prose)
            start, end, number = self._prose_start, self._prose_end, self._prose_number
            self._rich_piece(writer, start, end, notes_before=notes_before, number=number)
            self._prose, self._prose_number = [], None

    def _code(self, token: "Token") -> CodeSegment:
        words = token.info.split()
        is_closed = True
        if token.type == "fence" and not self._is_final and token.map is not None:
            begin, end = token.map
            last_line = self._lines[end - 1].strip() if end <= len(self._lines) else ""
            is_closed = end - 1 > begin and last_line.startswith(token.markup) and not last_line.strip(token.markup[0])
        return CodeSegment(words[0] if words else "", token.content.rstrip("\n"), is_closed)

    def _add_container(self, group: "list[Token]", start: int, size: int) -> None:
        """A short list or quote is prose; a long one is cut between its items, or its blocks."""
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

        def end_batch(end: int) -> None:
            follows = batch_start > start
            if end - batch_start > MOST_UNDIVIDED:
                text = self._source[batch_start:end].strip("\n")
                self._pieces.append(Piece(PlainSegment(text), batch_start, number, follows, self._footnotes.count))
            elif batch:
                self._inner_piece([group[0], *batch, group[-1]], batch_start, end, number, follows=follows)

        for part in _parts(group[1:-1]):
            part_start, part_end = self._extent(part[0])
            if batch and part_end - batch_start > SEGMENT_CHARACTERS:
                end_batch(part_start)
                number = None if number is None else number + count
                batch, batch_start, count = [], part_start, 0
            batch.extend(part)
            count += 1
        end_batch(start + size)

    def _inner_piece(self, tokens: "list[Token]", start: int, end: int, number: int | None, *, follows: bool) -> None:
        if number is not None:
            tokens[0] = tokens[0].copy(attrs={**tokens[0].attrs, "start": number})
        notes_before = self._footnotes.count
        writer = HtmlWriter(footnotes=self._footnotes)
        writer.write(tokens)
        self._rich_piece(
            writer, start, end, notes_before=notes_before, number=number, follows=follows, is_inside=follows
        )

    def _add_long_paragraph(self, inline: "Token", start: int) -> None:
        """Cut the text of a long paragraph; a mark that spans a cut is shown as typed."""
        self._end_prose()
        text = inline.content
        start += len(self._source[start : start + 4]) - len(self._source[start : start + 4].lstrip())
        position = 0
        for end in ends_of_pieces(inline):
            notes_before, is_inside = self._footnotes.count, position > 0
            writer = HtmlWriter(footnotes=self._footnotes)
            writer.write_paragraph(parser().parseInline(text[position:end].strip("\n"))[0].children or ())
            self._rich_piece(
                *(writer, start + position, start + end),
                notes_before=notes_before,
                follows=is_inside,
                is_inside=is_inside,
            )
            position = end

    def _table(self, group: "list[Token]", start: int, end: int) -> TableSegment:
        writer = HtmlWriter(footnotes=self._footnotes)
        writer.write(group)
        rows = writer.html.count("<tr>")
        return TableSegment(
            writer.html,
            tuple(writer.links),
            rows,
            writer.hidden_rows,
            formulas=tuple(writer.formulas),
            anchors=tuple(writer.anchors),
            source=self._source[start:end].strip("\n"),
        )


def _parts(tokens: "Sequence[Token]") -> "Iterator[list[Token]]":
    """The items of a list or the blocks of a quote, whose own tags are left out."""
    part: list[Token] = []
    for token in tokens:
        part.append(token)
        if token.level == 1 and token.nesting <= 0:
            yield part
            part = []
