"""Two assistants in the real window: one asks the other, which asks the user; stopped, begun anew, deleted, read again."""

import dataclasses
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QMenu, QPlainTextEdit, QWidget

from desktop.app.error_reporter import ErrorReporter
from desktop.app.event_loop import QtLoop
from desktop.app.options import LaunchOptions, WindowCommand
from desktop.app.window import WindowSession
from desktop.app.window_pilot import WindowPilot
from desktop.conversation.assistants.entities import Assistant
from desktop.conversation.entities import Message, MessageStatus, ResultStatus, TextPart, ToolResultPart
from desktop.conversation.inner_run import InnerRunPart
from desktop.core.settings import EndpointSettings, SettingsStore
from tests.support.endpoint import LoopbackEndpoint, RecordedRequest, Step, call, hold, text

ASK, COMMAND = "assistants__ask_assistant", "command__execute_command_local"


def script(request: RecordedRequest) -> list[Step]:
    words = request.last_user_text.split("\n")[-1]
    if request.body["model"] == "helper-model":
        if "slowly" in words:
            return [text("I begin. "), hold("never")]
        if request.tool_results:
            return [text(f"It printed {request.tool_results[-1]}")]
        return [text("I run it. "), call(COMMAND, {"command": "echo lantern-7", "is_need_user_check": True})]
    if request.tool_results:
        return [text(f"The helper says: {request.tool_results[-1][:60]}")]
    if "ask" in words:
        return [call(ASK, {"assistant": "Helper", "task": f"Do this {words.removeprefix('ask ')}"})]
    return [text("Just so.")]


@asynccontextmanager
async def opened(
    app: QApplication, data_dir: Path, endpoint: LoopbackEndpoint
) -> AsyncGenerator[tuple[WindowSession, WindowPilot], None]:
    settings = SettingsStore(data_dir / "settings.json")
    models = ("chief-model", "helper-model")
    home = EndpointSettings(id="home", base_url=endpoint.base_url, model=models[0], models=models)
    agent = dataclasses.replace(settings.settings.agent, name_chats=False)
    settings.update(
        dataclasses.replace(settings.settings, endpoints=(home,), endpoint_id="home", welcomed=True, agent=agent)
    )
    reporter = ErrorReporter()
    command = WindowCommand(launch=LaunchOptions(data_dir=data_dir), theme="light", language="en")
    session = WindowSession(app, command, reporter, arming_delay_ms=1)
    await session.open()
    try:
        yield session, WindowPilot(session)
    finally:
        await session.close()
    assert reporter.count == 0


async def answer(session: WindowSession) -> Message:
    assert session.presenter.thread_id is not None
    return (await session.container.store.threads.path(session.presenter.thread_id))[-1]


async def inner(session: WindowSession) -> InnerRunPart:
    (part,) = [part for part in (await answer(session)).parts if isinstance(part, InnerRunPart)]
    return part


def card(window: QWidget) -> QAbstractButton:
    headers = [one for one in window.findChildren(QAbstractButton, "tool-card-header") if one.isVisible()]
    return headers[-1]


def shown(window: QWidget) -> str:
    return "\n".join(edit.toPlainText() for edit in window.findChildren(QPlainTextEdit) if edit.isVisible())


def choose(window: QWidget, pilot: WindowPilot, name: str) -> None:
    """Choose an assistant by the list below the message."""
    pilot.find(QAbstractButton, "assistantButton").click()
    menu = pilot.find(QMenu, "assistantMenu")
    next(action for action in menu.actions() if action.text() == name).trigger()
    menu.hide()


