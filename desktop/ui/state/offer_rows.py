"""What is asked for with ``/`` and ``@`` while a message is written, and which prompts and resources fit that."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from desktop.conversation.prompts.entities import SavedPrompt
from desktop.tools.server_content import ServerPrompt, ServerResource

MOST_ROWS = 200
LONGEST_SEARCH = 80
MOST_HINT = 300
"""Characters of a prompt's text that stand below its name."""
MOST_SEARCHED = 500
_NO_FIT = 9
_BEFORE = re.compile(r"[\s(\[{<\"'“‘（「『《，。、；：！？\u3400-\u9fff]")
"""What an ``@`` may follow: in an address of mail it follows a letter."""


class OfferKind(StrEnum):
    PROMPT = "/"
    RESOURCE = "@"


_PAUSE = "、"
"""What the key of ``/`` writes in Chinese. No message begins with it."""
_SIGNS = {"/": OfferKind.PROMPT, "／": OfferKind.PROMPT, "@": OfferKind.RESOURCE, "＠": OfferKind.RESOURCE}


@dataclass(frozen=True)
class OfferSearch:
    """``start`` is where its sign stands in the line, ``end`` the cursor."""

    kind: OfferKind
    start: int
    end: int
    words: str


Offer = ServerPrompt | ServerResource | SavedPrompt


@dataclass(frozen=True)
class OfferRow:
    """One row of the list. All but ``item`` is text of a server or of the user's library, untrusted.

    ``source`` says where it comes from: the server, or "" for the library.
    """

    item: Offer
    title: str
    hint: str
    source: str


def search_at(line: str, cursor: int, *, is_first_line: bool) -> OfferSearch | None:
    """Return what is being asked for where the cursor stands: a prompt begins a line, a resource stands anywhere."""
    before = line[:cursor]
    if is_first_line and before.startswith(_PAUSE):
        before = f"/{before[1:]}"
    for start in range(len(before) - 1, max(-1, len(before) - LONGEST_SEARCH - 2), -1):
        kind = _SIGNS.get(before[start])
        if before[start].isspace():
            return None
        if kind is OfferKind.PROMPT and start == 0:
            return OfferSearch(kind, start, cursor, before[start + 1 :])
        if kind is OfferKind.RESOURCE and (start == 0 or _BEFORE.match(before[start - 1])):
            return OfferSearch(kind, start, cursor, before[start + 1 :])
    return None


def rows_for(items: Sequence[Offer], words: str, *, most: int = MOST_ROWS) -> list[OfferRow]:
    """Return the rows that fit what was typed, the best first and else in their order."""
    wanted = _folded(words)
    ranked = [(_rank(item, wanted), place, item) for place, item in enumerate(items)]
    best = sorted((r for r in ranked if r[0] < _NO_FIT), key=lambda r: r[:2])[:most]
    return [_row(item) for _, _, item in best]


def _row(item: Offer) -> OfferRow:
    if isinstance(item, SavedPrompt):
        return OfferRow(item, item.name, item.description or item.text[:MOST_HINT], "")
    title = item.title or item.name
    if isinstance(item, ServerResource):
        return OfferRow(item, title, item.address, item.server_id)
    return OfferRow(item, title, item.description, item.server_id)


def _rank(item: Offer, wanted: str) -> int:
    """0 is the best, ``_NO_FIT`` does not fit."""
    names, rest = _searched(item)
    if any(name.startswith(wanted) for name in names):
        return 0
    if any(wanted in name for name in names):
        return 1
    return 2 if any(wanted in text for text in rest) else _NO_FIT


@lru_cache(maxsize=8_192)
def _searched(item: Offer) -> tuple[Sequence[str], Sequence[str]]:
    """Return the names of an item and its other words, as they are searched at each key."""
    if isinstance(item, SavedPrompt):
        names, rest = [item.name], [item.description, item.text[:MOST_SEARCHED]]
    else:
        names = [item.name, item.title or item.name]
        rest = [item.description, item.server_id, item.address if isinstance(item, ServerResource) else ""]
    return tuple(map(_folded, names)), tuple(map(_folded, rest))


def _folded(text: str) -> str:
    """A search ends with a blank, so names are found without theirs."""
    return "".join(text.casefold().split())
