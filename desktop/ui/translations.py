"""The language of the window: which ones there are, which one is shown, and its change at run time."""

import logging
from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QObject, QTranslator, Signal
from PySide6.QtWidgets import QApplication

SYSTEM = "system"
ENGLISH = "en"
CHINESE = "zh_CN"
PREFIX = "threadwell_"
logger = logging.getLogger(__name__)


class Translations(QObject):
    """Installs our translation and Qt's own for a language; without a compiled file the window stays English.

    A language is a file in the folder, ``threadwell_de.qm``, and nothing else. ``changed`` comes when the new texts are
    in force; widgets get their ``LanguageChange`` events soon after it.
    """

    changed = Signal()

    def __init__(self, app: QCoreApplication, choice: str, folder: Path) -> None:
        super().__init__(app)
        self._app = app
        self._folder = folder
        self._installed: list[QTranslator] = []
        self._language = ""
        self.set_language(choice)

    @property
    def language(self) -> str:
        """The language that is shown, for example ``zh_CN``; never ``system``."""
        return self._language

    @property
    def languages(self) -> list[str]:
        """The languages that can be shown: English, and every one whose compiled file lies in the folder."""
        found = {file.stem.removeprefix(PREFIX) for file in self._folder.glob(f"{PREFIX}*.qm")}
        return [ENGLISH, *sorted(found - {ENGLISH})]

    def system_language(self) -> str:
        """Return the language that ``system`` means here."""
        return best_language(QLocale.system().uiLanguages(), self.languages)

    def set_language(self, choice: str) -> None:
        """Show ``choice``: ``system``, ``en``, or a language that has a file in the folder."""
        wanted = self.system_language() if choice == SYSTEM else choice
        language = wanted if wanted in self.languages else ENGLISH
        if language != wanted:
            logger.warning("no translation for %s in %s; the window stays English", wanted, self._folder)
        if language == self._language:
            return
        self._language = language
        self._set_locale(_locale_of(language))
        self.uninstall()
        if language != ENGLISH:
            self._install_qts_own(language)
        if (file := self._folder / f"{PREFIX}{language}.qm").is_file():  # the English one has the plurals: "1 chat"
            self._install(file)
        self.changed.emit()

    def uninstall(self) -> None:
        """Take the translations out of the application, for whoever opens another window in it after this one."""
        for translator in self._installed:
            self._app.removeTranslator(translator)
            translator.deleteLater()
        self._installed = []

    def _set_locale(self, locale: QLocale) -> None:
        QLocale.setDefault(locale)
        if isinstance(self._app, QApplication):
            for window in self._app.topLevelWidgets():
                window.setLocale(locale)  # its number fields and calendars would keep the one that they were made with

    def _install_qts_own(self, language: str) -> None:
        """The buttons of Qt's dialogs and the menus of its text fields; Qt has them in some forty languages."""
        translator = QTranslator(self)
        if translator.load(
            QLocale(language), "qtbase", "_", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        ):
            self._app.installTranslator(translator)
            self._installed.append(translator)
        else:
            logger.info("Qt has no translation for %s; its own buttons stay English", language)

    def _install(self, file: Path) -> None:
        translator = QTranslator(self)
        if not translator.load(str(file)):
            logger.warning("the translation %s could not be loaded", file)
            return
        self._app.installTranslator(translator)
        self._installed.append(translator)


def own_name(language: str) -> str:
    """Return what a language is called in itself, for example ``中文``; never translated."""
    names = {ENGLISH: "English", CHINESE: "中文"}  # Qt's are those of one country: American English, 简体中文
    return names.get(language) or QLocale(language).nativeLanguageName().capitalize() or language


def best_language(preferred: Iterable[str], available: Iterable[str]) -> str:
    """Return the first of the user's languages that is available, in its script and best for its country; else English.

    ``preferred`` is the system's list, which ends each language with its plain form. So where there is no traditional
    Chinese, a user who set nothing but that gets the simplified one, and one who named English second gets English.
    """
    locales = {language: QLocale(language) for language in available}
    for tag in preferred:
        wanted = QLocale(tag)
        fitting = [
            language
            for language, locale in locales.items()
            if (locale.language(), locale.script()) == (wanted.language(), wanted.script())
        ]
        same_country = [language for language in fitting if locales[language].territory() == wanted.territory()]
        if fitting:
            return (same_country or fitting)[0]
    return ENGLISH


def _locale_of(language: str) -> QLocale:
    """Return how dates and numbers are written: as the system does, if it speaks this language, else as is usual in it."""
    locale, system = QLocale(language), QLocale.system()
    is_same = (locale.language(), locale.script()) == (system.language(), system.script())
    return system if is_same else locale
