"""Temporary threads are in no list and no index, and leave no byte: not when they are purged, and not after a kill."""

import asyncio
import dataclasses
import sys
from pathlib import Path

import pytest

from desktop.conversation.entities import AttachmentKind, AttachmentPart, ThreadOptions
from desktop.core.clock import utc_now
from desktop.memory.entities import PassageKind, RecallScope
from desktop.storage.database import Database
from desktop.storage.store import Store
from tests.support.memory_items import item
from tests.support.stores import opened, say
from tests.support.temporary_writer import leave_traces

_ROOT = Path(__file__).parents[3]
WORD = "quincunxsentinel"
TEMPORARY = ThreadOptions(is_temporary=True)


def files_with(folder: Path, word: str) -> list[str]:
    needle = word.encode()
    # The index would write only how a word differs from the last: its end is looked for.
    ends = (needle, needle[-9:], word.encode("utf-16-le"))
    files = [file for file in folder.rglob("*") if file.is_file()]
    return [file.name for file in files if any(end in file.read_bytes() or word in str(file) for end in ends)]


async def found(store: Store, word: str) -> tuple[int, int]:
    """Return how much is found of a word by the search, and by recall."""
    await store.passages.catch_up()
    hits = await store.threads.search(word)
    words = await store.passages.by_words(word, PassageKind.MESSAGE, 10, RecallScope())
    return len(hits), len(words)


async def test_a_temporary_thread_is_in_no_list_and_no_index_until_it_is_kept(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        usual = await store.threads.create_thread()
        await say(store, usual.id, "of lighthouses", "and buoys")
        thread = await store.threads.create_thread(title=f"{WORD} title", options=TEMPORARY)
        answer = await say(store, thread.id, f"{WORD} asked", f"{WORD} answered")
        assert [t.id for t in await store.threads.list_threads()] == [usual.id]
        last = await store.threads.last_thread()
        assert last is not None
        assert last.id == usual.id
        assert await found(store, WORD) == (0, 0)
        assert await found(store, "lighthouses") == (1, 2)
        assert WORD not in "".join(p.text for p in await store.passages.without_vector("e", 100))
        assert await store.passages.passages(PassageKind.MESSAGE, [answer.id], RecallScope()) == {}
        await store.threads.save_draft(thread.id, "half a thought")
        assert await store.threads.load_draft(thread.id) == ""
        await store.threads.set_thread_options(thread.id, dataclasses.replace(TEMPORARY, is_temporary=False))
        assert [t.id for t in await store.threads.list_threads()] == [thread.id, usual.id]
        assert await found(store, WORD) == (3, 2)
        assert len([p for p in await store.passages.without_vector("e", 100) if WORD in p.text]) == 2
        await store.threads.save_draft(thread.id, "half a thought")
        assert await store.threads.load_draft(thread.id) == "half a thought"


async def test_purging_temporary_threads_leaves_no_byte_of_them_and_all_of_the_others(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        usual = await store.threads.create_thread()
        await say(store, usual.id, "of lighthouses", "and buoys")
        thread_id = await leave_traces(store, WORD)
        assert files_with(tmp_path, WORD)
        assert await store.threads.purge_temporary() == 1
        assert files_with(tmp_path, WORD) == []
        assert await store.threads.get_thread(thread_id) is None
        assert await store.threads.purge_temporary() == 0
        assert [m.text for m in await store.threads.path(usual.id)] == ["of lighthouses", "and buoys"]
        await store.threads.save_draft(thread_id, f"{WORD} too late")
        assert files_with(tmp_path, WORD) == []


async def test_where_nothing_was_written_nothing_is_wiped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wiped: list[bool] = []
    zero_gaps = Database.zero_gaps

    async def noting(database: Database) -> bool:
        wiped.append(True)
        return await zero_gaps(database)

    monkeypatch.setattr(Database, "zero_gaps", noting)
    async with opened(tmp_path) as store:
        changed = dataclasses.replace(TEMPORARY, system_prompt=f"Be {WORD}")
        file = AttachmentPart(attachment_id="", kind=AttachmentKind.TEXT, name="f.txt", size=9, text=WORD)

        async def say_something(thread_id: str) -> None:
            await say(store, thread_id, WORD, WORD)

        async def title(thread_id: str) -> None:
            await store.threads.rename_thread(thread_id, WORD, by_user=True)

        async def instruct(thread_id: str) -> None:
            await store.threads.set_thread_options(thread_id, changed)

        async def take_instructions_back(thread_id: str) -> None:
            await instruct(thread_id)
            await store.threads.set_thread_options(thread_id, TEMPORARY)

        async def attach(thread_id: str) -> None:
            key = await store.attachments.add(WORD.encode(), suffix=".txt")
            await store.attachments.save_draft(thread_id, [dataclasses.replace(file, attachment_id=key)])

        async def take_file_back(thread_id: str) -> None:
            await attach(thread_id)
            await store.attachments.save_draft(thread_id, [])

        async def remember(thread_id: str) -> None:
            await store.memory.add(item(WORD, only_thread_id=thread_id))

        async def nothing(_thread_id: str) -> None: ...

        for write in (
            nothing, say_something, title, instruct, take_instructions_back, attach, take_file_back, remember, nothing,
        ):  # fmt: skip
            thread = await store.threads.create_thread(options=TEMPORARY)
            await write(thread.id)
            wiped.clear()
            await store.threads.purge_thread(thread.id)
            assert bool(wiped) is (write is not nothing), write.__name__
            assert await store.threads.get_thread(thread.id) is None
            rows = await store.database.read(lambda c: c.execute("SELECT count(*) FROM threads").fetchone())
            assert rows == (0,)
        await store.attachments.sweep(utc_now())
        assert files_with(tmp_path, WORD) == []


async def test_what_a_killed_program_left_of_a_temporary_thread_is_gone_after_the_next_start(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        usual = await store.threads.create_thread()
        await say(store, usual.id, "of lighthouses", "and buoys")
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.support.temporary_writer",
        str(tmp_path),
        WORD,
        cwd=_ROOT,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    try:
        assert await asyncio.wait_for(process.stdout.readline(), 30) == b"ready\n"
    finally:
        process.kill()  # SIGKILL
        await process.communicate()
    assert files_with(tmp_path, WORD)
    async with opened(tmp_path) as store:
        await store.threads.recover()
        assert files_with(tmp_path, WORD) == []
        assert [t.id for t in await store.threads.list_threads()] == [usual.id]
    assert files_with(tmp_path, WORD) == []
