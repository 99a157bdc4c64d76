"""Markdown that still grows: only the last block is parsed again, all pieces but the last stay the same objects."""

from desktop.ui.markdown.footnote_rules import Footnotes
from desktop.ui.markdown.prepared import segments_of
from desktop.ui.markdown.segments import GrowingBlocks, Segment, normalized, rendered_part, split


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
        self._is_finished = False
        self.segments: tuple[Segment, ...] = ()
        self.hidden_characters = 0
        """Characters at the end of the text that are not rendered."""

    def update(self, text: str, *, is_open: bool) -> tuple[Segment, ...]:
        """Return the segments of ``text``; ``is_open`` while more may be appended."""
        source = rendered_part(normalized(text))
        self.hidden_characters = len(text) - len(source) if len(text) > len(source) else 0
        if not is_open:
            return self._finish(source)
        if self._is_finished or not source.startswith(self._source):
            self._reset()
        elif len(source) == len(self._source) and self.segments:
            return self.segments
        self._source = source
        rest = source[self._open_start :]
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

    def _reset(self) -> None:
        self._frozen = []
        self._open_start = 0
        self._list_number = None
        self._footnotes = Footnotes()
        self._blocks = GrowingBlocks()
        self._is_finished = False
