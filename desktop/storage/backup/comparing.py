"""What an unpacked backup holds beside what is here: what a merge would add, and what would be lost without one."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from desktop.core.backups import LibraryCounts
from desktop.memory.transfer import normal
from desktop.storage.backup.snapshot import count
from desktop.storage.opening import connect_reader

_LIVING = "is_temporary = 0 AND is_purging = 0"
# A chat that was imported before is known by the id that it has elsewhere, and so are its messages.
_CHATS = (
    f"(SELECT id FROM {{0}}.threads WHERE {_LIVING} UNION SELECT o.origin_id FROM {{0}}.thread_origins AS o"
    f" JOIN {{0}}.threads AS t ON t.seq = o.thread_seq WHERE {_LIVING})"
)
_MESSAGES = (
    f"(SELECT m.id FROM {{0}}.messages AS m JOIN {{0}}.threads AS t ON t.seq = m.thread_seq WHERE {_LIVING}"
    " UNION SELECT origin_id FROM {0}.message_origins)"
)
_MISSING_CHATS = f"SELECT count(*) FROM {{0}}.threads WHERE {_LIVING} AND id NOT IN {_CHATS.format('{1}')}"
_MISSING_MESSAGES = (
    "SELECT count(*) FROM {0}.messages AS m JOIN {0}.threads AS t ON t.seq = m.thread_seq"
    f" WHERE {_LIVING} AND m.id NOT IN {_MESSAGES.format('{1}')}"
)
_GROWN = (
    "SELECT count(DISTINCT t.seq) FROM {0}.messages AS m JOIN {0}.threads AS t ON t.seq = m.thread_seq"
    f" WHERE {_LIVING} AND t.id IN {_CHATS.format('{1}')} AND m.id NOT IN {_MESSAGES.format('{1}')}"
)


@dataclass(frozen=True, kw_only=True)
class Difference:
    """See ``core.backups.RestorePlan``."""

    here: LibraryCounts
    new_chats: int
    grown_chats: int
    new_messages: int
    new_memories: int
    lost_chats: int
    lost_messages: int
    lost_memories: int


def compare(backup: Path, database: Path) -> Difference:
    """Compare two databases of this version, in SQLite, which keeps nobody from the interpreter. Raises ``sqlite3.Error``."""
    with closing(connect_reader(database)) as connection:
        connection.execute("ATTACH ? AS there", (f"{backup.absolute().as_uri()}?mode=ro",))
        connection.execute("BEGIN")
        remembered, known = _memories(connection, "there"), _memories(connection, "main")
        return Difference(
            here=count(connection),
            new_chats=_number(connection, _MISSING_CHATS, "there", "main"),
            grown_chats=_number(connection, _GROWN, "there", "main"),
            new_messages=_number(connection, _MISSING_MESSAGES, "there", "main"),
            new_memories=len(remembered - known),
            lost_chats=_number(connection, _MISSING_CHATS, "main", "there"),
            lost_messages=_number(connection, _MISSING_MESSAGES, "main", "there"),
            lost_memories=len(known - remembered),
        )


def _number(connection: sqlite3.Connection, query: str, one: str, other: str) -> int:
    return connection.execute(query.format(one, other)).fetchone()[0]


def _memories(connection: sqlite3.Connection, schema: str) -> set[str]:
    return {normal(text) for (text,) in connection.execute(f"SELECT text FROM {schema}.memory_items")}
