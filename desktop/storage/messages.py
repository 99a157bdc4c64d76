"""Reading and writing messages, parts and turns, as functions that run inside a transaction."""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from desktop.conversation.entities import (
    Message,
    MessageStatus,
    Part,
    ResultStatus,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
    UsageTotal,
)
from desktop.conversation.inner_run import InnerRunPart
from desktop.conversation.removals import REMOVED_RESULT
from desktop.core.costs import Cost
from desktop.core.errors import StorageError
from desktop.core.language_model import Usage
from desktop.core.tool_content import ResultItem
from desktop.storage import indexes
from desktop.storage.message_tree import last_shown, living, places_beside
from desktop.storage.rows import (
    SNIPPET_LENGTH,
    PartRow,
    clean,
    decode_items,
    decode_part,
    encode_part,
    from_microseconds,
    measure,
    next_number,
    one_line,
    placeholders,
    role_of,
    status_of,
    storable_count,
    to_microseconds,
)
from desktop.tools.entities import CallState

INTERRUPTED_TEXT = "Interrupted: the program ended before this tool was started."
UNKNOWN_TEXT = "The program ended while this tool ran; whether it took effect is not known."

_CHUNK = 500


@dataclass(frozen=True)
class Ending:
    """How a turn ended, for its row."""

    status: MessageStatus
    reason: str
    usage: Usage | None = None
    """None where nobody knows: of an answer that went on, what it had taken before stays."""
    duration_seconds: float | None = None
    cost: Cost | None = None


def insert_message(
    connection: sqlite3.Connection,
    *,
    message_id: str,
    thread_seq: int,
    parent_seq: int | None,
    role: Role,
    status: MessageStatus,
    parts: Sequence[Part],
    moment: datetime,
) -> int:
    """Add a message and return its number."""
    seq = next_number(connection)
    time = to_microseconds(moment)
    connection.execute(
        "INSERT INTO messages (seq, id, thread_seq, parent_seq, role, status, created_at, updated_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (seq, message_id, thread_seq, parent_seq, role.value, status.value, time, time),
    )
    write_parts(connection, seq, parts, moment)
    return seq


def write_parts(connection: sqlite3.Connection, seq: int, parts: Sequence[Part], moment: datetime) -> None:
    """Make the stored parts equal to ``parts``; rows that are equal already are not written."""
    wanted = [encode_part(part) for part in parts]
    stored = _part_rows(connection, seq)
    for position, row in enumerate(wanted):
        if position >= len(stored):
            connection.execute(
                "INSERT INTO parts (message_seq, position, step, kind, text, payload) VALUES (?, ?, ?, ?, ?, ?)",
                (seq, position, *row),
            )
        elif stored[position] != row:
            connection.execute(
                "UPDATE parts SET step = ?, kind = ?, text = ?, payload = ? WHERE message_seq = ? AND position = ?",
                (*row, seq, position),
            )
    if len(stored) > len(wanted):
        connection.execute("DELETE FROM parts WHERE message_seq = ? AND position >= ?", (seq, len(wanted)))
    if stored != wanted:
        connection.execute(
            "UPDATE messages SET text_length = ?, newline_count = ?, part_count = ?, updated_at = ? WHERE seq = ?",
            (*measure(wanted), to_microseconds(moment), seq),
        )


def _part_rows(connection: sqlite3.Connection, seq: int) -> list[PartRow]:
    return connection.execute(
        "SELECT step, kind, text, payload FROM parts WHERE message_seq = ? ORDER BY position", (seq,)
    ).fetchall()


