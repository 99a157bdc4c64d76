"""Notices that the computer slept, or that the whole program stood still: connections may be dead without a word."""

import asyncio
import time
from collections.abc import Callable

LOOK_SECONDS = 10.0
_SLEEP_SECONDS = 20.0


async def watch_for_sleep(
    woke: Callable[[], None],
    *,
    every: Callable[[], None] = lambda: None,
    look_seconds: float = LOOK_SECONDS,
    now: Callable[[], float] = time.time,
) -> None:
    """Call ``woke`` after each sleep, and ``every`` at each other look, until cancelled.

    A loop's own clock stands still during a sleep on some systems, so the clock on the wall is looked at: when it has
    gone on for much longer than we meant to wait. A person who sets that clock forward causes a false alarm.
    """
    while True:
        before = now()
        await asyncio.sleep(look_seconds)
        if now() - before > look_seconds + _SLEEP_SECONDS:
            woke()
        else:
            every()
