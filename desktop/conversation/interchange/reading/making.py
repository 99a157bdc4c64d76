"""What the readers of all programs' formats share: tolerant looks into JSON, and the making of a whole, sound tree."""

import dataclasses
import json
import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, cast

from desktop.conversation.entities import MessageStatus, Part, Role, TextPart, ThreadOptions
from desktop.conversation.interchange.chat_json import EARLIEST, LATEST, LONGEST_ID, LONGEST_TITLE
from desktop.conversation.interchange.records import (
    ChatRecord,
    ImportedChat,
    MessageRecord,
    Source,
    TurnRecord,
)
from desktop.conversation.titles import title_from_text

_MILLISECONDS_FROM = 100_000_000_000
"""A number of seconds that large lies in the year 5138."""


class UnreadableChatError(ValueError):
    """Something that should be a chat is none."""


def fields(value: object) -> Mapping[str, Any]:
    """Return an object's fields; none where it is no object."""
    return cast(dict[str, Any], value) if isinstance(value, dict) else {}


def items(value: object) -> Sequence[Any]:
    """Return a list's items; none where it is no list."""
    return cast(list[Any], value) if isinstance(value, list) else ()


def text(value: object) -> str:
    """Return a text; empty where it is none."""
    return value if isinstance(value, str) else ""


def count(value: object) -> int | None:
    """Return a number that counts something; None where it is none."""
    return value if type(value) is int and 0 <= value < 2**53 else None


def as_json(value: object) -> str:
    """Return any value as JSON text, a text as it is."""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


def moment(value: object) -> datetime | None:
    """Return a time given as seconds, milliseconds or ISO 8601; None where it is none."""
    if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value > 0:
        seconds = value / 1000 if value >= _MILLISECONDS_FROM else value
        try:
            return _within(datetime.fromtimestamp(seconds, UTC))
        except (OverflowError, OSError, ValueError):
            return None
    if isinstance(value, str) and value:
        try:
            found = datetime.fromisoformat(value)
        except ValueError:
            return None
        return _within(found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC))
    return None


def _within(value: datetime) -> datetime | None:
    return value if EARLIEST <= value <= LATEST else None


def key(value: object, standard: str) -> str:
    """Return what something is called in its program, fit to be kept; ``standard`` where it has no name."""
    name = str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
    plain = "".join(character for character in name if character.isprintable())[:LONGEST_ID]
    return plain or standard


@dataclasses.dataclass(frozen=True, kw_only=True)
class Asset:
    """Bytes that a message names: given with it, or in the archive under a name that is, or begins with, ``hint``."""

    name: str
    """As people know the file."""
    hint: str = ""
    data: bytes | None = None


Read = tuple[ImportedChat, Mapping[str, Asset]]
"""A chat, and its files by the ids that its messages name them by."""


@dataclasses.dataclass(kw_only=True)
class Draft:
    """A message as a reader finds it, before its place in the tree is sure."""

    id: str
    parent_id: str | None
    role: Role
    parts: list[Part]
    at: datetime | None = None
    ended_at: datetime | None = None
    status: MessageStatus = MessageStatus.COMPLETE
    model: str = ""
    turn: TurnRecord | None = None


def make_chat(
    source: Source,
    *,
    chat_id: str,
    title: str,
    drafts: Sequence[Draft],
    tip: str | None,
    created_at: datetime | None,
    updated_at: datetime | None,
    title_by_user: bool = False,
    options: ThreadOptions | None = None,
    files: frozenset[str] = frozenset(),
) -> ImportedChat:
    """Return a chat with a sound tree: each message after its parent, none in a circle, user and answer in turn.

    What names a parent that is not there stands below the message before it.
    """
    ordered = _in_order(drafts)
    first = next((draft.at for draft in ordered if draft.at is not None), None)
    begun = created_at or first or updated_at or EARLIEST
    last = max((at for draft in ordered if (at := draft.ended_at or draft.at) is not None), default=begun)
    messages: list[MessageRecord] = []
    times: dict[str, datetime] = {}
    for draft in ordered:
        at = draft.at or times.get(draft.parent_id or "") or begun
        times[draft.id] = at
        ended = max(at, draft.ended_at or at)
        turn = None
        if draft.role is Role.ASSISTANT:
            turn = draft.turn or TurnRecord(model=draft.model, started_at=at, ended_at=ended, reason="completed")
        messages.append(
            MessageRecord(
                id=draft.id,
                parent_id=draft.parent_id,
                role=draft.role,
                status=draft.status,
                parts=tuple(draft.parts),
                created_at=at,
                updated_at=ended,
                turn=turn,
            )
        )
    known = {message.id for message in messages}
    chat = ChatRecord(
        id=chat_id,
        title=_title(title, messages),
        title_by_user=title_by_user,
        created_at=min(begun, last),
        updated_at=max(updated_at or last, begun),
        tip=tip if tip in known else (messages[-1].id if messages else None),
        options=options or ThreadOptions(),
    )
    return ImportedChat(source=source, chat=chat, messages=tuple(messages), files=files)


def _in_order(drafts: Sequence[Draft]) -> list[Draft]:
    """Each after its parent, else in the order given; of two with one id the first counts."""
    by_id: dict[str, Draft] = {}
    before: dict[str, str | None] = {}
    last: str | None = None
    for draft in drafts:
        if draft.id not in by_id:
            by_id[draft.id] = draft
            before[draft.id] = last
            last = draft.id
    for draft in by_id.values():
        if draft.parent_id is not None and draft.parent_id not in by_id:
            draft.parent_id = before[draft.id]
    placed: dict[str, Draft] = {}
    for draft in by_id.values():
        way: dict[str, Draft] = {}
        at: Draft | None = draft
        while at is not None and at.id not in placed:
            way[at.id] = at
            above = by_id.get(at.parent_id) if at.parent_id is not None else None
            if above is not None and above.id in way:  # a circle: it is cut where it closes
                at.parent_id = above = None
            at = above
        _place(way, placed)
    return list(placed.values())


def _place(way: Mapping[str, Draft], placed: dict[str, Draft]) -> None:
    """Put a way from a message up to its root, or to one that is placed, from its upper end on."""
    for one in reversed(list(way.values())):
        placed.setdefault(one.id, one)


def _title(given: str, messages: Sequence[MessageRecord]) -> str:
    shown = "".join(c if unicodedata.category(c) not in ("Cc", "Cs") else " " for c in given[: 4 * LONGEST_TITLE])
    line = " ".join(shown.split())[:LONGEST_TITLE]
    if line:
        return line
    first = next((m for m in messages if m.role is Role.USER and any(isinstance(p, TextPart) for p in m.parts)), None)
    said = next((p.text for p in first.parts if isinstance(p, TextPart)), "") if first is not None else ""
    return title_from_text(said[:10_000])


_THOUGHTS = re.compile(r"<(think|thinking|reasoning)>(.*?)</\1>\s*", re.DOTALL | re.IGNORECASE)


def thoughts_in(said: str) -> tuple[str, str]:
    """Return the reasoning that stands between marks at the beginning of an answer, and the answer without it."""
    found = _THOUGHTS.match(said.lstrip())
    if found is None:
        return "", said
    return found[2].strip(), said.lstrip()[found.end() :]
