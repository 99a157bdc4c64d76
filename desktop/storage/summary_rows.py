"""Summaries as rows, and what becomes of them where something that they hold is forgotten; all inside a transaction."""

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from desktop.conversation.summaries import Summary, SummaryProblem, SummaryState
from desktop.core.costs import Cost
from desktop.core.expressions import Expression
from desktop.core.ids import new_id
from desktop.core.language_model import Usage
from desktop.storage import message_tree
from desktop.storage.rows import (
    clean,
    from_microseconds,
    next_number,
    placeholders,
    storable_count,
    to_microseconds,
    unreadable,
)
from desktop.storage.search_text import fold

_COLUMNS = (
    "id, thread_seq, until_seq, text, own_text, pinned, is_stale, created_at, updated_at, model, input_tokens,"
    " output_tokens, cost, currency"
)
_QUERY = (
    "SELECT s.id, t.id, m.id, s.text, s.own_text, s.pinned, s.is_stale, s.created_at, s.updated_at, s.model,"
    " s.input_tokens, s.output_tokens, s.cost, s.currency"
    " FROM summaries AS s JOIN threads AS t ON t.seq = s.thread_seq JOIN messages AS m ON m.seq = s.until_seq"
)
_SENTENCE = Expression("[^.!?\n。！？]+[.!?。！？]*[ \t]*|\n")
_LEAST_LETTERS = 4
"""Of a text that is looked for within others: a shorter one stands by chance in many."""


def on_path(connection: sqlite3.Connection, thread_id: str, until: str | None) -> SummaryState:
    """Return what holds for a path of a thread."""
    ends = connection.execute(
        "SELECT s.until_seq FROM summaries AS s JOIN threads AS t ON t.seq = s.thread_seq"
        " WHERE t.id = ? AND t.is_purging = 0",
        (thread_id,),
    ).fetchall()
    furthest: int | None = None
    if ends:
        path = set(message_tree.path_numbers(connection, thread_id, until=until))
        furthest = max((end for (end,) in ends if end in path), default=None)
    row = connection.execute(
        "SELECT is_off, problem, attempts, turns_to_wait FROM summary_states AS w JOIN threads AS t"
        " ON t.seq = w.thread_seq WHERE t.id = ? AND t.is_purging = 0",
        (thread_id,),
    ).fetchone()
    is_off, problem, attempts, turns = row or (0, None, 0, 0)
    return SummaryState(
        summary=None
        if furthest is None
        else _to_summary(connection.execute(f"{_QUERY} WHERE s.until_seq = ?", (furthest,)).fetchone()),
        is_off=bool(is_off),
        problem=None if problem is None else SummaryProblem(problem),
        attempts=attempts,
        turns_to_wait=turns,
        forgotten=_count_forgotten(connection),
    )


def _count_forgotten(connection: sqlite3.Connection) -> int:
    count: int = connection.execute("SELECT count(*) FROM forgotten").fetchone()[0]
    return count


def put(connection: sqlite3.Connection, summary: Summary, as_of: SummaryState) -> bool:
    """Store a summary; False where its thread or its end is gone, or what it was made from is not as it was."""
    if as_of.forgotten != _count_forgotten(connection):
        return False
    if as_of.summary is not None:
        row = connection.execute(f"{_QUERY} WHERE s.id = ?", (as_of.summary.id,)).fetchone()
        if row is None or _to_summary(row) != as_of.summary:
            return False
    place = connection.execute(
        "SELECT t.seq, m.seq FROM threads AS t JOIN messages AS m ON m.thread_seq = t.seq"
        " WHERE t.id = ? AND m.id = ? AND t.is_purging = 0 AND m.deleted_at IS NULL",
        (summary.thread_id, summary.until_id),
    ).fetchone()
    if place is None:
        return False
    usage, cost = summary.usage, summary.cost
    values = (
        summary.id,
        *place,
        clean(summary.text),
        clean(summary.own_text),
        clean(json.dumps(summary.pinned, ensure_ascii=False)),
        summary.is_stale,
        to_microseconds(summary.created_at),
        to_microseconds(summary.updated_at),
        clean(summary.model),
        storable_count(usage.input_tokens),
        storable_count(usage.output_tokens),
        None if cost is None else cost.amount,
        None if cost is None else clean(cost.currency),
    )
    connection.execute("DELETE FROM summaries WHERE id = ? OR until_seq = ?", (summary.id, place[1]))
    connection.execute(
        f"INSERT INTO summaries (seq, {_COLUMNS}) VALUES (?, {placeholders(values)})",
        (next_number(connection), *values),
    )
    return True


