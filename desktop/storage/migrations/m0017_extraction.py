"""How far each thread was read for facts."""

import sqlite3

_STATEMENTS: tuple[str, ...] = ()


def apply(connection: sqlite3.Connection) -> None:
    for statement in _STATEMENTS:
        connection.execute(statement)
