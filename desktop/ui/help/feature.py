"""The help of a window: the guide, what is new (told of once after an update), and the report for a bug."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from desktop import __version__
from desktop.core.errors import StorageError
from desktop.core.settings import write_atomically
from desktop.ui.dialogs.save_dialog import downloads_folder, save_dialog
from desktop.ui.presenting import Worker
from desktop.ui.services import UiServices
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.translations import Translations
from desktop.ui.window_state import WindowStateFile

if TYPE_CHECKING:
    from desktop.ui.help.help_window import HelpWindow
    from desktop.ui.help.report_dialog import ReportDialog
    from desktop.ui.window_presenter import WindowPresenter

FILE_NAME = "threadwell-report.txt"


class HelpFeature(QObject):
    """Acts on the menu Help and on the actions ``guide``, ``whats_new`` and ``report_problem``."""

    def __init__(
        self, presenter: "WindowPresenter", services: UiServices, theme: ThemeManager, translations: Translations
    ) -> None:
        super().__init__(presenter)
        self._window = presenter.window
        self._services = services
        self._theme = theme
        self._translations = translations
        self._worker = Worker(services)
        self._open: dict[str, HelpWindow] = {}
        footer = presenter.window.sidebar.footer
        for action, asked in (
            ("guide", lambda: self.show_page("guide")),
            ("whats_new", lambda: self.show_page("news")),
            ("report_problem", self.report_problem),
        ):
            presenter.window.keys.add(action, asked)
        footer.help_requested.connect(presenter.window.keys.act)

    def show_page(self, page: str) -> None:
        """Show ``guide`` or ``news`` in a window of its own; one that is open comes to the front."""
        from desktop.ui.help.help_window import HelpWindow

        shown = self._open.get(page)
        if shown is None or not shiboken6.isValid(shown) or not shown.isVisible():
            shown = self._open[page] = HelpWindow(page, self._theme, self._translations, self._window)
        shown.show()
        shown.raise_()
        shown.activateWindow()

    def tell_of_update(self, state_file: WindowStateFile) -> None:
        """Say once that this is another version than the last time, with a way to what is new in it."""
        state = state_file.load()
        seen, self._window.seen_version = state.seen_version, __version__
        if seen == __version__:
            return
        state_file.save(replace(state, seen_version=__version__))  # not only when the window is closed: that may fail
        if seen and is_newer(__version__, seen):
            self._window.toast.present(
                lambda: self.tr("Threadwell was updated to version %1").replace("%1", __version__),
                lambda: self.tr("What’s new"),
                lambda: self.show_page("news"),
            )

    def report_problem(self) -> None:
        """Show what a report for a bug holds, to be copied or saved."""
        self._worker.start_once(self._report(), "make a report for a bug")

    async def _report(self) -> None:
        from desktop.ui.help.report_dialog import ReportDialog
        from desktop.ui.help.report_source import desktop_lines, log_ends
        from desktop.ui.settings.about_page import version_details
        from desktop.ui.state.problem_report import problem_report

        data, settings = self._services.data, self._services.settings.settings
        versions, surroundings = version_details(data.engine).splitlines(), desktop_lines()

        def make() -> str:
            return problem_report(versions, surroundings, settings, *log_ends(data.logs))

        dialog = ReportDialog(await asyncio.to_thread(make), self._theme, self._window)
        dialog.copy_requested.connect(lambda: self._copy(dialog))
        dialog.save_requested.connect(lambda: self._choose_file(dialog))
        dialog.open()

    def _copy(self, dialog: "ReportDialog") -> None:
        QGuiApplication.clipboard().setText(dialog.text)
        dialog.show_copied()

    def _choose_file(self, dialog: "ReportDialog") -> None:
        chosen = save_dialog(dialog, self.tr("Save the report"), downloads_folder(), "reportFile", FILE_NAME)
        chosen.fileSelected.connect(
            lambda file: self._worker.start(self._save(Path(file), dialog.text), "save a report for a bug")
        )
        chosen.open()

    async def _save(self, file: Path, text: str) -> None:
        try:
            await asyncio.to_thread(write_atomically, file, text)
        except OSError as error:
            raise StorageError.of_unwritten(error) from error
        self._window.toast.tell(lambda: self.tr("The report was saved."))


def is_newer(version: str, than: str) -> bool:
    """Whether a version of numbers and dots comes after another one; one that cannot be read comes after none."""
    try:
        return tuple(map(int, version.split("."))) > tuple(map(int, than.split(".")))
    except ValueError:
        return False
