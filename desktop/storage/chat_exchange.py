"""Whole chats out of SQLite and into it: the ``ChatExchange`` of the app."""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path

from desktop.conversation.entities import Thread
from desktop.conversation.interchange.ports import ChatExchange, KeptFile, OpenChat
from desktop.conversation.interchange.records import (
    ChatRecord,
    FileRecord,
    ForeignText,
    ImportedChat,
    MessageRecord,
    Origin,
    Outcome,
    TurnRecord,
)
from desktop.core.clock import Clock, utc_now
from desktop.core.costs import Cost
from desktop.core.language_model import Usage
from desktop.storage import chat_import, messages, search
from desktop.storage.database import Database
from desktop.storage.rows import (
    clean,
    decode_part,
    encode_part,
    from_microseconds,
    optional_time,
    placeholders,
    role_of,
    status_of,
)
from desktop.storage.sqlite_threads import SqliteThreadRepository

_PAGE = 1_000
_CHUNK = 500


class SqliteChatExchange(ChatExchange):
    """See ``conversation.interchange.ports.ChatExchange``."""

    def __init__(self, database: Database, threads: SqliteThreadRepository, *, clock: Clock = utc_now) -> None:
        self._database = database
        self._threads = threads
        self._clock = clock

    async def threads(self, *, deleted: bool = False) -> tuple[Thread, ...]:
        found: list[Thread] = []
        while page := await self._threads.list_threads(limit=_PAGE, offset=len(found), deleted=deleted):
            found.extend(page)
        return tuple({thread.id: thread for thread in found}.values())

    async def open(self, thread_id: str) -> OpenChat | None:
        thread = await self._threads.get_thread(clean(thread_id))
        if thread is None or thread.options.is_temporary:
            return None
        folder = self._database.paths.attachments
        return await self._database.read(lambda connection: _open(connection, thread, folder))

    async def messages(self, chat: OpenChat, numbers: Sequence[int]) -> tuple[MessageRecord, ...]:
        def read(connection: sqlite3.Connection) -> tuple[MessageRecord, ...]:
            found: dict[int, MessageRecord] = {}
            for start in range(0, len(numbers), _CHUNK):
                found |= _read_messages(connection, numbers[start : start + _CHUNK], chat.shown)
            return tuple(found[number] for number in numbers if number in found)

        return await self._database.read(read)

    async def missing(self, chat: ImportedChat) -> frozenset[str]:
        return await self._database.read(lambda connection: chat_import.missing(connection, chat))

    async def take_in(self, chat: ImportedChat, files: Mapping[str, KeptFile]) -> Outcome:
        moment = self._clock()
        return await self._database.write(
            lambda connection: chat_import.take_in(connection, chat, files, moment), needs_room=True
        )

    async def index(self) -> None:
        await search.catch_up(self._database)


def _open(connection: sqlite3.Connection, thread: Thread, folder: Path) -> OpenChat:
    rows = connection.execute(
        "SELECT m.seq, m.shown_seq FROM messages AS m JOIN threads AS t ON t.seq = m.thread_seq WHERE t.id = ?"
        " ORDER BY m.seq",
        (thread.id,),
    ).fetchall()
    foreign = connection.execute(
        "SELECT f.cause, f.detail, f.at FROM foreign_text AS f JOIN threads AS t ON t.seq = f.thread_seq WHERE t.id = ?",
        (thread.id,),
    ).fetchone()
    origins = connection.execute(
        "SELECT o.source, o.origin_id FROM thread_origins AS o JOIN threads AS t ON t.seq = o.thread_seq WHERE t.id = ?"
        " ORDER BY o.source, o.origin_id",
        (thread.id,),
    )
    folder_name = connection.execute("SELECT name FROM folders WHERE id = ?", (thread.folder_id,)).fetchone()
    # Also where it was removed: the way through it leads on to what is shown.
    tip = connection.execute(
        "SELECT m.id FROM threads AS t JOIN messages AS m ON m.seq = t.tip WHERE t.id = ?", (thread.id,)
    ).fetchone()
    chat = ChatRecord(
        id=thread.id,
        title=thread.title,
        title_by_user=thread.title_by_user,
        created_at=thread.created_at,
        updated_at=thread.updated_at,
        deleted_at=thread.deleted_at,
        tip=None if tip is None else tip[0],
        options=thread.options,
        foreign_text=foreign and ForeignText(cause=foreign[0], detail=foreign[1], at=from_microseconds(foreign[2])),
        origins=tuple(Origin(source, origin_id) for source, origin_id in origins),
        pinned_at=thread.pinned_at,
        archived_at=thread.archived_at,
        folder=folder_name[0] if folder_name is not None else "",
    )
    return OpenChat(
        chat=chat,
        numbers=tuple(seq for seq, _ in rows),
        shown=_shown(rows),
        files=_files(connection, thread.id, folder),
    )


