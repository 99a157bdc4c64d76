"""``kill -9`` of the app while it reads, inserts, changes its embedder, rebuilds or purges: all agrees after the next start."""

import asyncio
import contextlib
import json
import os
import random
import signal
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.support.app_writer import BEFORE
from tests.support.endpoint import LoopbackEndpoint
from tests.support.memory_app import EMBEDDERS, MemoryApp, loopback, memory_app, vector_of, write_settings
from tests.support.sentinels import Sentinels
from tests.support.source_tree import ROOT
from tests.support.traces import terms_in, vectors_left
from tests.unit.storage.test_memory_on_disk import check_indexes

WHAT = ("read", "insert", "embedder", "rebuild", "purge")
FIRST = {"embedder": BEFORE + 2, "rebuild": BEFORE + 2}
"""Lines that are said before anything of interest happens."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "group" in metafunc.fixturenames:
        # One data folder for each group, killed again and again.
        groups, kills = (7, 3) if metafunc.config.getoption("long") else (1, 1)
        metafunc.parametrize(("group", "kills"), [(group, kills) for group in range(groups)])


class Promises:
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


def kill(pid: int, chance: random.Random) -> None:
    """Kill it, sometimes after the process that holds its index."""
    if chance.random() < 0.4:
        with contextlib.suppress(ProcessLookupError, FileNotFoundError):
            tasks = Path(f"/proc/{pid}/task").glob("*/children")
            for child in [int(child) for path in tasks for child in path.read_text().split()]:
                os.kill(child, signal.SIGKILL)
    os.kill(pid, signal.SIGKILL)


async def run_and_kill(folder: Path, what: str, seed: int, chance: random.Random, promises: Promises) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.support.app_writer", str(folder), what, str(seed),
        cwd=ROOT, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    lines = 1 + chance.randint(0, 6) + (0 if promises.words else FIRST.get(what, 0))
    try:
        for _ in range(lines):
            promises.note(json.loads(await asyncio.wait_for(process.stdout.readline(), 300)))
        await asyncio.sleep(chance.random() * 0.4)  # somewhere in the middle of the next step
    finally:
        kill(process.pid, chance)
        rest, _ = await process.communicate()
    assert process.returncode == -signal.SIGKILL, "it ended by itself"
    for line in rest.splitlines(keepends=True):
        if line.endswith(b"\n"):
            promises.note(json.loads(line))


async def require_agreement(app: MemoryApp, endpoint: LoopbackEndpoint, folder: Path, promises: Promises) -> None:
    store, indexing = app.store, app.memory.indexing
    await app.settled()
    meaning = indexing.meaning
    assert meaning is not None
    assert app.container.settings.settings.memory.embedding_model in meaning.embedder.id
    keys = await store.passages.vector_keys(meaning.embedder.id)
    assert await meaning.index.keys() == keys
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
    await store.database.write(check_indexes)

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


@pytest.mark.allowed_log(r"WARNING desktop\.(storage|memory|app)\.")
@pytest.mark.skipif(sys.platform == "win32", reason="kill -9 as on POSIX")
@pytest.mark.timeout(900)
@pytest.mark.parametrize("what", WHAT)
async def test_after_a_kill_all_agrees_and_nothing_deleted_returns(
    tmp_path: Path, what: str, group: int, kills: int
) -> None:
    folder, promises = tmp_path / "data", Promises()
    chance = random.Random(f"{what} {group}")
    async with loopback() as endpoint:
        write_settings(folder, endpoint.base_url, tools=False)
        for number in range(kills):
            await run_and_kill(folder, what, 3 * group + number, chance, promises)
            async with memory_app(folder) as app:
                await require_agreement(app, endpoint, folder, promises)
    assert promises.kinds["ready"] == kills
