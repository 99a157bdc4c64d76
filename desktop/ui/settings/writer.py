"""Puts the changes of settings pages on disk: at once, or a moment after the last key or turn of a wheel."""

import logging
from collections.abc import Callable

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal

from desktop.core.errors import StorageError
from desktop.core.settings import Settings, SettingsStore

Edit = Callable[[Settings], Settings]
"""Makes the new settings from the present ones, so that two pages never undo each other's change."""

PAUSE_MS = 300
LONGEST_WAIT_MS = 1500
"""Who types or drags without a pause does not lose more than this when the power fails."""
logger = logging.getLogger(__name__)


class SettingsWriter(QObject):
    """The one way from the settings window to the store. A change is in force when it is on disk.

    Signals:
        written: all that was handed over is on disk.
        failed: it could not be written and nothing changed; carries the ``StorageError``. What was picked is given up,
            controls show the stored value again; what was typed goes on waiting, until a later try.
        flushing: whoever still holds something typed hands it over now (``save``); nothing comes later.
    """

    written = Signal()
    failed = Signal(object)
    flushing = Signal()

    def __init__(self, store: SettingsStore, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._waiting: dict[str, Edit] = {}
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PAUSE_MS)
        self._timer.timeout.connect(self._write_waiting)
        self._waiting_since = QElapsedTimer()
        self._is_stuck = False

    @property
    def settings(self) -> Settings:
        """What is stored."""
        return self._store.settings

    @property
    def waits(self) -> bool:
        """Something that was typed is not on disk yet."""
        return bool(self._waiting)

    @property
    def is_stuck(self) -> bool:
        """What waits could not be written, and the user knows."""
        return self._is_stuck

    def save(self, edit: Edit) -> bool:
        """Write now, with all that waits; returns whether it is on disk."""
        waiting, self._waiting = self._waiting, {}
        self._timer.stop()
        settings = self._store.settings
        for one in (*waiting.values(), edit):
            settings = one(settings)
        try:
            self._store.update(settings)
        except OSError as error:
            logger.warning("the settings could not be written: %s", error)
            self._waiting = waiting | self._waiting
            self._waiting_since.start()
            self._is_stuck = bool(self._waiting)
            self.failed.emit(StorageError.of_unwritten(error))
            return False
        self._is_stuck = False
        self.written.emit()
        return True

    def save_soon(self, key: str, edit: Edit) -> None:
        """Write in a moment; a later change of the same ``key`` takes the place of this one."""
        if not self._waiting:
            self._waiting_since.start()
        self._waiting[key] = edit
        self._is_stuck = False
        if self._waiting_since.elapsed() < LONGEST_WAIT_MS or not self._timer.isActive():
            self._timer.start()

    def drop(self, key: str) -> None:
        """Forget what waits under ``key``."""
        self._waiting.pop(key, None)

    def flush(self) -> bool:
        """Write all that waits, also what controls still hold; for the end of the window or the program."""
        self.flushing.emit()
        return self._write_waiting()

    def _write_waiting(self) -> bool:
        return self.save(lambda settings: settings) if self._waiting else True
