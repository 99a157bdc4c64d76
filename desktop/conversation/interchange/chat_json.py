"""Our own format: one chat as JSON, complete, with a version; written message by message, and read back without loss.

``{"format": "threadwell-chat", "version": 1, "chat": {…}, "messages": [{…}, …]}``. Files stand beside it in an archive,
each as ``files/ID.ENDING``; ``files`` says which of them there are. Not in it are keys, permissions, memories, and what
can be made from it again: summaries and records of requests.
"""

import dataclasses
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar, cast

from desktop.conversation.assistants import as_json
from desktop.conversation.entities import AskedModel, MessageStatus, Role, ThreadOptions
from desktop.conversation.interchange.part_json import part_from_json, part_to_json
from desktop.conversation.interchange.records import (
    ChatRecord,
    FileRecord,
    ForeignText,
    MessageRecord,
    Origin,
    TurnRecord,
)
from desktop.core import typed_reading
from desktop.core.costs import Cost
from desktop.core.language_model import NO_USAGE, Usage

FORMAT, VERSION = "threadwell-chat", 1
MOST_MESSAGES = 500_000
MOST_PARTS = 50_000
LONGEST_TITLE = 1_000
LONGEST_ID = 200
_MOST_ORIGINS = 100
_LONGEST_PROMPT = 1_000_000
EARLIEST, LATEST = datetime(1970, 1, 1, tzinfo=UTC), datetime(9000, 1, 1, tzinfo=UTC)
_SURROGATE = re.compile("[\ud800-\udfff]")
T = TypeVar("T")


class NewerError(ValueError):
    """A later version of this program wrote it."""


# -- writing


def chat_head(chat: ChatRecord, files: Mapping[str, FileRecord]) -> str:
    """Return how the file of a chat begins: all but its messages and ``chat_end``."""
    head = {"format": FORMAT, "version": VERSION, "chat": chat_to_json(chat), "files": files_to_json(files)}
    return f'{to_text(head, indent=2)[:-2]},\n  "messages": ['


def message_line(message: MessageRecord, *, is_first: bool) -> str:
    """Return a message as it stands in the file, on a line."""
    return f"{'' if is_first else ','}\n    {to_text(message_to_json(message))}"


def chat_end() -> str:
    return "\n  ]\n}\n"


def to_text(value: object, *, indent: int | None = None) -> str:
    """Return JSON that UTF-8 can hold."""
    return whole_characters(json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False))


