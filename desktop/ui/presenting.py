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

    def start(self, work: Coroutine[Any, Any, object], name: str) -> "asyncio.Task[None]":
        """Run ``work`` in the background. An error made for the user is shown; any other reaches the supervisor.

        Returns the task, for whoever may want to cancel it.
        """
        task = self._services.tasks.spawn(self._guarded(work), name=name)
        task.add_done_callback(lambda _: work.close())  # for a task that was cancelled before it began
        return task

    async def _guarded(self, work: Coroutine[Any, Any, object]) -> None:
        try:
            await work
        except ThreadwellError as error:
            self._services.report_error(error)
