"""The gaps in the text of a prompt: which there are, and the text with them filled in. Pure functions.

``{{name}}`` is a gap, ``{{name=value}}`` one with a value that it has until another is given, ``{{name:one|two}}`` one
with choices. ``{{date}}``, ``{{time}}``, ``{{clipboard}}`` and ``{{selection}}`` are known by their names. The signs may
be full-width. ``\\{{name}}`` is no gap and stands there without its backslash; so does everything else as it is.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

MOST_GAPS = 40
"""What comes after these in a text stays as it is."""
_GAP = re.compile(
    r"\\?\{\{[ \t\u3000]*(?P<name>[^\s{}=:|＝：｜](?:[^{}\n=:|＝：｜]{0,58}[^\s{}=:|＝：｜])?)[ \t\u3000]*"
    r"(?:(?P<sign>[=:＝：])(?P<rest>[^{}]{0,2000}))?\}\}"
)


class KnownGap(StrEnum):
    """What a gap without a value or choices of its own is filled with, where it has one of these names."""

    DATE = "date"
    TIME = "time"
    CLIPBOARD = "clipboard"
    SELECTION = "selection"


_OTHER_NAMES = {
    "current_date": KnownGap.DATE,
    "日期": KnownGap.DATE,
    "current_time": KnownGap.TIME,
    "时间": KnownGap.TIME,
    "剪贴板": KnownGap.CLIPBOARD,
    "选中文字": KnownGap.SELECTION,
}


@dataclass(frozen=True)
class Gap:
    """``value`` is what stands in it at first, with choices the first of them."""

    name: str
    value: str = ""
    choices: tuple[str, ...] = ()

    @property
    def known(self) -> KnownGap | None:
        if self.value or self.choices:
            return None
        name = self.name.casefold()
        return KnownGap(name) if name in list(KnownGap) else _OTHER_NAMES.get(name)


def gaps_in(text: str) -> tuple[Gap, ...]:
    """Return the gaps in the order of their first places, each name once; its first value or choices count."""
    found: dict[str, Gap] = {}
    for match in _GAP.finditer(text):
        gap = None if match[0].startswith("\\") else _gap_of(match)
        if gap is None:
            continue
        before = found.get(gap.name)
        if before is None and len(found) == MOST_GAPS:
            break
        if before is None or not (before.value or before.choices):
            found[gap.name] = gap
    return tuple(found.values())


def filled(text: str, values: Mapping[str, str]) -> str:
    """Return the text with its gaps filled in once: what looks like a gap in a value is none.

    A gap that ``values`` does not name gets its own value.
    """
    gaps = {gap.name: gap.value for gap in gaps_in(text)}

    def fill(match: re.Match[str]) -> str:
        if match[0].startswith("\\"):
            return match[0][1:]
        name = match["name"]
        return values.get(name, gaps[name]) if name in gaps else match[0]

    return _GAP.sub(fill, text)


def _gap_of(match: re.Match[str]) -> Gap:
    name, rest = match["name"], match["rest"] or ""
    if match["sign"] not in (":", "："):
        return Gap(name, rest.strip())
    choices = tuple(dict.fromkeys(choice.strip() for choice in re.split("[|｜]", rest) if choice.strip()))
    if len(choices) < 2:
        return Gap(name, "".join(choices))
    return Gap(name, choices[0], choices)
