"""What recall, insertion, deletion and start cost with so many passages, and for how long the loop stood still in each.

The vectors are made up, since the time to embed a text depends on nothing that is stored.
"""

import asyncio
import contextlib
import os
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from datetime import timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from bench_child import memory_mb
from bench_data import opened, summary
from bench_sentences import BEGIN, chatter

from desktop.conversation.entities import MessageStatus, Role, TextPart
from desktop.core.ids import new_id
from desktop.core.tasks import TaskSupervisor, alongside
from desktop.memory.entities import Author, MemoryItem, MemoryKind, RecallScope
from desktop.memory.indexing import MemoryIndexing
from desktop.memory.ports import Likeness, Vector
from desktop.memory.recall import RecallRules, RecallService
from desktop.storage.chroma_vector_index import ChromaVectorIndex
from desktop.storage.messages import insert_message, require_thread
from desktop.storage.numpy_vector_index import NumpyVectorIndex
from desktop.storage.store import Store
from desktop.storage.vector_index import FallbackVectorIndex

MESSAGES_A_THREAD = 100
TIMES = 40


class MadeUpEmbedder:
    """Vectors of chance, the same for the same text."""

    id = "made up"
    dimensions = 512
    unrelated = Likeness(0.0, 0.05)

    async def prepare(self) -> None:
        """All is known beforehand."""

    async def embed(self, texts: Sequence[str], *, are_queries: bool = False) -> list[Vector]:
        return await asyncio.to_thread(self._made, texts)  # as the real ones: never on the loop's thread

    def _made(self, texts: Sequence[str]) -> list[Vector]:
        import numpy

        vectors: list[Vector] = []
        for text in texts:
            numbers = numpy.random.default_rng(abs(hash(text))).normal(size=self.dimensions)
            vectors.append((numbers / numpy.linalg.norm(numbers)).astype("<f4").tobytes())
        return vectors

    async def close(self) -> None:
        """Nothing is open."""


async def of_size(size: int) -> dict[str, Any]:
    """The figures with so many messages, in milliseconds."""
    with tempfile.TemporaryDirectory(prefix="threadwell-bench-") as name:
        folder = Path(name)
        async with opened(folder) as store:
            threads = await _fill(store, size)
            embedder = MadeUpEmbedder()
            figures: dict[str, Any] = {"passages": size}
            async with _indexing(store, folder, embedder) as indexing:
                figures["fill"] = await _timed(indexing.catch_up)
            async with _indexing(store, folder, embedder) as indexing:
                figures["start"] = await _timed(indexing.catch_up)
                service = RecallService(store.passages, indexing, RecallRules(deadline_seconds=60))
                figures["recall"] = await _repeated(lambda text: service.recall(text, RecallScope()))
                figures["insert"] = await _repeated(lambda text: _insert(store, indexing, text))
                newest = [item.id for item in await store.memory.search(limit=1)]
                figures["forget"] = await _timed(lambda: store.memory.forget(newest))
                figures["forget_in_index"] = await _timed(indexing.catch_up)
                figures["purge"] = await _timed(lambda: store.threads.purge_thread(threads[0]))
                figures["purge_in_index"] = await _timed(indexing.catch_up)
                figures["memory_mb"] = {**memory_mb(), **{f"index_{name}": mb for name, mb in _of_index().items()}}
            return {**figures, "disk_mb": _megabytes(folder)}


def _of_index() -> dict[str, float]:
    """The memory of the process that keeps the index; nothing where there is no /proc."""
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it ended meanwhile
            parent = (entry / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()[1]
            if int(parent) == os.getpid() and b"keep-vectors" in (entry / "cmdline").read_bytes():
                return memory_mb(int(entry.name))
    return {}


async def _fill(store: Store, size: int) -> list[str]:
    random = Random(size)
    threads: list[str] = []
    for start in range(0, size, MESSAGES_A_THREAD):
        thread = await store.threads.create_thread()
        threads.append(thread.id)

        def insert(connection: Any, thread_id: str = thread.id, start: int = start) -> None:
            number, parent = require_thread(connection, thread_id), None
            for place in range(start, min(size, start + MESSAGES_A_THREAD)):
                parent = insert_message(
                    connection,
                    message_id=new_id(),
                    thread_seq=number,
                    parent_seq=parent,
                    role=Role.USER,
                    status=MessageStatus.COMPLETE,
                    parts=[TextPart(text=f"{chatter(random)} {chatter(random)}")],
                    moment=BEGIN + timedelta(minutes=place),
                )
            connection.execute("UPDATE threads SET tip = ? WHERE seq = ?", (parent, number))

        await store.database.write(insert)
    return threads


@contextlib.asynccontextmanager
async def _indexing(store: Store, folder: Path, embedder: MadeUpEmbedder) -> AsyncIterator[MemoryIndexing]:
    index = FallbackVectorIndex(ChromaVectorIndex(folder / "vectors"), NumpyVectorIndex())
    indexing = MemoryIndexing(store.passages, index, TaskSupervisor(), embedder=embedder)
    try:
        yield indexing
    finally:
        await indexing.close()


async def _insert(store: Store, indexing: MemoryIndexing, text: str) -> None:
    await store.memory.add(
        MemoryItem(
            id=new_id(),
            text=text,
            kind=MemoryKind.FACT,
            author=Author.SAID,
            created_at=BEGIN,
            updated_at=BEGIN,
            observed_at=BEGIN,
        )
    )
    await indexing.catch_up()


async def _repeated(call: Callable[[str], Awaitable[object]]) -> dict[str, float]:
    random, times, gaps = Random(1), [], []
    for _ in range(TIMES):
        timed = await _timed(partial(call, chatter(random)))
        times.append(timed["took"])
        gaps.append(timed["gap"])
    return {**summary(times), "gap": max(gaps)}


async def _timed(call: Callable[[], Awaitable[object]]) -> dict[str, float]:
    """How long it took, and the longest time in which nothing else had its turn."""
    gaps = [0.0]

    async def tick() -> None:
        while True:
            begin = time.perf_counter()
            await asyncio.sleep(0.001)
            gaps.append(time.perf_counter() - begin - 0.001)

    begin = time.perf_counter()
    async with alongside(tick()):
        await call()
    return {"took": round((time.perf_counter() - begin) * 1000, 1), "gap": round(max(gaps) * 1000, 1)}


def _megabytes(folder: Path) -> float:
    return round(sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 2**20, 1)
