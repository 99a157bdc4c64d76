"""What changes items changes all of them together or none, and remembers nothing twice."""

import sqlite3
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from desktop.core.errors import StorageError, ThreadwellError
from desktop.core.tasks import TaskSupervisor
from desktop.memory.entities import MemoryItem, MemoryKind, MemoryStatus, PassageKind, RecallScope
from desktop.memory.service import MemoryService
from desktop.storage.store import Store
from tests.support.memory_items import NOW, is_forgotten, item
from tests.support.memory_service import memory_service
from tests.support.stores import opened

ACTIVE, SUPERSEDED, PENDING = MemoryStatus.ACTIVE, MemoryStatus.SUPERSEDED, MemoryStatus.PENDING


@dataclass
class World:
    store: Store
    memory: MemoryService

    async def statuses(self, *items: MemoryItem) -> list[MemoryStatus]:
        found = await self.memory.get([one.id for one in items])
        return [found[one.id].status for one in items]

    async def fail_at(self, text: str) -> None:
        """Let the disk fail when the item of this text is written, until ``mend``."""
        for what in ("INSERT", "UPDATE"):
            trigger = f"CREATE TRIGGER fails_at_{what} BEFORE {what} ON memory_items WHEN NEW.text = '{text}'"
            await self.store.database.write(
                lambda c, trigger=trigger: c.execute(f"{trigger} BEGIN SELECT raise(ABORT, 'the power fails'); END")
            )

    async def mend(self) -> None:
        for what in ("INSERT", "UPDATE"):
            await self.store.database.write(lambda c, what=what: c.execute(f"DROP TRIGGER fails_at_{what}"))


@asynccontextmanager
async def world(folder: Path) -> AsyncGenerator[World, None]:
    async with opened(folder, lambda: NOW) as store:
        tasks = TaskSupervisor()
        memory = memory_service(store.memory, store.passages, tasks)
        try:
            yield World(store, memory)
        finally:
            await memory.indexing.close()
            await tasks.close()


failing = pytest.raises((StorageError, sqlite3.Error))


async def test_many_items_come_in_together_or_not_at_all_and_are_found(tmp_path: Path, long_run: bool) -> None:
    many = [item(f"The user keeps {number} bees") for number in range(10_000 if long_run else 500)]
    async with world(tmp_path) as here:
        await here.store.memory.add(item("Was there before"))
        await here.fail_at(many[-1].text)
        with failing:
            await here.memory.add(many)
        assert [one.text for one in await here.memory.search()] == ["Was there before"]
        await here.mend()
        await here.memory.add(many)
        await here.memory.indexing.follow()
        hits = await here.store.passages.by_words(many[-1].text, PassageKind.FACT, 5, RecallScope())
        assert many[-1].id in [hit.passage_id for hit in hits]
        assert [*await here.memory.get([one.id for one in reversed(many)])] == [one.id for one in reversed(many)]


async def test_what_is_accepted_takes_its_place_at_once_or_nothing_happens(tmp_path: Path) -> None:
    home, work = item("Lives in Bonn"), item("Works in Bonn")
    new_home = item("Lives in Halle", status=PENDING, supersedes_id=home.id)
    newest = item("Lives in Jena", status=PENDING, supersedes_id=new_home.id)
    new_work = item("Works in Halle", status=PENDING, supersedes_id=work.id)
    async with world(tmp_path) as here:
        await here.memory.add([home, work, new_home, newest, new_work])
        await here.fail_at(work.text)
        with failing:
            await here.memory.accept(new_home, newest, new_work)
        assert await here.statuses(home, work, new_home, newest, new_work) == [
            ACTIVE,
            ACTIVE,
            PENDING,
            PENDING,
            PENDING,
        ]
        await here.mend()
        await here.memory.accept(new_home, newest, new_work)
        assert await here.statuses(home, work, new_home, newest, new_work) == [
            SUPERSEDED,
            SUPERSEDED,
            SUPERSEDED,
            ACTIVE,
            ACTIVE,
        ]
        await here.memory.make_current(home, work)
        assert await here.statuses(home, work) == [ACTIVE, ACTIVE]


async def test_what_stays_true_of_what_is_replaced_is_not_there_twice_when_the_disk_fails(tmp_path: Path) -> None:
    old = item("I live in Bonn and I have a cat.")
    new = item("I live in Halle.", status=PENDING, supersedes_id=old.id)
    async with world(tmp_path) as here:
        await here.memory.add([old, new])
        await here.fail_at(old.text)
        with failing:
            await here.memory.accept(new)
        assert await here.memory.search() == (old,)
        await here.mend()
        await here.memory.accept(new)
        assert {one.text for one in await here.memory.search()} == {new.text, "I have a cat."}


async def test_taking_back_forgets_and_restores_together_or_does_neither(tmp_path: Path) -> None:
    old = item("Lives in Bonn", status=SUPERSEDED, valid_to=NOW)
    new = item("Lives in Halle", supersedes_id=old.id)
    async with world(tmp_path) as here:
        await here.memory.add([old, new])
        await here.fail_at(old.text)
        with failing:
            await here.memory.undo(new)
        assert await here.statuses(old, new) == [SUPERSEDED, ACTIVE]
        assert not await is_forgotten(here.store.memory, new.text)
        await here.mend()
        await here.memory.undo(new)
        assert await here.memory.get([old.id, new.id]) == {old.id: replace(old, status=ACTIVE, valid_to=None)}


@pytest.mark.parametrize(
    ("known", "written", "is_known"),
    [
        (item("Likes tea."), "  likes TEA ", True),
        (item("喜欢喝茶"), "喜欢喝茶。", True),
        (item("Likes tea"), "Likes green tea", False),
        (item("Likes tea", status=SUPERSEDED), "Likes tea", False),
        (item("Likes tea", status=PENDING), "Likes tea", False),
        (item("Likes tea", only_thread_id="another"), "Likes tea", False),
    ],
    ids=["case-and-dot", "chinese", "other-words", "no-longer-true", "waits", "of-another-chat"],
)
async def test_what_is_remembered_is_not_written_a_second_time(
    tmp_path: Path, known: MemoryItem, written: str, is_known: bool
) -> None:
    async with world(tmp_path) as here:
        await here.memory.add([known])
        if is_known:
            with pytest.raises(ThreadwellError) as failure:
                await here.memory.write(written, MemoryKind.FACT)
            assert failure.value.code == "memory.known"
            assert await here.memory.search() == (known,)
        else:
            made = await here.memory.write(written, MemoryKind.FACT)
            assert made in await here.memory.search()


async def test_an_item_may_be_edited_but_not_into_another_one(tmp_path: Path) -> None:
    tea, coffee = item("Likes tea"), item("Likes coffee")
    async with world(tmp_path) as here:
        await here.memory.add([tea, coffee])
        assert (await here.memory.edit(tea, "Likes TEA")).text == "Likes TEA"
        with pytest.raises(ThreadwellError) as failure:
            await here.memory.edit(coffee, "likes tea.")
        assert failure.value.code == "memory.known"
        # What counts in one chat alone does not count everywhere.
        only = await here.memory.write("Likes cocoa", MemoryKind.FACT, only_thread_id="here")
        assert (await here.memory.write("Likes cocoa", MemoryKind.FACT)).id != only.id
