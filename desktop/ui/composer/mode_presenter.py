"""Shows and changes when the tools of the open chat ask, and in which folder its commands run."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop.core.permission_mode import PermissionMode
from desktop.core.workspaces import folder_problem, resolved
from desktop.ui.composer.composer import Composer
from desktop.ui.links import open_folder
from desktop.ui.presenting import Worker
from desktop.ui.sandbox_words import problem_words
from desktop.ui.services import UiServices
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.thread_options_presenter import ThreadOptionsPresenter

if TYPE_CHECKING:
    from desktop.ui.composer.mode_popup import ModePopup


class ModePresenter(QObject):
    """The choice is the chat's own, kept with its options; what is chosen as it is usual follows the settings."""

    def __init__(
        self,
        composer: Composer,
        options: ThreadOptionsPresenter,
        services: UiServices,
        theme: ThemeManager,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._composer = composer
        self._button = composer.mode_button
        self._options = options
        self._services = services
        self._theme = theme
        self._worker = Worker(services)
        self._popup: ModePopup | None = None
        self._button.clicked.connect(self.open)
        options.changed.connect(self._show)
        services.settings.changed.connect(self._show)
        self._show()

    def open(self) -> None:
        """Open the ways to change it at the button."""
        if self._popup is None:
            from desktop.ui.composer.mode_popup import ModePopup

            popup = self._popup = ModePopup(self._theme, self._button)
            popup.mode_chosen.connect(self._choose)
            popup.plans_chosen.connect(lambda wanted: self._options.change(plans_first=wanted))
            popup.folder_wanted.connect(self._choose_folder)
            popup.folder_opened.connect(self._open_folder)
            popup.usual_folder_wanted.connect(lambda: self._options.change(workspace=None))
            popup.closed.connect(lambda: self._button.set_open(False))
        self._fill()
        self._button.set_open(True)
        self._popup.show_at(self._button)

    @property
    def _usual(self) -> PermissionMode:
        return self._services.settings.settings.agent.permission_mode

    @property
    def _folder(self) -> str:
        return self._options.options.workspace or self._services.workspace()

    def _show(self, _changed: object = None) -> None:
        own = self._options.options
        self._button.show_mode(
            own.mode or self._usual,
            self._folder,
            has_own_folder=own.workspace is not None,
            plans_first=own.plans_first,
        )
        if self._popup is not None and self._popup.isVisible():
            self._fill()

    def _fill(self) -> None:
        popup = self._popup
        if popup is None:
            return
        own = self._options.options
        popup.show_mode(own.mode or self._usual, self._usual)
        popup.plans_first.setChecked(own.plans_first)
        problem = folder_problem(own.workspace) if own.workspace is not None else None
        popup.show_folder(
            self._folder, problem_words(problem) if problem is not None else "", is_own=own.workspace is not None
        )
        popup.show_sandbox(None)
        self._worker.start(self._look_at_sandbox(self._folder), "look at the sandbox")

    async def _look_at_sandbox(self, folder: str) -> None:
        state = await self._services.sandbox.state(resolved(folder))
        if self._popup is not None and folder == self._folder:
            self._popup.show_sandbox(state)

    def _choose(self, mode: PermissionMode) -> None:
        self._options.change(mode=None if mode is self._usual else mode)

    def _choose_folder(self) -> None:
        from desktop.ui.settings.folder_field import FolderDialog

        title = self.tr("Folder for commands of this chat")
        dialog = FolderDialog("chatFolderDialog", self._composer.window(), title, self._folder)
        dialog.fileSelected.connect(self._take_folder)
        dialog.open()

    def _take_folder(self, folder: str) -> None:
        folder = resolved(folder)
        problem = folder_problem(folder)
        if problem is not None:
            self._composer.say(problem_words(problem))
        else:
            is_usual = folder == resolved(self._services.workspace())
            self._options.change(workspace=None if is_usual else folder)

    def _open_folder(self) -> None:
        """Show the folder; the usual one may not have been needed before."""
        folder = Path(self._folder)
        if self._options.options.workspace is None:
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                self._composer.say(self.tr("The folder cannot be made: %1").replace("%1", error.strerror or str(error)))
                return
        if not open_folder(folder):
            self._composer.say(self.tr("The folder could not be opened."))