def _shown(rows: Sequence[tuple[int, int | None]]) -> Mapping[int, int]:
    """Return the order in which messages were shown last; nothing where that is the order of the messages."""
    if all(shown is None for _, shown in rows):
        return {}
    order = sorted((seq if shown is None else shown, seq) for seq, shown in rows)
    places = {seq: place for place, (_, seq) in enumerate(order, 1)}
    return {seq: 0 if shown == 0 else places[seq] for seq, shown in rows}


def _files(connection: sqlite3.Connection, thread_id: str, folder: Path) -> dict[str, FileRecord]:
    """Return the files that the messages name and that are there; not what only removed ones name."""
    named = connection.execute(
        "SELECT p.kind, p.payload FROM parts AS p JOIN messages AS m ON m.seq = p.message_seq"
        " JOIN threads AS t ON t.seq = m.thread_seq"
        " WHERE t.id = ? AND (p.kind = 'attachment' OR (p.kind = 'tool_result' AND p.payload LIKE '%attachment_id%'))"
        " AND m.deleted_at IS NULL AND NOT EXISTS (SELECT 1 FROM removals AS r"
        " WHERE r.message_seq = p.message_seq AND r.position = p.position)"
        " ORDER BY m.seq, p.position",
        (thread_id,),
    )
    ids: list[str] = []
    for kind, payload in named:
        fields = json.loads(payload)
        ids += [one.get("attachment_id", "") for one in ([fields] if kind == "attachment" else fields.get("items", ()))]
    owned = {
        row[0]
        for row in connection.execute(
            "SELECT a.id FROM attachments AS a JOIN threads AS t ON t.seq = a.thread_seq WHERE t.id = ? AND a.is_gone = 0",
            (thread_id,),
        )
    }
    files: dict[str, FileRecord] = {}
    for key in dict.fromkeys(ids):
        path = next(iter(sorted((folder / key).glob("original*"))), None) if key in owned else None
        if path is not None:
            files[key] = FileRecord(suffix=path.suffix, size=path.stat().st_size)
    return files


def _read_messages(
    connection: sqlite3.Connection, numbers: Sequence[int], shown: Mapping[int, int]
) -> dict[int, MessageRecord]:
    chosen = placeholders(numbers)
    parts: dict[int, list[tuple[int, str, str, str]]] = {}
    for seq, *row in connection.execute(
        f"SELECT message_seq, step, kind, text, payload FROM parts WHERE message_seq IN ({chosen})"
        " ORDER BY message_seq, position",
        numbers,
    ):
        parts.setdefault(seq, []).append((row[0], row[1], row[2], row[3]))
    for seq, position in messages.hidden_results(connection, numbers):
        parts[seq][position] = encode_part(messages.without_result(decode_part(parts[seq][position])))
    found: dict[int, MessageRecord] = {}
    for row in connection.execute(
        f"""SELECT m.seq, m.id, p.id, m.role, m.status, m.created_at, m.updated_at, m.deleted_at,
                u.model, u.started_at, u.ended_at, u.reason, u.input_tokens, u.output_tokens, u.cached_input_tokens,
                u.thinking_tokens, u.cost, u.currency, u.duration_seconds, u.is_copy
            FROM messages AS m LEFT JOIN messages AS p ON p.seq = m.parent_seq
            LEFT JOIN turns AS u ON u.answer_seq = m.seq WHERE m.seq IN ({chosen})""",
        numbers,
    ):
        seq, message_id, parent_id, role, status, created_at, updated_at, deleted_at, *turn = row
        found[seq] = MessageRecord(
            id=message_id,
            parent_id=parent_id,
            role=role_of(role),
            status=status_of(status),
            parts=() if deleted_at is not None else tuple(map(decode_part, parts.get(seq, ()))),
            created_at=from_microseconds(created_at),
            updated_at=from_microseconds(updated_at),
            deleted_at=optional_time(deleted_at),
            shown=shown.get(seq),
            turn=None if turn[0] is None else _turn(turn),
        )
    return found


def _turn(row: Sequence[object]) -> TurnRecord:
    model, started_at, ended_at, reason, tokens_in, tokens_out, cached, thinking, cost, currency, seconds, copied = row
    assert isinstance(model, str)
    assert isinstance(started_at, int)
    counts = {"input_tokens": tokens_in, "output_tokens": tokens_out}
    counts |= {"cached_input_tokens": cached, "thinking_tokens": thinking}
    return TurnRecord(
        model=model,
        started_at=from_microseconds(started_at),
        ended_at=from_microseconds(ended_at) if isinstance(ended_at, int) else None,
        reason=reason if isinstance(reason, str) else "",
        usage=Usage(**{name: count for name, count in counts.items() if isinstance(count, int)}),
        cost=Cost(amount=cost, currency=str(currency or "")) if isinstance(cost, float) else None,
        duration_seconds=seconds if isinstance(seconds, float) else None,
        is_copy=bool(copied),
    )
