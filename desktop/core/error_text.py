"""What the words for an error are: a title and a detail in English, marked for translation."""

from typing import NamedTuple


class ErrorText(NamedTuple):
    title: str
    detail: str


def QT_TRANSLATE_NOOP(context: str, text: str) -> str:  # noqa: N802  (the name that lupdate looks for)
    """Mark ``text`` for translation in ``context``; returns it unchanged."""
    return text
