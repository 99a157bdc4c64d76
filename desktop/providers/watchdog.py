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
        self.restart(seconds)

    def restart(self, seconds: float) -> None:
        self.seconds = seconds
        self._deadline = asyncio.get_running_loop().time() + seconds

    async def wait(self, awaitable: Awaitable[T]) -> T:
        """Await it, at most until the deadline; then raise ``WatchdogExpiredError``."""
        timeout = asyncio.timeout_at(self._deadline)
        try:
            async with timeout:
                return await awaitable
        except TimeoutError:
            if timeout.expired():
                raise WatchdogExpiredError from None
            raise
