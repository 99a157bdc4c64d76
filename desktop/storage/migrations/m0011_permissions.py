"""Permissions with patterns and an end, threads that hold foreign text, and why each call was asked or decided."""

import sqlite3

_STATEMENTS = (
    # pattern is JSON, NULL for one exact call or for a whole tool in one thread.
    "ALTER TABLE grants ADD COLUMN pattern TEXT",
    "ALTER TABLE grants ADD COLUMN expires_at INTEGER",
    "ALTER TABLE grants ADD COLUMN parser_version INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE grants ADD COLUMN knows_foreign_text INTEGER NOT NULL DEFAULT 0",
    # reason is the rule, noticed JSON: what the app said of the call at that moment.
    "ALTER TABLE tool_calls ADD COLUMN reason TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE tool_calls ADD COLUMN noticed TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE tool_calls ADD COLUMN sandbox TEXT NOT NULL DEFAULT ''",
    # A thread is in it once it holds text that somebody else wrote, with where the first of it came from.
    """CREATE TABLE foreign_text (
        thread_seq INTEGER PRIMARY KEY REFERENCES threads (seq) ON DELETE CASCADE,
        cause TEXT NOT NULL,
        detail TEXT NOT NULL,
        at INTEGER NOT NULL
    ) STRICT""",
)


def apply(connection: sqlite3.Connection) -> None:
    for statement in _STATEMENTS:
        connection.execute(statement)
