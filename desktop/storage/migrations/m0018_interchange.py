"""Where imported chats and their messages come from, so that they are known again."""

import sqlite3

_STATEMENTS: tuple[str, ...] = (
    # origin_id: what the chat is called in the program named by source.
    """CREATE TABLE thread_origins (
        source TEXT NOT NULL,
        origin_id TEXT NOT NULL,
        thread_seq INTEGER NOT NULL REFERENCES threads (seq) ON DELETE CASCADE,
        imported_at INTEGER NOT NULL,
        PRIMARY KEY (source, origin_id, thread_seq)
    ) STRICT, WITHOUT ROWID""",
    "CREATE INDEX thread_origins_of_thread ON thread_origins (thread_seq)",
    """CREATE TABLE message_origins (
        message_seq INTEGER PRIMARY KEY REFERENCES messages (seq) ON DELETE CASCADE,
        origin_id TEXT NOT NULL
    ) STRICT""",
    # An imported chat has its place among those of its time: it shares the place of the one below it.
    "DROP INDEX threads_listed",
    "CREATE INDEX threads_listed ON threads (change_seq, updated_at) WHERE deleted_at IS NULL",
    "CREATE INDEX threads_by_time ON threads (updated_at, change_seq)",
)


def apply(connection: sqlite3.Connection) -> None:
    for statement in _STATEMENTS:
        connection.execute(statement)
