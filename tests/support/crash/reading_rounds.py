"""Killed while what was said is read for facts, and while documents are read: nothing is lost, doubled, or back."""

import functools
import random
import sqlite3
from collections import Counter
from pathlib import Path
from typing import Any

from desktop.core.paths import DataPaths
from desktop.core.tasks import TaskSupervisor
from desktop.memory.documents import DocumentState
from desktop.memory.entities import PassageKind, RecallScope
from desktop.storage.store import open_store
from tests.support.crash.rounds import Crash
from tests.support.crash.soundness import require_sound, require_whole
from tests.support.document_writer import service_of
from tests.support.killing import run_and_kill
from tests.support.reading_world import EVERY, reading_world

FILES = 40
_LINES_A_FACT = 2


class ReadingsKilled(Crash):
    """Every fact is there once, found, and nothing that was forgotten comes back when all is read again."""

    def __init__(self, folder: Path, chance: random.Random) -> None:
        super().__init__(folder, chance)
        self._told: dict[str, list[str]] = {}

    def _note(self, line: dict[str, Any]) -> None:
        self.promised += 1
        self._told.setdefault(line["kind"], []).append(line["text"])

    async def round(self, number: int) -> None:
        await run_and_kill(
            "reading_writer", str(self.data), str(number), note=self._note,
            lines=1 + _LINES_A_FACT * self.chance.randint(3, 8), most_seconds=0.1, chance=self.chance,
        )  # fmt: skip
        maybe_gone = set(self._told.get("forgetting", ()))
        async with reading_world(self.data) as world:
            await world.store.threads.recover()
            await world.read()
            texts = Counter(await world.texts(*EVERY))
            assert max(texts.values(), default=1) == 1, "doubled"
            assert not set(texts) & set(self._told.get("forgotten", ())), "something forgotten is back"
            for word in self._told.get("said", ()):
                expected = f"{word[0].upper()}{word[1:]} is rare"
                assert texts[expected] == 1 or expected in maybe_gone, f"lost: {expected}"
            for text in texts:
                assert await world.store.passages.by_words(text, PassageKind.FACT, 5, RecallScope()), "it is not found"
            await world.read_again()
            assert Counter(await world.texts(*EVERY)) == texts, "read again something is doubled, or comes back"
            await require_sound(world.store)
        require_whole(self.data)


class DocumentsKilled(Crash):
    """The next start ends what was begun: each file once, all of its pieces indexed, and none of what went."""

    def __init__(self, folder: Path, chance: random.Random, *, what: str) -> None:
        super().__init__(folder, chance)
        self._what = what

    async def begin(self) -> None:
        files = self.folder / "files"
        files.mkdir()
        for number in range(FILES):
            (files / f"{number}.md").write_text(f"# Number {number}\n\nThe word of it is w{number}. " * 60)

    def _note(self, _line: dict[str, Any]) -> None:
        self.promised += 1

    async def round(self, number: int) -> None:
        await run_and_kill(
            "document_writer", str(self.folder), self._what,
            note=self._note, lines=1, most_seconds=1.2, chance=self.chance,
        )  # fmt: skip
        store, tasks = await open_store(DataPaths(self.data)), TaskSupervisor()
        service, reader = service_of(store, self.data, tasks)
        try:
            await service.purge()
            await service.add([self.folder / "files"], only_thread_id=None)
            service._looks_wanted = True  # pyright: ignore[reportPrivateUsage]
            await service.catch_up()
            await service.close()
            await service.catch_up()
            (summary,) = await service.summaries()
            assert summary.count(DocumentState.READY) == FILES, "a file was not read"
            pieces, indexed, documents = await store.database.read(_counts)
            assert pieces == indexed == summary.pieces, "a piece is not indexed, or one is left of what went"
            assert await store.passages.by_words("w7", PassageKind.DOCUMENT, 10, RecallScope()), "it is not found"
            assert documents == FILES, "a file is there twice"
            await require_sound(store)
        finally:
            await reader.rest()
            await service.close()
            await tasks.close()
            await store.close()
        require_whole(self.data)


def _counts(connection: sqlite3.Connection) -> tuple[int, int, int]:
    """How many pieces there are, how many of them are in the index, and of how many files they are."""
    pieces = connection.execute("SELECT count(*), count(DISTINCT document_seq) FROM document_pieces").fetchone()
    indexed = connection.execute("SELECT count(*) FROM document_recall_docsize").fetchone()
    return pieces[0], indexed[0], pieces[1]


DOCUMENTS = {f"documents-{what}": functools.partial(DocumentsKilled, what=what) for what in ("read", "remove")}
