"""Starts and ends of the window as a process: a second start, a polite end, a folder that cannot be used."""

import signal
import sqlite3
import sys
from pathlib import Path

import pytest

from tests.support.shell_app import ShellApp
from tests.support.waiting import until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of this kind are a matter of POSIX systems")


async def test_a_second_start_raises_the_first_window_and_ends(tmp_path: Path) -> None:
    app = ShellApp(tmp_path / "data", QT_QPA_PLATFORM="offscreen")
    log = app.data_dir / "logs" / "threadwell.log"
    with app.start("--demo") as first:
        await until(lambda: log.is_file() and (app.data_dir / "threadwell.db").is_file())
        assert app.run("--demo").status == 0
        await until(lambda: "raised for a second start" in log.read_text("utf-8"))
        assert first.poll() is None
        letter = tmp_path / "我的 信.txt"
        letter.write_text("Dear neighbours", "utf-8")
        assert app.run("--thread", "new", str(letter), "--theme", "dark").status == 0
        kept = app.data_dir / "attachments"
        await until(lambda: any(file.read_bytes() == b"Dear neighbours" for file in kept.glob("*/*") if file.is_file()))
        assert app.run("threadwell:send/hello").status == 2
        busy = app.run("threads", "list")
        assert busy.status == 1
        assert str(first.pid) in busy.err
        first.send_signal(signal.SIGTERM)
        assert first.wait(30) == 0
    assert app.run("threads", "list").status == 0


async def test_two_starts_at_once_make_one_window(tmp_path: Path) -> None:
    app = ShellApp(tmp_path / "data", QT_QPA_PLATFORM="offscreen")
    lock = app.data_dir / "instance.lock"
    with app.start("--demo") as first:
        await until(lambda: lock.is_file() and str(first.pid) in lock.read_text("utf-8"), step=0.001)
        assert app.run("--demo").status == 0
        assert first.poll() is None
        await until(lambda: (app.data_dir / "threadwell.db").is_file())
        first.send_signal(signal.SIGTERM)
        assert first.wait(30) == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_at_any_moment_of_the_start_ends_in_order(tmp_path: Path, number: signal.Signals) -> None:
    app = ShellApp(tmp_path / "data", QT_QPA_PLATFORM="offscreen")
    with app.start("--demo") as process:
        await until(lambda: (app.data_dir / "threadwell.db").is_file())
        process.send_signal(number)
        assert process.wait(30) == 0


def test_a_newer_database_is_refused_and_left_untouched(tmp_path: Path) -> None:
    app = ShellApp(tmp_path / "data", tools=False, QT_QPA_PLATFORM="offscreen")
    assert app.run("ask", "hi", "--demo").status == 0
    database = app.data_dir / "threadwell.db"

    with sqlite3.connect(database) as connection:
        connection.execute("PRAGMA user_version = 999")
    connection.close()
    before = database.read_bytes()
    for arguments in (["--demo"], ["ask", "hi", "--demo"], ["threads", "list"]):
        done = app.run(*arguments)
        assert done.status == 1
        assert "newer" in done.err
    assert database.read_bytes() == before


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", "utf-8")
    app = ShellApp(tmp_path / "file" / "data", QT_QPA_PLATFORM="offscreen")
    for arguments in (["--demo"], ["ask", "hi", "--demo"], ["threads", "list"]):
        done = app.run(*arguments)
        assert done.status == 1
        assert "cannot be written" in done.err
