"""The files that go along with messages: a folder for each in the data folder, and a row that says whose it is."""

import asyncio
import logging
import os
import re
import shutil
import sqlite3
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from desktop.conversation.entities import AttachmentPart
from desktop.core.clock import Clock, utc_now
from desktop.core.errors import StorageError
from desktop.core.ids import new_id
from desktop.core.paths import DataPaths
from desktop.storage.database import Database
from desktop.storage.rows import OWNER_OF_DRAFT, clean, decode_part, encode_part, to_microseconds, want_wipe

logger = logging.getLogger(__name__)

_ID = re.compile(r"[0-9a-z]{26}")
_SUFFIX = re.compile(r"\.[a-z0-9]{1,8}")
_SENT, _THUMBNAIL, _ORIGINAL = "sent", "thumbnail", "original"
_NOT_WANTED = (
    "thread_seq IS NULL AND is_gone = 0 AND id NOT IN (SELECT attachment_id FROM draft_attachments) AND created_at < ?"
)


class FolderAttachments:
    """See ``conversation.ports.AttachmentStore``.

    The row comes before the folder and goes after it, so that no file is ever left behind that nobody knows of.
    Folders without a row are never touched: they belong to a database that was set aside as damaged.
    """

    def __init__(self, paths: DataPaths, database: Database, *, clock: Clock = utc_now) -> None:
        self._root = paths.attachments
        self._database = database
        self._clock = clock

    async def add(
        self, original: bytes, *, suffix: str, sent: bytes | None = None, thumbnail: bytes | None = None
    ) -> str:
        attachment_id = new_id()
        time = to_microseconds(self._clock())
        statement = "INSERT INTO attachments (id, created_at) VALUES (?, ?)"
        await self._database.write(lambda c: c.execute(statement, (attachment_id, time)), needs_room=True)
        name = f"{_ORIGINAL}{suffix if _SUFFIX.fullmatch(suffix) else ''}"
        files = {name: original, _SENT: sent, _THUMBNAIL: thumbnail}
        try:
            await asyncio.to_thread(_write_all, self._root / attachment_id, files)
        except OSError as error:
            await self.discard(attachment_id)
            raise StorageError.of_unwritten(error) from error
        return attachment_id

    async def discard(self, attachment_id: str) -> None:
        def mark(connection: sqlite3.Connection) -> None:
            connection.execute(
                "UPDATE attachments SET is_gone = 1 WHERE id = ? AND thread_seq IS NULL", (clean(attachment_id),)
            )

        await self._database.write(mark)
        await remove_gone(self._database)

    def original(self, attachment_id: str) -> Path | None:
        if not _ID.fullmatch(attachment_id):
            return None
        return next(iter(sorted((self._root / attachment_id).glob(f"{_ORIGINAL}*"))), None)

    async def sent(self, attachment_id: str) -> bytes | None:
        return await self._read(attachment_id, _SENT)

    async def thumbnail(self, attachment_id: str) -> bytes | None:
        return await self._read(attachment_id, _THUMBNAIL)

    async def _read(self, attachment_id: str, name: str) -> bytes | None:
        if not _ID.fullmatch(attachment_id):
            return None
        try:
            return await asyncio.to_thread((self._root / attachment_id / name).read_bytes)
        except OSError as error:
            logger.info("a file of an attachment cannot be read: %s", error.strerror)
            return None

    async def save_draft(self, thread_id: str, attachments: Sequence[AttachmentPart]) -> None:
        key = clean(thread_id)
        rows = [(part.attachment_id, *encode_part(part)[2:]) for part in attachments]

        def save(connection: sqlite3.Connection) -> None:
            taken_back = connection.execute("DELETE FROM draft_attachments WHERE thread_id = ?", (key,)).rowcount
            temporary = "SELECT 1 FROM threads WHERE id = ? AND is_temporary = 1"
            if taken_back and connection.execute(temporary, (key,)).fetchone():
                want_wipe(connection)  # when the thread is left: of what was put into it no trace may stay
            connection.executemany(
                "INSERT INTO draft_attachments (thread_id, position, attachment_id, text, payload)"
                f" SELECT ?1, ?2, ?3, ?4, ?5 WHERE ?1 = '' OR EXISTS ({OWNER_OF_DRAFT})",
                [(key, position, *row) for position, row in enumerate(rows)],
            )

        await self._database.write(save, needs_room=bool(rows))

    async def load_draft(self, thread_id: str) -> tuple[AttachmentPart, ...]:
        def load(connection: sqlite3.Connection) -> tuple[AttachmentPart, ...]:
            rows = connection.execute(
                "SELECT text, payload FROM draft_attachments WHERE thread_id = ? ORDER BY position",
                (clean(thread_id),),
            ).fetchall()
            parts = (decode_part((0, "attachment", text, payload)) for text, payload in rows)
            return tuple(part for part in parts if isinstance(part, AttachmentPart))

        return await self._database.read(load)

    async def sweep(self, before: datetime) -> int:
        moment = (to_microseconds(before),)

        def mark(connection: sqlite3.Connection) -> int:
            return connection.execute(f"UPDATE attachments SET is_gone = 1 WHERE {_NOT_WANTED}", moment).rowcount

        def is_any(connection: sqlite3.Connection) -> bool:
            question = f"SELECT 1 FROM attachments WHERE is_gone = 1 OR ({_NOT_WANTED}) LIMIT 1"
            return connection.execute(question, moment).fetchone() is not None

        if not await self._database.read(is_any):
            return 0
        count = await self._database.write(mark)
        await remove_gone(self._database)
        return count


