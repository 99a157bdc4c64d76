"""Connects the look with the settings: theme, language and text size as they are chosen anywhere in the window."""

import dataclasses
from collections.abc import Callable

from PySide6.QtCore import QLocale, QObject

from desktop.core.errors import StorageError
from desktop.core.settings import FONT_SIZES, AppearanceSettings, Settings, Theme
from desktop.ui.main_window import MainWindow
from desktop.ui.services import UiServices
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.translations import Translations


class AppearancePresenter(QObject):
    """Writes what is chosen into the settings, and lets theme and language follow these, wherever they were changed."""

    def __init__(
        self,
        window: MainWindow,
        theme: ThemeManager,
        translations: Translations,
        services: UiServices,
        show_error: Callable[[BaseException], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._theme = theme
        self._translations = translations
        self._store = services.settings
        self._show_error = show_error
        # Theme and language were given to us by the shell: an option of this start may differ from the settings.
        self._appearance = self._store.settings.appearance
        footer = window.sidebar.footer
        footer.set_languages(translations.languages)
        footer.theme_chosen.connect(self._choose_theme)
        footer.language_chosen.connect(self.choose_language)
        window.text_size_requested.connect(self._change_text_size)
        self._store.changed.connect(self._follow)
        self._tick()

    def choose_language(self, language: str) -> None:
        self._change(language=language)

    def _follow(self, settings: Settings) -> None:
        before, self._appearance = self._appearance, settings.appearance
        if before.language != self._appearance.language:
            self._translations.set_language(self._appearance.language)
        appearance = self._appearance
        if before.theme is appearance.theme:
            appearance = dataclasses.replace(appearance, theme=self._theme.appearance.theme)
        self._theme.set_appearance(appearance)
        self._tick()

    def _tick(self) -> None:
        self._window.sidebar.footer.set_appearance(self._appearance.theme, self._appearance.language)

    def _choose_theme(self, theme: Theme) -> None:
        self._change(theme=theme)

    def _change_text_size(self, step: int) -> None:
        """Larger, smaller, or with 0 as at first; the code goes along in proportion."""
        appearance, usual = self._store.settings.appearance, AppearanceSettings()
        least, most = FONT_SIZES
        if step:
            font = min(most, max(least, appearance.font_size + step))
            code = min(most, max(least, round(2 * appearance.code_font_size * font / appearance.font_size) / 2))
        else:
            font, code = usual.font_size, usual.code_font_size
        self._change(font_size=font, code_font_size=code)
        self._window.toast.tell(lambda: self.tr("Text size %1").replace("%1", QLocale().toString(font)))

    def _change(self, **changes: object) -> None:
        appearance = dataclasses.replace(self._store.settings.appearance, **changes)
        try:
            self._store.update(dataclasses.replace(self._store.settings, appearance=appearance))
        except OSError as error:
            self._show_error(StorageError.of_unwritten(error))
            self._tick()
