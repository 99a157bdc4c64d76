"""Killed during import, backup, restore, replacement, purge and migration: the library opens, and what was promised holds."""

import asyncio
import functools
import random
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

from desktop.core.backups import BACKUP_SUFFIX
from desktop.core.paths import DataPaths
from desktop.storage.backup.job import Job
from desktop.storage.backup.reading import unpack
from desktop.storage.migrations import STEPS
from tests.support.crash.rounds import Crash
from tests.support.crash.soundness import require_sound, require_whole
from tests.support.killing import run_and_kill
from tests.support.library_app import library_app
from tests.support.source_tree import ROOT

MOST_SECONDS = {"import": 0.5, "backup": 0.5, "restore": 0.6, "replace": 0.6, "purge": 0.4}
_OLD_CHATS = 1_500


class LibraryPromises:
    """What a library at work said of its chats and backups."""

    def __init__(self) -> None:
        self.chats: set[str] = set()
        self.asked: set[str] = set()
        self.gone: set[str] = set()
        self.backups: dict[str, set[str]] = {}
        self.swap: tuple[set[str], set[str]] | None = None
        self.said = 0
        self.read: set[tuple[str, int]] = set()
        """Backups that were read and found whole: once is enough."""

    def note(self, line: dict[str, Any]) -> None:
        self.said += 1
        match line["kind"]:
            case "chat":
                self.chats.add(line["id"])
            case "asked":
                self.asked.add(line["id"])
            case "gone":
                self.gone.add(line["id"])
            case "merging":
                self.gone.clear()
            case "merged":
                self.asked.clear()
            case "backup":
                self.backups[line["name"]] = set(line["chats"])
            case "swap":
                self.swap = set(line["before"]), set(line["after"])
            case "ready":
                if self.swap is not None:  # it was carried out
                    self.chats, self.swap = set(self.swap[1]), None


def chats_in(backup: Path) -> set[str]:
    """Read a backup whole, as a restore does, and return which chats are in it."""
    with tempfile.TemporaryDirectory() as folder:
        unpack(backup, backup.name, Path(folder), Job())
        with closing(sqlite3.connect(Path(folder) / "threadwell.db")) as connection:
            return {row[0] for row in connection.execute("SELECT id FROM threads")}


async def require_promises(folder: Path, promises: LibraryPromises) -> None:
    backups = folder.parent / "backups"
    async with library_app(folder) as app:
        await require_sound(app.store)
        there = await app.chats()
        if promises.swap is not None:
            before, after = promises.swap
            assert before <= there or (after <= there and not there & (before - after)), (
                "neither the old nor the new one"
            )
            kept = await app.backups.keep_replaced()
            if not before <= there:
                assert kept is not None or any("before-restore" in path.name for path in backups.iterdir())
                everywhere = set[str]().union(*(chats_in(path) for path in backups.glob("*before-restore*")))
                assert before <= everywhere | there, "what was replaced is lost"
            promises.chats, promises.swap = set(there), None
        assert promises.chats - promises.asked <= there, "something acknowledged is lost"
        assert not there & promises.gone, "something deleted is back"
        report = await app.backups.check(lambda _progress: None)
        assert report.is_sound, report
        assert not (folder / "restored").exists()
        promises.chats = set(there)
        promises.asked -= there - promises.gone
    require_whole(folder)
    final = {path.name: path for path in backups.glob(f"*{BACKUP_SUFFIX}")} if backups.exists() else {}
    assert promises.backups.keys() <= final.keys(), "a backup is lost"
    for name, path in final.items():
        if (known := (name, path.stat().st_size)) not in promises.read:
            # Each that has a final name is whole.
            assert promises.backups.get(name, set()) <= chats_in(path)
            promises.read.add(known)
    assert not any((folder / "backup-work").glob("make-*")), "the next start clears what was half made"


class LibraryKilled(Crash):
    """``kill -9`` of a library that does ``what`` without end."""

    def __init__(self, folder: Path, chance: random.Random, *, what: str) -> None:
        super().__init__(folder, chance)
        self._what, self._promises = what, LibraryPromises()

    async def round(self, number: int) -> None:
        await run_and_kill(
            "library_writer", str(self.data), self._what, str(number),
            note=self._promises.note, lines=2 + self.chance.randint(1, 16),
            most_seconds=MOST_SECONDS[self._what], chance=self.chance,
        )  # fmt: skip
        self.promised = self._promises.said
        await require_promises(self.data, self._promises)


def old_library(database: Path, version: int, chats: int) -> None:
    """Write a database as an older version left it."""
    database.parent.mkdir(parents=True)
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        for step in STEPS[:version]:
            step(connection)
        connection.execute(f"PRAGMA user_version = {version}")
        connection.execute("BEGIN")
        for number in range(1, chats + 1):
            seq = 10 * number
            connection.execute(
                "INSERT INTO threads (seq, id, title, created_at, updated_at, change_seq) VALUES (?, ?, 'Old', 1, 1, ?)",
                (seq, f"{number:026d}", seq),
            )
            connection.execute(
                "INSERT INTO messages (seq, id, thread_seq, role, status, created_at, updated_at)"
                " VALUES (?, ?, ?, 'user', 'complete', 1, 1)",
                (seq + 1, f"{number:025d}m", seq),
            )
            connection.execute(
                "INSERT INTO parts (message_seq, position, step, kind, text, payload) VALUES (?, 0, 0, 'text', ?, '')",
                (seq + 1, f"old words {number} " * 40),
            )
            connection.execute("UPDATE threads SET tip = ? WHERE seq = ?", (seq + 1, seq))
        connection.execute("UPDATE sequence SET value = ?", (10 * chats + 5,))
        connection.execute("COMMIT")


class MigrationKilled(Crash):
    """``kill -9`` in the middle of a migration: the next start goes on with it."""

    async def round(self, number: int) -> None:
        folder = self.folder / f"data-{number}"
        old_library(DataPaths(folder).database, self.chance.choice((1, 5, 11, 17)), _OLD_CHATS)
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.support.library_writer", str(folder), "migration", "0",
            cwd=ROOT, stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        assert process.stdout is not None
        await process.stdout.readline()
        await asyncio.sleep(self.chance.random() * 0.25)
        process.kill()
        await process.communicate()
        async with library_app(folder) as app:
            await require_sound(app.store)
            assert len(await app.chats()) >= _OLD_CHATS, "chats are lost"
            assert (await app.backups.check(lambda _progress: None)).is_sound
        require_whole(folder)
        self.promised += _OLD_CHATS


KILLED = {what: functools.partial(LibraryKilled, what=what) for what in MOST_SECONDS}
