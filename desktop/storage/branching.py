"""Makes a thread of its own out of the way to a message of another one: nothing of it is shared with that one."""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from desktop.conversation.entities import AttachmentPart, Part, Role, ToolResultPart
from desktop.conversation.inner_run import InnerRunPart
from desktop.core.errors import StorageError
from desktop.core.ids import new_id
from desktop.storage import attachments, indexes, memory_items, message_tree, messages, summary_rows, thread_options
from desktop.storage.database import Database
from desktop.storage.rows import (
    clean,
    decode_part,
    encode_part,
    next_number,
    placeholders,
    to_microseconds,
)

_FILED = ("attachment", "tool_result", "inner_run")
"""The kinds of parts that name files."""
_AT_ONCE = 400


@dataclass(frozen=True)
class _Way:
    """What is taken over."""

    thread_seq: int
    at: int
    """The message that the branch begins at."""
    numbers: Sequence[int]
    """Of the messages up to it; without it where it is one by the user."""
    is_question: bool


async def branch(database: Database, message_id: str, *, title: str, moment: datetime) -> str:
    """Make the thread and return its id. Raises ``StorageError``; then nothing is left of it."""
    files = await database.read(lambda connection: _files_of(connection, _way_to(connection, message_id)))
    copies = await attachments.copy_all(database, files, moment)
    try:
        return await database.write(
            lambda connection: _make(connection, _way_to(connection, message_id), copies, title, moment),
            needs_room=True,
        )
    except BaseException:
        await attachments.give_up(database, list(copies.values()))
        raise


def _way_to(connection: sqlite3.Connection, message_id: str) -> _Way:
    row = connection.execute(
        "SELECT t.seq, t.id, m.seq, m.role FROM messages AS m JOIN threads AS t ON t.seq = m.thread_seq"
        " WHERE m.id = ? AND m.deleted_at IS NULL AND t.deleted_at IS NULL AND t.is_purging = 0",
        (message_id,),
    ).fetchone()
    if row is None:
        raise StorageError("storage.thread_missing", thread_id="")
    thread_seq, thread_id, at, role = row
    numbers = message_tree.path_numbers(connection, thread_id, until=message_id)
    is_question = role == Role.USER
    return _Way(thread_seq, at, [number for number in numbers if not is_question or number != at], is_question)


def _files_of(connection: sqlite3.Connection, way: _Way) -> list[str]:
    filed = _parts_with_files(connection, list(dict.fromkeys((*way.numbers, way.at))))
    return list(dict.fromkeys(name for _, _, part in filed for name in _names_in(part)))


def _parts_with_files(connection: sqlite3.Connection, numbers: Sequence[int]) -> list[tuple[int, int, Part]]:
    """The parts of messages that name files: the message's number, the position, and the part."""
    found: list[tuple[int, int, Part]] = []
    for start in range(0, len(numbers), _AT_ONCE):
        some = numbers[start : start + _AT_ONCE]
        rows = connection.execute(
            "SELECT message_seq, position, step, kind, text, payload FROM parts"
            f" WHERE message_seq IN ({placeholders(some)}) AND kind IN ({placeholders(_FILED)}) ORDER BY message_seq, position",
            (*some, *_FILED),
        ).fetchall()
        found += [(number, position, decode_part((step, *rest))) for number, position, step, *rest in rows]
    hidden = _removed_results(connection)
    return [each for each in found if _names_in(each[2]) and each[:2] not in hidden]


def _removed_results(connection: sqlite3.Connection) -> set[tuple[int, int]]:
    """Those that can still be taken back where they stand: in a branch they are removed."""
    return set(connection.execute("SELECT message_seq, position FROM removals WHERE position >= 0").fetchall())


def _names_in(part: Part) -> list[str]:
    match part:
        case AttachmentPart():
            return [part.attachment_id]
        case ToolResultPart():
            return [item.attachment_id for item in part.items if item.attachment_id]
        case InnerRunPart():
            return [name for each in part.parts for name in _names_in(each)]
        case _:
            return []


def _with_copies(part: Part, copies: Mapping[str, str]) -> Part:
    match part:
        case AttachmentPart():
            return replace(part, attachment_id=copies[part.attachment_id])
        case ToolResultPart():
            items = (replace(i, attachment_id=copies[i.attachment_id]) if i.attachment_id else i for i in part.items)
            return replace(part, items=tuple(items))
        case InnerRunPart():
            return replace(part, parts=tuple(_with_copies(each, copies) for each in part.parts))
        case _:
            return part


# -- inside the transaction


def _make(connection: sqlite3.Connection, way: _Way, copies: Mapping[str, str], title: str, moment: datetime) -> str:
    if not set(_files_of(connection, way)) <= copies.keys():  # something was purged or added in between
        raise StorageError("storage.thread_missing", thread_id="")
    thread_seq, thread_id = _make_thread(connection, way, title, moment)
    taken = _copy_messages(connection, way.numbers, thread_seq, copies)
    _take_along(connection, way, thread_seq, taken, moment)
    if way.is_question:
        _make_draft(connection, way.at, thread_id, copies)
    if taken:
        message_tree.set_tip(connection, thread_seq, max(taken.values()))
    indexes.index_new_messages(connection)
    return thread_id


