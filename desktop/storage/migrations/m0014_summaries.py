"""Summaries of what fell out of the window of a thread."""

import sqlite3

_STATEMENTS: tuple[str, ...] = ()


def apply(connection: sqlite3.Connection) -> None:
    for statement in _STATEMENTS:
        connection.execute(statement)
