"""The use case of looking through all chats: reads what was typed, finds page by page, keeps what finds up to date."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from desktop.conversation.entities import SearchHit
from desktop.conversation.lists import Folder
from desktop.conversation.search_filters import read_search
from desktop.conversation.search_wish import SearchPage, SearchWish, Stop, never
from desktop.core.clock import Clock, utc_now
from desktop.core.signal import Signal

_REST_SECONDS = 0.02
"""Between two pieces of what is still to be put into the index: whoever writes meanwhile is not kept waiting."""


class ChatSearch(Protocol):
    """Finds titles, messages and tool calls in the store."""

    async def find(
        self, wish: SearchWish, *, older: int | None = None, thread_id: str = "", stop: Stop = never
    ) -> SearchPage:
        """Return hits, newest first: a few of each thread, or with ``thread_id`` all messages and calls of that one.

        Words are compared without case and accents; the very last one may be the beginning of a word; a Chinese
        character is a word. A page may be empty and yet have ``older`` ones. Temporary threads are never found, the
        Trash only where the wish names it. Once ``stop`` is true, an empty page comes soon.
        """
        ...

    async def summaries(self, wish: SearchWish, *, limit: int) -> tuple[SearchHit, ...]:
        """Return summaries with the words, the newest of each thread; each with the message at which it ends."""
        ...

    async def index_some(self) -> bool:
        """Put a piece of what is not in the index yet into it; True while something is left."""
        ...


class SearchService:
    """What a front end does to find something.

    Signals:
        built: everything can be found now, after a page had said that it could not.
    """

    def __init__(
        self, store: ChatSearch, folders: Callable[[], Awaitable[Sequence[Folder]]], *, clock: Clock = utc_now
    ) -> None:
        self._store = store
        self._folders = folders
        self._clock = clock
        self._is_building = False
        self.built: Signal[[]] = Signal()

    async def read(self, text: str) -> SearchWish:
        """Return what is asked for by ``text``."""
        folders = {folder.name: folder.id for folder in await self._folders()} if ":" in text or "：" in text else {}
        return read_search(text, self._clock().astimezone(), folders=folders)

    async def find(
        self, wish: SearchWish, *, older: int | None = None, thread_id: str = "", stop: Stop = never
    ) -> SearchPage:
        """See ``ChatSearch.find``."""
        if wish.is_empty:
            return SearchPage()
        return await self._store.find(wish, older=older, thread_id=thread_id, stop=stop)

    async def summaries(self, wish: SearchWish, *, limit: int) -> tuple[SearchHit, ...]:
        """See ``ChatSearch.summaries``."""
        return await self._store.summaries(wish, limit=limit)

    async def build(self) -> None:
        """Put everything into the index, in small pieces; does nothing while that is being done."""
        if self._is_building:
            return
        self._is_building = True
        was_missing = False
        try:
            while await self._store.index_some():
                was_missing = True
                await asyncio.sleep(_REST_SECONDS)
        finally:
            self._is_building = False
        if was_missing:
            self.built.emit()
