"""The library of prompts as the window uses it: every change of it goes through here."""

import asyncio
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from desktop.conversation.prompts.entities import MOST_DESCRIPTION, MOST_NAME, MOST_PROMPTS, MOST_TEXT, SavedPrompt
from desktop.conversation.prompts.ports import PromptRepository
from desktop.core.clock import Clock, utc_now
from desktop.core.ids import new_id
from desktop.core.signal import Signal

_UNSEEN = re.compile(
    "["
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # turn the direction of the text around
    "\u00ad\u180e\u200b\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb"  # take no room; emoji need the joiners
    "\ud800-\udfff\U000e0000-\U000e007f"
    "]"
)
_NUMBER = re.compile(r"(?: \(\d{1,4}\))+$")
_MOST_NUMBER = len(" (9999)")


@dataclass(frozen=True)
class PromptDraft:
    """What somebody wrote down for a prompt, or a file holds."""

    name: str
    text: str
    description: str = ""


@dataclass(frozen=True)
class Removed:
    """What was removed, and the order before: with both it can be brought back as it was."""

    prompts: tuple[SavedPrompt, ...]
    order: tuple[str, ...]


@dataclass(frozen=True)
class TakenIn:
    """What became of drafts that were given together."""

    added: tuple[SavedPrompt, ...] = ()
    known: int = 0
    """So many were there already, with the same name and text."""
    left_out: int = 0
    """For so many there was no room in the library."""


class PromptLibrary:
    """Nothing of it is ever sent by itself: its texts are put where the user sees and can change them.

    Signals:
        changed: prompts came, changed, moved or went.
    """

    def __init__(self, repository: PromptRepository, *, clock: Clock = utc_now) -> None:
        self._repository = repository
        self._clock = clock
        self.changed: Signal[[]] = Signal()

    async def all(self) -> tuple[SavedPrompt, ...]:
        """Return every prompt in the user's order."""
        return await self._repository.all()

    async def add(self, draft: PromptDraft) -> SavedPrompt | None:
        """Keep a prompt, also one that is there already; None where the library is full."""
        if len(await self._repository.all()) >= MOST_PROMPTS:
            return None
        prompt = self._made(draft)
        await self._repository.add([prompt])
        self.changed.emit()
        return prompt

    async def take_in(self, drafts: Sequence[PromptDraft]) -> TakenIn:
        """Add what is new of these, in one go. What is there stays as it is: a name that is taken gets a number."""
        there = await self._repository.all()
        known = {same_as(prompt.name, prompt.text) for prompt in there}
        names = {prompt.name for prompt in there}
        new: list[SavedPrompt] = []
        are_known = left_out = 0
        for prompt in await asyncio.to_thread(lambda: [self._made(draft) for draft in drafts]):
            key = same_as(prompt.name, prompt.text)
            if key in known:
                are_known += 1
            elif len(there) + len(new) >= MOST_PROMPTS:
                left_out += 1
            else:
                known.add(key)
                prompt = replace(prompt, name=free_name(prompt.name, names))
                names.add(prompt.name)
                new.append(prompt)
        if new:
            await self._repository.add(new)
            self.changed.emit()
        return TakenIn(tuple(new), are_known, left_out)

    async def change(self, prompt: SavedPrompt, draft: PromptDraft) -> bool:
        """Store a prompt anew; False where it is not there any more. Then ``erase`` removes what it said before."""
        made = self._made(draft)
        now = replace(prompt, name=made.name, text=made.text, description=made.description, updated_at=made.updated_at)
        is_there = await self._repository.change(now)
        self.changed.emit()
        return is_there

    async def remove(self, prompt_ids: Iterable[str]) -> Removed:
        """Remove prompts; what this returns brings them back. ``erase`` when nobody will want that any more."""
        chosen = set(prompt_ids)
        there = await self._repository.all()
        removed = Removed(
            tuple(prompt for prompt in there if prompt.id in chosen), tuple(prompt.id for prompt in there)
        )
        await self._repository.remove([prompt.id for prompt in removed.prompts])
        self.changed.emit()
        return removed

    async def restore(self, removed: Removed) -> None:
        """Bring back what was removed, to its place."""
        await self._repository.add(removed.prompts)
        await self._repository.set_order(removed.order)
        self.changed.emit()

    async def set_order(self, prompt_ids: Sequence[str]) -> None:
        """Let prompts stand in this order."""
        await self._repository.set_order(prompt_ids)
        self.changed.emit()

    async def note_use(self, prompt_id: str) -> None:
        """Count that a prompt was used."""
        await self._repository.note_use(prompt_id, self._clock())
        self.changed.emit()

    async def erase(self) -> bool:
        """Take every trace of removed and former texts out of the files; False where some of it waits for the next start."""
        return await self._repository.erase()

    def _made(self, draft: PromptDraft) -> SavedPrompt:
        now = self._clock()
        return SavedPrompt(
            id=new_id(),
            name=one_line(draft.name)[:MOST_NAME].strip(),
            text=shown(draft.text).strip("\n")[:MOST_TEXT],
            description=one_line(draft.description)[:MOST_DESCRIPTION].strip(),
            created_at=now,
            updated_at=now,
        )


def free_name(name: str, taken: Iterable[str]) -> str:
    """Return the name, with a number behind it where it is taken."""
    names, number, free = set(taken), 1, name
    while free in names:
        number += 1
        end = f" ({number})"
        free = f"{name[: MOST_NAME - len(end)]}{end}"
    return free


def shown(text: str) -> str:
    """Return the text without what nobody would see in it: controls, marks of direction, characters without a shape."""
    return _UNSEEN.sub("", re.sub("\r\n|[\r\u2028\u2029]", "\n", text))


def one_line(text: str) -> str:
    """Return the text in one line, as ``shown`` does."""
    return " ".join(shown(text).split())


def same_as(name: str, text: str) -> tuple[str, str]:
    """Return what two prompts that are the same have in common; a number that one got behind its name makes no other of it."""
    return _NUMBER.sub("", one_line(name))[: MOST_NAME - _MOST_NUMBER].strip().casefold(), shown(text).strip()
