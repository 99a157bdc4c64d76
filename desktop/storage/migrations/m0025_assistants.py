"""The library of assistants, and which chat uses one."""

import sqlite3

_STATEMENTS: tuple[str, ...] = (
    # name_key is the name as it is compared. body is the JSON of conversation.assistants.as_json.
    """CREATE TABLE assistants (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        name_key TEXT NOT NULL UNIQUE,
        place INTEGER NOT NULL,
        body TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL
    ) STRICT""",
    # A chat keeps the whole assistant: it goes on with it when that is not in the library any more.
    "ALTER TABLE threads ADD COLUMN assistant_id TEXT",
    "ALTER TABLE threads ADD COLUMN assistant TEXT",
    "CREATE INDEX threads_by_assistant ON threads (assistant_id) WHERE assistant_id IS NOT NULL",
    "ALTER TABLE new_thread ADD COLUMN assistant_id TEXT",
    "ALTER TABLE new_thread ADD COLUMN assistant TEXT",
)


def apply(connection: sqlite3.Connection) -> None:
    for statement in _STATEMENTS:
        connection.execute(statement)
