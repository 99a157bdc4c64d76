"""Looks whether the library is sound, beside all that goes on in it, and mends what can be made again."""

import sqlite3
import tempfile
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from desktop.core.backups import Finding, LibraryCounts, Part, Stage
from desktop.core.paths import DataPaths
from desktop.storage import indexes, salvage_mending
from desktop.storage.backup.job import Job, StoppedError
from desktop.storage.backup.snapshot import count
from desktop.storage.database import Database
from desktop.storage.failures import INDEX_FAILURES, describe, is_environment
from desktop.storage.opening import connect_reader, first_problem, is_of_index

_STEPS_BETWEEN_LOOKS = 20_000
_PAGES_A_STEP = 256
_MOST_LINES = 100


def look(paths: DataPaths, job: Job, *, with_words: bool = True) -> tuple[list[Finding], LibraryCounts]:
    """Look at the file, its references, indexes and attached files, over a connection of its own. Changes nothing.

    The indexes for the search by words (``with_words``) cost a copy of the whole file on the disk. Raises
    ``sqlite3.Error`` and ``StoppedError``.
    """
    with closing(connect_reader(paths.database)) as connection:
        connection.set_progress_handler(lambda: int(job.is_stopped), _STEPS_BETWEEN_LOOKS)
        try:
            job.tell(Stage.CHECKING, 0, 4)
            findings = [_file(connection)]
            job.tell(Stage.CHECKING, 1, 4)
            broken = len(connection.execute("PRAGMA foreign_key_check").fetchall())
            findings.append(Finding(part=Part.REFERENCES, is_sound=broken == 0, count=broken))
            job.tell(Stage.CHECKING, 2, 4)
            findings.append(_files(connection, paths.attachments))
            job.tell(Stage.CHECKING, 3, 4)
            if with_words:
                findings.append(_words(connection, paths, job))
            return findings, count(connection)
        except sqlite3.OperationalError as error:
            if job.is_stopped:
                raise StoppedError from error
            raise


def _file(connection: sqlite3.Connection) -> Finding:
    try:
        lines = [str(row[0]) for row in connection.execute(f"PRAGMA integrity_check({_MOST_LINES})")]
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        if isinstance(error, sqlite3.OperationalError):
            raise
        return Finding(part=Part.FILE, is_sound=False, count=1, detail=describe(error))
    problem = first_problem(lines)
    wrong = [line for line in lines if line != "ok" and not indexes.is_named_in(line)]
    return Finding(part=Part.FILE, is_sound=problem is None, count=len(wrong), detail=problem or "")


def _files(connection: sqlite3.Connection, folder: Path) -> Finding:
    keys = connection.execute("SELECT id FROM attachments WHERE is_gone = 0 AND thread_seq IS NOT NULL").fetchall()
    missing = sum(not any((folder / key).glob("original*")) for (key,) in keys)
    return Finding(part=Part.FILES, is_sound=missing == 0, count=missing)


def _words(connection: sqlite3.Connection, paths: DataPaths, job: Job) -> Finding:
    """Check the full-text indexes in a copy: FTS5 looks through one in a single piece, and only where it may write."""
    paths.backup_work.mkdir(mode=0o700, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(dir=paths.backup_work, prefix="make-", ignore_cleanup_errors=True) as folder,
        closing(sqlite3.connect(Path(folder) / "copy.db", isolation_level=None)) as copy,
    ):
        connection.backup(copy, pages=_PAGES_A_STEP, progress=lambda *_: job.go_on())
        copy.execute("PRAGMA synchronous = OFF")
        wrong = [index.table for index in indexes.ALL if not _is_sound(copy, index.table, index.rows_of, index.flag)]
    return Finding(part=Part.WORDS, is_sound=not wrong, count=len(wrong), detail=" ".join(wrong))


async def mend(database: Database, findings: Sequence[Finding]) -> list[Finding]:
    """Make again what can be: indexes of the file, and those for the search by words; let go of what leads nowhere, after
    which words have a chat again. Returns what came of it."""
    mended: list[Finding] = []
    for finding in findings:
        if finding.part is Part.FILE and is_of_index(finding.detail):
            mended.append(await database.write(lambda c, one=finding: _reindexed(c, one)))
        elif finding.part is Part.REFERENCES and not finding.is_sound:
            mended.append(await database.write(lambda c, one=finding: _with_references(c, one)))
        elif finding.part is Part.WORDS and not finding.is_sound:
            for index in indexes.ALL:
                if index.table in finding.detail.split():
                    await database.write(index.reset)
            mended.append(replace(finding, is_mended=True))
        else:
            mended.append(finding)
    return mended


def _with_references(connection: sqlite3.Connection, finding: Finding) -> Finding:
    salvage_mending.mend_references(connection)
    for index in indexes.ALL:  # what went is not taken out of them row by row
        index.reset(connection)
    left = len(connection.execute("PRAGMA foreign_key_check").fetchall())
    return replace(finding, is_mended=left == 0, count=left or finding.count)


def _reindexed(connection: sqlite3.Connection, finding: Finding) -> Finding:
    connection.execute("REINDEX")
    again = _file(connection)
    return replace(finding, is_sound=again.is_sound, is_mended=again.is_sound, detail=again.detail)


def _is_sound(connection: sqlite3.Connection, table: str, rows: str, flag: str) -> bool:
    try:
        connection.execute(f"INSERT INTO {table} ({table}) VALUES ('integrity-check')")
        counted = connection.execute("SELECT 1 FROM sqlite_schema WHERE name = ?", (f"{table}_docsize",)).fetchone()
        if counted is None:  # an index that does not count its rows
            return True
        held = connection.execute(f"SELECT count(*) FROM {table}_docsize").fetchone()[0]
    except INDEX_FAILURES as error:
        if is_environment(error):
            raise
        return False
    return held == connection.execute(f"SELECT count(*) FROM {rows} WHERE {flag} = 1").fetchone()[0]
