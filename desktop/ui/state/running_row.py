"""What the row of a running answer waits for beside its model: the user's answer to a server, or servers that start."""

import dataclasses
from collections.abc import Set
from typing import TypeGuard

from desktop.ui.state.tool_item import ToolItem, ToolState
from desktop.ui.state.transcript_state import RowItem, RowState


def with_questions(row: RowState, servers: Set[str]) -> RowState:
    """Return the row in which the running calls of ``servers`` wait for the user's answer."""
    if not any(_is_asking(item, servers) for item in row.items):
        return row
    items = tuple(
        dataclasses.replace(item, state=ToolState.WAITING_ANSWER) if _is_asking(item, servers) else item
        for item in row.items
    )
    return dataclasses.replace(row, items=items)


def _is_asking(item: RowItem, servers: Set[str]) -> TypeGuard[ToolItem]:
    return isinstance(item, ToolItem) and item.state is ToolState.RUNNING and item.shown_server in servers
