"""What every store of attached files promises, held against the data folder and against the fake that other tests use."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from desktop.conversation.entities import AttachmentKind, AttachmentPart, TextPart
from desktop.conversation.ports import AttachmentStore, ThreadRepository
from desktop.core.errors import StorageError
from desktop.core.paths import DataPaths
from desktop.core.tool_content import ItemKind, ResultItem
from desktop.storage.store import open_store
from desktop.tools.ports import ToolJournal
from tests.support.in_memory_threads import InMemoryJournal, InMemoryThreadRepository


@dataclass
class SetClock:
    now: datetime = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


@dataclass
class World:
    files: AttachmentStore
    threads: ThreadRepository
    journal: ToolJournal
    clock: SetClock = field(default_factory=SetClock)


@asynccontextmanager
async def in_memory(_folder: Path) -> AsyncIterator[World]:
    clock = SetClock()
    journal = InMemoryJournal()
    threads = InMemoryThreadRepository(clock=clock, journal=journal)
    yield World(threads.attachments, threads, journal, clock)


@asynccontextmanager
async def in_folder(folder: Path) -> AsyncIterator[World]:
    clock = SetClock()
    store = await open_store(DataPaths(folder), clock)
    try:
        yield World(store.attachments, store.threads, store.journal, clock)
    finally:
        await store.close()


Opener = Callable[[], AbstractAsyncContextManager[World]]


@pytest.fixture(params=[in_memory, in_folder], ids=["memory", "folder"])
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Opener:
    return lambda: request.param(tmp_path)


async def kept(files: AttachmentStore, name: str = "a.txt", *, text: str = "the words of the file") -> AttachmentPart:
    attachment_id = await files.add(b"original", suffix=".txt")
    return AttachmentPart(attachment_id=attachment_id, name=name, kind=AttachmentKind.TEXT, size=8, text=text)


async def test_what_was_added_comes_back(world: Opener) -> None:
    async with world() as w:
        attachment_id = await w.files.add(b"original", suffix=".png", sent=b"sent", thumbnail=b"small")
        path = w.files.original(attachment_id)
        assert path is not None
        assert (path.read_bytes(), path.suffix) == (b"original", ".png")
        assert await w.files.sent(attachment_id) == b"sent"
        assert await w.files.thumbnail(attachment_id) == b"small"


@pytest.mark.parametrize("attachment_id", ["", "../../settings.json", "01m8mqzy33y77x9q2asvv4e332", "{other}"])
async def test_what_is_not_there_is_none(world: Opener, attachment_id: str, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.touch()
    attachment_id = attachment_id.format(other=other)
    async with world() as w:
        assert w.files.original(attachment_id) is None
        assert await w.files.sent(attachment_id) is None
        assert await w.files.thumbnail(attachment_id) is None
        await w.files.discard(attachment_id)
    assert other.exists()


async def test_a_file_that_was_not_sent_can_be_given_up(world: Opener) -> None:
    async with world() as w:
        part = await kept(w.files)
        await w.files.discard(part.attachment_id)
        assert w.files.original(part.attachment_id) is None


async def test_a_turn_takes_its_files_along(world: Opener) -> None:
    async with world() as w:
        thread = await w.threads.create_thread()
        parts = (await kept(w.files, "a.txt"), await kept(w.files, "b.txt"))
        turn = await w.threads.begin_turn(thread.id, "What is this?", model="m", attachments=parts)
        assert turn.user_message.parts == (*parts, TextPart(text="What is this?"))
        (stored,) = await w.threads.messages([turn.user_message.id])
        assert stored.attachments == parts
        await w.files.discard(parts[0].attachment_id)
        assert w.files.original(parts[0].attachment_id) is not None, "it belongs to the thread"
        (outline, _) = await w.threads.outline(thread.id)
        assert (outline.text_length, outline.part_count) == (len("What is this?"), 3), "files stand folded"


async def test_a_message_may_have_nothing_but_files(world: Opener) -> None:
    async with world() as w:
        thread = await w.threads.create_thread()
        part = await kept(w.files, "报告.txt")
        turn = await w.threads.begin_turn(thread.id, "", model="m", attachments=[part])
        assert turn.user_message.parts == (part,)
        listed = await w.threads.get_thread(thread.id)
        assert listed is not None
        assert listed.snippet == "报告.txt"


async def test_the_same_file_goes_along_again_with_a_second_try(world: Opener) -> None:
    async with world() as w:
        thread, other = await w.threads.create_thread(), await w.threads.create_thread()
        part = await kept(w.files)
        await w.threads.begin_turn(thread.id, "one", model="m", attachments=[part])
        again = await w.threads.begin_turn(thread.id, "one", model="m", attachments=[part])
        assert again.user_message.attachments == (part,)
        with pytest.raises(StorageError) as raised:
            await w.threads.begin_turn(other.id, "one", model="m", attachments=[part])
        assert raised.value.code == "storage.attachment_missing"
        assert await w.threads.path(other.id) == (), "nothing of the turn was stored"


async def test_a_file_that_is_gone_stops_the_turn(world: Opener) -> None:
    async with world() as w:
        thread = await w.threads.create_thread()
        part = await kept(w.files, "lost.txt")
        await w.files.discard(part.attachment_id)
        with pytest.raises(StorageError) as raised:
            await w.threads.begin_turn(thread.id, "one", model="m", attachments=[part])
        assert raised.value.params["name"] == "lost.txt"


async def test_the_text_and_the_name_of_a_file_are_found(world: Opener) -> None:
    async with world() as w:
        thread = await w.threads.create_thread()
        part = await kept(w.files, "harvest.txt", text="seventeen bushels of barley")
        turn = await w.threads.begin_turn(thread.id, "How much?", model="m", attachments=[part])
        for query in ("barley", "harvest", "much"):
            (hit,) = await w.threads.search(query)
            assert (hit.message_id, hit.thread_id) == (turn.user_message.id, thread.id)
        await w.threads.delete_thread(thread.id)
        await w.threads.purge_thread(thread.id)
        assert await w.threads.search("barley") == ()


async def test_a_purge_deletes_the_files_of_the_thread_and_no_others(world: Opener) -> None:
    async with world() as w:
        thread, other = await w.threads.create_thread(), await w.threads.create_thread()
        gone, drafted, stays, unsent = [await kept(w.files, f"{number}.txt") for number in range(4)]
        await w.threads.begin_turn(thread.id, "one", model="m", attachments=[gone])
        await w.files.save_draft(thread.id, [drafted])
        await w.threads.begin_turn(other.id, "two", model="m", attachments=[stays])
        await w.threads.delete_thread(thread.id)
        assert w.files.original(gone.attachment_id) is not None, "the Trash keeps them"
        await w.threads.purge_thread(thread.id)
        assert w.files.original(gone.attachment_id) is None
        assert w.files.original(drafted.attachment_id) is None
        assert w.files.original(stays.attachment_id) is not None
        assert w.files.original(unsent.attachment_id) is not None


async def test_the_files_of_a_result_belong_to_the_thread_from_the_end_of_the_call_on(world: Opener) -> None:
    async with world() as w:
        thread, other = await w.threads.create_thread(), await w.threads.create_thread()
        named, unnamed, sent = [(await kept(w.files, f"{number}.txt")).attachment_id for number in range(3)]
        turn = await w.threads.begin_turn(thread.id, "go", model="m")
        await w.journal.propose("c", turn_id=turn.turn_id, thread_id=thread.id, name="n", arguments="{}")
        item = ResultItem(kind=ItemKind.FILE, attachment_id=named)
        await w.journal.finish("c", status="ok", result="", duration_seconds=0.0, items=(item,))
        w.clock.now += timedelta(days=2)
        # The call that would have named the second one was stopped before its end.
        assert await w.files.sweep(w.clock.now - timedelta(days=1)) == 2
        assert [w.files.original(key) is not None for key in (named, unnamed, sent)] == [True, False, False]
        await w.threads.delete_thread(other.id)
        await w.threads.purge_thread(other.id)
        assert w.files.original(named) is not None
        await w.threads.delete_thread(thread.id)
        await w.threads.purge_thread(thread.id)
        assert w.files.original(named) is None


async def test_a_draft_keeps_its_files_until_it_is_sent(world: Opener) -> None:
    async with world() as w:
        thread = await w.threads.create_thread()
        parts = (await kept(w.files, "a.txt"), await kept(w.files, "b.txt"))
        await w.files.save_draft(thread.id, parts)
        await w.files.save_draft("", parts[:1])
        assert await w.files.load_draft(thread.id) == parts
        assert await w.files.load_draft("") == parts[:1]
        await w.threads.begin_turn(thread.id, "x", model="m", attachments=parts, from_new_thread=True)
        assert await w.files.load_draft(thread.id) == ()
        assert await w.files.load_draft("") == ()


async def test_what_was_never_sent_is_swept_after_a_while(world: Opener) -> None:
    async with world() as w:
        thread = await w.threads.create_thread()
        sent, drafted, old = [await kept(w.files, f"{number}.txt") for number in range(3)]
        await w.threads.begin_turn(thread.id, "one", model="m", attachments=[sent])
        await w.files.save_draft("", [drafted])
        w.clock.now += timedelta(days=2)
        new = await kept(w.files)
        assert await w.files.sweep(w.clock.now - timedelta(days=1)) == 1
        left = [part for part in (sent, drafted, old, new) if w.files.original(part.attachment_id) is not None]
        assert left == [sent, drafted, new]
