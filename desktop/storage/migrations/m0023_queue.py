"""Messages that wait until an answer has ended, and the place where each chat is read."""

import sqlite3

_STATEMENTS: tuple[str, ...] = (
    # One that was removed stays until it cannot be put back any more, in its place.
    """CREATE TABLE queued_messages (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        thread_seq INTEGER NOT NULL REFERENCES threads (seq) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        text TEXT NOT NULL,
        is_removed INTEGER NOT NULL DEFAULT 0
    ) STRICT""",
    "CREATE INDEX queued_messages_of_thread ON queued_messages (thread_seq, position)",
    """CREATE TABLE queued_attachments (
        queued_seq INTEGER NOT NULL REFERENCES queued_messages (seq) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        attachment_id TEXT NOT NULL,
        text TEXT NOT NULL,
        payload TEXT NOT NULL,
        PRIMARY KEY (queued_seq, position)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE reading_places (
        thread_seq INTEGER PRIMARY KEY REFERENCES threads (seq) ON DELETE CASCADE,
        message_id TEXT NOT NULL,
        block INTEGER NOT NULL,
        y INTEGER NOT NULL
    ) STRICT""",
)


def apply(connection: sqlite3.Connection) -> None:
    for statement in _STATEMENTS:
        connection.execute(statement)
