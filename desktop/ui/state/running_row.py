"""What the row of a running answer waits for beside its model: the user's answer to a server, or servers that start."""

import dataclasses
from collections.abc import Set
from typing import TypeGuard

from desktop.ui.state.tool_item import ToolItem, ToolState
from desktop.ui.state.transcript_state import RowItem, RowState, TextItem, ThinkingItem


def with_questions(row: RowState, servers: Set[str]) -> RowState:
    """Return the row in which the running calls of ``servers`` wait for the user's answer."""
    if not any(_is_asking(item, servers) for item in row.items):
        return row
    items = tuple(
        dataclasses.replace(item, state=ToolState.WAITING_ANSWER) if _is_asking(item, servers) else item
        for item in row.items
    )
    return dataclasses.replace(row, items=items)


def awaited(row: RowState, *, for_tools: bool) -> RowState:
    """Return the row of a run of which nothing came yet: what stands there from before is not being written now."""
    items = tuple(
        dataclasses.replace(item, is_open=False) if isinstance(item, TextItem | ThinkingItem) and item.is_open else item
        for item in row.items
    )
    return dataclasses.replace(row, items=items, waits_for_tools=for_tools)


def _is_asking(item: RowItem, servers: Set[str]) -> TypeGuard[ToolItem]:
    return isinstance(item, ToolItem) and item.state is ToolState.RUNNING and item.shown_server in servers
