"""The tree of a thread's messages: the path that is shown, what stands beside each message, and the way to another."""

import itertools
import sqlite3
from collections import deque
from collections.abc import Iterator, Sequence

from desktop.conversation.branches import MOST_BEGINNING, MessageNode
from desktop.conversation.entities import MessageOutline, Role
from desktop.core.errors import StorageError
from desktop.storage.rows import (
    ROLES,
    SNIPPET_LENGTH,
    STATUSES,
    from_microseconds,
    next_number,
    one_line,
    placeholders,
    role_of,
    status_of,
    unreadable,
)

# Words of the message before names in it.
_TREE = f"""SELECT m.seq, m.id, m.parent_seq, m.deleted_at IS NULL, m.role, m.status,
        coalesce(
            (SELECT substr(p.text, 1, {4 * MOST_BEGINNING}) FROM parts AS p
                WHERE p.message_seq = m.seq AND p.kind = 'text' AND p.text <> '' ORDER BY p.position LIMIT 1),
            (SELECT json_extract(p.payload, '$.name') FROM parts AS p
                WHERE p.message_seq = m.seq AND p.kind IN ('attachment', 'tool_call') ORDER BY p.position LIMIT 1)
        ),
        u.model, m.created_at, coalesce(m.shown_seq, m.seq)
    FROM threads AS t JOIN messages AS m ON m.thread_seq = t.seq LEFT JOIN turns AS u ON u.answer_seq = m.seq
    WHERE t.id = ? AND t.is_purging = 0 ORDER BY m.seq"""


def living(alias: str) -> str:
    """Return the SQL of a message's id, or where it was removed, of the nearest one above it that was not."""
    return f"""iif({alias}.deleted_at IS NULL, {alias}.id, (
        WITH RECURSIVE up (seq, parent_seq, is_there) AS (
            SELECT seq, parent_seq, deleted_at IS NULL FROM messages WHERE seq = {alias}.parent_seq
            UNION ALL
            SELECT o.seq, o.parent_seq, o.deleted_at IS NULL FROM up JOIN messages AS o ON o.seq = up.parent_seq
            WHERE NOT up.is_there
        ) SELECT o.id FROM up JOIN messages AS o ON o.seq = up.seq WHERE up.is_there))"""


def last_shown(connection: sqlite3.Connection, thread_seq: int) -> int | None:
    """Return the number of the message with which the path of a thread ends; a removed one is passed over."""
    at: int | None = connection.execute("SELECT tip FROM threads WHERE seq = ?", (thread_seq,)).fetchone()[0]
    while at is not None:
        parent_seq, is_there = connection.execute(
            "SELECT parent_seq, deleted_at IS NULL FROM messages WHERE seq = ?", (at,)
        ).fetchone()
        if is_there:
            return at
        at = parent_seq
    return None


def path_numbers(
    connection: sqlite3.Connection, thread_id: str, *, last: int | None = None, until: str | None = None
) -> list[int]:
    """Return the numbers of the messages from the root to the tip or to ``until``, or only the ``last`` ones."""
    end = _tip(connection, thread_id) if until is None else _number_in(connection, thread_id, until)
    return sorted(itertools.islice(_upwards(connection, thread_id, end), last))


