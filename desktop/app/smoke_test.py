"""``--smoke-test``: the real window, the demo model and the bundled server do one of everything, then close."""

import json
import os
import shutil
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QPlainTextEdit, QPushButton, QRadioButton, QScrollArea

from desktop.app.error_reporter import ErrorReporter
from desktop.app.event_loop import close_loop, make_loop
from desktop.app.instance_lock import InstanceLock
from desktop.app.log_setup import close_logging, set_up_logging
from desktop.app.options import LaunchOptions, SmokeTestCommand, WindowCommand
from desktop.app.start import make_application
from desktop.app.window import WindowSession
from desktop.app.window_pilot import PilotError, WindowPilot
from desktop.conversation.entities import Message, TextPart, ToolResultPart
from desktop.core.errors import ThreadwellError
from desktop.core.paths import DataPaths
from desktop.core.settings import EndpointSettings

_FORMS = {"elicit_accept": "accepted_form", "elicit_decline": "declined_form", "elicit_cancel": "cancelled_form"}


@dataclass
class _Seen:
    """What goes into the JSON line."""

    ok: bool = False
    error: str = ""
    seen: dict[str, Any] = field(default_factory=dict[str, Any])
    seconds: dict[str, float] = field(default_factory=dict[str, float])


def run_smoke_test(command: SmokeTestCommand) -> int:
    """Run it and print one JSON line with what was seen and the times; 0 when everything was as it should be."""
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    data_dir = command.data_dir or Path(tempfile.mkdtemp(prefix="threadwell-smoke-"))
    seen = _Seen()
    started = time.monotonic()
    try:
        _run(command, data_dir, seen)
        seen.ok = True
    except (PilotError, ThreadwellError, OSError, TimeoutError, AssertionError) as error:
        seen.error = f"{type(error).__name__}: {error}"
    finally:
        if command.data_dir is None:
            shutil.rmtree(data_dir, ignore_errors=True)
    seen.seconds["all"] = round(time.monotonic() - started, 3)
    sys.stdout.write(json.dumps(seen.__dict__, ensure_ascii=False) + "\n")
    return 0 if seen.ok else 1


def _run(command: SmokeTestCommand, data_dir: Path, seen: _Seen) -> None:
    app = make_application()
    reporter = ErrorReporter()
    paths = DataPaths(data_dir)
    with InstanceLock.acquire(paths.lock, "Threadwell smoke test"):
        log = set_up_logging(paths)
        loop = make_loop(app)
        loop.set_exception_handler(reporter.handle_loop_error)
        window = WindowCommand(
            launch=LaunchOptions(data_dir=data_dir, endpoint=_given_endpoint(paths), thread="new"),
            theme=command.theme,
            language=command.language,
        )
        session = WindowSession(app, window, reporter)
        try:
            loop.run_until_complete(_drive(session, command, seen))
        finally:
            stuck = close_loop(loop)
            close_logging(log)
    if stuck:
        raise PilotError(f"tasks that did not end: {', '.join(stuck)}")
    if reporter.count:
        raise PilotError(f"{reporter.count} uncaught errors; see {paths.logs}")


def _given_endpoint(paths: DataPaths) -> EndpointSettings | None:
    """In a new data folder the demo model is chosen on the page of the first start; in a used one it is given."""
    return EndpointSettings() if paths.settings.exists() else None


async def _drive(session: WindowSession, command: SmokeTestCommand, seen: _Seen) -> None:
    started = time.monotonic()
    await session.open()
    try:
        pilot = WindowPilot(session)
        await pilot.until(pilot.window.isVisible, "the window is visible")
        seen.seconds["window"] = round(time.monotonic() - started, 3)
        await _Tour(session, pilot, command.pictures, seen).run()
    finally:
        closing = time.monotonic()
        await session.close()
        seen.seconds["close"] = round(time.monotonic() - closing, 3)


