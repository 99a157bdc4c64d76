"""Opens the one settings window, gives the focus back where it was, and remembers where the window stood."""

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from desktop.ui.services import UiServices
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.translations import Translations
from desktop.ui.window_state import WindowState

if TYPE_CHECKING:
    from desktop.ui.settings.window import SettingsWindow


class SettingsOpener(QObject):
    """The window is imported and made when it is first opened, and lives as long as the main window.

    ``thread_requested`` comes when a page wants a thread shown in the main window, ``memory_requested`` for the memory page,
    ``receipt_left`` with the ``Receipt`` of what was removed in the window before it was closed.
    """

    thread_requested = Signal(str)
    memory_requested = Signal()
    receipt_left = Signal(object)

    def __init__(
        self, services: UiServices, theme: ThemeManager, translations: Translations, main: QWidget, state: WindowState
    ) -> None:
        super().__init__()
        self._services = services
        self._theme = theme
        self._translations = translations
        self._main = main
        self._state = state
        self._former: QWidget | None = None
        self.current_thread: Callable[[], str | None] = lambda: None
        """Tells which thread is open in the main window."""
        self.window: SettingsWindow | None = None
        """The window, once it was opened."""

    def open(self, page_key: str = "") -> None:
        """Show the window with this page, in front."""
        window = self.window or self._make()
        if not window.isVisible():
            self._former = self._main.focusWidget()
        window.open_page(page_key)

    def remember_in(self, state: WindowState) -> WindowState:
        """Return ``state`` with the place and page of the settings window."""
        if self.window is None:
            geometry, page = self._state.settings_geometry, self._state.settings_page
        else:
            geometry, page = self.window.geometry_text(), self.window.page_key
        return dataclasses.replace(state, settings_geometry=geometry, settings_page=page)

    def finish(self) -> None:
        """Write what the window still holds, and take it off the screen."""
        if self.window is not None:
            self.window.finish()

    def _make(self) -> "SettingsWindow":
        from desktop.ui.settings.window import SettingsWindow

        window = SettingsWindow(self._services, self._theme, self._translations)
        window.current_thread = lambda: self.current_thread()
        window.restore(self._state.settings_geometry, self._state.settings_page, over=self._main.geometry())
        window.closed.connect(self._closed)
        window.quit_requested.connect(self._main.close)
        self._main.destroyed.connect(window.deleteLater)  # the last thing to go: until then work may come back to it
        window.thread_requested.connect(self.thread_requested)
        window.memory_requested.connect(self.memory_requested)
        window.receipt_left.connect(self.receipt_left)
        self.window = window
        return window

    def _closed(self) -> None:
        self._main.activateWindow()
        former, self._former = self._former, None
        if former is not None and shiboken6.isValid(former) and former.isVisible():
            former.setFocus(Qt.FocusReason.OtherFocusReason)
