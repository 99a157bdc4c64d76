"""Looks through an index, or through all messages, from the newest on, a window at a time.

So the first hits of a frequent word come at once, and nothing takes long before it can be given up.
"""

import json
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from desktop.conversation.search_wish import SearchPlace, SearchWish
from desktop.storage import call_index, search_index, title_words
from desktop.storage.failures import INDEX_FAILURES, is_environment, primary_code
from desktop.storage.full_text import FullTextIndex
from desktop.storage.search_conditions import Conditions, of_messages, of_threads, of_titles
from desktop.storage.search_text import SearchQuery

_ROWS, _ROWS_WITH_FILTERS = 1_000, 5_000
_MOST_TITLES = 4_000
_SHORT_PREFIX = 3
_ROWS_READ = 300
"""How many of the newest messages are read for what is only the beginning of a word: the index would have to put all
words that begin so together first, which takes a second where there are a million messages."""
_ENOUGH_READ = 30
_EVERYTHING = 2**62

Row = tuple[int, str, str, int, str, str, int, int]
"""Number, id, role, time of a message, id and title of its thread, whether that is archived, and whether it is in the
Trash; of a title number and time of the thread."""
_OF_THREAD = "t.id, t.title, t.archived_at IS NOT NULL, t.deleted_at IS NOT NULL"


class WrongIndexError(Exception):
    """Never leaves the search: an index is damaged, or named a message that does not hold the query."""

    def __init__(self, index: FullTextIndex) -> None:
        super().__init__(index.table)
        self.index = index


class StoppedError(Exception):
    """Never leaves the search: nobody waits for the answer any more."""


@dataclass(frozen=True)
class Window:
    """Rows that fulfil all conditions, newest first; all there are down to ``floor``, or at all where that is None."""

    place: SearchPlace
    rows: Sequence[Row]
    floor: int | None


@dataclass(frozen=True)
class Looking:
    """One search: what was asked, below which number it looks now, and in which thread alone."""

    wish: SearchWish
    query: SearchQuery
    before: int | None = None
    thread_id: str = ""

    @property
    def below(self) -> int:
        return _EVERYTHING if self.before is None else self.before


def windows(connection: sqlite3.Connection, looking: Looking) -> list[Window]:
    """Return the next window of each place."""
    wish = looking.wish
    found: list[Window] = []
    if wish.looks_in(SearchPlace.TITLE) and not looking.thread_id:
        found.append(_titles(connection, looking))
    lowest, highest = _bounds(connection, looking)
    if highest <= lowest:
        return found
    for place, index in ((SearchPlace.MESSAGES, search_index.INDEX), (SearchPlace.TOOLS, call_index.INDEX)):
        if wish.looks_in(place):
            found.append(_messages(connection, looking, place, index, (lowest, highest)))
    return found


def _bounds(connection: sqlite3.Connection, looking: Looking) -> tuple[int, int]:
    """Between which numbers messages may have, the upper one left out: those of one thread lie near each other."""
    if not looking.thread_id:
        return 0, looking.below
    lowest, highest = connection.execute(
        "SELECT min(m.seq), max(m.seq) FROM messages AS m JOIN threads AS t ON t.seq = m.thread_seq WHERE t.id = ?",
        (looking.thread_id,),
    ).fetchone()
    return (0, 0) if lowest is None else (lowest, min(looking.below, highest + 1))


def _messages(
    connection: sqlite3.Connection, looking: Looking, place: SearchPlace, index: FullTextIndex, bounds: tuple[int, int]
) -> Window:
    numbers, floor = _candidates(connection, looking, place, index, bounds)
    found, of_message = of_threads(looking.wish, looking.thread_id), of_messages(looking.wish)
    rows = connection.execute(
        f"SELECT m.seq, m.id, m.role, m.created_at, {_OF_THREAD}"
        " FROM json_each(?) AS j CROSS JOIN messages AS m ON m.seq = j.value CROSS JOIN threads AS t ON t.seq = m.thread_seq"
        f" WHERE {found.sql} AND {of_message.sql} ORDER BY m.seq DESC",
        (json.dumps(numbers), *found.values, *of_message.values),
    ).fetchall()
    return Window(place, rows, floor)


