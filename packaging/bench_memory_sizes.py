"""What memory costs with so many messages: recall, insertion, deletion, rebuild and start, and how long the window's loop
stood still in each.

All on the app's own loop, with the embedder that comes with it; only most of the stored vectors are put together from those
of single sentences, since embedding a hundred thousand messages takes minutes and depends on nothing that is stored.
"""

import asyncio
import contextlib
import gc
import json
import os
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from bench_child import memory_mb
from bench_data import opened, summary
from bench_goals import DOCUMENT_GOALS, MEMORY_GOALS, Goal, table
from bench_heartbeat import Heartbeat, longest_step
from bench_memory_data import MadeMessages
from PySide6.QtWidgets import QApplication

from desktop.app.event_loop import close_loop, make_loop
from desktop.conversation.entities import MessageStatus, TextPart
from desktop.core.ids import new_id
from desktop.core.language_model import Usage
from desktop.core.paths import DataPaths
from desktop.core.tasks import TaskSupervisor, begun
from desktop.memory.document_service import DocumentService
from desktop.memory.entities import Author, MemoryItem, MemoryKind, RecallScope, Silence
from desktop.memory.indexing import MemoryIndexing
from desktop.memory.ports import Likeness, Vector
from desktop.memory.recall import RecallRules, RecallService
from desktop.providers.bundled_embedder import BundledEmbedder
from desktop.storage.chroma_vector_index import ChromaVectorIndex
from desktop.storage.document_files import UserFiles
from desktop.storage.document_reader import DocumentReaderProcess
from desktop.storage.numpy_vector_index import NumpyVectorIndex
from desktop.storage.store import Store, open_store
from desktop.storage.vector_index import FallbackVectorIndex

SEED = 1
QUESTIONS = 60
INSERTS = 20
FORGOTTEN = 5
PURGED = 3
EMBEDDED = 500
"""Of the newest messages: so many the real embedder reads."""
MOST_CHANGED = 10_000
"""Up to so many messages another embedder is changed to, too."""
QUIET_SECONDS = 2.0
BESIDE_SECONDS = 0.25
"""Between questions that are asked while something else goes on."""
RULES = RecallRules(deadline_seconds=0.24)
"""As in the app (``memory_parts``)."""


class OtherEmbedder:
    """Another one, whose vectors cost nothing: those of chance, the same for the same text."""

    id = "another"
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


def measure(sizes: Sequence[int], pages: int) -> None:
    """Print the figures of each size, and of a PDF of so many pages, as a line of JSON and beside the goals."""
    app = QApplication.instance() or QApplication(sys.argv)
    assert isinstance(app, QApplication)
    loop = make_loop(app)
    try:
        for size in sizes:
            loop.run_until_complete(_measure(of_size(size), MEMORY_GOALS))
        if pages:
            loop.run_until_complete(_measure(of_document(pages), DOCUMENT_GOALS))
    finally:
        close_loop(loop)


async def _measure(measuring: Awaitable[dict[str, Any]], goals: tuple[Goal, ...]) -> None:
    before = _load()
    figures = await measuring
    figures["load"] = [before, _load()]
    for key, value in figures.items():
        print(f"{key:20} {value}")
    print("", *table(figures, goals), "", json.dumps(figures), "", sep="\n", flush=True)


def _load() -> float:
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else 0.0


async def of_size(size: int) -> dict[str, Any]:
    """The figures with so many messages, in milliseconds."""
    figures: dict[str, Any] = {"messages": size, "quiet": await _timed(lambda: asyncio.sleep(QUIET_SECONDS))}
    embedder = BundledEmbedder()
    with tempfile.TemporaryDirectory(prefix="threadwell-bench-") as name:
        folder = Path(name)
        try:
            threads = await _fill(folder, size, embedder, figures)
            await _grow(folder, embedder, figures)
            await _use(folder, embedder, threads, figures)
        finally:
            await embedder.close()
    return figures


