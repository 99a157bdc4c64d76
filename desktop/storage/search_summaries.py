"""Finds words in the summaries of chats: there are few, and a scan cannot be out of date."""

import sqlite3

from desktop.conversation.entities import SearchHit
from desktop.conversation.search_wish import SearchWish
from desktop.storage.rows import from_microseconds, to_microseconds
from desktop.storage.search_text import SearchQuery

_MOST_LOOKED_AT = 5_000


def find_summaries(connection: sqlite3.Connection, wish: SearchWish, limit: int) -> tuple[SearchHit, ...]:
    """Return the newest, one of each thread; each leads to the message with which it ends."""
    query = SearchQuery.of([(phrase.text, phrase.is_whole) for phrase in wish.phrases])
    if not query.phrases:
        return ()
    rows = connection.execute(
        "SELECT t.id, t.title, m.id, s.own_text, s.text, s.updated_at, t.archived_at FROM summaries AS s"
        " JOIN threads AS t ON t.seq = s.thread_seq JOIN messages AS m ON m.seq = s.until_seq"
        " WHERE t.deleted_at IS NULL AND t.is_temporary = 0 AND t.is_purging = 0 AND s.updated_at >= ?"
        " AND s.updated_at < ? ORDER BY s.seq DESC LIMIT ?",
        (
            0 if wish.since is None else to_microseconds(wish.since),
            2**62 if wish.until is None else to_microseconds(wish.until),
            _MOST_LOOKED_AT,
        ),
    )
    hits: dict[str, SearchHit] = {}
    for thread_id, title, message_id, own_text, written, at, archived_at in rows:
        text = "\n".join(filter(None, (own_text, written)))
        if thread_id in hits or not query.matches(text):
            continue
        if len(hits) == limit:
            break
        snippet = query.snippet(text)
        hits[thread_id] = SearchHit(
            thread_id=thread_id,
            thread_title=title,
            message_id=message_id,
            role=None,
            snippet=snippet.text,
            highlights=snippet.highlights,
            created_at=from_microseconds(at),
            is_archived=archived_at is not None,
        )
    return tuple(hits.values())
