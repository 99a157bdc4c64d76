"""Chats in which the model proposes a plan before it does anything."""

import sqlite3


def apply(connection: sqlite3.Connection) -> None:
    for table in ("threads", "new_thread"):
        connection.execute(f"ALTER TABLE {table} ADD COLUMN plans_first INTEGER NOT NULL DEFAULT 0")
