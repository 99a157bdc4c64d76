"""One life of a thread in the real window: real SQLite, the real bundled server as a child, a real model endpoint."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLabel,
    QListView,
    QPlainTextEdit,
    QRadioButton,
    QTextEdit,
    QWidget,
)

from desktop.app.error_reporter import ErrorReporter
from desktop.app.event_loop import QtLoop
from desktop.app.options import LaunchOptions, WindowCommand
from desktop.app.window import WindowSession
from desktop.app.window_pilot import WindowPilot
from desktop.conversation.entities import Message, MessageStatus, ToolResultPart
from desktop.core.settings import EndpointSettings
from tests.support.endpoint import LoopbackEndpoint, RecordedRequest, Step, call, hold, text, thinking

COMMAND = "command__execute_command_local"
ASK = "command__ask_user"


def script(request: RecordedRequest) -> list[Step]:
    question = request.last_user_text
    if request.tool_results:
        return [text(f"结果：{request.tool_results[-1]}")]
    if "运行" in question:
        command = {"command": f"echo 哨兵-{question[-1]}", "is_need_user_check": True}
        return [thinking("需要一个命令"), text("我来运行。"), call(COMMAND, command)]
    if "选择" in question:
        return [call(ASK, {"question": "你要哪一个？", "choices": ["茶", "咖啡"]})]
    if "停" in question:
        return [text("说了一半"), hold("never")]
    return [text("你好！**粗体** 和 `代码`。\n\n| 甲 | 乙 |\n|--|--|\n| 1 | 2 |\n", piece_chars=2)]


@asynccontextmanager
async def opened(
    app: QApplication, data_dir: Path, endpoint: LoopbackEndpoint
) -> AsyncGenerator[tuple[WindowSession, WindowPilot, ErrorReporter], None]:
    reporter = ErrorReporter()
    launch = LaunchOptions(data_dir=data_dir, endpoint=EndpointSettings(base_url=endpoint.base_url, model="test-model"))
    session = WindowSession(app, WindowCommand(launch=launch, theme="light", language="en"), reporter)
    await session.open()
    try:
        yield session, WindowPilot(session), reporter
    finally:
        await session.close()
    assert reporter.count == 0


async def path(session: WindowSession) -> tuple[Message, ...]:
    thread_id = session.presenter.thread_id
    assert thread_id is not None
    return await session.container.store.threads.path(thread_id)


async def last_result(session: WindowSession) -> ToolResultPart:
    parts = (await path(session))[-1].parts
    return [part for part in parts if isinstance(part, ToolResultPart)][-1]


def shown_text(window: QWidget) -> str:
    """What the transcript shows as plain text, and what it says of its buttons to a screen reader."""
    transcript = window.findChild(QWidget, "transcript")
    assert transcript is not None
    texts = [edit.toPlainText() for edit in transcript.findChildren(QTextEdit) if edit.isVisible()]
    texts += [edit.toPlainText() for edit in transcript.findChildren(QPlainTextEdit) if edit.isVisible()]
    texts += [label.text() for label in transcript.findChildren(QLabel) if label.isVisible()]
    texts += [button.accessibleName() for button in transcript.findChildren(QAbstractButton) if button.isVisible()]
    return "\n".join(texts)


def written(window: QWidget) -> list[str]:
    """The texts of questions and answers that are on the screen, from top to bottom."""
    transcript = window.findChild(QWidget, "transcript")
    assert transcript is not None
    texts = [edit for edit in transcript.findChildren(QTextEdit) if not edit.visibleRegion().isEmpty()]
    return [edit.toPlainText() for edit in sorted(texts, key=lambda edit: edit.mapTo(window, QPoint()).y())]


def bytes_left(folder: Path, *words: str) -> list[str]:
    needles = [form for word in words for form in (word.encode(), word.encode("utf-16-le"), json.dumps(word).encode())]
    files = [file for file in folder.rglob("*") if file.is_file()]
    return [str(file) for file in files if any(needle in file.read_bytes() for needle in needles)]


@pytest.mark.timeout(300)
async def test_one_life_of_a_thread(qapp: QApplication, qloop: QtLoop, tmp_path: Path) -> None:
    data_dir = tmp_path / "数据"
    with LoopbackEndpoint(script) as endpoint:
        async with opened(qapp, data_dir, endpoint) as (session, pilot, _):
            await _talk(session, pilot)
            before, seen = await path(session), written(pilot.window)
            assert any("说了一半" in text for text in seen)
        assert endpoint.problems == []
        async with opened(qapp, data_dir, endpoint) as (session, pilot, _):
            await pilot.until(lambda: session.presenter.thread_id is not None, "the last thread is open")
            assert await path(session) == before
            await pilot.until(lambda: written(pilot.window) == seen, "the same is shown as before")
            await _delete_for_good(session, pilot)
        assert bytes_left(data_dir, "哨兵", "说了一半", "你好！") == []


async def _answer_and_check_the_time(
    session: WindowSession, pilot: WindowPilot, words: str, dialog_name: str, button: str
) -> None:
    """The time for which the dialog stood open is no time of the answer's work, and none of the call's."""
    now = asyncio.get_running_loop().time
    begun = now()
    await pilot.send(words)
    dialog = await pilot.dialog_appears(dialog_name)
    appeared = now()
    await pilot.until(pilot.find(QAbstractButton, button, dialog).isEnabled, "it can be answered")
    stood_open = now() - appeared
    await pilot.press(dialog, button)
    await pilot.answer_ends()
    work = (await path(session))[-1].duration_seconds
    assert work is not None
    assert (await last_result(session)).duration_seconds <= work <= now() - begun - stood_open


async def _talk(session: WindowSession, pilot: WindowPilot) -> None:
    await pilot.send("你好")
    await pilot.answer_ends()
    await pilot.until(lambda: "粗体" in shown_text(pilot.window), "the answer is shown")
    await _answer_and_check_the_time(session, pilot, "运行 1", "approvalDialog", "approve_once")
    assert "哨兵-1" in (await last_result(session)).text
    await pilot.until(lambda: "execute_command_local" in shown_text(pilot.window), "the card is shown")
    await pilot.send("运行 2")
    await pilot.press(await pilot.dialog_appears("approvalDialog"), "refuse")
    await pilot.answer_ends()
    assert (await last_result(session)).text == "User denied command execution."
    for button, words in (("elicit_accept", "咖啡"), ("elicit_decline", "declined"), ("elicit_cancel", "cancelled")):
        await pilot.send("让我选择")
        dialog = await pilot.dialog_appears("elicitationDialog")
        await pilot.until(
            lambda: "Waiting for your answer" in shown_text(pilot.window), "the card says whom it waits for"
        )
        if button == "elicit_accept":
            pilot.click(dialog.findChildren(QRadioButton)[1])
        await pilot.press(dialog, button)
        await pilot.answer_ends()
        assert words in (await last_result(session)).text
    await _answer_and_check_the_time(session, pilot, "让我选择", "elicitationDialog", "elicit_decline")
    await pilot.send("停")
    await pilot.until(lambda: "说了一半" in shown_text(pilot.window), "the first half is shown")
    pilot.click(pilot.find(QWidget, "sendButton"))
    await pilot.answer_ends()
    await pilot.until(lambda: _is_settled(pilot.window), "the end of the stopped answer is shown")
    assert (await path(session))[-1].status is MessageStatus.STOPPED


def _is_settled(window: QWidget) -> bool:
    """Whether the line that says how the answer ended is there, and in sight as the last thing."""
    return any(not line.visibleRegion().isEmpty() for line in window.findChildren(QWidget, "status-line"))


async def _delete_for_good(session: WindowSession, pilot: WindowPilot) -> None:
    thread_id = session.presenter.thread_id
    threads = session.container.conversations
    listed = pilot.find(QListView, "threadList")
    for undo in (True, False):
        await pilot.until(lambda: session.presenter.thread_id == thread_id, "the thread is open")
        listed.setFocus()
        await pilot.until(lambda: len(listed.selectionModel().selectedIndexes()) == 1, "its row is selected")
        QTest.keyClick(listed, Qt.Key.Key_Delete)
        await pilot.until(lambda: session.presenter.thread_id is None, "the thread is gone from the window")
        assert await threads.list_threads() == ()
        if undo:
            pilot.click(pilot.find(QWidget, "toastAction"))
    assert [thread.id for thread in await threads.list_trash()] == [thread_id]
    pilot.click(pilot.find(QWidget, "trashButton"))
    trash = pilot.find(QListView, "trashList")
    await pilot.until(lambda: trash.model().rowCount() == 1, "the Trash lists it")
    trash.setCurrentIndex(trash.model().index(0, 0))
    pilot.click(pilot.find(QWidget, "purgeButton"))
    await pilot.press(await pilot.dialog_appears("confirmDialog"), "confirm_yes")
    await pilot.until(lambda: trash.model().rowCount() == 0, "the Trash is empty")
    assert await threads.list_trash() == ()
    assert pilot.find(QPlainTextEdit, "messageEdit").toPlainText() == ""
