"""What is forgotten or deleted is in no file any more, as text or as vector, whatever is killed while it goes."""

import asyncio
import json
import random
import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from desktop.conversation.summaries import Summary
from desktop.core.ids import new_id
from desktop.core.paths import DataPaths
from desktop.core.tasks import TaskSupervisor
from desktop.memory.embedding import passage_vectors
from desktop.memory.entities import MemorySource, PassageKind, RecallScope
from desktop.memory.indexing import MemoryIndexing
from desktop.memory.ports import Vector
from desktop.memory.recall import RecallService
from desktop.memory.service import MemoryService
from desktop.storage import vector_codec
from desktop.storage.chroma_vector_index import ChromaVectorIndex
from desktop.storage.numpy_vector_index import NumpyVectorIndex
from desktop.storage.store import Store
from desktop.storage.vector_index import FallbackVectorIndex
from tests.support.chance_embedder import ChanceEmbedder, vector_of
from tests.support.memory_items import NOW, item
from tests.support.memory_writer import text_of
from tests.support.sentinels import Sentinels, fill
from tests.support.source_tree import ROOT
from tests.support.stores import opened
from tests.support.vectors import found_in

may_fail = pytest.mark.allowed_log(r"WARNING desktop\.(storage\.(chroma_)?vector_index|memory\.indexing)")


@asynccontextmanager
async def memory_in(folder: Path) -> AsyncIterator[tuple[Store, MemoryService, ChanceEmbedder]]:
    """The store of a folder with its memory, Chroma in its own process."""
    async with opened(folder) as store:
        embedder, tasks = ChanceEmbedder(), TaskSupervisor()
        index = FallbackVectorIndex(ChromaVectorIndex(DataPaths(folder).vectors), NumpyVectorIndex())
        indexing = MemoryIndexing(store.passages, index, tasks, embedder=embedder)
        recall = RecallService(store.passages, indexing)
        try:
            yield (
                store,
                MemoryService(items=store.memory, passages=store.passages, indexing=indexing, recall=recall),
                embedder,
            )
        finally:
            await indexing.close()
            await tasks.close()


def vectors_left(folder: Path, vectors: list[Vector]) -> int:
    """How many of the vectors stand in a file: as numbers, as SQLite keeps them, or as they come back from there."""
    stored = [vector_codec.to_bytes(vector) for vector in vectors]
    files = b"\0".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
    return (
        found_in(folder, vectors)
        + found_in(folder, map(vector_codec.from_bytes, stored))
        + sum(one in files for one in stored)
    )


async def summarised(store: Store, thread_id: str, words: Sentinels) -> None:
    path = await store.threads.path(thread_id)
    summary = Summary(
        id=new_id(),
        thread_id=thread_id,
        until_id=path[1].id,
        text=words.text(40),
        own_text=words(),
        pinned=(words(),),
        created_at=NOW,
        updated_at=NOW,
    )
    assert await store.summaries.put(summary, await store.summaries.on_path(thread_id))


async def test_after_forgetting_and_purging_no_file_holds_a_text_or_a_vector_of_it(tmp_path: Path) -> None:
    gone, kept, chance = Sentinels(1), Sentinels(2), random.Random(1)
    async with memory_in(tmp_path) as (store, service, embedder):
        staying = [item(f"The user has {kept()}.") for _ in range(30)]
        await service.add(staying)
        await service.indexing.catch_up()
        other = await store.threads.create_thread()
        await fill(store, other.id, kept, chance, turns=1)
        await service.indexing.catch_up()
        before = {*embedder.made}

        thread = await store.threads.create_thread()
        await fill(store, thread.id, gone, chance, turns=1)
        await summarised(store, thread.id, gone)
        said = (await store.threads.path(thread.id))[0]
        source = MemorySource(thread_id=thread.id, message_id=said.id, quote=said.text[:40])
        forgotten = [item(f"The user knows {gone()}.", source=source) for _ in range(20)]
        of_thread = item(f"Here it is {gone()}.", only_thread_id=thread.id)
        await service.add([*forgotten, of_thread])
        await service.indexing.catch_up()
        vectors = [vector for text, vector in embedder.made.items() if text not in before]
        asked = {
            PassageKind.MESSAGE: [message.id for message in await store.threads.path(thread.id)],
            PassageKind.FACT: [one.id for one in (*forgotten, of_thread)],
        }
        for kind, ids in asked.items():  # a message's is made of two
            passages = await store.passages.passages(kind, ids, RecallScope(thread_id=thread.id))
            vectors += await passage_vectors(embedder, [*passages.values()])
        vectors = [*dict.fromkeys(vectors)]
        assert len(vectors) >= 22
        assert vectors_left(tmp_path, vectors) >= 2 * (len(forgotten) + 3), (
            "the test must be able to find what it looks for"
        )
        assert gone.left_in(tmp_path)

        receipt = await service.forget([one.id for one in forgotten])
        assert not receipt.waits
        of_items = [vector_of(one.text) for one in forgotten]
        assert vectors_left(tmp_path, of_items) == 0, "while Chroma has it open, too"
        await store.threads.purge_thread(thread.id)
        await service.indexing.follow()
        assert vectors_left(tmp_path, vectors) == 0
        assert gone.left_in(tmp_path) == set()
        meaning = service.indexing.meaning
        assert meaning is not None
        for one in staying[:3]:
            (near,) = await meaning.index.nearest(vector_of(one.text), 1, PassageKind.FACT)
            assert near.key == f"fact:{one.id}"
        assert vectors_left(tmp_path, [vector_of(one.text) for one in staying]) >= len(staying)
    assert vectors_left(tmp_path, vectors) == 0
    assert gone.left_in(tmp_path) == set()


