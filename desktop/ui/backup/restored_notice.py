"""Says after a restore where the library is that was here before, with a way to its folder."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import QObject

from desktop.ui.links import open_folder
from desktop.ui.notices import NoticeAction
from desktop.ui.services import UiServices

if TYPE_CHECKING:
    from desktop.core.backups import BackupDone
    from desktop.ui.window_presenter import WindowPresenter


class RestoredNotice(QObject):
    """Belongs to the presenter of a window. At first it is a folder, later a backup like any other."""

    def __init__(self, presenter: "WindowPresenter", services: UiServices) -> None:
        super().__init__(presenter)
        self._presenter = presenter
        self._withdraw: Callable[[], None] = lambda: None
        if services.backups is None:
            return
        services.backups.kept.connect(self._kept)
        if folder := services.backups.replaced:
            self._withdraw = self._tell(
                lambda: self.tr("A backup took the place of your library"),
                lambda: self.tr(
                    "What was here before is in %1. In a few minutes it becomes a backup of its own, with which this can "
                    "be undone."
                ).replace("%1", folder),
                folder,
            )

    def _kept(self, done: "BackupDone") -> None:
        if not shiboken6.isValid(self):
            return
        self._withdraw()
        self._withdraw = self._tell(
            lambda: self.tr("Your library of before the restore is a backup now"),
            lambda: (
                self.tr("It is %1 in %2. To undo the restore, restore that one in the settings under Data.")
                .replace("%1", done.name)
                .replace("%2", done.place)
            ),
            "" if done.is_web else done.place,
        )

    def _tell(self, title: Callable[[], str], detail: Callable[[], str], folder: str) -> Callable[[], None]:
        action = NoticeAction(lambda: self.tr("Open the folder"), lambda: self._open(folder))
        notices = self._presenter.window.notices
        return notices.show_notice(title, detail, is_error=False, actions=[action] if folder else [])

    def _open(self, folder: str) -> None:
        if not open_folder(Path(folder)):
            self._presenter.show_notice(
                lambda: self.tr("The folder could not be opened"),
                lambda: self.tr("No program is set for opening folders, or the folder is missing: %1").replace(
                    "%1", folder
                ),
            )
