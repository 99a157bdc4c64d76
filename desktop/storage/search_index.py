"""The full-text index behind the search of the sidebar: every finished message with the files that were sent with it."""

import sqlite3
from collections.abc import Sequence

from desktop.storage.full_text import FullTextIndex
from desktop.storage.rows import placeholders

FINISHED = "r.status <> 'streaming' AND r.deleted_at IS NULL"
LEAVES_TRACES = "(SELECT t.is_temporary FROM threads AS t WHERE t.seq = r.thread_seq) = 0"
"""The condition on messages that they are not of a temporary thread: such a one is in no index, at no time."""


def texts_of(connection: sqlite3.Connection, sequence_numbers: Sequence[int]) -> dict[int, str]:
    """Return the texts of messages as ``Message.text`` gives them, and the names and texts of files sent with them.

    Messages with neither are left out. What was typed comes first: it is what a hit shows.
    """
    rows = connection.execute(
        "SELECT message_seq, iif(kind <> 'attachment', text, payload ->> '$.name' || char(10) || text) FROM parts"
        f" WHERE kind IN ('text', 'plan', 'attachment') AND message_seq IN ({placeholders(sequence_numbers)})"
        " ORDER BY message_seq, kind DESC, position",
        sequence_numbers,
    )
    texts: dict[int, list[str]] = {}
    for seq, text in rows:
        texts.setdefault(seq, []).append(text)
    return {seq: "\n\n".join(pieces) for seq, pieces in texts.items()}


INDEX = FullTextIndex(
    table="message_search",
    columns=("body",),
    options="columnsize = 0, tokenize = 'ascii'",
    rows_of="messages",
    flag="is_indexed",
    is_ready=f"{FINISHED} AND {LEAVES_TRACES}",
    texts=lambda connection, numbers: {seq: (text,) for seq, text in texts_of(connection, numbers).items()},
    version=1,
    version_key="search_version",
)
