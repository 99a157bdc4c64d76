"""Vectors come by themselves, the index follows what changes and goes, and one that is of no use is made anew."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from desktop.core.errors import RecallError
from desktop.core.tasks import TaskSupervisor
from desktop.memory.entities import Passage, PassageKind
from desktop.memory.indexing import IndexingState, MemoryIndexing
from desktop.memory.ports import key_of
from desktop.storage.numpy_vector_index import NumpyVectorIndex
from desktop.storage.store import Store
from tests.support.memory_items import item
from tests.support.scripted_embedder import ScriptedEmbedder
from tests.support.stores import opened, say
from tests.support.waiting import until


class CountingIndex(NumpyVectorIndex):
    """An index that counts what is asked of it and breaks when told."""

    def __init__(self) -> None:
        super().__init__()
        self.cleared = self.erased = 0
        self.breaks = False
        self.opened: list[str] = []

    async def open(self, embedder_id: str, dimensions: int) -> int:
        self.opened.append(embedder_id)
        return await super().open(embedder_id, dimensions)

    async def keys(self) -> frozenset[str]:
        if self.breaks:
            raise RecallError("memory.index_broken", detail="scripted")
        return await super().keys()

    async def erase(self) -> None:
        self.erased += 1
        await super().erase()

    async def clear(self) -> None:
        self.cleared += 1
        self.breaks = False
        await super().clear()


class ColdEmbedder(ScriptedEmbedder):
    """One of an endpoint, which nobody knows before it was asked."""

    is_prepared = False

    async def prepare(self) -> None:
        self.is_prepared = True

    @property
    def id(self) -> str:
        assert self.is_prepared
        return "other"

    @id.setter
    def id(self, _value: str) -> None: ...


@dataclass
class World:
    store: Store
    index: CountingIndex
    embedder: ScriptedEmbedder
    indexing: MemoryIndexing

    async def know(self, text: str) -> str:
        known = item(text)
        await self.store.memory.add(known)
        return known.id

    async def agree(self) -> frozenset[str]:
        """Require the index to hold what SQLite does, and return it."""
        held = await self.index.keys()
        assert held == await self.store.passages.vector_keys(self.embedder.id)
        assert await self.store.passages.vector_changes(self.embedder.id, 10) == []
        return held


@asynccontextmanager
async def world_in(folder: Path) -> AsyncIterator[World]:
    tasks = TaskSupervisor()
    async with opened(folder) as store:
        index, embedder = CountingIndex(), ScriptedEmbedder()
        indexing = MemoryIndexing(store.passages, index, tasks, embedder=embedder)
        try:
            yield World(store, index, embedder, indexing)
        finally:
            await indexing.close()
            await tasks.close()


async def test_what_is_said_and_known_gets_vectors_in_the_background(tmp_path: Path) -> None:
    async with world_in(tmp_path) as world:
        states: list[IndexingState] = []
        world.indexing.changed.connect(lambda state: states.append(state))
        world.indexing.start()
        thread = await world.store.threads.create_thread()
        await say(world.store, thread.id, "Which pet?", "A cat.")
        await world.know("The user has a cat.")
        world.indexing.wake()
        await until(lambda: len(world.embedder.embedded) == 3 and not world.indexing.state.is_working)
        assert world.indexing.state == IndexingState(embedder_id="scripted")
        assert len(await world.agree()) == 3
        assert sorted(world.embedder.embedded) == ["A cat.", "The user has a cat.", "Which pet?"]
        assert any(state.is_working for state in states)


async def test_many_texts_are_embedded_in_small_pieces_once_each(tmp_path: Path) -> None:
    async with world_in(tmp_path) as world:
        for number in range(70):
            await world.know(f"fact {number}")
        await world.indexing.catch_up()
        await world.indexing.catch_up()
        assert len(await world.agree()) == 70
        assert len(world.embedder.embedded) == 70


async def test_the_index_follows_what_changes_and_what_goes_and_is_erased(tmp_path: Path) -> None:
    async with world_in(tmp_path) as world:
        thread = await world.store.threads.create_thread()
        answer = await say(world.store, thread.id, "Which pet?", "A cat.")
        fact = await world.know("The user has a cat.")
        await world.indexing.catch_up()
        assert world.index.erased == 0
        await world.store.memory.forget([fact])
        await world.indexing.catch_up()
        assert key_of(PassageKind.FACT, fact) not in await world.agree()
        assert world.index.erased == 1
        await world.store.threads.purge_thread(thread.id)
        await world.indexing.catch_up()
        assert key_of(PassageKind.MESSAGE, answer.id) not in await world.agree()
        assert world.index.erased == 2


async def test_an_index_that_lost_or_kept_too_much_agrees_after_the_next_start(tmp_path: Path) -> None:
    async with world_in(tmp_path) as world:
        ids = [await world.know(f"fact {number}") for number in range(3)]
        await world.indexing.catch_up()

        class Foreign(CountingIndex):
            async def open(self, embedder_id: str, dimensions: int) -> int:
                await super().open(embedder_id, dimensions)
                vectors = await world.store.passages.vectors(PassageKind.FACT, ids[:1], "scripted")
                await self.put({"fact:foreign": vectors[ids[0]], key_of(PassageKind.FACT, ids[0]): vectors[ids[0]]})
                return 2

        world.index = Foreign()
        again = MemoryIndexing(world.store.passages, world.index, TaskSupervisor(), embedder=world.embedder)
        await again.catch_up()
        assert await world.agree() == {key_of(PassageKind.FACT, fact) for fact in ids}
        assert len(world.embedder.embedded) == 3, "vectors are those of SQLite"
        await again.close()


@pytest.mark.expected_log("begun anew")
async def test_a_broken_index_is_made_anew_from_sqlite(tmp_path: Path) -> None:
    async with world_in(tmp_path) as world:
        await world.know("fact")
        world.index.breaks = True
        await world.indexing.catch_up()
        assert world.index.cleared == 1
        assert len(await world.agree()) == 1
        world.indexing.report(RecallError("memory.index_broken", detail="found by recall"))
        assert world.indexing.meaning is None
        await world.indexing.catch_up()
        assert world.index.cleared == 2
        assert world.indexing.meaning is not None
        assert len(await world.agree()) == 1
        assert len(world.embedder.embedded) == 1


async def test_another_embedder_is_asked_when_all_is_embedded_by_it(tmp_path: Path) -> None:
    async with world_in(tmp_path) as world:
        for number in range(3):
            await world.know(f"fact {number}")
        await world.indexing.catch_up()
        other = ScriptedEmbedder("other")
        asked: list[str | None] = []
        world.indexing.changed.connect(lambda state: asked.append(state.embedder_id if state.is_changing else None))
        world.indexing.use(other)
        await world.indexing.catch_up()
        assert "scripted" in asked, "those of the one before were asked meanwhile"
        assert world.indexing.meaning is not None
        assert world.indexing.meaning.embedder is other
        assert world.index.opened == ["scripted", "other"]
        assert await world.store.passages.vector_keys("scripted") == frozenset()
        assert await world.index.keys() == await world.store.passages.vector_keys("other")
        assert len(other.embedded) == 3


async def test_one_that_is_chosen_when_all_is_embedded_by_another_is_not_asked_yet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with world_in(tmp_path) as world:
        await world.know("one")
        other = ColdEmbedder("other")
        without_vector = world.store.passages.without_vector

        async def choose_another(embedder_id: str, limit: int) -> list[Passage]:
            found = await without_vector(embedder_id, limit)
            if not found and not other.is_prepared:
                world.indexing.use(other)
            return found

        monkeypatch.setattr(world.store.passages, "without_vector", choose_another)
        asked: list[str | None] = []
        world.indexing.changed.connect(lambda state: asked.append(state.embedder_id if state.is_changing else None))
        await world.indexing.catch_up()
        assert "scripted" in asked, "those of the one before were asked meanwhile"
        assert world.indexing.state == IndexingState(embedder_id="other")
        assert len(await world.store.passages.vector_keys("other")) == 1


@pytest.mark.expected_log("cannot be embedded")
async def test_a_text_that_cannot_be_embedded_does_not_hold_up_the_others(tmp_path: Path) -> None:
    async with world_in(tmp_path) as world:
        world.embedder.poison = "\ufdfa"
        for text in ("one", "two \ufdfa", "three"):
            await world.know(text)
        await world.indexing.catch_up()
        assert len(await world.agree()) == 3
        assert await world.store.passages.without_vector("scripted", 9) == []


async def test_an_embedder_that_is_missing_leaves_words(tmp_path: Path) -> None:
    async with world_in(tmp_path) as world:
        world.embedder.missing = True
        await world.know("one")
        with pytest.raises(RecallError):
            await world.indexing.catch_up()
        assert len(await world.store.passages.without_vector("scripted", 9)) == 1, "to be embedded when there is one"


async def test_without_an_embedder_no_index_is_left_that_nobody_keeps(tmp_path: Path) -> None:
    async with world_in(tmp_path) as world:
        fact = await world.know("one")
        await world.indexing.catch_up()
        world.indexing.use(None)
        await world.store.memory.forget([fact])
        await world.indexing.catch_up()
        assert world.indexing.meaning is None
        assert world.index.cleared == 1
        assert await world.store.passages.vector_changes("", 9) == []


async def test_a_change_tells_how_far_it_is_and_can_be_taken_back(tmp_path: Path) -> None:
    async with world_in(tmp_path) as world:
        for number in range(70):
            await world.know(f"fact {number}")
        await world.indexing.catch_up()
        other = ScriptedEmbedder("other")
        steps: list[tuple[int, int]] = []

        def follow(state: IndexingState) -> None:
            if state.is_changing:
                steps.append((state.done, state.total))
                if state.done == 32:
                    world.indexing.use(world.embedder)

        world.indexing.changed.connect(follow)
        world.indexing.use(other)
        await world.indexing.catch_up()
        assert steps == [(0, 70), (32, 70)]
        assert world.index.opened == ["scripted"], "nothing has changed"
        assert world.indexing.state == IndexingState(embedder_id="scripted")
        assert len(world.embedder.embedded) == 70, "not once more"
        assert await world.store.passages.vector_keys("other") == frozenset()
        assert len(await world.agree()) == 70


async def test_a_change_that_was_cut_short_goes_on_while_the_former_vectors_are_asked(tmp_path: Path) -> None:
    async with world_in(tmp_path) as world:
        ids = [await world.know(f"fact {number}") for number in range(70)]
        await world.indexing.catch_up()
        some = await world.store.passages.without_vector("other", 40)
        other = ScriptedEmbedder("other")
        vectors = await other.embed([passage.text for passage in some])
        await world.store.passages.put_vectors("other", list(zip(some, vectors, strict=True)), is_asked=False)
        await world.store.memory.forget(ids[:1])
        tasks = TaskSupervisor()
        again = MemoryIndexing(
            world.store.passages, CountingIndex(), tasks, embedder=other, former=ScriptedEmbedder("scripted")
        )
        asked: list[str | None] = []
        again.changed.connect(lambda state: asked.append(state.embedder_id))
        await again.catch_up()
        assert asked[0] == "scripted"
        assert asked[-1] == "other"
        assert len(other.embedded) == 40 + 30 - (ids[0] not in [passage.id for passage in some])
        assert len(await world.store.passages.vector_keys("other")) == 69
        assert await world.store.passages.vector_keys("scripted") == frozenset()
        await again.close()
        await tasks.close()


async def test_what_is_removed_during_a_change_is_erased_at_once(tmp_path: Path) -> None:
    async with world_in(tmp_path) as world:
        fact = await world.know("The user has a cat.")
        await world.indexing.catch_up()
        other = ScriptedEmbedder("other")
        other.gate.clear()
        world.indexing.use(other)
        changing = TaskSupervisor()
        changing.spawn(world.indexing.catch_up(), name="change")
        await until(lambda: world.indexing.state.is_changing)
        await world.store.memory.forget([fact])
        await world.indexing.follow()
        assert world.index.erased == 1
        assert await world.index.keys() == frozenset()
        other.gate.set()
        await until(lambda: world.indexing.meaning is not None and world.indexing.meaning.embedder is other)
        await changing.close()


async def test_much_that_is_removed_at_once_is_erased_in_one_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop.memory.indexing._CHANGES_AT_ONCE", 7)
    async with world_in(tmp_path) as world:
        ids = [await world.know(f"fact {number}") for number in range(40)]
        await world.indexing.catch_up()
        await world.store.memory.forget(ids[:30])
        await world.indexing.follow()
        assert world.index.erased == 1
        assert len(await world.agree()) == 10


async def test_while_the_embedder_is_missing_what_is_wrong_is_said_and_what_is_removed_goes(tmp_path: Path) -> None:
    async with world_in(tmp_path) as world:
        first = await world.know("one")
        await world.indexing.catch_up()
        world.embedder.missing = True
        await world.know("two")
        with pytest.raises(RecallError):
            await world.indexing.catch_up()
        assert (world.indexing.state.problem, world.indexing.state.detail) == ("memory.embedder_missing", "scripted")
        await world.store.memory.forget([first])
        await world.indexing.follow()
        assert world.index.erased == 1
        world.embedder.missing = False
        await world.indexing.catch_up()
        assert world.indexing.state.problem == ""
        assert len(await world.agree()) == 1


@pytest.mark.expected_log("brought up to date later")
async def test_what_failed_is_tried_again_without_news(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desktop.memory.indexing._FIRST_PAUSE_SECONDS", 0.01)
    async with world_in(tmp_path) as world:
        world.embedder.missing = True
        await world.know("one")
        world.indexing.start()
        await until(lambda: world.indexing.state.problem)
        world.embedder.missing = False
        await until(lambda: world.embedder.embedded == ["one"] and not world.indexing.state.problem)


async def test_one_that_was_late_is_asked_again_before_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = RecallError("memory.embedder_late")
    async with world_in(tmp_path) as world:
        await world.know("one")
        await world.indexing.catch_up()
        world.indexing.report(late)
        assert world.indexing.state.problem == "", "it may have been by chance"
        await world.indexing.catch_up()
        assert world.indexing.state.problem == ""
        assert world.embedder.embedded.count("hello") == 1
        with monkeypatch.context() as patch:
            patch.setattr("desktop.memory.indexing._SLOW_SECONDS", -1.0)
            world.indexing.report(late)
            with pytest.raises(RecallError):
                await world.indexing.catch_up()
            assert world.indexing.state.problem == "memory.embedder_late"
            assert world.embedder.embedded.count("hello") == 3, "the first time may have its reasons"
        await world.indexing.catch_up()
        assert world.indexing.state.problem == "", "it is quick again"


async def test_nothing_is_loaded_while_there_is_nothing_to_be_found(tmp_path: Path) -> None:
    async with world_in(tmp_path) as world:
        await world.indexing.warm_up()
        assert world.embedder.embedded == []
        await world.know("The user has a cat.")
        await world.indexing.warm_up()
        assert world.embedder.embedded != []


async def test_an_index_that_broke_before_it_was_opened_for_this_embedder_is_opened_for_it(tmp_path: Path) -> None:
    """Begun anew as it was opened last it would hold vectors of another length, or of none."""
    async with world_in(tmp_path) as world:
        known = await world.know("The user has a cat.")
        world.indexing.report(RecallError("memory.index_broken"))
        await world.indexing.catch_up()
        assert await world.agree() == {key_of(PassageKind.FACT, known)}
        longer = LongerEmbedder("longer")
        world.indexing.report(RecallError("memory.index_broken"))
        world.indexing.use(longer)
        await world.indexing.catch_up()
        world.embedder = longer
        assert await world.agree() == {key_of(PassageKind.FACT, known)}
        world.indexing.report(RecallError("memory.index_broken"))
        await world.indexing.move_to(NumpyVectorIndex())
        await world.indexing.catch_up()
        meaning = world.indexing.meaning
        assert meaning is not None
        assert await meaning.index.keys() == {key_of(PassageKind.FACT, known)}


class LongerEmbedder(ScriptedEmbedder):
    dimensions = ScriptedEmbedder.dimensions + 2

    def _vector(self, text: str) -> bytes:
        return super()._vector(text) + bytes(8)
