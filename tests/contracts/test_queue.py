"""What every store of waiting messages and of reading places promises, held against SQLite and against the fake."""

import random
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from desktop.conversation.entities import AttachmentKind, AttachmentPart, Thread, ThreadOptions
from desktop.conversation.ports import AttachmentStore, ThreadRepository
from desktop.conversation.queued import QueuedMessage, QueueStore, ReadingPlace, ReadingPlaces
from desktop.core.errors import StorageError
from desktop.core.ids import new_id
from desktop.core.paths import DataPaths
from desktop.storage.store import open_store
from tests.support.in_memory_threads import InMemoryThreadRepository


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "seed" in metafunc.fixturenames:
        metafunc.parametrize("seed", range(200 if metafunc.config.getoption("long") else 8))


@dataclass
class World:
    threads: ThreadRepository
    queue: QueueStore
    places: ReadingPlaces
    attachments: AttachmentStore

    async def add(self, thread: Thread, text: str, *files: AttachmentPart) -> QueuedMessage:
        message = QueuedMessage(id=new_id(), thread_id=thread.id, text=text, attachments=files)
        await self.queue.add(message)
        return message

    async def file(self, name: str) -> AttachmentPart:
        attachment_id = await self.attachments.add(b"what it says", suffix=".txt")
        return AttachmentPart(
            attachment_id=attachment_id,
            kind=AttachmentKind.TEXT,
            name=name,
            media_type="text/plain",
            size=12,
            text="what it says",
        )

    async def texts(self, thread: Thread) -> list[str]:
        return [message.text for message in await self.queue.of_thread(thread.id)]


@asynccontextmanager
async def sqlite_world(folder: Path) -> AsyncIterator[World]:
    store = await open_store(DataPaths(folder))
    try:
        yield World(store.threads, store.queue, store.places, store.attachments)
    finally:
        await store.close()


@asynccontextmanager
async def in_memory_world(folder: Path) -> AsyncIterator[World]:
    threads = InMemoryThreadRepository()
    yield World(threads, threads.queue, threads.places, threads.attachments)


OpenWorld = Callable[[], AbstractAsyncContextManager[World]]


@pytest.fixture(params=[sqlite_world, in_memory_world], ids=["sqlite", "in_memory"])
def open_world(request: pytest.FixtureRequest, tmp_path: Path) -> OpenWorld:
    return lambda: request.param(tmp_path / "data")


async def test_messages_wait_in_the_order_in_which_they_came_each_in_its_thread(open_world: OpenWorld) -> None:
    async with open_world() as world:
        one, other = [await world.threads.create_thread() for _ in range(2)]
        first = await world.add(one, "first", await world.file("a.txt"), await world.file("b.txt"))
        await world.add(other, "elsewhere")
        second = await world.add(one, "第二 \U0001f600")
        assert await world.queue.of_thread(one.id) == (first, second)
        assert await world.texts(other) == ["elsewhere"]
        assert await world.queue.of_thread("nowhere") == ()


