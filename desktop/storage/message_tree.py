"""The tree of a thread's messages: the path that is shown, what stands beside each message, and the way to another."""

import sqlite3
from collections.abc import Sequence

from desktop.conversation.entities import MessageOutline, Role
from desktop.core.errors import StorageError
from desktop.storage.rows import ROLES, SNIPPET_LENGTH, STATUSES, next_number, one_line, placeholders, unreadable


def path_numbers(
    connection: sqlite3.Connection, thread_id: str, *, last: int | None = None, until: str | None = None
) -> list[int]:
    """Return the numbers of the messages from the root to the tip or to ``until``, or only the ``last`` ones."""
    wanted = _tip(connection, thread_id) if until is None else _number_in(connection, thread_id, until)
    rows = connection.execute(
        "SELECT m.seq, m.parent_seq, m.deleted_at FROM messages AS m JOIN threads AS t ON t.seq = m.thread_seq"
        " WHERE t.id = ? AND m.seq <= ? ORDER BY m.seq DESC",
        (thread_id, wanted),
    )
    path: list[int] = []
    # A parent is always older than its child: one pass from the newest message down meets the whole path.
    for seq, parent_seq, deleted_at in rows:
        if wanted is None or (last is not None and len(path) >= last):
            break
        if seq == wanted:
            wanted = parent_seq
            if deleted_at is None:
                path.append(seq)
    path.reverse()
    return path


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
            " WHERE m.id = ? AND t.is_purging = 0 AND a.role = 'assistant' AND a.deleted_at IS NULL ORDER BY a.seq",
            (message_id,),
        )
    ]


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
    texts = connection.execute(
        "SELECT text FROM parts WHERE message_seq = ? AND kind = 'text' ORDER BY position", (tip,)
    )
    snippet = one_line("\n\n".join(text for (text,) in texts), SNIPPET_LENGTH)
    # The thread keeps its place in the list: nothing was said in it.
    connection.execute(
        "UPDATE threads SET tip = ?, snippet = coalesce(nullif(?, ''), snippet) WHERE seq = ?",
        (tip, snippet, thread_seq),
    )


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
        f"SELECT thread_seq, min(seq) FROM messages WHERE seq IN ({placeholders(sequence_numbers)}) GROUP BY thread_seq",
        sequence_numbers,
    ).fetchall()
    shown: set[int] = set()
    for values in oldest:
        # From the tip up; a parent is always older than its child.
        shown.update(
            row[0]
            for row in connection.execute(
                """WITH RECURSIVE way (seq, parent_seq) AS (
                    SELECT m.seq, m.parent_seq FROM threads AS t JOIN messages AS m ON m.seq = t.tip WHERE t.seq = ?1
                    UNION ALL
                    SELECT m.seq, m.parent_seq FROM way JOIN messages AS m ON m.seq = way.parent_seq
                    WHERE way.parent_seq >= ?2
                ) SELECT seq FROM way""",
                values,
            )
        )
    return shown.intersection(sequence_numbers)
