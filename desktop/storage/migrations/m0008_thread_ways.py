"""What a thread does in its own way (models asked beside, its folder, when tools ask), and which answers it showed."""

import sqlite3


def apply(connection: sqlite3.Connection) -> None:
    for table in ("threads", "new_thread"):
        for column in ("asked_beside", "workspace", "mode"):
            connection.execute(f"ALTER TABLE {table} ADD COLUMN {column} TEXT")
    # Which of several answers the path takes again: the one that came into it last. NULL: when it was added; 0: never.
    connection.execute("ALTER TABLE messages ADD COLUMN shown_seq INTEGER")
