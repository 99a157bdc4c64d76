"""Search over titles and message texts: the index is caught up with before, and checked by what it finds."""

import logging
import sqlite3

from desktop.conversation.entities import SearchHit
from desktop.core.errors import StorageError
from desktop.storage import search_index
from desktop.storage.database import Database
from desktop.storage.failures import INDEX_FAILURES, is_environment
from desktop.storage.full_text import FullTextIndex
from desktop.storage.rows import from_microseconds, role_of
from desktop.storage.search_text import SearchQuery

logger = logging.getLogger(__name__)

_MOST_HITS = 1000


class _WrongIndex(Exception):  # noqa: N818  (never leaves this module)
    """The index named a message that does not hold the query."""


async def catch_up(database: Database, index: FullTextIndex = search_index.INDEX) -> None:
    """Index what was finished since the last time, in small transactions."""

    def index_some(connection: sqlite3.Connection) -> bool:
        return index.or_reset(connection, lambda: index.index_pending(connection))

    resets = 0
    while await database.read(index.has_pending):
        try:
            resets += not await database.write(index_some, needs_room=True)
        except StorageError as error:
            if error.code != "storage.full":
                raise
            logger.warning("the newest texts cannot be searched: the disk is full")
            return
        if resets > 1:
            raise StorageError("storage.failed", detail="The search index cannot be built.")


async def find(database: Database, query: str, limit: int) -> tuple[SearchHit, ...]:
    """Return the newest hits. An index that turns out to be wrong is rebuilt first."""
    parsed = SearchQuery.parse(query)
    limit = min(limit, _MOST_HITS)
    if not parsed.phrases or limit <= 0:
        return ()
    try:
        return await database.read(lambda connection: _find(connection, parsed, limit))
    except _WrongIndex:
        logger.warning("the search index is wrong and is rebuilt")
    await database.write(search_index.INDEX.reset)
    await catch_up(database)
    try:
        return await database.read(lambda connection: _find(connection, parsed, limit))
    except _WrongIndex as error:
        raise StorageError("storage.failed", detail="The search index cannot be built.") from error


def _find(connection: sqlite3.Connection, query: SearchQuery, limit: int) -> tuple[SearchHit, ...]:
    hits = [*_message_hits(connection, query, limit), *_title_hits(connection, query, limit)]
    hits.sort(key=lambda hit: hit[0], reverse=True)
    return tuple(hit for _, hit in hits[:limit])


def _message_hits(connection: sqlite3.Connection, query: SearchQuery, limit: int) -> list[tuple[int, SearchHit]]:
    try:
        rows = search_index.find(connection, query, limit)
    except INDEX_FAILURES as error:
        if is_environment(error):
            raise
        raise _WrongIndex from error
    texts = search_index.texts_of(connection, [row[0] for row in rows])
    hits: list[tuple[int, SearchHit]] = []
    for seq, message_id, role, created_at, thread_id, title in rows:
        text = texts.get(seq, "")
        if not query.matches(text):
            raise _WrongIndex
        snippet = query.snippet(text)
        hit = SearchHit(
            thread_id=thread_id,
            thread_title=title,
            message_id=message_id,
            role=role_of(role),
            snippet=snippet.text,
            highlights=snippet.highlights,
            created_at=from_microseconds(created_at),
        )
        hits.append((seq, hit))
    return hits


def _title_hits(connection: sqlite3.Connection, query: SearchQuery, limit: int) -> list[tuple[int, SearchHit]]:
    """Look through all titles: there are few of them, and a scan cannot be out of date."""
    hits: list[tuple[int, SearchHit]] = []
    for change_seq, thread_id, title, updated_at in connection.execute(
        "SELECT change_seq, id, title, updated_at FROM threads WHERE deleted_at IS NULL AND is_temporary = 0 AND title <> ''"
        " ORDER BY change_seq DESC"
    ):
        if len(hits) == limit:
            break
        if query.matches(title):
            snippet = query.snippet(title)
            hit = SearchHit(
                thread_id=thread_id,
                thread_title=title,
                message_id=None,
                role=None,
                snippet=snippet.text,
                highlights=snippet.highlights,
                created_at=from_microseconds(updated_at),
            )
            hits.append((change_seq, hit))
    return hits
