"""Syntax highlighting: source code to coloured spans per line, with limits for hostile input."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pygments.token import _TokenType

MAX_LINES = 2_000
MAX_CHARACTERS = 200_000
"""Code beyond these is shown without colours."""

_KINDS: Mapping[tuple[str, ...], str] = {
    ("Keyword",): "keyword",
    ("Name", "Tag"): "keyword",
    ("Literal", "String"): "string",
    ("Literal", "Number"): "number",
    ("Comment",): "comment",
    ("Name", "Function"): "function",
    ("Name", "Class"): "function",
    ("Name", "Builtin"): "function",
    ("Name", "Decorator"): "function",
    ("Name", "Attribute"): "function",
    ("Operator",): "operator",
}
"""Token types of Pygments to fields of ``SyntaxColours``."""


@dataclass(frozen=True)
class Span:
    """``length`` UTF-16 units, in which Qt counts, from ``start`` of a line; ``kind`` is a field of ``SyntaxColours``."""

    start: int
    length: int
    kind: str


Highlighting = tuple[tuple[Span, ...], ...]
"""The spans of each line."""


def is_highlightable(language: str, text: str) -> bool:
    """True when it is worth asking for colours."""
    return bool(language) and len(text) <= MAX_CHARACTERS and text.count("\n") < MAX_LINES


@lru_cache(maxsize=128)
def highlight(language: str, text: str) -> Highlighting:
    """Return the spans of every line; nothing for an unknown language. The first call imports the lexer."""
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    if not is_highlightable(language, text):
        return ()
    try:
        lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return ()
    lines: list[tuple[Span, ...]] = []
    spans: list[Span] = []
    column = 0
    for token, value in lexer.get_tokens(text):
        kind = _kind(token)
        for index, piece in enumerate(value.split("\n")):
            if index:
                lines.append(tuple(spans))
                spans, column = [], 0
            length = _units(piece)
            if piece and kind:
                spans.append(Span(column, length, kind))
            column += length
    lines.append(tuple(spans))
    return tuple(lines)


def _kind(token: "_TokenType") -> str | None:
    path = tuple(str(name) for name in token)
    return next((_KINDS[path[:depth]] for depth in (2, 1) if path[:depth] in _KINDS), None)


def _units(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2
