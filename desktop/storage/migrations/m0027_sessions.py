"""Chats that share their turns in a session, what of them was put there, and which sessions are to be cleared."""

import sqlite3

_STATEMENTS: tuple[str, ...] = (
    "ALTER TABLE threads ADD COLUMN session TEXT",
    "ALTER TABLE new_thread ADD COLUMN session TEXT",
    # place is SessionPlace.key; is_sent is 0 until the session has it.
    """CREATE TABLE session_entries (
        message_seq INTEGER NOT NULL REFERENCES messages (seq) ON DELETE CASCADE,
        place TEXT NOT NULL,
        session TEXT NOT NULL,
        is_sent INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (message_seq, place, session)
    ) STRICT, WITHOUT ROWID""",
    "CREATE INDEX session_entries_unsent ON session_entries (place, session) WHERE is_sent = 0",
    """CREATE TABLE session_clears (
        place TEXT NOT NULL,
        session TEXT NOT NULL,
        since INTEGER NOT NULL,
        PRIMARY KEY (place, session)
    ) STRICT, WITHOUT ROWID""",
    # Whatever removes a message leaves the note that what was shared of it is to go, too.
    """CREATE TRIGGER session_entries_gone AFTER DELETE ON session_entries BEGIN
        INSERT OR IGNORE INTO session_clears (place, session, since)
        VALUES (old.place, old.session, CAST(strftime('%s', 'now') AS INTEGER));
    END""",
)


def apply(connection: sqlite3.Connection) -> None:
    for statement in _STATEMENTS:
        connection.execute(statement)
