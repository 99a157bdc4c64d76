"""The start of the window: a painted window first; the event loop, the core and the SDKs are imported behind it."""

import dataclasses
import os
import sys
from contextlib import ExitStack

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QMessageBox

from desktop import __version__
from desktop.app.error_reporter import ErrorReporter
from desktop.app.instance_lock import InstanceLock
from desktop.app.log_setup import close_logging, environment_secrets, set_up_logging
from desktop.app.options import WindowCommand
from desktop.app.qt_messages import log_qt_messages
from desktop.app.restored_library import finish_restore, start_again
from desktop.core.errors import StorageError, ThreadwellError
from desktop.core.imports import garbage_left_alone
from desktop.core.paths import DataPaths, resources_folder
from desktop.core.settings import SettingsStore, Theme
from desktop.ui.keyboard.own_keys import put_in_force
from desktop.ui.main_window import MainWindow
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.translations import Translations
from desktop.ui.window_state import WindowStateFile

JOBS_PATIENCE_SECONDS = 5.0
"""How long the end waits for an import that was begun in a thread; the data folder is free by then."""
_HOLDER = "Threadwell window"
PAINT_PATIENCE_MS = 1000
"""How long the rest waits for the first paint; a window on another desktop is not painted at all."""


def run_window(command: WindowCommand) -> int:
    """Open the window and return the exit status when it was closed: 0, or 1 when it could not start.

    A second start for the same data folder raises the first window and returns 0.
    """
    app = make_application()
    paths = DataPaths(command.launch.data_dir)
    reporter = ErrorReporter()
    try:
        with ExitStack() as afterwards, ExitStack() as ends:
            lock = ends.enter_context(InstanceLock.acquire(paths.lock, _HOLDER))
            finish_restore(paths)
            log = set_up_logging(paths, secrets=environment_secrets(os.environ))
            ends.callback(close_logging, log)
            reporter.install(paths.logs / "crash.log")
            ends.callback(reporter.uninstall)
            with garbage_left_alone():
                first = FirstWindow(app, command)
                first.show()
                from desktop.app.event_loop import close_loop, make_loop
                from desktop.app.window import WindowSession

            loop = make_loop(app)
            loop.set_exception_handler(reporter.handle_loop_error)
            ends.callback(close_loop, loop)
            afterwards.callback(loop.wait_for_jobs, JOBS_PATIENCE_SECONDS)
            session = WindowSession(app, command, reporter, first=first, after_crash=lock.was_left)
            loop.run_until_complete(session.run())
            if session.wants_restart:
                afterwards.callback(start_again)
    except StorageError as error:
        if error.code == "storage.busy" and _is_perhaps_window(error) and _raise_first_window(paths, command):
            return 0
        return _say_and_fail(app, error)
    except ThreadwellError as error:
        return _say_and_fail(app, error)
    except OSError as error:
        return _say_and_fail(app, StorageError("storage.unwritable", path=str(paths.root), detail=str(error)))
    return 0


class FirstWindow:
    """The window with what it needs in order to be seen: settings, language and theme, but neither store nor loop."""

    def __init__(self, app: QApplication, command: WindowCommand) -> None:
        self._app = app
        paths = DataPaths(command.launch.data_dir)
        self.settings = SettingsStore(paths.settings)
        appearance = self.settings.settings.appearance
        language = command.language or appearance.language
        self.translations = Translations(app, language, resources_folder() / "translations")
        if command.theme:
            appearance = dataclasses.replace(appearance, theme=Theme(command.theme))
        self.theme = ThemeManager(app, appearance, self.translations.language)
        self.state_file = WindowStateFile(paths.root / "window.json")
        put_in_force(self.settings.settings.shortcuts)
        with self.theme.sheet_held_back():
            self.window = MainWindow(self.theme, self.state_file.load())
        if not self.settings.settings.welcomed and command.launch.endpoint is None:
            self.window.leave_room_empty()
        self.was_closed = False
        """The user has closed it already; whoever opens the rest behind it ends at once."""
        self.window.close_requested.connect(self._note_closed)

    def show(self) -> None:
        """Show the window and return when it is painted; no event loop may run yet."""
        self.window.winId()  # makes the window of the system, without which there is nothing to watch
        watcher = _ExposureWatcher(self._app)
        self.window.windowHandle().installEventFilter(watcher)
        self.window.show()
        self.window.composer.focus_text()
        watcher.wait()
        self.window.windowHandle().removeEventFilter(watcher)

    def _note_closed(self) -> None:
        self.was_closed = True

    def discard(self) -> None:
        """Take the window off the screen, for good."""
        self.window.hide()
        self.window.deleteLater()
        self.translations.uninstall()


class _ExposureWatcher(QObject):
    """Waits until a window has come to the screen."""

    def __init__(self, app: QApplication) -> None:
        super().__init__()
        self._app = app
        self._timer = QTimer(self, singleShot=True, interval=PAINT_PATIENCE_MS)
        self._timer.timeout.connect(lambda: app.exit(0))

    def wait(self) -> None:
        app = self._app
        if not self._timer.isActive():
            self._timer.start()
        app.exec()
        self._timer.stop()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() == QEvent.Type.Expose:
            self._timer.start(0)  # the window paints itself while it is told, just after this
        return False


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


def _is_perhaps_window(error: StorageError) -> bool:
    """Whether what holds the data folder can be raised, or has not said yet what it is: a shell command cannot."""
    holder = str(error.params.get("holder"))
    return holder.startswith(_HOLDER) or not holder.startswith("Threadwell ")


def _raise_first_window(paths: DataPaths, command: WindowCommand) -> bool:
    from desktop.app.raise_server import ask_first_window  # and with it Qt's network module

    is_for_a_start = command.launch.endpoint or command.launch.mcp_config or command.theme or command.language
    if is_for_a_start and sys.stderr is not None:
        sys.stderr.write("Threadwell is open already: its model, servers, theme and language stay as they are.\n")
    return ask_first_window(paths.root, command.request)


def _say_and_fail(app: QApplication, error: ThreadwellError) -> int:
    """Say why the window cannot open, in a dialog and on standard error where there is one; returns status 1."""
    from desktop.ui.error_words import error_words

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
