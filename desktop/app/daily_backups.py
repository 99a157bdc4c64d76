"""Makes a backup each day while the app is open: when the last one is older than a day, and nobody works right now."""

import asyncio
import logging
from collections.abc import Callable
from datetime import timedelta

from desktop.app.backups import Backups
from desktop.core.backups import BackupKind
from desktop.core.clock import Clock, utc_now
from desktop.core.errors import ThreadwellError
from desktop.core.settings import SettingsStore

logger = logging.getLogger(__name__)

EVERY = timedelta(days=1)
FIRST_WAIT, NEXT_WAIT = timedelta(minutes=2), timedelta(minutes=5)
AFTER_FAILURE = timedelta(hours=1)


class DailyBackups:
    """``run`` it as one task as long as the window is open."""

    def __init__(
        self, backups: Backups, settings: SettingsStore, *, is_quiet: Callable[[], bool], clock: Clock = utc_now
    ) -> None:
        """``is_quiet`` tells whether nothing is answered or written now."""
        self._backups, self._settings, self._is_quiet, self._clock = backups, settings, is_quiet, clock

    async def run(self) -> None:
        """Look now and then; never ends by itself."""
        await asyncio.sleep(FIRST_WAIT.total_seconds())
        while True:
            wait = NEXT_WAIT
            try:
                await self.keep_replaced()
                await self.make_if_due()
            except ThreadwellError as error:
                if error.code != "backup.busy":
                    logger.warning("the daily backup failed: %s", error)
                    self._backups.note_failure(error)
                    wait = AFTER_FAILURE
            await asyncio.sleep(wait.total_seconds())

    @property
    def is_due(self) -> bool:
        """Whether the user wants daily backups and the last one is older than a day, or made by a clock that was ahead."""
        if not self._settings.settings.backup.daily:
            return False
        last = self._backups.last_made_at()
        return last is None or not timedelta() <= self._clock() - last < EVERY

    async def make_if_due(self) -> bool:
        """Make a backup where one is due and nobody works; tell whether one was made. Raises ``ThreadwellError``."""
        if not self.is_due or not self._is_quiet() or self._backups.is_running:
            return False
        await self._backups.back_up(lambda _progress: None, BackupKind.DAILY)
        return True

    async def keep_replaced(self) -> None:
        """Make a backup of what a restored library took the place of, if that was not done yet. Raises ``ThreadwellError``."""
        await self._backups.keep_replaced()
