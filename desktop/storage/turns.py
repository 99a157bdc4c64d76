"""Begins answers, inside a transaction: to a new message, beside another answer, and once more where one broke off."""

import sqlite3
from collections.abc import Sequence
from datetime import datetime

from desktop.conversation.entities import (
    AttachmentPart,
    MessageStatus,
    Part,
    Role,
    StartedTurn,
    names_of,
    user_parts,
)
from desktop.core.errors import StorageError
from desktop.core.ids import new_id
from desktop.storage import attachments as attached
from desktop.storage import document_rows, indexes, message_tree, messages
from desktop.storage.rows import clean, next_number, to_microseconds

_NOW_ITS_OWN = (
    "UPDATE turns SET is_copy = 0, input_tokens = NULL, output_tokens = NULL, cached_input_tokens = NULL,"
    " thinking_tokens = NULL, cost = NULL, currency = NULL WHERE answer_seq = ? AND is_copy = 1"
)
"""What a copied answer took was counted where it was made: from here on what is added to it counts."""


def begin(
    connection: sqlite3.Connection,
    thread_id: str,
    text: str,
    files: Sequence[AttachmentPart],
    *,
    model: str,
    moment: datetime,
    instead_of: str | None = None,
) -> StartedTurn:
    """Store the user's message below the tip or beside another one, and begin its answer, which becomes the tip."""
    thread_seq = messages.require_thread(connection, thread_id)
    # One turn at a time in a thread: whoever began the one before is gone, for example cancelled just then.
    messages.interrupt_answers(connection, moment, thread_seq)
    user_seq = messages.insert_message(
        connection,
        message_id=new_id(),
        thread_seq=thread_seq,
        parent_seq=_place(connection, thread_seq, thread_id, instead_of),
        role=Role.USER,
        status=MessageStatus.COMPLETE,
        parts=user_parts(text, files),
        moment=moment,
    )
    answer_seq = _insert_answer(connection, thread_seq, user_seq, model, moment)
    if instead_of is None:
        connection.execute("UPDATE threads SET tip = ? WHERE seq = ?", (answer_seq, thread_seq))
    else:
        message_tree.show(connection, thread_seq, answer_seq)
    attached.claim(connection, files, thread_seq)
    messages.touch_thread(connection, thread_seq, moment, clean(text if text.strip() else names_of(files)))
    # Whoever goes on with a chat has it before the eyes again.
    connection.execute("UPDATE threads SET archived_at = NULL WHERE seq = ?", (thread_seq,))
    return _started(connection, user_seq, answer_seq)


def _place(connection: sqlite3.Connection, thread_seq: int, thread_id: str, instead_of: str | None) -> int | None:
    """Return what a message by the user goes below: the tip, or what the message goes below that it stands beside."""
    if instead_of is None:
        row = connection.execute("SELECT tip FROM threads WHERE seq = ?", (thread_seq,)).fetchone()
    else:
        row = connection.execute(
            "SELECT parent_seq FROM messages WHERE id = ? AND thread_seq = ? AND role = 'user' AND deleted_at IS NULL",
            (instead_of, thread_seq),
        ).fetchone()
    if row is None:
        raise StorageError("storage.thread_missing", thread_id=thread_id)
    return row[0]


def forget_drafts(connection: sqlite3.Connection, thread_id: str, *, of_new_thread: bool) -> None:
    """End the thread's draft, and where it began with one, that of a new thread with its options."""
    for key in {thread_id, "" if of_new_thread else thread_id}:
        connection.execute("DELETE FROM drafts WHERE thread_id = ?", (key,))
        attached.forget_draft(connection, key)
    if of_new_thread:
        document_rows.begin_thread(connection, thread_id)
        connection.execute("DELETE FROM new_thread")


def add(connection: sqlite3.Connection, message_id: str, *, model: str, moment: datetime, chosen: bool) -> StartedTurn:
    """Begin an answer beside another one. Raises ``StorageError`` when that is none of a thread outside the Trash."""
    row = connection.execute(
        "SELECT m.thread_seq, m.parent_seq FROM messages AS m JOIN threads AS t ON t.seq = m.thread_seq"
        " JOIN messages AS q ON q.seq = m.parent_seq"
        " WHERE m.id = ? AND m.role = 'assistant' AND q.role = 'user' AND m.deleted_at IS NULL AND q.deleted_at IS NULL"
        " AND t.deleted_at IS NULL AND t.is_purging = 0",
        (message_id,),
    ).fetchone()
    if row is None:
        raise StorageError("storage.thread_missing", thread_id="")
    thread_seq, user_seq = row
    answer_seq = _insert_answer(connection, thread_seq, user_seq, model, moment)
    if chosen:
        message_tree.show(connection, thread_seq, answer_seq)
    else:
        connection.execute("UPDATE messages SET shown_seq = 0 WHERE seq = ?", (answer_seq,))
    messages.touch_thread(connection, thread_seq, moment, "")
    return _started(connection, user_seq, answer_seq)


def reopen(
    connection: sqlite3.Connection, message_id: str, model: str, parts: Sequence[Part], moment: datetime
) -> StartedTurn:
    """Let the last answer of a thread be written again. Raises ``StorageError`` when it cannot be."""
    row = connection.execute(
        "SELECT t.seq, m.seq, m.parent_seq FROM messages AS m JOIN threads AS t ON t.seq = m.thread_seq"
        " JOIN turns AS u ON u.answer_seq = m.seq JOIN messages AS q ON q.seq = m.parent_seq"
        " WHERE m.id = ? AND m.status <> 'streaming' AND q.role = 'user' AND q.deleted_at IS NULL AND t.deleted_at IS NULL"
        " AND t.is_purging = 0",
        (message_id,),
    ).fetchone()
    if row is None or message_tree.last_shown(connection, row[0]) != row[1]:
        raise StorageError("storage.thread_missing", thread_id="")
    _, answer_seq, user_seq = row
    indexes.forget_messages(connection, [answer_seq], erases=False)
    connection.execute("UPDATE messages SET status = 'streaming' WHERE seq = ?", (answer_seq,))
    connection.execute(_NOW_ITS_OWN, (answer_seq,))
    connection.execute(
        "UPDATE turns SET model = ?, ended_at = NULL, reason = NULL WHERE answer_seq = ?", (model, answer_seq)
    )
    messages.write_parts(connection, answer_seq, parts, moment)
    return _started(connection, user_seq, answer_seq)


def _insert_answer(connection: sqlite3.Connection, thread_seq: int, user_seq: int, model: str, moment: datetime) -> int:
    answer_seq = messages.insert_message(
        connection,
        message_id=new_id(),
        thread_seq=thread_seq,
        parent_seq=user_seq,
        role=Role.ASSISTANT,
        status=MessageStatus.STREAMING,
        parts=[],
        moment=moment,
    )
    connection.execute(
        "INSERT INTO turns (seq, id, answer_seq, model, started_at) VALUES (?, ?, ?, ?, ?)",
        (next_number(connection), new_id(), answer_seq, model, to_microseconds(moment)),
    )
    return answer_seq


def _started(connection: sqlite3.Connection, user_seq: int, answer_seq: int) -> StartedTurn:
    (turn_id,) = connection.execute("SELECT id FROM turns WHERE answer_seq = ?", (answer_seq,)).fetchone()
    user, answer = messages.read_messages(connection, [user_seq, answer_seq])
    return StartedTurn(turn_id=turn_id, thread_id=user.thread_id, user_message=user, assistant_message=answer)
