"""The tool journal and the grants in SQLite."""

import sqlite3
from collections.abc import Sequence
from typing import Any

from desktop.core.clock import Clock, utc_now
from desktop.core.errors import StorageError
from desktop.core.signal import Signal
from desktop.core.tool_content import ResultItem
from desktop.storage.attachments import claim_new
from desktop.storage.database import Database
from desktop.storage.messages import require_thread
from desktop.storage.rows import (
    clean,
    encode_items,
    from_microseconds,
    next_number,
    optional_time,
    to_microseconds,
    unreadable,
)
from desktop.storage.sqlite_ledger import noticed_to_json
from desktop.tools.entities import CallState, Choice, Ending, Finding, Grant, GrantScope
from desktop.tools.grant_patterns import from_json, to_json

_GRANT_COLUMNS = (
    "id, scope, thread_id, server_id, tool_name, definition_hash, digest, summary, created_at, last_used_at, use_count,"
    " folder, pattern, expires_at, parser_version, knows_foreign_text"
)


class SqliteToolJournal:
    """See ``tools.ports.ToolJournal``. A finished call is never changed again."""

    def __init__(self, database: Database, *, clock: Clock = utc_now) -> None:
        self._database = database
        self._clock = clock

    async def propose(self, call_id: str, *, turn_id: str, thread_id: str, name: str, arguments: str) -> None:
        time = to_microseconds(self._clock())

        def propose(connection: sqlite3.Connection) -> None:
            thread_seq = require_thread(connection, thread_id, allow_trash=True)
            turn = connection.execute("SELECT seq FROM turns WHERE id = ?", (turn_id,)).fetchone()
            if turn is None:
                raise StorageError("storage.thread_missing", thread_id=thread_id)
            connection.execute(
                "INSERT INTO tool_calls (seq, turn_seq, thread_seq, call_id, name, arguments, state, proposed_at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    next_number(connection),
                    turn[0],
                    thread_seq,
                    clean(call_id),
                    clean(name),
                    clean(arguments),
                    CallState.PROPOSED.value,
                    time,
                ),
            )

        await self._database.write(propose)

    async def decide(
        self,
        call_id: str,
        *,
        state: CallState,
        server_id: str,
        digest: str,
        choice: Choice | None,
        ending: Ending | None,
        decided_by: str,
        shown_seconds: float = 0.0,
        reason: str = "",
        noticed: Sequence[Finding] = (),
        sandbox: str = "",
    ) -> None:
        time = to_microseconds(self._clock())
        is_decided = state is not CallState.WAITING_APPROVAL
        values = (
            state.value,
            clean(server_id),
            digest,
            choice.value if choice else None,
            ending.value if ending else None,
            decided_by,
            shown_seconds,
            time if is_decided else None,
            time if state is CallState.RUNNING else None,
            clean(reason),
            noticed_to_json(noticed),
            clean(sandbox),
        )

        def decide(connection: sqlite3.Connection) -> None:
            connection.execute(
                "UPDATE tool_calls SET state = ?, server = ?, digest = ?, choice = ?, ending = ?, decided_by = ?,"
                " shown_seconds = ?, decided_at = ?, started_at = ?, reason = ?, noticed = ?, sandbox = ? WHERE seq = ?",
                (*values, _open_call(connection, call_id)),
            )

        await self._database.write(decide)

    async def finish(
        self, call_id: str, *, status: str, result: str, duration_seconds: float, items: Sequence[ResultItem] = ()
    ) -> None:
        time = to_microseconds(self._clock())
        kept = encode_items(items)

        def finish(connection: sqlite3.Connection) -> None:
            seq = _open_call(connection, call_id)
            connection.execute(
                "UPDATE tool_calls SET state = ?, status = ?, result = ?, duration_seconds = ?, finished_at = ?,"
                " items = ? WHERE seq = ?",
                (CallState.FINISHED.value, clean(status), clean(result), duration_seconds, time, kept, seq),
            )
            (thread_seq,) = connection.execute("SELECT thread_seq FROM tool_calls WHERE seq = ?", (seq,)).fetchone()
            claim_new(connection, [item.attachment_id for item in items if item.attachment_id], thread_seq)

        await self._database.write(finish)


def _open_call(connection: sqlite3.Connection, call_id: str) -> int:
    """Return the number of the newest unfinished call with this id. Raises ``StorageError`` when there is none."""
    row = connection.execute(
        "SELECT seq FROM tool_calls WHERE call_id = ? AND state <> 'finished' ORDER BY seq DESC LIMIT 1",
        (clean(call_id),),
    ).fetchone()
    if row is None:
        raise StorageError("storage.failed", detail=f"The journal has no open call {call_id!r}.")
    return row[0]


