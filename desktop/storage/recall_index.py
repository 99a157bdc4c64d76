"""The full-text indexes behind recall, apart from the search's: messages with what was said before them, facts, documents.

Their words are English stems (Porter's), with the characters of other scripts apart, and they are ranked by BM25.
"""

import sqlite3
from collections.abc import Sequence
from datetime import datetime
from pathlib import PurePath

from desktop.storage.full_text import FullTextIndex
from desktop.storage.recall_text import dated, ending
from desktop.storage.rows import from_microseconds, placeholders
from desktop.storage.search_index import FINISHED, LEAVES_TRACES

_OFFSET = "recall_minutes_from_utc"
WEIGHTS = (1.5, 0.75)
"""What a word counts for in a message, and in what was said before it: half of what is asked about stands there, yet
the message itself should come first. More than one for all: a word that comes again counts for less (a k1 of 0.8)."""


def spoken(connection: sqlite3.Connection, numbers: Sequence[int]) -> dict[int, tuple[str, int, str]]:
    """Return text, time and the end of what was said before, of messages that hold any text."""
    # The blank between parts is as wide as Message.text has it.
    rows = connection.execute(
        f"""SELECT m.seq, m.created_at, {_text_of("m.seq")}, coalesce({_text_of(_BEFORE)}, '')
            FROM messages AS m WHERE m.seq IN ({placeholders(numbers)})""",
        numbers,
    )
    return {seq: (text, at, ending(before)) for seq, at, text, before in rows if text and not text.isspace()}


_BEFORE = "(SELECT p.seq FROM messages AS p WHERE p.seq = m.parent_seq AND p.deleted_at IS NULL)"


def _text_of(seq: str) -> str:
    return (
        "(SELECT group_concat(text, char(10, 10)) FROM"
        f" (SELECT text FROM parts WHERE message_seq = {seq} AND kind = 'text' ORDER BY position))"
    )


def _message_texts(connection: sqlite3.Connection, numbers: Sequence[int]) -> dict[int, tuple[str, ...]]:
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (_OFFSET,)).fetchone()
    minutes = row[0] if row else 0
    return {
        seq: (f"{dated(from_microseconds(at), minutes)} {text}", before)
        for seq, (text, at, before) in spoken(connection, numbers).items()
    }


def _fact_texts(connection: sqlite3.Connection, numbers: Sequence[int]) -> dict[int, tuple[str, ...]]:
    rows = connection.execute(f"SELECT seq, text FROM memory_items WHERE seq IN ({placeholders(numbers)})", numbers)
    return {seq: (text,) for seq, text in rows}


def above(path: str, headings: str) -> str:
    """Return what stands above a piece of a document: its name, and its headings, a line each."""
    return "\n".join(filter(None, (PurePath(path).name, headings)))


def _document_texts(connection: sqlite3.Connection, numbers: Sequence[int]) -> dict[int, tuple[str, ...]]:
    rows = connection.execute(
        "SELECT p.seq, p.text, d.path, p.headings FROM document_pieces AS p"
        f" JOIN documents AS d ON d.seq = p.document_seq WHERE p.seq IN ({placeholders(numbers)})",
        numbers,
    )
    return {seq: (text, above(path, headings)) for seq, text, path, headings in rows}


def _note_offset(connection: sqlite3.Connection) -> None:
    """Days are those of the place where the index was begun, for good: a row is removed by its very words."""
    offset = datetime.now().astimezone().utcoffset()
    minutes = round(offset.total_seconds() / 60) if offset else 0
    connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (_OFFSET, minutes))


MESSAGES = FullTextIndex(
    table="message_recall",
    columns=("body", "before"),
    options="tokenize = 'porter ascii'",
    rows_of="messages",
    flag="is_recallable",
    # What was said before is indexed with it, and so must not change any more either.
    is_ready=f"{FINISHED} AND {LEAVES_TRACES} AND NOT EXISTS"
    " (SELECT 1 FROM messages AS p WHERE p.seq = r.parent_seq AND p.status = 'streaming')",
    texts=_message_texts,
    version=1,
    version_key="message_recall_version",
    prepare=_note_offset,
)

FACTS = FullTextIndex(
    table="fact_recall",
    columns=("body",),
    options="tokenize = 'porter ascii'",
    rows_of="memory_items",
    flag="is_recallable",
    is_ready="TRUE",
    texts=_fact_texts,
    version=1,
    version_key="fact_recall_version",
)

DOCUMENTS = FullTextIndex(
    table="document_recall",
    columns=("body", "above"),
    options="tokenize = 'porter ascii'",
    rows_of="document_pieces",
    flag="is_recallable",
    is_ready="TRUE",
    texts=_document_texts,
    version=1,
    version_key="document_recall_version",
)
