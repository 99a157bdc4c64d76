"""What the user has accepted of each server: its tools and its instructions as they were listed."""

import sqlite3

_STATEMENTS = (
    # Both definitions are JSON; an empty one was never accepted, kept_off is the one that is to stay off.
    """CREATE TABLE tool_pins (
        server_id TEXT NOT NULL,
        identity TEXT NOT NULL,
        name TEXT NOT NULL,
        definition TEXT NOT NULL,
        kept_off TEXT NOT NULL DEFAULT '',
        pinned_at INTEGER NOT NULL,
        PRIMARY KEY (server_id, identity, name)
    ) STRICT, WITHOUT ROWID""",
)


def apply(connection: sqlite3.Connection) -> None:
    for statement in _STATEMENTS:
        connection.execute(statement)
