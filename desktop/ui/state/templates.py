"""Finds the words of the app that a text in English was made of, with what stands in their places, to be translated."""

import re
from collections.abc import Iterable, Mapping
from functools import cache

_ONE_WORD = frozenset({"code", "count", "date", "digits", "limit", "number", "offset", "seconds", "time", "weekday"})
"""Placeholders for text without blanks; others may stand for anything."""


def find_template(templates: Iterable[str], text: str) -> tuple[str, Mapping[str, str]] | None:
    """Return the template that ``text`` was made of, and what its ``{placeholders}`` stand for."""
    for template in templates:
        if found := _pattern(template).fullmatch(text):
            return template, found.groupdict()
    return None


@cache
def _pattern(template: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\\{(\w+)\\\}", _group, re.escape(template)), re.DOTALL)


def _group(placeholder: re.Match[str]) -> str:
    name = placeholder[1]
    return rf"(?P<{name}>\S+)" if name in _ONE_WORD else rf"(?P<{name}>.+?)"
