"""The app's own language, as the user would choose it, for as long as a test needs it."""

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtWidgets import QApplication

from desktop.core.paths import resources_folder
from desktop.ui.translations import Translations


@contextmanager
def app_language(app: QApplication, language: str) -> Iterator[str]:
    """Let everything be in this language, and in English afterwards."""
    translations = Translations(app, language, resources_folder() / "translations")
    assert translations.language == language
    try:
        yield language
    finally:
        translations.set_language("en")
        translations.deleteLater()
