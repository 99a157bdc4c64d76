"""Messages and tool results that were removed by themselves."""

import sqlite3

_STATEMENTS: tuple[str, ...] = (
    # What can still be taken back: a message (position -1), or the result that stands at this place of it.
    # turned_to: the end of the path that was shown instead. words, vectors: what left the indexes, for the receipt.
    """CREATE TABLE removals (
        message_seq INTEGER NOT NULL REFERENCES messages (seq) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        turned_to INTEGER,
        words INTEGER NOT NULL DEFAULT 0,
        vectors INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (message_seq, position)
    ) STRICT, WITHOUT ROWID""",
)


def apply(connection: sqlite3.Connection) -> None:
    for statement in _STATEMENTS:
        connection.execute(statement)
