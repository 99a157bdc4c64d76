"""Export and import of chats as a window offers them: their parts are loaded when they are wanted first."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from desktop.ui.services import UiServices
from desktop.ui.theme.theme_manager import ThemeManager

if TYPE_CHECKING:
    from desktop.ui.interchange.presenter import InterchangePresenter
    from desktop.ui.sidebar.sidebar import Sidebar


class InterchangeOpener(QObject):
    """``chat_wanted`` carries the id of a chat that is to be shown."""

    chat_wanted = Signal(str)

    def __init__(self, window: QWidget, services: UiServices, theme: ThemeManager) -> None:
        super().__init__(window)
        self._window = window
        self._services = services
        self._theme = theme
        self._made: InterchangePresenter | None = None

    def serve(self, sidebar: "Sidebar") -> None:
        """Do what the sidebar asks for."""
        sidebar.export_requested.connect(self.export)
        sidebar.import_requested.connect(self.import_files)

    def export(self, thread_ids: Sequence[str]) -> None:
        """Ask as what and where these chats are to be exported."""
        self._presenter.export(thread_ids)

    def export_all(self) -> None:
        self._presenter.export_all()

    def choose_file(self) -> None:
        """Ask for a file with chats to be imported."""
        self._presenter.choose_file()

    def choose_folder(self) -> None:
        self._presenter.choose_folder()

    def import_files(self, paths: Sequence[Path]) -> None:
        """Ask whether these files are to be imported, one after another."""
        self._presenter.look_at_all(list(paths))

    @property
    def _presenter(self) -> "InterchangePresenter":
        if self._made is None:
            from desktop.ui.interchange.presenter import InterchangePresenter

            self._made = InterchangePresenter(self._window, self._services, self._theme)
            self._made.chat_wanted.connect(self.chat_wanted)
        return self._made
