"""Threads as message trees, turns, the tool journal, grants and drafts.

Order is by ``seq``, drawn from one counter for everything, never by a clock. Times are microseconds since 1970, UTC.
Inside the file rows refer to each other by ``seq``, which is small; the ids in it are for the outside.
"""

import sqlite3

APPLICATION_ID = 0x5468776C
"""Marks the file as ours in its header ("Thwl"), for this program and for tools such as ``file``."""

_STATEMENTS = (
    f"PRAGMA application_id = {APPLICATION_ID}",
    # The last number that was given out.
    "CREATE TABLE sequence (value INTEGER NOT NULL) STRICT",
    "INSERT INTO sequence (value) VALUES (0)",
    # Facts about the file: the version of the search index, and whether a purge still has to wipe.
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT",
    # tip is the message whose path to the root is shown. change_seq and deleted_seq order the list and the Trash.
    # is_purging: hidden for good, its rows are being removed.
    """CREATE TABLE threads (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        title TEXT NOT NULL,
        title_by_user INTEGER NOT NULL DEFAULT 0,
        tip INTEGER REFERENCES messages (seq) ON DELETE SET NULL,
        snippet TEXT NOT NULL DEFAULT '',
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        deleted_at INTEGER,
        change_seq INTEGER NOT NULL,
        deleted_seq INTEGER,
        is_purging INTEGER NOT NULL DEFAULT 0
    ) STRICT""",
    "CREATE INDEX threads_listed ON threads (change_seq) WHERE deleted_at IS NULL",
    "CREATE INDEX threads_in_trash ON threads (deleted_seq) WHERE deleted_at IS NOT NULL",
    "CREATE INDEX threads_tip ON threads (tip)",
    # The counts are what the transcript needs to estimate a height without reading the parts.
    # is_indexed: its text is in the search index. deleted_at: left out of what is shown and found.
    """CREATE TABLE messages (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        thread_seq INTEGER NOT NULL REFERENCES threads (seq) ON DELETE CASCADE,
        parent_seq INTEGER REFERENCES messages (seq),
        role TEXT NOT NULL,
        status TEXT NOT NULL,
        text_length INTEGER NOT NULL DEFAULT 0,
        newline_count INTEGER NOT NULL DEFAULT 0,
        part_count INTEGER NOT NULL DEFAULT 0,
        is_indexed INTEGER NOT NULL DEFAULT 0,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        deleted_at INTEGER
    ) STRICT""",
    "CREATE INDEX messages_of_thread ON messages (thread_seq, seq)",
    "CREATE INDEX messages_by_parent ON messages (parent_seq)",
    "CREATE INDEX messages_not_indexed ON messages (seq) WHERE is_indexed = 0",
    "CREATE INDEX messages_streaming ON messages (seq) WHERE status = 'streaming'",
    # text is what a person reads; payload is JSON with the rest of the part's fields, '' when there are none.
    """CREATE TABLE parts (
        message_seq INTEGER NOT NULL REFERENCES messages (seq) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        step INTEGER NOT NULL,
        kind TEXT NOT NULL,
        text TEXT NOT NULL,
        payload TEXT NOT NULL,
        UNIQUE (message_seq, position)
    ) STRICT""",
    """CREATE TABLE turns (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        answer_seq INTEGER NOT NULL UNIQUE REFERENCES messages (seq) ON DELETE CASCADE,
        model TEXT NOT NULL,
        started_at INTEGER NOT NULL,
        ended_at INTEGER,
        reason TEXT,
        input_tokens INTEGER,
        output_tokens INTEGER,
        duration_seconds REAL
    ) STRICT""",
    # The journal: intent, decision, start and end of each call, each on disk before the next.
    # digest is the hash of what was shown to the person who decided.
    """CREATE TABLE tool_calls (
        seq INTEGER PRIMARY KEY,
        turn_seq INTEGER NOT NULL REFERENCES turns (seq) ON DELETE CASCADE,
        thread_seq INTEGER NOT NULL REFERENCES threads (seq) ON DELETE CASCADE,
        call_id TEXT NOT NULL,
        name TEXT NOT NULL,
        arguments TEXT NOT NULL,
        state TEXT NOT NULL,
        server TEXT NOT NULL DEFAULT '',
        digest TEXT NOT NULL DEFAULT '',
        choice TEXT,
        ending TEXT,
        decided_by TEXT NOT NULL DEFAULT '',
        shown_seconds REAL,
        status TEXT,
        result TEXT,
        duration_seconds REAL,
        proposed_at INTEGER NOT NULL,
        decided_at INTEGER,
        started_at INTEGER,
        finished_at INTEGER
    ) STRICT""",
    "CREATE INDEX tool_calls_of_turn ON tool_calls (turn_seq)",
    "CREATE INDEX tool_calls_of_thread ON tool_calls (thread_seq)",
    "CREATE INDEX tool_calls_by_id ON tool_calls (call_id)",
    """CREATE TABLE grants (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        scope TEXT NOT NULL,
        thread_id TEXT REFERENCES threads (id) ON DELETE CASCADE,
        server_id TEXT NOT NULL,
        tool_name TEXT NOT NULL,
        definition_hash TEXT NOT NULL,
        digest TEXT,
        summary TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        last_used_at INTEGER,
        use_count INTEGER NOT NULL DEFAULT 0
    ) STRICT""",
    "CREATE INDEX grants_of_tool ON grants (server_id, tool_name)",
    "CREATE INDEX grants_of_thread ON grants (thread_id)",
    # The id '' is the draft of a thread that does not exist yet, hence no reference.
    "CREATE TABLE drafts (thread_id TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT",
)


def apply(connection: sqlite3.Connection) -> None:
    for statement in _STATEMENTS:
        connection.execute(statement)
