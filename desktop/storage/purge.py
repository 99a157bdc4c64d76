"""Removes a thread for good: rows in small transactions, then every trace of its text in the files, and its attachments.

A purge that is cut short is gone on with at the next start: the thread is marked first, and the need to wipe is
recorded with it. Each step is small, so that answers that stream meanwhile are saved in time, and so that the log
stays small enough for a full disk.
"""

import asyncio
import logging
import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from desktop.core.receipt import Receipt
from desktop.storage import (
    attachments,
    document_rows,
    indexes,
    memory_items,
    receipts,
    request_texts,
    sqlite_queue,
    summary_rows,
)
from desktop.storage.database import Database
from desktop.storage.messages import require_thread
from desktop.storage.rows import next_number, to_microseconds, want_wipe

logger = logging.getLogger(__name__)

_MESSAGES_A_STEP = 200
_CHECKPOINT_ATTEMPTS = 50
_PAUSE_SECONDS = 0.1
_NAMED_BY_ID = (
    ("drafts", "thread_id"),
    ("draft_attachments", "thread_id"),
    ("memory_items", "only_thread_id"),
    ("memory_items", "source_thread_id"),
    ("document_roots", "only_thread_id"),
)
"""Where a thread is named without a reference."""


async def purge(database: Database, thread_ids: Sequence[str], moment: datetime) -> Receipt:
    """Remove threads; return what that was. Raises ``StorageError``, and removes none, where one of them is not there."""

    def mark(connection: sqlite3.Connection) -> Receipt:
        receipt = Receipt()
        for thread_id in thread_ids:
            seq = require_thread(connection, thread_id, allow_trash=True)
            receipt += receipts.of_thread(connection, seq, thread_id)
            receipt += hide_for_purge(connection, seq, thread_id, moment)
        return receipt

    return replace(await database.write(mark), waits=not await finish(database))


async def purge_before(database: Database, limit: datetime, moment: datetime) -> Receipt:
    """Remove the threads that went to the Trash before ``limit``; return what that was."""

    def mark(connection: sqlite3.Connection) -> Receipt:
        receipt = Receipt()
        expired = connection.execute(
            "SELECT seq, id FROM threads WHERE deleted_at < ? AND is_purging = 0", (to_microseconds(limit),)
        ).fetchall()
        for seq, thread_id in expired:
            receipt += receipts.of_thread(connection, seq, thread_id)
            receipt += hide_for_purge(connection, seq, thread_id, moment)
        return receipt

    receipt = await database.write(mark)
    return replace(receipt, waits=not await finish(database)) if receipt.chats else receipt


async def purge_temporary(database: Database, moment: datetime) -> int:
    """Remove the threads that are to leave nothing; return how many."""
    count = await mark_temporary(database, moment)
    if count:
        await finish(database)
    return count


async def mark_temporary(database: Database, moment: datetime) -> int:
    """The first step of ``purge_temporary``; return how many there were."""

    def mark(connection: sqlite3.Connection) -> int:
        temporary = connection.execute(
            "SELECT seq, id FROM threads WHERE is_temporary = 1 AND is_purging = 0"
        ).fetchall()
        for seq, thread_id in temporary:
            hide_for_purge(connection, seq, thread_id, moment)
        return len(temporary)

    return await database.write(mark)


async def purge_documents(database: Database, root_ids: Sequence[str] | None) -> Receipt:
    """Remove documents that were let go, all of them with None; return what that was."""

    def mark(connection: sqlite3.Connection) -> Receipt:
        before = connection.total_changes
        receipt = document_rows.mark_purged(connection, root_ids)
        if connection.total_changes > before:
            want_wipe(connection)
        return receipt

    return replace(await database.write(mark), waits=not await finish(database))


def hide_for_purge(connection: sqlite3.Connection, seq: int, thread_id: str, moment: datetime) -> Receipt:
    """The first step: nobody sees the thread any more, and a purge that is cut short from here on is gone on with.

    Returns which documents go with it. Of a temporary thread into which nothing was put there is no trace to be wiped: it
    is simply not there any more.
    """
    if _is_untouched(connection, seq, thread_id):
        connection.execute("DELETE FROM threads WHERE seq = ?", (seq,))
        return Receipt()
    connection.execute(
        "UPDATE threads SET is_purging = 1, title = '', snippet = '', system_prompt = NULL,"
        " asked_beside = NULL, workspace = NULL, assistant_id = NULL, assistant = NULL, session = NULL,"
        " deleted_at = coalesce(deleted_at, ?),"
        " deleted_seq = coalesce(deleted_seq, ?) WHERE seq = ?",
        (to_microseconds(moment), next_number(connection), seq),
    )
    connection.execute(
        "DELETE FROM drafts WHERE thread_id = ? OR thread_id IN (SELECT id FROM messages WHERE thread_seq = ?)",
        (thread_id, seq),
    )
    attachments.mark_purged(connection, seq, thread_id)
    sqlite_queue.forget_thread(connection, seq)
    connection.execute("DELETE FROM grants WHERE thread_id = ?", (thread_id,))
    connection.execute("DELETE FROM foreign_text WHERE thread_seq = ?", (seq,))
    memory_items.leave_thread(connection, thread_id)
    documents = document_rows.leave_thread(connection, thread_id, moment)
    summary_rows.leave_thread(connection, seq)
    want_wipe(connection)
    return documents


