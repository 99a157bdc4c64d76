"""Which messages of an imported chat are here already, and which are new; pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from desktop.conversation.entities import (
    AttachmentPart,
    Part,
    Role,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
)
from desktop.conversation.interchange.records import MessageRecord

Content = tuple[tuple[str, ...], ...]
"""What is said in a message: for each of its parts what kind it is, and last its text."""


@dataclass(frozen=True)
class StoredMessage:
    """A message that is here. ``keys``: its id, and what it is called where it comes from."""

    number: int
    parent: int | None
    role: Role
    keys: tuple[str, ...]
    content: Content


@dataclass
class Matching:
    """``known`` gives the numbers of incoming messages that are here, by their ids; ``new`` the others, in their order."""

    known: dict[str, int] = field(default_factory=dict[str, int])
    new: list[MessageRecord] = field(default_factory=list[MessageRecord])


def content_of(parts: Sequence[Part]) -> Content:
    """Return what is said, without what differs between two copies of the same: ids, times, remarks of the app."""
    said: list[tuple[str, ...]] = []
    for part in parts:
        match part:
            case TextPart():
                said.append(("text", part.text))
            case ThinkingPart():
                said.append(("thinking", part.text))
            case ToolCallPart():
                said.append(("call", part.name, part.arguments))
            case ToolResultPart():
                said.append(("result", part.status.value, part.text))
            case AttachmentPart():
                said.append(("file", part.name, part.text))
            case _:
                pass
    return tuple(said)


def is_beginning(shorter: Content, longer: Content) -> bool:
    """Tell whether ``longer`` says all that ``shorter`` says, and perhaps goes on."""
    if not shorter:
        return True
    last = len(shorter) - 1
    if len(longer) <= last or longer[:last] != shorter[:last]:
        return False
    one, other = shorter[last], longer[last]
    return one[:-1] == other[:-1] and other[-1].startswith(one[-1])


def match(stored: Sequence[StoredMessage], incoming: Sequence[MessageRecord]) -> Matching:
    """Find the incoming messages among those that are here. Each incoming one stands after its parent.

    A message is known by its id where what is here says the same, or more; else by what it says, in the same place.
    """
    by_key: dict[str, StoredMessage] = {key: message for message in stored for key in message.keys}
    beside: dict[tuple[int | None, Role], list[StoredMessage]] = {}
    for message in stored:
        beside.setdefault((message.parent, message.role), []).append(message)
    found = Matching()
    taken: set[int] = set()
    for message in incoming:
        place = _place(message, found.known)
        here = _find(message, by_key, beside.get((place, message.role), ()) if place != _NOWHERE else (), taken)
        if here is None:
            found.new.append(message)
        else:
            taken.add(here.number)
            found.known[message.id] = here.number
    return found


_NOWHERE = -1


def _place(message: MessageRecord, known: Mapping[str, int]) -> int | None:
    """Return the number of the parent, None at the root, ``_NOWHERE`` below a message that is new."""
    return None if message.parent_id is None else known.get(message.parent_id, _NOWHERE)


def _find(
    message: MessageRecord, by_key: Mapping[str, StoredMessage], beside: Sequence[StoredMessage], taken: set[int]
) -> StoredMessage | None:
    content = content_of(message.parts)
    named = by_key.get(message.id)
    if named is not None and named.number not in taken and named.role is message.role:
        is_here = message.deleted_at is not None or is_beginning(content, named.content)
        if is_here:
            return named
    if not content:
        return None
    return next((one for one in beside if one.number not in taken and one.content == content), None)
