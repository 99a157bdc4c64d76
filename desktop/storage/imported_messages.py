"""Adds the messages of an imported chat, inside a transaction: their parts, turns and files, and whether others wrote of it."""

import dataclasses
import re
import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime

from desktop.conversation.entities import (
    AttachmentPart,
    MessageStatus,
    Part,
    Role,
    SourcesPart,
    ToolCallPart,
    ToolResultPart,
)
from desktop.conversation.interchange.ports import KeptFile
from desktop.conversation.interchange.records import (
    ChatRecord,
    ImportedChat,
    MessageRecord,
    Source,
    TurnRecord,
    files_of,
)
from desktop.core.ids import new_id
from desktop.storage import indexes, messages
from desktop.storage.attachments import claim_new
from desktop.storage.rows import clean, next_number, placeholders, storable_count, to_microseconds
from desktop.tools.taint import MOST_DETAIL_CHARS, TaintCause

OWN_ID = re.compile(r"[0-9a-z]{26}")
"""What ids of threads and messages that this program made look like."""
_CHUNK = 500
_NO_FILE: Mapping[str, str | int] = {"attachment_id": "", "sent_type": "", "sent_size": 0}


def insert(
    connection: sqlite3.Connection,
    chat: ImportedChat,
    new: Sequence[MessageRecord],
    thread_seq: int,
    known: Mapping[str, int],
    files: Mapping[str, KeptFile],
) -> dict[str, int]:
    """Add messages and return their numbers by their ids in the import."""
    is_own = chat.source is Source.THREADWELL
    taken = _taken(connection, [message.id for message in new]) if is_own else set[str]()
    numbers: dict[str, int] = {}
    for message in new:
        keeps_id = is_own and message.id not in taken and OWN_ID.fullmatch(message.id) is not None
        parent = None if message.parent_id is None else numbers.get(message.parent_id, known.get(message.parent_id))
        parts = () if message.deleted_at is not None else _parts(message, files)
        seq = messages.insert_message(
            connection,
            message_id=message.id if keeps_id else new_id(),
            thread_seq=thread_seq,
            parent_seq=parent,
            role=message.role,
            status=_status(message),
            parts=parts,
            moment=message.updated_at,
        )
        connection.execute(
            "UPDATE messages SET created_at = ?, deleted_at = ? WHERE seq = ?",
            (to_microseconds(message.created_at), _microseconds(message.deleted_at), seq),
        )
        if not keeps_id:
            connection.execute(
                "INSERT INTO message_origins (message_seq, origin_id) VALUES (?, ?)", (seq, clean(message.id))
            )
        if message.role is Role.ASSISTANT:
            _insert_turn(connection, seq, message)
        claim_new(connection, [key for key in files_of(parts) if key], thread_seq)
        numbers[message.id] = seq
    return numbers


def fill(
    connection: sqlite3.Connection, new: Sequence[MessageRecord], thread_seq: int, files: Mapping[str, KeptFile]
) -> dict[str, int]:
    """Give messages back what they held where they are here and lost all of it, as in a damaged file; return their numbers
    by their ids."""
    numbers: dict[str, int] = {}
    for message in new:
        row = connection.execute(
            "SELECT seq FROM messages WHERE id = ? AND thread_seq = ? AND role = ? AND part_count = 0"
            " AND deleted_at IS NULL AND status <> 'streaming'",
            (clean(message.id), thread_seq, message.role.value),
        ).fetchone()
        if row is None or not message.parts:
            continue
        (seq,) = row
        parts = _parts(message, files)
        indexes.forget_messages(connection, [seq], erases=False)  # so that it is indexed again
        messages.write_parts(connection, seq, parts, message.updated_at)
        claim_new(connection, [key for key in files_of(parts) if key], thread_seq)
        numbers[message.id] = seq
    return numbers


def _insert_turn(connection: sqlite3.Connection, answer_seq: int, message: MessageRecord) -> None:
    turn = message.turn or TurnRecord(started_at=message.created_at, ended_at=message.updated_at)
    usage, cost = turn.usage, turn.cost
    connection.execute(
        "INSERT INTO turns (seq, id, answer_seq, model, started_at, ended_at, reason, input_tokens, output_tokens,"
        " cached_input_tokens, thinking_tokens, cost, currency, duration_seconds, is_copy)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            next_number(connection),
            new_id(),
            answer_seq,
            clean(turn.model),
            to_microseconds(turn.started_at),
            to_microseconds(turn.ended_at or message.updated_at),
            clean(turn.reason),
            storable_count(usage.input_tokens),
            storable_count(usage.output_tokens),
            storable_count(usage.cached_input_tokens),
            storable_count(usage.thinking_tokens),
            None if cost is None else cost.amount,
            None if cost is None else clean(cost.currency),
            turn.duration_seconds,
            turn.is_copy,
        ),
    )