def change_state(connection: sqlite3.Connection, thread_id: str, assignment: str, values: Sequence[object]) -> None:
    """Set columns of what holds for a thread; nothing happens where it is gone."""
    connection.execute(
        "INSERT OR IGNORE INTO summary_states (thread_seq) SELECT seq FROM threads WHERE id = ? AND is_purging = 0",
        (thread_id,),
    )
    connection.execute(
        f"UPDATE summary_states SET {assignment} WHERE thread_seq = (SELECT seq FROM threads WHERE id = ?)",
        (*values, thread_id),
    )


def leave_thread(connection: sqlite3.Connection, thread_seq: int) -> None:
    """A thread is purged: its summaries go first."""
    connection.execute("DELETE FROM summaries WHERE thread_seq = ?", (thread_seq,))
    connection.execute("DELETE FROM summary_states WHERE thread_seq = ?", (thread_seq,))


def copy_last(connection: sqlite3.Connection, thread_seq: int, copies: Mapping[int, int]) -> None:
    """Give a thread that was branched the summary that reaches furthest among its messages.

    ``copies`` holds the numbers of its messages by those of the messages that they were made from.
    """
    newest = max(copies, default=None)
    rows = connection.execute(
        "SELECT s.seq, s.until_seq FROM summaries AS s JOIN messages AS m ON m.thread_seq = s.thread_seq WHERE m.seq = ?",
        (newest,),
    ).fetchall()
    connection.execute(
        "INSERT INTO summary_states (thread_seq, is_off) SELECT ?, w.is_off FROM summary_states AS w"
        " JOIN messages AS m ON m.thread_seq = w.thread_seq WHERE m.seq = ?",
        (thread_seq, newest),
    )
    ends = {until: seq for seq, until in rows if until in copies}
    if ends:
        until = max(ends)
        # Without a model: who made it, and what that took, was counted there.
        connection.execute(
            "INSERT INTO summaries (seq, id, thread_seq, until_seq, text, own_text, pinned, is_stale, created_at,"
            " updated_at, model) SELECT ?, ?, ?, ?, text, own_text, pinned, is_stale, created_at, updated_at, ''"
            " FROM summaries WHERE seq = ?",
            (next_number(connection), new_id(), thread_seq, copies[until], ends[until]),
        )


def forget(connection: sqlite3.Connection, said: Sequence[tuple[str, str, str | None]]) -> int:
    """Take out of all summaries what is forgotten: a text, the words that it comes from, and the id of their message.

    Of a summary that holds such words, or stands for such a message, what the model wrote goes wholly, and it is made
    again without them; of what the user wrote only the sentences that hold them. Returns how many summaries lost something.
    """
    phrases = [words for text, quote, _ in said for words in (_folded(text), _folded(quote)) if _is_telling(words)]
    messages = list(dict.fromkeys(message_id for *_, message_id in said if message_id))
    standing_for = _standing_for(connection, messages)
    number = 0
    for seq, text, own_text, pinned in connection.execute(
        "SELECT seq, text, own_text, pinned FROM summaries"
    ).fetchall():
        sentences = [str(each) for each in _list(pinned)]
        own = _without(own_text, phrases)
        kept = [each for each in sentences if not _holds(each, phrases)]
        loses = bool(text) and (seq in standing_for or _holds(text, phrases))
        if not loses and own == own_text and kept == sentences:
            continue
        number += 1
        connection.execute(
            "UPDATE summaries SET text = ?, is_stale = max(is_stale, ?), own_text = ?, pinned = ? WHERE seq = ?",
            ("" if loses else text, loses, own, json.dumps(kept, ensure_ascii=False), seq),
        )
    return number