@pytest.mark.timeout(180)
async def test_one_asks_the_other_which_asks_the_user(qapp: QApplication, qloop: QtLoop, tmp_path: Path) -> None:
    with LoopbackEndpoint(script) as endpoint:
        async with opened(qapp, tmp_path, endpoint) as (session, pilot):
            library = session.container.assistants
            helper = await library.add(
                Assistant(
                    id="",
                    name="Helper",
                    instructions="You help.",
                    endpoint_id="home",
                    model="helper-model",
                    tools=("command/execute_command_local",),
                )
            )
            assert helper is not None
            chief = await library.add(
                Assistant(id="", name="Chief", instructions="You lead.", tools=(), helpers=(helper.id,))
            )
            assert chief is not None
            choose(pilot.window, pilot, "Chief")
            await pilot.send("ask the lamp")
            dialog = await pilot.dialog_appears("approvalDialog")
            assert "Helper · helper-model" in [label.text() for label in dialog.findChildren(QLabel)]
            await pilot.until(
                lambda: "Waiting for your approval" in card(pilot.window).accessibleName(), "that the card waits"
            )
            await pilot.press(dialog, "approve_once")
            await pilot.answer_ends()
            run = await inner(session)
            assert [part.status for part in run.parts if isinstance(part, ToolResultPart)] == [ResultStatus.OK]
            assert (run.assistant, run.model) == ("Helper", "helper-model")
            assert "lantern-7" in (await answer(session)).text
            card(pilot.window).click()
            await pilot.until(lambda: "I run it." in shown(pilot.window), "the steps of the helper")
            seen = shown(pilot.window)
            assert "Do this the lamp" in seen
            assert "echo lantern-7" in seen
            requests = [one for one in endpoint.chats if one.body["model"] == "helper-model"]
            assert requests[0].messages[0] == {"role": "system", "content": "You help."}
            assert [tool["function"]["name"] for tool in requests[0].body["tools"]] == [COMMAND]
            own = next(one for one in endpoint.chats if one.body["model"] == "chief-model")
            assert [tool["function"]["name"] for tool in own.body["tools"]] == [ASK]
            await _stop_in_the_middle(session, pilot, endpoint)
            await _delete(session, pilot, chief, endpoint)
        assert endpoint.problems == []
        async with opened(qapp, tmp_path, endpoint) as (session, pilot):
            await pilot.until(lambda: session.presenter.thread_id is not None, "the chat is open again")
            button = pilot.find(QAbstractButton, "assistantButton")
            await pilot.until(lambda: "Chief (deleted)" in button.accessibleName(), "that its assistant is gone")


async def _stop_in_the_middle(session: WindowSession, pilot: WindowPilot, endpoint: LoopbackEndpoint) -> None:
    await pilot.send("ask it slowly")
    await pilot.until(lambda: any("never" in one.held for one in endpoint.chats), "half of what the helper says")
    card(pilot.window).click()
    await pilot.until(lambda: "I begin." in shown(pilot.window), "that it is shown")
    pilot.click(pilot.find(QWidget, "sendButton"))
    await pilot.answer_ends()
    stopped = await answer(session)
    assert stopped.status is MessageStatus.STOPPED
    assert [part.status for part in stopped.parts if isinstance(part, ToolResultPart)] == [ResultStatus.INTERRUPTED]
    (run,) = [part for part in stopped.parts if isinstance(part, InnerRunPart)]
    assert [part.text for part in run.parts if isinstance(part, TextPart)] == ["I begin. "]
    slow = next(one for one in endpoint.chats if "never" in one.held)
    await pilot.until(lambda: slow.is_disconnected, "the connection of the helper's model closes")


async def _delete(session: WindowSession, pilot: WindowPilot, chief: Assistant, endpoint: LoopbackEndpoint) -> None:
    library = session.container.assistants
    await library.remove([chief.id])
    button = pilot.find(QAbstractButton, "assistantButton")
    await pilot.until(lambda: "Chief (deleted)" in button.accessibleName(), "that the assistant is gone")
    await pilot.send("hello")
    await pilot.answer_ends()
    assert (await answer(session)).text == "Just so."
    assert endpoint.chats[-1].messages[0]["content"].startswith("You lead.")
