"""Takes an imported chat in, inside one transaction: what is here already is known again, and nothing of it is changed."""

import dataclasses
import re
import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from desktop.conversation.assistants.entities import Assistant, AssistantMemory
from desktop.conversation.entities import Part, ThreadOptions
from desktop.conversation.interchange.matching import Matching, StoredMessage, content_of, match
from desktop.conversation.interchange.ports import KeptFile
from desktop.conversation.interchange.records import (
    OWN_SOURCE,
    ChatRecord,
    ImportedChat,
    MessageRecord,
    Outcome,
    Source,
    Verdict,
    Why,
)
from desktop.conversation.trash import TRASH_DAYS
from desktop.core.ids import new_id
from desktop.core.memory_settings import MemoryUse
from desktop.core.permission_mode import PermissionMode
from desktop.storage import folder_rows, imported_messages, message_tree, messages, thread_options
from desktop.storage.rows import (
    clean,
    decode_part,
    encode_part,
    next_number,
    role_of,
    to_microseconds,
)

_UNWANTED = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_SAFE_MODES = (PermissionMode.CHAT_ONLY, PermissionMode.ASK_ALWAYS)
"""What a file may say of a chat's tools: modes in which nothing runs unasked."""
_SAFE_USES = (MemoryUse.OFF, MemoryUse.THIS_THREAD)
"""What a file may say of a chat's memory: to be told less than others."""


def missing(connection: sqlite3.Connection, chat: ImportedChat) -> frozenset[str]:
    """Return the ids of the messages that are not here."""
    target = _find_thread(connection, chat)
    if target is None or target[1]:
        return frozenset(message.id for message in chat.messages) if target is None else frozenset()
    return frozenset(message.id for message in _matched(connection, target[0], chat).new)


def take_in(
    connection: sqlite3.Connection, chat: ImportedChat, files: Mapping[str, KeptFile], moment: datetime
) -> Outcome:
    """Add the chat, or what it has that is not here; return what became of it."""
    title = _one_line(chat.chat.title)
    if not any(message.parts for message in chat.messages):
        return Outcome(verdict=Verdict.SKIPPED, title=title, why=Why.EMPTY)
    target = _find_thread(connection, chat)
    if target is None:
        return _add_chat(connection, chat, files, moment)
    thread_seq, is_purging, thread_id, is_in_trash = target
    if is_purging:
        return Outcome(verdict=Verdict.SKIPPED, title=title, why=Why.NOT_STORED)
    why = Why.IN_TRASH if is_in_trash else None
    found = _matched(connection, thread_seq, chat)
    if not found.new:
        return Outcome(verdict=Verdict.KNOWN, title=title, thread_id=thread_id, why=why)
    return _extend(
        connection, chat, files, found, thread_seq, dataclasses.replace(_NOTHING, title=title, why=why), moment
    )


_NOTHING = Outcome(verdict=Verdict.KNOWN, title="")


# -- finding what is here


def _find_thread(connection: sqlite3.Connection, chat: ImportedChat) -> tuple[int, bool, str, bool] | None:
    """Return number, whether it is being removed, id, and whether it lies in the Trash, of the thread that this is."""
    wanted = [(chat.source.value, clean(chat.chat.id))]
    if chat.source is Source.THREADWELL:
        row = connection.execute(
            "SELECT seq, is_purging, id, deleted_at IS NOT NULL FROM threads WHERE id = ? AND is_temporary = 0",
            (clean(chat.chat.id),),
        ).fetchone()
        if row is not None:
            return row[0], bool(row[1]), row[2], bool(row[3])
        wanted += [(clean(origin.source), clean(origin.id)) for origin in chat.chat.origins]
    for source, origin_id in wanted:
        row = connection.execute(
            "SELECT t.seq, t.is_purging, t.id, t.deleted_at IS NOT NULL FROM thread_origins AS o"
            " JOIN threads AS t ON t.seq = o.thread_seq WHERE o.source = ? AND o.origin_id = ? AND t.is_purging = 0"
            " AND t.is_temporary = 0 ORDER BY t.deleted_at IS NOT NULL, t.seq",
            (source, origin_id),
        ).fetchone()
        if row is not None:
            return row[0], bool(row[1]), row[2], bool(row[3])
    return None


