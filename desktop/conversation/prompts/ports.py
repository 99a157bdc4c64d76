"""What the library of prompts needs of its store."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from desktop.conversation.prompts.entities import SavedPrompt


class PromptRepository(Protocol):
    """Each call that writes is on disk when it returns. All raise ``StorageError``.

    ``tests/contracts/test_prompt_repository.py`` says what each store promises.
    """

    async def all(self) -> tuple[SavedPrompt, ...]:
        """Return every prompt in the user's order."""
        ...

    async def add(self, prompts: Sequence[SavedPrompt]) -> None:
        """Put these at the end, all of them or none. One whose id is there already is left as it is."""
        ...

    async def change(self, prompt: SavedPrompt) -> bool:
        """Store the name, description and text of a prompt anew; False where it is not there."""
        ...

    async def remove(self, prompt_ids: Sequence[str]) -> None:
        """Remove prompts; others are none of its business."""
        ...

    async def set_order(self, prompt_ids: Sequence[str]) -> None:
        """Let these stand in this order, before all others, which keep theirs."""
        ...

    async def note_use(self, prompt_id: str, moment: datetime) -> None:
        """Count that a prompt was used."""
        ...

    async def erase(self) -> bool:
        """Take every trace of removed and former texts out of the files; False where some of it waits for the next start."""
        ...
