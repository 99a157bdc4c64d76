"""How presenters start work: supervised, and with errors that the user should hear about shown as a notice."""

import asyncio
from collections.abc import Coroutine
from typing import Any

from desktop.core.errors import ThreadwellError
from desktop.ui.services import UiServices


class Worker:
    """Runs coroutines for presenters; nobody waits for them, so nothing of the window can block."""

    def __init__(self, services: UiServices) -> None:
        self._services = services
        self._alone: set[str] = set()

    def start(self, work: Coroutine[Any, Any, object], name: str) -> "asyncio.Task[None]":
        """Run ``work`` in the background. An error made for the user is shown; any other reaches the supervisor.

        Returns the task, for whoever may want to cancel it.
        """
        task = self._services.tasks.spawn(self._guarded(work), name=name)
        task.add_done_callback(lambda _: work.close())  # for a task that was cancelled before it began
        return task

    def start_once(self, work: Coroutine[Any, Any, object], name: str) -> None:
        """As ``start``, unless what was started under this name goes on still: whoever presses twice means one thing.

        For all that opens a dialog, or asks something, after it has waited.
        """
        if name in self._alone:
            work.close()
            return
        self._alone.add(name)

        async def alone() -> None:
            try:
                await work
            finally:
                self._alone.discard(name)

        self.start(alone(), name).add_done_callback(lambda _: work.close())

    async def _guarded(self, work: Coroutine[Any, Any, object]) -> None:
        try:
            await work
        except ThreadwellError as error:
            self._services.report_error(error)
