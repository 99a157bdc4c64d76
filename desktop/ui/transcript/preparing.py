"""Sees to it that long texts are parsed beside the window before a row with them is shown."""

import asyncio
from collections.abc import Iterable, Sequence

from desktop.conversation.entities import Message, Role
from desktop.ui.markdown.prepared import is_prepared, prepare
from desktop.ui.state.transcript_state import RowState, TextItem, ThinkingItem, row_from_message


async def prepare_texts(rows: Iterable[RowState]) -> None:
    """Return when all long texts of these rows are parsed that do not grow any more; at once where there are none."""
    texts = [
        item.text
        for row in rows
        if row.role is not Role.USER
        for item in row.items
        if isinstance(item, TextItem | ThinkingItem) and not (item.is_open and row.is_streaming)
    ]
    for text in texts:
        if not is_prepared(text):
            await asyncio.to_thread(prepare, text)


async def prepare_messages(messages: Sequence[Message]) -> None:
    """The same for stored messages."""
    if any(len(getattr(part, "text", "")) > 0 for message in messages for part in message.parts):
        await prepare_texts([row_from_message(message) for message in messages])
