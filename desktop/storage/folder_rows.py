"""Rows of folders: read with how many chats stand in each, made, moved, deleted and taken back."""

import sqlite3
from collections.abc import Sequence

from desktop.conversation.lists import LONGEST_FOLDER_NAME, Folder
from desktop.core.ids import new_id
from desktop.storage.rows import clean, next_number, want_wipe

_IN_FOLDER = """t.folder_seq = f.seq AND t.deleted_at IS NULL AND t.archived_at IS NULL AND t.pinned_at IS NULL
    AND t.is_purging = 0 AND t.is_temporary = 0"""


def read(connection: sqlite3.Connection) -> tuple[Folder, ...]:
    """Return all folders in their order."""
    rows = connection.execute(
        "SELECT f.id, f.name, f.position, f.is_open, count(t.seq), coalesce(sum(t.is_unread), 0) FROM folders AS f"
        f" LEFT JOIN threads AS t ON {_IN_FOLDER} GROUP BY f.seq ORDER BY f.position, f.seq"
    )
    return tuple(
        Folder(id=key, name=name, position=position, is_open=bool(is_open), chats=chats, unread=unread)
        for key, name, position, is_open, chats, unread in rows
    )


def one_line(name: str) -> str:
    """Return a name as it is kept: on one line, and not too long."""
    return " ".join(clean(name).split())[:LONGEST_FOLDER_NAME]


def make(connection: sqlite3.Connection, name: str) -> Folder:
    """Make a folder below the others."""
    position: int = connection.execute("SELECT coalesce(max(position), 0) + 1 FROM folders").fetchone()[0]
    folder = Folder(id=new_id(), name=one_line(name), position=position)
    insert(connection, folder)
    return folder


def insert(connection: sqlite3.Connection, folder: Folder) -> None:
    connection.execute(
        "INSERT OR IGNORE INTO folders (seq, id, name, position, is_open) VALUES (?, ?, ?, ?, ?)",
        (next_number(connection), folder.id, clean(folder.name), folder.position, folder.is_open),
    )


def named(connection: sqlite3.Connection, name: str) -> int | None:
    """Return the number of the folder of that name, which is made where there is none; None for no name."""
    name = one_line(name)
    if not name:
        return None
    wanted = "SELECT seq FROM folders WHERE name = ? ORDER BY position, seq"
    row = connection.execute(wanted, (name,)).fetchone()
    if row is None:
        make(connection, name)
        row = connection.execute(wanted, (name,)).fetchone()
    return row[0]


def move(connection: sqlite3.Connection, folder_id: str, before: str | None) -> None:
    """Put a folder before another one, with None below all."""
    ids = [row[0] for row in connection.execute("SELECT id FROM folders ORDER BY position, seq")]
    if folder_id not in ids or before == folder_id:
        return
    ids.remove(folder_id)
    ids.insert(ids.index(before) if before in ids else len(ids), folder_id)
    connection.executemany("UPDATE folders SET position = ? WHERE id = ?", list(enumerate(ids, 1)))


def delete(connection: sqlite3.Connection, folder_id: str) -> tuple[str, ...]:
    """Delete a folder; return the ids of what was in it, also in the Trash. Its name is wiped from the files."""
    inside = connection.execute(
        "SELECT t.id FROM threads AS t JOIN folders AS f ON f.seq = t.folder_seq WHERE f.id = ? AND t.is_purging = 0"
        " ORDER BY t.seq",
        (folder_id,),
    ).fetchall()
    connection.execute("DELETE FROM folders WHERE id = ?", (folder_id,))
    want_wipe(connection)
    return tuple(row[0] for row in inside)


def restore(connection: sqlite3.Connection, folder: Folder, thread_ids: Sequence[str]) -> None:
    """Take a deletion back; what was put into another folder meanwhile stays there."""
    insert(connection, folder)
    connection.executemany(
        "UPDATE threads SET folder_seq = (SELECT seq FROM folders WHERE id = ?) WHERE id = ? AND folder_seq IS NULL"
        " AND is_purging = 0",
        [(folder.id, clean(thread_id)) for thread_id in thread_ids],
    )
