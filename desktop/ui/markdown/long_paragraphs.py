"""Where long paragraphs are cut, so that each piece is drawn within a frame."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it.token import Token

PARAGRAPH_CHARACTERS = 4_000
UNBROKEN_CHARACTERS = 500
MOST_FORMULAS = 40
"""Of a piece."""
_UNBROKEN = re.compile(rf"[^\s\u2e80-\uffff]{{{2 * UNBROKEN_CHARACTERS}}}")


def is_long(inline: "Token") -> bool:
    """Whether a paragraph is cut."""
    formulas = sum(token.type == "formula" for token in inline.children or ())
    text = inline.content
    return len(text) > PARAGRAPH_CHARACTERS or formulas > MOST_FORMULAS or _UNBROKEN.search(text) is not None


def is_monstrous(group: "list[Token]") -> bool:
    """Whether something in it is too long, which can only be drawn as one."""
    if group[0].type not in ("heading_open", "table_open"):
        return False
    return any(len(token.content) > PARAGRAPH_CHARACTERS for token in group)


def ends_of_pieces(inline: "Token") -> Iterator[int]:
    """Where the pieces of a long paragraph end: before a formula where there are many, and wherever it gets too long."""
    text, begin, position = inline.content, 0, 0
    breaks: list[int] = []
    for number, token in enumerate(token for token in inline.children or () if token.type == "formula"):
        found = text.find(token.markup, begin)
        begin = found + len(token.markup) if found >= 0 else begin
        if number and number % MOST_FORMULAS == 0 and found > 0 and token.level == 0:
            breaks.append(found)
    for end in (*breaks, len(text)):
        while position < end:
            position = min(end, _cut(text, position))
            yield position


def _cut(text: str, position: int) -> int:
    """Where a piece of at most ``PARAGRAPH_CHARACTERS`` ends: at a line, a blank or a full stop, else anywhere; sooner
    where nothing can be broken, which costs Qt the square of its length."""
    limit = min(len(text), position + PARAGRAPH_CHARACTERS)
    if (unbroken := _UNBROKEN.search(text, position, limit)) is not None:
        return unbroken.start() if unbroken.start() > position else position + UNBROKEN_CHARACTERS
    if limit == len(text):
        return limit
    for mark in ("\n", " ", "。"):
        found = text.rfind(mark, position + PARAGRAPH_CHARACTERS // 2, limit)
        if found > 0:
            return found + 1
    return position + PARAGRAPH_CHARACTERS // 4
