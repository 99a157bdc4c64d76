"""Folders of chats, pins, the archive, and what was not read yet."""

import sqlite3

_STATEMENTS: tuple[str, ...] = (
    # position orders the folders; equal ones stand as they were made.
    """CREATE TABLE folders (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL,
        position INTEGER NOT NULL,
        is_open INTEGER NOT NULL DEFAULT 1
    ) STRICT""",
    "ALTER TABLE threads ADD COLUMN pinned_at INTEGER",
    "ALTER TABLE threads ADD COLUMN archived_at INTEGER",
    "ALTER TABLE threads ADD COLUMN folder_seq INTEGER REFERENCES folders (seq) ON DELETE SET NULL",
    "ALTER TABLE threads ADD COLUMN is_unread INTEGER NOT NULL DEFAULT 0",
    # A page of each list begins where the one before ended, however many threads there are.
    "CREATE INDEX threads_pinned ON threads (pinned_at) WHERE pinned_at IS NOT NULL",
    "CREATE INDEX threads_archived ON threads (archived_at) WHERE archived_at IS NOT NULL",
    "CREATE INDEX threads_in_folder ON threads (folder_seq, change_seq, updated_at) WHERE folder_seq IS NOT NULL",
    "CREATE INDEX threads_in_no_list ON threads (change_seq, updated_at) WHERE deleted_at IS NULL"
    " AND archived_at IS NULL AND pinned_at IS NULL AND folder_seq IS NULL",
)


def apply(connection: sqlite3.Connection) -> None:
    for statement in _STATEMENTS:
        connection.execute(statement)
