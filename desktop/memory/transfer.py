"""Remembered items as files: our own JSON, which holds all of them, and Markdown lists for people. Pure functions.

The JSON is an object ``{"format": "threadwell-memories", "version": 1, "memories": […]}``. A memory has ``text``, ``kind``
(identity, preference, fact, plan, event, wish), ``status`` (active, superseded, pending), ``author`` (said, written),
``importance`` (0 to 1), ``pinned``, ``id`` and ``supersedes`` (an id of the same file), ``only_chat``, ``source``
(``chat``, ``message``, ``quote``), ``created_at``, ``updated_at``, ``observed_at``, ``valid_to``, ``used_count`` and
``last_used_at``; times are ISO 8601 with their offset. Only ``text`` must be there. Read are also lists of texts, and of
objects whose text stands under a usual name; and from text files one memory for each line or list entry.

What is read believes nothing: it is bounded, gets new ids, and is judged (``plan``) before anything is stored.
"""

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Any, cast

from desktop.core.errors import FileError
from desktop.core.ids import new_id
from desktop.core.json_lists import JsonListError, entries_in
from desktop.core.text_encoding import text_in
from desktop.memory.entities import Author, MemoryItem, MemoryKind, MemorySource, MemoryStatus
from desktop.memory.refusals import Refusal, refusal_of

FORMAT, VERSION = "threadwell-memories", 1
MOST_BYTES = 16_000_000
MOST_ITEMS = 20_000
MOST_CHARACTERS = 1_000
"""Of one text."""
_MOST_QUOTE, _MOST_ID = 2_000, 64
_MOST_COUNT = 1_000_000_000
_TEXT_NAMES = ("text", "memory", "content", "fact", "value")
_LIST_NAMES = ("memories", "facts", "items", "results", "data")
_BULLET = re.compile(r"\s*(?:[-*+•‣·]|\d{1,5}[.)、．])\s+(?:\[[ xX]\]\s+)?(?P<text>\S.*)")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+(?P<title>.*)")
_KIND_AT_END = re.compile(r"[(（](?P<kind>[a-z]+)[)）]\s*#*\s*$")
_NO_TEXT = re.compile(r"\s*(?:```.*|~~~.*|-{3,}|\*{3,}|_{3,}|={3,}|<!--.*-->)?\s*")
_DATE = re.compile(r"\[(?P<date>\d{4}-\d{2}-\d{2})\]\s*[-–—:]?\s*")
_KEPT_FORMATS = frozenset("\u200c\u200d")
"""Without a shape of their own, but needed by emoji and some scripts."""


class Problem(StrEnum):
    """Why nothing of a file can be read."""

    TOO_LARGE = "too_large"
    NOT_TEXT = "not_text"
    DAMAGED = "damaged"
    """It begins as JSON and is none."""
    NEWER = "newer"
    """A later version of this program wrote it."""
    NOTHING = "nothing"
    TOO_MANY = "too_many"


class Why(StrEnum):
    """Why one entry is refused."""

    EMPTY = "empty"
    TOO_LONG = "too_long"
    SECRET = "secret"
    PLACEHOLDER = "placeholder"
    INSTRUCTION = "instruction"
    UNREADABLE = "unreadable"
    """Something of it is not what it should be, such as a date."""
    OTHER_CHAT = "other_chat"
    """It counts in one chat only, which is not here."""


class Verdict(StrEnum):
    """What an import does with an entry."""

    NEW = "new"
    KNOWN = "known"
    """Something of the same text is there, or stands further up in the file: nothing is overwritten."""
    FORGOTTEN = "forgotten"
    """The user forgot it before; it stays forgotten."""
    REFUSED = "refused"


@dataclass(frozen=True)
class Entry:
    """One entry of a file: an item, or the beginning of its text and why it is none."""

    item: MemoryItem | None
    text: str
    why: Why | None = None


@dataclass(frozen=True)
class Reading:
    entries: tuple[Entry, ...] = ()
    problem: Problem | None = None


@dataclass(frozen=True)
class Planned:
    """What becomes of one entry; ``item`` is to be stored where it is ``NEW``."""

    verdict: Verdict
    text: str
    item: MemoryItem | None = None
    why: Why | None = None


# -- writing


def to_json(items: Iterable[MemoryItem]) -> str:
    """Return the file that holds these items with all that is known of them."""
    content = {"format": FORMAT, "version": VERSION, "memories": [_fields(item) for item in items]}
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def to_markdown(items: Iterable[MemoryItem], title: str, words: Mapping[MemoryKind, str]) -> str:
    """Return a list for people: what holds now, a heading for each kind, in the given ``words``."""
    active = [item for item in items if item.status is MemoryStatus.ACTIVE]
    lines = [f"# {title}"]
    for kind in MemoryKind:
        if texts := [_one_line(item.text) for item in active if item.kind is kind]:
            lines += ["", f"## {words[kind]} ({kind.value})", "", *(f"- {text}" for text in texts)]
    return "\n".join(lines) + "\n"