def _make_thread(connection: sqlite3.Connection, way: _Way, title: str, moment: datetime) -> tuple[int, str]:
    seq, thread_id, time = next_number(connection), new_id(), to_microseconds(moment)
    connection.execute(
        "INSERT INTO threads (seq, id, title, created_at, updated_at, change_seq, branched_from, folder_seq,"
        f" {thread_options.COLUMNS}) SELECT ?, ?, ?, ?, ?, ?, ?, folder_seq, {thread_options.COLUMNS} FROM threads"
        " WHERE seq = ?",
        (seq, thread_id, clean(title), time, time, seq, way.at, way.thread_seq),
    )
    return seq, thread_id


def _copy_messages(
    connection: sqlite3.Connection, numbers: Sequence[int], thread_seq: int, copies: Mapping[str, str]
) -> dict[int, int]:
    """Copy the messages of a path, and return the numbers of the copies by theirs.

    An answer that is being written counts as stopped from here on.
    """
    last: int = connection.execute(
        "UPDATE sequence SET value = value + ? RETURNING value", (2 * len(numbers),)
    ).fetchone()[0]
    taken = dict(zip(numbers, range(last - 2 * len(numbers) + 1, last, 2), strict=True))
    parents = dict(zip(numbers, (None, *taken.values()), strict=False))
    connection.executemany(
        "INSERT INTO messages (seq, id, thread_seq, parent_seq, role, status, text_length, newline_count, part_count,"
        " created_at, updated_at, copy_of)"
        " SELECT ?, ?, ?, ?, role, iif(status = 'streaming', 'stopped', status), text_length, newline_count, part_count,"
        " created_at, updated_at, coalesce(copy_of, seq) FROM messages WHERE seq = ?",
        [(copied, new_id(), thread_seq, parents[number], number) for number, copied in taken.items()],
    )
    connection.executemany(
        "INSERT INTO parts (message_seq, position, step, kind, text, payload)"
        " SELECT ?, position, step, kind, text, payload FROM parts WHERE message_seq = ?",
        [(copied, number) for number, copied in taken.items()],
    )
    for number, position in _removed_results(connection):
        if number in taken:
            _leave_out_result(connection, taken[number], position)
    connection.executemany(
        "INSERT INTO turns (seq, id, answer_seq, model, started_at, ended_at, reason, input_tokens, output_tokens,"
        " cached_input_tokens, thinking_tokens, cost, currency, duration_seconds, is_copy)"
        " SELECT ?, ?, ?, model, started_at, coalesce(ended_at, started_at), coalesce(reason, 'stopped'), input_tokens,"
        " output_tokens, cached_input_tokens, thinking_tokens, cost, currency, duration_seconds, 1"
        " FROM turns WHERE answer_seq = ?",
        [(copied + 1, new_id(), copied, number) for number, copied in taken.items()],
    )
    filed = _parts_with_files(connection, numbers)
    connection.executemany(
        "UPDATE parts SET payload = ? WHERE message_seq = ? AND position = ?",
        [(encode_part(_with_copies(part, copies))[3], taken[n], position) for n, position, part in filed],
    )
    own = dict.fromkeys(name for _, _, part in filed for name in _names_in(part))
    attachments.claim_new(connection, [copies[name] for name in own], thread_seq)  # a draft's belong to it alone
    return taken


def _leave_out_result(connection: sqlite3.Connection, number: int, position: int) -> None:
    row = connection.execute(
        "SELECT step, kind, text, payload FROM parts WHERE message_seq = ? AND position = ?", (number, position)
    ).fetchone()
    *_, text, payload = encode_part(messages.without_result(decode_part(row)))
    connection.execute(
        "UPDATE parts SET text = ?, payload = ? WHERE message_seq = ? AND position = ?",
        (text, payload, number, position),
    )


def _take_along(
    connection: sqlite3.Connection, way: _Way, thread_seq: int, taken: Mapping[int, int], moment: datetime
) -> None:
    """What holds for the messages beside their texts: foreign text, what was read of them, what was forgotten of them."""
    connection.execute(
        # What it was is not said: a name in it may belong to what is not taken over.
        "INSERT INTO foreign_text (thread_seq, cause, detail, at) SELECT ?, 'branch', '', ? FROM foreign_text"
        " WHERE thread_seq = ?",
        (thread_seq, to_microseconds(moment), way.thread_seq),
    )
    if taken:
        connection.execute(
            "INSERT INTO readings (thread_seq, until_seq) VALUES (?, ?)", (thread_seq, max(taken.values()))
        )
    memory_items.copy_traces(connection, taken)
    summary_rows.copy_last(connection, thread_seq, taken)


def _make_draft(connection: sqlite3.Connection, number: int, thread_id: str, copies: Mapping[str, str]) -> None:
    """What is asked anew is written for the user to send, or to change before."""
    if text := message_tree.words_of(connection, number):
        connection.execute("INSERT INTO drafts (thread_id, text) VALUES (?, ?)", (thread_id, text))
    for _, position, part in _parts_with_files(connection, [number]):
        if isinstance(copied := _with_copies(part, copies), AttachmentPart):
            *_, text, payload = encode_part(copied)
            connection.execute(
                "INSERT INTO draft_attachments (thread_id, position, attachment_id, text, payload)"
                " VALUES (?, ?, ?, ?, ?)",
                (thread_id, position, copied.attachment_id, text, payload),
            )