def _matched(connection: sqlite3.Connection, thread_seq: int, chat: ImportedChat) -> Matching:
    # As it would come back from the disk: what cannot be stored was replaced there.
    incoming = [dataclasses.replace(message, parts=_as_stored(message.parts)) for message in chat.messages]
    found = match(_stored(connection, thread_seq), incoming)
    originals = {message.id: message for message in chat.messages}
    found.new = [originals[message.id] for message in found.new]
    return found


def _as_stored(parts: Sequence[Part]) -> tuple[Part, ...]:
    return tuple(decode_part(encode_part(part)) for part in parts)


def _stored(connection: sqlite3.Connection, thread_seq: int) -> list[StoredMessage]:
    parts: dict[int, list[Part]] = {}
    for seq, *row in connection.execute(
        "SELECT p.message_seq, p.step, p.kind, p.text, p.payload FROM parts AS p"
        " JOIN messages AS m ON m.seq = p.message_seq WHERE m.thread_seq = ? ORDER BY p.message_seq, p.position",
        (thread_seq,),
    ):
        parts.setdefault(seq, []).append(decode_part((row[0], row[1], row[2], row[3])))
    # As it is exported: without the results that were removed and can still be taken back.
    for seq, position in connection.execute(
        "SELECT r.message_seq, r.position FROM removals AS r JOIN messages AS m ON m.seq = r.message_seq"
        " WHERE m.thread_seq = ? AND r.position >= 0",
        (thread_seq,),
    ):
        parts[seq][position] = messages.without_result(parts[seq][position])
    return [
        StoredMessage(
            number=seq,
            parent=parent,
            role=role_of(role),
            keys=(message_id,) if origin_id is None else (message_id, origin_id),
            content=content_of(parts.get(seq, ())),
        )
        for seq, message_id, parent, role, origin_id in connection.execute(
            "SELECT m.seq, m.id, m.parent_seq, m.role, o.origin_id FROM messages AS m"
            " LEFT JOIN message_origins AS o ON o.message_seq = m.seq WHERE m.thread_seq = ? ORDER BY m.seq",
            (thread_seq,),
        )
    ]


# -- adding


def _add_chat(
    connection: sqlite3.Connection, chat: ImportedChat, files: Mapping[str, KeptFile], moment: datetime
) -> Outcome:
    record = chat.chat
    is_own = chat.source is Source.THREADWELL and _is_free(connection, record.id)
    thread_id = record.id if is_own else new_id()
    options = safe_options(record.options)
    seq = next_number(connection)
    updated = to_microseconds(record.updated_at)
    deleted = _still_in_trash(record.deleted_at, moment)
    connection.execute(
        "INSERT INTO threads (seq, id, title, title_by_user, created_at, updated_at, deleted_at, deleted_seq, change_seq,"
        f" {thread_options.COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, {thread_options.PLACES})",
        (
            seq,
            thread_id,
            _one_line(record.title),
            record.title_by_user,
            to_microseconds(record.created_at),
            updated,
            deleted,
            None if deleted is None else next_number(connection),
            _place_at(connection, updated),
            *thread_options.to_row(options),
        ),
    )
    _put_into_list(connection, record, seq)
    _note_origins(connection, chat, seq, moment, is_own=is_own)
    numbers = imported_messages.insert(connection, chat, chat.messages, seq, {}, files)
    _note_shown(connection, chat.messages, numbers)
    tip = numbers.get(record.tip or "") or numbers[chat.messages[-1].id]
    if chat.source is not Source.THREADWELL and len({m.parent_id for m in chat.messages}) < len(chat.messages):
        message_tree.show(connection, seq, tip)  # who leaves this way comes back to it, though another one be newer
    message_tree.set_tip(connection, seq, tip)
    imported_messages.note_foreign_text(connection, seq, record, chat.messages, moment)
    _note_read(connection, seq)
    return Outcome(
        verdict=Verdict.IMPORTED,
        title=_one_line(record.title),
        thread_id=thread_id,
        messages=len(numbers),
        files_missing=imported_messages.count_missing(chat.messages, files),
        options_dropped=options != dataclasses.replace(record.options, is_temporary=False),
    )


