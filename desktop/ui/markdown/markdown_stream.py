"""Markdown that still grows: only the last block is parsed again, all pieces but the last stay the same objects."""

import threading

from desktop.ui.markdown.footnote_rules import Footnotes
from desktop.ui.markdown.prepared import segments_of
from desktop.ui.markdown.segments import (
    CodeSegment,
    GrowingBlocks,
    PlainSegment,
    RichSegment,
    Segment,
    normalized,
    rendered_part,
    split,
)

JUMP = 5_000
"""Characters. Where a text grows by more at once, it is worth while to parse it beside the window."""
MOST_OPEN = 30_000
"""Characters of a block that grows, other than code and tables; a longer one is not parsed again with each word."""
_MOST_GROWING = 8

_growing: "list[MarkdownStream]" = []
_lock = threading.Lock()


def prepare_growing(text: str) -> None:
    """Parse a text that may grow still for the stream that shows it, in whatever thread this is called; what was parsed of
    its beginning before is not parsed again."""
    source = rendered_part(normalized(text))
    with _lock:
        stream = _furthest(source)
        if stream is not None:
            _growing.remove(stream)
    stream = stream or MarkdownStream()
    stream.update(text, is_open=True)
    with _lock:
        _growing.append(stream)
        del _growing[:-_MOST_GROWING]


def is_growing_prepared(text: str) -> bool:
    """Whether nothing needs to be done for a text that may grow still, also because it has grown by little."""
    source = rendered_part(normalized(text))
    with _lock:
        stream = _furthest(source)
    return len(source) - (stream.length if stream is not None else 0) <= JUMP


def growing_ahead(source: str, known: str) -> "MarkdownStream | None":
    """A copy of the stream that knows more of a source than ``known``, where that is worth while."""
    is_known = source.startswith(known)
    if not _growing or (is_known and len(source) - len(known) <= JUMP):
        return None
    with _lock:  # whoever parses on takes a stream out of the list first
        stream = _furthest(source)
        return stream.copy() if stream is not None and stream.length > (len(known) if is_known else 0) else None


def _furthest(source: str) -> "MarkdownStream | None":
    return max((each for each in _growing if each.begins(source)), key=lambda each: each.length, default=None)


class MarkdownStream:
    """The segments of one text part, kept up to date while text is appended.

    ``update`` is cheap for growing text; ``finish`` parses the whole once more, because late lines can change the
    meaning of early ones (link definitions), and keeps every segment that came out the same.
    """

    def __init__(self) -> None:
        self._source = ""
        self._frozen: list[Segment] = []
        self._open_start = 0
        self._list_number: int | None = None
        self._footnotes = Footnotes()
        """As numbered by the frozen pieces."""
        self._blocks = GrowingBlocks()
        """Those of the pieces that are not frozen."""
        self._is_finished = self._is_endless = False
        self.segments: tuple[Segment, ...] = ()
        self.hidden_characters = 0
        """Characters at the end of the text that are not rendered."""

    @property
    def length(self) -> int:
        """How much of the source it has read."""
        return len(self._source)

    def begins(self, source: str) -> bool:
        """Whether it has read nothing but the beginning of this source."""
        return source.startswith(self._source)

    def update(self, text: str, *, is_open: bool) -> tuple[Segment, ...]:
        """Return the segments of ``text``; ``is_open`` while more may be appended."""
        source = rendered_part(normalized(text))
        self.hidden_characters = len(text) - len(source) if len(text) > len(source) else 0
        if not is_open:
            return self._finish(source)
        if ahead := growing_ahead(source, self._source):
            self._take(ahead)
        if self._is_finished or not source.startswith(self._source):
            self._reset()
        elif len(source) == len(self._source) and self.segments:
            return self.segments
        self._source = source
        rest = source[self._open_start :]
        last = self.segments[-1] if self.segments else None
        self._is_endless |= len(rest) > MOST_OPEN and isinstance(last, RichSegment | PlainSegment)
        if self._is_endless:
            self.segments = (*self._frozen, CodeSegment("", rest, is_closed=False))
            return self.segments
        notes = self._footnotes.beginning(self._footnotes.count)
        pieces = split(rest, is_final=False, list_number=self._list_number, blocks=self._blocks, footnotes=notes)
        self.segments = (*self._frozen, *(piece.segment for piece in pieces))
        # The last piece stays open. It is the new start only once its first line is complete: half a line can still
        # turn out to belong to the block before.
        if len(pieces) > 1:
            last = pieces[-1]
            start = self._open_start + last.start
            if last.is_inside or "\n" in source[start:]:
                self._frozen.extend(piece.segment for piece in pieces[:-1])
                self._open_start = start
                self._list_number = last.list_number
                self._footnotes = notes.beginning(last.notes_before)
                self._blocks = GrowingBlocks()
        return self.segments

    def _finish(self, source: str) -> tuple[Segment, ...]:
        if self._is_finished and source == self._source:
            return self.segments
        fresh = segments_of(source)
        old = self.segments
        self.segments = tuple(
            old[i] if i < len(old) and old[i] == segment else segment for i, segment in enumerate(fresh)
        )
        self._source = source
        self._is_finished = True
        return self.segments

    def copy(self) -> "MarkdownStream":
        """Another one that goes on by itself from here."""
        other = MarkdownStream()
        other._take(self)
        return other

    def _take(self, other: "MarkdownStream") -> None:
        """Become a copy of another one that is further on."""
        self._source, self._open_start, self._list_number = other._source, other._open_start, other._list_number
        self._frozen, self._footnotes = list(other._frozen), other._footnotes.beginning(other._footnotes.count)
        self._blocks, self.segments, self._is_finished = other._blocks.copy(), other.segments, False
        self._is_endless = other._is_endless

    def _reset(self) -> None:
        self._frozen = []
        self._open_start = 0
        self._list_number = None
        self._footnotes = Footnotes()
        self._blocks = GrowingBlocks()
        self._is_finished = self._is_endless = False
