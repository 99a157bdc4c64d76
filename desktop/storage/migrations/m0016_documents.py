"""Files that the user added as knowledge, in pieces that can be recalled."""

import sqlite3

_STATEMENTS: tuple[str, ...] = (
    # A file or folder as it was added. only_thread_id: the thread for which it counts, '' that of a new thread, NULL all.
    # left_out: JSON, what of a folder is not read and why. removed_at: it can be brought back until is_purging.
    """CREATE TABLE document_roots (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        path TEXT NOT NULL,
        is_folder INTEGER NOT NULL,
        only_thread_id TEXT,
        added_at INTEGER NOT NULL,
        removed_at INTEGER,
        is_purging INTEGER NOT NULL DEFAULT 0,
        left_out TEXT NOT NULL DEFAULT ''
    ) STRICT""",
    "CREATE INDEX document_roots_of_thread ON document_roots (only_thread_id) WHERE only_thread_id IS NOT NULL",
    # A file of a root. state: see memory.documents.DocumentState. modified, size: as they were when it was read, by
    # which a change is noticed. round: of its newest pieces; those of an earlier one go when all of it was read.
    """CREATE TABLE documents (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        root_seq INTEGER NOT NULL REFERENCES document_roots (seq) ON DELETE CASCADE,
        path TEXT NOT NULL,
        state TEXT NOT NULL,
        reason TEXT NOT NULL DEFAULT '',
        size INTEGER NOT NULL DEFAULT 0,
        modified INTEGER NOT NULL DEFAULT 0,
        digest BLOB,
        read_at INTEGER,
        parts INTEGER NOT NULL DEFAULT 0,
        parts_read INTEGER NOT NULL DEFAULT 0,
        round INTEGER NOT NULL DEFAULT 0,
        UNIQUE (root_seq, path)
    ) STRICT""",
    "CREATE INDEX documents_waiting ON documents (seq) WHERE state = 'waiting'",
    # headings: what stands above the text in its file, from the outermost heading inwards, a line each. place: JSON.
    # is_recallable and vector_of: as of messages.
    """CREATE TABLE document_pieces (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        document_seq INTEGER NOT NULL REFERENCES documents (seq) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        round INTEGER NOT NULL,
        digest BLOB NOT NULL,
        headings TEXT NOT NULL,
        place TEXT NOT NULL,
        text TEXT NOT NULL,
        is_recallable INTEGER NOT NULL DEFAULT 0,
        vector_of INTEGER NOT NULL DEFAULT 0
    ) STRICT""",
    "CREATE INDEX document_pieces_of_document ON document_pieces (document_seq, digest)",
    "CREATE INDEX document_pieces_not_recallable ON document_pieces (seq) WHERE is_recallable = 0",
    "CREATE INDEX document_pieces_by_vector ON document_pieces (vector_of) WHERE is_recallable = 1",
    """CREATE TABLE piece_vectors (
        piece_seq INTEGER NOT NULL REFERENCES document_pieces (seq) ON DELETE CASCADE,
        embedder_seq INTEGER NOT NULL,
        vector BLOB NOT NULL,
        PRIMARY KEY (piece_seq, embedder_seq)
    ) STRICT, WITHOUT ROWID""",
)


def apply(connection: sqlite3.Connection) -> None:
    for statement in _STATEMENTS:
        connection.execute(statement)