async def test_forgetting_one_of_many_leaves_the_folder_of_the_index_as_it_is(tmp_path: Path) -> None:
    """A new folder would cost as much as all that is in it."""
    folder = DataPaths(tmp_path).vectors
    async with memory_in(tmp_path) as (_, service, _embedder):
        items = [item(f"fact {number}") for number in range(120)]
        await service.add(items)
        await service.indexing.catch_up()
        before = (folder / "current").read_text()
        for one in items[:3]:
            await service.forget([one.id])
            assert vectors_left(folder, [vector_of(one.text)]) == 0
        assert (folder / "current").read_text() == before
        assert not (folder / "removed").exists()
        await service.forget([one.id for one in items[3:]])
        assert vectors_left(folder, [vector_of(one.text) for one in items]) == 0


def missing(folder: Path) -> None:
    shutil.rmtree(folder)


def corrupt(folder: Path) -> None:
    for file in folder.glob("*/chroma.sqlite3"):
        file.write_bytes(b"no database" * 1_000)


def foreign(folder: Path) -> None:
    (folder / "current").write_text("somebody else's")


@may_fail
@pytest.mark.parametrize("harm", [missing, corrupt, foreign])
async def test_an_index_of_no_use_is_made_anew_by_itself_while_recall_goes_on(tmp_path: Path, harm: Any) -> None:
    fact = item("The word is zeppelin.")
    async with memory_in(tmp_path) as (_, service, _embedder):
        await service.add([fact])
        await service.indexing.catch_up()
    harm(DataPaths(tmp_path).vectors)
    async with memory_in(tmp_path) as (_, service, embedder):
        found = await service.recall("zeppelin", RecallScope())
        assert [one.passage.id for one in found.facts] == [fact.id], "by its words"
        await service.indexing.catch_up()
        meaning = service.indexing.meaning
        assert meaning is not None
        (near,) = await meaning.index.nearest(vector_of(fact.text), 1, PassageKind.FACT)
        assert near.key == f"fact:{fact.id}"
        assert embedder.made == {}, "nothing is embedded again"


# -- kills ------------------------------------------------------------------------------------------------------------


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "kills" in metafunc.fixturenames:
        # One data folder per group, killed again and again; each step is chosen at random.
        groups, kills = (44, 3) if metafunc.config.getoption("long") else (2, 1)
        metafunc.parametrize(("group", "kills"), [(group, kills) for group in range(groups)])


class Promises:
    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.asked: set[str] = set()
        self.gone: set[str] = set()
        self.count = 0

    def note(self, line: dict[str, Any]) -> None:
        self.count += 1
        name = line.get("item") or line.get("thread") or ""
        match line["kind"]:
            case "known" | "said":
                self.texts[name] = text_of(line["number"])
            case "asked":
                self.asked.add(name)
            case "gone":
                self.gone.add(name)


async def run_and_kill(folder: Path, seed: int, chance: random.Random, promises: Promises) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.support.memory_writer", str(folder), str(seed),
        cwd=ROOT, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        for _ in range(chance.randint(2, 14)):
            if line := await asyncio.wait_for(process.stdout.readline(), 60):
                promises.note(json.loads(line))
        await asyncio.sleep(chance.random() * 0.3)  # somewhere in the middle of the next step
    finally:
        process.kill()
        rest, _ = await process.communicate()
    for line in rest.splitlines(keepends=True):
        if line.endswith(b"\n"):
            promises.note(json.loads(line))


@may_fail
@pytest.mark.timeout(180)
async def test_after_any_kill_the_index_agrees_and_nothing_deleted_returns(
    tmp_path: Path, group: int, kills: int
) -> None:
    promises, chance = Promises(), random.Random(group)
    for number in range(kills):
        await run_and_kill(tmp_path, kills * group + number, chance, promises)
        async with memory_in(tmp_path) as (store, service, _):
            await store.threads.recover()
            await service.indexing.catch_up()
            meaning = service.indexing.meaning
            assert meaning is not None
            held = await meaning.index.keys()
            assert held == await store.passages.vector_keys("chance")
            assert await store.passages.vector_changes("chance", 9) == []
            there = {one.id for one in await service.search(limit=10_000)}
            there |= {one.id for one in await store.threads.list_threads(limit=10_000)}
            assert not there & promises.gone
            assert promises.texts.keys() - promises.asked <= there
            lost = [text for name, text in promises.texts.items() if name not in there]
            words = Sentinels(0)
            words.words = [text.removeprefix("The word is ").rstrip(".") for text in lost]
            assert words.left_in(tmp_path) == set()
            assert vectors_left(tmp_path, [vector_of(text) for text in lost]) == 0
    assert promises.count > kills
