"""The map of a chat's branches: the way that is shown as lines, the other ways folded beside it, and long stretches folded."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from desktop.conversation.branches import MessageNode

STRETCH = 8
"""So many messages on which nothing branches stand unfolded."""
AT_ENDS = 2
"""Of a folded stretch so many stand before and behind it."""


@dataclass(frozen=True)
class MapRow:
    """A line of the map."""

    node: MessageNode | None
    """None for a folded stretch."""
    number: int = 1
    count: int = 1
    """Which of those in its place it is, and how many these are."""
    rows: tuple["MapRow", ...] = ()
    """What is folded below it: a stretch, or what follows on another way."""
    size: int = 1
    """How many messages it stands for, itself included."""


@dataclass(frozen=True)
class BranchMap:
    rows: tuple[MapRow, ...]
    ends: int
    """How many ways there are through the chat."""


def branch_map(nodes: Sequence[MessageNode]) -> BranchMap:
    """Return the map of these messages, of which each comes after the one that it follows."""
    below: dict[str | None, list[MessageNode]] = {}
    for node in nodes:
        below.setdefault(node.parent_id, []).append(node)
    places = {node.id: place for beside in below.values() for node, place in _places(beside)}
    lines: dict[str, MapRow] = {}
    # Whatever leaves a way began after it: from the newest on, each line finds those that leave it made.
    begins = [other for beside in below.values() for other in _others(beside)]
    order = {node.id: index for index, node in enumerate(nodes)}
    for begin in sorted(begins, key=lambda node: -order[node.id]):
        first, *rest = _line(begin, below, places, lines)
        size = 1 + sum(row.size for row in rest)
        lines[begin.id] = MapRow(first.node, first.number, first.count, tuple(_folded(rest)), size)
    roots = below.get(None, [])
    main = _shown(roots)
    rows = (*_beside(main, roots, lines), *_line(main, below, places, lines)) if main is not None else ()
    ends = sum(node.id not in below for node in nodes)
    return BranchMap(tuple(_folded(rows)), ends)


def _line(
    begin: MessageNode,
    below: dict[str | None, list[MessageNode]],
    places: dict[str, tuple[int, int]],
    lines: dict[str, MapRow],
) -> list[MapRow]:
    """The messages from one on, by the way that is or was shown last, with the other ways before what they stand beside."""
    rows: list[MapRow] = []
    node: MessageNode | None = begin
    while node is not None:
        rows.append(MapRow(node, *places[node.id]))
        beside = below.get(node.id, [])
        node = _shown(beside)
        rows += _beside(node, beside, lines)
    return rows


def _shown(beside: Sequence[MessageNode]) -> MessageNode | None:
    return max(beside, key=lambda node: (node.is_on_path, node.shown), default=None)


def _others(beside: Sequence[MessageNode]) -> list[MessageNode]:
    shown = _shown(beside)
    return [node for node in beside if node is not shown]


def _beside(shown: MessageNode | None, beside: Sequence[MessageNode], lines: dict[str, MapRow]) -> list[MapRow]:
    return [lines[node.id] for node in beside if node is not shown]


def _places(beside: Sequence[MessageNode]) -> Iterator[tuple[MessageNode, tuple[int, int]]]:
    """Which of those of its kind each is."""
    for node in beside:
        alike = [other.id for other in beside if other.role is node.role]
        yield node, (alike.index(node.id) + 1, len(alike))


def _folded(rows: Sequence[MapRow]) -> list[MapRow]:
    """Fold long stretches on which nothing branches."""
    found: list[MapRow] = []
    stretch: list[MapRow] = []

    def end() -> None:
        if len(stretch) > STRETCH:
            inner = tuple(stretch[AT_ENDS:-AT_ENDS])
            found.extend((*stretch[:AT_ENDS], MapRow(None, rows=inner, size=len(inner)), *stretch[-AT_ENDS:]))
        else:
            found.extend(stretch)
        stretch.clear()

    for row in rows:
        if row.count == 1 and not row.rows:
            stretch.append(row)
        else:
            end()
            found.append(row)
    end()
    return found


def way_to(rows: Sequence[MapRow], message_id: str) -> tuple[int, ...]:
    """Return the places, from the outermost rows inwards, that lead to a message; empty where it is not there."""
    waiting: list[tuple[tuple[int, ...], Sequence[MapRow]]] = [((), rows)]
    while waiting:
        way, inner = waiting.pop()
        for place, row in enumerate(inner):
            if row.node is not None and row.node.id == message_id:
                return (*way, place)
            if row.rows:
                waiting.append(((*way, place), row.rows))
    return ()
