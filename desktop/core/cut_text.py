"""Shortens a long text to its beginning and its end, with a mark that says how much is missing."""

HEAD_SHARE = 2 / 3
_MARK = "\n[... {count} characters left out here: only the beginning and the end are shown ...]\n"


def cut(text: str, limit: int, *, whole_length: int | None = None) -> str:
    """Return ``text`` in about ``limit`` characters, at least two.

    ``whole_length`` is how long it was before it was cut the first time, in the same way: what is missing then is
    counted from there.
    """
    if len(text) <= limit:
        return text
    limit = max(limit, 2)
    head = round(limit * HEAD_SHARE)
    tail = limit - head
    missing = max(len(text), whole_length or 0) - limit
    return f"{text[:head]}{_MARK.format(count=missing)}{text[-tail:]}"


def cut_to_bytes(text: str, limit: int, *, whole_length: int | None = None) -> str:
    """Like ``cut``, with a limit in bytes of UTF-8, which holds for Chinese and English alike."""
    if len(text) * 4 <= limit:
        return text
    size = len(text.encode("utf-8", "replace"))
    return text if size <= limit else cut(text, int(limit * len(text) / size), whole_length=whole_length)
