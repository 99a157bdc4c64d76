"""The blocks of rendered Markdown: prose, tables, code, and the line that leads to the rows of a table that is cut."""

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass, field

from desktop.ui.markdown.segments import CodeSegment, PlainSegment, RichSegment, Segment, TableSegment


@dataclass(frozen=True)
class RichBlock:
    segment: RichSegment
    is_quiet: bool = False
    """Reasoning: smaller weight than the answer."""


@dataclass(frozen=True)
class TableBlock:
    segment: TableSegment
    is_quiet: bool = False


@dataclass(frozen=True)
class MoreRowsBlock:
    """So many rows of the table above are not drawn; ``source`` is the whole table."""

    rows: int
    source: str = field(compare=False, repr=False)


@dataclass(frozen=True)
class CodeBlock:
    segment: CodeSegment | PlainSegment
    is_quiet: bool = False


def text_blocks(segment: Segment, *, is_quiet: bool) -> Iterator[RichBlock | TableBlock | MoreRowsBlock | CodeBlock]:
    """The blocks that a segment is drawn by. While rows come to a long table, only the line below it changes."""
    match segment:
        case RichSegment():
            yield RichBlock(segment, is_quiet)
        case TableSegment():
            yield TableBlock(dataclasses.replace(segment, hidden_rows=0), is_quiet)
            if segment.hidden_rows:
                yield MoreRowsBlock(segment.hidden_rows, segment.source)
        case CodeSegment() | PlainSegment():
            yield CodeBlock(segment, is_quiet)
