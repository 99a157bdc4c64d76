"""Remembered items for tests."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from desktop.core.ids import new_id
from desktop.memory.entities import Author, MemoryItem, MemoryKind

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
