"""The full-text index of what tools were asked and what they answered: each answer of a model with its calls.

Of the arguments and the result of a call only the beginning is in it, so that a long output costs no more than a page.
"""

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from desktop.storage.full_text import FullTextIndex
from desktop.storage.rows import placeholders
from desktop.storage.search_index import FINISHED, LEAVES_TRACES

MOST_OF_ARGUMENTS = 4_000
MOST_OF_RESULT = 8_000
MOST_OF_MESSAGE = 60_000
"""In characters."""
_LONGEST_CHARACTER = 4


@dataclass
class CallText:
    """What is found of one call."""

    call_id: str
    text: str


def calls_of(connection: sqlite3.Connection, numbers: Sequence[int]) -> dict[int, list[CallText]]:
    """Return the calls of messages, those without any left out: name, arguments and result of each, cut.

    A result that was removed is not found, also while it can be taken back.
    """
    # As bytes: for SQLite a text ends where a NUL stands in it.
    rows = connection.execute(
        "SELECT message_seq, kind, payload ->> '$.call_id', payload ->> '$.name',"
        f" substr(CAST(text AS BLOB), 1, {_LONGEST_CHARACTER * MOST_OF_RESULT})"
        f" FROM parts WHERE kind IN ('tool_call', 'tool_result') AND message_seq IN ({placeholders(numbers)})"
        " AND NOT EXISTS (SELECT 1 FROM removals AS r"
        " WHERE r.message_seq = parts.message_seq AND r.position = parts.position)"
        " ORDER BY message_seq, position",
        numbers,
    )
    found: dict[int, dict[str, CallText]] = {}
    room: dict[int, int] = {}
    for seq, kind, call_id, name, content in rows:
        most = MOST_OF_ARGUMENTS if kind == "tool_call" else MOST_OF_RESULT
        text = (content or b"").decode("utf-8", "ignore")[:most]
        calls = found.setdefault(seq, {})
        left = room.get(seq, MOST_OF_MESSAGE)
        piece = f"{name} {_readable(text)}" if kind == "tool_call" else text
        piece = piece[:left]
        room[seq] = left - len(piece)
        call = calls.setdefault(str(call_id), CallText(str(call_id), ""))
        call.text = f"{call.text}\n{piece}" if call.text else piece
    return {seq: list(calls.values()) for seq, calls in found.items()}


def _readable(arguments: str) -> str:
    """Return arguments as a person reads them: some models write every letter beyond English as a number."""
    if "\\u" not in arguments:
        return arguments
    try:
        return json.dumps(json.loads(arguments), ensure_ascii=False).encode("utf-8", "replace").decode("utf-8")
    except (ValueError, RecursionError):
        return arguments


def text_of(calls: Sequence[CallText]) -> str:
    return "\n\n".join(call.text for call in calls)


INDEX = FullTextIndex(
    table="call_search",
    columns=("body",),
    options="columnsize = 0, prefix = '1 2 3', tokenize = 'ascii'",
    rows_of="messages",
    flag="is_call_indexed",
    is_ready=f"r.role = 'assistant' AND {FINISHED} AND {LEAVES_TRACES}",
    texts=lambda connection, numbers: {seq: (text_of(calls),) for seq, calls in calls_of(connection, numbers).items()},
    version=1,
    version_key="call_search_version",
)
