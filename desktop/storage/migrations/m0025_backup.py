"""What backups need to know."""

import sqlite3

_STATEMENTS: tuple[str, ...] = ()


def apply(connection: sqlite3.Connection) -> None:
    for statement in _STATEMENTS:
        connection.execute(statement)