async def _fill(folder: Path, size: int, embedder: BundledEmbedder, figures: dict[str, Any]) -> list[str]:
    """A folder with messages that have their words and, but for the newest, their vectors; the index is yet to be made."""
    made = MadeMessages(SEED)
    figures["load_model"] = await _timed(lambda: embedder.embed(["hello"]))
    figures["embed_sentences"] = await _timed(lambda: made.learn(embedder), each=len(made.sentences))
    gc.collect()
    gc.freeze()  # as the app does once everything is imported
    async with opened(folder) as store:
        threads = await made.fill(store, size - min(EMBEDDED, size // 2))
        figures["words"] = await _timed(store.passages.catch_up, each=size)
        await store.threads.search("zzz")  # its own index follows, too
        await made.put_vectors(store, embedder.id)
        await made.fill(store, min(EMBEDDED, size // 2))
        await store.passages.catch_up()
    return threads


async def _grow(folder: Path, embedder: BundledEmbedder, figures: dict[str, Any]) -> None:
    """From a missing index to one that holds everything; questions are asked meanwhile."""
    questions = MadeMessages(SEED).questions
    async with _opened(folder, embedder) as (store, indexing):
        service = RecallService(store.passages, indexing, RULES)
        async with _asked_beside(service, questions, figures, "recall_in_rebuild"):
            figures["rebuild"] = await _timed(indexing.follow)
        async with _asked_beside(service, questions, figures, "recall_in_embedding"):
            figures["embed"] = await _timed(indexing.catch_up, each=EMBEDDED)
    figures["memory_mb"] = {"built": memory_mb().get("rss", 0.0)}


async def _use(folder: Path, embedder: BundledEmbedder, threads: Sequence[str], figures: dict[str, Any]) -> None:
    """From a start on: what is done every day, and what seldom."""
    questions = MadeMessages(SEED).questions
    begin = time.perf_counter()
    store = await open_store(DataPaths(folder))
    figures["start_store"] = {"took": _milliseconds(begin)}
    async with _opened(folder, embedder, store) as (store, indexing):
        service = RecallService(store.passages, indexing, RULES)
        async with _asked_beside(service, questions, figures, "recall_at_start"):
            figures["start"] = await _timed(indexing.catch_up)
        figures["recall_first"] = await _timed(lambda: service.recall(questions[-1], RecallScope()))
        figures["recall"] = await _asked(service, questions[:QUESTIONS])
        figures["insert"] = await _repeated(INSERTS, lambda place: _insert(store, indexing, questions[place]))
        figures["answer"] = await _repeated(INSERTS, lambda place: _answer(store, threads[-1], questions[place]))
        figures["answer_in_index"] = await _timed(indexing.catch_up)
        figures["memory_mb"] |= {
            "app": memory_mb().get("rss", 0.0),
            **{f"index_{kind}": megabytes for kind, megabytes in _of_index().items()},
        }
        items = [item.id for item in await store.memory.search(limit=FORGOTTEN)]
        figures["forget"] = await _repeated(FORGOTTEN, lambda place: store.memory.forget([items[place]]))
        figures["forget_in_index"] = await _timed(indexing.follow)
        items = [item.id for item in await store.memory.search(limit=1)]
        figures["forget_whole"] = await _timed(lambda: _forget(store, indexing, items))
        figures["purge"] = await _repeated(
            min(PURGED, len(threads)), lambda place: store.threads.purge_thread(threads[place])
        )
        figures["purge_in_index"] = await _timed(indexing.follow)
        if figures["messages"] <= MOST_CHANGED:
            indexing.use(OtherEmbedder())
            async with _asked_beside(service, questions, figures, "recall_in_change"):
                figures["change"] = await _timed(indexing.catch_up)
        figures["memory_mb"]["end"] = memory_mb().get("rss", 0.0)
    figures["disk_mb"] = {"all": _megabytes(folder), "index": _megabytes(DataPaths(folder).vectors)}


@contextlib.asynccontextmanager
async def _opened(
    folder: Path, embedder: BundledEmbedder, store: Store | None = None
) -> AsyncIterator[tuple[Store, MemoryIndexing]]:
    paths = DataPaths(folder)
    store = store or await open_store(paths)
    index = FallbackVectorIndex(ChromaVectorIndex(paths.vectors), NumpyVectorIndex())
    indexing = MemoryIndexing(store.passages, index, TaskSupervisor(), embedder=embedder)
    try:
        yield store, indexing
    finally:
        await indexing.close()
        await store.close()


async def of_document(pages: int) -> dict[str, Any]:
    """The figures of a PDF that is added to an empty folder: read, split, stored, its words and vectors made."""
    figures: dict[str, Any] = {"pages": pages, "quiet": await _timed(lambda: asyncio.sleep(QUIET_SECONDS))}
    embedder, tasks = BundledEmbedder(), TaskSupervisor()
    with tempfile.TemporaryDirectory(prefix="threadwell-bench-") as name:
        file, folder = _with_document(Path(name), pages)
        await embedder.embed(["hello"])
        async with _opened(folder, embedder) as (store, indexing):
            reader = DocumentReaderProcess()
            service = DocumentService(
                repository=store.documents, files=UserFiles(folder), reader=reader, indexing=indexing, tasks=tasks
            )
            await service.add([file], only_thread_id=None)
            figures["file_mb"] = _megabytes(file.parent)
            figures["read"] = await _timed(lambda: _until_read(service))
            figures["embed"] = await _timed(indexing.catch_up)
            (root,) = await service.summaries()
            figures["pieces"] = len(await store.passages.vector_keys(embedder.id))
            await service.remove(root.root.id)
            figures["purge"] = await _timed(lambda: service.purge([root.root.id]))
            await service.close()
            await reader.close()
    await embedder.close()
    return figures


def _with_document(folder: Path, pages: int) -> tuple[Path, Path]:
    """Make a PDF, and a data folder beside it."""
    data, file = folder / "data", folder / "document" / "long.pdf"
    data.mkdir()
    file.parent.mkdir()
    file.write_bytes(MadeMessages(SEED).pages(pages))
    return file, data


async def _until_read(service: DocumentService) -> None:
    done = asyncio.Event()
    service.reading_changed.connect(lambda state: done.set() if state.document is None else None)
    await done.wait()


async def _asked(service: RecallService, questions: Sequence[str]) -> dict[str, Any]:
    """The times of recall, how much of it came too late and how much without vectors."""
    late = words_only = 0

    async def ask(place: int) -> None:
        nonlocal late, words_only
        recall = await service.recall(questions[place], RecallScope())
        late += recall.silence is Silence.TOO_LATE
        words_only += not recall.had_meaning

    times = await _repeated(len(questions), ask)
    return {**times, "asked": len(questions), "late": late, "by_words": words_only}


@contextlib.asynccontextmanager
async def _asked_beside(
    service: RecallService, questions: Sequence[str], figures: dict[str, Any], name: str
) -> AsyncIterator[None]:
    """Ask one question after the other while the block runs."""
    times: list[float] = []
    late = words_only = 0

    async def ask() -> None:
        nonlocal late, words_only
        while True:
            begin = time.perf_counter()
            recall = await service.recall(questions[len(times) % len(questions)], RecallScope())
            times.append(_milliseconds(begin))
            late += recall.silence is Silence.TOO_LATE
            words_only += not recall.had_meaning
            await asyncio.sleep(BESIDE_SECONDS)

    async with begun(ask()) as asking:
        yield
        if asking.done():
            asking.result()  # raises what went wrong
    figures[name] = {**summary(times), "asked": len(times), "late": late, "by_words": words_only}


async def _insert(store: Store, indexing: MemoryIndexing, text: str) -> None:
    """Until it is found by words and by meaning."""
    moment = store.memory._clock()
    await store.memory.add(
        MemoryItem(
            id=new_id(),
            text=text,
            kind=MemoryKind.FACT,
            author=Author.SAID,
            created_at=moment,
            updated_at=moment,
            observed_at=moment,
        )
    )
    await indexing.catch_up()


async def _answer(store: Store, thread_id: str, question: str) -> None:
    turn = await store.threads.begin_turn(thread_id, question, model="bench")
    await store.threads.finish_turn(
        turn.turn_id,
        parts=[TextPart(text=f"{question} {question}")],
        status=MessageStatus.COMPLETE,
        reason="completed",
        usage=Usage(input_tokens=100, output_tokens=200),
        duration_seconds=1.5,
    )


async def _forget(store: Store, indexing: MemoryIndexing, items: Sequence[str]) -> None:
    """Until no byte of it is left anywhere."""
    await store.memory.forget(items)
    await indexing.follow()


async def _repeated(times: int, call: Callable[[int], Awaitable[object]]) -> dict[str, float]:
    timed = [await _timed(lambda place=place: call(place)) for place in range(times)]
    worst = {name: max(one[name] for one in timed) for name in ("gap", "step")}
    return {**summary([one["took"] for one in timed]), **worst}


async def _timed(call: Callable[[], Awaitable[object]], *, each: int = 0) -> dict[str, float]:
    """How long it took, for each of so many; the longest time in which nothing else had its turn (``gap``), and the longest
    step of the loop by its processor time."""
    heartbeat = Heartbeat()
    with longest_step() as longest:
        heartbeat.start()
        begin = time.perf_counter()
        await call()
        took = _milliseconds(begin)
        gap = max(heartbeat.stop())
    return {
        "took": took,
        "gap": round(gap, 1),
        "step": round(longest[0], 1),
        **({"each": round(took / each, 2)} if each else {}),
    }


def _milliseconds(begin: float) -> float:
    return round((time.perf_counter() - begin) * 1000, 1)


def _of_index() -> dict[str, float]:
    """The memory of the process that keeps the index; nothing where there is no /proc."""
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it ended meanwhile
            parent = (entry / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()[1]
            if int(parent) == os.getpid() and b"keep-vectors" in (entry / "cmdline").read_bytes():
                return memory_mb(int(entry.name))
    return {}


def _megabytes(folder: Path) -> float:
    return round(sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 2**20, 1)
