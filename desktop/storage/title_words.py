"""Lets SQLite leave out the titles that cannot hold a word; what is left is looked at without case and accents."""

from collections.abc import Iterable

_USUAL = "\u0009 -~\u2010-\u2027\u3000-\u3029\u4e00-\u9fff\uff01-\uff0f\uff1a-\uff20"
"""A range for GLOB: characters that are folded to themselves, to another case, or to nothing. A title with others, such
as é, may hold a word that SQLite does not see in it. The index ``unusual_titles`` has the same range."""
_UNUSUAL = f"SELECT u.seq FROM threads AS u WHERE u.title GLOB '*[^{_USUAL}]*'"


def may_hold(title: str, seq: str, words: Iterable[str]) -> tuple[str, list[str]]:
    """Return a condition on the columns ``title`` and ``seq`` of threads, and its values: all folded ``words`` may stand there.

    There is no sign in a folded word that LIKE knows.
    """
    patterns = [f"%{word}%" for word in words]
    holds = " AND ".join([f"{title} LIKE ?"] * len(patterns)) or "1"
    return f"(({holds}) OR {seq} IN ({_UNUSUAL}))", patterns
