"""Remembered items for tests."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from desktop.core.ids import new_id
from desktop.memory.entities import Author, MemoryItem, MemoryKind, MemorySource
from desktop.memory.ports import MemoryRepository

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def item(text: str, **fields: Any) -> MemoryItem:
    """A fact that the user has said, but for what ``fields`` say."""
    usual = MemoryItem(
        id=new_id(),
        text=text,
        kind=MemoryKind.FACT,
        author=Author.SAID,
        created_at=NOW,
        updated_at=NOW,
        observed_at=NOW,
    )
    return replace(usual, **fields)


async def is_forgotten(memory: MemoryRepository, text: str, quote: str = "", *, message_id: str = "") -> bool:
    """Whether an item of this text, from these words in this message, would be one that was forgotten."""
    source = MemorySource(thread_id="", message_id=message_id, quote=quote)
    return bool(await memory.forgotten([item(text, source=source)]))
