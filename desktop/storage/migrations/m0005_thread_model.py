"""Which model answers in a thread and how much it reasons; NULL is what the settings say."""

import sqlite3


def apply(connection: sqlite3.Connection) -> None:
    for table in ("threads", "new_thread"):
        for column in ("endpoint_id", "model", "thinking"):
            connection.execute(f"ALTER TABLE {table} ADD COLUMN {column} TEXT")