def read_messages(connection: sqlite3.Connection, sequence_numbers: Sequence[int]) -> list[Message]:
    """Return the messages with all parts, in this order; unknown numbers are left out."""
    found: dict[int, Message] = {}
    for start in range(0, len(sequence_numbers), _CHUNK):
        chunk = sequence_numbers[start : start + _CHUNK]
        parts: dict[int, list[Part]] = {}
        for seq, *row in connection.execute(
            "SELECT message_seq, step, kind, text, payload FROM parts"
            f" WHERE message_seq IN ({placeholders(chunk)}) ORDER BY message_seq, position",
            chunk,
        ):
            parts.setdefault(seq, []).append(decode_part((row[0], row[1], row[2], row[3])))
        for seq, position in hidden_results(connection, chunk):
            parts[seq][position] = without_result(parts[seq][position])
        places = places_beside(connection, chunk)
        for row in connection.execute(
            f"""SELECT m.seq, m.id, t.id, {living("p")}, m.role, m.status, m.created_at, m.updated_at,
                    u.model, u.input_tokens, u.output_tokens, u.cached_input_tokens, u.thinking_tokens,
                    u.cost, u.currency, u.duration_seconds, u.reason
                FROM messages AS m JOIN threads AS t ON t.seq = m.thread_seq
                LEFT JOIN messages AS p ON p.seq = m.parent_seq LEFT JOIN turns AS u ON u.answer_seq = m.seq
                WHERE m.seq IN ({placeholders(chunk)})""",
            chunk,
        ):
            (
                seq,
                message_id,
                thread_id,
                parent_id,
                role,
                status,
                created,
                updated,
                model,
                tokens_in,
                tokens_out,
                cached,
                thinking,
                cost,
                currency,
                took,
                reason,
            ) = row
            number, count = places.get(seq, (1, 1))
            found[seq] = Message(
                id=message_id,
                thread_id=thread_id,
                parent_id=parent_id,
                role=role_of(role),
                status=status_of(status),
                parts=tuple(parts.get(seq, ())),
                created_at=from_microseconds(created),
                updated_at=from_microseconds(updated),
                model=model or "",
                usage=Usage(
                    input_tokens=tokens_in,
                    output_tokens=tokens_out,
                    cached_input_tokens=cached,
                    thinking_tokens=thinking,
                ),
                cost=None if cost is None else Cost(amount=cost, currency=currency or ""),
                duration_seconds=took,
                reason=reason or "",
                answer_number=number,
                answer_count=count,
            )
    return [found[seq] for seq in sequence_numbers if seq in found]