def _put_into_list(connection: sqlite3.Connection, record: ChatRecord, thread_seq: int) -> None:
    """Let the thread stand where it stood: pinned, archived, in the folder of that name, which is made where it is not."""
    moments = [None if moment is None else to_microseconds(moment) for moment in (record.pinned_at, record.archived_at)]
    connection.execute(
        "UPDATE threads SET pinned_at = ?, archived_at = ?, folder_seq = ? WHERE seq = ?",
        (*moments, folder_rows.named(connection, _one_line(record.folder)), thread_seq),
    )


def _is_free(connection: sqlite3.Connection, thread_id: str) -> bool:
    """Whether this can be the id of a new thread: one that this program could have made, and nobody has."""
    if imported_messages.OWN_ID.fullmatch(thread_id) is None:
        return False
    return connection.execute("SELECT 1 FROM threads WHERE id = ?", (thread_id,)).fetchone() is None


def _one_line(title: str) -> str:
    """Return a title as every other is: on one line, and unable to turn the text around it."""
    return " ".join(_UNWANTED.sub(" ", clean(title)).split())


def _extend(
    connection: sqlite3.Connection,
    chat: ImportedChat,
    files: Mapping[str, KeptFile],
    found: Matching,
    thread_seq: int,
    outcome: Outcome,
    moment: datetime,
) -> Outcome:
    """Add what is new below what is known. What the chat shows goes on with it where it ends there, and else stays."""
    (thread_id, old_tip, updated_at, runs) = connection.execute(
        "SELECT t.id, t.tip, t.updated_at, EXISTS (SELECT 1 FROM messages AS m WHERE m.thread_seq = t.seq"
        " AND m.status = 'streaming') FROM threads AS t WHERE t.seq = ?",
        (thread_seq,),
    ).fetchone()
    was_read = _was_read(connection, thread_seq)
    is_own = chat.source is Source.THREADWELL
    filled = imported_messages.fill(connection, found.new, thread_seq, files) if is_own else {}
    known, new = {**found.known, **filled}, [message for message in found.new if message.id not in filled]
    numbers = imported_messages.insert(connection, chat, new, thread_seq, known, files)
    both = {**known, **numbers}
    tip = both.get(chat.chat.tip or "") or max(both.values())
    goes_on = not runs and tip in numbers.values() and _is_above(connection, old_tip, tip)
    if goes_on:
        message_tree.set_tip(connection, thread_seq, tip)
        if (updated := to_microseconds(chat.chat.updated_at)) > updated_at:
            connection.execute(
                "UPDATE threads SET updated_at = ?, change_seq = max(change_seq, ?) WHERE seq = ?",
                (updated, _place_at(connection, updated), thread_seq),
            )
    else:
        # Beside what is shown: it was never shown here.
        connection.executemany(
            "UPDATE messages SET shown_seq = 0 WHERE seq = ?", [(number,) for number in numbers.values()]
        )
    imported_messages.note_foreign_text(connection, thread_seq, chat.chat, found.new, moment)
    if was_read:
        _note_read(connection, thread_seq)
    return dataclasses.replace(
        outcome,
        verdict=Verdict.GREW if goes_on or not numbers else Verdict.BRANCHED,
        thread_id=thread_id,
        messages=len(found.new),
        files_missing=imported_messages.count_missing(found.new, files),
    )


