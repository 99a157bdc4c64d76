"""Vectors at a Chroma server of the user's own: the index works there as on the disk, and a server that is down harms nobody."""

from pathlib import Path

import pytest

from desktop.core.errors import RecallError
from desktop.core.tasks import TaskSupervisor
from desktop.memory.entities import PassageKind
from desktop.memory.indexing import MemoryIndexing
from desktop.storage.chroma_vector_index import ChromaServer, ChromaVectorIndex
from desktop.storage.numpy_vector_index import NumpyVectorIndex
from desktop.storage.vector_index import FallbackVectorIndex
from tests.support.chroma_server import chroma_server, free_port
from tests.support.memory_items import item
from tests.support.scripted_embedder import ScriptedEmbedder
from tests.support.stores import opened
from tests.support.vectors import DIMENSIONS, own_vector

FACT, MESSAGE = PassageKind.FACT, PassageKind.MESSAGE
may_fail = pytest.mark.allowed_log(r"WARNING desktop\.(storage\.(chroma_)?vector_index|memory\.indexing)")


def index_at(url: str, name: str = "threadwell1") -> ChromaVectorIndex:
    async def server() -> ChromaServer:
        return ChromaServer(url, name, "a-token")

    return ChromaVectorIndex(server)


async def test_an_index_at_a_server_keeps_finds_removes_and_is_the_folders_own(tmp_path: Path) -> None:
    async with chroma_server(tmp_path / "server", free_port()) as url:
        index, other = index_at(url), index_at(url, "threadwell2")
        try:
            assert await index.open("an embedder", DIMENSIONS) == 0
            await index.put({f"{kind}:{n}": own_vector(n) for kind in (FACT, MESSAGE) for n in range(60)})
            assert (await index.nearest(own_vector(7), 3, MESSAGE))[0].key == "message:7"
            await index.remove([f"fact:{n}" for n in range(30)])
            await index.erase()
            assert await other.open("an embedder", DIMENSIONS) == 0, "of another data folder nothing is seen"
            await other.put({"fact:9": own_vector(9)})
            assert await index.open("an embedder", DIMENSIONS) == 90
            assert (await index.nearest(own_vector(3), 60, FACT))[0].key != "fact:3"
            assert await index.open("another embedder", DIMENSIONS) == 0
            assert await index.open("an embedder", DIMENSIONS) == 0, "what was of another embedder is deleted"
            await index.put({"fact:1": own_vector(1)})
            await index.clear()
            assert await index.keys() == frozenset()
            await index.drop()
            assert await other.open("an embedder", DIMENSIONS) == 1, "and nothing of anybody else's"
        finally:
            await index.close()
            await other.close()


@may_fail
async def test_memory_goes_on_without_its_server_and_returns_to_it(tmp_path: Path) -> None:
    port, tasks = free_port(), TaskSupervisor()
    async with opened(tmp_path / "data") as store:
        index = FallbackVectorIndex(index_at(f"http://127.0.0.1:{port}"), NumpyVectorIndex())
        indexing = MemoryIndexing(store.passages, index, tasks, embedder=ScriptedEmbedder())
        try:
            cat, tea = item("The user has a cat."), item("The user drinks tea.")
            await store.memory.add(cat)
            await store.memory.add(tea)
            await indexing.catch_up()
            assert indexing.state.problem == "memory.index_makeshift"
            assert indexing.meaning is not None
            assert len(await indexing.meaning.index.nearest(b"\0" * 80, 5, FACT)) == 2, "recall goes on"
            await store.memory.forget([cat.id])
            with pytest.raises(RecallError) as caught:
                await indexing.follow()
            assert caught.value.code == "memory.index_waits"
            assert await store.passages.vector_changes("scripted", 9), "is done when the server is there again"
            async with chroma_server(tmp_path / "server", port):
                indexing._tries_again = True  # pyright: ignore[reportPrivateUsage] (as after the pause)
                await indexing.catch_up()
                assert indexing.state.problem == ""
                assert await index.keys() == {f"fact:{tea.id}"}
                assert await store.passages.vector_changes("scripted", 9) == []
        finally:
            await indexing.close()
            await tasks.close()
