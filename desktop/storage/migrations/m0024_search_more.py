"""What the search finds besides: tool calls and results."""

import sqlite3

_STATEMENTS: tuple[str, ...] = (
    # Whether the tool calls of an answer are in their index, as is_indexed; what there is already follows in pieces.
    "ALTER TABLE messages ADD COLUMN is_call_indexed INTEGER NOT NULL DEFAULT 0",
    "CREATE INDEX messages_calls_not_indexed ON messages (seq) WHERE is_call_indexed = 0 AND role = 'assistant'",
    "CREATE INDEX messages_with_calls ON messages (seq) WHERE is_call_indexed = 1",
)


def apply(connection: sqlite3.Connection) -> None:
    for statement in _STATEMENTS:
        connection.execute(statement)
