"""The folder that a standing permission for a command was given for; empty where none is known or there is none."""

import sqlite3


def apply(connection: sqlite3.Connection) -> None:
    connection.execute("ALTER TABLE grants ADD COLUMN folder TEXT NOT NULL DEFAULT ''")
