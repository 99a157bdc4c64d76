"""What was remembered of a message, as it stands below the answer to it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from desktop.memory.entities import MemoryItem, MemoryStatus
from desktop.ui.state.readable import one_line

MOST_CHARACTERS = 400


@dataclass(frozen=True)
class RememberedLine:
    item_id: str
    text: str
    replaced: str = ""
    """What it took the place of."""
    waits: bool = False
    """It counts when the user has accepted it."""
    is_over: bool = False
    """Something newer took its place since."""


def remembered_lines(items: Sequence[MemoryItem], before: Mapping[str, MemoryItem]) -> tuple[RememberedLine, ...]:
    """Return a line for each item. ``before`` are those whose place others took, by their ids."""
    return tuple(_line(item, before.get(item.supersedes_id or "")) for item in items)


def _line(item: MemoryItem, before: MemoryItem | None) -> RememberedLine:
    return RememberedLine(
        item_id=item.id,
        text=one_line(item.text, MOST_CHARACTERS),
        replaced=one_line(before.text, MOST_CHARACTERS) if before is not None else "",
        waits=item.status is MemoryStatus.PENDING,
        is_over=item.status is MemoryStatus.SUPERSEDED,
    )
