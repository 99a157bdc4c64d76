"""Erases what was removed from chats by itself: the texts of a message or a result, and whatever was made of them."""

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from desktop.conversation.entities import AttachmentPart, Part, Role, ToolResultPart
from desktop.conversation.inner_run import InnerRunPart, with_inner
from desktop.conversation.removals import REMOVED_RESULT
from desktop.conversation.titles import title_from_text
from desktop.core.receipt import Receipt
from desktop.storage import indexes, message_tree, messages, purge, request_texts, summary_rows
from desktop.storage.database import Database
from desktop.storage.rows import decode_part, encode_part, measure, placeholders, want_wipe

WHOLE = -1
"""Stands in ``removals`` for the message itself, in place of where one of its results stands."""
_LOOKED_AT = 50
"""Messages at the beginning of a chat in which another title is looked for."""


@dataclass(frozen=True)
class _Place:
    """A message of which something is erased."""

    seq: int
    id: str
    role: str
    thread_seq: int
    thread_id: str


async def erase(database: Database, wanted: Sequence[tuple[str, str]] | None) -> Receipt:
    """Erase what was removed, by the ids of messages and calls, with None all of it; return what that was."""
    if not await database.read(lambda connection: pending(connection, wanted)):
        return Receipt()
    receipt = await database.write(lambda connection: mark(connection, wanted))
    return replace(receipt, waits=not await purge.finish(database))


def pending(
    connection: sqlite3.Connection, wanted: Sequence[tuple[str, str]] | None
) -> list[tuple[int, int, int | None]]:
    """Return what was removed and can be taken back, as it stands in ``removals``."""
    rows = connection.execute(
        "SELECT r.message_seq, r.position, r.turned_to, m.id, p.payload ->> '$.call_id' FROM removals AS r"
        " JOIN messages AS m ON m.seq = r.message_seq"
        " LEFT JOIN parts AS p ON p.message_seq = r.message_seq AND p.position = r.position"
        " ORDER BY r.message_seq, r.position"
    ).fetchall()
    return [
        (seq, position, turned_to)
        for seq, position, turned_to, message_id, call_id in rows
        if wanted is None or (message_id, "" if position == WHOLE else call_id) in wanted
    ]


def mark(connection: sqlite3.Connection, wanted: Sequence[tuple[str, str]] | None) -> Receipt:
    """The first step, after which no row holds it; a wipe that is cut short from here on is gone on with."""
    receipt = Receipt()
    for seq, position, _ in pending(connection, wanted):
        place = _place(connection, seq)
        if position == WHOLE:
            receipt += _erase_message(connection, place)
        else:
            receipt += _erase_result(connection, place, position)
        connection.execute("DELETE FROM removals WHERE message_seq = ? AND position = ?", (seq, position))
        # A summary that is being made, or was read before, is not stored any more: this counts as something forgotten.
        connection.execute("INSERT INTO forgotten (digest) VALUES (randomblob(16))")
        want_wipe(connection)
    return receipt


def mark_results(connection: sqlite3.Connection, message_id: str) -> Receipt:
    """The same for the results of one answer that can still be taken back: it is written anew from what is shown."""
    rows = connection.execute(
        "SELECT p.payload ->> '$.call_id' FROM removals AS r JOIN messages AS m ON m.seq = r.message_seq"
        " JOIN parts AS p ON p.message_seq = r.message_seq AND p.position = r.position WHERE m.id = ?",
        (message_id,),
    )
    return mark(connection, [(message_id, call_id) for (call_id,) in rows.fetchall()])


def _place(connection: sqlite3.Connection, seq: int) -> _Place:
    row = connection.execute(
        "SELECT m.seq, m.id, m.role, t.seq, t.id FROM messages AS m JOIN threads AS t ON t.seq = m.thread_seq"
        " WHERE m.seq = ?",
        (seq,),
    ).fetchone()
    return _Place(*row)


