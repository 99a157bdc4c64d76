"""The library of assistants in memory."""

from collections.abc import Sequence
from dataclasses import replace

from desktop.conversation.assistants.entities import Assistant
from desktop.conversation.assistants.library import name_key
from desktop.conversation.assistants.ports import AssistantStore
from tests.support.in_memory_threads import InMemoryThreadRepository


class InMemoryAssistants(AssistantStore):
    def __init__(self, threads: InMemoryThreadRepository | None = None) -> None:
        self._threads = threads or InMemoryThreadRepository()
        self._assistants: dict[str, Assistant] = {}

    async def all(self) -> tuple[Assistant, ...]:
        return tuple(self._assistants.values())

    async def add(self, assistants: Sequence[Assistant]) -> tuple[Assistant, ...]:
        added: list[Assistant] = []
        for one in assistants:
            if one.id not in self._assistants and not self._holder(one):
                self._assistants[one.id] = one
                added.append(one)
        return tuple(added)

    async def change(self, assistant: Assistant) -> bool:
        before = self._assistants.get(assistant.id)
        if before is None or self._holder(assistant):
            return False
        self._assistants[assistant.id] = replace(assistant, created_at=before.created_at)
        for thread in self._threads._threads.values():
            if (kept := thread.options.assistant) is not None and kept.id == assistant.id:
                self._threads._threads[thread.id] = replace(
                    thread, options=replace(thread.options, assistant=_without_times(assistant))
                )
        return True

    async def remove(self, assistant_ids: Sequence[str]) -> None:
        for assistant_id in assistant_ids:
            self._assistants.pop(assistant_id, None)

    async def set_order(self, assistant_ids: Sequence[str]) -> None:
        ordered = [each for each in dict.fromkeys(assistant_ids) if each in self._assistants]
        rest = [each for each in self._assistants if each not in ordered]
        self._assistants = {each: self._assistants[each] for each in (*ordered, *rest)}

    async def chats_with(self, assistant_id: str) -> int:
        return sum(
            kept.id == assistant_id
            for thread in self._threads._threads.values()
            if thread.deleted_at is None
            and not thread.options.is_temporary
            and (kept := thread.options.assistant) is not None
        )

    async def erase(self) -> bool:
        return True

    def _holder(self, assistant: Assistant) -> bool:
        key = name_key(assistant.name)
        return any(name_key(one.name) == key and one.id != assistant.id for one in self._assistants.values())


def _without_times(assistant: Assistant) -> Assistant:
    """As a thread keeps it."""
    usual = Assistant(id="", name="")
    return replace(assistant, created_at=usual.created_at, updated_at=usual.updated_at)
