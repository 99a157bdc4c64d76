"""Killed while the app reads, inserts, changes its embedder, rebuilds or forgets: all agrees after the next start."""

import functools
import random
from collections import Counter
from pathlib import Path
from typing import Any

from tests.support.app_writer import BEFORE
from tests.support.crash.rounds import Crash
from tests.support.crash.soundness import require_sound
from tests.support.endpoint import LoopbackEndpoint
from tests.support.killing import kill_children_first, run_and_kill
from tests.support.memory_app import EMBEDDERS, MemoryApp, loopback, memory_app, vector_of, write_settings
from tests.support.sentinels import Sentinels
from tests.support.traces import terms_in, vectors_left

WHAT = ("read", "insert", "embedder", "rebuild", "purge")
_FIRST = {"embedder": BEFORE + 2, "rebuild": BEFORE + 2}
"""Lines that are said before anything of interest happens."""


class MemoryPromises:
    """What the app said it remembers, holds and forgot."""

    def __init__(self) -> None:
        self.words: dict[str, list[str]] = {}
        self.asked: set[str] = set()
        self.gone: set[str] = set()
        self.forgotten: set[str] = set()
        self.kinds: Counter[str] = Counter()

    def note(self, line: dict[str, Any]) -> None:
        self.kinds[line["kind"]] += 1
        match line["kind"]:
            case "item" | "chat" | "document":
                self.words[line["id"]] = line["words"]
            case "asked":
                self.asked.add(line["id"])
            case "gone":
                self.gone.add(line["id"])
                self.forgotten.add(line.get("text", ""))


async def require_agreement(app: MemoryApp, endpoint: LoopbackEndpoint, folder: Path, promises: MemoryPromises) -> None:
    store, indexing = app.store, app.memory.indexing
    await app.settled()
    meaning = indexing.meaning
    assert meaning is not None
    assert app.container.settings.settings.memory.embedding_model in meaning.embedder.id
    keys = await store.passages.vector_keys(meaning.embedder.id)
    assert await meaning.index.keys() == keys, "the index does not agree with SQLite"
    assert await store.passages.without_vector(meaning.embedder.id, 9) == []
    assert await store.passages.vector_changes(meaning.embedder.id, 9) == []
    assert not await store.passages.owes_erasing()
    counts = await store.database.read(
        lambda c: [
            c.execute(f"SELECT count(*), count(DISTINCT embedder_seq) FROM {table}_vectors").fetchone()
            for table in ("item", "message", "piece")
        ]
    )
    assert sum(count for count, _ in counts) == len(keys), "nothing of another embedder is kept"
    assert await store.database.read(lambda c: c.execute("PRAGMA integrity_check").fetchall()) == [("ok",)]
    await require_sound(store)

    items = await app.memory.search(limit=10_000)
    assert max(Counter(item.text for item in items).values(), default=1) == 1, "doubled"
    there = {item.id for item in items} | {one.root.id for one in await app.documents.summaries()}
    there |= {thread.id for thread in await store.threads.list_threads(limit=10_000)}
    assert not there & promises.gone, "it is back"
    assert not {item.text for item in items} & promises.forgotten, "read again it is back"
    assert promises.words.keys() - promises.asked <= there, "something is lost"

    known = " ".join(item.text for item in items)
    gone = [word for key, words in promises.words.items() if key not in there for word in words if word not in known]
    words = Sentinels(0)
    words.words = gone
    assert words.left_in(folder) == set()
    terms = terms_in(folder)
    assert not [word for word in gone if any(term.startswith(word[:10]) for term in terms)]
    embedded = {text for texts in endpoint.embedded for text in texts if any(word in text for word in gone)}
    vectors = [vector_of(model, text) for model in EMBEDDERS for text in embedded]
    assert vectors_left(folder, vectors) == 0


class MemoryKilled(Crash):
    """``kill -9`` of the app's core, sometimes after the process that holds its index of vectors."""

    def __init__(self, folder: Path, chance: random.Random, *, what: str) -> None:
        super().__init__(folder, chance)
        self._what, self._promises, self._endpoint = what, MemoryPromises(), loopback()

    async def begin(self) -> None:
        await self._endpoint.__aenter__()
        write_settings(self.data, self._endpoint.base_url, tools=False)

    async def round(self, number: int) -> None:
        first = 0 if self._promises.words else _FIRST.get(self._what, 0)
        await run_and_kill(
            "app_writer", str(self.data), self._what, str(number), note=self._promises.note,
            lines=1 + self.chance.randint(0, 6) + first, most_seconds=0.4, chance=self.chance, kill=kill_children_first,
        )  # fmt: skip
        self.promised = self._promises.kinds.total()
        async with memory_app(self.data) as app:
            await require_agreement(app, self._endpoint, self.data, self._promises)

    async def end(self) -> None:
        await self._endpoint.__aexit__(None, None, None)


KILLED = {f"memory-{what}": functools.partial(MemoryKilled, what=what) for what in WHAT}
