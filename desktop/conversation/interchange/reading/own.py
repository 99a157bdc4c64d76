"""Chats that this program exported: one a file, with what was attached beside them."""

from collections.abc import Iterator
from typing import Any

from desktop.conversation.interchange.chat_json import FORMAT, chat_of
from desktop.conversation.interchange.reading.making import Asset, Read, UnreadableChatError, fields
from desktop.conversation.interchange.records import ImportedChat, MessageRecord, Source


def is_one(value: Any) -> bool:
    return fields(value).get("format") == FORMAT


def chats(value: Any) -> Iterator[Read]:
    """Give the chat. Raises ``ValueError``, ``NewerError`` for one that a later version wrote."""
    chat, records, files = chat_of(value)
    messages = tuple(records)
    _require_tree(messages)
    assets = {key: Asset(name=f"{key}{one.suffix}", hint=f"files/{key}{one.suffix}") for key, one in files.items()}
    yield ImportedChat(source=Source.THREADWELL, chat=chat, messages=messages), assets


def _require_tree(messages: tuple[MessageRecord, ...]) -> None:
    """Each message once, and after its parent: as it was written."""
    seen: set[str] = set()
    for message in messages:
        if message.id in seen or (message.parent_id is not None and message.parent_id not in seen):
            raise UnreadableChatError("its messages are no tree")
        seen.add(message.id)
