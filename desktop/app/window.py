"""The window's life: start, a painted window first, everything else behind it, and an orderly end at any moment."""

import asyncio
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from PySide6.QtCore import QSocketNotifier
from PySide6.QtWidgets import QApplication, QMessageBox, QWidget

from desktop import __version__
from desktop.app.container import open_container
from desktop.app.error_reporter import ErrorReporter
from desktop.app.event_loop import close_loop, make_loop
from desktop.app.instance_lock import InstanceLock
from desktop.app.log_setup import close_logging, set_up_logging
from desktop.app.options import LaunchOptions, WindowCommand
from desktop.app.qt_messages import log_qt_messages
from desktop.app.raise_server import RaiseServer, ask_first_window
from desktop.core.errors import StorageError, ThreadwellError
from desktop.core.paths import DataPaths, resources_folder
from desktop.core.settings import SettingsStore, Theme
from desktop.core.tasks import TaskSupervisor
from desktop.ui.dialogs.dialog_prompts import DialogPrompts
from desktop.ui.error_words import error_words
from desktop.ui.services import UiServices
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.translations import Translations
from desktop.ui.window_presenter import WindowPresenter
from desktop.ui.window_state import WindowStateFile

ARMING_DELAY_MS = 700
"""How long a dialog stands still before it can allow anything."""

logger = logging.getLogger(__name__)


def run_window(command: WindowCommand) -> int:
    """Open the window and return the exit status when it was closed: 0, or 1 when it could not start.

    A second start for the same data folder raises the first window and returns 0.
    """
    app = make_application()
    paths = DataPaths(command.launch.data_dir)
    reporter = ErrorReporter()
    try:
        with ExitStack() as ends:
            ends.enter_context(InstanceLock.acquire(paths.lock, "Threadwell window"))
            log = set_up_logging(paths, secrets=_secrets(command.launch))
            ends.callback(close_logging, log)
            reporter.install(paths.logs / "crash.log")
            ends.callback(reporter.uninstall)
            loop = make_loop(app)
            loop.set_exception_handler(reporter.handle_loop_error)
            ends.callback(close_loop, loop)
            session = WindowSession(app, command, reporter)
            loop.run_until_complete(session.run())
    except StorageError as error:
        if error.code == "storage.busy" and ask_first_window(paths.root):
            return 0
        return _say_and_fail(app, error)
    except ThreadwellError as error:
        return _say_and_fail(app, error)
    except OSError as error:
        return _say_and_fail(app, StorageError("storage.unwritable", path=str(paths.root), detail=str(error)))
    return 0