def _erase_message(connection: sqlite3.Connection, place: _Place) -> Receipt:
    parts = _parts(connection, place.seq)
    words, vectors = connection.execute(
        "SELECT words, vectors FROM removals WHERE message_seq = ? AND position = ?", (place.seq, WHOLE)
    ).fetchone()
    quotes = connection.execute(
        "UPDATE memory_items SET quote = '' WHERE source_message_id = ? AND quote <> ''", (place.id,)
    ).rowcount
    request_texts.forget_messages(connection, [place.seq])
    own = connection.execute("DELETE FROM requests WHERE answer_seq = ?", (place.seq,)).rowcount
    others = request_texts.lose_message(connection, place.thread_seq, place.id, after=place.seq, names=_names(parts))
    calls = connection.execute(
        "DELETE FROM tool_calls WHERE turn_seq IN (SELECT seq FROM turns WHERE answer_seq = ?)", (place.seq,)
    ).rowcount
    stale = summary_rows.lose_message(connection, place.seq, message_tree.words_of(connection, place.seq))
    _untitle(connection, place)
    connection.execute("DELETE FROM parts WHERE message_seq = ?", (place.seq,))
    connection.execute("DELETE FROM session_entries WHERE message_seq = ?", (place.seq,))
    connection.execute(
        "UPDATE messages SET text_length = 0, newline_count = 0, part_count = 0 WHERE seq = ?", (place.seq,)
    )
    connection.execute("DELETE FROM drafts WHERE thread_id = ?", (place.id,))
    files = _let_go(connection, place.thread_seq, [*_files(parts), *_files_of_draft(connection, place.id)])
    _forget_names(connection, place.thread_seq, parts)
    return Receipt(
        messages=1,
        words=words,
        vectors=vectors,
        quotes=quotes,
        requests=own + others,
        calls=calls,
        stale_summaries=stale,
        files=files,
    )


def _erase_result(connection: sqlite3.Connection, place: _Place, position: int) -> Receipt:
    row = connection.execute(
        "SELECT step, kind, text, payload FROM parts WHERE message_seq = ? AND position = ?", (place.seq, position)
    ).fetchone()
    part = None if row is None else decode_part(row)
    if isinstance(part, InnerRunPart):
        return _erase_inner_run(connection, place, position, part)
    if not isinstance(part, ToolResultPart):
        return Receipt()
    indexes.forget_messages(connection, [place.seq], erases=True)
    others = request_texts.lose_message(connection, place.thread_seq, place.id, after=place.seq, names=_names([part]))
    stale = summary_rows.lose_message(connection, place.seq, "")
    _blank(connection, place, position, part)
    rows = connection.execute(
        "SELECT step, kind, text, payload FROM parts WHERE message_seq = ?", (place.seq,)
    ).fetchall()
    connection.execute(
        "UPDATE messages SET text_length = ?, newline_count = ?, part_count = ? WHERE seq = ?",
        (*measure(rows), place.seq),
    )
    connection.execute(
        "UPDATE tool_calls SET result = ?, items = NULL WHERE result IS NOT NULL AND seq IN (SELECT c.seq"
        " FROM tool_calls AS c JOIN turns AS u ON u.seq = c.turn_seq WHERE u.answer_seq = ? AND c.call_id IN"
        " (?, u.id || ':' || ?))",
        (REMOVED_RESULT, place.seq, part.call_id, part.call_id),
    )
    files = _let_go(connection, place.thread_seq, [*_files([part])])
    return Receipt(results=1, requests=others, stale_summaries=stale, files=files)


def _blank(connection: sqlite3.Connection, place: _Place, position: int, part: Part) -> None:
    connection.execute(
        "UPDATE parts SET step = ?, kind = ?, text = ?, payload = ? WHERE message_seq = ? AND position = ?",
        (*encode_part(messages.without_result(part)), place.seq, position),
    )


def _erase_inner_run(connection: sqlite3.Connection, place: _Place, position: int, part: InnerRunPart) -> Receipt:
    """The steps of an assistant go with the result that came of them, in the journal, too."""
    _blank(connection, place, position, part)
    connection.execute(
        "UPDATE tool_calls SET arguments = '{}', result = ?, items = NULL WHERE seq IN (SELECT c.seq"
        " FROM tool_calls AS c JOIN turns AS u ON u.seq = c.turn_seq WHERE u.answer_seq = ?"
        " AND instr(c.call_id, u.id || ':' || ? || '/') = 1)",
        (REMOVED_RESULT, place.seq, part.call_id),
    )
    return Receipt(files=_let_go(connection, place.thread_seq, [*_files(part.parts)]))