def note_overwritten(connection: sqlite3.Connection, seq: int) -> None:
    """What the user chose for a thread is about to be overwritten: of a temporary one no trace of it may stay when it goes."""
    chosen = connection.execute(
        "SELECT 1 FROM threads WHERE seq = ? AND is_temporary = 1"
        " AND coalesce(system_prompt, asked_beside, workspace, assistant, session) IS NOT NULL",
        (seq,),
    ).fetchone()
    if chosen is not None:
        want_wipe(connection)


def _is_untouched(connection: sqlite3.Connection, seq: int, thread_id: str) -> bool:
    """Whether nothing was ever written in a temporary thread; what was taken back there has its wipe already noted."""
    blank = connection.execute(
        "SELECT 1 FROM threads WHERE seq = ? AND is_temporary = 1 AND is_purging = 0 AND tip IS NULL AND title = ''"
        " AND snippet = '' AND system_prompt IS NULL AND asked_beside IS NULL AND workspace IS NULL AND session IS NULL"
        " AND assistant IS NULL",
        (seq,),
    ).fetchone()
    if blank is None:
        return False
    # Whatever table refers to threads, also one that is added later.
    references = connection.execute(
        'SELECT s.name, f."from", f."to" FROM sqlite_schema AS s JOIN pragma_foreign_key_list(s.name) AS f'
        " WHERE s.type = 'table' AND f.\"table\" = 'threads'"
    ).fetchall()
    by_column = {"seq": seq, "id": thread_id}
    places = [(table, column, by_column[key]) for table, column, key in references]
    places += [(table, column, thread_id) for table, column in _NAMED_BY_ID]
    return not any(
        connection.execute(f"SELECT 1 FROM {table} WHERE {column} = ? LIMIT 1", (value,)).fetchone()
        for table, column, value in places
    )


async def finish(database: Database) -> bool:
    """Do what is left of begun purges, nothing when there is none; False where some of it waits for the next start."""
    pending = await database.read(_pending_wipe)
    if pending is None:
        return True
    for step in (remove_some, document_rows.remove_some):
        while await database.write(step):
            pass
    await _merge_indexes(database)
    await database.remove_backups()
    all_files_gone = await attachments.remove_gone(database)
    is_clean = await _empty_log(database) and all_files_gone
    if is_clean:
        # Not when another purge was begun meanwhile: that one has its own number.
        statement = "DELETE FROM meta WHERE key = 'wipe_pending' AND value = ?"
        await database.write(lambda connection: connection.execute(statement, (pending,)))
    return is_clean


def _pending_wipe(connection: sqlite3.Connection) -> int | None:
    row = connection.execute("SELECT value FROM meta WHERE key = 'wipe_pending'").fetchone()
    return row[0] if row else None


def remove_some(connection: sqlite3.Connection) -> bool:
    """Delete some of the newest messages of a marked thread, at last the thread; False when none is left."""
    thread = connection.execute("SELECT seq FROM threads WHERE is_purging = 1 ORDER BY seq LIMIT 1").fetchone()
    if thread is None:
        return False
    if request_texts.remove_some(connection, *thread):
        return True
    rows = connection.execute(
        "SELECT seq FROM messages WHERE thread_seq = ? ORDER BY seq DESC LIMIT ?", (*thread, _MESSAGES_A_STEP)
    ).fetchall()
    if not rows:
        connection.execute("DELETE FROM threads WHERE seq = ?", thread)
        return True
    indexes.forget_messages(connection, [row[0] for row in rows], erases=True)
    request_texts.forget_messages(connection, [row[0] for row in rows])
    # From the leaves to the root, so that no message loses its parent.
    connection.executemany("DELETE FROM messages WHERE seq = ?", rows)
    return True


async def _merge_indexes(database: Database) -> None:
    for index in indexes.ALL:
        if not await database.read(index.holds_removed):
            continue
        is_first = True
        while await database.write(partial(index.merge_step, is_first=is_first)):
            is_first = False


async def _empty_log(database: Database) -> bool:
    for _ in range(_CHECKPOINT_ATTEMPTS):
        if await database.zero_gaps():
            return True
        await asyncio.sleep(_PAUSE_SECONDS)
    logger.warning("something reads from the database all the time; what was purged is wiped at the next start")
    return False
