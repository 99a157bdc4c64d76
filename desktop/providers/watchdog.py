"""A deadline that useful data pushes on."""

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

T = TypeVar("T")


class WatchdogExpiredError(Exception):
    """Nothing useful came in time."""


class Watchdog:
    """The time until something useful must come. What the consumer of the chunks takes does not count."""

    def __init__(self, seconds: float) -> None:
        self._timeout: asyncio.Timeout | None = None
        self.restart(seconds)

    def restart(self, seconds: float) -> None:
        """Begin anew, also while it is waited."""
        self.seconds = seconds
        self._deadline = asyncio.get_running_loop().time() + seconds
        if self._timeout is not None and not self._timeout.expired():
            self._timeout.reschedule(self._deadline)

    async def wait(self, awaitable: Awaitable[T]) -> T:
        """Await it, at most until the deadline; then raise ``WatchdogExpiredError``. One at a time."""
        timeout = asyncio.timeout_at(self._deadline)
        try:
            async with timeout:
                self._timeout = timeout
                try:
                    return await awaitable
                finally:
                    self._timeout = None
        except TimeoutError:
            if timeout.expired():
                raise WatchdogExpiredError from None
            raise
