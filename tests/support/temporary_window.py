"""A program for kill tests: the real window with a temporary chat whose second answer streams; says so and waits."""

import asyncio
import sys
from pathlib import Path

from PySide6.QtWidgets import QApplication, QPushButton, QToolButton

from desktop.app.error_reporter import ErrorReporter
from desktop.app.event_loop import close_loop, make_loop
from desktop.app.options import LaunchOptions, WindowCommand
from desktop.app.start import make_application
from desktop.app.window import WindowSession
from desktop.core.settings import EndpointSettings
from tests.support.endpoint import LoopbackEndpoint, RecordedRequest, Step, hold, text
from tests.support.waiting import until


async def main(app: QApplication, folder: Path, word: str) -> None:
    def script(request: RecordedRequest) -> list[Step]:
        if "again" in request.last_user_text:
            return [text(f"half of {word} "), hold("never")]
        return [text(f"an answer with {word}")]

    with LoopbackEndpoint(script) as endpoint:
        launch = LaunchOptions(data_dir=folder, endpoint=EndpointSettings(base_url=endpoint.base_url, model="m"))
        session = WindowSession(app, WindowCommand(launch=launch, theme="light", language="en"), ErrorReporter())
        await session.open()
        window, presenter = session.presenter.window, session.presenter
        begin = window.findChild(QToolButton, "temporaryChatButton")
        assert begin is not None
        begin.click()
        await until(lambda: presenter.thread_id is not None and presenter.transcript.is_loaded)
        send = window.findChild(QPushButton, "sendButton")
        assert send is not None
        for question in (f"{word} asked", f"{word} asked again"):
            window.composer.edit.insertPlainText(question)
            send.click()
            await until(lambda: window.composer.text == "" and len(endpoint.requests) > 0, within=60)
            if "again" not in question:
                await until(lambda: not session.container.chat.runs_of(presenter.thread_id or ""), within=60)
        window.composer.edit.insertPlainText(f"{word} draft")
        await until(lambda: any("half of" in str(row) for row in [presenter.transcript.followed_row]), within=60)
        await presenter.composer.flush()
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        await asyncio.Event().wait()


if __name__ == "__main__":
    application = make_application()
    loop = make_loop(application)
    try:
        loop.run_until_complete(main(application, Path(sys.argv[1]), sys.argv[2]))
    finally:
        close_loop(loop)
