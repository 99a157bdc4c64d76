"""Errors as notices of the window: their words, and buttons that do what helps."""

from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtCore import QObject

from desktop.core.errors import ThreadwellError
from desktop.ui.error_words import words_of_exception
from desktop.ui.links import open_folder
from desktop.ui.notice_actions import SETTINGS_PAGES, Action, action_label, actions_for
from desktop.ui.notices import NoticeAction, NoticeArea
from desktop.ui.services import UiServices

Params = Mapping[str, str | int | float]


class NoticePresenter(QObject):
    """Shows errors in ``area`` and performs what their buttons, and those below a failed answer, ask for."""

    def __init__(
        self,
        area: NoticeArea,
        services: UiServices,
        *,
        open_settings: Callable[[str], object],
        new_chat: Callable[[], object],
        enter_key: Callable[[str], object],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._area = area
        self._services = services
        self._open_settings = open_settings
        self._new_chat = new_chat
        self._enter_key = enter_key

    def show_error(self, error: BaseException) -> None:
        """Show an error; the same one is counted while it stands there."""
        code, params = (error.code, error.params) if isinstance(error, ThreadwellError) else ("unknown", {})
        actions = [self._button(action, params) for action in actions_for(code)]
        self._area.show_notice(
            lambda: words_of_exception(error).title, lambda: words_of_exception(error).detail, actions=actions
        )

    def perform(self, action: Action, params: Params) -> None:
        """Do what a button says; ``params`` are the error's."""
        if action in SETTINGS_PAGES:
            self._open_settings(SETTINGS_PAGES[action])
        elif action is Action.NEW_CHAT:
            self._new_chat()
        elif action is Action.ENTER_KEY:
            self._enter_key(str(params.get("endpoint", "")))
        else:
            self._show_folder(self._folder_of(action, params))

    def _button(self, action: Action, params: Params) -> NoticeAction:
        return NoticeAction(lambda: action_label(action), lambda: self.perform(action, params))

    def _folder_of(self, action: Action, params: Params) -> Path:
        data = self._services.data
        if action is Action.SHOW_LOG:
            return data.logs
        if action is Action.SHOW_KEPT_FILE:
            return Path(str(params.get("kept_as", ""))).parent
        return data.root

    def _show_folder(self, folder: Path) -> None:
        if not open_folder(folder):
            self._area.show_notice(
                lambda: self.tr("The folder could not be shown"),
                lambda: self.tr("No program on this computer opened it. It is here: %1").replace("%1", str(folder)),
                is_error=False,
            )
