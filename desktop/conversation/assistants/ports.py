"""What the library of assistants needs of its store."""

from collections.abc import Sequence
from typing import Protocol

from desktop.conversation.assistants.entities import Assistant


class AssistantStore(Protocol):
    """Each call that writes is on disk when it returns. All raise ``StorageError``.

    ``tests/contracts/test_assistant_store.py`` says what each store promises.
    """

    async def all(self) -> tuple[Assistant, ...]:
        """Return every assistant in the user's order."""
        ...

    async def add(self, assistants: Sequence[Assistant]) -> tuple[Assistant, ...]:
        """Put these at the end, all of them or none; return those that were added.

        One whose id is there already, or whose name is taken (whatever its case), is left out.
        """
        ...

    async def change(self, assistant: Assistant) -> bool:
        """Store an assistant anew, also for the chats that use it; False where it is not there, or its name is taken."""
        ...

    async def remove(self, assistant_ids: Sequence[str]) -> None:
        """Remove assistants. Chats that use one keep it as it was."""
        ...

    async def set_order(self, assistant_ids: Sequence[str]) -> None:
        """Let these stand in this order, before all others, which keep theirs."""
        ...

    async def chats_with(self, assistant_id: str) -> int:
        """Return how many chats use it, without temporary ones and those in the Trash."""
        ...

    async def erase(self) -> bool:
        """Take every trace of removed and former texts out of the files; False where some of it waits for the next start."""
        ...
