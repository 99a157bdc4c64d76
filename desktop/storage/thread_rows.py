"""Rows of threads, with what their list shows of other tables, to ``Thread`` and back."""

import sqlite3
from typing import Any

from desktop.conversation.entities import BranchedFrom, Thread
from desktop.storage import message_tree, thread_options
from desktop.storage.rows import from_microseconds, optional_time

COLUMNS = f"""t.id, t.title, t.title_by_user, {message_tree.living("m")},
    t.created_at, t.updated_at, t.deleted_at, t.snippet,
    t.pinned_at, t.archived_at, f.id, t.is_unread,
    t.system_prompt, t.temperature, t.endpoint_id, t.model, t.thinking, t.asked_beside, t.workspace, t.mode,
    t.memory, t.is_temporary, t.plans_first, t.assistant_id, t.assistant, t.session, b.id, o.id, o.title,
    o.deleted_at IS NOT NULL
    FROM threads AS t LEFT JOIN messages AS m ON m.seq = t.tip LEFT JOIN messages AS b ON b.seq = t.branched_from
    LEFT JOIN threads AS o ON o.seq = b.thread_seq AND o.is_purging = 0 LEFT JOIN folders AS f ON f.seq = t.folder_seq
    WHERE t.is_purging = 0"""
"""What ``to_thread`` reads, and where from; conditions follow with AND."""

Row = tuple[
    str, str, int, str | None, int, int, int | None, str, int | None, int | None, str | None, int, *thread_options.Row
]


def find(connection: sqlite3.Connection, thread_id: str) -> Thread | None:
    """Return the thread, also one in the Trash; None when there is none."""
    row = connection.execute(f"SELECT {COLUMNS} AND t.id = ?", (thread_id,)).fetchone()
    return to_thread(row) if row else None


def to_thread(row: Row) -> Thread:
    thread_id, title, title_by_user, tip, created_at, updated_at, deleted_at, snippet, *rest = row
    place: list[Any] = rest[:4]
    pinned_at, archived_at, folder_id, is_unread = place
    *own, from_message, from_thread, from_title, is_from_deleted = rest[4:]
    origin = None
    if from_thread is not None:
        origin = BranchedFrom(
            thread_id=str(from_thread),
            message_id=str(from_message),
            title=str(from_title),
            is_deleted=bool(is_from_deleted),
        )
    return Thread(
        id=thread_id,
        title=title,
        title_by_user=bool(title_by_user),
        tip=tip,
        created_at=from_microseconds(created_at),
        updated_at=from_microseconds(updated_at),
        deleted_at=optional_time(deleted_at),
        snippet=snippet,
        options=thread_options.from_row(own),
        branched_from=origin,
        pinned_at=optional_time(pinned_at),
        archived_at=optional_time(archived_at),
        folder_id=folder_id,
        is_unread=bool(is_unread),
    )
