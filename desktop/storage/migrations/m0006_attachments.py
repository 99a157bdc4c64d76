"""Files that go along with messages: which thread each belongs to, and which stand beside a draft.

The files lie in folders of their own, by id. is_gone: to be deleted, and its row after it.
"""

import sqlite3


def apply(connection: sqlite3.Connection) -> None:
    connection.execute(
        "CREATE TABLE attachments (id TEXT PRIMARY KEY,"
        " thread_seq INTEGER REFERENCES threads (seq) ON DELETE SET NULL,"
        " created_at INTEGER NOT NULL, is_gone INTEGER NOT NULL DEFAULT 0) STRICT"
    )
    connection.execute("CREATE INDEX attachments_of_thread ON attachments (thread_seq)")
    connection.execute(
        "CREATE TABLE draft_attachments (thread_id TEXT NOT NULL, position INTEGER NOT NULL,"
        " attachment_id TEXT NOT NULL, text TEXT NOT NULL, payload TEXT NOT NULL,"
        " PRIMARY KEY (thread_id, position)) STRICT"
    )
