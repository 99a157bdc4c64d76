"""What a search by meaning finds: what is near enough, best first, wherever it stands, and nothing when it cannot ask."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from desktop.conversation.entities import ThreadOptions
from desktop.core.errors import RecallError
from desktop.core.tasks import TaskSupervisor
from desktop.memory.entities import PassageKind, Recalled
from desktop.memory.meaning_search import MeaningSearch, MeaningSearchRules
from desktop.memory.ports import Near, Vector
from desktop.memory.recall import Meaning
from desktop.memory.service import MemoryService
from desktop.storage.numpy_vector_index import NumpyVectorIndex
from desktop.storage.store import Store
from tests.support.memory_service import memory_service
from tests.support.scripted_embedder import ScriptedEmbedder
from tests.support.stores import opened, say


class BrokenIndex(NumpyVectorIndex):
    async def nearest(self, vector: Vector, count: int, kind: PassageKind) -> list[Near]:
        raise RecallError("memory.index_broken", detail="scripted")


class Meanings:
    """Implements ``Meanings`` over an index that is asked once."""

    def __init__(self, meaning: Meaning | None) -> None:
        self.meaning: Meaning | None = meaning
        self.reported: list[str] = []

    def report(self, error: RecallError) -> None:
        self.reported.append(error.code)


@asynccontextmanager
async def service_on(store: Store, embedder: ScriptedEmbedder | None) -> AsyncIterator[MemoryService]:
    tasks = TaskSupervisor()
    service = memory_service(store.memory, store.passages, tasks, embedder=embedder)
    try:
        if embedder is not None:
            await service.indexing.catch_up()
        yield service
    finally:
        await service.indexing.close()
        await tasks.close()


def texts(found: tuple[Recalled, ...] | None) -> list[str]:
    assert found is not None
    return [one.passage.text for one in found]


async def test_what_is_alike_is_found_across_languages_best_first_and_nonsense_is_not(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread()
        await say(store, thread.id, "The kitten broke a vase", "Sweep up the shards")
        await say(store, thread.id, "What about the violin?", "It needs strings")
        async with service_on(store, ScriptedEmbedder()) as service:
            found = await service.like("宠物", 8)
            assert texts(found)[0] == "The kitten broke a vase"
            assert "It needs strings" not in texts(found)
            assert [one.score for one in found or ()] == sorted((one.score for one in found or ()), reverse=True)
            assert texts(await service.like("qxzjw", 8)) == []
            assert texts(await service.like("12 345", 8)) == []
            assert len(texts(await service.like("宠物", 1))) == 1


async def test_the_trash_and_temporary_threads_are_left_out(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        shown, deleted, temporary = [await store.threads.create_thread() for _ in range(3)]
        for thread in (shown, deleted, temporary):
            await say(store, thread.id, "The kitten broke a vase", "Sweep up")
        async with service_on(store, ScriptedEmbedder()) as service:
            await store.threads.delete_thread(deleted.id)
            await store.threads.set_thread_options(temporary.id, ThreadOptions(is_temporary=True))
            assert {one.passage.thread_id for one in await service.like("宠物", 8) or ()} == {shown.id}


async def test_without_vectors_there_is_no_answer(tmp_path: Path) -> None:
    async with opened(tmp_path) as store, service_on(store, None) as service:
        assert await service.like("宠物", 8) is None


@pytest.mark.expected_log("the search goes by words alone")
async def test_a_broken_index_is_reported_and_a_slow_embedder_is_not_waited_for(tmp_path: Path) -> None:

    async with opened(tmp_path) as store:
        embedder = ScriptedEmbedder()
        broken = Meanings(Meaning(embedder, BrokenIndex()))
        assert await MeaningSearch(store.passages, broken).like("宠物", 8) is None
        assert broken.reported == ["memory.index_broken"]
        embedder.gate = asyncio.Event()  # never set
        slow = Meanings(Meaning(embedder, NumpyVectorIndex()))
        rules = MeaningSearchRules(deadline_seconds=0.01)
        assert await MeaningSearch(store.passages, slow, rules).like("宠物", 8) is None
        assert slow.reported == []
