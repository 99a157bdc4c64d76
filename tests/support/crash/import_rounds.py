"""Killed while a file with chats and pictures is imported: whole chats and nothing else, and the next import brings the rest."""

import asyncio
import json
import random
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.support.crash.rounds import Crash
from tests.support.crash.soundness import require_sound, require_whole
from tests.support.foreign_chats import PICTURE, archive, chatgpt_chat
from tests.support.source_tree import ROOT
from tests.support.stores import opened

CHATS = 18
_WITH_PICTURE = 6
"""Every so many chats one has a picture."""


def export(count: int) -> bytes:
    """As many chats, some of them with a picture."""
    chats = [chatgpt_chat(f"chat-{number}", longer=number % 2 == 0) for number in range(count)]
    for number, chat in enumerate(chats):
        chat["title"] = f"chat-{number}"
        picture = chat["mapping"]["q1"]["message"]
        if number % _WITH_PICTURE:
            picture["content"], picture["metadata"] = {"content_type": "text", "parts": ["What is this?"]}, {}
    return archive({"conversations.json": chats, "file-ABC123-photo.png": PICTURE})


class ImportKilled(Crash):
    """``kill -9`` after a random chat of an import, again and again, until one is let through."""

    def __init__(self, folder: Path, chance: random.Random) -> None:
        super().__init__(folder, chance)
        self._source, self._promised = folder / "export.zip", set[str]()

    async def begin(self) -> None:
        self._source.write_bytes(export(CHATS))

    async def round(self, number: int) -> None:
        said = await self._run(lines_before_kill=self.chance.randint(1, CHATS // 2))
        self._promised |= {line["thread"] for line in said if line["thread"]}
        self.promised = len(self._promised)
        await self._check()

    async def end(self) -> None:
        said = await self._run(lines_before_kill=None)
        assert said[-1]["verdict"] == "done"
        assert {line["verdict"] for line in said[:-1]} <= {"imported", "known"}
        assert await self._check() == CHATS, "an import did not bring the rest"
        async with opened(self.data) as store:
            newest = max(t.updated_at for t in await store.threads.list_threads(limit=99))
            await store.attachments.sweep(newest.replace(year=2100))
        kept = [each for each in (self.data / "attachments").iterdir() if each.is_dir()]
        assert len(kept) == len(range(0, CHATS, _WITH_PICTURE)), "files of a killed import stay"

    async def _run(self, *, lines_before_kill: int | None) -> Sequence[dict[str, str]]:
        """Import, killed after so many lines; return what was said."""
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.support.import_writer", str(self.data), str(self._source),
            cwd=ROOT, stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        assert process.stdout is not None
        said: list[bytes] = []
        try:
            while lines_before_kill is None or len(said) < lines_before_kill:
                line = await asyncio.wait_for(process.stdout.readline(), 60)
                if not line:
                    break
                said.append(line)
        finally:
            if lines_before_kill is not None and process.returncode is None:
                process.kill()
            rest, _ = await process.communicate()
        lines = [*said, *rest.splitlines(keepends=True)]
        return [json.loads(line) for line in lines if line.endswith(b"\n")]

    async def _check(self) -> int:
        """What is here is whole, and holds all that was promised; return how many chats these are."""
        async with opened(self.data) as store:
            await store.threads.recover()
            threads = await store.threads.list_threads(limit=1_000)
            assert self._promised <= {thread.id for thread in threads}, "a chat is lost"
            for thread in threads:
                number = int(thread.title.removeprefix("chat-"))
                path = await store.threads.path(thread.id)
                assert len(path) == (6 if number % 2 == 0 else 4), "half a chat"
                assert len(await store.threads.answers(path[0].id)) == 2
                for part in path[0].attachments:
                    original = store.attachments.original(part.attachment_id)
                    assert original is not None
                    assert original.read_bytes() == PICTURE, "half a picture"
                assert len(path[0].attachments) == (number % _WITH_PICTURE == 0)
            await require_sound(store)
        require_whole(self.data)
        return len(threads)
