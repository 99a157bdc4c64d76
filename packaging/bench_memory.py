"""Recall measured by the product's own parts (store, index, formula, gate) in a temporary data folder, as JSON.

    python packaging/dev.py bench memory --data FILE     any set of texts and questions
    python packaging/dev.py bench memory                 sentences of our own, beside words alone and vectors alone
    python packaging/dev.py bench memory --sizes 1000 10000     times with so many messages, and gaps of the window's loop
    python packaging/dev.py bench memory --pages 1000           the same while a long PDF is read

FILE holds ``{"items": [{"id", "text", "speaker", "at", "thread", "kind": "message" | "fact"}], "queries": [{"text",
"relevant": [id, ...]}]}``; the items of a thread stand in their order. Nothing here is asserted.
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "packaging")]
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

from bench_data import opened  # noqa: E402
from bench_sentences import made_set  # noqa: E402

from desktop.conversation.entities import MessageStatus, Role, TextPart  # noqa: E402
from desktop.core.tasks import TaskSupervisor  # noqa: E402
from desktop.memory.entities import (  # noqa: E402
    Author,
    MemoryItem,
    MemoryKind,
    PassageKind,
    Recall,
    Recalled,
    RecallScope,
)
from desktop.memory.indexing import MemoryIndexing  # noqa: E402
from desktop.memory.ports import WordHit  # noqa: E402
from desktop.memory.recall import RecallRules, RecallService  # noqa: E402
from desktop.providers.bundled_embedder import BundledEmbedder  # noqa: E402
from desktop.storage.chroma_vector_index import ChromaVectorIndex  # noqa: E402
from desktop.storage.messages import insert_message, require_thread  # noqa: E402
from desktop.storage.numpy_vector_index import NumpyVectorIndex  # noqa: E402
from desktop.storage.sqlite_passages import SqlitePassageStore  # noqa: E402
from desktop.storage.store import Store  # noqa: E402
from desktop.storage.vector_index import FallbackVectorIndex  # noqa: E402

DEPTHS = (1, 3, 5, 10, 20)
RULES = RecallRules(facts=max(DEPTHS), messages=max(DEPTHS), deadline_seconds=60.0)
"""As in the app, but for how much is taken and waited for."""
WAYS = ("both", "words", "vectors")


@dataclass
class Figures:
    """What came of the questions, summed up."""

    recall: dict[int, float] = field(default_factory=lambda: dict.fromkeys(DEPTHS, 0.0))
    asked: int = 0
    answerable: int = 0
    """Of these there is something relevant to."""
    nothing: int = 0
    milliseconds: list[float] = field(default_factory=list)

    def add(self, recall: Recall, relevant: Sequence[str], milliseconds: float) -> None:
        found = [one.passage.id for one in by_score(recall)]
        self.asked += 1
        self.answerable += bool(relevant)
        self.nothing += not found
        self.milliseconds.append(milliseconds)
        for depth in DEPTHS if relevant else ():
            self.recall[depth] += len({*relevant}.intersection(found[:depth])) / len({*relevant})

    def as_json(self) -> dict[str, Any]:
        ordered = sorted(self.milliseconds)
        return {
            "recall": {str(depth): percent(total, self.answerable) for depth, total in self.recall.items()},
            "nothing_injected": percent(self.nothing, self.asked),
            "latency_ms": {
                "p50": round(ordered[len(ordered) // 2], 1) if ordered else 0.0,
                "p95": round(ordered[int(len(ordered) * 0.95)], 1) if ordered else 0.0,
            },
        }


def percent(part: float, whole: int) -> float:
    return round(100 * part / whole, 1) if whole else 0.0


def by_score(recall: Recall) -> list[Recalled]:
    """Facts and messages, best first: they are chosen apart, and their scores are comparable."""
    return sorted((*recall.facts, *recall.messages), key=lambda one: -one.score)


class WithoutWords(SqlitePassageStore):
    """A store that finds nothing by words, to see what vectors alone are worth."""

    async def by_words(self, query: str, kind: PassageKind, limit: int, scope: RecallScope) -> list[WordHit]:
        return []


async def fill(store: Store, items: Sequence[dict[str, Any]]) -> None:
    """Store the items as the app would have: messages in threads, each below the one before, and facts."""
    threads: dict[str, list[dict[str, Any]]] = {}
    for item in items:
        if item["kind"] == "message":
            threads.setdefault(str(item.get("thread") or ""), []).append(item)
        else:
            await store.memory.add(fact(item))
    for messages in threads.values():
        thread = await store.threads.create_thread()

        def insert(connection: Any, messages: Any = messages, thread_id: str = thread.id) -> None:
            number, parent = require_thread(connection, thread_id), None
            for item in messages:
                parent = insert_message(
                    connection,
                    message_id=str(item["id"]),
                    thread_seq=number,
                    parent_seq=parent,
                    role=Role.ASSISTANT if item.get("speaker") == "assistant" else Role.USER,
                    status=MessageStatus.COMPLETE,
                    parts=[TextPart(text=spoken(item))],
                    moment=moment(item),
                )
            connection.execute("UPDATE threads SET tip = ? WHERE seq = ?", (parent, number))

        await store.database.write(insert)


def spoken(item: dict[str, Any]) -> str:
    """The text; somebody with a name is named in it, as in a chat with several people that was brought in."""
    speaker = str(item.get("speaker") or "")
    return item["text"] if speaker in ("", "user", "assistant") else f"{speaker}: {item['text']}"


def moment(item: dict[str, Any]) -> datetime:
    try:
        at = datetime.fromisoformat(str(item.get("at") or ""))
    except ValueError:
        return datetime(2026, 1, 1, tzinfo=UTC)
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def fact(item: dict[str, Any]) -> MemoryItem:
    at = moment(item)
    return MemoryItem(
        id=str(item["id"]),
        text=item["text"],
        kind=MemoryKind.FACT,
        author=Author.SAID,
        created_at=at,
        updated_at=at,
        observed_at=at,
    )


@asynccontextmanager
async def filled(items: Sequence[dict[str, Any]]) -> AsyncIterator[tuple[Store, MemoryIndexing, MemoryIndexing]]:
    """A data folder with these items, and who keeps its vectors: with them, and without any."""
    with tempfile.TemporaryDirectory(prefix="threadwell-bench-") as name:
        async with opened(Path(name)) as store:
            await fill(store, items)
            tasks, embedder = TaskSupervisor(), BundledEmbedder()
            index = FallbackVectorIndex(ChromaVectorIndex(Path(name, "vectors")), NumpyVectorIndex())
            indexing = MemoryIndexing(store.passages, index, tasks, embedder=embedder)
            without = MemoryIndexing(store.passages, NumpyVectorIndex(), tasks, embedder=None)
            try:
                await indexing.catch_up()
                yield store, indexing, without
            finally:
                await indexing.close()
                await without.close()
                await embedder.close()


async def ask(service: RecallService, queries: Sequence[dict[str, Any]], figures: Figures) -> None:
    for query in queries:
        begin = time.perf_counter()
        recall = await service.recall(query["text"], RecallScope())
        figures.add(recall, [str(one) for one in query["relevant"]], (time.perf_counter() - begin) * 1000)


def service_of(way: str, store: Store, indexing: MemoryIndexing, without: MemoryIndexing) -> RecallService:
    if way == "words":
        return RecallService(store.passages, without, RULES)
    return RecallService(WithoutWords(store.database) if way == "vectors" else store.passages, indexing, RULES)


async def of_set(data: dict[str, Any], ways: Sequence[str]) -> dict[str, Any]:
    """The figures of a set; of several ways, each by its name."""
    results: dict[str, Any] = {}
    async with filled(data["items"]) as world:
        for way in ways:
            figures = Figures()
            service = service_of(way, *world)
            await service.recall("hello", RecallScope())
            await ask(service, data["queries"], figures)
            results[way] = figures.as_json()
    return results if len(ways) > 1 else results[ways[0]]


async def of_own(seed: int) -> dict[str, Any]:
    """Our own sentences, by kind of question; questions about nothing that is there should bring nothing."""
    made = made_set(seed)
    results: dict[str, Any] = {"items": len(made.items), "questions": sum(map(len, made.queries.values()))}
    async with filled(made.items) as world:
        for way in WAYS:
            service = service_of(way, *world)
            await service.recall("hello", RecallScope())
            total, by_group = Figures(), {}
            for group, queries in made.queries.items():
                figures = Figures()
                await ask(service, queries, figures)
                by_group[group] = figures.as_json()
                if group != "foreign":
                    await ask(service, queries, total)
            results[way] = {"all": total.as_json(), **by_group}
    return results


def show(results: dict[str, Any]) -> None:
    print(f"{results['items']} items, {results['questions']} questions")
    print(
        f"{'':24}"
        + "".join(f"{'R@' + str(depth):>8}" for depth in DEPTHS)
        + f"{'nothing':>10}{'p50 ms':>8}{'p95 ms':>8}"
    )
    for way in WAYS:
        for group, figures in results[way].items():
            recall = "".join(f"{figures['recall'][str(depth)]:8.1f}" for depth in DEPTHS)
            latency = figures["latency_ms"]
            print(
                f"{way:8}{group:16}{recall}{figures['nothing_injected']:10.1f}{latency['p50']:8.1f}{latency['p95']:8.1f}"
            )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="a set to be measured")
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=["both"], help="with --data: what to compare")
    parser.add_argument("--sizes", type=int, nargs="+", help="numbers of passages to measure times with")
    parser.add_argument("--pages", type=int, default=0, help="of a PDF to measure reading with")
    parser.add_argument("--seed", type=int, default=1, help="of our own sentences")
    options = parser.parse_args()
    if options.data is not None:
        data = json.loads(options.data.read_text(encoding="utf-8"))
        print(json.dumps(asyncio.run(of_set(data, options.ways))))
        return 0
    if options.sizes or options.pages:
        from desktop.app.qt_import import load_qt

        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        load_qt()  # as the app does
        from bench_memory_sizes import measure

        measure(options.sizes or [], options.pages)
        return 0
    results = asyncio.run(of_own(options.seed))
    show(results)
    print(json.dumps(results))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
