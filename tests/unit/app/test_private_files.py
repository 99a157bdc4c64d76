"""Whatever the program writes is the user's alone, also where new files are open to everybody by default."""

import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.app.interchange_parts import make_interchange
from desktop.app.log_setup import close_logging, set_up_logging
from desktop.conversation.interchange.exporting import JsonFormat
from desktop.core.paths import DataPaths
from tests.support.library_app import library_app
from tests.support.memory_app import loopback, memory_app, write_settings

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="rights of this kind are a matter of POSIX systems")


@pytest.fixture(autouse=True)
def careless_session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Files are made for everybody, unless who makes them says otherwise; temporary ones lie in the test's folder."""
    temporary = tmp_path / "temporary"
    temporary.mkdir(mode=0o700)
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr(tempfile, "tempdir", None)
    before = os.umask(0)
    yield
    os.umask(before)


def open_to_others(folder: Path) -> list[str]:
    """What in the folder others could read, write or look into, were it not for the folders above."""
    return [
        f"{stat.S_IMODE(path.lstat().st_mode):o} {path.relative_to(folder)}"
        for path in [folder, *folder.rglob("*")]
        if not path.is_symlink() and path.lstat().st_mode & 0o077
    ]


@pytest.mark.allowed_log(r"WARNING desktop\.")
async def test_all_that_a_session_writes_is_for_the_user_alone(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    async with loopback() as endpoint:
        (tmp_path / "note.md").write_text("# A note\n\nThe boat is green.")
        folder.mkdir(mode=0o700)
        write_settings(folder, endpoint.base_url)
        log = set_up_logging(DataPaths(folder))
        try:
            async with memory_app(folder) as app:
                await app.say(None, "Bring words. Remember that I like boats")
                await app.say(None, "I collect stamps 木木木木木木")
                await app.documents.add([tmp_path / "note.md"], only_thread_id=None)
                await app.settled()
        finally:
            close_logging(log)
    assert (folder / "logs" / "threadwell.log").stat().st_size
    assert list((folder / "vectors").rglob("*.sqlite3"))
    assert open_to_others(folder) == []
    assert open_to_others(tmp_path / "temporary") == []


async def test_backups_exports_and_what_is_restored_are_for_the_user_alone(tmp_path: Path) -> None:
    async with library_app(tmp_path / "data") as app:
        await app.chat("a question")
        done = await app.backups.back_up(lambda _progress: None)
        await app.backups.look_at(done.name, lambda _progress: None)
        await app.backups.replace(lambda _progress: None)
        (tmp_path / "exports").mkdir(mode=0o700)
        export = make_interchange(app.store, app.conversations).export
        await export.write(sorted(await app.chats()), JsonFormat(), tmp_path / "exports" / "chat.json")
    async with library_app(tmp_path / "data") as app:
        await app.backups.keep_replaced()
        assert len(await app.chats()) == 1
    for name in ("data", "backups", "exports", "temporary"):
        assert open_to_others(tmp_path / name) == [], name


def test_a_log_that_others_could_read_is_closed_to_them(tmp_path: Path) -> None:
    file = DataPaths(tmp_path).logs / "threadwell.log"
    file.parent.mkdir()
    file.write_text("of an older version")
    file.chmod(0o644)
    close_logging(set_up_logging(DataPaths(tmp_path)))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
