"""The whole app in a window with one endpoint of three models: what tests need that ask all of them at once."""

import dataclasses
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QListWidget, QPushButton, QWidget

from desktop.app.error_reporter import ErrorReporter
from desktop.app.options import LaunchOptions, WindowCommand
from desktop.app.window import WindowSession
from desktop.conversation.entities import AskedModel, Message, ThreadOptions
from desktop.core.settings import AgentSettings, EndpointSettings, SettingsStore
from desktop.ui.comparison.answer_column import AnswerColumn
from desktop.ui.main_window import MainWindow
from desktop.ui.transcript.row import RowWidget
from tests.support.endpoint import Answer, LoopbackEndpoint, hold, text
from tests.support.endpoint_wire import RecordedRequest
from tests.support.shell_app import BUNDLED_SERVER
from tests.support.waiting import until

W = TypeVar("W", bound=QWidget)
MODELS = ("alpha", "beta", "gamma")
BEGINNINGS = [f"This is {model}" for model in MODELS]
ALL_THREE = ThreadOptions(
    endpoint_id="home",
    model="alpha",
    asked_beside=(AskedModel(endpoint_id="home", model="beta"), AskedModel(endpoint_id="home", model="gamma")),
)


def in_two_halves(request: RecordedRequest) -> Answer:
    """Each model says its name, and the rest when it is let go on."""
    model = request.body["model"]
    return [text(f"This is {model}"), hold(model), text(f", the end of {model}.")]


def at_once(request: RecordedRequest) -> Answer:
    return [text(f"{request.body['model']} on {request.last_user_text}")]


@dataclass
class SeveralWorld:
    """An open window; ``endpoint`` answers."""

    session: WindowSession
    endpoint: LoopbackEndpoint

    @property
    def window(self) -> MainWindow:
        return self.session.presenter.window

    @property
    def thread_id(self) -> str:
        return self.session.presenter.thread_id or ""

    def find(self, kind: type[W], name: str, parent: QWidget | None = None) -> W:
        """The widget of this kind and name that can be seen."""
        found = [widget for widget in (parent or self.window).findChildren(kind, name) if widget.isVisible()]
        assert found, f"no {kind.__name__} {name} in sight"
        return found[0]

    def is_seen(self, name: str) -> bool:
        return any(widget.isVisible() for widget in self.window.findChildren(QWidget, name))

    def press(self, name: str, parent: QWidget | None = None) -> None:
        self.find(QAbstractButton, name, parent).click()

    def send(self, words: str) -> None:
        """Write and send, as a person does."""
        self.window.composer.edit.insertPlainText(words)
        QTest.keyClick(self.window.composer.edit, Qt.Key.Key_Return)

    def columns(self) -> Sequence[AnswerColumn]:
        """From left to right, also those that have no room; none while the page is not there."""
        comparison = self.session.presenter.answers.comparison
        return [] if comparison is None else comparison.page.columns

    def texts(self) -> list[str]:
        """What stands in the columns."""
        return [column.row.text for column in self.columns()]

    def shown(self) -> list[str]:
        """What screen readers are told of the messages in the chat, from the top."""
        view = self.window.transcript
        rows = [row for row in view.viewport().findChildren(RowWidget) if not row.isHidden()]
        return [row.accessibleName() for row in sorted(rows, key=lambda row: row.y())]

    def open_picker(self) -> QListWidget:
        self.find(QPushButton, "composerModel").click()
        return self.find(QListWidget, "modelList")

    async def path(self) -> tuple[Message, ...]:
        return await self.session.container.store.threads.path(self.thread_id)

    async def all_are_done(self) -> None:
        chat = self.session.container.chat
        await until(lambda: self.thread_id and not chat.runs_of(self.thread_id))

    def choose_all(self) -> None:
        """Have all three answer in the open chat."""
        self.session.presenter.options.change(
            endpoint_id=ALL_THREE.endpoint_id, model=ALL_THREE.model, asked_beside=ALL_THREE.asked_beside
        )

    async def ask_all(self, words: str = "Who are you?") -> None:
        """Ask all three in the open chat; returns when each has begun its answer in a column of its own."""
        self.choose_all()
        self.send(words)
        await until(lambda: [text[:13].rstrip(",") for text in self.texts()] == BEGINNINGS)


@asynccontextmanager
async def several_world(
    app: QApplication,
    data_dir: Path,
    script: Callable[[RecordedRequest], Answer] = in_two_halves,
    *,
    endpoint: LoopbackEndpoint | None = None,
) -> AsyncGenerator[SeveralWorld, None]:
    """Open the app on ``data_dir``; the demo model and three of one endpoint are set up. All is closed at the end."""
    server = endpoint or LoopbackEndpoint(script, models=MODELS).start()
    store = SettingsStore(data_dir / "settings.json")
    home = EndpointSettings(id="home", name="Home", base_url=server.base_url, model="alpha", models=MODELS)
    store.update(
        dataclasses.replace(
            store.settings,
            endpoints=(home,),
            endpoint_id="home",
            welcomed=True,
            bundled_servers_off=(BUNDLED_SERVER,),
            agent=AgentSettings(name_chats=False),
        )
    )
    reporter = ErrorReporter()
    command = WindowCommand(launch=LaunchOptions(data_dir=data_dir), theme="light", language="en")
    session = WindowSession(app, command, reporter)
    await session.open()
    session.presenter.window.resize(1300, 760)  # all three have room
    try:
        yield SeveralWorld(session, server)
    finally:
        for name in MODELS:
            server.release(name)
        await session.close()
        if endpoint is None:
            server.stop()
    assert reporter.count == 0
