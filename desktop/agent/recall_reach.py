"""How far the memory of an answer reaches: by its chat, by its assistant, and by what is usual."""

from collections.abc import Iterable

from desktop.conversation.assistants.entities import AssistantMemory
from desktop.conversation.entities import ThreadOptions
from desktop.conversation.ports import ThreadRepository
from desktop.core.memory_settings import MemoryUse
from desktop.memory.entities import MemoryItem, RecallScope


def reach_of(options: ThreadOptions, usual: MemoryUse) -> tuple[MemoryUse, str]:
    """Return what an answer may be told, and the id of the assistant whose chats alone count; empty where all do.

    The chat's own choice goes before that of its assistant. An assistant never reaches further than what is usual.
    """
    if options.memory is not None:
        return options.memory, ""
    assistant = options.assistant
    if assistant is None or assistant.memory is None or usual is MemoryUse.OFF:
        return usual, ""
    match assistant.memory:
        case AssistantMemory.OFF:
            return MemoryUse.OFF, ""
        case AssistantMemory.OWN_CHATS if usual is MemoryUse.EVERYWHERE:
            return MemoryUse.EVERYWHERE, assistant.id
        case _:
            return usual, ""


async def within(items: Iterable[MemoryItem], scope: RecallScope, repository: ThreadRepository) -> list[MemoryItem]:
    """Return the items that count in this scope. Raises ``StorageError``."""
    found: list[MemoryItem] = []
    for item in items:
        source = item.source.thread_id if item.source is not None else None
        if scope.only_this_thread and scope.thread_id not in (item.only_thread_id, source):
            continue
        if scope.only_assistant and await _assistant_of(item.only_thread_id or source, repository) != (
            scope.only_assistant
        ):
            continue
        found.append(item)
    return found


async def _assistant_of(thread_id: str | None, repository: ThreadRepository) -> str:
    thread = None if thread_id is None else await repository.get_thread(thread_id)
    return "" if thread is None or thread.options.assistant is None else thread.options.assistant.id