def _fields(item: MemoryItem) -> dict[str, Any]:
    source = item.source
    return {
        "id": item.id,
        "text": item.text,
        "kind": item.kind.value,
        "status": item.status.value,
        "author": item.author.value,
        "importance": item.importance,
        "pinned": item.is_pinned,
        "only_chat": item.only_thread_id,
        "source": source and {"chat": source.thread_id, "message": source.message_id, "quote": source.quote},
        "created_at": item.created_at.isoformat(),
        "updated_at": item.updated_at.isoformat(),
        "observed_at": item.observed_at.isoformat(),
        "valid_to": item.valid_to and item.valid_to.isoformat(),
        "supersedes": item.supersedes_id,
        "used_count": item.used_count,
        "last_used_at": item.last_used_at and item.last_used_at.isoformat(),
    }


# -- reading


def read(data: bytes, now: datetime) -> Reading:
    """Return what a file holds. ``now`` is when that was said of which the file does not say it."""
    if len(data) > MOST_BYTES:
        return Reading(problem=Problem.TOO_LARGE)
    try:
        text = text_in(data)
    except FileError:
        return Reading(problem=Problem.NOT_TEXT)
    # A list of lines may begin with a date in brackets.
    is_json = text.lstrip()[:1] == "{" or (text.lstrip()[:1] == "[" and not _DATE.match(text.lstrip()))
    reading = _read_json(text, now) if is_json else _read_lines(text, now)
    if reading.problem is None and len(reading.entries) > MOST_ITEMS:
        return Reading(problem=Problem.TOO_MANY)
    return reading if reading.entries or reading.problem else Reading(problem=Problem.NOTHING)


def _read_json(text: str, now: datetime) -> Reading:
    try:
        values = entries_in(text, own_format=FORMAT, version=VERSION, list_names=_LIST_NAMES)
    except JsonListError as error:
        return Reading(problem=Problem.NEWER if error.is_newer else Problem.DAMAGED)
    if values is None:
        return Reading(problem=Problem.NOTHING)
    if len(values) > MOST_ITEMS:
        return Reading(problem=Problem.TOO_MANY)
    return Reading(tuple(_entry_of(value, now) for value in values))


def _read_lines(text: str, now: datetime) -> Reading:
    lines = text.split("\n", 2 * MOST_ITEMS + 1)
    if len(lines) > 2 * MOST_ITEMS:
        return Reading(problem=Problem.TOO_MANY)
    has_bullets = any(_BULLET.match(line[: 4 * MOST_CHARACTERS]) for line in lines)
    kind = MemoryKind.FACT
    entries: list[Entry] = []
    for line in lines:
        line = line if len(line) <= 4 * MOST_CHARACTERS else line[: 4 * MOST_CHARACTERS]
        if heading := _HEADING.match(line):
            kind = _kind_of(heading["title"])
            continue
        bullet = _BULLET.match(line)
        if bullet is None and (has_bullets or _NO_TEXT.fullmatch(line)):
            continue
        entries.append(_entry_of_line(bullet["text"] if bullet else line, kind, now))
    return Reading(tuple(entries))


def _kind_of(title: str) -> MemoryKind:
    found = _KIND_AT_END.search(title)
    kinds = {kind.value: kind for kind in MemoryKind}
    return kinds.get(found["kind"], MemoryKind.FACT) if found else MemoryKind.FACT


def _entry_of_line(line: str, kind: MemoryKind, now: datetime) -> Entry:
    line, at = line.strip(), now
    if dated := _DATE.match(line):
        try:
            day = date.fromisoformat(dated["date"])
            at = min(datetime(day.year, day.month, day.day, 12, tzinfo=UTC), now)
        except ValueError:
            at = now  # a number that only looks like a date
        else:
            line = line[dated.end() :]
    return _judged(_written(line, kind, at, now))


def _entry_of(value: object, now: datetime) -> Entry:
    if isinstance(value, str):
        return _judged(_written(value, MemoryKind.FACT, now, now))
    fields = cast(dict[str, Any], value) if isinstance(value, dict) else {}
    text = next((fields[name] for name in _TEXT_NAMES if isinstance(fields.get(name), str)), "")
    if not text:
        return Entry(None, "", Why.UNREADABLE)
    try:
        return _judged(_item_of(fields, text, now))
    except (ValueError, TypeError, OverflowError):
        return Entry(None, _shortened(text), Why.UNREADABLE)