def _candidates(
    connection: sqlite3.Connection, looking: Looking, place: SearchPlace, index: FullTextIndex, bounds: tuple[int, int]
) -> tuple[list[int], int | None]:
    """Return the numbers of the newest messages with the words, and how far down that is all of them."""
    lowest, highest = bounds
    room = _ROWS if not looking.wish.filters else _ROWS_WITH_FILTERS
    if not looking.query.phrases:
        flag = f"{index.flag} = 1" if place is SearchPlace.TOOLS else "status <> 'streaming'"
        query = f"SELECT seq FROM messages WHERE {flag} AND seq >= ? AND seq < ? ORDER BY seq DESC LIMIT ?"
        return _limited(connection, query, (lowest, highest, room), room)
    prefix = looking.query.prefix
    if place is SearchPlace.MESSAGES and prefix is not None and len(prefix) <= _SHORT_PREFIX:
        matching, floor = _read_newest(connection, looking.query, bounds)
        if floor is None or len(matching) >= _ENOUGH_READ:
            return matching, floor
    query = (
        f"SELECT rowid FROM {index.table} WHERE {index.table} MATCH ? AND rowid >= ? AND rowid < ?"
        " ORDER BY rowid DESC LIMIT ?"
    )
    try:
        return _limited(connection, query, (looking.query.to_fts(), lowest, highest, room), room)
    except INDEX_FAILURES as error:
        if isinstance(error, sqlite3.Error) and (
            is_environment(error) or primary_code(error) == sqlite3.SQLITE_INTERRUPT
        ):
            raise
        raise WrongIndexError(index) from error


def _limited(
    connection: sqlite3.Connection, query: str, values: Sequence[object], room: int
) -> tuple[list[int], int | None]:
    numbers = [row[0] for row in connection.execute(query, values)]
    return numbers, numbers[-1] if len(numbers) == room else None


def _read_newest(
    connection: sqlite3.Connection, query: SearchQuery, bounds: tuple[int, int]
) -> tuple[list[int], int | None]:
    numbers, floor = _limited(
        connection,
        f"SELECT seq FROM messages WHERE {search_index.INDEX.flag} = 1 AND seq >= ? AND seq < ? ORDER BY seq DESC LIMIT ?",
        (*bounds, _ROWS_READ),
        _ROWS_READ,
    )
    texts = search_index.texts_of(connection, numbers)
    return [number for number in numbers if query.matches(texts.get(number, ""))], floor


def _titles(connection: sqlite3.Connection, looking: Looking) -> Window:
    """Look through those titles that may hold the words: there are few of them, and a scan cannot be out of date."""
    found = of_threads(looking.wish, "")
    found.add("t.change_seq < ?", looking.below)
    if looking.query.phrases:
        found.add("t.title <> ''")
        may_hold, values = title_words.may_hold("t.title", "t.seq", looking.query.words)
        found.add(may_hold, *values)
    days = of_titles(looking.wish)
    everything = Conditions([*found.clauses, *days.clauses], [*found.values, *days.values])
    matches: Callable[[str], bool] = looking.query.matches if looking.query.phrases else lambda _: True
    rows: list[Row] = []
    last: int | None = None
    for count, row in enumerate(
        connection.execute(
            f"SELECT t.change_seq, '', '', t.updated_at, {_OF_THREAD} FROM threads AS t"
            f" WHERE {everything.sql} ORDER BY t.change_seq DESC",
            everything.values,
        )
    ):
        if count >= _MOST_TITLES and row[0] != last:  # imported chats share one number
            return Window(SearchPlace.TITLE, rows, last)
        last = row[0]
        if matches(row[5]):
            rows.append(row)
    return Window(SearchPlace.TITLE, rows, None)
