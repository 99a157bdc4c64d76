"""Lets the last answer of a thread be written again, inside a transaction."""

import sqlite3
from collections.abc import Sequence
from datetime import datetime

from desktop.conversation.entities import Part, StartedTurn
from desktop.core.errors import StorageError
from desktop.storage import messages, search_index


def reopen(
    connection: sqlite3.Connection, message_id: str, model: str, parts: Sequence[Part], moment: datetime
) -> StartedTurn:
    """Let the last answer of a thread be written again. Raises ``StorageError`` when it cannot be."""
    row = connection.execute(
        "SELECT m.seq, m.parent_seq, u.id FROM messages AS m JOIN threads AS t ON t.tip = m.seq"
        " JOIN turns AS u ON u.answer_seq = m.seq"
        " WHERE m.id = ? AND m.status <> 'streaming' AND t.deleted_at IS NULL AND t.is_purging = 0",
        (message_id,),
    ).fetchone()
    if row is None:
        raise StorageError("storage.thread_missing", thread_id="")
    answer_seq, user_seq, turn_id = row
    search_index.remove(connection, [answer_seq])
    connection.execute("UPDATE messages SET status = 'streaming' WHERE seq = ?", (answer_seq,))
    connection.execute(
        "UPDATE turns SET model = ?, ended_at = NULL, reason = NULL WHERE answer_seq = ?", (model, answer_seq)
    )
    messages.write_parts(connection, answer_seq, parts, moment)
    user, answer = messages.read_messages(connection, [user_seq, answer_seq])
    return StartedTurn(turn_id=turn_id, thread_id=answer.thread_id, user_message=user, assistant_message=answer)
