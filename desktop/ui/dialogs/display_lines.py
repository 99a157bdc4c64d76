"""Untrusted text as lines to show: complete, with tokens for what cannot be seen, numbered where there are several."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from desktop.tools.visible_text import reveal, spans_of_revealed

_PIECE = 1000
"""Longer lines are shown in pieces: wrapping one of a megabyte takes Qt half a minute."""


@dataclass(frozen=True)
class DisplayLine:
    """One line as shown. ``number`` is None where the line before only goes on; spans are in characters."""

    text: str
    number: int | None = None
    tokens: tuple[tuple[int, int], ...] = ()
    strong: tuple[tuple[int, int], ...] = ()


def display_lines(text: str, *, numbered: bool = True) -> tuple[DisplayLine, ...]:
    """Return ``text`` as lines. Each line break of the text starts a numbered line; a piece of a long one has none."""
    parts = reveal(text).split("\n")
    lines: list[DisplayLine] = []
    for index, part in enumerate(parts):
        number = index + 1 if numbered and len(parts) > 1 else None
        lines.extend(_pieces(part, number))
    return tuple(lines)


def line_with_strong(text: str, span: tuple[int, int]) -> tuple[DisplayLine, ...]:
    """Return one line of text, its characters in ``span`` to be set in bold; not where the text had to change."""
    lines = display_lines(text, numbered=False)
    if "".join(line.text for line in lines) != text:
        return lines
    start = 0
    marked: list[DisplayLine] = []
    for line in lines:
        end = start + len(line.text)
        first, last = max(span[0], start), min(span[1], end)
        strong = ((first - start, last - start),) if first < last else ()
        marked.append(replace(line, strong=strong))
        start = end
    return tuple(marked)


def json_lines(value: Any) -> tuple[DisplayLine, ...]:
    """Return a JSON value as indented, numbered lines; the indentation is ours and gets no tokens."""
    parts = json.dumps(value, indent=2, ensure_ascii=False).split("\n")
    lines: list[DisplayLine] = []
    for index, part in enumerate(parts):
        bare = part.lstrip(" ")
        indent = len(part) - len(bare)
        first, *rest = _pieces(reveal(bare), index + 1 if len(parts) > 1 else None)
        moved = tuple((start + indent, end + indent) for start, end in first.tokens)
        lines.append(DisplayLine(" " * indent + first.text, first.number, moved))
        lines.extend(rest)
    return tuple(lines)


def _pieces(shown: str, number: int | None) -> Sequence[DisplayLine]:
    spans = tuple((span.start, span.end) for span in spans_of_revealed(shown) if span.is_token)
    if len(shown) <= _PIECE:
        return (DisplayLine(shown, number, spans),)
    pieces: list[DisplayLine] = []
    for start in range(0, len(shown), _PIECE):
        end = min(start + _PIECE, len(shown))
        inside = tuple((max(a, start) - start, min(b, end) - start) for a, b in spans if a < end and b > start)
        pieces.append(DisplayLine(shown[start:end], number if start == 0 else None, inside))
    return pieces
