"""A thread's first title: the beginning of its first message."""

import re

MAX_TITLE_WIDTH = 48
"""In columns: a Chinese character takes two."""
_MOST_OF_LINE = 2_000
"""Characters that are looked at: a million without a break would hold the window up."""

_FENCE = re.compile(r"\s*(`{3,}|~{3,})[\w+#.-]*\s*")
_MARKUP = re.compile(r"^[\s#>*\-`]+|[*`]+|(?<!\w)_+|_+(?!\w)")


def title_from_text(text: str) -> str:
    """Return one line of at most ``MAX_TITLE_WIDTH`` columns, cut at a word where there are words; never empty."""
    begins = (raw[:_MOST_OF_LINE] for raw in text.splitlines())
    lines = (" ".join(_MARKUP.sub(" ", raw).split()) for raw in begins if not _FENCE.fullmatch(raw))
    line = next(filter(None, lines), "")
    if not line:
        return "…"
    width = 0
    for position, character in enumerate(line):
        width += 2 if ord(character) >= 0x2E80 else 1
        if width > MAX_TITLE_WIDTH:
            head = line[:position]
            blank = head.rfind(" ")
            return (head[:blank] if blank > position // 2 else head).rstrip(" ,.;:，。；：、") + "…"
    return line
