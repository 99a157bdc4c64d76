"""Search over titles, messages and tool calls: the indexes are caught up with before, and checked by what they find."""

import logging
import sqlite3
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager

from desktop.conversation.entities import SearchHit
from desktop.conversation.search_wish import Phrase, SearchPage, SearchPlace, SearchWish, Stop, never
from desktop.core.errors import StorageError
from desktop.storage import call_index, search_index
from desktop.storage.database import Database
from desktop.storage.failures import primary_code
from desktop.storage.full_text import FullTextIndex
from desktop.storage.rows import clean, from_microseconds, role_of
from desktop.storage.search_text import SearchQuery
from desktop.storage.search_windows import Looking, Row, StoppedError, Window, WrongIndexError, windows

logger = logging.getLogger(__name__)

INDEXES = (search_index.INDEX, call_index.INDEX)
_MOST_HITS = 1000
_MOST_OF_THREAD = 3
_MOST_THREADS = 30
_MOST_AT_ONCE = 100
_PIECES_AT_ONCE = 2
"""Of what is not in an index yet, so many pieces are put into it before a search; the rest is for the background."""
_STEPS_BETWEEN_LOOKS = 2_000


async def catch_up(database: Database, index: FullTextIndex = search_index.INDEX, *, pieces: int | None = None) -> bool:
    """Index what was finished since the last time, in small transactions; False where some is left after ``pieces``."""

    def index_some(connection: sqlite3.Connection) -> bool:
        return index.or_reset(connection, lambda: index.index_pending(connection))

    resets = done = 0
    while await database.read(index.has_pending):
        if done == pieces:
            return False
        try:
            resets += not await database.write(index_some, needs_room=True)
        except StorageError as error:
            if error.code != "storage.full":
                raise
            logger.warning("the newest texts cannot be searched: the disk is full")
            return True
        if resets > 1:
            raise StorageError("storage.failed", detail="The search index cannot be built.")
        done += 1
    return True


async def index_some(database: Database) -> bool:
    """Put one piece more into the indexes; True while something is left."""
    return not all([await catch_up(database, index, pieces=1) for index in INDEXES])


async def find_all(database: Database, query: str, limit: int) -> tuple[SearchHit, ...]:
    """Return the newest hits in everything there is. An index that turns out to be wrong is rebuilt first."""
    wish = SearchWish(phrases=tuple(map(Phrase, query.split())))
    limit = min(limit, _MOST_HITS)
    hits: list[SearchHit] = []
    older: int | None = None
    rebuilt = False
    for index in INDEXES:
        await catch_up(database, index)
    while len(hits) < limit:
        looking = _looking(wish, older)
        if not looking.query.phrases:
            break
        try:
            page = await database.read(lambda connection, looking=looking: _page(connection, looking, limit, limit))
        except WrongIndexError as error:
            if rebuilt:
                raise StorageError("storage.failed", detail="The search index cannot be built.") from error
            logger.warning("the search index is wrong and is rebuilt")
            rebuilt = True
            await database.write(error.index.reset)
            await catch_up(database, error.index)
            continue
        hits += page.hits
        older = page.older
        if older is None:
            break
    return tuple(hits[: max(0, limit)])


async def find(
    database: Database, wish: SearchWish, *, older: int | None = None, thread_id: str = "", stop: Stop = never
) -> SearchPage:
    """Return a page of hits: some of each thread, or with ``thread_id`` all of that one."""
    looking = _looking(wish, older, clean(thread_id))
    if wish.is_empty or not (looking.query.phrases or wish.filters):
        return SearchPage()
    is_building = False
    for index in INDEXES:
        is_building |= not await catch_up(database, index, pieces=_PIECES_AT_ONCE)
        if stop():
            return SearchPage()
    of_thread = _MOST_AT_ONCE if thread_id else _MOST_OF_THREAD

    def read(connection: sqlite3.Connection) -> SearchPage:
        with _stoppable(connection, stop):
            return _page(connection, looking, of_thread, _MOST_AT_ONCE)

    try:
        page = await database.read(read)
    except StoppedError:
        return SearchPage()
    except WrongIndexError as error:
        logger.warning("the search index is wrong and is rebuilt")
        await database.write(error.index.reset)
        return SearchPage(is_building=True)
    return SearchPage(hits=page.hits, further=page.further, older=page.older, is_building=is_building)


