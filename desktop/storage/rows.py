"""Entities to columns and back: times, text that SQLite can hold, and the parts of a message."""

import dataclasses
import json
import re
import sqlite3
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from desktop.conversation.entities import (
    AttachmentKind,
    AttachmentPart,
    ErrorPart,
    MessageStatus,
    Part,
    RecalledRef,
    RecallPart,
    RemarkPart,
    ReplayPart,
    ResultStatus,
    Role,
    SourcesPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
)
from desktop.conversation.inner_run import InnerRunPart
from desktop.conversation.plans import InstructionPart, PlanPart, plan_from_json, plan_to_json
from desktop.core.errors import StorageError
from desktop.core.language_model import Source, Usage
from desktop.core.tool_content import ResultItem, item_from_json, item_to_json

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_LAST = (datetime(9998, 12, 31, tzinfo=UTC) - _EPOCH) // _MICROSECOND  # a later one has no local time everywhere
_SURROGATE = re.compile("[\ud800-\udfff]")
_LARGEST_INTEGER = 2**63 - 1

ROLES = {role.value: role for role in Role}
STATUSES = {status.value: status for status in MessageStatus}
SNIPPET_LENGTH = 120
"""Characters of a chat's text that the list of chats shows."""
OWNER_OF_DRAFT = """SELECT 1 FROM threads AS t WHERE t.is_purging = 0
    AND (t.id = ?1 OR t.seq = (SELECT m.thread_seq FROM messages AS m WHERE m.id = ?1))"""
"""Finds the thread to which a draft belongs: the draft's id is its own, or that of a message that is sent anew."""
ATTACHMENT = "attachment"
"""The kind of the rows of attached files."""
INNER_RUN = "inner_run"
"""The kind of the rows with what an assistant did that an answer asked."""
PLAN = "plan"
"""The kind of the row with an answer's plan; its text is the list of the steps."""
_OF_ATTACHMENTS = tuple(f.name for f in dataclasses.fields(AttachmentPart) if f.name not in ("text", "step"))

PartRow = tuple[int, str, str, str]
"""step, kind, text, payload"""


def to_microseconds(moment: datetime) -> int:
    return (moment - _EPOCH) // _MICROSECOND


def from_microseconds(value: int) -> datetime:
    """Return the moment; one that a damaged file puts before 1970 or beyond the calendar becomes the nearest end."""
    return _EPOCH + timedelta(microseconds=min(max(value, 0), _LAST))


def optional_time(value: int | None) -> datetime | None:
    return None if value is None else from_microseconds(value)


def clean(text: str) -> str:
    """Return ``text`` as UTF-8 can hold it: surrogate pairs joined, lone surrogates replaced by U+FFFD."""
    if not _SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def storable_count(value: int | None) -> int | None:
    """Return a number as the endpoint reported it, within what a column holds."""
    return None if value is None else max(-_LARGEST_INTEGER, min(value, _LARGEST_INTEGER))


def encode_part(part: Part) -> PartRow:
    match part:
        case TextPart():
            return part.step, "text", clean(part.text), ""
        case ThinkingPart():
            timed = {} if part.duration_seconds is None else {"duration_seconds": part.duration_seconds}
            return part.step, "thinking", clean(part.text), _to_json(timed) if timed else ""
        case ToolCallPart():
            payload: dict[str, Any] = {"call_id": part.call_id, "name": part.name}
            if part.extra:
                payload["extra"] = dict(part.extra)
            return part.step, "tool_call", clean(part.arguments), _to_json(payload)
        case ToolResultPart():
            payload = {"call_id": part.call_id, "status": part.status.value, "duration_seconds": part.duration_seconds}
            if part.items:
                payload["items"] = [item_to_json(item) for item in part.items]
            return part.step, "tool_result", clean(part.text), _to_json(payload)
        case AttachmentPart():
            payload = {name: value for name in _OF_ATTACHMENTS if (value := getattr(part, name))}
            return part.step, ATTACHMENT, clean(part.text), _to_json(payload)
        case PlanPart():
            return part.step, PLAN, clean(part.text), _to_json(plan_to_json(part))
        case InstructionPart():
            return part.step, "instruction", clean(part.text), _to_json({"place": part.place})
        case InnerRunPart():
            return part.step, INNER_RUN, "", _to_json(_inner_to_json(part))
        case ErrorPart() | SourcesPart() | RemarkPart() | RecallPart() | ReplayPart():
            kind, payload = _without_text(part)
            return part.step, kind, "", _to_json(payload)


def _without_text(
    part: ErrorPart | SourcesPart | RemarkPart | RecallPart | ReplayPart,
) -> tuple[str, dict[str, Any]]:
    match part:
        case ErrorPart():
            return "error", {"code": part.code, "params": dict(part.params)}
        case SourcesPart():
            return "sources", {"sources": [{"url": source.url, "title": source.title} for source in part.sources]}
        case RemarkPart():
            return "remark", {"code": part.code, "params": dict(part.params)}
        case RecallPart():
            found, standing = [dataclasses.asdict(ref) for ref in part.found], list(part.standing)
            told: dict[str, Any] = {"silence": part.silence, "had_meaning": part.had_meaning}
            if part.no_room:
                told["no_room"] = [dataclasses.asdict(ref) for ref in part.no_room]
            if part.standing_no_room:
                told["standing_no_room"] = list(part.standing_no_room)
            return "recall", {"found": found, "standing": standing, **told}
        case ReplayPart():
            return "replay", {"fields": dict(part.fields)}


def _inner_to_json(part: InnerRunPart) -> dict[str, Any]:
    return {
        "call_id": part.call_id,
        "assistant": part.assistant,
        "model": part.model,
        "parts": [encode_part(each) for each in part.parts],
        "usage": dataclasses.asdict(part.usage),
    }


