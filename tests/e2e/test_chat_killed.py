"""``kill -9`` while messages wait in a queue and are sent, while single ones are removed, and of the window itself."""

import dataclasses
import random
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from desktop.conversation.entities import TextPart, ToolResultPart
from desktop.core.backups import BACKUP_SUFFIX
from desktop.core.paths import DataPaths
from desktop.storage.backup.job import Job
from desktop.storage.backup.reading import unpack
from tests.support.killing import run_and_kill
from tests.support.library_app import LibraryApp, library_app
from tests.support.sentinels import Sentinels
from tests.support.shell_app import BUNDLED_SERVER

pytestmark = [
    pytest.mark.allowed_log(r"WARNING desktop\.(storage|memory|app|conversation)\."),
    pytest.mark.skipif(sys.platform == "win32", reason="kill -9 as on POSIX"),
    pytest.mark.timeout(900),
]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "kills" in metafunc.fixturenames:
        metafunc.parametrize("kills", [20 if metafunc.config.getoption("long") else 1])


class Promises:
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


async def require_sound(app: LibraryApp, folder: Path) -> None:
    assert app.store.notices == ()
    report = await app.backups.check(lambda _progress: None)
    assert report.is_sound, report
    with closing(sqlite3.connect(DataPaths(folder).database)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


async def texts(app: LibraryApp) -> list[list[str]]:
    """Return what is said and was returned on the path of each chat, in order."""
    found: list[list[str]] = []
    for thread_id in sorted(await app.chats()):
        path = await app.store.threads.path(thread_id)
        said = (part for message in path for part in message.parts)
        found.append([part.text for part in said if isinstance(part, TextPart | ToolResultPart)])
    return found


async def test_what_waits_is_sent_once_and_in_order_whenever_it_is_killed(tmp_path: Path, kills: int) -> None:
    folder, promises, chance = tmp_path / "data", Promises(), random.Random("queue")
    for number in range(kills):
        await run_and_kill(
            "chat_writer", str(folder), "queue", str(number + 1),
            note=promises.note, lines=2 + chance.randint(0, 20), most_seconds=0.3, chance=chance,
        )  # fmt: skip
        async with library_app(folder) as app:
            await require_sound(app, folder)
            (thread_id,) = await app.chats()
            path = await app.store.threads.path(thread_id)
            said = [message.text for message in path if message.role == "user"]
            await app.store.queue.forget_removed()  # as the first look at a queue does
            waiting = [message.text for message in await app.store.queue.of_thread(thread_id)]
            assert said + waiting == sorted(set(said + waiting)), "sent twice, or in another order"
        promises.require(set(said + waiting), folder)


async def test_what_is_removed_leaves_no_byte_and_takes_nothing_along_whenever_it_is_killed(
    tmp_path: Path, kills: int
) -> None:
    folder, promises, chance = tmp_path / "data", Promises(), random.Random("remove")
    for number in range(kills):
        await run_and_kill(
            "chat_writer", str(folder), "remove", str(number + 1),
            note=promises.note, lines=7 + chance.randint(0, 30), most_seconds=0.3, chance=chance,
        )  # fmt: skip
        async with library_app(folder) as app:
            await require_sound(app, folder)
            found = {text for chat in await texts(app) for text in chat}
        promises.require(found & (promises.there | promises.gone | promises.hidden), folder)


async def all_questions(app: LibraryApp) -> list[str]:
    """Return what the user said in all chats, also in those in the Trash, and what waits to be sent."""
    found: list[str] = []
    trash = await app.store.threads.list_threads(limit=1_000, deleted=True)
    for thread_id in [*await app.chats(), *(thread.id for thread in trash)]:
        found += [message.text for message in await app.store.threads.path(thread_id) if message.role == "user"]
        found += [message.text for message in await app.store.queue.of_thread(thread_id)]
    return found


async def test_the_window_opens_with_all_that_was_promised_whenever_it_is_killed(tmp_path: Path, kills: int) -> None:
    folder, promises, chance = tmp_path / "data", Promises(), random.Random("window")
    async with library_app(folder) as app:  # where backups go, and no server that needs not be
        settings = app.settings.settings
        app.settings.update(dataclasses.replace(settings, welcomed=True, bundled_servers_off=(BUNDLED_SERVER,)))
    for number in range(kills):
        lines = 1 + chance.randint(1, 16)
        await run_and_kill(
            "window_writer", str(folder), str(number + 1),
            note=promises.note, lines=lines, most_seconds=0.6, chance=chance,
        )  # fmt: skip
        async with library_app(folder) as app:
            await require_sound(app, folder)
            found = await all_questions(app)
            assert len(set(found)) == len(found), "sent twice"
        promises.require(set(found), folder)
        for path in (tmp_path / "backups").glob(f"*{BACKUP_SUFFIX}"):
            with tempfile.TemporaryDirectory() as unpacked:
                unpack(path, path.name, Path(unpacked), Job())
    assert promises.starts == [False, *[True] * (kills - 1)], "it knows that it was killed"
