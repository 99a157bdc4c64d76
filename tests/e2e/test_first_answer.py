"""From nothing to a first answer, in the real window on the real core, with servers on the loopback."""

import dataclasses
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPushButton, QScrollArea, QWidget

from desktop.agent.events import DoneEvent
from desktop.app.error_reporter import ErrorReporter
from desktop.app.event_loop import QtLoop
from desktop.app.options import LaunchOptions, WindowCommand
from desktop.app.start import FirstWindow
from desktop.app.window import WindowSession
from desktop.app.window_pilot import WindowPilot
from desktop.core.settings import KeyPlace
from tests.support.local_server import LocalServer, Reply, chat_stream, model_list, ollama, running

KEY = "sk-abcdefghij0123456789ABCDEF"


@asynccontextmanager
async def opened(app: QApplication, folder: Path) -> AsyncGenerator[tuple[WindowSession, WindowPilot], None]:
    reporter = ErrorReporter()
    command = WindowCommand(launch=LaunchOptions(data_dir=folder), theme="light", language="en")
    first = FirstWindow(app, command)
    assert not first.window.composer.isVisibleTo(first.window), "there is nobody to write to yet"
    session = WindowSession(app, command, reporter, first=first)
    await session.open()
    try:
        yield session, WindowPilot(session)
    finally:
        await session.close()
    assert reporter.count == 0


def click(pilot: WindowPilot, name: str, parent: QWidget | None = None) -> None:
    button = pilot.find(QPushButton, name, parent)
    pilot.find(QScrollArea, "firstStartPage").ensureWidgetVisible(button)
    pilot.click(button)


async def unfold_custom(pilot: WindowPilot) -> QWidget:
    """Open the form for another address, and wait until everything in it has its place."""
    click(pilot, "customEndpoint")
    form = pilot.find(QWidget, "endpointForm-custom")
    last = pilot.find(QPushButton, "submitEndpoint", form)
    await pilot.until(lambda: last.y() > 0 and last.geometry().bottom() < form.height(), "the form is open")
    return form


def files_with(folder: Path, text: str) -> list[Path]:
    return [file for file in folder.rglob("*") if file.is_file() and text.encode() in file.read_bytes()]


async def answer_to(session: WindowSession, pilot: WindowPilot, question: str) -> str:
    await pilot.send(question)
    assert isinstance(await pilot.answer_ends(), DoneEvent)
    thread_id = session.presenter.thread_id
    assert thread_id is not None
    return (await session.container.store.threads.path(thread_id))[-1].text


async def test_a_server_on_this_computer_answers_after_one_click(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = ollama("qwen3:8b")
    server = dataclasses.replace(
        server, routes={**server.routes, "/v1/chat/completions": chat_stream("Hello from ", "this computer.")}
    )
    async with running(server):
        monkeypatch.setenv("OLLAMA_HOST", f"127.0.0.1:{server.port}")
        async with opened(qapp, tmp_path) as (session, pilot):
            card = f"127.0.0.1:{server.port} · qwen3:8b"
            cards = lambda: [w for w in pilot.window.findChildren(QLabel) if w.text() == card and w.isVisible()]  # noqa: E731
            await pilot.until(lambda: bool(cards()), "the server is found")
            parent = cards()[0].parentWidget()
            assert parent is not None
            click(pilot, "useServer", parent)
            await pilot.until(pilot.find(QWidget, "messageEdit").isVisible, "the chat is there")
            assert await answer_to(session, pilot, "Who are you?") == "Hello from this computer."
            assert session.container.settings.settings.endpoint.model == "qwen3:8b"
            assert pilot.find(QPushButton, "modelButton").accessibleName() == "Model: qwen3:8b · Ollama"
    chats = [body for body in server.bodies if body["messages"][-1]["content"] == "Who are you?"]
    assert [body["model"] for body in chats] == ["qwen3:8b"]
    assert all("authorization" not in request.lower() for request in server.requests)


async def test_an_address_and_a_key_pasted_in_one_line_lead_to_an_answer(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:9")
    routes = {"/v1/models": model_list("cloud-1"), "/v1/chat/completions": chat_stream("Hello from the cloud.")}
    server = LocalServer(routes, everything=Reply(body={"error": "no such path"}, status=404))
    async with running(server), opened(qapp, tmp_path) as (session, pilot):
        form = await unfold_custom(pilot)
        QGuiApplication.clipboard().setText(f"http://127.0.0.1:{server.port} {KEY}")
        address = pilot.find(QLineEdit, "endpointAddress", form)
        address.setFocus()
        QTest.keyClick(address, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
        click(pilot, "submitEndpoint", form)
        await pilot.until(pilot.find(QWidget, "messageEdit").isVisible, "the endpoint answered and the chat is there")
        endpoint = session.container.settings.settings.endpoint
        assert (endpoint.base_url, endpoint.model) == (f"http://127.0.0.1:{server.port}/v1", "cloud-1")
        assert await answer_to(session, pilot, "Who are you?") == "Hello from the cloud."
        assert endpoint.key_place is KeyPlace.SESSION, "this test has no keychain"
    chats = [r for r in server.requests if r.startswith("POST /v1/chat/completions")]
    assert chats
    assert all(f"authorization: bearer {KEY}".lower() in request.lower() for request in chats)
    assert files_with(tmp_path, KEY) == [], "the key is nowhere on the disk"


async def test_a_wrong_key_is_said_before_the_first_message(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:9")
    refusal = Reply(body={"error": {"message": "Incorrect API key provided"}}, status=401)
    server = LocalServer({"/v1/models": refusal, "/v1/chat/completions": refusal}, everything=refusal)
    async with running(server), opened(qapp, tmp_path) as (session, pilot):
        form = await unfold_custom(pilot)
        pilot.find(QLineEdit, "endpointAddress", form).setFocus()
        QTest.keyClicks(pilot.find(QLineEdit, "endpointAddress", form), f"http://127.0.0.1:{server.port}/v1")
        QTest.keyClicks(pilot.find(QLineEdit, "endpointKey", form), KEY)
        click(pilot, "submitEndpoint", form)
        title = pilot.find(QLabel, "checkTitle", form)
        await pilot.until(lambda: title.text() == "The key was refused", "the refusal is said")
        assert not session.container.settings.settings.welcomed
