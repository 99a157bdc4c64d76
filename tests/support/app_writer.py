"""A program for kill tests: the app's core at work on a data folder without end.

``FOLDER read|insert|embedder|rebuild|purge SEED``. It says on stdout what is about to be done and what is done for
certain, a line of JSON each. The settings, with the provider that answers and embeds, must be there.
"""

import asyncio
import itertools
import json
import random
import sys
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

from desktop.core.errors import RecallError
from desktop.memory.entities import MemoryItem, MemoryKind
from tests.support.memory_app import EMBEDDERS, MemoryApp, memory_app
from tests.support.sentinels import Sentinels

BEFORE = 60
"""Items that are there before an index is made anew."""


def say(kind: str, **fields: object) -> None:
    sys.stdout.write(json.dumps({"kind": kind, **fields}) + "\n")
    sys.stdout.flush()


class Writer:
    def __init__(self, app: MemoryApp, folder: Path, seed: int) -> None:
        self.app = app
        self.files = folder.parent / "files"
        self.chance = random.Random(seed)
        self._numbers = itertools.count(1_000 * seed)

    def word(self) -> str:
        return Sentinels(0).again(next(self._numbers))

    async def read(self) -> None:
        """Say what is remembered, by rules and by the model; forget some of it."""
        word, other = self.word(), self.word()
        run = await self.app.say(None, f"I collect {word}. Remember that I like {other}")
        say("chat", words=[word, other], id=run.thread_id)
        if self.chance.random() < 0.5:
            await self.app.settled()
        known = await self.app.memory.search()
        if known and self.chance.random() < 0.4:
            await self._forget(self.chance.choice(known))

    async def insert(self) -> None:
        word = self.word()
        match self.chance.choice(("item", "chat", "document")):
            case "item":
                item = await self.app.memory.write(f"The word is {word}", MemoryKind.FACT)
                say("item", words=[word], id=item.id)
            case "chat":
                run = await self.app.say(None, f"The word is {word}")
                say("chat", words=[word], id=run.thread_id)
            case _:
                await self._add_document(word)
        if self.chance.random() < 0.5:
            await self.app.memory.indexing.catch_up()

    async def embedder(self) -> None:
        """Choose the other embedder, and mostly wait until all is prepared for it."""
        await self._fill()
        now = self.app.container.settings.settings.memory.embedding_model
        self.app.change_memory(embedding_model=EMBEDDERS[now == EMBEDDERS[0]])
        say("chosen")
        if self.chance.random() < 0.7:
            await self.app.memory.indexing.catch_up()
            say("switched")

    async def rebuild(self) -> None:
        await self._fill()
        self.app.memory.indexing.report(RecallError("memory.index_broken", detail="to be made anew"))
        say("broken")
        await self.app.memory.indexing.catch_up()
        say("rebuilt")

    async def purge(self) -> None:
        """Put something in, and take something out for good."""
        await self.insert()
        match self.chance.choice(("item", "chat", "trash", "document")):
            case "item":
                for item in (await self.app.memory.search())[:1]:
                    await self._forget(item)
            case "document":
                for one in (await self.app.documents.summaries())[:1]:
                    say("asked", id=one.root.id)
                    await self.app.documents.remove(one.root.id)
                    receipt = await self.app.documents.purge([one.root.id])
                    say("waits" if receipt.waits else "gone", id=one.root.id)
            case what:
                for thread in (await self.app.store.threads.list_threads())[:1]:
                    say("asked", id=thread.id)
                    if what == "chat":
                        receipt = await self.app.container.chat.purge_thread(thread.id)
                    else:
                        await self.app.container.chat.delete_thread(thread.id)
                        receipt = await self.app.container.conversations.purge_trash()
                    receipt = await self.app.memory.follow_removal(receipt)
                    say("waits" if receipt.waits else "gone", id=thread.id)

    async def _forget(self, item: MemoryItem) -> None:
        say("asked", id=item.id)
        receipt = await self.app.memory.forget([item.id])
        say("waits" if receipt.waits else "gone", id=item.id, text=item.text)

    async def _add_document(self, word: str) -> None:
        self.files.mkdir(exist_ok=True)
        file = self.files / f"{word}.md"
        file.write_text(f"# A word\n\nThe word is {word}.")
        for root in await self.app.documents.add([file], only_thread_id=None):
            say("document", words=[word], id=root.id)

    async def _fill(self) -> None:
        if len(await self.app.memory.search(limit=BEFORE)) < BEFORE:
            for _ in range(BEFORE):
                word = self.word()
                item = await self.app.memory.write(f"The word is {word}", MemoryKind.FACT)
                say("item", words=[word], id=item.id)
            await self.app.memory.indexing.catch_up()
            say("filled")


async def main(folder: Path, what: str, seed: int) -> None:
    async with memory_app(folder) as app:
        writer = Writer(app, folder, seed)
        steps: Mapping[str, Callable[[], Awaitable[None]]] = {
            "read": writer.read,
            "insert": writer.insert,
            "embedder": writer.embedder,
            "rebuild": writer.rebuild,
            "purge": writer.purge,
        }
        say("ready")
        while True:
            await steps[what]()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])))