def hidden_results(connection: sqlite3.Connection, numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Return which results of these messages were removed and can still be taken back: the message, and the place in it."""
    return connection.execute(
        "SELECT message_seq, position FROM removals"
        f" WHERE position >= 0 AND message_seq IN ({placeholders(numbers)}) ORDER BY message_seq, position",
        numbers,
    ).fetchall()


def without_result(part: Part) -> Part:
    """Return what stands in the place of a result that was removed: the call has its one result, which says so.

    Of the run of an assistant that was asked nothing stays.
    """
    if isinstance(part, InnerRunPart):
        return replace(part, assistant="", model="", parts=())
    return replace(part, text=REMOVED_RESULT, items=()) if isinstance(part, ToolResultPart) else part


def touch_thread(connection: sqlite3.Connection, thread_seq: int, moment: datetime, text: str) -> None:
    """Put the thread at the top of the list, with the beginning of ``text`` as its snippet unless that is blank."""
    connection.execute(
        "UPDATE threads SET change_seq = ?, updated_at = ?, snippet = coalesce(nullif(?, ''), snippet) WHERE seq = ?",
        (next_number(connection), to_microseconds(moment), one_line(text, SNIPPET_LENGTH), thread_seq),
    )


def finish_answer(
    connection: sqlite3.Connection, answer_seq: int, parts: Sequence[Part], ending: Ending, moment: datetime
) -> None:
    """Store the last state of an answer and of its turn."""
    indexes.forget_messages(connection, [answer_seq], erases=False)
    write_parts(connection, answer_seq, parts, moment)
    time, usage = to_microseconds(moment), ending.usage
    connection.execute(
        "UPDATE messages SET status = ?, updated_at = ? WHERE seq = ?", (ending.status.value, time, answer_seq)
    )
    connection.execute(
        "UPDATE turns SET ended_at = ?, reason = ? WHERE answer_seq = ?", (time, ending.reason, answer_seq)
    )
    if usage is not None:
        connection.execute(
            "UPDATE turns SET input_tokens = ?, output_tokens = ?, cached_input_tokens = ?, thinking_tokens = ?,"
            " cost = ?, currency = ?, duration_seconds = ? WHERE answer_seq = ?",
            (
                storable_count(usage.input_tokens),
                storable_count(usage.output_tokens),
                storable_count(usage.cached_input_tokens),
                storable_count(usage.thinking_tokens),
                ending.cost.amount if ending.cost else None,
                clean(ending.cost.currency) if ending.cost else None,
                ending.duration_seconds,
                answer_seq,
            ),
        )
    (thread_seq,) = connection.execute("SELECT thread_seq FROM messages WHERE seq = ?", (answer_seq,)).fetchone()
    is_tip = last_shown(connection, thread_seq) == answer_seq
    texts = (clean(part.text) for part in parts if isinstance(part, TextPart) and part.text.strip())
    touch_thread(connection, thread_seq, moment, next(texts, "") if is_tip else "")


def read_totals(connection: sqlite3.Connection, thread_id: str | None) -> tuple[UsageTotal, ...]:
    """Return what was used in each month, newest first, and in it by model, the most used first.

    What was answered in another program is not counted: it was used there.
    """
    rows = connection.execute(
        """WITH used AS (
                SELECT m.thread_seq, u.started_at AS at, u.model, 1 AS answers, u.input_tokens, u.output_tokens, u.cost,
                    u.currency
                FROM turns AS u JOIN messages AS m ON m.seq = u.answer_seq WHERE u.ended_at IS NOT NULL AND u.is_copy = 0
                AND NOT EXISTS (SELECT 1 FROM message_origins AS o WHERE o.message_seq = m.seq)
                UNION ALL
                SELECT thread_seq, created_at, model, 0, input_tokens, output_tokens, cost, currency FROM summaries
               UNION ALL
               SELECT thread_seq, created_at, model, 0, input_tokens, output_tokens, cost, currency FROM reading_costs
            )
            SELECT strftime('%Y-%m', u.at / 1000000, 'unixepoch', 'localtime') AS month, u.model, sum(u.answers),
                coalesce(sum(u.input_tokens), 0), coalesce(sum(u.output_tokens), 0) AS output, sum(u.cost), u.currency
            FROM used AS u JOIN threads AS t ON t.seq = u.thread_seq
            WHERE t.is_purging = 0 AND t.id = coalesce(?, t.id) AND u.model <> ''
            GROUP BY month, u.model, u.currency ORDER BY month DESC, output DESC, u.model""",
        (thread_id,),
    )
    return tuple(
        UsageTotal(
            month=month or "",
            model=model,
            answers=answers,
            input_tokens=tokens_in,
            output_tokens=tokens_out,
            cost=None if cost is None else Cost(amount=cost, currency=currency or ""),
        )
        for month, model, answers, tokens_in, tokens_out, cost, currency in rows
    )


def interrupt_answers(connection: sqlite3.Connection, moment: datetime, thread_seq: int | None = None) -> int:
    """End every answer that nobody writes any more, or those of one thread; return how many.

    Each call without a result gets one: what the journal recorded, UNKNOWN when the tool had been started, else
    INTERRUPTED.
    """
    answers = connection.execute(
        "SELECT m.seq, u.seq, u.id FROM messages AS m LEFT JOIN turns AS u ON u.answer_seq = m.seq"
        " WHERE m.status = 'streaming' AND m.thread_seq = coalesce(?, m.thread_seq) ORDER BY m.seq",
        (thread_seq,),
    ).fetchall()
    for answer_seq, turn_seq, turn_id in answers:
        parts = [decode_part(row) for row in _part_rows(connection, answer_seq)]
        parts = with_all_results(parts, _journal_results(connection, turn_seq, turn_id))
        finish_answer(connection, answer_seq, parts, Ending(MessageStatus.INTERRUPTED, "interrupted"), moment)
        _close_journal(connection, turn_seq, moment)
    return len(answers)


@dataclass(frozen=True)
class _Known:
    """What the journal knows of how a call ended."""

    status: ResultStatus = ResultStatus.INTERRUPTED
    text: str = INTERRUPTED_TEXT
    duration_seconds: float = 0.0
    items: tuple[ResultItem, ...] = ()


def _journal_results(connection: sqlite3.Connection, turn_seq: int | None, turn_id: str | None) -> dict[str, _Known]:
    """Return what the journal knows of the calls of a turn, by the call's id in the message.

    The agent prefixes the id with the turn's, because endpoints repeat their ids.
    """
    results: dict[str, _Known] = {}
    for call_id, state, status, result, took, items in connection.execute(
        "SELECT call_id, state, status, result, duration_seconds, items FROM tool_calls"
        " WHERE turn_seq = ? ORDER BY seq",
        (turn_seq,),
    ):
        if state == CallState.FINISHED and status in set(ResultStatus):
            known = _Known(ResultStatus(status), result or "", took or 0.0, decode_items(items))
        elif state == CallState.RUNNING:
            known = _Known(ResultStatus.UNKNOWN, UNKNOWN_TEXT)
        else:
            known = _Known()
        results[str(call_id).removeprefix(f"{turn_id}:")] = known
    return results


def with_all_results(parts: Sequence[Part], known: "Mapping[str, _Known]") -> list[Part]:
    """Return the parts with a result for every call, placed at the end of the call's step."""
    answered = {part.call_id for part in parts if isinstance(part, ToolResultPart)}
    complete = [_complete(part, known) for part in parts]
    for call in [part for part in parts if isinstance(part, ToolCallPart) and part.call_id not in answered]:
        ending = known.get(call.call_id, _Known())
        result = ToolResultPart(
            call_id=call.call_id,
            status=ending.status,
            text=ending.text,
            duration_seconds=ending.duration_seconds,
            items=ending.items,
            step=call.step,
        )
        end_of_step = max(i for i, part in enumerate(complete) if part.step == call.step) + 1
        complete.insert(end_of_step, result)
    return complete


def _complete(part: Part, known: "Mapping[str, _Known]") -> Part:
    """The run of an assistant that was asked, with a result for every call in it, too."""
    if not isinstance(part, InnerRunPart):
        return part
    start = f"{part.call_id}/"
    own = {call_id.removeprefix(start): ending for call_id, ending in known.items() if call_id.startswith(start)}
    return replace(part, parts=tuple(with_all_results(part.parts, own)))


def _close_journal(connection: sqlite3.Connection, turn_seq: int | None, moment: datetime) -> None:
    connection.execute(
        "UPDATE tool_calls SET status = iif(state = 'running', 'unknown', 'interrupted'), finished_at = ?,"
        " result = iif(state = 'running', ?, ?), state = 'finished' WHERE turn_seq = ? AND state <> 'finished'",
        (to_microseconds(moment), UNKNOWN_TEXT, INTERRUPTED_TEXT, turn_seq),
    )


def require_thread(connection: sqlite3.Connection, thread_id: str, *, allow_trash: bool = False) -> int:
    """Return the thread's number. Raises ``StorageError`` when there is none, or it is in the Trash."""
    row = connection.execute(
        "SELECT seq FROM threads WHERE id = ? AND is_purging = 0 AND (deleted_at IS NULL OR ?)",
        (thread_id, allow_trash),
    ).fetchone()
    if row is None:
        raise StorageError("storage.thread_missing", thread_id=thread_id)
    return row[0]
