"""The library of prompts."""

import sqlite3

_STATEMENTS: tuple[str, ...] = (
    # Of no chat: a prompt stays when the chat goes from which its text was taken.
    """CREATE TABLE prompts (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        place INTEGER NOT NULL,
        name TEXT NOT NULL,
        description TEXT NOT NULL,
        body TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        used_count INTEGER NOT NULL DEFAULT 0,
        last_used_at INTEGER
    ) STRICT""",
)


def apply(connection: sqlite3.Connection) -> None:
    for statement in _STATEMENTS:
        connection.execute(statement)