def lose_message(connection: sqlite3.Connection, message_seq: int, text: str) -> int:
    """Take a message that is erased out of the summaries of its chat; return how many lost something.

    What a model wrote of it goes, and is made again without it; of what the user wrote the sentences that it holds. A
    summary that ended with it ends with the message above.
    """
    rows = connection.execute(
        "SELECT s.seq, s.until_seq, u.id, t.id, s.text, s.own_text, s.pinned FROM messages AS m"
        " JOIN summaries AS s ON s.thread_seq = m.thread_seq AND s.until_seq >= m.seq"
        " JOIN messages AS u ON u.seq = s.until_seq JOIN threads AS t ON t.seq = m.thread_seq WHERE m.seq = ?",
        (message_seq,),
    ).fetchall()
    phrases = [words for each in _SENTENCE.finditer(text) if _is_telling(words := _folded(each[0]))]
    number = 0
    for seq, until_seq, until_id, thread_id, made, own_text, pinned in rows:
        if message_seq not in message_tree.way_up(connection, until_seq, message_seq):
            continue
        number += 1
        kept = [each for each in map(str, _list(pinned)) if not _holds(each, phrases)]
        connection.execute(
            "UPDATE summaries SET text = '', is_stale = ?, own_text = ?, pinned = ? WHERE seq = ?",
            (bool(made), _without(own_text, phrases), json.dumps(kept, ensure_ascii=False), seq),
        )
        if until_seq == message_seq:
            _end_above(connection, seq, message_tree.path_numbers(connection, thread_id, until=until_id))
    return number


def _end_above(connection: sqlite3.Connection, seq: int, path: Sequence[int]) -> None:
    """Let a summary end with the last message of the path; where there is none, or another one ends there, it goes."""
    taken = connection.execute("SELECT 1 FROM summaries WHERE until_seq = ?", path[-1:]).fetchone() if path else None
    if path and taken is None:
        connection.execute("UPDATE summaries SET until_seq = ? WHERE seq = ?", (path[-1], seq))
    else:
        connection.execute("DELETE FROM summaries WHERE seq = ?", (seq,))


def _standing_for(connection: sqlite3.Connection, message_ids: Sequence[str]) -> set[int]:
    """The summaries whose part of the chat holds one of these messages."""
    found: set[int] = set()
    for message_id in dict.fromkeys(each for one in message_ids for each in message_tree.copies_of(connection, one)):
        rows = connection.execute(
            "SELECT s.seq, s.until_seq, t.id, m.seq, u.id FROM messages AS m"
            " JOIN summaries AS s ON s.thread_seq = m.thread_seq AND s.until_seq >= m.seq"
            " JOIN messages AS u ON u.seq = s.until_seq JOIN threads AS t ON t.seq = m.thread_seq WHERE m.id = ?",
            (message_id,),
        ).fetchall()
        for seq, _, thread_id, message_seq, until_id in rows:
            if message_seq in message_tree.path_numbers(connection, thread_id, until=until_id):
                found.add(seq)
    return found


def _folded(text: str) -> str:
    return " ".join(fold(clean(text)).split())


def _is_telling(words: str) -> bool:
    return len(words.replace(" ", "")) >= _LEAST_LETTERS


def _holds(text: str, phrases: Iterable[str]) -> bool:
    folded = f" {_folded(text)} "
    return any(f" {phrase} " in folded for phrase in phrases)


def _without(text: str, phrases: Sequence[str]) -> str:
    """The text without the sentences that hold one of these; all of it goes where one goes over several sentences."""
    if not _holds(text, phrases):
        return text
    left = "".join(each[0] for each in _SENTENCE.finditer(text) if not _holds(each[0], phrases)).strip()
    return "" if _holds(left, phrases) else left


def _list(pinned: str) -> list[Any]:
    try:
        value = json.loads(pinned)
    except ValueError as error:
        raise unreadable("what is pinned in a summary") from error
    return value if isinstance(value, list) else []


def _to_summary(row: tuple[Any, ...]) -> Summary:
    """Return the summary of a row. Raises ``StorageError`` for one that this program did not write."""
    id_, thread_id, until_id, text, own_text, pinned, is_stale, created, updated, model, *figures = row
    tokens_in, tokens_out, cost, currency = figures
    return Summary(
        id=id_,
        thread_id=thread_id,
        until_id=until_id,
        text=text,
        own_text=own_text,
        pinned=tuple(map(str, _list(pinned))),
        is_stale=bool(is_stale),
        created_at=from_microseconds(created),
        updated_at=from_microseconds(updated),
        model=model,
        usage=Usage(input_tokens=tokens_in, output_tokens=tokens_out),
        cost=None if cost is None else Cost(amount=cost, currency=currency or ""),
    )
