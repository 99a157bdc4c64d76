"""What an answer cost, and how many of its tokens were read before or were reasoning; NULL where nobody said."""

import sqlite3


def apply(connection: sqlite3.Connection) -> None:
    connection.execute("ALTER TABLE turns ADD COLUMN cached_input_tokens INTEGER")
    connection.execute("ALTER TABLE turns ADD COLUMN thinking_tokens INTEGER")
    connection.execute("ALTER TABLE turns ADD COLUMN cost REAL")
    connection.execute("ALTER TABLE turns ADD COLUMN currency TEXT")
