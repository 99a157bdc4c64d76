"""What was chosen for a thread that begins with its first message; no row where everything is as the settings say."""

import sqlite3


def apply(connection: sqlite3.Connection) -> None:
    connection.execute(
        "CREATE TABLE new_thread ("
        "only_row INTEGER PRIMARY KEY CHECK (only_row = 1), system_prompt TEXT, temperature REAL) STRICT"
    )
