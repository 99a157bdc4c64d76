"""Files that the user added as knowledge, in pieces that can be recalled."""

import sqlite3

_STATEMENTS: tuple[str, ...] = ()


def apply(connection: sqlite3.Connection) -> None:
    for statement in _STATEMENTS:
        connection.execute(statement)
