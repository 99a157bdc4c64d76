"""One line of Markdown as a reader sees it, for lists: without the marks of headings, emphasis, code and links."""

import re

_LINK = re.compile(r"!?\[([^\]]*)\]\([^)\s]*\)?")
_FENCE = re.compile(r"```\S*")
_PAIRS = re.compile(r"(\*\*|~~|`)(?=\S)(.+?)(?<=\S)\1")
_ITALIC = re.compile(r"(?<![\w*])\*(?=[^\s*])(.+?)(?<=[^\s*])\*(?![\w*])")
_LEFT_OVER = re.compile(r"(?<!\S)(?:\*\*|\*|~~|`)(?=\S)")
"""The second mark of a pair may have been cut off."""

_LEADING = re.compile(r"^\s*(?:#{1,6}|>)\s|(?<!\S)#{2,6}(?=\s)")
_ITEM = re.compile(r"^\s*[-*+] (?:\[[ xX]\] )?")


def without_marks(line: str) -> str:
    """Return ``line`` without the commonest marks of Markdown; anything unsure stays as it is."""
    line = _LINK.sub(r"\1", _FENCE.sub(" ", line))
    line = _ITALIC.sub(r"\1", _PAIRS.sub(r"\2", line))
    line = _LEFT_OVER.sub("", line)
    line = _LEADING.sub("", line)
    return " ".join(_ITEM.sub("", line).split())
