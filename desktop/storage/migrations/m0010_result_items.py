"""What tool calls brought back beside their text, in the journal: a crash between it and the answer loses nothing."""

import sqlite3


def apply(connection: sqlite3.Connection) -> None:
    connection.execute("ALTER TABLE tool_calls ADD COLUMN items TEXT")