def claim(connection: sqlite3.Connection, attachments: Sequence[AttachmentPart], thread_seq: int) -> None:
    """Let files belong to a thread. Raises ``StorageError`` for one that is gone or belongs to another thread."""
    for part in attachments:
        done = connection.execute(
            "UPDATE attachments SET thread_seq = ? WHERE id = ? AND is_gone = 0 AND coalesce(thread_seq, ?) = ?",
            (thread_seq, part.attachment_id, thread_seq, thread_seq),
        )
        if done.rowcount != 1:
            raise StorageError("storage.attachment_missing", name=part.name)


def claim_new(connection: sqlite3.Connection, ids: Sequence[str], thread_seq: int) -> None:
    """Let files that belong to nobody yet belong to a thread. One that is gone meanwhile stays gone."""
    connection.executemany(
        "UPDATE attachments SET thread_seq = ? WHERE id = ? AND is_gone = 0 AND thread_seq IS NULL",
        [(thread_seq, attachment_id) for attachment_id in ids],
    )


async def copy_all(database: Database, ids: Sequence[str], moment: datetime) -> dict[str, str]:
    """Copy files; returns the ids of the copies, which belong to nobody yet, by those of the originals.

    Of a file that is gone the copy is one that is gone, too. Raises ``StorageError``; then no copy is left.
    """
    copies = {attachment_id: new_id() for attachment_id in ids}
    if not copies:
        return copies
    rows = [(copied, to_microseconds(moment)) for copied in copies.values()]
    statement = "INSERT INTO attachments (id, created_at) VALUES (?, ?)"
    await database.write(lambda c: c.executemany(statement, rows), needs_room=True)
    root = database.paths.attachments
    try:
        for attachment_id, copied in copies.items():
            if _ID.fullmatch(attachment_id):
                await asyncio.to_thread(_copy, root / attachment_id, root / copied)
    except OSError as error:
        await give_up(database, list(copies.values()))
        raise StorageError.of_unwritten(error) from error
    return copies


async def give_up(database: Database, ids: Sequence[str]) -> None:
    """Delete files that nobody came to own: no thread, and no draft of one."""
    statement = (
        "UPDATE attachments SET is_gone = 1 WHERE id = ? AND thread_seq IS NULL"
        " AND NOT EXISTS (SELECT 1 FROM draft_attachments AS d WHERE d.attachment_id = attachments.id)"
    )
    await database.write(lambda c: c.executemany(statement, [(attachment_id,) for attachment_id in ids]))
    await remove_gone(database)


def forget_draft(connection: sqlite3.Connection, thread_id: str) -> None:
    """The draft was sent: its files stand beside no draft any more."""
    connection.execute("DELETE FROM draft_attachments WHERE thread_id = ?", (thread_id,))


def mark_purged(connection: sqlite3.Connection, thread_seq: int, thread_id: str) -> None:
    """Let all files of a thread go, also those of its drafts. ``remove_gone`` deletes them."""
    of_its_drafts = "thread_id = ?2 OR thread_id IN (SELECT id FROM messages WHERE thread_seq = ?1)"
    connection.execute(
        "UPDATE attachments SET is_gone = 1 WHERE thread_seq = ?1 OR (thread_seq IS NULL AND id IN"
        f" (SELECT attachment_id FROM draft_attachments WHERE {of_its_drafts}))",
        (thread_seq, thread_id),
    )
    connection.execute(f"DELETE FROM draft_attachments WHERE {of_its_drafts}", (thread_seq, thread_id))


async def remove_gone(database: Database) -> bool:
    """Delete the files that are to go; False where the system holds one fast, which the next start tries again."""
    rows = await database.read(lambda c: c.execute("SELECT id FROM attachments WHERE is_gone = 1").fetchall())
    statement = "DELETE FROM attachments WHERE id = ? AND is_gone = 1"
    all_gone = True
    for (attachment_id,) in rows:
        if await asyncio.to_thread(_remove, database.paths.attachments / attachment_id, attachment_id):
            await database.write(lambda c, key=attachment_id: c.execute(statement, (key,)))
        else:
            all_gone = False
    return all_gone


def _remove(folder: Path, attachment_id: str) -> bool:
    if not _ID.fullmatch(attachment_id):  # written by nobody of us: no path is made of it
        return True
    try:
        if folder.is_symlink():
            folder.unlink()
        elif folder.exists():
            shutil.rmtree(folder)
    except OSError as error:
        logger.warning("an attached file cannot be deleted yet: %s", error.strerror)
        return False
    return True


def _copy(source: Path, target: Path) -> None:
    files = [path for path in source.iterdir() if path.is_file()] if source.is_dir() else []
    if files:
        _write_all(target, {path.name: path.read_bytes() for path in files})


def _write_all(folder: Path, files: dict[str, bytes | None]) -> None:
    folder.parent.mkdir(mode=0o700, exist_ok=True)
    folder.mkdir(mode=0o700)
    for name, data in files.items():
        if data is not None:
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
            with os.fdopen(os.open(folder / name, flags, 0o600), "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
    if os.name == "posix":
        for place in (folder, folder.parent):
            number = os.open(place, os.O_RDONLY)
            try:
                os.fsync(number)
            finally:
                os.close(number)
