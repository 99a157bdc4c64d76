"""A temporary chat in the real app leaves nothing: not after it was closed, and not after the program was killed in it."""

import asyncio
import json
import os
import signal
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QPushButton, QToolButton

from desktop.app.error_reporter import ErrorReporter
from desktop.app.event_loop import QtLoop
from desktop.app.options import LaunchOptions, WindowCommand
from desktop.app.window import WindowSession
from desktop.core.settings import EndpointSettings
from tests.support.endpoint import LoopbackEndpoint, text
from tests.support.waiting import until

_ROOT = Path(__file__).parents[2]
PATIENCE = 60.0
WORD = "quincunxsentinel"


def files_with(folder: Path, word: str) -> list[str]:
    forms = [word.encode(), word[-9:].encode(), word.encode("utf-16-le"), json.dumps(word).encode()]
    files = [file for file in folder.rglob("*") if file.is_file()]
    return [file.name for file in files if any(form in file.read_bytes() for form in forms)]


def session_on(app: QApplication, folder: Path, base_url: str) -> WindowSession:
    launch = LaunchOptions(data_dir=folder, endpoint=EndpointSettings(base_url=base_url, model="m"))
    return WindowSession(app, WindowCommand(launch=launch, theme="light", language="en"), ErrorReporter())


def without_tools(folder: Path) -> Path:
    """A data folder whose window starts no server, which nothing here needs."""
    folder.mkdir()
    settings = {"schema_version": 2, "bundled_servers_off": ["command"]}
    (folder / "settings.json").write_text(json.dumps(settings), "utf-8")
    return folder


async def write(session: WindowSession, words: str) -> None:
    window = session.presenter.window
    button = window.findChild(QPushButton, "sendButton")
    assert button is not None
    window.composer.edit.insertPlainText(words)
    button.click()
    await until(lambda: window.composer.text == "" and session.presenter.thread_id is not None, PATIENCE)
    await until(lambda: not session.container.chat.runs_of(session.presenter.thread_id or ""), PATIENCE)


async def begin(session: WindowSession) -> None:
    before = session.presenter.thread_id
    button = session.presenter.window.findChild(QToolButton, "temporaryChatButton")
    assert button is not None
    button.click()
    presenter = session.presenter
    await until(lambda: presenter.thread_id not in (None, before) and presenter.transcript.is_loaded, PATIENCE)


@pytest.mark.timeout(120)
async def test_closing_the_app_ends_a_temporary_chat_and_the_next_start_opens_another(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path
) -> None:
    folder = without_tools(tmp_path / "data")
    with LoopbackEndpoint(lambda _request: [text("an answer")]) as endpoint:
        session = session_on(qapp, folder, endpoint.base_url)
        await session.open()
        try:
            await write(session, "My kitten is called Pumpernickel")
            usual = session.presenter.thread_id
            await begin(session)
            await write(session, f"What is my kitten called? {WORD}")
            asked = [request for request in endpoint.requests if WORD in request.last_user_text]
            assert len(asked) == 1, "no title, no fact and no summary is asked for"
            assert "Pumpernickel" not in str(asked[0].messages)
        finally:
            await session.close()
    left = files_with(folder, WORD)
    with LoopbackEndpoint(lambda _request: [text("fine")]) as endpoint:
        session = session_on(qapp, folder, endpoint.base_url)
        await session.open()
        try:
            assert session.presenter.thread_id == usual
            assert len(await session.container.conversations.list_threads()) == 1
        finally:
            await session.close()
    assert left == []


@pytest.mark.timeout(180)
async def test_a_program_that_is_killed_in_a_temporary_chat_leaves_nothing_after_the_next_start(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path
) -> None:
    folder = without_tools(tmp_path / "data")
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.support.temporary_window",
        str(folder),
        WORD,
        cwd=_ROOT,
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        start_new_session=True,
    )
    assert process.stdout is not None
    try:
        assert await asyncio.wait_for(process.stdout.readline(), 90) == b"ready\n"
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        await process.communicate()
    assert files_with(folder, WORD)
    with LoopbackEndpoint(lambda _request: [text("fine")]) as endpoint:
        session = session_on(qapp, folder, endpoint.base_url)
        await session.open()
        try:
            assert files_with(folder, WORD) == []
            assert session.presenter.thread_id is None
            assert await session.container.conversations.list_threads() == ()
        finally:
            await session.close()
    assert files_with(folder, WORD) == []