class _Tour:
    def __init__(self, session: WindowSession, pilot: WindowPilot, pictures: Path | None, seen: _Seen) -> None:
        self._session = session
        self._pilot = pilot
        self._pictures = pictures
        self._seen = seen

    async def run(self) -> None:
        pilot = self._pilot
        if self._pictures is not None:
            pilot.window.resize(1240, 860)  # an offscreen screen is smaller than any real one
        await self._first_start()
        pilot.picture(self._pictures, "1-empty")
        await self._question()
        await self._command("echo approved", "approve_once", "2-approval")
        await self._command("echo refused", "refuse", "3-approval-refused")
        await self._form("elicit_accept", "4-form")
        await self._form("elicit_decline", "")
        await self._form("elicit_cancel", "")
        pilot.picture(self._pictures, "5-transcript")

    async def _first_start(self) -> None:
        """Choose the demo model, as somebody would who has nothing else."""
        if not self._session.presenter.models.is_first_start:
            return
        pilot, begun = self._pilot, time.monotonic()
        look_again = pilot.find(QPushButton, "lookAgain")
        await pilot.until(look_again.isEnabled, "the search for model servers has ended")
        pilot.picture(self._pictures, "0-first-start")
        button = pilot.find(QPushButton, "useDemo")
        pilot.find(QScrollArea, "firstStartPage").ensureWidgetVisible(button)
        pilot.click(button)
        await pilot.until(pilot.find(QPlainTextEdit, "messageEdit").isVisible, "the chat is there")
        assert self._session.container.settings.settings.welcomed, "the choice is not stored"
        self._note("first_start", begun, "demo model chosen")

    async def _question(self) -> None:
        asked = time.monotonic()
        await self._pilot.send("What can you do? Show me a table and code. 你会什么？")
        await self._pilot.answer_ends()
        text = await self._last_text()
        assert text, "the answer is empty"
        self._note("question", asked, f"{len(text)} characters")
        self._pilot.picture(self._pictures, "2-answer")

    async def _command(self, line: str, button: str, picture: str) -> None:
        asked = time.monotonic()
        await self._pilot.send(f"Run `{line}`")
        dialog = await self._pilot.dialog_appears("approvalDialog")
        self._pilot.picture(self._pictures, picture, dialog)
        self._pilot.picture(self._pictures, f"{picture}-window")
        await self._pilot.press(dialog, button)
        await self._pilot.answer_ends()
        result = await self._last_result()
        wanted = "ok" if button == "approve_once" else "denied"
        assert result.status == wanted, f"{line} ended as {result.status}: {result.text}"
        if wanted == "denied":
            assert result.text == "User denied command execution.", result.text
        self._note("approved_command" if wanted == "ok" else "refused_command", asked, result.text)

    async def _form(self, button: str, picture: str) -> None:
        asked = time.monotonic()
        await self._pilot.send("Ask me to choose between tea, coffee and water")
        dialog = await self._pilot.dialog_appears("elicitationDialog")
        if button == "elicit_accept":
            self._pilot.click(dialog.findChildren(QRadioButton)[1])
        self._pilot.picture(self._pictures if picture else None, picture, dialog)
        await self._pilot.press(dialog, button)
        await self._pilot.answer_ends()
        self._note(_FORMS[button], asked, (await self._last_result()).text)

    def _note(self, name: str, since: float, what: str) -> None:
        self._seen.seen[name] = what
        self._seen.seconds[name] = round(time.monotonic() - since, 3)

    async def _last_message(self) -> Message:
        thread_id = self._session.presenter.thread_id
        assert thread_id
        return (await self._session.container.store.threads.path(thread_id, last=1))[-1]

    async def _last_text(self) -> str:
        return "".join(p.text for p in (await self._last_message()).parts if isinstance(p, TextPart))

    async def _last_result(self) -> ToolResultPart:
        return [p for p in (await self._last_message()).parts if isinstance(p, ToolResultPart)][-1]
