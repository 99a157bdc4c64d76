"""A process that is killed at any moment loses nothing of what it was told is on disk."""

import asyncio
import json
import random
import sqlite3
import sys
from pathlib import Path
from typing import Any

from desktop.conversation.context import assemble_context
from desktop.conversation.entities import MessageStatus, ResultStatus, ToolCallPart, ToolResultPart
from tests.support.stores import opened, say

_ROOT = Path(__file__).parents[3]


def pytest_generate_tests(metafunc: Any) -> None:
    if "kills" in metafunc.fixturenames:
        # One data folder per group, killed again and again; a test may take a minute at most.
        groups, kills = (15, 20) if metafunc.config.getoption("long") else (1, 8)
        metafunc.parametrize(("group", "kills"), [(group, kills) for group in range(groups)])


class Promises:
    """What the killed processes said was on disk."""

    def __init__(self) -> None:
        self.created: set[str] = set()
        self.maybe_purged: set[str] = set()
        self.purged: set[str] = set()
        self.sent: dict[str, dict[str, Any]] = {}
        self.saved: dict[str, int] = {}
        self.finished: dict[str, str] = {}
        self.brought: dict[str, tuple[str, int]] = {}
        self.count = 0

    def note(self, line: dict[str, Any]) -> None:
        self.count += 1
        match line["kind"]:
            case "created":
                self.created.add(line["thread"])
            case "sent":
                self.sent[line["message"]] = line
            case "saved":
                self.saved[line["message"]] = line["length"]
            case "brought":
                self.brought[line["message"]] = line["file"], line["length"]
            case "finished":
                self.finished[line["message"]] = line["text"]
            case "asked":
                self.maybe_purged.add(line["thread"])
            case "purged":
                self.purged.add(line["thread"])


async def run_and_kill(folder: Path, seed: int, lines_before_kill: int, promises: Promises) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.support.storage_writer",
        str(folder),
        str(seed),
        cwd=_ROOT,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        for _ in range(lines_before_kill):
            promises.note(json.loads(await asyncio.wait_for(process.stdout.readline(), 30)))
    finally:
        process.kill()  # SIGKILL
        rest, _ = await process.communicate()
    for line in rest.splitlines(keepends=True):
        if line.endswith(b"\n"):
            promises.note(json.loads(line))


async def check(folder: Path, promises: Promises) -> None:
    async with opened(folder) as store:
        assert store.notices == ()
        await store.threads.recover()
        threads = {t.id for t in await store.threads.list_threads(limit=100_000)}
        threads |= {t.id for t in await store.threads.list_threads(limit=100_000, deleted=True)}
        assert not threads & promises.purged
        assert promises.created - promises.maybe_purged <= threads
        for message_id, line in promises.sent.items():
            if line["thread"] not in threads:
                continue
            question, answer = await store.threads.messages([message_id, line["answer"]])
            assert question.text == line["text"]
            assert len(answer.text) >= promises.saved.get(answer.id, 0)
            assert answer.status in (MessageStatus.COMPLETE, MessageStatus.INTERRUPTED)
            if answer.id in promises.finished:
                assert answer.status is MessageStatus.COMPLETE
                assert answer.text == promises.finished[answer.id]
            calls = [p.call_id for p in answer.parts if isinstance(p, ToolCallPart)]
            results = [p for p in answer.parts if isinstance(p, ToolResultPart)]
            assert calls == [r.call_id for r in results]
            if answer.id in promises.brought:
                file, length = promises.brought[answer.id]
                assert [item.attachment_id for item in results[0].items] == [file]
                path = store.attachments.original(file)
                assert path is not None
                assert path.stat().st_size == length
            assert {r.status for r in results} <= {ResultStatus.OK, ResultStatus.UNKNOWN, ResultStatus.INTERRUPTED}
        alive = [t.id for t in await store.threads.list_threads(limit=1)]
        for thread_id in alive:
            await say(store, thread_id, "goes on", "fine")
            path = await store.threads.path(thread_id)
            assert path[-1].text == "fine"
            assemble_context(path)
        found = await store.threads.search("天气", limit=1000)
        assert {hit.thread_id for hit in found} <= threads
    connection = sqlite3.connect(folder / "threadwell.db")
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    connection.close()


async def test_nothing_that_was_acknowledged_is_lost_to_kill_9(tmp_path: Path, group: int, kills: int) -> None:
    rng, promises = random.Random(group), Promises()
    for number in range(kills):
        await run_and_kill(tmp_path, 1000 * group + number, rng.randint(1, 40), promises)
        await check(tmp_path, promises)
    assert promises.count > kills
