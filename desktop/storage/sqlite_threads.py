"""Threads in SQLite: the ``ThreadRepository`` of the app."""

import logging
import sqlite3
from collections.abc import Sequence
from datetime import datetime

from desktop.conversation.branches import MessageNode
from desktop.conversation.entities import (
    USUAL_OPTIONS,
    AttachmentPart,
    Message,
    MessageOutline,
    MessageStatus,
    Part,
    SearchHit,
    StartedTurn,
    Thread,
    ThreadOptions,
    UsageTotal,
)
from desktop.core.clock import Clock, utc_now
from desktop.core.costs import Cost
from desktop.core.errors import StorageError
from desktop.core.ids import new_id
from desktop.core.language_model import Usage
from desktop.core.receipt import Receipt
from desktop.storage import (
    branching,
    erasing,
    indexes,
    message_tree,
    messages,
    purge,
    search,
    sqlite_queue,
    thread_options,
    thread_rows,
    turns,
)
from desktop.storage.database import Database
from desktop.storage.rows import (
    OWNER_OF_DRAFT,
    clean,
    next_number,
    placeholders,
    to_microseconds,
)

logger = logging.getLogger(__name__)


class SqliteThreadRepository:
    """See ``conversation.ports.ThreadRepository``.

    The list is ordered by the last message, so that renaming an old thread leaves it where it is.
    """

    def __init__(self, database: Database, *, clock: Clock = utc_now) -> None:
        self._database = database
        self._clock = clock

    async def create_thread(self, *, title: str = "", options: ThreadOptions = USUAL_OPTIONS) -> Thread:
        thread_id = new_id()
        time = to_microseconds(self._clock())

        def insert(connection: sqlite3.Connection) -> Thread:
            seq = next_number(connection)
            connection.execute(
                f"INSERT INTO threads (seq, id, title, created_at, updated_at, change_seq, {thread_options.COLUMNS})"
                f" VALUES (?, ?, ?, ?, ?, ?, {thread_options.PLACES})",
                (seq, thread_id, clean(title), time, time, seq, *thread_options.to_row(options)),
            )
            return _require(thread_rows.find(connection, thread_id))

        return await self._database.write(insert, needs_room=True)

    async def get_thread(self, thread_id: str) -> Thread | None:
        return await self._database.read(lambda connection: thread_rows.find(connection, clean(thread_id)))

    async def list_threads(self, *, limit: int = 200, offset: int = 0, deleted: bool = False) -> tuple[Thread, ...]:
        condition = (
            "t.deleted_at IS NOT NULL ORDER BY t.deleted_seq"
            if deleted
            else "t.deleted_at IS NULL ORDER BY t.change_seq DESC, t.updated_at DESC, t.seq"
        )
        query = f"SELECT {thread_rows.COLUMNS} AND t.is_temporary = 0 AND {condition} DESC LIMIT ? OFFSET ?"
        bounds = max(0, limit), max(0, offset)
        return await self._database.read(
            lambda connection: tuple(map(thread_rows.to_thread, connection.execute(query, bounds).fetchall()))
        )

    async def last_thread(self) -> Thread | None:
        newest = await self.list_threads(limit=1)
        return newest[0] if newest else None

    async def rename_thread(self, thread_id: str, title: str, *, by_user: bool) -> None:
        def rename(connection: sqlite3.Connection) -> None:
            seq = messages.require_thread(connection, clean(thread_id), allow_trash=True)
            connection.execute(
                "UPDATE threads SET title = ?, title_by_user = ? WHERE seq = ? AND (? OR NOT title_by_user)",
                (clean(title), by_user, seq, by_user),
            )

        await self._database.write(rename)

    async def set_thread_options(self, thread_id: str, options: ThreadOptions) -> None:
        def set_options(connection: sqlite3.Connection) -> None:
            seq = messages.require_thread(connection, clean(thread_id), allow_trash=True)
            purge.note_overwritten(connection, seq)
            connection.execute(
                f"UPDATE threads SET ({thread_options.COLUMNS}) = ({thread_options.PLACES}) WHERE seq = ?",
                (*thread_options.to_row(options), seq),
            )

        await self._database.write(set_options, needs_room=options.system_prompt is not None)

    async def delete_thread(self, thread_id: str) -> None:
        time = to_microseconds(self._clock())

        def delete(connection: sqlite3.Connection) -> None:
            seq = messages.require_thread(connection, clean(thread_id), allow_trash=True)
            connection.execute(
                "UPDATE threads SET deleted_at = ?, deleted_seq = ? WHERE seq = ? AND deleted_at IS NULL",
                (time, next_number(connection), seq),
            )

        await self._database.write(delete)

    async def restore_thread(self, thread_id: str) -> None:
        def restore(connection: sqlite3.Connection) -> None:
            seq = messages.require_thread(connection, clean(thread_id), allow_trash=True)
            connection.execute("UPDATE threads SET deleted_at = NULL, deleted_seq = NULL WHERE seq = ?", (seq,))

        await self._database.write(restore)

    async def purge_thread(self, thread_id: str, *more: str) -> Receipt:
        thread_ids = list(dict.fromkeys(clean(each) for each in (thread_id, *more)))
        return await purge.purge(self._database, thread_ids, self._clock())

    async def purge_deleted_before(self, moment: datetime) -> Receipt:
        return await purge.purge_before(self._database, moment, self._clock())

    async def purge_temporary(self) -> int:
        return await purge.purge_temporary(self._database, self._clock())

    async def outline(self, thread_id: str) -> tuple[MessageOutline, ...]:
        return tuple(await self._database.read(lambda c: message_tree.read_outline(c, clean(thread_id))))

    async def messages(self, message_ids: Sequence[str]) -> tuple[Message, ...]:
        ids = [clean(message_id) for message_id in message_ids]

        def read(connection: sqlite3.Connection) -> tuple[Message, ...]:
            numbers: dict[str, int] = {}
            for start in range(0, len(ids), 500):
                chunk = ids[start : start + 500]
                numbers.update(
                    connection.execute(
                        f"SELECT id, seq FROM messages WHERE deleted_at IS NULL AND id IN ({placeholders(chunk)})",
                        chunk,
                    )
                )
            known = [numbers[message_id] for message_id in ids if message_id in numbers]
            return tuple(messages.read_messages(connection, known))

        return await self._database.read(read)

    async def path(self, thread_id: str, *, last: int | None = None, until: str | None = None) -> tuple[Message, ...]:
        key, end = clean(thread_id), None if until is None else clean(until)

        def read(connection: sqlite3.Connection) -> tuple[Message, ...]:
            numbers = message_tree.path_numbers(connection, key, last=last, until=end)
            return tuple(messages.read_messages(connection, numbers))

        return await self._database.read(read)

    async def around(self, thread_id: str, message_id: str, count: int) -> tuple[Message, ...]:
        def read(connection: sqlite3.Connection) -> tuple[Message, ...]:
            numbers = message_tree.numbers_around(connection, clean(thread_id), clean(message_id), count)
            return tuple(messages.read_messages(connection, numbers))

        return await self._database.read(read)

    async def answers(self, message_id: str) -> tuple[Message, ...]:
        def read(connection: sqlite3.Connection) -> tuple[Message, ...]:
            numbers = message_tree.answers_beside(connection, clean(message_id))
            return tuple(messages.read_messages(connection, numbers))

        return await self._database.read(read)

    async def beside(self, message_id: str) -> tuple[str, ...]:
        return tuple(await self._database.read(lambda c: message_tree.beside(c, clean(message_id))))

    async def tree(self, thread_id: str) -> tuple[MessageNode, ...]:
        return tuple(await self._database.read(lambda c: message_tree.read_tree(c, clean(thread_id))))

    async def branch(self, message_id: str, *, title: str) -> Thread:
        thread_id = await branching.branch(self._database, clean(message_id), title=title, moment=self._clock())
        return _require(await self.get_thread(thread_id))

    async def choose_answer(self, message_id: str) -> None:
        await self._database.write(lambda connection: message_tree.choose(connection, clean(message_id)))

    async def begin_turn(
        self,
        thread_id: str,
        text: str,
        *,
        model: str,
        from_new_thread: bool = False,
        attachments: Sequence[AttachmentPart] = (),
        instead_of: str | None = None,
        from_queue: str | None = None,
    ) -> StartedTurn:
        files, key, beside = tuple(attachments), clean(thread_id), None if instead_of is None else clean(instead_of)
        moment = self._clock()

        def begin(connection: sqlite3.Connection) -> StartedTurn:
            turn = turns.begin(connection, key, text, files, model=clean(model), moment=moment, instead_of=beside)
            if from_queue is None:
                turns.forget_drafts(connection, beside or key, of_new_thread=from_new_thread)
            else:
                sqlite_queue.leave(connection, from_queue)
            return turn

        return await self._database.write(begin, needs_room=True)

    async def add_answer(self, message_id: str, *, model: str, chosen: bool = False) -> StartedTurn:
        moment = self._clock()
        return await self._database.write(
            lambda connection: turns.add(
                connection, clean(message_id), model=clean(model), moment=moment, chosen=chosen
            ),
            needs_room=True,
        )

    async def reopen_turn(self, message_id: str, *, model: str, parts: Sequence[Part]) -> StartedTurn:
        parts = tuple(parts)
        key, moment = clean(message_id), self._clock()

        def reopen(connection: sqlite3.Connection) -> tuple[StartedTurn, Receipt]:
            erased = erasing.mark_results(connection, key)
            return turns.reopen(connection, key, clean(model), parts, moment), erased

        turn, erased = await self._database.write(reopen, needs_room=True)
        if not erased.is_empty:
            await purge.finish(self._database)
        return turn

    async def save_parts(self, message_id: str, parts: Sequence[Part]) -> None:
        parts = tuple(parts)
        moment = self._clock()

        def save(connection: sqlite3.Connection) -> None:
            row = connection.execute("SELECT seq, status FROM messages WHERE id = ?", (message_id,)).fetchone()
            if row is None:
                raise StorageError("storage.thread_missing", thread_id="")
            seq, status = row
            if status != MessageStatus.STREAMING:
                # A checkpoint that comes after the end has nothing new; the last commit stands.
                logger.debug("a checkpoint of a finished answer was left out")
                return
            messages.write_parts(connection, seq, parts, moment)

        await self._database.write(save)

    async def finish_turn(
        self,
        turn_id: str,
        *,
        parts: Sequence[Part],
        status: MessageStatus,
        reason: str,
        usage: Usage,
        duration_seconds: float,
        cost: Cost | None = None,
    ) -> Message:
        parts = tuple(parts)
        moment = self._clock()
        ending = messages.Ending(status, clean(reason), usage, duration_seconds, cost)

        def finish(connection: sqlite3.Connection) -> Message:
            row = connection.execute("SELECT answer_seq FROM turns WHERE id = ?", (turn_id,)).fetchone()
            if row is None:
                raise StorageError("storage.thread_missing", thread_id="")
            messages.finish_answer(connection, row[0], parts, ending, moment)
            indexes.index_new_messages(connection)
            return messages.read_messages(connection, row)[0]

        return await self._database.write(finish)

    async def usage_totals(self, *, thread_id: str | None = None) -> tuple[UsageTotal, ...]:
        return await self._database.read(lambda connection: messages.read_totals(connection, thread_id))

    async def recover(self) -> int:
        moment = self._clock()
        await purge.mark_temporary(self._database, moment)
        await self._database.write(lambda connection: erasing.mark(connection, None))
        count = await self._database.write(lambda connection: messages.interrupt_answers(connection, moment))
        await purge.finish(self._database)
        return count

    async def search(self, query: str, *, limit: int = 50) -> tuple[SearchHit, ...]:
        return await search.find_all(self._database, clean(query), limit)

    async def save_draft(self, thread_id: str, text: str) -> None:
        """As in the port. A draft that comes too late, for a thread that was purged, is forgotten. So is one of a
        temporary thread."""
        key, draft = clean(thread_id), clean(text)

        def save(connection: sqlite3.Connection) -> None:
            if draft:
                connection.execute(
                    "INSERT OR REPLACE INTO drafts (thread_id, text) SELECT ?1, ?2 WHERE ?1 = ''"
                    f" OR EXISTS ({OWNER_OF_DRAFT} AND t.is_temporary = 0)",
                    (key, draft),
                )
            else:
                connection.execute("DELETE FROM drafts WHERE thread_id = ?", (key,))

        await self._database.write(save, needs_room=bool(draft))

    async def load_draft(self, thread_id: str) -> str:
        def load(connection: sqlite3.Connection) -> str:
            row = connection.execute("SELECT text FROM drafts WHERE thread_id = ?", (clean(thread_id),)).fetchone()
            return row[0] if row else ""

        return await self._database.read(load)

    async def edited_message(self, thread_id: str) -> str:
        def find(connection: sqlite3.Connection) -> str:
            row = connection.execute(
                "SELECT m.id FROM drafts AS d JOIN messages AS m ON m.id = d.thread_id JOIN threads AS t"
                " ON t.seq = m.thread_seq WHERE t.id = ? AND t.is_purging = 0 AND m.deleted_at IS NULL"
                " ORDER BY m.seq DESC LIMIT 1",
                (clean(thread_id),),
            ).fetchone()
            return row[0] if row else ""

        return await self._database.read(find)

    async def save_new_thread_options(self, options: ThreadOptions) -> None:
        def save(connection: sqlite3.Connection) -> None:
            connection.execute("DELETE FROM new_thread")
            if options != ThreadOptions():
                connection.execute(
                    f"INSERT INTO new_thread (only_row, {thread_options.COLUMNS}) VALUES (1, {thread_options.PLACES})",
                    thread_options.to_row(options),
                )

        await self._database.write(save, needs_room=options.system_prompt is not None)

    async def load_new_thread_options(self) -> ThreadOptions:
        def load(connection: sqlite3.Connection) -> ThreadOptions:
            row = connection.execute(f"SELECT {thread_options.COLUMNS} FROM new_thread").fetchone()
            return thread_options.from_row(row) if row else ThreadOptions()

        return await self._database.read(load)


def _require(thread: Thread | None) -> Thread:
    assert thread is not None
    return thread
