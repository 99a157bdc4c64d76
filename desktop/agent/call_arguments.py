"""Reads the arguments of a call as they were streamed: one object, several sent or glued together, or cut off."""

import json
import re
from typing import Any

from desktop.tools.visible_text import without_surrogates

_DECODER = json.JSONDecoder()
_BLANKS = re.compile(r"\s*")
_STRUCTURE = re.compile(r'"(?:[^"\\]++|\\.)*+(")?|([\[{])|([\]}])', re.DOTALL)
_MOST_ENCODINGS = 2


def objects_in(text: str) -> list[str]:
    """Return the JSON objects that were sent as the arguments of one call, at least one text.

    Nothing, ``null`` and ``[]`` are an object without members. An object that was encoded twice is decoded. Of several
    objects one after the other, equal ones are the same sent again, and an empty one announced the others; those that
    are left belong to a call each. What is no such thing is returned as it is.
    """
    text = text.strip()
    if not text:
        return ["{}"]
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return _glued(text) or [text]
    return [_decoded(value) or text]


def is_object(text: str) -> bool:
    """True for the text of one whole JSON object."""
    if not text.rstrip().endswith("}"):  # the cheap test first: this runs while pieces come
        return False
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def is_cut(text: str) -> bool:
    """True for the beginning of a JSON text whose end never came. A text that is wrong in another way is not cut."""
    depth = 0
    for match in _STRUCTURE.finditer(text):
        closing_quote, opening, closing = match.groups()
        if opening or closing:
            depth += 1 if opening else -1
        elif not closing_quote:
            return not text.rstrip().endswith("}")  # else a quotation mark that was not escaped
    return depth > 0


def _decoded(value: Any) -> str | None:
    """The object's text that a parsed value stands for; None where it is an object already, or something else."""
    text = None
    for _ in range(_MOST_ENCODINGS):
        if value is None or value in ("", []):
            return "{}"
        if not isinstance(value, str):
            break
        text = without_surrogates(value)
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            return None
    return text if isinstance(value, dict) else None


def _glued(text: str) -> list[str] | None:
    """The different objects of a text in which several stand one after the other; None for anything else."""
    objects: dict[str, str] = {}
    place = 0
    while place < len(text):
        try:
            value, end = _DECODER.raw_decode(text, place)
            if isinstance(value, dict):
                if value:
                    objects.setdefault(json.dumps(value, sort_keys=True), text[place:end])
            elif value is not None:
                return None
        except (ValueError, RecursionError):
            return None
        blanks = _BLANKS.match(text, end)
        place = blanks.end() if blanks else end
    return list(objects.values()) or ["{}"]
