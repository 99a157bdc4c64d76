"""The search over all chats in SQLite: the ``ChatSearch`` of the app."""

from desktop.conversation.entities import SearchHit
from desktop.conversation.search_wish import SearchPage, SearchWish, Stop, never
from desktop.storage import search
from desktop.storage.database import Database
from desktop.storage.search_summaries import find_summaries


class SqliteChatSearch:
    """See ``conversation.search_ports.ChatSearch``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(
        self, wish: SearchWish, *, older: int | None = None, thread_id: str = "", stop: Stop = never
    ) -> SearchPage:
        return await search.find(self._database, wish, older=older, thread_id=thread_id, stop=stop)

    async def summaries(self, wish: SearchWish, *, limit: int) -> tuple[SearchHit, ...]:
        return await self._database.read(lambda connection: find_summaries(connection, wish, limit))

    async def index_some(self) -> bool:
        return await search.index_some(self._database)
