"""Migrations: numbered steps, each all or nothing, after a copy that was checked."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.conversation.entities import ThreadOptions
from desktop.core.errors import StorageError
from desktop.core.paths import DataPaths
from desktop.core.thinking_effort import ThinkingEffort
from desktop.storage.database import Database
from desktop.storage.migrations import STEPS
from desktop.storage.migrator import copy_verified, migrate
from tests.support.stores import opened, say


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(tmp_path / "test.db", isolation_level=None)
    yield connection
    connection.close()


def version(connection: sqlite3.Connection) -> int:
    return connection.execute("PRAGMA user_version").fetchone()[0]


def tables(connection: sqlite3.Connection) -> set[str]:
    return {row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}


def make_a(connection: sqlite3.Connection) -> None:
    connection.execute("CREATE TABLE a (x INTEGER PRIMARY KEY)")
    connection.execute("INSERT INTO a VALUES (1)")


def make_b(connection: sqlite3.Connection) -> None:
    connection.execute("CREATE TABLE b (a INTEGER REFERENCES a (x))")


def fail_half_way(connection: sqlite3.Connection) -> None:
    connection.execute("CREATE TABLE half (x)")
    connection.execute("INSERT INTO nowhere VALUES (1)")


def break_a_reference(connection: sqlite3.Connection) -> None:
    connection.execute("INSERT INTO b VALUES (99)")


def test_missing_steps_are_applied_in_order_and_once(connection: sqlite3.Connection, tmp_path: Path) -> None:
    database, backups = tmp_path / "test.db", tmp_path / "backups"
    migrate(connection, database, backups, [make_a])
    assert version(connection) == 1
    assert not backups.exists()  # there was nothing to copy
    migrate(connection, database, backups, [make_a, make_b])
    migrate(connection, database, backups, [make_a, make_b])
    assert version(connection) == 2
    assert tables(connection) == {"a", "b"}
    assert connection.execute("PRAGMA foreign_keys").fetchone() == (1,)


@pytest.mark.parametrize("bad_step", [fail_half_way, break_a_reference])
def test_a_step_that_fails_leaves_the_version_before_it(
    connection: sqlite3.Connection, tmp_path: Path, bad_step
) -> None:
    database, backups = tmp_path / "test.db", tmp_path / "backups"
    migrate(connection, database, backups, [make_a, make_b])
    with pytest.raises(sqlite3.Error):
        migrate(connection, database, backups, [make_a, make_b, bad_step])
    assert version(connection) == 2
    assert tables(connection) == {"a", "b"}
    assert connection.execute("SELECT count(*) FROM b").fetchone() == (0,)
    assert not connection.in_transaction
    assert (backups / "test-version-2.db").exists()


def test_only_the_newest_copy_is_kept(connection: sqlite3.Connection, tmp_path: Path) -> None:
    database, backups = tmp_path / "test.db", tmp_path / "backups"
    for count in (1, 2, 3):
        migrate(connection, database, backups, [make_a, make_b, lambda _: None][:count])
    assert [file.name for file in backups.iterdir()] == ["test-version-2.db"]


def test_the_copy_is_whole_and_stands_alone(connection: sqlite3.Connection, tmp_path: Path) -> None:
    connection.execute("PRAGMA journal_mode = WAL")
    make_a(connection)  # only in the log so far
    copy = tmp_path / "copies" / "copy.db"
    copy_verified(connection, copy)
    assert [file.name for file in copy.parent.iterdir()] == ["copy.db"]
    copied = sqlite3.connect(copy)
    assert copied.execute("SELECT x FROM a").fetchall() == [(1,)]
    copied.close()


async def test_an_older_database_is_copied_and_brought_up_to_date(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread(title="Old")
        await say(store, thread.id, "question", "answer")

    def add_column(connection: sqlite3.Connection) -> None:
        connection.execute("ALTER TABLE threads ADD COLUMN is_pinned INTEGER NOT NULL DEFAULT 0")

    known = len(STEPS)
    database = await Database.open(DataPaths(tmp_path), steps=[*STEPS, add_column])
    rows = await database.read(lambda connection: connection.execute("SELECT title, is_pinned FROM threads").fetchall())
    assert rows == [("Old", 0)]
    await database.close()

    copied = sqlite3.connect(tmp_path / "backups" / f"threadwell-version-{known}.db")
    assert copied.execute("SELECT title FROM threads").fetchall() == [("Old",)]
    assert version(copied) == known
    copied.close()
    with pytest.raises(StorageError) as failure:  # the program before cannot use it any more
        await Database.open(DataPaths(tmp_path))
    assert failure.value.code == "storage.newer"


async def test_threads_of_the_first_version_get_no_options_of_their_own(tmp_path: Path) -> None:
    database = await Database.open(DataPaths(tmp_path), steps=STEPS[:1])
    await database.write(
        lambda connection: connection.execute(
            "INSERT INTO threads (seq, id, title, created_at, updated_at, change_seq) VALUES (1, 'old', 'Old', 0, 0, 1)"
        )
    )
    await database.close()
    async with opened(tmp_path) as store:
        thread = await store.threads.get_thread("old")
        assert thread is not None
        assert (thread.title, thread.options) == ("Old", ThreadOptions())
        own = ThreadOptions(system_prompt="Be brief.", temperature=0.0, endpoint_id="e", thinking=ThinkingEffort.OFF)
        await store.threads.set_thread_options("old", own)
        (thread,) = await store.threads.list_threads()
        assert thread.options == own


async def test_an_effort_of_a_later_version_counts_as_none(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread()
    connection = sqlite3.connect(DataPaths(tmp_path).database)
    with connection:
        connection.execute("UPDATE threads SET thinking = 'utmost', model = 'm'")
    connection.close()
    async with opened(tmp_path) as store:
        found = await store.threads.get_thread(thread.id)
        assert found is not None
        assert found.options == ThreadOptions(model="m")


async def test_grants_of_the_second_version_have_no_folder(tmp_path: Path) -> None:
    database = await Database.open(DataPaths(tmp_path), steps=STEPS[:2])
    await database.write(
        lambda connection: connection.execute(
            "INSERT INTO grants (seq, id, scope, server_id, tool_name, definition_hash, digest, summary, created_at)"
            " VALUES (1, 'g', 'always', 's', 't', 'h', 'd', 'ls', 0)"
        )
    )
    await database.close()
    async with opened(tmp_path) as store:
        (old,) = await store.grants.list()
        assert (old.summary, old.folder) == ("ls", "")


def test_the_first_step_is_what_was_released() -> None:
    """A released step never changes: add a new one instead."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    STEPS[0](connection)
    columns = {
        table: [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        for table in sorted(tables(connection))
    }
    connection.close()
    assert columns == {
        "drafts": ["thread_id", "text"],
        "grants": [
            "seq",
            "id",
            "scope",
            "thread_id",
            "server_id",
            "tool_name",
            "definition_hash",
            "digest",
            "summary",
            "created_at",
            "last_used_at",
            "use_count",
        ],
        "messages": [
            "seq",
            "id",
            "thread_seq",
            "parent_seq",
            "role",
            "status",
            "text_length",
            "newline_count",
            "part_count",
            "is_indexed",
            "created_at",
            "updated_at",
            "deleted_at",
        ],
        "meta": ["key", "value"],
        "parts": ["message_seq", "position", "step", "kind", "text", "payload"],
        "sequence": ["value"],
        "threads": [
            "seq",
            "id",
            "title",
            "title_by_user",
            "tip",
            "snippet",
            "created_at",
            "updated_at",
            "deleted_at",
            "change_seq",
            "deleted_seq",
            "is_purging",
        ],
        "tool_calls": [
            "seq",
            "turn_seq",
            "thread_seq",
            "call_id",
            "name",
            "arguments",
            "state",
            "server",
            "digest",
            "choice",
            "ending",
            "decided_by",
            "shown_seconds",
            "status",
            "result",
            "duration_seconds",
            "proposed_at",
            "decided_at",
            "started_at",
            "finished_at",
        ],
        "turns": [
            "seq",
            "id",
            "answer_seq",
            "model",
            "started_at",
            "ended_at",
            "reason",
            "input_tokens",
            "output_tokens",
            "duration_seconds",
        ],
    }