def _looking(wish: SearchWish, older: int | None, thread_id: str = "") -> Looking:
    query = SearchQuery.of([(clean(phrase.text), phrase.is_whole) for phrase in wish.phrases])
    return Looking(wish, query, older, thread_id)


@contextmanager
def _stoppable(connection: sqlite3.Connection, stop: Stop) -> Generator[None, None, None]:
    """Raise ``StoppedError`` inside once nobody waits any more."""
    connection.set_progress_handler(stop, _STEPS_BETWEEN_LOOKS)
    try:
        yield
    except sqlite3.Error as error:
        if primary_code(error) == sqlite3.SQLITE_INTERRUPT:
            raise StoppedError from error
        raise
    finally:
        connection.set_progress_handler(None, 0)


def _page(connection: sqlite3.Connection, looking: Looking, of_thread: int, most: int) -> SearchPage:
    if looking.wish.phrases and not looking.query.phrases:
        return SearchPage()  # signs alone, which are in no index
    found = windows(connection, looking)
    floor = max((window.floor for window in found if window.floor is not None), default=None)
    kept, further, last = _choose(found, floor, of_thread, most)
    hits = _hits(connection, looking.query, kept)
    return SearchPage(hits=tuple(hits), further=further, older=floor if last is None else last)


def _choose(
    found: Sequence[Window], floor: int | None, of_thread: int, most: int
) -> tuple[list[tuple[SearchPlace, Row]], dict[str, int], int | None]:
    """Return the rows to be shown, how many more the threads have, and the last number where not all were looked at."""
    rows = [(window.place, row) for window in found for row in window.rows if floor is None or row[0] >= floor]
    rows.sort(key=lambda one: one[1][0], reverse=True)
    kept: list[tuple[SearchPlace, Row]] = []
    shown: dict[str, int] = {}
    further: dict[str, int] = {}
    number: int | None = None
    for place, row in rows:
        if row[0] != number and (len(kept) >= most or len(shown) > _MOST_THREADS):
            return kept, further, number
        number, thread = row[0], row[4]
        if place is SearchPlace.TITLE:
            shown.setdefault(thread, 0)
        elif shown.get(thread, 0) >= of_thread:
            further[thread] = further.get(thread, 0) + 1
            continue
        else:
            shown[thread] = shown.get(thread, 0) + 1
        kept.append((place, row))
    return kept, further, None


def _hits(
    connection: sqlite3.Connection, query: SearchQuery, kept: Sequence[tuple[SearchPlace, Row]]
) -> list[SearchHit]:
    texts = search_index.texts_of(connection, [row[0] for place, row in kept if place is SearchPlace.MESSAGES])
    calls = call_index.calls_of(connection, [row[0] for place, row in kept if place is SearchPlace.TOOLS])
    return [_hit(query, place, row, texts, calls) for place, row in kept]


def _hit(
    query: SearchQuery,
    place: SearchPlace,
    row: Row,
    texts: Mapping[int, str],
    calls: Mapping[int, Sequence[call_index.CallText]],
) -> SearchHit:
    seq, message_id, role, at, thread_id, title, is_archived, is_deleted = row
    call_id, text = "", title
    if place is SearchPlace.MESSAGES:
        text = texts.get(seq, "")
        _check(query, text, search_index.INDEX)
    elif place is SearchPlace.TOOLS:
        of_message = calls.get(seq, ())
        _check(query, call_index.text_of(of_message), call_index.INDEX)
        one = _call_with(query, of_message)
        call_id, text = one.call_id, one.text
    snippet = query.snippet(text)
    return SearchHit(
        thread_id=thread_id,
        thread_title=title,
        message_id=message_id or None,
        role=role_of(role) if role else None,
        snippet=snippet.text,
        highlights=snippet.highlights,
        created_at=from_microseconds(at),
        call_id=call_id,
        is_archived=bool(is_archived),
        is_deleted=bool(is_deleted),
    )


def _check(query: SearchQuery, text: str, index: FullTextIndex) -> None:
    if query.phrases and not query.matches(text):
        raise WrongIndexError(index)


def _call_with(query: SearchQuery, calls: Sequence[call_index.CallText]) -> call_index.CallText:
    """Return the first call that holds all of it, else the one that holds its beginning."""
    first = SearchQuery(query.phrases[:1], is_whole=query.is_whole or len(query.phrases) > 1)
    for wanted in (query, first):
        for call in calls:
            if wanted.matches(call.text):
                return call
    return calls[0] if calls else call_index.CallText("", "")
