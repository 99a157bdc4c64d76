"""Which titles hold letters that SQLite cannot compare without case and accents, for ``storage.title_words``."""

import sqlite3

_USUAL = "\u0009 -~\u2010-\u2027\u3000-\u3029\u4e00-\u9fff\uff01-\uff0f\uff1a-\uff20"


def apply(connection: sqlite3.Connection) -> None:
    connection.execute(f"CREATE INDEX unusual_titles ON threads (seq) WHERE title GLOB '*[^{_USUAL}]*'")
