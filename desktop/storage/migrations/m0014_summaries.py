"""Summaries of what fell out of the window of a thread."""

import sqlite3

_STATEMENTS = (
    # until_seq: the last message that it stands for. pinned: a JSON list of sentences.
    """CREATE TABLE summaries (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        thread_seq INTEGER NOT NULL REFERENCES threads (seq) ON DELETE CASCADE,
        until_seq INTEGER NOT NULL REFERENCES messages (seq) ON DELETE CASCADE,
        text TEXT NOT NULL,
        own_text TEXT NOT NULL,
        pinned TEXT NOT NULL,
        is_stale INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        model TEXT NOT NULL,
        input_tokens INTEGER,
        output_tokens INTEGER,
        cost REAL,
        currency TEXT,
        UNIQUE (thread_seq, until_seq)
    ) STRICT""",
    "CREATE INDEX summaries_until ON summaries (until_seq)",
    # What holds for a thread: whether it is sent without, and what became of the last attempts.
    """CREATE TABLE summary_states (
        thread_seq INTEGER PRIMARY KEY REFERENCES threads (seq) ON DELETE CASCADE,
        is_off INTEGER NOT NULL DEFAULT 0,
        problem TEXT,
        attempts INTEGER NOT NULL DEFAULT 0,
        turns_to_wait INTEGER NOT NULL DEFAULT 0
    ) STRICT""",
)


def apply(connection: sqlite3.Connection) -> None:
    for statement in _STATEMENTS:
        connection.execute(statement)
