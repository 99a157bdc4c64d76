"""Finding threads by their titles: SQLite leaves out what cannot match, and the few that are left are looked at."""

import re
import sqlite3
from collections.abc import Sequence

from desktop.conversation.title_search import FoundThread
from desktop.storage import title_words
from desktop.storage.database import Database
from desktop.storage.rows import clean, from_microseconds
from desktop.storage.search_text import fold

MOST_WORDS = 16
MOST_LOOKED_AT = 3000
"""So many titles that may match are looked at, the newest ones."""

_COLUMNS = "id, title, updated_at, (SELECT f.name FROM folders AS f WHERE f.seq = folder_seq), archived_at IS NOT NULL"
_LISTED = "FROM threads WHERE deleted_at IS NULL AND is_temporary = 0 AND is_purging = 0"
_ORDER = "ORDER BY change_seq DESC, updated_at DESC, seq DESC LIMIT ?"
_Row = tuple[str, str, int, str | None, int]


class SqliteTitles:
    """See ``conversation.title_search.TitleSearch``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, query: str, *, limit: int = 50) -> tuple[FoundThread, ...]:
        text = clean(query)
        words = tuple(dict.fromkeys(fold(text).split()))[:MOST_WORDS]
        if limit <= 0 or (text.strip() and not words):
            return ()
        return await self._database.read(lambda connection: _find(connection, words, _joined(text), limit))


def _find(connection: sqlite3.Connection, words: Sequence[str], whole: str, limit: int) -> tuple[FoundThread, ...]:
    if not words:
        newest = connection.execute(f"SELECT {_COLUMNS} {_LISTED} {_ORDER}", (limit,)).fetchall()
        return tuple(_found(row, ()) for row in newest)
    may_hold, values = title_words.may_hold("title", "seq", words)
    query = f"SELECT {_COLUMNS} {_LISTED} AND title <> '' AND {may_hold} {_ORDER}"
    in_one_piece: list[FoundThread] = []
    in_pieces: list[FoundThread] = []
    for row in connection.execute(query, (*values, MOST_LOOKED_AT)):
        folded = fold(row[1])
        if not all(word in folded for word in words):
            continue
        into = in_one_piece if whole in _joined(row[1]) else in_pieces
        if len(into) < limit:
            into.append(_found(row, words))
        if len(in_one_piece) == limit:
            break
    return (*in_one_piece, *in_pieces)[:limit]


def _joined(text: str) -> str:
    return " ".join(fold(text).split())


def _found(row: _Row, words: Sequence[str]) -> FoundThread:
    thread_id, title, updated_at, folder, is_archived = row
    return FoundThread(
        thread_id=thread_id,
        title=title,
        updated_at=from_microseconds(updated_at),
        matches=_matches(title, words),
        folder=folder or "",
        is_archived=bool(is_archived),
    )


def _matches(title: str, words: Sequence[str]) -> tuple[tuple[int, int], ...]:
    """Where all of them stand in one piece, else where each stands first; what touches is taken together."""
    folded: list[str] = []
    origins: list[int] = []
    for offset, character in enumerate(title):
        piece = fold(character)
        folded.append(piece)
        origins.extend([offset] * len(piece))
    whole, spans = "".join(folded), list[tuple[int, int]]()
    if words and (piece := re.search(r"\s*".join(map(re.escape, words)), whole)):
        return ((origins[piece.start()], origins[piece.end() - 1] + 1),)
    for word in words:
        if (start := whole.find(word)) >= 0:
            spans.append((origins[start], origins[start + len(word) - 1] + 1))
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)
