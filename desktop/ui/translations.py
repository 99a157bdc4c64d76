"""The language of the window: which one is shown, and its change at run time."""

import logging
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QObject, QTranslator, Signal

SYSTEM = "system"
ENGLISH = "en"
CHINESE = "zh_CN"
logger = logging.getLogger(__name__)


class Translations(QObject):
    """Installs our translation and Qt's own for a language; without a compiled file the window stays English.

    ``changed`` comes when the new texts are in force; widgets get their ``LanguageChange`` events soon after it.
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

    def set_language(self, choice: str) -> None:
        """Show ``choice``: ``system``, ``en``, or a language that has a file in the folder."""
        wanted = system_language() if choice == SYSTEM else choice
        language = wanted if wanted == ENGLISH or self._file(wanted).is_file() else ENGLISH
        if language != wanted:
            logger.warning("no translation for %s in %s; the window stays English", wanted, self._folder)
        if language == self._language:
            return
        self._language = language
        QLocale.setDefault(QLocale(language) if language != ENGLISH else _english_locale())
        for translator in self._installed:
            self._app.removeTranslator(translator)
            translator.deleteLater()
        self._installed = []
        if language != ENGLISH:
            qt_folder = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
            self._install(qt_folder / f"qtbase_{language}.qm")
        if self._file(language).is_file():  # the English one has the plurals: "1 chat", "2 chats"
            self._install(self._file(language))
        self.changed.emit()

    def _file(self, language: str) -> Path:
        return self._folder / f"threadwell_{language}.qm"

    def _install(self, file: Path) -> None:
        translator = QTranslator(self)
        if not translator.load(str(file)):
            logger.warning("the translation %s could not be loaded", file)
            return
        self._app.installTranslator(translator)
        self._installed.append(translator)


def system_language() -> str:
    """Return ``zh_CN`` where the system's first language is Chinese, else English."""
    languages = QLocale.system().uiLanguages()
    return CHINESE if languages and languages[0].replace("-", "_").split("_")[0] == "zh" else ENGLISH


def _english_locale() -> QLocale:
    """Return the system's own English (its dates), or American English on a system in another language."""
    system = QLocale.system()
    return system if system.language() in (QLocale.Language.English, QLocale.Language.C) else QLocale(ENGLISH)
