"""An import that is killed at any moment leaves whole chats and nothing else, and the next one brings the rest."""

import asyncio
import json
import random
import sqlite3
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.support.foreign_chats import PICTURE, archive, chatgpt_chat
from tests.support.stores import opened

_ROOT = Path(__file__).parents[3]
CHATS = 18
WITH_PICTURE = 6
"""Every so many chats one has a picture."""


def pytest_generate_tests(metafunc: Any) -> None:
    if "kills" in metafunc.fixturenames:
        metafunc.parametrize("kills", [20 if metafunc.config.getoption("long") else 2])


def export(count: int) -> bytes:
    """As many chats, some of them with a picture."""
    chats = [chatgpt_chat(f"chat-{number}", longer=number % 2 == 0) for number in range(count)]
    for number, chat in enumerate(chats):
        chat["title"] = f"chat-{number}"
        picture = chat["mapping"]["q1"]["message"]
        if number % WITH_PICTURE:
            picture["content"], picture["metadata"] = {"content_type": "text", "parts": ["What is this?"]}, {}
    return archive({"conversations.json": chats, "file-ABC123-photo.png": PICTURE})


async def run(folder: Path, source: Path, *, lines_before_kill: int | None) -> Sequence[dict[str, str]]:
    """Import, killed after so many lines; return what was said."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.support.import_writer",
        str(folder),
        str(source),
        cwd=_ROOT,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    said: list[bytes] = []
    try:
        while lines_before_kill is None or len(said) < lines_before_kill:
            line = await asyncio.wait_for(process.stdout.readline(), 60)
            if not line:
                break
            said.append(line)
    finally:
        if lines_before_kill is not None:
            process.kill()  # SIGKILL
        rest, _ = await process.communicate()
    lines = [*said, *rest.splitlines(keepends=True)]
    return [json.loads(line) for line in lines if line.endswith(b"\n")]


async def check(folder: Path, promised: set[str]) -> int:
    """What is here is whole, and holds all that was promised; return how many chats these are."""
    async with opened(folder) as store:
        assert store.notices == ()
        await store.threads.recover()
        threads = await store.threads.list_threads(limit=1_000)
        assert promised <= {thread.id for thread in threads}
        for thread in threads:
            number = int(thread.title.removeprefix("chat-"))
            path = await store.threads.path(thread.id)
            assert len(path) == (6 if number % 2 == 0 else 4)
            assert len(await store.threads.answers(path[0].id)) == 2
            for part in path[0].attachments:
                original = store.attachments.original(part.attachment_id)
                assert original is not None
                assert original.read_bytes() == PICTURE
            assert len(path[0].attachments) == (number % WITH_PICTURE == 0)
    connection = sqlite3.connect(folder / "threadwell.db")
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    connection.close()
    return len(threads)


async def test_an_import_that_is_killed_leaves_whole_chats(tmp_path: Path, kills: int) -> None:
    rng = random.Random(kills)
    source, folder = tmp_path / "export.zip", tmp_path / "data"
    source.write_bytes(export(CHATS))
    promised: set[str] = set()
    for _ in range(kills):
        said = await run(folder, source, lines_before_kill=rng.randint(1, CHATS // 2))
        promised |= {line["thread"] for line in said if line["thread"]}
        await check(folder, promised)
    assert promised
    said = await run(folder, source, lines_before_kill=None)
    assert said[-1]["verdict"] == "done"
    assert {line["verdict"] for line in said[:-1]} <= {"imported", "known"}
    assert await check(folder, promised) == CHATS
    async with opened(folder) as store:
        await store.attachments.sweep(
            max(t.updated_at for t in await store.threads.list_threads(limit=99)).replace(year=2100)
        )
    kept = [each for each in (folder / "attachments").iterdir() if each.is_dir()]
    assert len(kept) == len(range(0, CHATS, WITH_PICTURE))