def numbers_around(connection: sqlite3.Connection, thread_id: str, message_id: str, count: int) -> list[int]:
    """Return the numbers of at most ``count`` messages of the path around this one; none when it is not on the path."""
    middle = _number_in(connection, thread_id, message_id)
    below: deque[int] = deque(maxlen=count // 2)
    upwards = _upwards(connection, thread_id, _tip(connection, thread_id))
    for number in upwards:
        if middle is None or number < middle:
            break
        if number == middle:
            return sorted((*below, number, *itertools.islice(upwards, max(0, count - 1 - len(below)))))
        below.append(number)
    return []


def _upwards(connection: sqlite3.Connection, thread_id: str, end: int | None) -> Iterator[int]:
    """Give the numbers of the path that ends with ``end``, the last one first."""
    wanted = end
    # A parent is always older than its child: one pass from the newest message down meets the whole path.
    for seq, parent_seq, deleted_at in connection.execute(
        "SELECT m.seq, m.parent_seq, m.deleted_at FROM messages AS m JOIN threads AS t ON t.seq = m.thread_seq"
        " WHERE t.id = ? AND m.seq <= ? ORDER BY m.seq DESC",
        (thread_id, end),
    ):
        if seq == wanted:
            wanted = parent_seq
            if deleted_at is None:
                yield seq
        if wanted is None:
            break


def read_outline(connection: sqlite3.Connection, thread_id: str) -> list[MessageOutline]:
    """Return the path of a thread without its texts; one query, whatever the length."""
    wanted = _tip(connection, thread_id)
    rows = connection.execute(
        "SELECT m.seq, m.parent_seq, iif(m.deleted_at IS NULL, m.id, NULL), m.role, m.status, m.text_length,"
        " m.newline_count, m.part_count"
        " FROM messages AS m JOIN threads AS t ON t.seq = m.thread_seq WHERE t.id = ? ORDER BY m.seq DESC",
        (thread_id,),
    ).fetchall()
    path: list[MessageOutline] = []
    beside: list[tuple[dict[int | None, int], int | None]] = []
    answers: dict[int | None, int] = {}
    questions: dict[int | None, int] = {}
    try:
        for seq, parent_seq, message_id, role, status, text_length, newline_count, part_count in rows:
            counts = answers if role == Role.ASSISTANT else questions
            counts[parent_seq] = number_from_end = counts.get(parent_seq, 0) + (message_id is not None)
            if seq != wanted:
                continue
            wanted = parent_seq
            if message_id is not None:
                # The constructor of a frozen dataclass would take half of the time of opening a long thread.
                outline = object.__new__(MessageOutline)
                outline.__dict__.update(
                    id=message_id,
                    role=ROLES[role],
                    status=STATUSES[status],
                    text_length=text_length,
                    newline_count=newline_count,
                    part_count=part_count,
                    answer_number=number_from_end,
                    answer_count=1,
                )
                path.append(outline)
                beside.append((counts, parent_seq))
    except KeyError as error:
        raise unreadable(f"the role or status {error}") from error
    for outline, (counts, parent_seq) in zip(path, beside, strict=True):  # how many there are is known only now
        if (count := counts[parent_seq]) > 1:
            outline.__dict__.update(answer_number=count - outline.answer_number + 1, answer_count=count)
    path.reverse()
    return path


def places_beside(connection: sqlite3.Connection, sequence_numbers: Sequence[int]) -> dict[int, tuple[int, int]]:
    """Return for these messages, at least, which of those to the same message each is, from 1, and how many these are."""
    chosen = f"SELECT parent_seq FROM messages WHERE seq IN ({placeholders(sequence_numbers)})"
    below = connection.execute(
        f"SELECT parent_seq, role, seq FROM messages WHERE parent_seq IN ({chosen}) AND deleted_at IS NULL ORDER BY seq",
        sequence_numbers,
    )
    groups: dict[tuple[int, str], list[int]] = {}
    for parent_seq, role, seq in below:
        groups.setdefault((parent_seq, role), []).append(seq)
    # The plus keeps the beginnings of all other threads from being looked through.
    beginnings = connection.execute(
        "SELECT thread_seq, seq FROM messages WHERE +parent_seq IS NULL AND deleted_at IS NULL AND thread_seq IN"
        f" (SELECT thread_seq FROM messages WHERE seq IN ({placeholders(sequence_numbers)}) AND parent_seq IS NULL)"
        " ORDER BY seq",
        sequence_numbers,
    )
    for thread_seq, seq in beginnings:
        groups.setdefault((thread_seq, ""), []).append(seq)
    return {seq: (place, len(group)) for group in groups.values() for place, seq in enumerate(group, 1)}


def answers_beside(connection: sqlite3.Connection, message_id: str) -> list[int]:
    """Return the numbers of all answers to the message that this one answers, or is; the oldest first."""
    return [
        row[0]
        for row in connection.execute(
            "SELECT a.seq FROM messages AS m"
            " JOIN messages AS a ON a.parent_seq = iif(m.role = 'user', m.seq, m.parent_seq)"
            " JOIN threads AS t ON t.seq = m.thread_seq"
            " WHERE m.id = ? AND m.deleted_at IS NULL AND t.is_purging = 0 AND a.role = 'assistant'"
            " AND a.deleted_at IS NULL ORDER BY a.seq",
            (message_id,),
        )
    ]


def beside(connection: sqlite3.Connection, message_id: str) -> list[str]:
    """Return the ids of what stands in this message's place, itself among them; the oldest first."""
    return [
        row[0]
        for row in connection.execute(
            "SELECT b.id FROM messages AS m JOIN messages AS b"
            " ON b.thread_seq = m.thread_seq AND b.parent_seq IS m.parent_seq AND b.role = m.role"
            " JOIN threads AS t ON t.seq = m.thread_seq"
            " WHERE m.id = ? AND m.deleted_at IS NULL AND t.is_purging = 0 AND b.deleted_at IS NULL ORDER BY b.seq",
            (message_id,),
        )
    ]


def copies_of(connection: sqlite3.Connection, message_id: str) -> list[str]:
    """Return the ids of a message and of all that hold the same because a thread was branched; itself in any case."""
    row = connection.execute("SELECT coalesce(copy_of, seq) FROM messages WHERE id = ?", (message_id,)).fetchone()
    if row is None:
        return [message_id]
    query = "SELECT id FROM messages WHERE seq = ?1 UNION SELECT id FROM messages WHERE copy_of = ?1"
    return [found for (found,) in connection.execute(query, row)]


def branched_with(connection: sqlite3.Connection, thread_id: str) -> set[str]:
    """Return the ids of the threads that this one was branched from, that were branched from it, and so on; not its own.

    What they say beside each other is as much another way of one chat as an answer that the path does not go through.
    """
    pairs = connection.execute(
        "SELECT t.id, o.id FROM threads AS t JOIN messages AS m ON m.seq = t.branched_from"
        " JOIN threads AS o ON o.seq = m.thread_seq WHERE t.branched_from IS NOT NULL"
    ).fetchall()
    akin, newest = {thread_id}, {thread_id}
    while newest:
        newest = {each for pair in pairs if newest.intersection(pair) for each in pair} - akin
        akin |= newest
    return akin - {thread_id}


def read_tree(connection: sqlite3.Connection, thread_id: str) -> list[MessageNode]:
    """Return every message of a thread, the oldest first."""
    rows = connection.execute(_TREE, (thread_id,)).fetchall()
    on_path = set(path_numbers(connection, thread_id))
    ids: dict[int | None, str | None] = {None: None}
    nodes: list[MessageNode] = []
    for seq, message_id, parent_seq, is_there, role, status, text, model, created_at, shown in rows:
        if not is_there:  # what follows it follows what it followed
            ids[seq] = ids.get(parent_seq)
            continue
        ids[seq] = message_id
        nodes.append(
            MessageNode(
                id=message_id,
                parent_id=ids.get(parent_seq),
                role=role_of(role),
                status=status_of(status),
                beginning=one_line(text or "", MOST_BEGINNING),
                model=model or "",
                created_at=from_microseconds(created_at),
                is_on_path=seq in on_path,
                shown=shown,
            )
        )
    return nodes


def choose(connection: sqlite3.Connection, message_id: str) -> None:
    """Show the message. Raises ``StorageError`` when it is none of a thread outside the Trash."""
    row = connection.execute(
        "SELECT m.thread_seq, m.seq FROM messages AS m JOIN threads AS t ON t.seq = m.thread_seq"
        " WHERE m.id = ? AND m.deleted_at IS NULL AND t.deleted_at IS NULL AND t.is_purging = 0",
        (message_id,),
    ).fetchone()
    if row is None:
        raise StorageError("storage.thread_missing", thread_id="")
    show(connection, *row)


def show(connection: sqlite3.Connection, thread_seq: int, message_seq: int) -> None:
    """Let the path go through this message, and on below it by what was shown last."""
    parents: dict[int, int | None] = {}
    ways: dict[int | None, tuple[bool, int, int]] = {}
    for seq, parent_seq, is_there, shown in connection.execute(
        "SELECT seq, parent_seq, deleted_at IS NULL, coalesce(shown_seq, seq) FROM messages WHERE thread_seq = ?",
        (thread_seq,),
    ):
        parents[seq] = parent_seq
        way = bool(is_there), shown, seq
        ways[parent_seq] = max(way, ways.get(parent_seq, way))
    tip = message_seq
    while (way := ways.get(tip)) is not None:
        tip = way[-1]
    at: int | None = connection.execute("SELECT tip FROM threads WHERE seq = ?", (thread_seq,)).fetchone()[0]
    shown_now: set[int] = set()
    while at is not None:
        shown_now.add(at)
        at = parents[at]
    number = next_number(connection)
    at = message_seq
    while at is not None and at not in shown_now:
        connection.execute("UPDATE messages SET shown_seq = ? WHERE seq = ?", (number, at))
        at = parents[at]
    set_tip(connection, thread_seq, tip)  # the thread keeps its place in the list: nothing was said in it


def set_tip(connection: sqlite3.Connection, thread_seq: int, tip: int) -> None:
    """Let a thread end with this message. The list goes on to show what it did where the message has no text."""
    connection.execute("UPDATE threads SET tip = ? WHERE seq = ?", (tip, thread_seq))
    shown = last_shown(connection, thread_seq)
    text = "" if shown is None else words_of(connection, shown)
    connection.execute(
        "UPDATE threads SET snippet = coalesce(nullif(?, ''), snippet) WHERE seq = ?",
        (one_line(text, SNIPPET_LENGTH), thread_seq),
    )


def words_of(connection: sqlite3.Connection, message_seq: int) -> str:
    """Return the text of a message, without what else it holds."""
    texts = connection.execute(
        "SELECT text FROM parts WHERE message_seq = ? AND kind = 'text' ORDER BY position", (message_seq,)
    )
    return "\n\n".join(text for (text,) in texts)


def _tip(connection: sqlite3.Connection, thread_id: str) -> int | None:
    row = connection.execute("SELECT tip FROM threads WHERE id = ? AND is_purging = 0", (thread_id,)).fetchone()
    return row[0] if row else None


def _number_in(connection: sqlite3.Connection, thread_id: str, message_id: str) -> int | None:
    row = connection.execute(
        "SELECT m.seq FROM messages AS m JOIN threads AS t ON t.seq = m.thread_seq"
        " WHERE m.id = ? AND t.id = ? AND t.is_purging = 0",
        (message_id, thread_id),
    ).fetchone()
    return row[0] if row else None


def on_shown_path(connection: sqlite3.Connection, sequence_numbers: Sequence[int]) -> set[int]:
    """Return which of these messages stand on the path that their thread shows."""
    oldest = connection.execute(
        "SELECT t.tip, min(m.seq) FROM messages AS m JOIN threads AS t ON t.seq = m.thread_seq"
        f" WHERE m.seq IN ({placeholders(sequence_numbers)}) GROUP BY t.seq",
        sequence_numbers,
    ).fetchall()
    shown = {number for values in oldest for number in way_up(connection, *values)}
    return shown.intersection(sequence_numbers)


class ShownPaths:
    """As ``on_shown_path``, for who asks often: it is remembered which threads have a second way to go, and only in those
    is the path gone along. Numbers only grow, and no message comes to another parent, so only new ones are looked at."""

    def __init__(self) -> None:
        self._forked: set[int] = set()
        self._seen = -1

    def among(self, connection: sqlite3.Connection, sequence_numbers: Sequence[int]) -> set[int]:
        """Return which of these messages stand on the path that their thread shows."""
        self._look(connection)
        rows: list[tuple[int, int, bool]] = connection.execute(
            "SELECT m.seq, t.seq, EXISTS (SELECT 1 FROM messages AS c WHERE c.parent_seq = t.tip)"
            " FROM messages AS m JOIN threads AS t ON t.seq = m.thread_seq"
            f" WHERE m.seq IN ({placeholders(sequence_numbers)}) AND t.tip IS NOT NULL",
            sequence_numbers,
        ).fetchall()
        doubtful = [seq for seq, thread_seq, goes_on in rows if goes_on or thread_seq in self._forked]
        sure = {row[0] for row in rows}.difference(doubtful)
        return sure | on_shown_path(connection, doubtful) if doubtful else sure

    def _look(self, connection: sqlite3.Connection) -> None:
        newest: int = connection.execute("SELECT coalesce(max(seq), -1) FROM messages").fetchone()[0]
        if newest <= self._seen:
            return
        if self._seen < 0:
            query = (
                "SELECT DISTINCT c.thread_seq FROM (SELECT min(seq) AS one FROM messages WHERE parent_seq IS NOT NULL"
                " GROUP BY parent_seq HAVING count(*) > 1) JOIN messages AS c ON c.seq = one"
                " UNION SELECT thread_seq FROM messages WHERE parent_seq IS NULL GROUP BY thread_seq HAVING count(*) > 1"
            )
            values = ()
        else:
            query = (
                "SELECT DISTINCT m.thread_seq FROM messages AS m WHERE m.seq > ? AND EXISTS (SELECT 1 FROM messages AS o"
                " WHERE m.parent_seq IS NOT NULL AND o.parent_seq = m.parent_seq AND o.seq < m.seq"
                " UNION ALL SELECT 1 FROM messages AS o"
                " WHERE m.parent_seq IS NULL AND o.thread_seq = m.thread_seq AND o.seq < m.seq)"
            )
            values = (self._seen,)
        self._forked.update(row[0] for row in connection.execute(query, values))
        self._seen = newest


def on_way_to(connection: sqlite3.Connection, message_id: str, sequence_numbers: Sequence[int]) -> set[int]:
    """Return which of these messages stand on the way from the root to a message, itself included."""
    row = connection.execute("SELECT seq FROM messages WHERE id = ?", (message_id,)).fetchone()
    if row is None or not sequence_numbers:
        return set()
    return way_up(connection, row[0], min(sequence_numbers)).intersection(sequence_numbers)


def way_up(connection: sqlite3.Connection, start: int | None, oldest: int) -> set[int]:
    """Return the numbers from a message up to the ``oldest``; a parent is always older than its child."""
    rows = connection.execute(
        """WITH RECURSIVE way (seq, parent_seq) AS (
            SELECT seq, parent_seq FROM messages WHERE seq = ?1
            UNION ALL
            SELECT m.seq, m.parent_seq FROM way JOIN messages AS m ON m.seq = way.parent_seq
            WHERE way.parent_seq >= ?2
        ) SELECT seq FROM way""",
        (start, oldest),
    )
    return {number for (number,) in rows}