def _item_of(fields: Mapping[str, Any], text: str, now: datetime) -> MemoryItem:
    """Return what an object says. Raises ``ValueError`` or ``TypeError`` where something is not what it should be."""
    source = _source_of(fields.get("source"))
    created = _time(fields.get("created_at"), now) or now
    author = Author(fields.get("author", Author.WRITTEN))
    importance = fields.get("importance", 0.5)
    used, pinned = fields.get("used_count", 0), fields.get("pinned", False)
    if type(importance) not in (int, float) or not 0 <= importance <= 1:
        raise ValueError("importance")
    if type(used) is not int or not 0 <= used <= _MOST_COUNT or type(pinned) is not bool:
        raise ValueError("used_count or pinned")
    return MemoryItem(
        id=_id(fields.get("id")) or new_id(),
        text=_clean(text[: 4 * MOST_CHARACTERS]),
        kind=MemoryKind(fields.get("kind", MemoryKind.FACT)),
        author=author if source is not None else Author.WRITTEN,
        created_at=created,
        updated_at=_time(fields.get("updated_at"), now) or created,
        observed_at=_time(fields.get("observed_at"), now) or created,
        status=MemoryStatus(fields.get("status", MemoryStatus.ACTIVE)),
        importance=float(importance),
        is_pinned=pinned,
        only_thread_id=_id(fields.get("only_chat")),
        source=source,
        valid_to=_time(fields.get("valid_to"), None),
        supersedes_id=_id(fields.get("supersedes")),
        used_count=used,
        last_used_at=_time(fields.get("last_used_at"), now),
    )


def _source_of(value: object) -> MemorySource | None:
    if not isinstance(value, dict):
        return None
    fields = cast(dict[str, Any], value)
    thread_id, message_id, quote = _id(fields.get("chat")), _id(fields.get("message")), fields.get("quote", "")
    if not thread_id or not message_id or not isinstance(quote, str) or len(quote) > _MOST_QUOTE:
        raise ValueError("source")
    return MemorySource(thread_id=thread_id, message_id=message_id, quote=_clean(quote))


def _id(value: object) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or not 0 < len(value) <= _MOST_ID or not value.isascii() or not value.isprintable():
        raise ValueError("id")
    return value


def _time(value: object, latest: datetime | None) -> datetime | None:
    """Return a moment, no later than ``latest``. Raises ``ValueError`` where it is none."""
    if value is None:
        return None
    moment = datetime.fromisoformat(cast(str, value))
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    moment = moment.astimezone(UTC)
    if not 1970 <= moment.year <= 9000:
        raise ValueError("time")
    return min(moment, latest) if latest is not None else moment


def _written(text: str, kind: MemoryKind, at: datetime, now: datetime) -> MemoryItem:
    return MemoryItem(
        id=new_id(),
        text=_one_line(_clean(text[: 4 * MOST_CHARACTERS])),
        kind=kind,
        author=Author.WRITTEN,
        created_at=now,
        updated_at=now,
        observed_at=at,
    )


def _judged(item: MemoryItem) -> Entry:
    shown = _shortened(item.text)
    if len(item.text) > MOST_CHARACTERS:
        return Entry(None, shown, Why.TOO_LONG)
    refusal = refusal_of(item.text, item.source.quote if item.source is not None else "")
    if refusal is None:
        return Entry(item, shown)
    # A secret is not to be shown either.
    return Entry(None, "" if refusal is Refusal.SECRET else shown, Why(refusal))


# -- what an import would do


def normal(text: str) -> str:
    """Return what two texts share that say the same in the same words."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split()).rstrip(".。!！ ")


def plan(entries: Sequence[Entry], *, known: Set[str], forgotten: Set[str], chats: Set[str]) -> tuple[Planned, ...]:
    """Return what becomes of each entry; what is new has ids of its own.

    ``known`` are the ``normal`` texts of what is there, ``forgotten`` the ids of entries that were forgotten before,
    ``chats`` the ids of the chats that are here.
    """
    ids = {entry.item.id: new_id() for entry in entries if entry.item is not None}
    seen = set(known)
    planned: list[Planned] = []
    for entry in entries:
        item = entry.item
        if item is None:
            planned.append(Planned(Verdict.REFUSED, entry.text, why=entry.why))
        elif normal(item.text) in seen:
            planned.append(Planned(Verdict.KNOWN, entry.text))
        elif item.id in forgotten:
            planned.append(Planned(Verdict.FORGOTTEN, entry.text))
        elif item.only_thread_id is not None and item.only_thread_id not in chats:
            planned.append(Planned(Verdict.REFUSED, entry.text, why=Why.OTHER_CHAT))
        else:
            seen.add(normal(item.text))
            own = replace(item, id=ids[item.id], supersedes_id=ids.get(item.supersedes_id or ""))
            planned.append(Planned(Verdict.NEW, entry.text, own))
    return tuple(planned)


def _clean(text: str) -> str:
    """Without what cannot be seen and could deceive, and without halves of characters."""
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return "".join(
        character
        for character in text
        if character in "\n\t" or character in _KEPT_FORMATS or unicodedata.category(character) not in ("Cc", "Cf")
    ).strip()


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _shortened(text: str) -> str:
    line = _one_line(text[: 2 * MOST_CHARACTERS])
    return line if len(line) <= 200 else f"{line[:199]}…"
