"""The stage of the screenshots: the real window on a data folder, put into each look and language, and photographed."""

import asyncio
import dataclasses
import fnmatch
import tempfile
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from itertools import chain
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QWidget
from shots_answers import ANSWER_SCENES
from shots_api import API_SCENES
from shots_assistants import ASSISTANT_SCENES
from shots_backup import BACKUP_SCENES
from shots_branches import BRANCH_SCENES
from shots_chats import CHAT_SCENES
from shots_documents import DOCUMENT_SCENES
from shots_find import FIND_SCENES
from shots_guide import GUIDE_SCENES, fill_guide, settings_of_guide
from shots_inspector import INSPECTOR_SCENES
from shots_interchange import INTERCHANGE_SCENES
from shots_memory import MEMORY_SCENES
from shots_palette import PALETTE_SCENES
from shots_plans import PLAN_SCENES
from shots_prompts import PROMPT_SCENES
from shots_queue import QUEUE_SCENES
from shots_readme import README_SCENES, fill_readme, settings_of_readme
from shots_rendering import RENDERING_SCENES
from shots_scenes import SCENES, Scene, World
from shots_search import SEARCH_SCENES
from shots_servers import SERVER_SCENES
from shots_sessions import SESSION_SCENES
from shots_settings import SETTINGS_SCENES
from shots_shelves import SHELF_SCENES
from shots_sidebar import SIDEBAR_SCENES
from shots_summary import SUMMARY_SCENES
from shots_world import answer_to, fill, with_endpoints

from desktop.app.error_reporter import ErrorReporter
from desktop.app.event_loop import close_loop, make_loop
from desktop.app.options import LaunchOptions, WindowCommand
from desktop.app.start import make_application
from desktop.app.window import WindowSession
from desktop.app.window_pilot import PilotError, WindowPilot
from desktop.core.endpoints import FoundServer
from desktop.core.errors import ThreadwellError
from desktop.core.paths import DataPaths
from desktop.core.settings import SettingsStore, Theme
from desktop.storage.store import open_store
from desktop.ui.main_window import MainWindow
from desktop.ui.settings.window import SettingsWindow
from desktop.ui.window_presenter import WindowPresenter
from tests.support.endpoint import LoopbackEndpoint

W = TypeVar("W", bound=QWidget)
Look = tuple[str, str]
"""Theme and language."""

_ROOMS = (
    SCENES,
    ANSWER_SCENES,
    SETTINGS_SCENES,
    SERVER_SCENES,
    MEMORY_SCENES,
    SEARCH_SCENES,
    SIDEBAR_SCENES,
    INSPECTOR_SCENES,
    README_SCENES,
    GUIDE_SCENES,
    SUMMARY_SCENES,
    CHAT_SCENES,
    DOCUMENT_SCENES,
    BRANCH_SCENES,
    FIND_SCENES,
    PROMPT_SCENES,
    ASSISTANT_SCENES,
    QUEUE_SCENES,
    RENDERING_SCENES,
    BACKUP_SCENES,
    API_SCENES,
    SESSION_SCENES,
    INTERCHANGE_SCENES,
    PALETTE_SCENES,
    PLAN_SCENES,
    SHELF_SCENES,
)
ALL_SCENES = tuple(sorted(chain(*_ROOMS), key=lambda one: one.name))
SETTLE_SECONDS = 0.12
"""After a change of look or language everything has been laid out and painted, also what is put off."""


