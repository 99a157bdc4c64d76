"""What a thread does in its own way: its system prompt and its temperature; NULL is what the settings say."""

import sqlite3


def apply(connection: sqlite3.Connection) -> None:
    connection.execute("ALTER TABLE threads ADD COLUMN system_prompt TEXT")
    connection.execute("ALTER TABLE threads ADD COLUMN temperature REAL")
