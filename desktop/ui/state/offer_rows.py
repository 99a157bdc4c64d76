"""What is asked for with ``/`` and ``@`` while a message is written, and which prompts and resources fit that."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from desktop.tools.server_content import ServerPrompt, ServerResource

MOST_ROWS = 200
LONGEST_SEARCH = 80
_BEFORE = re.compile(r"[\s(\[{<\"'“‘（「『《，。、；：！？\u3400-\u9fff]")
"""What an ``@`` may follow: in an address of mail it follows a letter."""


class OfferKind(StrEnum):
    PROMPT = "/"
    RESOURCE = "@"


_SIGNS = {"/": OfferKind.PROMPT, "／": OfferKind.PROMPT, "@": OfferKind.RESOURCE, "＠": OfferKind.RESOURCE}


@dataclass(frozen=True)
class OfferSearch:
    """``start`` is where its sign stands in the line, ``end`` the cursor."""

    kind: OfferKind
    start: int
    end: int
    words: str


@dataclass(frozen=True)
class OfferRow:
    """One row of the list. All but ``item`` is text of the server, untrusted."""

    item: ServerPrompt | ServerResource
    title: str
    hint: str
    server: str


def search_at(line: str, cursor: int, *, is_first_line: bool) -> OfferSearch | None:
    """Return what is being asked for where the cursor stands: a prompt begins the message, a resource stands anywhere."""
    before = line[:cursor]
    for start in range(len(before) - 1, max(-1, len(before) - LONGEST_SEARCH - 2), -1):
        kind = _SIGNS.get(before[start])
        if before[start].isspace():
            return None
        if kind is OfferKind.PROMPT and start == 0 and is_first_line:
            return OfferSearch(kind, start, cursor, before[start + 1 :])
        if kind is OfferKind.RESOURCE and (start == 0 or _BEFORE.match(before[start - 1])):
            return OfferSearch(kind, start, cursor, before[start + 1 :])
    return None


def rows_for(items: Sequence[ServerPrompt | ServerResource], words: str) -> list[OfferRow]:
    """Return the rows that fit what was typed, the best first and else in their order."""
    wanted = words.casefold()
    ranked = [(_rank(row, wanted), place, row) for place, row in enumerate(map(_row, items))]
    return [row for rank, _, row in sorted((r for r in ranked if r[0] < 9), key=lambda r: r[:2])][:MOST_ROWS]


def _row(item: ServerPrompt | ServerResource) -> OfferRow:
    title = item.title or item.name
    if isinstance(item, ServerResource):
        return OfferRow(item, title, item.address, item.server_id)
    return OfferRow(item, title, item.description, item.server_id)


def _rank(row: OfferRow, wanted: str) -> int:
    """0 is the best, 9 does not fit."""
    name, title = row.item.name.casefold(), row.title.casefold()
    if not wanted or name.startswith(wanted) or title.startswith(wanted):
        return 0
    if wanted in name or wanted in title:
        return 1
    rest = (row.hint, row.server, row.item.description)
    return 2 if any(wanted in text.casefold() for text in rest) else 9
