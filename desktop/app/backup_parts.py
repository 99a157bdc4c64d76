"""What goes on beside the window for the safety of the library: daily backups, and a look at it after a crash or a while."""

import asyncio
import logging
import time
from datetime import timedelta
from typing import TYPE_CHECKING

from desktop.core.errors import ThreadwellError

if TYPE_CHECKING:
    from desktop.app.backups import Backups
    from desktop.app.container import Container
    from desktop.conversation.prompts.library import PromptLibrary

logger = logging.getLogger(__name__)

QUIET = timedelta(minutes=1)
CHECK_WAIT = timedelta(seconds=20)
"""After a crash: the window is of use first."""


def make_backups(container: "Container", prompts: "PromptLibrary") -> "Backups":
    """Return the backups of a running app's library."""
    from desktop.app.backup_merging import Library
    from desktop.app.backups import Backups

    library = Library(
        store=container.store,
        conversations=container.conversations,
        lists=container.lists,
        prompts=prompts,
        assistants=container.assistants,
        memory=container.memory.service,
        documents=container.memory.documents,
    )
    return Backups(library=library, settings=container.settings, secrets=container.secrets)


class BackupWork:
    """What goes on beside an open window: daily backups, and a look at the library after a crash or a while."""

    def __init__(self, container: "Container", prompts: "PromptLibrary", *, after_crash: bool) -> None:
        self._container, self._after_crash = container, after_crash
        self._running = 0
        self._last_activity = time.monotonic()
        self.backups = make_backups(container, prompts)
        container.chat.run_started.connect(lambda _run: self._count(1))
        container.chat.run_ended.connect(lambda _run: self._count(-1))

    def note_activity(self) -> None:
        """Somebody writes."""
        self._last_activity = time.monotonic()

    @property
    def is_quiet(self) -> bool:
        """Whether nothing is answered, and nobody has written for a while."""
        return self._running == 0 and time.monotonic() - self._last_activity >= QUIET.total_seconds()

    def _count(self, more: int) -> None:
        self._running += more
        self.note_activity()

    def start(self) -> None:
        """Begin; it ends with the app's tasks."""
        from desktop.app.daily_backups import DailyBackups

        tasks, backups = self._container.tasks, self.backups
        backups.failed.connect(self._container.problem_found.emit)
        daily = DailyBackups(backups, self._container.settings, is_quiet=lambda: self.is_quiet)
        tasks.spawn(daily.run(), name="daily backups")
        if self._after_crash:
            tasks.spawn(self._check(with_words=True), name="check the library")
        elif self._container.store.database.awaits_look:
            tasks.spawn(self._check_when_quiet(), name="check the library")

    async def _check_when_quiet(self) -> None:
        """A large library is not looked through when it is opened."""
        while True:
            await asyncio.sleep(QUIET.total_seconds())
            if self.is_quiet:
                break
        await self._check(with_words=False)

    async def _check(self, *, with_words: bool) -> None:
        """Look whether all is sound, and say only what is not."""
        await asyncio.sleep(CHECK_WAIT.total_seconds())
        try:
            report = await self.backups.check(lambda _progress: None, with_words=with_words)
        except ThreadwellError as error:
            logger.warning("the library could not be checked: %s", error)
            if error.code == "storage.suspected":
                self._container.problem_found.emit(error)
            return
        for finding in report.findings:
            if not finding.is_sound:
                logger.warning(
                    "in the library %s: %d wrong, mended: %s", finding.part, finding.count, finding.is_mended
                )
        if not report.is_sound:
            wrong = next(one for one in report.findings if not one.is_sound and not one.is_mended)
            detail = wrong.detail and f"({wrong.part.value}: {wrong.detail})"
            error = ThreadwellError("backup.unsound", part=wrong.part.value, count=wrong.count, detail=detail)
            self._container.problem_found.emit(error)
