"""Finds words in what a row of the transcript shows: where each stands, and what must be unfolded to see it."""

import html
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass

from desktop.conversation.entities import AttachmentPart
from desktop.core.expressions import Expression
from desktop.ui.result_item_words import shown_text
from desktop.ui.result_words import result_words
from desktop.ui.state import row_blocks
from desktop.ui.state.inner_steps import asked_in, is_for_assistant, steps_of
from desktop.ui.state.pretty_json import pretty_json
from desktop.ui.state.readable import readable, shortened_lines
from desktop.ui.state.row_blocks import Block, RowRendering
from desktop.ui.state.tool_item import ToolItem
from desktop.ui.state.transcript_state import RowState, TextItem, ThinkingItem

MOST_OF_SECTION = 20_000
"""Characters of the arguments or the result of a call that its card shows."""
_LINE = 4_000
_FOLDS = (row_blocks.ToolBlock, row_blocks.ThinkingBlock, row_blocks.BubbleFoldBlock)
_BREAK = Expression(r"<br>|</(?:p|li|td|th|tr|table|ul|ol|pre|h\d)>|<hr>")
_TAG = Expression(r"<[^>]*>")
_MARKS = str.maketrans("", "", "*_`~\\")
"""What Markdown may put into the middle of a word that is shown without it."""


class _Folding(dict[int, str]):
    """Maps a code point to what it is compared as, worked out at first use; for ``str.translate``."""

    def __missing__(self, code_point: int) -> str:
        character = chr(code_point)
        plain = "".join(c for c in unicodedata.normalize("NFKD", character) if not "\u0300" <= c <= "\u036f")
        folded = unicodedata.normalize("NFC", plain).casefold()
        if not folded.isprintable() and not folded.isspace():
            folded = ""  # what cannot be seen is never a reason not to find something
        self[code_point] = folded
        return folded


_FOLDING = _Folding()


def _fold(text: str) -> str:
    return text.translate(_FOLDING)


class Needle:
    """What is looked for: any of these phrases, wherever it stands, whatever its case, width and accents."""

    def __init__(self, phrases: Iterable[str]) -> None:
        words = [_fold(phrase).split() for phrase in phrases]
        self._words = [each for each in words if each]
        patterns = sorted((r"\s+".join(map(re.escape, each)) for each in self._words), key=len, reverse=True)
        self._pattern = re.compile("|".join(patterns)) if patterns else None

    def __bool__(self) -> bool:
        return self._pattern is not None

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Return where it stands in ``text``: begin and end of each, in order."""
        if self._pattern is None:
            return []
        folded = _fold(text)
        found = [match.span() for match in self._pattern.finditer(folded)]
        if not found or text.isascii():
            return found
        origins: list[int] = []
        for place, character in enumerate(text):
            origins.extend([place] * len(_fold(character)))
        return [(origins[start], origins[end - 1] + 1) for start, end in found]

    def count(self, text: str) -> int:
        return 0 if self._pattern is None else sum(1 for _ in self._pattern.finditer(_fold(text)))

    def may_stand_in(self, source: str) -> bool:
        """Whether it may be found in what is made of a Markdown ``source``: quick, and rather once too often."""
        folded = _fold(source).translate(_MARKS)
        return any(all(word.translate(_MARKS) in folded for word in each) for each in self._words)


@dataclass(frozen=True)
class Hit:
    """A place in a message: the ``number``-th one, from 0, of those that stand behind the fold with this key."""

    message_id: str
    key: str
    number: int


class _Everything(Set[str]):
    def __contains__(self, key: object) -> bool:
        return True

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


_EVERYTHING: Set[str] = _Everything()


def hits_in(row: RowState, needle: Needle) -> tuple[Hit, ...]:
    """Return all places of a row in the order in which they stand, also in what is folded. Slow for long rows."""
    if not any(needle.may_stand_in(source) for source in _sources(row)):
        return ()
    counts: dict[str, int] = {}
    hits: list[Hit] = []
    for key, block in keyed(RowRendering().blocks(row, unfolded=_EVERYTHING, is_last=False)):
        counted = [needle.count(text) for text in texts_of(block)]
        for _ in range(int(any(counted)) if is_button(block) else sum(counted)):
            hits.append(Hit(row.message_id, key, counts.get(key, 0)))
            counts[key] = counts.get(key, 0) + 1
    return tuple(hits)


def keyed(blocks: Iterable[Block]) -> Iterator[tuple[str, Block]]:
    """Return each block with the key of the fold that it stands behind, empty where it always stands there."""
    thinking, buttons = "", 0
    for block in blocks:
        match block:
            case row_blocks.ThinkingBlock():
                thinking = block.key
                yield "", block
            case row_blocks.ToolBlock():
                yield block.key, block
            case row_blocks.RichBlock() | row_blocks.TableBlock() | row_blocks.CodeBlock():
                yield thinking if block.is_quiet else "", block
            case row_blocks.BubbleBlock():
                yield row_blocks.BUBBLE_KEY, block
            case row_blocks.PastedBlock() | row_blocks.FileBlock():
                buttons += 1
                yield f"button{buttons}", block
            case _:
                yield "", block


def is_button(block: Block) -> bool:
    """Whether the text of a block is not shown in its place, but opened by it: all that is in it counts as one."""
    return isinstance(block, row_blocks.PastedBlock | row_blocks.FileBlock)


def is_folded(blocks: Iterable[Block], key: str) -> bool:
    """Whether there is a fold with this key that is closed."""
    return any(isinstance(block, _FOLDS) and block.key == key and not block.is_unfolded for block in blocks)


def texts_of(block: Block) -> Sequence[str]:
    """Return the texts that the widget of a block shows, those that can be searched."""
    match block:
        case row_blocks.RichBlock() | row_blocks.TableBlock():
            return (_plain(block.segment.html),)
        case row_blocks.CodeBlock():
            return (shortened_lines(readable(block.segment.text), _LINE),)
        case row_blocks.BubbleBlock():
            return (readable(shortened_lines(block.text, _LINE)),)
        case row_blocks.ToolBlock():
            return _texts_of_call(block.item)
        case row_blocks.PastedBlock():
            return (block.text,)
        case row_blocks.FileBlock():
            return (block.part.name, block.part.text)
        case _:
            return ()


def _texts_of_call(item: ToolItem) -> tuple[str, ...]:
    task = asked_in(item)[1] if is_for_assistant(item) else ""
    texts = [task or pretty_json(item.arguments)]
    # A failed step says words of the app in the language shown, in which nobody looks for anything.
    texts += ["" if step.error is not None else step.text for step in steps_of(item)]
    text = shown_text(item.result, item.result_items) if item.has_result else ""
    if text:
        texts.append(result_words(item.shown_server, item.shown_tool, text))
    return tuple(shortened_lines(readable(each[:MOST_OF_SECTION]), _LINE) for each in texts)


def _plain(source: str) -> str:
    """The text of HTML as ``HtmlWriter`` makes it."""
    broken = _BREAK.compiled.sub("\n", source)
    return html.unescape(_TAG.compiled.sub("", broken)).replace("\xa0", " ")


def _sources(row: RowState) -> Iterator[str]:
    for item in row.items:
        match item:
            case TextItem() | ThinkingItem():
                yield item.text
            case ToolItem():
                yield from _texts_of_call(item)
            case AttachmentPart():
                yield item.name
                yield item.text
            case _:
                pass