class Stage:
    """What a scene works with: the session, ways to get about in its window, and ``picture``."""

    def __init__(
        self, session: WindowSession, endpoint: LoopbackEndpoint, folder: Path, size: str, looks: Sequence[Look]
    ) -> None:
        self.session = session
        self.pilot = WindowPilot(session, patience_seconds=30)
        self._endpoint = endpoint
        self._folder = folder
        self._size = size
        self._looks = looks
        self._found: tuple[FoundServer, ...] = ()
        self._may_find = asyncio.Event()
        self.taken = 0

    @property
    def presenter(self) -> WindowPresenter:
        return self.session.presenter

    @property
    def window(self) -> MainWindow:
        return self.presenter.window

    @property
    def base_url(self) -> str:
        """Of the endpoint that answers."""
        return self._endpoint.base_url

    # -- getting about

    def find(self, kind: type[W], name: str, parent: QWidget | None = None) -> W:
        return self.pilot.find(kind, name, parent)

    async def press(self, name: str, parent: QWidget | None = None) -> None:
        """Click the button called ``name``."""
        self.find(QAbstractButton, name, parent).click()
        await self.settle()

    async def thread(self, title: str) -> str:
        """The id of a chat."""
        threads = await self.session.container.conversations.list_threads()
        return next(thread.id for thread in threads if thread.title == title)

    async def open(self, title: str) -> None:
        """Open a chat, or with an empty title a new one."""
        await self.presenter.open_thread(await self.thread(title) if title else None)
        self.window.composer.focus_text()
        await self.settle()

    async def first_message(self) -> str:
        """The id of the first message of the open chat."""
        return (await self.session.container.store.threads.path(self.presenter.thread_id or ""))[0].id

    async def settings(self, key: str = "") -> SettingsWindow:
        """The settings window, shown with this page."""
        self.presenter.open_settings(key)
        await self.settle()
        assert self.presenter.settings_window is not None
        return self.presenter.settings_window

    def is_held(self, name: str) -> bool:
        """The endpoint stands still at this point of its answer."""
        return any(name in request.held for request in self._endpoint.chats)

    def release(self, name: str) -> None:
        """Let the endpoint go on behind this point of its answer."""
        self._endpoint.release(name)

    def hold_search(self) -> None:
        """From now on the search for servers on this computer does not end."""
        self._may_find.clear()
        self.session.container.endpoints.find_local = self._find_local

    def end_search(self, *found: FoundServer) -> None:
        """From now on the search ends at once, with these."""
        self.session.container.endpoints.find_local = self._find_local
        self._found = found
        self._may_find.set()

    async def _find_local(self) -> tuple[FoundServer, ...]:
        await self._may_find.wait()
        return self._found

    def close_dialogs(self) -> None:
        for widget in QApplication.topLevelWidgets():
            if isinstance(widget, QDialog) and widget.isVisible():
                widget.reject()

    async def settle(self) -> None:
        """Let Qt and the presenters finish what is put off."""
        for _ in range(2):
            await asyncio.sleep(SETTLE_SECONDS / 2)
            QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)

    # -- pictures

    async def picture(self, name: str, *, of: Callable[[], QWidget] | None = None) -> None:
        """Save the screen, or one window of it, in each look and language."""
        for look in self._looks:
            await self._take_look(look)
            self._save((of().grab() if of is not None else self._screen()), name, look)

    async def picture_in_language(self, name: str, show: Callable[[str], Awaitable[object]]) -> None:
        """As ``picture``, of what is shown anew each time: the words in it are those of the language it is given."""
        for look in self._looks:
            await self._take_look(look)
            await show(look[1])
            await self.settle()
            self._save(self._screen(), name, look)

    async def rest(self) -> None:
        """Wait until what begins when the typing pauses is over."""
        await asyncio.sleep(0.6)
        await self.settle()

    async def picture_each(self, name: str, show: Callable[[], object], popup: str) -> None:
        """As ``picture``, of a pop-up that is opened anew each time."""
        for look in self._looks:
            await self._take_look(look)
            show()
            await self.settle()
            self._save(self._screen(), name, look)
            self.find(QWidget, popup).hide()

    async def picture_asked(
        self, name: str, ask: Callable[[], Awaitable[object]], end: Callable[[], Awaitable[object]]
    ) -> None:
        """As ``picture``, of a question that is asked anew each time: it stands in the language of its beginning."""
        for look in self._looks:
            await self._take_look(look)
            await ask()
            await self.settle()
            self._save(self._screen(), name, look)
            await end()

    async def _take_look(self, look: Look) -> None:
        store = self.session.container.settings
        appearance = dataclasses.replace(store.settings.appearance, theme=Theme(look[0]), language=look[1])
        store.update(dataclasses.replace(store.settings, appearance=appearance))
        await self.settle()

    def _save(self, image: QPixmap, name: str, look: Look) -> None:
        file = self._folder / f"{name}_{self._size}_{look[0]}_{look[1]}.png"
        if not image.save(str(file)):
            raise PilotError(f"{file} could not be written")
        self.taken += 1

    def _screen(self) -> QPixmap:
        """All windows as they lie over one another; the offscreen platform has no picture of its whole screen."""
        screen = self.window.screen()
        image = QPixmap(screen.size() * screen.devicePixelRatio())
        image.setDevicePixelRatio(screen.devicePixelRatio())
        image.fill(QColor("#808080"))
        painter = QPainter(image)
        for window in sorted((w for w in QApplication.topLevelWidgets() if w.isVisible()), key=self._height):
            place = QRect(window.mapToGlobal(QPoint(0, 0)), window.size())
            painter.drawPixmap(place.topLeft(), window.grab())
            if window is not self.window:  # in place of the frame that a desktop draws
                painter.setPen(QPen(QColor("#808080"), 1))
                painter.drawRect(place.adjusted(-1, -1, 0, 0))
        painter.end()
        return image

    def _height(self, window: QWidget) -> int:
        """What lies over what: the main window, the settings, dialogs, pop-ups."""
        if window is self.window:
            return 0
        if window.windowType() is Qt.WindowType.Popup:
            return 100
        height, below = 1 + isinstance(window, QDialog), window.parentWidget()
        while below is not None:  # a dialog lies over the one that opened it
            height, below = height + isinstance(below, QDialog), below.parentWidget()
        return height


