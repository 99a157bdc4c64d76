"""Footnotes in Markdown: ``[^1]`` in a text and ``[^1]: …`` at the begin of a line, and which number each of them has."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

OPEN, CLOSE, REFERENCE = "footnote_reference_open", "footnote_reference_close", "footnote_ref"
_REFERENCE = re.compile(r"\[\^([^\s\[\]^]{1,60})\](?![(:])")
_COUNTED = re.compile(r"[0-9]{1,3}")


def footnote_plugin(markdown: "MarkdownIt") -> None:
    """Add both rules. A note stays where it was written; whoever writes the text may put it elsewhere."""
    from mdit_py_plugins.footnote.index import footnote_def

    def block(state: "StateBlock", start_line: int, end_line: int, silent: bool) -> bool:
        begin = len(state.tokens)
        if not footnote_def(state, start_line, end_line, silent):
            return False
        if not silent:
            state.tokens[begin].map = [start_line, state.line]
        return True

    markdown.block.ruler.before("reference", "footnote_def", block, {"alt": ["paragraph", "reference"]})
    markdown.inline.ruler.before("link", REFERENCE, _reference)


def _reference(state: "StateInline", silent: bool) -> bool:
    found = _REFERENCE.match(state.src, state.pos, state.posMax) if state.src[state.pos] == "[" else None
    if found is None or state.linkLevel:
        return False
    if not silent:
        token = state.push(REFERENCE, "", 0)
        token.content, token.info = found[0], found[1]
    state.pos = found.end()
    return True


class Footnotes:
    """The numbers of the notes of one text, in the order in which it first refers to them.

    ``defined`` are the notes that there are; None while the text grows, and a note may come later.
    """

    def __init__(self, defined: Iterable[str] | None = None) -> None:
        self._defined = None if defined is None else frozenset(defined)
        self._numbers: dict[str, int] = {}

    def number_of(self, label: str) -> int | None:
        """The number by which the text refers to a note; None where there is none and the text means something else."""
        is_there = bool(_COUNTED.fullmatch(label)) if self._defined is None else label in self._defined
        return self.number_of_note(label) if is_there or label in self._numbers else None

    def number_of_note(self, label: str) -> int:
        """The number of a note itself, also of one that nothing refers to."""
        return self._numbers.setdefault(label, len(self._numbers) + 1)

    @property
    def count(self) -> int:
        return len(self._numbers)

    def beginning(self, count: int) -> "Footnotes":
        """A copy with the first ``count`` numbers."""
        copy = Footnotes(self._defined)
        copy._numbers = dict(list(self._numbers.items())[:count])
        return copy


def labels_in(blocks: "Iterable[list[Token]]") -> list[str]:
    """The labels of all notes that these blocks hold."""
    return [token.meta["label"] for block in blocks for token in block if token.type == OPEN]