class SqliteGrantRepository:
    """See ``tools.ports.GrantRepository``.

    A grant for one thread goes with the thread. One for always stays when the thread is purged in which it was
    given, with its summary: the user listed it as a rule, and revokes it by itself.
    """

    def __init__(self, database: Database, *, clock: Clock = utc_now) -> None:
        self._database = database
        self._clock = clock
        self.changed: Signal[[]] = Signal()

    async def add(self, grant: Grant) -> None:
        def add(connection: sqlite3.Connection) -> None:
            thread_id = None
            if grant.scope is GrantScope.THREAD:
                thread_id = clean(grant.thread_id or "")
                require_thread(connection, thread_id, allow_trash=True)
            connection.execute(
                f"INSERT INTO grants (seq, {_GRANT_COLUMNS}) VALUES ({', '.join('?' * 17)})",
                (
                    next_number(connection),
                    grant.id,
                    grant.scope.value,
                    thread_id,
                    clean(grant.server_id),
                    clean(grant.tool_name),
                    grant.definition_hash,
                    grant.digest,
                    clean(grant.summary),
                    to_microseconds(grant.created_at),
                    to_microseconds(grant.last_used_at) if grant.last_used_at else None,
                    grant.use_count,
                    clean(grant.folder),
                    None if grant.pattern is None else clean(to_json(grant.pattern)),
                    to_microseconds(grant.expires_at) if grant.expires_at else None,
                    grant.parser_version,
                    grant.knows_foreign_text,
                ),
            )

        await self._database.write(add)
        self.changed.emit()

    async def candidates(
        self, *, digest: str, definition_hash: str, server_id: str, tool_name: str, thread_id: str
    ) -> Sequence[Grant]:
        query = (
            f"SELECT {_GRANT_COLUMNS} FROM grants WHERE server_id = ? AND tool_name = ? AND definition_hash = ?"
            " AND (scope = 'always' OR thread_id = ?) AND (digest IS NULL OR digest = ?)"
            " ORDER BY digest IS NULL, pattern IS NULL, coalesce(last_used_at, created_at) DESC LIMIT 200"
        )
        values = (clean(server_id), clean(tool_name), definition_hash, clean(thread_id), digest)
        return await self._database.read(
            lambda connection: tuple(map(_to_grant, connection.execute(query, values).fetchall()))
        )

    async def mark_used(self, grant_id: str) -> None:
        time = to_microseconds(self._clock())
        statement = "UPDATE grants SET last_used_at = ?, use_count = use_count + 1 WHERE id = ?"
        await self._database.write(lambda connection: connection.execute(statement, (time, clean(grant_id))))
        self.changed.emit()

    async def list(self) -> Sequence[Grant]:
        """Return all grants, the oldest first; those of threads in the Trash too, they come back with the thread."""
        query = f"SELECT {_GRANT_COLUMNS} FROM grants ORDER BY seq"
        return await self._database.read(lambda connection: tuple(map(_to_grant, connection.execute(query).fetchall())))

    async def revoke(self, grant_id: str) -> bool:
        def revoke(connection: sqlite3.Connection) -> bool:
            return connection.execute("DELETE FROM grants WHERE id = ?", (clean(grant_id),)).rowcount > 0

        revoked = await self._database.write(revoke)
        if revoked:
            self.changed.emit()
        return revoked


def _to_grant(row: tuple[Any, ...]) -> Grant:
    grant_id, scope, thread_id, server_id, tool_name, definition_hash, digest, summary, created, used, count = row[:11]
    folder, pattern, expires, parser_version, knows_foreign_text = row[11:]
    if scope not in set(GrantScope):
        raise unreadable(f"the scope {scope!r}")
    return Grant(
        id=grant_id,
        scope=GrantScope(scope),
        thread_id=thread_id,
        server_id=server_id,
        tool_name=tool_name,
        definition_hash=definition_hash,
        digest=digest,
        summary=summary,
        folder=folder,
        created_at=from_microseconds(created),
        last_used_at=optional_time(used),
        use_count=count,
        pattern=None if pattern is None else from_json(pattern),
        expires_at=optional_time(expires),
        parser_version=parser_version,
        knows_foreign_text=bool(knows_foreign_text),
    )
