"""Wait for a state, never for a time."""

import asyncio
import inspect
from collections.abc import Callable


def _source_of(predicate: Callable[[], object]) -> str:
    try:
        return inspect.getsource(predicate).strip()
    except (OSError, TypeError):
        return repr(predicate)


async def until(predicate: Callable[[], object], within: float = 20.0, step: float = 0.005) -> None:
    """Return as soon as ``predicate()`` is true; fail after ``within`` seconds, which only a broken test reaches."""
    loop = asyncio.get_running_loop()
    end = loop.time() + within
    while not predicate():
        if loop.time() > end:
            raise AssertionError(f"not within {within} s: {_source_of(predicate)}")
        await asyncio.sleep(step)
