"""What is remembered: items, what was forgotten, and the vectors by which both items and messages are recalled."""

import sqlite3

_STATEMENTS = (
    # is_recallable: as is_indexed, for the index behind recall; 2 where there is no text.
    # vector_of: by which embedder the newest vector was made, 0 for none.
    "ALTER TABLE messages ADD COLUMN is_recallable INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE messages ADD COLUMN vector_of INTEGER NOT NULL DEFAULT 0",
    "CREATE INDEX messages_not_recallable ON messages (seq) WHERE is_recallable = 0",
    "CREATE INDEX messages_by_vector ON messages (vector_of) WHERE is_recallable = 1",
    # quote: the user's own words, '' once their thread was purged. The threads and messages may be gone.
    """CREATE TABLE memory_items (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        text TEXT NOT NULL,
        kind TEXT NOT NULL,
        author TEXT NOT NULL,
        status TEXT NOT NULL,
        importance REAL NOT NULL,
        is_pinned INTEGER NOT NULL,
        only_thread_id TEXT,
        source_thread_id TEXT,
        source_message_id TEXT,
        quote TEXT NOT NULL DEFAULT '',
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        observed_at INTEGER NOT NULL,
        valid_to INTEGER,
        supersedes_id TEXT,
        used_count INTEGER NOT NULL DEFAULT 0,
        last_used_at INTEGER,
        is_recallable INTEGER NOT NULL DEFAULT 0,
        vector_of INTEGER NOT NULL DEFAULT 0
    ) STRICT""",
    "CREATE INDEX memory_items_listed ON memory_items (status, is_pinned, seq)",
    "CREATE INDEX memory_items_of_thread ON memory_items (source_thread_id) WHERE source_thread_id IS NOT NULL",
    "CREATE INDEX memory_items_only_in ON memory_items (only_thread_id) WHERE only_thread_id IS NOT NULL",
    "CREATE INDEX memory_items_not_recallable ON memory_items (seq) WHERE is_recallable = 0",
    "CREATE INDEX memory_items_by_vector ON memory_items (vector_of) WHERE is_recallable = 1",
    # Keyed hashes of what was forgotten: enough to know it again, nothing that could be read.
    "CREATE TABLE forgotten (digest BLOB PRIMARY KEY) STRICT, WITHOUT ROWID",
    "CREATE TABLE forgotten_key (only_row INTEGER PRIMARY KEY CHECK (only_row = 1), key BLOB NOT NULL) STRICT",
    "INSERT INTO forgotten_key (only_row, key) VALUES (1, randomblob(32))",
    "CREATE TABLE embedders (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE) STRICT",
    # A vector is one signed byte for each dimension; its length is one.
    """CREATE TABLE message_vectors (
        message_seq INTEGER NOT NULL REFERENCES messages (seq) ON DELETE CASCADE,
        embedder_seq INTEGER NOT NULL,
        vector BLOB NOT NULL,
        PRIMARY KEY (message_seq, embedder_seq)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE item_vectors (
        item_seq INTEGER NOT NULL REFERENCES memory_items (seq) ON DELETE CASCADE,
        embedder_seq INTEGER NOT NULL,
        vector BLOB NOT NULL,
        PRIMARY KEY (item_seq, embedder_seq)
    ) STRICT, WITHOUT ROWID""",
    # What the index of vectors has not followed yet. erases: what went must leave the disk, too.
    """CREATE TABLE vector_changes (
        key TEXT PRIMARY KEY,
        number INTEGER NOT NULL,
        erases INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID""",
)


def apply(connection: sqlite3.Connection) -> None:
    for statement in _STATEMENTS:
        connection.execute(statement)
