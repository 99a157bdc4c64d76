"""What was sent to the model for each answer."""

import sqlite3

_STATEMENTS: tuple[str, ...] = (
    # figures: compressed JSON that refers to pieces by their numbers. bytes: what it added to the texts that are kept.
    """CREATE TABLE requests (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        answer_seq INTEGER NOT NULL REFERENCES messages (seq) ON DELETE CASCADE,
        thread_seq INTEGER NOT NULL REFERENCES threads (seq) ON DELETE CASCADE,
        sent_at INTEGER NOT NULL,
        figures BLOB NOT NULL,
        outcome TEXT NOT NULL DEFAULT '',
        bytes INTEGER NOT NULL,
        has_texts INTEGER NOT NULL DEFAULT 1
    ) STRICT""",
    "CREATE INDEX requests_of_answer ON requests (answer_seq)",
    "CREATE INDEX requests_of_thread ON requests (thread_seq)",
    "CREATE INDEX requests_with_texts ON requests (seq, sent_at, bytes) WHERE has_texts = 1",
    # A text that a thread's requests repeat stands here once. Without a body its digest is gone, too: it would tell
    # whoever guesses the text that it was this one.
    """CREATE TABLE request_pieces (
        seq INTEGER PRIMARY KEY,
        thread_seq INTEGER NOT NULL REFERENCES threads (seq) ON DELETE CASCADE,
        digest BLOB,
        kind TEXT NOT NULL,
        figures TEXT NOT NULL,
        body BLOB,
        UNIQUE (thread_seq, digest)
    ) STRICT""",
    "CREATE INDEX request_pieces_derived ON request_pieces (kind) WHERE body IS NOT NULL",
    # What a piece quotes of elsewhere, with which its body goes.
    """CREATE TABLE request_quotes (
        quoted TEXT NOT NULL,
        piece_seq INTEGER NOT NULL REFERENCES request_pieces (seq) ON DELETE CASCADE,
        PRIMARY KEY (quoted, piece_seq)
    ) STRICT, WITHOUT ROWID""",
    "CREATE INDEX request_quotes_of_piece ON request_quotes (piece_seq)",
)


def apply(connection: sqlite3.Connection) -> None:
    for statement in _STATEMENTS:
        connection.execute(statement)