def whole_characters(text: str) -> str:
    """Return a text as UTF-8 can hold it: halves of characters are joined, and become U+FFFD where they are alone."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") if _SURROGATE.search(text) else text


def files_to_json(files: Mapping[str, FileRecord]) -> dict[str, Any]:
    return {key: {"suffix": one.suffix, "size": one.size} for key, one in files.items()}


def chat_to_json(chat: ChatRecord) -> dict[str, Any]:
    """Return what ``chat_from_json`` reads."""
    found: dict[str, Any] = {
        "id": chat.id,
        "title": chat.title,
        "title_by_user": chat.title_by_user,
        "created_at": _time_text(chat.created_at),
        "updated_at": _time_text(chat.updated_at),
        "deleted_at": _time_text(chat.deleted_at),
        "tip": chat.tip,
        "options": _options_to_json(chat.options),
        "foreign_text": None,
        "origins": [{"source": origin.source, "id": origin.id} for origin in chat.origins],
        "pinned_at": _time_text(chat.pinned_at),
        "archived_at": _time_text(chat.archived_at),
        "folder": chat.folder or None,
    }
    if (foreign := chat.foreign_text) is not None:
        found["foreign_text"] = {"cause": foreign.cause, "detail": foreign.detail, "at": _time_text(foreign.at)}
    return {key: value for key, value in found.items() if value not in (None, [], {})}


def message_to_json(message: MessageRecord) -> dict[str, Any]:
    """Return what ``message_from_json`` reads."""
    found: dict[str, Any] = {
        "id": message.id,
        "parent": message.parent_id,
        "role": message.role.value,
        "status": message.status.value,
        "created_at": _time_text(message.created_at),
        "updated_at": _time_text(message.updated_at),
        "deleted_at": _time_text(message.deleted_at),
        "shown": message.shown,
        "turn": _turn_to_json(message.turn) if message.turn is not None else None,
        "parts": [part_to_json(part) for part in message.parts],
    }
    return {key: value for key, value in found.items() if value is not None}


def _options_to_json(options: ThreadOptions) -> dict[str, Any]:
    found = {
        field.name: value
        for field in dataclasses.fields(options)
        if (value := getattr(options, field.name)) != field.default
    }
    if options.assistant is not None:
        found["assistant"] = as_json.to_json(options.assistant)
    if options.asked_beside:
        found["asked_beside"] = [dataclasses.asdict(asked) for asked in options.asked_beside]
    return found


def _turn_to_json(turn: TurnRecord) -> dict[str, Any]:
    found: dict[str, Any] = {
        "model": turn.model,
        "started_at": _time_text(turn.started_at),
        "ended_at": _time_text(turn.ended_at),
        "reason": turn.reason,
        **_spent_to_json(turn.usage, turn.cost),
        "duration_seconds": turn.duration_seconds,
        "is_copy": turn.is_copy or None,
    }
    return {key: value for key, value in found.items() if value not in (None, "")}


def _spent_to_json(usage: Usage, cost: Cost | None) -> dict[str, Any]:
    counts = {key: count for key, count in dataclasses.asdict(usage).items() if count is not None}
    known_cost = cost if cost is not None and math.isfinite(cost.amount) else None
    return {
        **({"usage": counts} if counts else {}),
        **({"cost": dataclasses.asdict(known_cost)} if known_cost is not None else {}),
    }


def _time_text(moment: datetime | None) -> str | None:
    return None if moment is None else moment.astimezone(UTC).isoformat(timespec="microseconds")


# -- reading; everything raises ``ValueError`` for what this program never writes


def chat_of(value: object) -> tuple[ChatRecord, Iterator[MessageRecord], Mapping[str, FileRecord]]:
    """Return the chat of a whole file, its messages, which are read one by one, and the files that stand beside it."""
    fields = _object(value)
    require_known_version(fields)
    messages = _list(fields.get("messages", []), MOST_MESSAGES)
    return chat_from_json(fields.get("chat")), map(message_from_json, messages), files_from_json(fields.get("files"))


def require_known_version(fields: Mapping[str, Any]) -> None:
    """Raises ``NewerError`` for a version that this program does not know, ``ValueError`` for none."""
    version = fields.get("version")
    if type(version) is not int or version < 1:
        raise ValueError("it has no version")
    if version > VERSION:
        raise NewerError(f"it has version {version}")


def files_from_json(value: object) -> dict[str, FileRecord]:
    files: dict[str, FileRecord] = {}
    for key, given in _object(value if value is not None else {}).items():
        one = typed_reading.read(FileRecord, "file", given)
        if not re.fullmatch(r"(?:\.[a-z0-9]{1,8})?", one.suffix):
            raise ValueError("the ending of a file is none")
        files[_id(key)] = one
    return files


def chat_from_json(value: object) -> ChatRecord:
    """Return the chat."""
    fields = _object(value)
    foreign = fields.get("foreign_text")
    tip = fields.get("tip")
    origins = _list(fields.get("origins", []), _MOST_ORIGINS)
    return ChatRecord(
        id=_id(fields.get("id")),
        title=_text(fields.get("title", ""), LONGEST_TITLE),
        title_by_user=_flag(fields.get("title_by_user", False)),
        created_at=_time(fields.get("created_at")),
        updated_at=_time(fields.get("updated_at")),
        deleted_at=_time_or_none(fields.get("deleted_at")),
        tip=None if tip is None else _id(tip),
        options=_options(fields.get("options", {})),
        foreign_text=None if foreign is None else _foreign_text(_object(foreign)),
        origins=tuple(_origin(_object(one)) for one in origins),
        pinned_at=_time_or_none(fields.get("pinned_at")),
        archived_at=_time_or_none(fields.get("archived_at")),
        folder=_text(fields.get("folder", ""), LONGEST_TITLE),
    )


def message_from_json(value: object) -> MessageRecord:
    """Return a message."""
    fields = _object(value)
    parent, turn, shown = fields.get("parent"), fields.get("turn"), fields.get("shown")
    if shown is not None and (type(shown) is not int or not 0 <= shown <= MOST_MESSAGES):
        raise ValueError("the order of what was shown is no number")
    return MessageRecord(
        id=_id(fields.get("id")),
        parent_id=None if parent is None else _id(parent),
        role=Role(fields.get("role")),
        status=MessageStatus(fields.get("status", MessageStatus.COMPLETE)),
        parts=tuple(map(part_from_json, _list(fields.get("parts", []), MOST_PARTS))),
        created_at=_time(fields.get("created_at")),
        updated_at=_time(fields.get("updated_at")),
        deleted_at=_time_or_none(fields.get("deleted_at")),
        shown=shown,
        turn=None if turn is None else _turn(_object(turn)),
    )


def _options(value: object) -> ThreadOptions:
    given = dict(_object(value))
    asked = _list(given.pop("asked_beside", []), 100)
    assistant = given.pop("assistant", None)
    options = typed_reading.read(ThreadOptions, "options", given)
    if options.temperature is not None and not 0 <= options.temperature <= 2:
        raise ValueError("the temperature is none")
    for text in (options.system_prompt, options.endpoint_id, options.model, options.workspace):
        _text(text or "", _LONGEST_PROMPT)
    return dataclasses.replace(
        options,
        asked_beside=tuple(typed_reading.read(AskedModel, "model", one) for one in asked),
        assistant=None if assistant is None else as_json.from_json(assistant),
    )


def _foreign_text(fields: Mapping[str, Any]) -> ForeignText:
    cause, detail = _text(fields.get("cause"), 100), _text(fields.get("detail", ""), 1_000)
    return ForeignText(cause=cause, detail=detail, at=_time(fields.get("at")))


def _origin(fields: Mapping[str, Any]) -> Origin:
    return Origin(source=_text(fields.get("source"), 40), id=_id(fields.get("id")))


def _turn(fields: Mapping[str, Any]) -> TurnRecord:
    usage, cost = _spent(fields)
    return TurnRecord(
        model=_text(fields.get("model", ""), 1_000),
        started_at=_time(fields.get("started_at")),
        ended_at=_time_or_none(fields.get("ended_at")),
        reason=_text(fields.get("reason", ""), 200),
        usage=usage,
        cost=cost,
        duration_seconds=_seconds(fields.get("duration_seconds")),
        is_copy=fields.get("is_copy") is True,
    )


def _spent(fields: Mapping[str, Any]) -> tuple[Usage, Cost | None]:
    usage, cost = fields.get("usage"), fields.get("cost")
    return (
        NO_USAGE if usage is None else typed_reading.read(Usage, "usage", usage),
        None if cost is None else typed_reading.read(Cost, "cost", cost),
    )


def _object(value: object) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("something is no object")
    return cast(dict[str, Any], value)


def _list(value: object, most: int) -> Sequence[object]:
    if not isinstance(value, list):
        raise ValueError("something is no list")
    values = cast(list[object], value)
    if len(values) > most:
        raise ValueError("a list is too long")
    return values


def _text(value: object, longest: int) -> str:
    if not isinstance(value, str) or len(value) > longest:
        raise ValueError("a text is none, or too long")
    return value


def _id(value: object) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST_ID or not value.isprintable():
        raise ValueError("an id is none")
    return value


def _flag(value: object) -> bool:
    if type(value) is not bool:
        raise ValueError("something is neither true nor false")
    return value


def _seconds(value: object) -> float | None:
    if value is None:
        return None
    if type(value) not in (int, float) or not 0 <= cast(float, value) < 1e9:
        raise ValueError("a duration is none")
    return float(cast(float, value))


def _time(value: object) -> datetime:
    if not isinstance(value, str):
        raise ValueError("a time is none")
    moment = datetime.fromisoformat(value)
    if moment.tzinfo is None:
        raise ValueError("a time has no offset")
    moment = moment.astimezone(UTC)
    if not EARLIEST <= moment <= LATEST:
        raise ValueError("a time lies too far away")
    return moment


def _time_or_none(value: object) -> datetime | None:
    return None if value is None else _time(value)
