"""Sees to it that long texts are parsed beside the window before a row with them is shown."""

import asyncio
from collections.abc import Iterable, Sequence

from desktop.conversation.entities import Message, Role
from desktop.ui.markdown.markdown_stream import is_growing_prepared, prepare_growing
from desktop.ui.markdown.prepared import is_prepared, prepare
from desktop.ui.state.transcript_state import RowState, TextItem, ThinkingItem, row_from_message


async def prepare_texts(rows: Iterable[RowState]) -> None:
    """Return when all long texts of these rows are parsed, of those that still grow what has come; at once where there are
    none."""
    for row in rows:
        for item in row.items if row.role is not Role.USER else ():
            if not isinstance(item, TextItem | ThinkingItem):
                continue
            if item.is_open and row.is_streaming:
                if not is_growing_prepared(item.text):
                    await asyncio.to_thread(prepare_growing, item.text)
            elif not is_prepared(item.text):
                await asyncio.to_thread(prepare, item.text)


async def prepare_messages(messages: Sequence[Message]) -> None:
    """The same for stored messages."""
    if any(len(getattr(part, "text", "")) > 0 for message in messages for part in message.parts):
        await prepare_texts([row_from_message(message) for message in messages])
