"""What every store of the lists of threads promises, held against SQLite and against the fake that other tests use."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from desktop.conversation.entities import MessageStatus, TextPart, Thread, ThreadOptions
from desktop.conversation.list_service import ListService
from desktop.conversation.lists import Folder, ListKind, Place, ThreadListRepository
from desktop.conversation.ports import ThreadRepository
from desktop.conversation.service import ConversationService
from desktop.core.language_model import Usage
from desktop.core.paths import DataPaths
from desktop.storage.store import open_store
from tests.support.in_memory_lists import InMemoryThreadLists
from tests.support.in_memory_threads import InMemoryThreadRepository


@dataclass
class SetClock:
    """A clock that moves with each look at it."""

    now: datetime = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


@dataclass
class World:
    threads: ThreadRepository
    lists: ThreadListRepository
    conversations: ConversationService = field(init=False)
    service: ListService = field(init=False)
    changed: list[Thread] = field(default_factory=list[Thread])
    """What was announced."""
    folders: list[tuple[Folder, ...]] = field(default_factory=list[tuple[Folder, ...]])

    def __post_init__(self) -> None:
        self.conversations = ConversationService(self.threads)
        self.service = ListService(self.lists, self.conversations, clock=SetClock())
        self.conversations.thread_changed.connect(lambda thread: self.changed.append(thread))
        self.service.folders_changed.connect(lambda folders: self.folders.append(folders))

    async def titles(self, kind: ListKind, folder_id: str = "", *, page: int = 100) -> list[str]:
        """All titles of a list, read in pages of this size."""
        found: list[str] = []
        after = None
        while True:
            read = await self.lists.page(kind, folder_id=folder_id, limit=page, after=after)
            assert len(read.threads) <= page
            found += [thread.title for thread in read.threads]
            if read.next is None:
                return found
            after = read.next

    async def add(self, *titles: str) -> list[str]:
        """Make threads, the last one with the newest change."""
        return [(await self.threads.create_thread(title=title)).id for title in titles]


@asynccontextmanager
async def sqlite_world(folder: Path) -> AsyncIterator[World]:
    store = await open_store(DataPaths(folder), SetClock())
    try:
        yield World(store.threads, store.lists)
    finally:
        await store.close()


@asynccontextmanager
async def in_memory_world(folder: Path) -> AsyncIterator[World]:
    threads = InMemoryThreadRepository(clock=SetClock())
    yield World(threads, InMemoryThreadLists(threads))


OpenWorld = Callable[[], AbstractAsyncContextManager[World]]


@pytest.fixture(params=[sqlite_world, in_memory_world], ids=["sqlite", "in_memory"])
def open_world(request: pytest.FixtureRequest, tmp_path: Path) -> OpenWorld:
    return lambda: request.param(tmp_path / "data")


async def say(world: World, thread_id: str) -> None:
    turn = await world.threads.begin_turn(thread_id, "q", model="m")
    await world.threads.finish_turn(
        turn.turn_id,
        parts=[TextPart(text="a")],
        status=MessageStatus.COMPLETE,
        reason="completed",
        usage=Usage(input_tokens=1, output_tokens=1),
        duration_seconds=0,
    )


async def test_each_thread_stands_in_one_list(open_world: OpenWorld) -> None:
    async with open_world() as world:
        usual, pinned, filed, archived, deleted, both = await world.add("u", "p", "f", "a", "d", "pinned in a folder")
        await world.threads.create_thread(title="t", options=ThreadOptions(is_temporary=True))
        folder = await world.lists.create_folder("Work")
        now = datetime(2026, 3, 2, tzinfo=UTC)
        await world.lists.set_places(
            {
                pinned: Place(pinned_at=now),
                filed: Place(folder_id=folder.id),
                archived: Place(archived_at=now, pinned_at=now, folder_id=folder.id),
                deleted: Place(pinned_at=now),
                both: Place(pinned_at=now + timedelta(seconds=1), folder_id=folder.id),
            }
        )
        await world.threads.delete_thread(deleted)
        assert await world.titles(ListKind.OTHERS) == ["u"]
        assert await world.titles(ListKind.PINNED) == ["pinned in a folder", "p"]
        assert await world.titles(ListKind.FOLDER, folder.id) == ["f"]
        assert await world.titles(ListKind.ARCHIVE) == ["a"]
        assert await world.titles(ListKind.TRASH) == ["d"]
        assert {t.id for t in await world.threads.list_threads()} == {usual, pinned, filed, archived, both}
        (thread,) = await world.lists.threads([archived])
        assert Place.of(thread) == Place(archived_at=now, pinned_at=now, folder_id=folder.id)


@pytest.mark.parametrize("page", [1, 2, 3, 7, 100])
async def test_pages_follow_each_other_without_gap_or_overlap(open_world: OpenWorld, page: int) -> None:
    async with open_world() as world:
        names = [f"t{number}" for number in range(7)]
        await world.add(*names)
        assert await world.titles(ListKind.OTHERS, page=page) == names[::-1]
        await world.service.pin([thread.id for thread in await world.threads.list_threads()])
        assert await world.titles(ListKind.PINNED, page=page) == names[::-1], "the first one is topmost"


async def test_a_page_holds_its_place_while_threads_change(open_world: OpenWorld) -> None:
    async with open_world() as world:
        ids = await world.add(*(f"t{number}" for number in range(6)))
        first = await world.lists.page(ListKind.OTHERS, limit=3)
        assert [t.title for t in first.threads] == ["t5", "t4", "t3"]
        await say(world, ids[0])  # goes up
        await world.threads.purge_thread(ids[3])  # with it the page ended
        second = await world.lists.page(ListKind.OTHERS, limit=3, after=first.next)
        assert [t.title for t in second.threads] == ["t2", "t1"]
        assert second.next is None


async def test_what_was_done_can_be_taken_back_whole(open_world: OpenWorld) -> None:
    async with open_world() as world:
        one, two, three = await world.add("one", "two", "three")
        folder = await world.service.create_folder("Work")
        assert folder is not None
        await world.service.pin([one])
        await world.service.move([two], folder.id)
        places = {t.id: Place.of(t) for t in await world.lists.threads([one, two, three])}
        steps = (
            world.service.archive([one, two, three]),
            world.service.pin([one, two, three]),
            world.service.move([one, two, three], folder.id),
            world.service.unpin([one, two, three]),
            world.service.move([one, two], None),
        )
        for step in steps:
            before = await step
            await world.service.put_back(before)
            assert {t.id: Place.of(t) for t in await world.lists.threads([one, two, three])} == places


async def test_only_what_changed_is_announced_and_put_back(open_world: OpenWorld) -> None:
    async with open_world() as world:
        one, two = await world.add("one", "two")
        await world.service.pin([one])
        world.changed.clear()
        before = await world.service.pin([one, two, "unknown"])
        assert before == {two: Place()}
        assert [thread.id for thread in world.changed] == [two]
        assert world.changed[0].pinned_at is not None


async def test_a_moved_thread_is_seen_where_it_was_put(open_world: OpenWorld) -> None:
    async with open_world() as world:
        (one,) = await world.add("one")
        folder = await world.service.create_folder("  Work \n at home ")
        assert folder is not None
        assert folder.name == "Work at home"
        await world.service.pin([one])
        await world.service.archive([one])
        await world.service.move([one], folder.id)
        assert await world.titles(ListKind.FOLDER, folder.id) == ["one"]
        await world.service.move([one], "gone")
        assert await world.titles(ListKind.OTHERS) == ["one"]


async def test_a_new_message_brings_a_thread_back_from_the_archive(open_world: OpenWorld) -> None:
    async with open_world() as world:
        (one,) = await world.add("one")
        folder = await world.lists.create_folder("Work")
        await world.service.move([one], folder.id)
        await world.service.archive([one])
        await say(world, one)
        assert await world.titles(ListKind.ARCHIVE) == []
        assert await world.titles(ListKind.FOLDER, folder.id) == ["one"]


async def test_folders_have_an_order_a_name_and_counts(open_world: OpenWorld) -> None:
    async with open_world() as world:
        ids = await world.add("a", "b", "c")
        work, home, last = [await world.lists.create_folder(name) for name in ("Work", "家里", "x" * 500)]
        assert len(last.name) == 120
        await world.lists.move_folder(last.id, work.id)
        await world.lists.rename_folder(last.id, "First")
        await world.lists.set_folder_open(home.id, False)
        await world.service.move(ids, home.id)
        await world.service.mark_unread(ids[:2])
        await world.service.pin(ids[:1])
        assert [(f.name, f.is_open, f.chats, f.unread) for f in await world.lists.folders()] == [
            ("First", True, 0, 0),
            ("Work", True, 0, 0),
            ("家里", False, 2, 1),
        ]
        await world.lists.move_folder(last.id, None)
        assert [f.id for f in await world.lists.folders()] == [work.id, home.id, last.id]
        for nothing in ("gone", last.id):
            await world.lists.move_folder(nothing, nothing)
        await world.lists.rename_folder("gone", "x")
        assert [f.id for f in await world.lists.folders()] == [work.id, home.id, last.id]


async def test_a_deleted_folder_gives_back_its_threads_and_comes_back_with_them(open_world: OpenWorld) -> None:
    async with open_world() as world:
        one, two, trashed, moved = await world.add("one", "two", "trashed", "moved")
        work = await world.service.create_folder("Work")
        other = await world.service.create_folder("Other")
        assert work is not None
        assert other is not None
        await world.service.move([one, two, trashed, moved], work.id)
        await world.threads.delete_thread(trashed)
        world.changed.clear()
        deleted = await world.service.delete_folder(work.id)
        assert deleted is not None
        assert {thread.id for thread in world.changed} == {one, two, moved}, "what lies in the Trash is not announced"
        assert await world.titles(ListKind.OTHERS) == ["moved", "two", "one"]
        await world.service.move([moved], other.id)
        await world.service.restore_folder(deleted)
        assert [f.name for f in await world.lists.folders()] == ["Work", "Other"]
        assert await world.titles(ListKind.FOLDER, work.id) == ["two", "one"]
        assert await world.titles(ListKind.FOLDER, other.id) == ["moved"]
        await world.threads.restore_thread(trashed)
        assert await world.titles(ListKind.FOLDER, work.id) == ["trashed", "two", "one"]
        assert await world.service.delete_folder("gone") is None
        assert [f.name for f in world.folders[-1]] == ["Work", "Other"]


async def test_blank_folder_names_are_no_names(open_world: OpenWorld) -> None:
    async with open_world() as world:
        assert await world.service.create_folder(" \n ") is None
        folder = await world.service.create_folder("Work")
        assert folder is not None
        await world.service.rename_folder(folder.id, "  ")
        assert [f.name for f in await world.lists.folders()] == ["Work"]


async def test_unread_is_kept_with_the_thread(open_world: OpenWorld) -> None:
    async with open_world() as world:
        one, two = await world.add("one", "two")
        await world.service.mark_unread([one, two, "gone"])
        await world.service.mark_unread([two], False)
        assert [thread.is_unread for thread in await world.lists.threads([one, two])] == [True, False]
        assert [thread.is_unread for thread in world.changed] == [True, True, False]


async def test_temporary_threads_are_put_nowhere(open_world: OpenWorld) -> None:
    async with open_world() as world:
        thread = await world.threads.create_thread(options=ThreadOptions(is_temporary=True))
        now = datetime(2026, 3, 2, tzinfo=UTC)
        await world.lists.set_places({thread.id: Place(pinned_at=now, archived_at=now)})
        await world.service.mark_unread([thread.id])
        assert await world.service.pin([thread.id]) == {}
        (after,) = await world.lists.threads([thread.id])
        assert Place.of(after) == Place()
        assert not after.is_unread
        assert [await world.titles(kind) for kind in ListKind] == [[], [], [], [], []]


async def test_a_branch_stands_beside_what_it_was_made_of(open_world: OpenWorld) -> None:
    async with open_world() as world:
        (one,) = await world.add("one")
        folder = await world.lists.create_folder("Work")
        await say(world, one)
        await world.service.move([one], folder.id)
        await world.service.mark_unread([one])
        (_, answer) = await world.threads.path(one)
        branch = await world.threads.branch(answer.id, title="branch")
        assert Place.of(branch) == Place(folder_id=folder.id)
        assert not branch.is_unread
        assert await world.titles(ListKind.FOLDER, folder.id) == ["branch", "one"]
