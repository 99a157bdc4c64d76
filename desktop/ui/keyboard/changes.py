"""Changes of keys on their way to the settings: those of one action, or of all."""

import dataclasses
import logging
from collections.abc import Callable, Sequence

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QWidget

from desktop.core.errors import StorageError
from desktop.core.settings import SettingsStore
from desktop.core.shortcut_settings import OwnKeys
from desktop.ui.keyboard.own_keys import with_keys
from desktop.ui.shortcuts import SHORTCUTS

logger = logging.getLogger(__name__)


class KeyChanges:
    """What is changed is in force when it is on disk; where it cannot be written, that is reported and nothing changes."""

    def __init__(self, settings: SettingsStore, report_error: Callable[[BaseException], object]) -> None:
        self._settings = settings
        self._report_error = report_error

    def set_keys(self, shortcut_id: str, keys: Sequence[QKeySequence]) -> None:
        """Give an action these keys; whatever else has them loses them."""
        self.take(with_keys(self._settings.settings.shortcuts, shortcut_id, keys))

    def reset_all(self) -> None:
        """Give all actions the keys that they have by themselves."""
        self.take({})

    def ask_for_keys(self, parent: QWidget, shortcut_id: str) -> None:
        """Open the dialog in which the new keys of an action are pressed."""
        from desktop.ui.keyboard.keys_dialog import KeysDialog

        dialog = KeysDialog(parent, SHORTCUTS[shortcut_id])
        dialog.chosen.connect(lambda keys: self.set_keys(shortcut_id, keys))
        dialog.open()

    def take(self, own: OwnKeys) -> None:
        """Put these in force in place of all that was changed."""
        settings = self._settings.settings
        try:
            self._settings.update(dataclasses.replace(settings, shortcuts=own))
        except OSError as error:
            logger.warning("the keys could not be written: %s", error)
            self._report_error(StorageError.of_unwritten(error))
