"""Killed while messages wait in a queue and are sent, while single ones are removed, and of the window itself."""

import dataclasses
import random
import tempfile
from pathlib import Path
from typing import Any

from desktop.conversation.entities import TextPart, ToolResultPart
from desktop.core.backups import BACKUP_SUFFIX
from desktop.storage.backup.job import Job
from desktop.storage.backup.reading import unpack
from tests.support.crash.rounds import Crash
from tests.support.crash.soundness import require_sound, require_whole
from tests.support.killing import run_and_kill
from tests.support.library_app import LibraryApp, library_app
from tests.support.sentinels import Sentinels
from tests.support.shell_app import BUNDLED_SERVER


class TextPromises:
    """What the killed program said of texts; a text ends with a word that occurs nowhere else."""

    def __init__(self) -> None:
        self.there: set[str] = set()
        self.asked: set[str] = set()
        self.hidden: set[str] = set()
        self.gone: set[str] = set()
        self.starts: list[bool] = []
        """For each start whether it was told that the one before was killed."""

    def note(self, line: dict[str, Any]) -> None:
        text = line.get("text", "")
        match line["kind"]:
            case "message":
                self.there.add(text)
                self.asked.discard(text)
            case "asked":
                self.asked.add(text)
            case "hidden":
                self.hidden.add(text)
            case "gone":
                self.gone.add(text)
            case "ready":
                self.starts.append(line.get("after_crash", False))

    def require(self, found: set[str], folder: Path) -> None:
        """What was promised is there, what was deleted is not, and of what is not there no byte is left."""
        assert self.there - self.asked <= found, "something acknowledged is lost"
        assert not found & (self.gone | self.hidden), "something deleted is back"
        words = Sentinels(0)
        words.words = [text.split()[-1] for text in (self.asked | self.hidden | self.gone) - found]
        assert words.left_in(folder) == set()
        self.gone |= self.asked - found
        self.there = set(found)
        self.asked -= found


async def require_library(app: LibraryApp, folder: Path) -> None:
    """The library is sound, also as its own check sees it."""
    await require_sound(app.store)
    report = await app.backups.check(lambda _progress: None)
    assert report.is_sound, report
    require_whole(folder)


async def texts(app: LibraryApp) -> list[list[str]]:
    """Return what is said and was returned on the path of each chat, in order."""
    found: list[list[str]] = []
    for thread_id in sorted(await app.chats()):
        path = await app.store.threads.path(thread_id)
        said = (part for message in path for part in message.parts)
        found.append([part.text for part in said if isinstance(part, TextPart | ToolResultPart)])
    return found


async def all_questions(app: LibraryApp) -> list[str]:
    """Return what the user said in all chats, also in those in the Trash, and what waits to be sent."""
    found: list[str] = []
    trash = await app.store.threads.list_threads(limit=1_000, deleted=True)
    for thread_id in [*await app.chats(), *(thread.id for thread in trash)]:
        found += [message.text for message in await app.store.threads.path(thread_id) if message.role == "user"]
        found += [message.text for message in await app.store.queue.of_thread(thread_id)]
    return found


class _Killed(Crash):
    def __init__(self, folder: Path, chance: random.Random) -> None:
        super().__init__(folder, chance)
        self.promises = TextPromises()

    def note(self, line: dict[str, Any]) -> None:
        self.promised += 1
        self.promises.note(line)


class QueueKilled(_Killed):
    """What waits is sent once and in order."""

    async def round(self, number: int) -> None:
        await run_and_kill(
            "chat_writer", str(self.data), "queue", str(number + 1),
            note=self.note, lines=2 + self.chance.randint(0, 20), most_seconds=0.3, chance=self.chance,
        )  # fmt: skip
        async with library_app(self.data) as app:
            await require_library(app, self.data)
            (thread_id,) = await app.chats()
            path = await app.store.threads.path(thread_id)
            said = [message.text for message in path if message.role == "user"]
            await app.store.queue.forget_removed()  # as the first look at a queue does
            waiting = [message.text for message in await app.store.queue.of_thread(thread_id)]
            assert said + waiting == sorted(set(said + waiting)), "sent twice, or in another order"
        self.promises.require(set(said + waiting), self.data)


class RemovalKilled(_Killed):
    """A message that is removed leaves no byte and takes nothing along."""

    async def round(self, number: int) -> None:
        await run_and_kill(
            "chat_writer", str(self.data), "remove", str(number + 1),
            note=self.note, lines=7 + self.chance.randint(0, 30), most_seconds=0.3, chance=self.chance,
        )  # fmt: skip
        async with library_app(self.data) as app:
            await require_library(app, self.data)
            found = {text for chat in await texts(app) for text in chat}
        known = self.promises.there | self.promises.gone | self.promises.hidden
        self.promises.require(found & known, self.data)


class WindowKilled(_Killed):
    """The window, with somebody who uses it, opens with all that was promised and knows that it was killed."""

    async def begin(self) -> None:
        async with library_app(self.data) as app:  # where backups go, and no server that needs not be
            settings = app.settings.settings
            app.settings.update(dataclasses.replace(settings, welcomed=True, bundled_servers_off=(BUNDLED_SERVER,)))

    async def round(self, number: int) -> None:
        await run_and_kill(
            "window_writer", str(self.data), str(number + 1), note=self.note, lines=1 + self.chance.randint(1, 16),
            most_seconds=0.6, chance=self.chance, environment={"QT_QPA_PLATFORM": "offscreen"},
        )  # fmt: skip
        async with library_app(self.data) as app:
            await require_library(app, self.data)
            found = await all_questions(app)
            assert len(set(found)) == len(found), "sent twice"
        self.promises.require(set(found), self.data)
        for path in (self.folder / "backups").glob(f"*{BACKUP_SUFFIX}"):
            with tempfile.TemporaryDirectory() as unpacked:
                unpack(path, path.name, Path(unpacked), Job())
        starts = self.promises.starts
        assert starts == [False, *[True] * (len(starts) - 1)], "it does not know that it was killed"