def _parts(connection: sqlite3.Connection, seq: int) -> list[Part]:
    rows = connection.execute(
        "SELECT step, kind, text, payload FROM parts WHERE message_seq = ? ORDER BY position", (seq,)
    )
    return [decode_part(row) for row in rows.fetchall()]


def _files(parts: Sequence[Part]) -> Iterator[str]:
    for part in with_inner(parts):
        if isinstance(part, AttachmentPart):
            yield part.attachment_id
        elif isinstance(part, ToolResultPart):
            yield from (item.attachment_id for item in part.items if item.attachment_id)


def _names(parts: Sequence[Part]) -> frozenset[str]:
    """The names of files, which also stand where it was noted that one was not sent along."""
    every = [*with_inner(parts)]
    attached = [part.name for part in every if isinstance(part, AttachmentPart)]
    brought = [item.file_name for part in every if isinstance(part, ToolResultPart) for item in part.items]
    return frozenset(filter(None, (*attached, *brought)))


def _files_of_draft(connection: sqlite3.Connection, message_id: str) -> list[str]:
    """The files beside what was to be sent in its place; the draft goes with the message."""
    rows = connection.execute(
        "DELETE FROM draft_attachments WHERE thread_id = ? RETURNING attachment_id", (message_id,)
    ).fetchall()
    return [row[0] for row in rows]


def _let_go(connection: sqlite3.Connection, thread_seq: int, ids: Sequence[str]) -> int:
    """Let the files go that nothing else in the chat names, as a message that was sent again does; return how many."""
    wanted = [key for key in dict.fromkeys(ids) if key and not _is_named(connection, thread_seq, key)]
    return connection.execute(
        f"UPDATE attachments SET is_gone = 1 WHERE is_gone = 0 AND id IN ({placeholders(wanted)})", wanted
    ).rowcount


def _is_named(connection: sqlite3.Connection, thread_seq: int, attachment_id: str) -> bool:
    query = (
        "SELECT 1 FROM parts AS p JOIN messages AS m ON m.seq = p.message_seq WHERE m.thread_seq = ?1"
        " AND p.kind IN ('attachment', 'tool_result') AND instr(p.payload, ?2)"
        " UNION ALL SELECT 1 FROM draft_attachments WHERE attachment_id = ?2 LIMIT 1"
    )
    return connection.execute(query, (thread_seq, attachment_id)).fetchone() is not None


def _forget_names(connection: sqlite3.Connection, thread_seq: int, parts: Sequence[Part]) -> None:
    """The chat goes on to hold foreign text; from which of these files it came is not said any more."""
    names = sorted(_names(parts))
    connection.execute(
        f"UPDATE foreign_text SET detail = '' WHERE thread_seq = ? AND detail IN ({placeholders(names)})",
        (thread_seq, *names),
    )


def _untitle(connection: sqlite3.Connection, place: _Place) -> None:
    """A title that was made of the message goes with it: the chat is called as the first one that is left."""
    title, is_own = connection.execute(
        "SELECT title, title_by_user FROM threads WHERE seq = ?", (place.thread_seq,)
    ).fetchone()
    if is_own or place.role != Role.USER:
        return
    above = message_tree.path_numbers(connection, place.thread_id, until=place.id)
    if above and title != title_from_text(message_tree.words_of(connection, place.seq)):
        return
    path = message_tree.path_numbers(connection, place.thread_id)
    questions = connection.execute(
        f"SELECT seq FROM messages WHERE role = 'user' AND seq IN ({placeholders(path[:_LOOKED_AT])}) ORDER BY seq",
        path[:_LOOKED_AT],
    )
    texts = (message_tree.words_of(connection, seq) for (seq,) in questions.fetchall())
    text = next((each for each in texts if each.strip()), "")
    connection.execute(
        "UPDATE threads SET title = ? WHERE seq = ?", (title_from_text(text) if text else "", place.thread_seq)
    )
