"""A copy of the database as it is at one moment, while others go on writing: without what can be made again.

The copy is made over a connection of its own, in small steps, from one snapshot: whatever is written meanwhile neither waits
nor makes it begin anew. Left out are temporary chats, chats that are being removed, the full-text indexes, and vectors. At the
end the copy is written anew, so that nothing of what was removed is in it.
"""

import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path

from desktop.core.backups import LibraryCounts, Stage
from desktop.core.clock import utc_now
from desktop.storage import document_rows, indexes, purge
from desktop.storage.backup.job import Job, StoppedError
from desktop.storage.opening import connect_reader
from desktop.storage.sqlite_passages import OWN_NUMBER

_PAGES_A_STEP = 256
_STEPS_BETWEEN_LOOKS = 20_000
"""Of SQLite's own machine, between two looks whether the work shall stop."""
_DERIVED = ("message_vectors", "item_vectors", "piece_vectors", "embedders", "vector_changes")
_WITH_VECTORS = ("messages", "memory_items", "document_pieces")
_COUNTS = (
    "SELECT (SELECT count(*) FROM threads WHERE is_temporary = 0 AND is_purging = 0),"
    " (SELECT count(*) FROM messages AS m JOIN threads AS t ON t.seq = m.thread_seq"
    "  WHERE t.is_temporary = 0 AND t.is_purging = 0),"
    " (SELECT count(*) FROM memory_items),"
    " (SELECT count(*) FROM documents AS d JOIN document_roots AS r ON r.seq = d.root_seq WHERE r.removed_at IS NULL),"
    " (SELECT count(*) FROM attachments AS a WHERE is_gone = 0 AND NOT EXISTS (SELECT 1 FROM threads AS t"
    "  WHERE t.seq = a.thread_seq AND (t.is_temporary = 1 OR t.is_purging = 1)))"
)


def copy_database(database: Path, target: Path, job: Job) -> LibraryCounts:
    """Write the copy to ``target``, checked; return what it holds. Raises ``sqlite3.Error`` and ``StoppedError``."""
    with closing(sqlite3.connect(target, isolation_level=None)) as copy:
        with closing(connect_reader(database)) as source:
            source.execute("BEGIN")
            source.execute("SELECT count(*) FROM sqlite_schema").fetchone()  # from here on it sees one moment

            def told(_status: int, remaining: int, total: int) -> None:
                job.tell(Stage.COPYING, total - remaining, total)

            source.backup(copy, pages=_PAGES_A_STEP, progress=told)
        with _stoppable(copy, job):
            copy.execute("PRAGMA journal_mode = DELETE")  # so that the copy needs no side files
            copy.execute("PRAGMA synchronous = OFF")  # it counts only when it was packed and read back
            copy.execute("PRAGMA temp_store = MEMORY")
            copy.execute("PRAGMA foreign_keys = ON")
            _leave_out(copy)
            copy.execute("VACUUM")
            require_sound(copy)
            return count(copy)


def require_sound(connection: sqlite3.Connection) -> None:
    """Raise ``sqlite3.DatabaseError`` where the database is damaged or its references lead nowhere."""
    problem = str(connection.execute("PRAGMA integrity_check(1)").fetchone()[0])
    if problem != "ok":
        raise sqlite3.DatabaseError(problem)
    broken = connection.execute("PRAGMA foreign_key_check").fetchone()
    if broken is not None:
        raise sqlite3.DatabaseError(f"a reference of {broken[0]} leads nowhere")


def count(connection: sqlite3.Connection) -> LibraryCounts:
    """Return how much a database holds."""
    chats, messages, memories, documents, files = connection.execute(_COUNTS).fetchone()
    return LibraryCounts(chats=chats, messages=messages, memories=memories, documents=documents, files=files)


def _leave_out(connection: sqlite3.Connection) -> None:
    moment = utc_now()
    connection.execute("BEGIN")
    for index in indexes.ALL:  # empty, nothing needs to be taken out of them row by row
        index.reset(connection)
    for table in _DERIVED:
        connection.execute(f"DELETE FROM {table}")
    for table in _WITH_VECTORS:
        connection.execute(f"UPDATE {table} SET vector_of = 0 WHERE vector_of <> 0")
    unwanted = connection.execute("SELECT seq, id FROM threads WHERE is_temporary = 1 AND is_purging = 0").fetchall()
    for seq, thread_id in unwanted:
        purge.hide_for_purge(connection, seq, thread_id, moment)
    for remove_some in (purge.remove_some, document_rows.remove_some):
        while remove_some(connection):
            pass
    connection.execute("DELETE FROM attachments WHERE is_gone = 1")
    # Notes about the data folder that it comes from.
    connection.execute("DELETE FROM meta WHERE key IN ('wipe_pending', ?)", (OWN_NUMBER,))
    connection.execute("COMMIT")


@contextmanager
def _stoppable(connection: sqlite3.Connection, job: Job) -> Generator[None, None, None]:
    """Let a long statement be stopped; what SQLite says then is that somebody stopped it."""
    connection.set_progress_handler(lambda: int(job.is_stopped), _STEPS_BETWEEN_LOOKS)
    try:
        yield
    except sqlite3.OperationalError as error:
        if job.is_stopped:
            raise StoppedError from error
        raise
    finally:
        connection.set_progress_handler(None, 0)
