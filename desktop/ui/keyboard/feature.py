"""The keyboard of a window: the keys that the user chose, what they do beside the window's own, and the palette."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QObject
from PySide6.QtWidgets import QApplication

from desktop.core.settings import Settings, Theme
from desktop.ui.keyboard.own_keys import put_in_force
from desktop.ui.services import UiServices
from desktop.ui.theme.theme_manager import ThemeManager

if TYPE_CHECKING:
    from desktop.ui.palette.presenter import PalettePresenter
    from desktop.ui.shortcuts_dialog import ShortcutsDialog
    from desktop.ui.window_presenter import WindowPresenter


class KeyboardFeature(QObject):
    """``palette`` is made when it is first asked for."""

    def __init__(self, presenter: "WindowPresenter", services: UiServices, theme: ThemeManager) -> None:
        super().__init__(presenter)
        self._presenter = presenter
        self._services = services
        self._theme = theme
        self._palette: PalettePresenter | None = None
        window = presenter.window
        sidebar, footer, header = window.sidebar, window.sidebar.footer, window.header
        for shortcut_id, act in (
            ("export_chat", lambda: self._with_chat(lambda chat: sidebar.export_requested.emit([chat]))),
            ("delete_chat", lambda: self._with_chat(lambda chat: presenter.sidebar.delete([chat]))),
            ("pin_chat", lambda: self._with_chat(self._pin)),
            ("archive_chat", lambda: self._with_chat(self._archive)),
            ("export_all", presenter.interchange.export_all),
            ("import_chats", presenter.interchange.choose_file),
            ("attach_files", window.composer.files.button.click),
            ("choose_model", header.model_requested.emit),
            ("tool_servers", header.show_servers),
            ("trash", self._open_trash),
            ("switch_theme", lambda: footer.theme_chosen.emit(self._other_theme())),
        ):
            window.keys.add(shortcut_id, act)
        window.palette_requested.connect(lambda which: self.palette.open(which))
        window.shortcuts_shown.connect(self._connect_list)
        services.settings.changed.connect(self._settings_changed)
        self._settings_changed(services.settings.settings)

    @property
    def palette(self) -> "PalettePresenter":
        if self._palette is None:
            from desktop.ui.palette.presenter import PalettePresenter

            presenter = self._presenter
            self._palette = PalettePresenter(
                presenter.window,
                self._services,
                self._theme,
                open_chat=presenter.sidebar.open_requested.emit,
                open_settings=presenter.open_settings,
                current_chat=lambda: presenter.thread_id,
                parent=self,
            )
        return self._palette

    def _settings_changed(self, settings: Settings) -> None:
        """Let all that names keys say the new ones: it makes its words anew when the language changes."""
        if put_in_force(settings.shortcuts):
            self._presenter.window.keys.renew()
            for widget in QApplication.topLevelWidgets():
                # Not at once: one of them may be what just told of the keys, or go because another one changes.
                QCoreApplication.postEvent(widget, QEvent(QEvent.Type.LanguageChange))

    def _connect_list(self, dialog: "ShortcutsDialog") -> None:
        from desktop.ui.keyboard.changes import KeyChanges

        if shiboken6.isValid(dialog):  # one that was opened before all this was there may be closed again
            changes = KeyChanges(self._services.settings, self._services.report_error)
            dialog.change_requested.connect(lambda shortcut_id: changes.ask_for_keys(dialog, shortcut_id))
            dialog.reset_requested.connect(changes.reset_all)

    def _with_chat(self, act: Callable[[str], object]) -> None:
        if (chat := self._presenter.thread_id) is not None:
            act(chat)

    def _pin(self, chat: str) -> None:
        sidebar = self._presenter.window.sidebar
        thread = sidebar.model.get(chat)
        sidebar.list.pin_requested.emit([chat], thread is None or thread.pinned_at is None)

    def _archive(self, chat: str) -> None:
        """One that is not in the list is archived already."""
        sidebar = self._presenter.window.sidebar
        sidebar.list.archive_requested.emit([chat], sidebar.model.get(chat) is not None)

    def _open_trash(self) -> None:
        window = self._presenter.window
        if not window.sidebar.isVisibleTo(window):
            window.toggle_sidebar()
        window.sidebar.footer.trash_requested.emit()

    def _other_theme(self) -> Theme:
        return Theme.LIGHT if self._theme.tokens.name == "dark" else Theme.DARK
