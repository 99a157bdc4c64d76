"""The connections: whole transactions whatever is cancelled, an end that is clean, and nothing that outlives it."""

import asyncio
import os
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from desktop.conversation.entities import MessageStatus, TextPart
from desktop.core.errors import StorageError
from desktop.core.language_model import Usage
from desktop.core.paths import DataPaths
from desktop.storage.store import open_store
from tests.support.stores import opened, say


async def test_a_cancelled_write_is_done_entirely_or_not_at_all(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread()
        started, may_end = threading.Event(), threading.Event()

        def slow(connection: sqlite3.Connection) -> None:
            connection.execute("UPDATE threads SET title = 'half'")
            started.set()
            may_end.wait(10)
            connection.execute("UPDATE threads SET title = 'whole'")

        async with asyncio.TaskGroup() as group:
            writing = group.create_task(store.database.write(slow))
            await asyncio.get_running_loop().run_in_executor(None, started.wait, 10)
            writing.cancel()
            await asyncio.wait([writing])
            assert writing.cancelled()
            may_end.set()
        await store.threads.rename_thread(thread.id, "next", by_user=False)  # nothing is left open
        await store.database.write(lambda c: c.execute("UPDATE threads SET snippet = title"))
        found = await store.threads.get_thread(thread.id)
        assert found is not None
        assert (found.title, found.snippet) == ("next", "next")


async def test_turns_go_on_after_cancellations_at_any_moment(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread()
        for delay in range(30):
            async with asyncio.TaskGroup() as group:
                begin = group.create_task(store.threads.begin_turn(thread.id, f"turn {delay}", model="m"))
                for _ in range(delay % 6):
                    await asyncio.sleep(0)
                begin.cancel()
            await say(store, thread.id, "question", "answer")
        path = await store.threads.path(thread.id)
        assert [m.parent_id for m in path] == [None, *(m.id for m in path[:-1])]
        assert MessageStatus.STREAMING not in {m.status for m in path}
        assert [m.text for m in path].count("answer") == 30


async def test_a_failing_transaction_leaves_nothing(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        await store.threads.create_thread(title="before")

        def fail(connection: sqlite3.Connection) -> None:
            connection.execute("UPDATE threads SET title = 'after'")
            raise LookupError("a mistake")

        with pytest.raises(LookupError):
            await store.database.write(fail)
        assert [t.title for t in await store.threads.list_threads()] == ["before"]


async def test_mistakes_of_the_program_are_not_dressed_up_as_trouble_with_the_disk(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        with pytest.raises(sqlite3.OperationalError, match="no such table"):
            await store.database.read(lambda connection: connection.execute("SELECT * FROM nowhere"))
        with pytest.raises(StorageError) as failure:
            await store.database.read(lambda connection: connection.execute("DELETE FROM threads"))
        assert failure.value.code == "storage.unwritable"  # the reader cannot write


async def test_reading_goes_on_while_something_long_is_written(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread(title="before")
        may_end = threading.Event()

        def slow(connection: sqlite3.Connection) -> None:
            connection.execute("UPDATE threads SET title = 'after'")
            may_end.wait(10)

        async with asyncio.TaskGroup() as group:
            group.create_task(store.database.write(slow))
            found = await store.threads.get_thread(thread.id)
            may_end.set()
        assert found is not None
        assert found.title == "before"
        found = await store.threads.get_thread(thread.id)
        assert found is not None
        assert found.title == "after"


async def test_closing_finishes_what_was_asked_for_and_leaves_one_file_and_the_reserve(tmp_path: Path) -> None:
    store = await open_store(DataPaths(tmp_path))
    async with asyncio.TaskGroup() as group:
        for number in range(20):
            group.create_task(store.threads.create_thread(title=str(number)))
        await asyncio.sleep(0)
        await store.close()
    await store.close()
    assert set(os.listdir(tmp_path)) == {"threadwell.db", "ballast"}
    async with opened(tmp_path) as again:
        assert len(await again.threads.list_threads()) == 20


async def test_calls_after_closing_are_refused(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread()
    for call in (
        store.threads.list_threads(),
        store.threads.begin_turn(thread.id, "hello", model="m"),
        store.threads.search("hello"),
        store.journal.finish("c", status="ok", result="", duration_seconds=0.0),
        store.grants.list(),
    ):
        with pytest.raises(StorageError) as failure:
            await call
        assert failure.value.code == "storage.failed"


async def test_the_file_is_kept_as_safe_as_promised(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:

        def pragmas(connection: sqlite3.Connection) -> dict[str, object]:
            names = ("journal_mode", "synchronous", "foreign_keys", "secure_delete", "trusted_schema", "temp_store")
            return {name: connection.execute(f"PRAGMA {name}").fetchone()[0] for name in names}

        assert await store.database.write(pragmas) == {
            "journal_mode": "wal",
            "synchronous": 2,
            "foreign_keys": 1,
            "secure_delete": 1,
            "trusted_schema": 0,
            "temp_store": 2,
        }


async def test_messages_that_were_deleted_by_themselves_are_neither_shown_nor_found(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread()
        first = await say(store, thread.id, "question", "hidden answer")
        last = await say(store, thread.id, "question", "shown answer")
        await store.database.write(
            lambda connection: connection.execute("UPDATE messages SET deleted_at = 1 WHERE id = ?", (first.id,))
        )
        path = await store.threads.path(thread.id)
        assert len(path) == 3
        assert path[-1] == last
        assert [row.id for row in await store.threads.outline(thread.id)] == [m.id for m in path]
        assert await store.threads.search("hidden") == ()


async def test_the_counts_of_an_absurd_endpoint_are_stored_as_far_as_they_go(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread()
        turn = await store.threads.begin_turn(thread.id, "question", model="m")
        answer = await store.threads.finish_turn(
            turn.turn_id,
            parts=[TextPart(text="answer")],
            status=MessageStatus.COMPLETE,
            reason="completed",
            usage=Usage(input_tokens=10**30, output_tokens=-(10**30)),
            duration_seconds=float("inf"),
        )
        assert (answer.usage.input_tokens, answer.usage.output_tokens) == (2**63 - 1, -(2**63 - 1))


def test_a_store_that_nobody_closed_does_not_keep_the_process_alive(tmp_path: Path) -> None:
    program = (
        "import asyncio, sys; from pathlib import Path\n"
        "from desktop.core.paths import DataPaths; from desktop.storage.store import open_store\n"
        "async def main():\n"
        "    global store\n"
        "    store = await open_store(DataPaths(Path(sys.argv[1])))\n"
        "    await store.threads.create_thread(title='kept')\n"
        "asyncio.run(main())\n"
        "print('over', flush=True)\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program, str(tmp_path)], capture_output=True, text=True, timeout=30
    )
    assert (done.returncode, done.stdout) == (0, "over\n")
    assert b"kept" in b"".join(file.read_bytes() for file in tmp_path.glob("threadwell.db*"))


def test_importing_the_store_does_not_import_aiosqlite() -> None:
    program = "import sys, desktop.storage.store; sys.exit('aiosqlite' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], timeout=30).returncode == 0
