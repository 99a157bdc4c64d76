"""The tool journal to be read, and which threads hold foreign text."""

import json
import sqlite3
from collections.abc import Sequence
from typing import Any

from desktop.core.signal import Signal
from desktop.storage.database import Database
from desktop.storage.messages import require_thread
from desktop.storage.rows import clean, from_microseconds, optional_time, to_microseconds
from desktop.tools.entities import CallState, Choice, Ending, Finding
from desktop.tools.findings import FINDING_TEXTS
from desktop.tools.ledger import LedgerEntry, LedgerVerdict
from desktop.tools.ports import TaintRepository, ToolLedger
from desktop.tools.taint import Taint, TaintCause

MOST_ENTRIES = 500
MOST_WORDS = 20
_RESULT_CHARS = 2_000
_VERDICT = (
    "CASE WHEN IFNULL(c.decided_by, '') = '' OR c.ending = 'aborted' OR c.state IN ('proposed', 'waiting_approval')"
    " THEN 'undecided' WHEN c.choice = 'refuse' OR c.ending = 'cancelled' OR c.status = 'denied' OR c.state = 'denied'"
    " THEN 'refused' ELSE 'allowed' END"
)
_COLUMNS = (
    "c.seq, c.call_id, t.id, t.title, c.server, c.name, c.arguments, c.state, c.reason, c.decided_by, c.choice, c.ending,"
    f" c.shown_seconds, c.noticed, c.sandbox, c.status, substr(c.result, 1, {_RESULT_CHARS}), c.duration_seconds,"
    f" c.proposed_at, c.decided_at, c.finished_at, {_VERDICT}"
)
_SEARCHED = ("c.name", "c.server", "c.arguments", "c.result", "c.reason", "t.title")


class SqliteToolLedger(ToolLedger):
    """See ``tools.ports.ToolLedger``. Calls of chats in the Trash are found, too."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def search(
        self,
        text: str = "",
        *,
        limit: int = 50,
        before: int | None = None,
        thread_id: str | None = None,
        server_id: str | None = None,
        verdict: LedgerVerdict | None = None,
        grant_id: str | None = None,
    ) -> Sequence[LedgerEntry]:
        conditions = ["t.is_purging = 0"]
        values: list[Any] = []
        for condition, value in (
            ("c.seq < ?", before),
            ("t.id = ?", thread_id),
            ("c.server = ?", server_id),
            (f"{_VERDICT} = ?", verdict),
            ("c.decided_by = ?", None if grant_id is None else f"grant:{grant_id}"),
        ):
            if value is not None:
                conditions.append(condition)
                values.append(clean(value) if isinstance(value, str) else value)
        for word in clean(text).split()[:MOST_WORDS]:
            conditions.append("(" + " OR ".join(f"{column} LIKE ? ESCAPE '\\'" for column in _SEARCHED) + ")")
            values += [f"%{_escaped(word)}%"] * len(_SEARCHED)
        query = (
            f"SELECT {_COLUMNS} FROM tool_calls AS c JOIN threads AS t ON t.seq = c.thread_seq"
            f" WHERE {' AND '.join(conditions)} ORDER BY c.seq DESC LIMIT ?"
        )
        values.append(max(1, min(limit, MOST_ENTRIES)))
        return await self._database.read(
            lambda connection: tuple(map(_to_entry, connection.execute(query, values).fetchall()))
        )

    async def servers(self) -> Sequence[str]:
        query = (
            "SELECT DISTINCT c.server FROM tool_calls AS c JOIN threads AS t ON t.seq = c.thread_seq"
            " WHERE t.is_purging = 0 AND c.server <> '' ORDER BY c.server"
        )
        return await self._database.read(lambda connection: tuple(row[0] for row in connection.execute(query)))


class SqliteTaintRepository(TaintRepository):
    """See ``tools.ports.TaintRepository``. A thread that is purged takes its mark along."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.changed: Signal[str] = Signal()

    async def of(self, thread_id: str) -> Taint | None:
        query = "SELECT f.cause, f.detail, f.at FROM foreign_text AS f JOIN threads AS t ON t.seq = f.thread_seq WHERE t.id = ?"
        row = await self._database.read(lambda connection: connection.execute(query, (clean(thread_id),)).fetchone())
        return None if row is None else _to_taint(row)

    async def add(self, thread_id: str, taint: Taint) -> None:
        def add(connection: sqlite3.Connection) -> bool:
            seq = require_thread(connection, thread_id, allow_trash=True)
            values = (seq, taint.cause.value, clean(taint.detail), to_microseconds(taint.at))
            statement = "INSERT OR IGNORE INTO foreign_text (thread_seq, cause, detail, at) VALUES (?, ?, ?, ?)"
            return connection.execute(statement, values).rowcount > 0

        if await self._database.write(add):
            self.changed.emit(thread_id)


def noticed_to_json(noticed: Sequence[Finding]) -> str:
    """Return findings as a column holds them."""
    return clean(json.dumps([[f.code, f.detail, f.severe] for f in noticed], ensure_ascii=False)) if noticed else ""


def _to_taint(row: tuple[str, str, int]) -> Taint:
    """A cause that this version does not know is still one."""
    cause, detail, at = row
    known = TaintCause(cause) if cause in list(TaintCause) else TaintCause.TOOL_OUTPUT
    return Taint(cause=known, detail=detail, at=from_microseconds(at))


def _escaped(word: str) -> str:
    return word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def _to_entry(row: tuple[Any, ...]) -> LedgerEntry:
    (number, call_id, thread_id, title, server, name, arguments, state, reason, decided_by, choice, ending, shown) = (
        row[:13]
    )
    noticed, sandbox, status, result, duration, proposed, decided, finished, verdict = row[13:]
    return LedgerEntry(
        number=number,
        call_id=call_id,
        thread_id=thread_id,
        thread_title=title,
        server_id=server,
        name=name,
        arguments=arguments,
        state=CallState(state) if state in list(CallState) else CallState.FINISHED,
        reason=reason,
        decided_by=decided_by,
        choice=Choice(choice) if choice in list(Choice) else None,
        ending=Ending(ending) if ending in list(Ending) else None,
        shown_seconds=shown or 0.0,
        noticed=_noticed(noticed),
        sandbox=sandbox,
        status=status or "",
        result=result or "",
        duration_seconds=duration or 0.0,
        proposed_at=from_microseconds(proposed),
        decided_at=optional_time(decided),
        finished_at=optional_time(finished),
        verdict=LedgerVerdict(verdict),
    )


def _noticed(text: str) -> tuple[Finding, ...]:
    """What was noticed; what this version has no words for, or cannot read, is left out."""
    try:
        rows = json.loads(text or "[]")
        return tuple(
            Finding(code=str(code), detail=str(detail), severe=bool(severe))
            for code, detail, severe in rows
            if code in FINDING_TEXTS
        )
    except (ValueError, TypeError, RecursionError):
        return ()