async def test_what_waits_ends_the_draft_and_has_its_files(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        file = await world.file("a.txt")
        await world.threads.save_draft(thread.id, "wait")
        await world.attachments.save_draft(thread.id, [file])
        await world.add(thread, "wait", file)
        assert await world.threads.load_draft(thread.id) == ""
        assert await world.attachments.load_draft(thread.id) == ()
        await world.attachments.discard(file.attachment_id)
        await world.attachments.sweep(datetime.max.replace(tzinfo=UTC))
        assert world.attachments.original(file.attachment_id) is not None


async def test_a_message_that_is_sent_leaves_the_queue_and_the_draft_stays(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        sent = await world.add(thread, "now", await world.file("a.txt"))
        await world.add(thread, "later")
        await world.threads.save_draft(thread.id, "half a thought")
        turn = await world.threads.begin_turn(
            thread.id, sent.text, model="m", attachments=sent.attachments, from_queue=sent.id
        )
        assert turn.user_message.attachments == sent.attachments
        assert await world.texts(thread) == ["later"]
        assert await world.threads.load_draft(thread.id) == "half a thought"
        await world.queue.put_back([sent.id])
        assert await world.texts(thread) == ["later"]


async def test_one_that_cannot_be_sent_still_waits(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        message = await world.add(thread, "wait")
        await world.threads.delete_thread(thread.id)
        with pytest.raises(StorageError):
            await world.threads.begin_turn(thread.id, message.text, model="m", from_queue=message.id)
        assert await world.texts(thread) == ["wait"]


async def test_they_are_changed_and_put_in_another_order(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        a, b, c = [await world.add(thread, text) for text in "abc"]
        await world.queue.change(b.id, "B")
        await world.queue.arrange(thread.id, [c.id, a.id])
        assert await world.texts(thread) == ["c", "a", "B"]
        await world.queue.change("nothing", "x")
        await world.add(thread, "d")
        assert await world.texts(thread) == ["c", "a", "B", "d"]


async def test_what_was_removed_comes_back_to_its_place_until_it_is_forgotten(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread()
        file = await world.file("a.txt")
        a, b, c = [await world.add(thread, "a"), await world.add(thread, "b", file), await world.add(thread, "c")]
        await world.queue.remove([b.id, c.id])
        assert await world.texts(thread) == ["a"]
        await world.queue.put_back([b.id])
        assert await world.texts(thread) == ["a", "b"]
        await world.queue.remove([b.id])
        assert await world.queue.forget_removed() == 2
        assert world.attachments.original(file.attachment_id) is None
        await world.queue.put_back([b.id, c.id])
        assert await world.queue.of_thread(thread.id) == (a,)
        assert await world.queue.forget_removed() == 0


async def test_the_trash_keeps_the_queue_and_a_purge_takes_it_along(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread, kept = [await world.threads.create_thread() for _ in range(2)]
        file = await world.file("a.txt")
        await world.add(thread, "wait", file)
        await world.add(kept, "stay")
        await world.threads.delete_thread(thread.id)
        with pytest.raises(StorageError):
            await world.add(thread, "too late")
        await world.threads.restore_thread(thread.id)
        assert await world.texts(thread) == ["wait"]
        receipt = await world.threads.purge_thread(thread.id)
        assert receipt.messages == 1
        assert await world.texts(thread) == []
        assert world.attachments.original(file.attachment_id) is None
        assert await world.texts(kept) == ["stay"]


async def test_of_a_temporary_thread_only_the_files_are_noted(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread(options=ThreadOptions(is_temporary=True))
        file = await world.file("a.txt")
        await world.add(thread, "leave no trace", file)
        assert await world.queue.of_thread(thread.id) == ()
        await world.threads.purge_temporary()
        assert world.attachments.original(file.attachment_id) is None


async def test_any_order_of_adding_moving_and_removing_is_the_order_of_a_list(open_world: OpenWorld, seed: int) -> None:
    chance = random.Random(seed)
    async with open_world() as world:
        thread = await world.threads.create_thread()
        waiting: list[str] = []
        ids: dict[str, str] = {}
        for number in range(40):
            match chance.choice(("add", "add", "move", "remove", "undo", "send")):
                case "move" if waiting:
                    chance.shuffle(waiting)
                    await world.queue.arrange(thread.id, [ids[text] for text in waiting])
                case "remove" if waiting:
                    gone = waiting.pop(chance.randrange(len(waiting)))
                    await world.queue.remove([ids[gone]])
                    if chance.random() < 0.5:
                        await world.queue.forget_removed()
                case "undo" if waiting:
                    some = chance.sample(waiting, chance.randint(1, len(waiting)))
                    await world.queue.remove([ids[text] for text in some])
                    await world.queue.put_back([ids[text] for text in some])
                case "send" if waiting:
                    sent = waiting.pop(0)
                    await world.threads.begin_turn(thread.id, sent, model="m", from_queue=ids[sent])
                case _:
                    text = f"message {number}"
                    ids[text] = (await world.add(thread, text)).id
                    waiting.append(text)
            assert await world.texts(thread) == waiting


async def test_a_chat_is_found_where_it_was_read(open_world: OpenWorld) -> None:
    async with open_world() as world:
        one, other = [await world.threads.create_thread() for _ in range(2)]
        assert await world.places.load(one.id) is None
        await world.places.save(one.id, ReadingPlace("m1", 3, -40))
        await world.places.save(one.id, ReadingPlace("m2", 0, 7))
        assert await world.places.load(one.id) == ReadingPlace("m2", 0, 7)
        assert await world.places.load(other.id) is None
        await world.places.save(one.id, None)
        assert await world.places.load(one.id) is None


async def test_no_place_is_kept_of_what_leaves_nothing(open_world: OpenWorld) -> None:
    async with open_world() as world:
        temporary = await world.threads.create_thread(options=ThreadOptions(is_temporary=True))
        for thread_id in (temporary.id, "gone"):
            await world.places.save(thread_id, ReadingPlace("m", 0, 0))
            assert await world.places.load(thread_id) is None
