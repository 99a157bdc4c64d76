"""Untrusted text for reading: what could deceive or do harm stands there as a token, ordinary text stays as it is.

Milder than ``tools.visible_text.reveal``, which serves decisions and also marks blanks and tabs: an indented listing
in a tool's result must stay legible.
"""

import re

_NAMES = {0: "NUL", 7: "BEL", 8: "BS", 11: "VT", 12: "FF", 13: "CR", 27: "ESC", 127: "DEL"}
_HIDDEN = re.compile(
    "["
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls, also the escape of terminal colours
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # turn the direction of the text around
    "\u00ad\u034f\u115f\u1160\u180e\u200b\u2060-\u2065\u206a-\u206f\u2800\u3164\ufeff\uffa0"  # take no room
    "\u2028\u2029\ufff9-\ufffb\ufffe\uffff"
    "\ud800-\udfff"  # halves of pairs
    "\U000e0000-\U000e007f"  # tags
    "]"
)


def readable(text: str) -> str:
    """Return ``text`` with controls, direction marks and invisible characters as ``<ESC>`` or ``<U+202E>``."""
    return _HIDDEN.sub(_token, text)


def one_line(text: str, most: int) -> str:
    """Return ``text`` in one line as ``readable`` does, cut after so many characters."""
    line = readable(" ".join(text[: 2 * most].split()))
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"


def _token(match: re.Match[str]) -> str:
    code = ord(match.group())
    return f"<{_NAMES.get(code) or f'U+{code:04X}'}>"


def shortened_lines(text: str, limit: int) -> str:
    """Return ``text`` with every line cut after ``limit`` characters: one unbroken megabyte would freeze the window."""
    if len(text) <= limit:
        return text
    return "\n".join(
        line if len(line) <= limit else f"{line[:limit]} … (+{len(line) - limit})" for line in text.split("\n")
    )
