"""Titles for a window that shows one transcript: there is nothing to switch to."""

from desktop.conversation.title_search import FoundThread


class NoTitles:
    """Implements ``TitleSearch``: finds nothing."""

    async def find(self, query: str, *, limit: int = 50) -> tuple[FoundThread, ...]:
        return ()
