"""What an unpacked backup holds beside what is here: what a merge would add, and what would be lost without one."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from desktop.conversation.assistants.entities import Assistant
from desktop.conversation.assistants.library import content_of
from desktop.conversation.prompts.library import same_as
from desktop.core.backups import LibraryCounts
from desktop.memory.transfer import normal
from desktop.storage.backup.snapshot import count
from desktop.storage.opening import connect_reader
from desktop.storage.sqlite_assistants import from_text

_LIVING = "is_temporary = 0 AND is_purging = 0"
# A chat that was imported before is known by the id that it has elsewhere, and so are its messages.
_CHATS = (
    f"(SELECT id FROM {{0}}.threads WHERE {_LIVING} UNION SELECT o.origin_id FROM {{0}}.thread_origins AS o"
    f" JOIN {{0}}.threads AS t ON t.seq = o.thread_seq WHERE {_LIVING})"
)
# A message that a damaged file left empty is not one that is here.
_MESSAGES = (
    f"(SELECT m.id FROM {{0}}.messages AS m JOIN {{0}}.threads AS t ON t.seq = m.thread_seq WHERE {_LIVING}"
    " AND (m.part_count > 0 OR m.deleted_at IS NOT NULL) UNION SELECT origin_id FROM {0}.message_origins)"
)
_HOLDS = "(m.part_count > 0 OR m.id NOT IN (SELECT id FROM {1}.messages))"
_MISSING_CHATS = f"SELECT count(*) FROM {{0}}.threads WHERE {_LIVING} AND id NOT IN {_CHATS.format('{1}')}"
_MISSING_MESSAGES = (
    "SELECT count(*) FROM {0}.messages AS m JOIN {0}.threads AS t ON t.seq = m.thread_seq"
    f" WHERE {_LIVING} AND m.id NOT IN {_MESSAGES.format('{1}')} AND {_HOLDS}"
)
_GROWN = (
    "SELECT count(DISTINCT t.seq) FROM {0}.messages AS m JOIN {0}.threads AS t ON t.seq = m.thread_seq"
    f" WHERE {_LIVING} AND t.id IN {_CHATS.format('{1}')} AND m.id NOT IN {_MESSAGES.format('{1}')}"
    f" AND {_HOLDS}"
)
# Chats know a folder by its name. One that has another name now is the same, unless a chat that is missing stands in it.
_MISSING_FOLDERS = (
    "SELECT count(DISTINCT f.name) FROM {0}.folders AS f WHERE f.name NOT IN (SELECT name FROM {1}.folders)"
    " AND (f.id NOT IN (SELECT id FROM {1}.folders) OR EXISTS (SELECT 1 FROM {0}.threads AS t"
    f" WHERE t.folder_seq = f.seq AND {_LIVING} AND t.id NOT IN {_CHATS.format('{1}')}))"
)
_MISSING_PLACES = (
    "SELECT r.path FROM {0}.document_roots AS r WHERE r.removed_at IS NULL AND r.only_thread_id IS NOT ''"
    " AND NOT EXISTS (SELECT 1 FROM {1}.document_roots AS o WHERE o.path = r.path AND o.removed_at IS NULL"
    " AND o.only_thread_id IS r.only_thread_id) ORDER BY r.seq"
)


@dataclass(frozen=True, kw_only=True)
class Difference:
    """See ``core.backups.RestorePlan``."""

    here: LibraryCounts
    new_chats: int
    grown_chats: int
    new_messages: int
    new_memories: int
    new_prompts: int
    new_assistants: int
    new_folders: int
    new_places: tuple[str, ...]
    lost_chats: int
    lost_messages: int
    lost_memories: int
    lost_prompts: int
    lost_assistants: int
    lost_folders: int
    lost_places: int


def compare(backup: Path, database: Path) -> Difference:
    """Compare two databases of this version, in SQLite, which keeps nobody from the interpreter. Raises ``sqlite3.Error``."""
    with closing(connect_reader(database)) as connection:
        connection.execute("ATTACH ? AS there", (f"{backup.absolute().as_uri()}?mode=ro",))
        connection.execute("BEGIN")
        remembered, known = _memories(connection, "there"), _memories(connection, "main")
        prompts, own_prompts = _prompts(connection, "there"), _prompts(connection, "main")
        assistants, own_assistants = _assistants(connection, "there"), _assistants(connection, "main")
        return Difference(
            here=count(connection),
            new_chats=_number(connection, _MISSING_CHATS, "there", "main"),
            grown_chats=_number(connection, _GROWN, "there", "main"),
            new_messages=_number(connection, _MISSING_MESSAGES, "there", "main"),
            new_memories=len(remembered - known),
            new_prompts=len(prompts - own_prompts),
            new_assistants=_unknown(assistants, own_assistants),
            new_folders=_number(connection, _MISSING_FOLDERS, "there", "main"),
            new_places=tuple(path for path in _places(connection, "there", "main") if may_be_read(path)),
            lost_chats=_number(connection, _MISSING_CHATS, "main", "there"),
            lost_messages=_number(connection, _MISSING_MESSAGES, "main", "there"),
            lost_memories=len(known - remembered),
            lost_prompts=len(own_prompts - prompts),
            lost_assistants=_unknown(own_assistants, assistants),
            lost_folders=_number(connection, _MISSING_FOLDERS, "main", "there"),
            lost_places=len(_places(connection, "main", "there")),
        )


def _number(connection: sqlite3.Connection, query: str, one: str, other: str) -> int:
    return connection.execute(query.format(one, other)).fetchone()[0]


def _memories(connection: sqlite3.Connection, schema: str) -> set[str]:
    return {normal(text) for (text,) in connection.execute(f"SELECT text FROM {schema}.memory_items")}


def _prompts(connection: sqlite3.Connection, schema: str) -> set[tuple[str, str]]:
    return {same_as(*row) for row in connection.execute(f"SELECT name, body FROM {schema}.prompts")}


def _assistants(connection: sqlite3.Connection, schema: str) -> list[Assistant]:
    rows = connection.execute(f"SELECT body FROM {schema}.assistants").fetchall()
    return [one for (body,) in rows if (one := from_text(body)) is not None]


def _unknown(some: Sequence[Assistant], others: Sequence[Assistant]) -> int:
    """How many are not among the others: neither the very one nor the same in other words."""
    ids, contents = {one.id for one in others}, {content_of(one) for one in others}
    return sum(one.id not in ids and content_of(one) not in contents for one in some)


def _places(connection: sqlite3.Connection, one: str, other: str) -> list[str]:
    return [row[0] for row in connection.execute(_MISSING_PLACES.format(one, other))]


def may_be_read(path: str) -> bool:
    """Whether a place of documents that a file names can be one of this computer: a share would be asked for at once."""
    return Path(path).is_absolute() and not path.startswith(("\\\\", "//"))
