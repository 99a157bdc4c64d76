"""Assistants as a file: ``{"format": "threadwell-assistants", "version": 1, "assistants": […]}``. Pure functions.

What is read believes nothing: it is bounded, joins the library as new, and names no model: its endpoint may be one of
another computer.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, cast

from desktop.conversation.assistants.as_json import from_json, to_json
from desktop.conversation.assistants.entities import Assistant
from desktop.core.errors import FileError
from desktop.core.text_encoding import text_in

FORMAT, VERSION = "threadwell-assistants", 1
MOST_BYTES = 16_000_000
MOST_ENTRIES = 2_000


class Problem(StrEnum):
    """Why nothing of a file can be read."""

    TOO_LARGE = "too_large"
    DAMAGED = "damaged"
    NEWER = "newer"
    NOTHING = "nothing"


@dataclass(frozen=True)
class Reading:
    """What a file holds."""

    assistants: tuple[Assistant, ...] = ()
    unreadable: int = 0
    problem: Problem | None = None


def write(assistants: Iterable[Assistant]) -> str:
    """Return the file that holds these."""
    content = {"format": FORMAT, "version": VERSION, "assistants": [to_json(one) for one in assistants]}
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def read(data: bytes) -> Reading:
    """Return what a file holds."""
    if len(data) > MOST_BYTES:
        return Reading(problem=Problem.TOO_LARGE)
    try:
        content = json.loads(text_in(data))
    except (FileError, ValueError, RecursionError):
        return Reading(problem=Problem.DAMAGED)
    fields = cast(dict[str, Any], content) if isinstance(content, dict) else {}
    entries = fields.get("assistants")
    if fields.get("format") != FORMAT or not isinstance(entries, list):
        return Reading(problem=Problem.NOTHING)
    version = fields.get("version")
    if not isinstance(version, int) or version > VERSION:
        return Reading(problem=Problem.NEWER)
    found: list[Assistant] = []
    values = cast(list[object], entries)
    for value in values[:MOST_ENTRIES]:
        try:
            found.append(replace(from_json(value), endpoint_id=None, model=None))
        except ValueError:
            continue
    return Reading(tuple(found), len(values) - len(found), None if found else Problem.NOTHING)