class WindowSession:
    """One open window and the core behind it. Tests and the smoke test start it on a loop of their own."""

    def __init__(
        self,
        app: QApplication,
        command: WindowCommand,
        reporter: ErrorReporter,
        *,
        arming_delay_ms: int = ARMING_DELAY_MS,
    ) -> None:
        self._app = app
        self._command = command
        self._paths = DataPaths(command.launch.data_dir)
        self._reporter = reporter
        self._closing = asyncio.Event()
        self._arming_delay_ms = arming_delay_ms
        self._raise_server: RaiseServer | None = None

    async def run(self) -> None:
        """Open, wait until the user closes the window, and end. Raises ``StorageError`` and ``SettingsError``."""
        await self.open()
        try:
            with _signals(self.ask_to_close):
                await self._closing.wait()
        finally:
            await self.close()

    def ask_to_close(self) -> None:
        """End the session soon; harmless when it ends already."""
        self._closing.set()

    async def open(self) -> None:
        """Show the window, then start the servers behind it."""
        settings = SettingsStore(self._paths.settings)
        self.settings = settings
        appearance = settings.settings.appearance
        self.translations = Translations(
            self._app, self._command.language or appearance.language, resources_folder() / "translations"
        )
        self.theme = ThemeManager(self._app, Theme(self._command.theme or appearance.theme), self.translations.language)
        self.prompts = DialogPrompts(self._parent, self.theme, self._arming_delay_ms)
        tasks = TaskSupervisor(self._reporter.report_task)
        self.container = await open_container(self._command.launch, self.prompts, tasks, settings=settings)
        container = self.container
        self.presenter = WindowPresenter(
            UiServices(
                conversations=container.conversations,
                chat=container.chat,
                repository=container.store.threads,
                gateway=container.gateway,
                settings=settings,
                tasks=tasks,
                model_label=container.model_label,
                model_is_scripted=lambda: container.endpoint.is_demo,
                report_error=self._reporter.report,
            ),
            self.theme,
            self.translations,
            window_state=WindowStateFile(self._paths.root / "window.json"),
        )
        self.presenter.window.close_requested.connect(self.ask_to_close)
        self.prompts.waiting_changed.connect(self.presenter.set_waiting)
        self._raise_server = RaiseServer(self._paths.root, self.presenter.raise_window)
        self.presenter.show()
        self._reporter.show_with(self.presenter.show_error)
        for notice in container.notices():
            self.presenter.show_error(notice)
        await self.presenter.open_thread(await self._first_thread())
        container.gateway.start()

    async def close(self) -> None:
        """Refuse open questions, keep drafts, stop everything, close the store; the window is gone afterwards."""
        self._closing.set()
        if self._raise_server is not None:
            self._raise_server.close()
        self.presenter.window.hide()
        self.prompts.close()
        try:
            await self.presenter.flush_drafts()
        except StorageError:
            logger.exception("the draft could not be kept")
        await self.container.close()
        self.presenter.window.deleteLater()

    def _parent(self) -> QWidget:
        return self.presenter.window

    async def _first_thread(self) -> str | None:
        """The thread that the command line names; without one the app goes on where the user left it."""
        wanted = self._command.launch.thread
        if wanted == "new":
            return None
        if wanted in ("", "last"):
            last = await self.container.conversations.last_thread()
            return last.id if last else None
        thread = await self.container.conversations.get_thread(wanted)
        if thread is None or thread.deleted_at is not None:
            raise StorageError("storage.thread_missing", thread_id=wanted)
        return thread.id


def make_application() -> QApplication:
    """Return the application object, named so that desktops can tell whose window it is."""
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        app = QApplication(["threadwell"])
    app.setApplicationName("threadwell")
    app.setApplicationDisplayName("Threadwell")
    app.setApplicationVersion(__version__)
    app.setDesktopFileName("threadwell")
    log_qt_messages()
    return app


@contextmanager
def _signals(ask_to_close: Callable[[], None]) -> Iterator[None]:
    """Let SIGINT and SIGTERM close the window in order; Python's handlers alone would wait for the next Qt event."""
    reader, writer = socket.socketpair()
    for end in (reader, writer):
        end.setblocking(False)
    old_fd = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
    old_handlers = {number: signal.signal(number, lambda *_: None) for number in (signal.SIGINT, signal.SIGTERM)}
    notifier = QSocketNotifier(reader.fileno(), QSocketNotifier.Type.Read)

    def woken() -> None:
        numbers = reader.recv(64)
        if any(number in old_handlers for number in numbers):
            ask_to_close()

    notifier.activated.connect(woken)
    try:
        yield
    finally:
        notifier.setEnabled(False)
        signal.set_wakeup_fd(old_fd)
        for number, handler in old_handlers.items():
            signal.signal(number, handler)
        reader.close()
        writer.close()


def _secrets(launch: LaunchOptions) -> list[str]:
    """The key that is in use, so that the log can hide it wherever it might turn up."""
    variable = launch.endpoint.key_env if launch.endpoint else ""
    key = os.environ.get(variable, "") if variable else ""
    return [key] if key else []


def _say_and_fail(app: QApplication, error: ThreadwellError) -> int:
    """Say why the window cannot open, in a dialog and on standard error where there is one; returns status 1."""
    title, detail = error_words(error.code, error.params)
    if sys.stderr is not None:
        sys.stderr.write(f"{title}. {detail}\n")
    if app.platformName() == "offscreen":
        return 1
    box = QMessageBox(QMessageBox.Icon.Critical, "Threadwell", title, QMessageBox.StandardButton.Close)
    box.setInformativeText(detail)
    box.finished.connect(app.quit)
    box.open()
    app.exec()
    return 1
