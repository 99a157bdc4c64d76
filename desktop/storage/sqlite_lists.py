"""The lists of threads in SQLite: pages of them, what stands where, folders, and what was not read yet."""

import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime

from desktop.conversation.entities import Thread
from desktop.conversation.lists import Folder, ListKind, PageKey, Place, ThreadListRepository, ThreadPage
from desktop.storage import folder_rows, thread_rows
from desktop.storage.database import Database
from desktop.storage.rows import clean, placeholders, to_microseconds

_CHUNK = 500
_CHANGED = ("t.change_seq", "t.updated_at", "t.seq")
_LISTED = "t.deleted_at IS NULL AND t.archived_at IS NULL"
_LISTS: Mapping[ListKind, tuple[str, tuple[str, ...]]] = {
    ListKind.OTHERS: (f"{_LISTED} AND t.pinned_at IS NULL AND t.folder_seq IS NULL", _CHANGED),
    ListKind.FOLDER: (
        f"{_LISTED} AND t.pinned_at IS NULL AND t.folder_seq = (SELECT seq FROM folders WHERE id = ?)",
        _CHANGED,
    ),
    ListKind.PINNED: (f"{_LISTED} AND t.pinned_at IS NOT NULL", ("t.pinned_at", "t.seq")),
    ListKind.ARCHIVE: ("t.deleted_at IS NULL AND t.archived_at IS NOT NULL", ("t.archived_at", "t.seq")),
    ListKind.TRASH: ("t.deleted_at IS NOT NULL", ("t.deleted_seq", "t.seq")),
}
"""Which threads, and what orders them: an index begins with it, so that no page looks at the ones before it."""


class SqliteThreadLists(ThreadListRepository):
    """See ``conversation.lists.ThreadListRepository``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def page(
        self, kind: ListKind, *, folder_id: str = "", limit: int = 200, after: PageKey | None = None
    ) -> ThreadPage:
        condition, keys = _LISTS[kind]
        values: list[str | int] = [clean(folder_id)] if kind is ListKind.FOLDER else []
        if after is not None:
            condition += f" AND ({', '.join(keys)}) < ({placeholders(after)})"
            values += after
        order = ", ".join(f"{key} DESC" for key in keys)
        query = (
            f"SELECT {', '.join(keys)}, {thread_rows.COLUMNS} AND t.is_temporary = 0 AND {condition}"
            f" ORDER BY {order} LIMIT ?"
        )
        values.append(max(0, limit))

        def read(connection: sqlite3.Connection) -> ThreadPage:
            rows = connection.execute(query, values).fetchall()
            count = len(keys)
            return ThreadPage(
                threads=tuple(thread_rows.to_thread(row[count:]) for row in rows),
                next=tuple(rows[-1][:count]) if rows and len(rows) >= limit else None,
            )

        return await self._database.read(read)

    async def threads(self, thread_ids: Sequence[str]) -> tuple[Thread, ...]:
        ids = [clean(each) for each in thread_ids]

        def read(connection: sqlite3.Connection) -> tuple[Thread, ...]:
            found: dict[str, Thread] = {}
            for chunk in _chunks(ids):
                query = f"SELECT {thread_rows.COLUMNS} AND t.id IN ({placeholders(chunk)})"
                found.update((row[0], thread_rows.to_thread(row)) for row in connection.execute(query, chunk))
            return tuple(found[each] for each in ids if each in found)

        return await self._database.read(read)

    async def set_places(self, places: Mapping[str, Place]) -> None:
        rows = [
            (_moment(place.pinned_at), _moment(place.archived_at), clean(place.folder_id or ""), clean(thread_id))
            for thread_id, place in places.items()
        ]
        await self._database.write(
            lambda connection: connection.executemany(
                "UPDATE threads SET pinned_at = ?, archived_at = ?, folder_seq = (SELECT seq FROM folders WHERE id = ?)"
                " WHERE id = ? AND is_purging = 0 AND is_temporary = 0",
                rows,
            )
        )

    async def set_unread(self, thread_ids: Sequence[str], unread: bool) -> None:
        rows = [(unread, clean(thread_id)) for thread_id in thread_ids]
        await self._database.write(
            lambda connection: connection.executemany(
                "UPDATE threads SET is_unread = ? WHERE id = ? AND is_purging = 0 AND is_temporary = 0", rows
            )
        )

    async def folders(self) -> tuple[Folder, ...]:
        return await self._database.read(folder_rows.read)

    async def create_folder(self, name: str) -> Folder:
        return await self._database.write(lambda connection: folder_rows.make(connection, name), needs_room=True)

    async def rename_folder(self, folder_id: str, name: str) -> None:
        await self._change_folder("UPDATE folders SET name = ? WHERE id = ?", folder_rows.one_line(name), folder_id)

    async def set_folder_open(self, folder_id: str, is_open: bool) -> None:
        await self._change_folder("UPDATE folders SET is_open = ? WHERE id = ?", is_open, folder_id)

    async def _change_folder(self, statement: str, value: str | bool, folder_id: str) -> None:
        await self._database.write(lambda connection: connection.execute(statement, (value, clean(folder_id))))

    async def move_folder(self, folder_id: str, before: str | None) -> None:
        await self._database.write(lambda connection: folder_rows.move(connection, folder_id, before))

    async def delete_folder(self, folder_id: str) -> tuple[str, ...]:
        return await self._database.write(lambda connection: folder_rows.delete(connection, clean(folder_id)))

    async def restore_folder(self, folder: Folder, thread_ids: Sequence[str]) -> None:
        ids = tuple(thread_ids)
        await self._database.write(lambda connection: folder_rows.restore(connection, folder, ids), needs_room=True)


def _moment(moment: datetime | None) -> int | None:
    return None if moment is None else to_microseconds(moment)


def _chunks(ids: Sequence[str]) -> list[Sequence[str]]:
    return [ids[start : start + _CHUNK] for start in range(0, len(ids), _CHUNK)]
