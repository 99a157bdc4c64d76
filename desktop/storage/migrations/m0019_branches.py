"""Threads that were branched from others: where from, and which of their messages are copies of which."""

import sqlite3

_STATEMENTS = (
    "ALTER TABLE threads ADD COLUMN branched_from INTEGER REFERENCES messages (seq) ON DELETE SET NULL",
    "CREATE INDEX threads_branched ON threads (branched_from) WHERE branched_from IS NOT NULL",
    # The message that was made by a person or a model, also for a copy of a copy; NULL again once it was purged.
    "ALTER TABLE messages ADD COLUMN copy_of INTEGER REFERENCES messages (seq) ON DELETE SET NULL",
    "CREATE INDEX messages_copied ON messages (copy_of) WHERE copy_of IS NOT NULL",
    # What a copied answer took was counted where it was made.
    "ALTER TABLE turns ADD COLUMN is_copy INTEGER NOT NULL DEFAULT 0",
)


def apply(connection: sqlite3.Connection) -> None:
    for statement in _STATEMENTS:
        connection.execute(statement)