# -- what a chat is beside its messages


def safe_options(options: ThreadOptions) -> ThreadOptions:
    """Return of what a file says a chat should do only what gives no tool and no text more than it has."""
    return dataclasses.replace(
        options,
        workspace=None,
        mode=options.mode if options.mode in _SAFE_MODES else None,
        memory=options.memory if options.memory in _SAFE_USES else None,
        assistant=_safe_assistant(options.assistant),
        is_temporary=False,
        session=None,
    )


def _safe_assistant(assistant: Assistant | None) -> Assistant | None:
    """One that a file brings asks no other, and is told no more than any chat; if it is here, the library's holds."""
    if assistant is None:
        return None
    memory = assistant.memory if assistant.memory is AssistantMemory.OFF else None
    return dataclasses.replace(assistant, helpers=(), memory=memory)


def _still_in_trash(deleted_at: datetime | None, moment: datetime) -> int | None:
    """What lay in the Trash goes there, and stays for all its days where it would be removed at once."""
    if deleted_at is None:
        return None
    is_recent = moment - timedelta(days=TRASH_DAYS) < deleted_at <= moment
    return to_microseconds(deleted_at if is_recent else moment)


def _place_at(connection: sqlite3.Connection, updated_at: int) -> int:
    """Return the place in the list of threads that belongs to a time: that of the thread below, or below all."""
    row = connection.execute(
        "SELECT change_seq FROM threads WHERE updated_at <= ? ORDER BY updated_at DESC, change_seq DESC LIMIT 1",
        (updated_at,),
    ).fetchone()
    if row is not None:
        return row[0]
    lowest: int | None = connection.execute("SELECT min(change_seq) FROM threads").fetchone()[0]
    return 0 if lowest is None else lowest - 1


def _note_origins(
    connection: sqlite3.Connection, chat: ImportedChat, thread_seq: int, moment: datetime, *, is_own: bool
) -> None:
    origins = [(origin.source, origin.id) for origin in chat.chat.origins if origin.source != OWN_SOURCE or not is_own]
    if not is_own:
        origins.append((chat.source.value, chat.chat.id))
    connection.executemany(
        "INSERT OR IGNORE INTO thread_origins (source, origin_id, thread_seq, imported_at) VALUES (?, ?, ?, ?)",
        [(clean(source), clean(key), thread_seq, to_microseconds(moment)) for source, key in origins],
    )


def _note_shown(connection: sqlite3.Connection, records: Sequence[MessageRecord], numbers: Mapping[str, int]) -> None:
    ranked = sorted((m.shown, numbers[m.id]) for m in records if m.shown is not None)
    connection.executemany(
        "UPDATE messages SET shown_seq = ? WHERE seq = ?",
        [(next_number(connection) if shown else 0, number) for shown, number in ranked],
    )


def _is_above(connection: sqlite3.Connection, one: int | None, other: int) -> bool:
    return one is not None and one in message_tree.way_up(connection, other, one)


def _was_read(connection: sqlite3.Connection, thread_seq: int) -> bool:
    """Tell whether all that the user said in the thread was read for memory."""
    row = connection.execute(
        "SELECT 1 FROM messages AS m WHERE m.thread_seq = ? AND m.role = 'user' AND m.seq >"
        " coalesce((SELECT until_seq FROM readings WHERE thread_seq = ?), 0) LIMIT 1",
        (thread_seq, thread_seq),
    ).fetchone()
    return row is None


def _note_read(connection: sqlite3.Connection, thread_seq: int) -> None:
    """Nothing is remembered of what was said elsewhere: only of what is said here from now on."""
    connection.execute(
        "INSERT OR REPLACE INTO readings (thread_seq, until_seq)"
        " SELECT thread_seq, max(seq) FROM messages WHERE thread_seq = ? GROUP BY thread_seq",
        (thread_seq,),
    )
