"""The library of prompts in memory."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from desktop.conversation.prompts.entities import SavedPrompt
from desktop.conversation.prompts.ports import PromptRepository


class InMemoryPrompts(PromptRepository):
    def __init__(self) -> None:
        self._prompts: dict[str, SavedPrompt] = {}

    async def all(self) -> tuple[SavedPrompt, ...]:
        return tuple(self._prompts.values())

    async def add(self, prompts: Sequence[SavedPrompt]) -> None:
        for prompt in prompts:
            self._prompts.setdefault(prompt.id, prompt)

    async def change(self, prompt: SavedPrompt) -> bool:
        before = self._prompts.get(prompt.id)
        if before is None:
            return False
        self._prompts[prompt.id] = replace(
            before,
            name=prompt.name,
            description=prompt.description,
            text=prompt.text,
            updated_at=prompt.updated_at,
        )
        return True

    async def remove(self, prompt_ids: Sequence[str]) -> None:
        for prompt_id in prompt_ids:
            self._prompts.pop(prompt_id, None)

    async def set_order(self, prompt_ids: Sequence[str]) -> None:
        ordered = [prompt_id for prompt_id in dict.fromkeys(prompt_ids) if prompt_id in self._prompts]
        rest = [prompt_id for prompt_id in self._prompts if prompt_id not in ordered]
        self._prompts = {prompt_id: self._prompts[prompt_id] for prompt_id in (*ordered, *rest)}

    async def note_use(self, prompt_id: str, moment: datetime) -> None:
        if (prompt := self._prompts.get(prompt_id)) is not None:
            self._prompts[prompt_id] = replace(prompt, used_count=prompt.used_count + 1, last_used_at=moment)

    async def erase(self) -> bool:
        return True
