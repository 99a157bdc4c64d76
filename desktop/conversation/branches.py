"""The whole tree of a chat, a line for each of its messages: for whoever looks for a way that the chat does not show."""

from dataclasses import dataclass
from datetime import datetime

from desktop.conversation.entities import MessageStatus, Role

MOST_BEGINNING = 240
"""Characters of a message's beginning."""


@dataclass(frozen=True, kw_only=True)
class MessageNode:
    """One message of the tree."""

    id: str
    parent_id: str | None
    role: Role
    status: MessageStatus
    beginning: str
    """Of its text, on one line; else the name of its first file or tool; empty where there is nothing of that."""
    model: str
    created_at: datetime
    is_on_path: bool
    """The path that the chat shows goes through it."""
    shown: int
    """Of the messages below the same one, the path goes on through the one with the largest number."""