def _status(message: MessageRecord) -> MessageStatus:
    """What was being written when it was exported ends there."""
    return MessageStatus.INTERRUPTED if message.status is MessageStatus.STREAMING else message.status


def _parts(message: MessageRecord, files: Mapping[str, KeptFile]) -> tuple[Part, ...]:
    """Return the parts with the files as they are kept here: an id of the import never names a file of this store."""
    parts: list[Part] = []
    for part in message.parts:
        match part:
            case AttachmentPart():
                parts.append(_with_file(part, files.get(part.attachment_id)))
            case ToolResultPart(items=items) if items:
                kept = [
                    dataclasses.replace(
                        item, **(files[item.attachment_id].of_item(item) if item.attachment_id in files else _NO_FILE)
                    )
                    if item.attachment_id
                    else item
                    for item in items
                ]
                parts.append(dataclasses.replace(part, items=tuple(kept)))
            case _:
                parts.append(part)
    return tuple(parts) if message.role is Role.USER else tuple(messages.with_all_results(parts, {}))


def _with_file(part: AttachmentPart, kept: KeptFile | None) -> AttachmentPart:
    if kept is None:
        return dataclasses.replace(part, attachment_id="", media_type="", sent_size=0)
    return dataclasses.replace(
        part,
        attachment_id=kept.attachment_id,
        kind=kept.kind or part.kind,
        size=kept.size or part.size,
        media_type=kept.media_type,
        sent_size=kept.sent_size,
        width=kept.width or part.width,
        height=kept.height or part.height,
        text=part.text or kept.text,
        pages=part.pages or kept.pages,
        pages_read=part.pages_read or kept.pages_read,
    )


def note_foreign_text(
    connection: sqlite3.Connection,
    thread_seq: int,
    record: ChatRecord,
    new: Sequence[MessageRecord],
    moment: datetime,
) -> None:
    """Note that the chat holds what somebody else wrote: as it says itself, or by what its messages hold."""
    cause, detail, at = None, "", moment
    if record.foreign_text is not None:
        cause, detail, at = record.foreign_text.cause, record.foreign_text.detail, record.foreign_text.at
    if cause is None or cause not in set(TaintCause):
        cause, detail = _foreign_in(new)
    if cause is not None:
        connection.execute(
            "INSERT OR IGNORE INTO foreign_text (thread_seq, cause, detail, at) VALUES (?, ?, ?, ?)",
            (thread_seq, str(cause), clean(detail)[:MOST_DETAIL_CHARS], to_microseconds(at)),
        )


def _foreign_in(records: Sequence[MessageRecord]) -> tuple[TaintCause | None, str]:
    for message in records:
        names = {part.call_id: part.name for part in message.parts if isinstance(part, ToolCallPart)}
        for part in message.parts:
            match part:
                case ToolResultPart():
                    return TaintCause.TOOL_OUTPUT, names.get(part.call_id, "")
                case SourcesPart() if part.sources:
                    return TaintCause.WEB_PAGE, part.sources[0].url
                case AttachmentPart():
                    return TaintCause.ATTACHMENT, part.name
                case _:
                    pass
    return None, ""


def count_missing(records: Sequence[MessageRecord], files: Mapping[str, KeptFile]) -> int:
    return sum(key not in files for message in records for key in message.file_ids)


def _taken(connection: sqlite3.Connection, ids: Sequence[str]) -> set[str]:
    found: set[str] = set()
    for start in range(0, len(ids), _CHUNK):
        chunk = [clean(key) for key in ids[start : start + _CHUNK]]
        found.update(
            row[0] for row in connection.execute(f"SELECT id FROM messages WHERE id IN ({placeholders(chunk)})", chunk)
        )
    return found


def _microseconds(moment: datetime | None) -> int | None:
    return None if moment is None else to_microseconds(moment)
