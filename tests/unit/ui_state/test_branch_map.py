"""The map of branches holds every message once, marks the way shown, folds the rest, and takes any tree."""

import random
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

import pytest

from desktop.conversation.branches import MessageNode
from desktop.conversation.entities import MessageStatus, Role
from desktop.ui.state.branch_map import STRETCH, MapRow, branch_map, way_to

NOW = datetime(2026, 11, 30, tzinfo=UTC)


def node(name: str, parent: str | None, *, shown: int = 0, on_path: bool = False) -> MessageNode:
    """A message whose name begins with ``q`` for one by the user."""
    return MessageNode(
        id=name,
        parent_id=parent,
        role=Role.USER if name.startswith("q") else Role.ASSISTANT,
        status=MessageStatus.COMPLETE,
        beginning=name,
        model="m",
        created_at=NOW,
        is_on_path=on_path,
        shown=shown,
    )


def said(rows: Sequence[MapRow]) -> list[object]:
    """The rows as names, with what is folded in lists behind them."""
    found: list[object] = []
    for row in rows:
        found.append("…" if row.node is None else row.node.id)
        if row.rows:
            found.append(said(row.rows))
    return found


def every(rows: Sequence[MapRow]) -> Iterator[MapRow]:
    waiting = list(rows)
    while waiting:
        row = waiting.pop()
        yield row
        waiting += row.rows


def test_other_ways_stand_folded_before_what_they_leave() -> None:
    nodes = [
        node("q1", None, on_path=True),
        node("a1", "q1", on_path=True),
        node("q2", "a1", shown=3),
        node("a2", "q2", shown=4),
        node("q2b", "a1", shown=5, on_path=True),
        node("a2b", "q2b", shown=6),
        node("a2c", "q2b", shown=7, on_path=True),
    ]
    shown = branch_map(nodes)
    assert said(shown.rows) == ["q1", "a1", "q2", ["a2"], "q2b", "a2b", "a2c"]
    assert [(row.number, row.count) for row in shown.rows] == [(1, 1), (1, 1), (1, 2), (2, 2), (1, 2), (2, 2)]
    assert [row.size for row in shown.rows] == [1, 1, 2, 1, 1, 1]
    assert shown.ends == 3
    assert way_to(shown.rows, "a2") == (2, 0)
    assert way_to(shown.rows, "nobody") == ()


def test_a_way_within_another_one_goes_on_as_it_was_shown_last() -> None:
    nodes = [
        node("q1", None, shown=1),
        node("a1", "q1", shown=9),
        node("a1b", "q1", shown=3),
        node("q9", None, shown=10, on_path=True),
        node("a9", "q9", shown=11, on_path=True),
    ]
    assert said(branch_map(nodes).rows) == ["q1", ["a1b", "a1"], "q9", "a9"]


def test_a_long_stretch_on_which_nothing_branches_is_folded() -> None:
    nodes: list[MessageNode] = []
    for number in range(2 * STRETCH):
        nodes.append(node(f"{'qa'[number % 2]}{number}", nodes[-1].id if nodes else None, on_path=True))
    rows = branch_map(nodes).rows
    assert said(rows) == ["q0", "a1", "…", [n.id for n in nodes[2:-2]], nodes[-2].id, nodes[-1].id]
    assert rows[2].size == 2 * STRETCH - 4
    assert len(branch_map(nodes[:STRETCH]).rows) == STRETCH


def test_of_nothing_there_is_nothing() -> None:
    assert branch_map([]).rows == ()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "seed" in metafunc.fixturenames:
        metafunc.parametrize("seed", range(300 if metafunc.config.getoption("long") else 20))


def test_every_message_stands_in_it_once_and_is_found(seed: int) -> None:
    chance = random.Random(seed)
    nodes: list[MessageNode] = []
    for number in range(chance.randrange(1, 120)):
        parent = None if not nodes or chance.random() < 0.05 else chance.choice(nodes[-6:]).id
        nodes.append(node(f"{'qa'[number % 2]}{number}", parent, shown=chance.randrange(1000)))
    on_path: set[str] = set()
    at: str | None = chance.choice(nodes).id
    parents = {each.id: each.parent_id for each in nodes}
    while at is not None:
        on_path.add(at)
        at = parents[at]
    nodes = [node(n.id, n.parent_id, shown=n.shown, on_path=n.id in on_path) for n in nodes]
    shown = branch_map(nodes)
    rows = list(every(shown.rows))
    ids = [row.node.id for row in rows if row.node is not None]
    assert sorted(ids) == sorted(parents)
    assert sum(row.size for row in shown.rows) == len(nodes)
    for each in nodes:
        found: Sequence[MapRow] = shown.rows
        row: MapRow | None = None
        for place in way_to(found, each.id):
            row = found[place]
            found = row.rows
        assert row is not None
        assert row.node is not None
        assert row.node.id == each.id


def test_ways_that_leave_each_other_deeper_than_the_stack_are_no_trouble() -> None:
    """As where somebody changed an ever earlier message, thousands of times."""
    depth = 2 * sys.getrecursionlimit()
    nodes = [node("q0", None, shown=0)]
    for number in range(1, depth):
        nodes.append(node(f"q{number}", nodes[-1].id, shown=number))
    nodes += [node(f"a{number}", f"q{number}", shown=10**6 - number) for number in range(depth)]
    shown = branch_map(nodes)
    assert len(way_to(shown.rows, f"q{depth - 1}")) > sys.getrecursionlimit()
    assert sum(row.size for row in shown.rows) == len(nodes)
