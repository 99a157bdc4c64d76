"""The library of assistants: every change of it goes through here, and everybody asks it who an assistant is now."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from desktop.conversation.assistants.entities import (
    MOST_ASSISTANTS,
    MOST_DESCRIPTION,
    MOST_HELPERS,
    MOST_INSTRUCTIONS,
    MOST_NAME,
    Assistant,
)
from desktop.conversation.assistants.ports import AssistantStore
from desktop.conversation.entities import ThreadOptions
from desktop.conversation.prompts.library import one_line, shown
from desktop.core.clock import Clock, utc_now
from desktop.core.ids import new_id
from desktop.core.signal import Signal


@dataclass(frozen=True)
class RemovedAssistants:
    """What was removed, and the order before: with both it can be brought back as it was."""

    assistants: tuple[Assistant, ...]
    order: tuple[str, ...]


@dataclass(frozen=True)
class TakenAssistants:
    """What became of assistants that were given together."""

    added: tuple[Assistant, ...] = ()
    known: int = 0
    """So many were there already, the same in all."""
    left_out: int = 0
    """For so many there was no room."""


class AssistantLibrary:
    """``load`` it once; after that everybody is answered at once.

    Signals:
        changed: assistants came, changed, moved or went.
    """

    def __init__(self, store: AssistantStore, *, clock: Clock = utc_now) -> None:
        self._store = store
        self._clock = clock
        self._known: tuple[Assistant, ...] = ()
        self.changed: Signal[[]] = Signal()

    @property
    def known(self) -> tuple[Assistant, ...]:
        """Every assistant in the user's order."""
        return self._known

    async def load(self) -> tuple[Assistant, ...]:
        """Read the store. Raises ``StorageError``."""
        self._known = await self._store.all()
        return self._known

    def get(self, assistant_id: str) -> Assistant | None:
        """Return the assistant as it is now; None where it is not in the library."""
        return next((one for one in self._known if one.id == assistant_id), None)

    def named(self, name: str) -> Assistant | None:
        """Return the assistant of this name or id."""
        key = name_key(name)
        return self.get(name) or next((one for one in self._known if name_key(one.name) == key), None)

    def of(self, options: ThreadOptions) -> Assistant | None:
        """Return who answers in a chat: as it is now, or as the chat keeps it. None where it is nobody in particular."""
        kept = options.assistant
        return None if kept is None else self.get(kept.id) or kept

    def is_gone(self, options: ThreadOptions) -> bool:
        """Whether the chat's assistant is not in the library any more."""
        return options.assistant is not None and self.get(options.assistant.id) is None

    def in_force(self, options: ThreadOptions) -> ThreadOptions:
        """Return the options with what its assistant does where the chat has nothing of its own."""
        assistant = self.of(options)
        if assistant is None:
            return options
        prompt = options.system_prompt
        if prompt is None and assistant.instructions.strip():
            prompt = assistant.instructions
        return replace(options, assistant=assistant, system_prompt=prompt)

    async def add(self, draft: Assistant) -> Assistant | None:
        """Keep a new assistant; the id and the times of the draft count for nothing. None where the library is full.

        A name that is taken gets a number.
        """
        if len(self._known) >= MOST_ASSISTANTS:
            return None
        made = self._made(replace(draft, id=new_id(), name=free_name(draft.name, self._names())))
        await self._store.add([made])
        await self._reload()
        return self.get(made.id)

    async def change(self, draft: Assistant) -> bool:
        """Store an assistant anew, in force for the next message of every chat; False where it is gone or its name taken.

        Then ``erase`` removes what it said before.
        """
        before = self.get(draft.id)
        made = self._made(draft)
        if before is not None:
            made = replace(made, created_at=before.created_at)
        is_changed = await self._store.change(made)
        await self._reload()
        return is_changed

    async def duplicate(self, assistant_id: str) -> Assistant | None:
        """Put a copy below an assistant; None where that is gone or the library is full."""
        if (original := self.get(assistant_id)) is None or (copy := await self.add(original)) is None:
            return None
        order = [one.id for one in self._known if one.id != copy.id]
        order.insert(order.index(assistant_id) + 1, copy.id)
        await self.set_order(order)
        return self.get(copy.id)

    async def take_in(self, drafts: Sequence[Assistant]) -> TakenAssistants:
        """Add what is new of these, in one go; what is there stays as it is.

        Which assistants they may ask is kept among those that come together, and for those that are here.
        """
        here = {content_of(one) for one in self._known}
        names, ids = set(self._names()), {one.id for one in self._known}
        new_ids: dict[str, str] = {}
        wanted: list[Assistant] = []
        known = left_out = 0
        for draft in drafts:
            made = self._made(draft)
            if draft.id in ids or content_of(made) in here:
                known += 1
            elif len(self._known) + len(wanted) >= MOST_ASSISTANTS:
                left_out += 1
            else:
                made = replace(made, name=free_name(made.name, names))
                names.add(made.name)
                here.add(content_of(made))
                new_ids[draft.id] = draft.id if draft.id and draft.id not in new_ids else new_id()
                wanted.append(replace(made, id=new_ids[draft.id]))
        helpers_known = ids.union(one.id for one in wanted)
        wanted = [replace(one, helpers=tuple(h for h in one.helpers if h in helpers_known)) for one in wanted]
        added = await self._store.add(wanted) if wanted else ()
        if added:
            await self._reload()
        return TakenAssistants(added, known, left_out)

    async def remove(self, assistant_ids: Iterable[str]) -> RemovedAssistants:
        """Remove assistants; chats that use one keep it as it was. ``erase`` when nobody will want them back."""
        chosen = set(assistant_ids)
        order = tuple(one.id for one in self._known)
        removed = RemovedAssistants(tuple(one for one in self._known if one.id in chosen), order)
        await self._store.remove([one.id for one in removed.assistants])
        await self._reload()
        return removed

    async def restore(self, removed: RemovedAssistants) -> None:
        """Bring back what was removed, to its place; one whose name was taken meanwhile gets a number."""
        for one in removed.assistants:
            await self._store.add([replace(one, name=free_name(one.name, self._names()))])
            await self._reload()
        await self._store.set_order(removed.order)
        await self._reload()

    async def set_order(self, assistant_ids: Sequence[str]) -> None:
        """Let assistants stand in this order."""
        await self._store.set_order(assistant_ids)
        await self._reload()

    async def chats_with(self, assistant_id: str) -> int:
        """Return how many chats use it."""
        return await self._store.chats_with(assistant_id)

    async def erase(self) -> bool:
        """Take every trace of removed and former texts out of the files; False where some of it waits for the next start."""
        return await self._store.erase()

    def _names(self) -> list[str]:
        return [one.name for one in self._known]

    async def _reload(self) -> None:
        await self.load()
        self.changed.emit()

    def _made(self, draft: Assistant) -> Assistant:
        now = self._clock()
        helpers = tuple(dict.fromkeys(one for one in draft.helpers if one != draft.id))
        return replace(
            draft,
            name=one_line(draft.name)[:MOST_NAME].strip() or "Assistant",
            description=one_line(draft.description)[:MOST_DESCRIPTION].strip(),
            instructions=shown(draft.instructions).strip("\n")[:MOST_INSTRUCTIONS],
            helpers=helpers[:MOST_HELPERS],
            created_at=now,
            updated_at=now,
        )


def name_key(name: str) -> str:
    """Return the name as it is compared: no two assistants have the same."""
    return one_line(name).casefold()


def free_name(name: str, taken: Iterable[str]) -> str:
    """Return the name, with a number behind it where it is taken."""
    keys, number, free = set(map(name_key, taken)), 1, one_line(name)[:MOST_NAME].strip() or "Assistant"
    whole = free
    while name_key(free) in keys:
        number += 1
        end = f" ({number})"
        free = f"{whole[: MOST_NAME - len(end)]}{end}"
    return free


def content_of(one: Assistant) -> tuple[object, ...]:
    """Return what two assistants that are the same have in common."""
    return name_key(one.name), one.instructions, one.description, one.tools, one.memory