def take(folder: Path, size: str, themes: Sequence[str], languages: Sequence[str], only: Sequence[str]) -> int:
    """Take the pictures of one size, which may name a size of the text; returns the exit status."""
    folder.mkdir(parents=True, exist_ok=True)
    app = make_application()
    loop = make_loop(app)
    looks = [(theme, language) for theme in themes for language in languages]
    wanted = [scene for scene in ALL_SCENES if not only or any(fnmatch.fnmatch(scene.name, f"*{p}*") for p in only)]
    try:
        failed = loop.run_until_complete(_play(app, folder, size, looks, wanted))
    finally:
        close_loop(loop)
    for name, reason in failed.items():
        print(f"{size}: {name} could not be taken: {reason}")
    return 1 if failed else 0


async def _play(
    app: QApplication, folder: Path, size: str, looks: Sequence[Look], scenes: Sequence[Scene]
) -> dict[str, str]:
    """Play the scenes, those of each world in a folder of its own; returns why some failed."""
    failed: dict[str, str] = {}
    for world in World:
        mine = [scene for scene in scenes if scene.world is world]
        if not mine:
            continue
        async with _stage(app, folder, size, looks, world) as stage:
            for scene in mine:
                try:
                    await scene.play(stage)
                except (PilotError, ThreadwellError, AssertionError, RuntimeError, TimeoutError) as error:
                    traceback.print_exc()
                    failed[scene.name] = f"{type(error).__name__}: {error}"
                    stage.close_dialogs()
            print(f"{size}: {stage.taken} pictures", flush=True)
    return failed


@asynccontextmanager
async def _stage(
    app: QApplication, folder: Path, size: str, looks: Sequence[Look], world: World
) -> AsyncIterator[Stage]:
    with tempfile.TemporaryDirectory(prefix="threadwell-shots-data-") as name, LoopbackEndpoint(answer_to) as endpoint:
        data = Path(name)
        store = SettingsStore(data / "settings.json")
        text_size = float(size.partition("~")[2] or store.settings.appearance.font_size)
        appearance = dataclasses.replace(store.settings.appearance, reduce_motion=True, font_size=text_size)
        settings = dataclasses.replace(store.settings, appearance=appearance, welcomed=world is not World.FIRST_START)
        if world is World.README:
            settings = settings_of_readme(settings)
            await fill_readme(DataPaths(data))
        elif world is World.GUIDE:
            settings = settings_of_guide(with_endpoints(settings, endpoint.base_url))
            await fill_guide(DataPaths(data))
        elif world is World.USED:
            settings = with_endpoints(settings, endpoint.base_url)
            chats = await open_store(DataPaths(data))
            await fill(chats)
            await chats.close()
        store.update(settings)
        command = WindowCommand(launch=LaunchOptions(data_dir=data, thread="new"))
        session = WindowSession(app, command, ErrorReporter(), arming_delay_ms=1)
        await session.open()
        stage = Stage(session, endpoint, folder, size, looks)
        stage.window.setGeometry(app.primaryScreen().geometry())
        await stage.settle()
        try:
            yield stage
        finally:
            for place in ("the end", "the others"):
                endpoint.release(place)
            await session.close()
