"""How far each thread was read for facts, and what that took."""

import sqlite3

_STATEMENTS: tuple[str, ...] = (
    """CREATE TABLE readings (
        thread_seq INTEGER PRIMARY KEY REFERENCES threads (seq) ON DELETE CASCADE,
        until_seq INTEGER NOT NULL
    ) STRICT""",
    # What was said before there was any memory is not read.
    "INSERT INTO readings (thread_seq, until_seq) SELECT thread_seq, max(seq) FROM messages GROUP BY thread_seq",
    """CREATE TABLE reading_costs (
        seq INTEGER PRIMARY KEY,
        thread_seq INTEGER NOT NULL REFERENCES threads (seq) ON DELETE CASCADE,
        created_at INTEGER NOT NULL,
        model TEXT NOT NULL,
        input_tokens INTEGER,
        output_tokens INTEGER,
        cost REAL,
        currency TEXT
    ) STRICT""",
    "CREATE INDEX reading_costs_of_thread ON reading_costs (thread_seq)",
    "CREATE INDEX memory_items_of_message ON memory_items (source_message_id) WHERE source_message_id IS NOT NULL",
)


def apply(connection: sqlite3.Connection) -> None:
    for statement in _STATEMENTS:
        connection.execute(statement)
