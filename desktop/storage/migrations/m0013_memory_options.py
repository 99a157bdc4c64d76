"""What a thread is told of what was said before, and threads that leave nothing."""

import sqlite3


def apply(connection: sqlite3.Connection) -> None:
    for table in ("threads", "new_thread"):
        connection.execute(f"ALTER TABLE {table} ADD COLUMN memory TEXT")
        connection.execute(f"ALTER TABLE {table} ADD COLUMN is_temporary INTEGER NOT NULL DEFAULT 0")
