"""Which of the messages that were found by their meaning fulfil the filters of a search."""

from collections.abc import Sequence

from desktop.conversation.entities import Message, Thread, ToolCallPart
from desktop.conversation.search_wish import Holding, SearchWish
from desktop.conversation.shelf import Shelf
from desktop.memory.entities import Passage
from desktop.ui.services import UiServices


async def fulfilling(
    passages: Sequence[Passage], wish: SearchWish, services: UiServices
) -> list[tuple[Passage, Thread]]:
    """Return these with their threads, in the same order."""
    messages: dict[str, Message] = {}
    if wish.asks_for_messages:
        found = await services.repository.messages([passage.id for passage in passages])
        messages = {message.id: message for message in found}
    kept: list[tuple[Passage, Thread]] = []
    for passage in passages:
        thread = await services.conversations.get_thread(passage.thread_id)
        if thread is None or not _stands_where(thread, wish) or not _is_of_time(passage, wish):
            continue
        if not wish.asks_for_messages or (passage.id in messages and _holds(messages[passage.id], wish)):
            kept.append((passage, thread))
    return kept


def _stands_where(thread: Thread, wish: SearchWish) -> bool:
    if Shelf.ARCHIVE in wish.shelves and thread.archived_at is None:
        return False
    return not wish.folders or thread.folder_id in wish.folders


def _is_of_time(passage: Passage, wish: SearchWish) -> bool:
    return (wish.since is None or passage.at >= wish.since) and (wish.until is None or passage.at < wish.until)


def _holds(message: Message, wish: SearchWish) -> bool:
    checks = (
        not wish.roles or message.role in wish.roles,
        not wish.models or any(name.casefold() in message.model.casefold() for name in wish.models),
        Holding.TOOL not in wish.holding or any(isinstance(part, ToolCallPart) for part in message.parts),
        Holding.FILE not in wish.holding or bool(message.attachments),
        Holding.CODE not in wish.holding or "```" in message.text,
    )
    return all(checks)