def recall_from_json(fields: dict[str, Any], step: int) -> RecallPart:
    """Return what an answer was told, from the fields of its part."""
    return RecallPart(
        found=tuple(RecalledRef(**ref) for ref in fields["found"]),
        standing=tuple(fields["standing"]),
        silence=fields["silence"],
        had_meaning=fields["had_meaning"],
        no_room=tuple(RecalledRef(**ref) for ref in fields.get("no_room", ())),
        standing_no_room=tuple(fields.get("standing_no_room", ())),
        step=step,
    )


def decode_part(row: PartRow) -> Part:
    """Return the part of a row. Raises ``StorageError`` for one that this program did not write."""
    step, kind, text, payload = row
    try:
        if kind == "text":
            return TextPart(text=text, step=step)
        if kind == "thinking":
            timed: dict[str, Any] = json.loads(payload) if payload else {}
            return ThinkingPart(text=text, step=step, duration_seconds=timed.get("duration_seconds"))
        fields: dict[str, Any] = json.loads(payload)
        if kind == "tool_call":
            return ToolCallPart(
                call_id=fields["call_id"],
                name=fields["name"],
                arguments=text,
                step=step,
                extra=fields.get("extra", {}),
            )
        if kind == "tool_result":
            return ToolResultPart(
                call_id=fields["call_id"],
                status=ResultStatus(fields["status"]),
                text=text,
                duration_seconds=fields["duration_seconds"],
                items=tuple(map(item_from_json, fields.get("items", ()))),
                step=step,
            )
        if kind in ("error", "remark"):
            code, params = fields["code"], fields["params"]
            is_error = kind == "error"
            return (
                ErrorPart(code=code, params=params, step=step)
                if is_error
                else RemarkPart(code=code, params=params, step=step)
            )
        if kind == "sources":
            sources = tuple(Source(url=source["url"], title=source["title"]) for source in fields["sources"])
            return SourcesPart(sources=sources, step=step)
        if kind == "recall":
            return recall_from_json(fields, step)
        if kind == "replay":
            return ReplayPart(fields=fields["fields"], step=step)
        if kind in (PLAN, "instruction"):
            return (
                plan_from_json(fields, step)
                if kind == PLAN
                else InstructionPart(text=text, place=fields["place"], step=step)
            )
        if kind in (INNER_RUN, ATTACHMENT):
            return _composed(kind, fields, text, step)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise unreadable(f"a part of kind {kind!r}") from error
    raise unreadable(f"a part of kind {kind!r}")


def _composed(kind: str, fields: dict[str, Any], text: str, step: int) -> AttachmentPart | InnerRunPart:
    if kind == INNER_RUN:
        inner = tuple(decode_part((row[0], row[1], row[2], row[3])) for row in fields.pop("parts"))
        usage = Usage(**fields.pop("usage"))
        return InnerRunPart(**fields, parts=inner, usage=usage, step=step)
    fields["kind"] = AttachmentKind(fields["kind"])
    # What is empty was left out: an imported chat may name files that did not come with it.
    return AttachmentPart(text=text, step=step, **{"attachment_id": "", "name": "", "size": 0, **fields})


def encode_items(items: Sequence[ResultItem]) -> str | None:
    """Return what the journal keeps of the items of a result; None where there are none."""
    return _to_json({"items": [item_to_json(item) for item in items]}) if items else None


def decode_items(value: str | None) -> tuple[ResultItem, ...]:
    """Return the items of a journal's row. Raises ``StorageError`` for what this program did not write."""
    try:
        return tuple(map(item_from_json, json.loads(value)["items"])) if value else ()
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise unreadable("what a tool returned") from error


def role_of(value: str) -> Role:
    """Return the role of a column. Raises ``StorageError`` for one that this program did not write."""
    try:
        return ROLES[value]
    except KeyError as error:
        raise unreadable(f"the role {value!r}") from error


def status_of(value: str) -> MessageStatus:
    """Return the status of a column. Raises ``StorageError`` for one that this program did not write."""
    try:
        return STATUSES[value]
    except KeyError as error:
        raise unreadable(f"the status {value!r}") from error


def unreadable(what: str) -> StorageError:
    """Return the error for a row that holds what this program never writes."""
    return StorageError("storage.failed", detail=f"The database is damaged ({what} cannot be read).")


def _to_json(payload: dict[str, Any]) -> str:
    return clean(json.dumps(payload, ensure_ascii=False, separators=(",", ":")))


def measure(rows: Iterable[PartRow]) -> tuple[int, int, int]:
    """Return characters, newlines and number of the parts, for the outline."""
    texts = ["" if row[1] == ATTACHMENT else row[2] for row in rows]
    return sum(map(len, texts)), sum(text.count("\n") for text in texts), len(texts)


def one_line(text: str, limit: int) -> str:
    """Return the beginning of ``text`` on one line, with ``…`` where it was cut."""
    line = " ".join(text[: limit * 4].replace("\0", " ").split())
    return line if len(line) <= limit and len(text) <= limit * 4 else f"{line[: limit - 1]}…"


def next_number(connection: sqlite3.Connection) -> int:
    """Draw the next number of the one sequence that orders everything."""
    number: int = connection.execute("UPDATE sequence SET value = value + 1 RETURNING value").fetchone()[0]
    return number


def want_wipe(connection: sqlite3.Connection) -> None:
    """Note, with what is removed, that ``purge.finish`` is to take every trace of it out of the files."""
    connection.execute(
        "INSERT OR REPLACE INTO meta (key, value) VALUES ('wipe_pending', ?)", (next_number(connection),)
    )


def placeholders(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))
