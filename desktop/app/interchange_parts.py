"""Builds export and import of chats from concrete parts, when they are wanted first."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from desktop.conversation.service import ConversationService
from desktop.storage.store import Store

if TYPE_CHECKING:
    from desktop.conversation.interchange.service import Interchange


def make_interchange(
    store: Store, conversations: ConversationService, wake: Callable[[], object] = lambda: None
) -> "Interchange":
    """``wake`` is called when there is something new for the index of vectors."""
    from desktop.conversation.interchange.service import Interchange
    from desktop.storage.chat_reader import ChatReaderProcess
    from desktop.storage.file_reader import FileReaderProcess

    return Interchange(
        conversations=conversations,
        repository=store.threads,
        exchange=store.exchange,
        attachments=store.attachments,
        reader=ChatReaderProcess(store.database.paths.root),
        files=FileReaderProcess(),
        wake=wake,
    )
