"""What the words for an error are: a title and a detail in English, marked for translation."""

import re
from collections.abc import Mapping
from typing import NamedTuple


class ErrorText(NamedTuple):
    title: str
    detail: str


def QT_TRANSLATE_NOOP(context: str, text: str) -> str:  # noqa: N802  (the name that lupdate looks for)
    """Mark ``text`` for translation in ``context``; returns it unchanged."""
    return text


_CLOSED = re.compile(r"\{(\w+)\}(?=[).,;:）。，；：])")
"""Placeholders after which the template itself goes on with punctuation."""


def within(template: str, params: Mapping[str, str | int | float]) -> dict[str, str | int | float]:
    """Return ``params`` so that no full stop of theirs stands before the template's own or before a bracket."""
    closed = set(_CLOSED.findall(template))
    return {
        name: _without_stop(value) if name in closed and isinstance(value, str) else value
        for name, value in params.items()
    }


def _without_stop(text: str) -> str:
    bare = text.rstrip()
    return bare if bare.endswith("..") else bare.rstrip(".。") or text
