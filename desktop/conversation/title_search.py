"""Finding threads by their titles, as a quick switcher needs it while somebody types: the port and what it returns."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, kw_only=True)
class FoundThread:
    thread_id: str
    title: str
    """Empty for a thread that has none yet."""
    updated_at: datetime
    matches: tuple[tuple[int, int], ...] = ()
    """Start and end offsets of what was looked for within the title."""
    folder: str = ""
    """The name of the one that it is in."""
    is_archived: bool = False


class TitleSearch(Protocol):
    """Implemented in ``storage``. The Trash and temporary threads are left out. Raises ``StorageError``."""

    async def find(self, query: str, *, limit: int = 50) -> tuple[FoundThread, ...]:
        """Threads whose titles hold all of ``query``, which is text and never syntax; without any, all threads.

        Case and accents do not count, a word may begin anywhere in another, and of Chinese each character counts by
        itself. Titles that hold it in one piece come first, then those that hold all of it somewhere; newest change
        first in both. However many threads there are, the time for it is bounded.
        """
        ...
