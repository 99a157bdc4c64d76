"""Headers and model options between a form's texts and the settings: read, judged, and written down again."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from desktop.core.endpoint_reach import header_problem
from desktop.core.endpoint_settings import MOST_HEADERS, RESERVED_BODY_FIELDS
from desktop.tools.strict_json import UnreadableJson, read_json


@dataclass(frozen=True)
class HeadersRead:
    """``problem`` is a code of ``header_problem``, or ``no_colon``, ``twice``, ``too_many``; ``subject`` what it is about."""

    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    problem: str = ""
    subject: str = ""


def read_headers(text: str) -> HeadersRead:
    """Read one header a line, ``Name: value``; blank lines do not count. The first problem ends it."""
    headers: dict[str, str] = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        name, colon, value = line.partition(":")
        name, value = name.strip(), value.strip()
        if not colon:
            return HeadersRead(problem="no_colon", subject=line)
        if problem := header_problem(name, value):
            return HeadersRead(problem=problem, subject=name)
        if name.lower() in map(str.lower, headers):
            return HeadersRead(problem="twice", subject=name)
        headers[name] = value
    if len(headers) > MOST_HEADERS:
        return HeadersRead(problem="too_many", subject=str(MOST_HEADERS))
    return HeadersRead(headers)


def written_headers(headers: Mapping[str, str]) -> str:
    return "\n".join(f"{name}: {value}" for name, value in headers.items())


@dataclass(frozen=True)
class BodyRead:
    """``problem`` is ``not_json`` (``subject`` is the line of the mistake, where that is known), ``no_object``,
    ``reserved`` (``subject`` is which), or empty."""

    fields: Mapping[str, Any] = field(default_factory=dict[str, Any])
    problem: str = ""
    subject: str = ""


def read_body_fields(text: str) -> BodyRead:
    """Read the further fields of a request: a JSON object, or nothing."""
    if not text.strip():
        return BodyRead()
    try:
        value = read_json(text)
    except UnreadableJson as error:
        line = re.search(r"line (\d+)", str(error))
        return BodyRead(problem="not_json", subject=line[1] if line else "")
    if not isinstance(value, dict):
        return BodyRead(problem="no_object")
    fields = cast(dict[str, Any], value)
    if reserved := sorted(RESERVED_BODY_FIELDS & fields.keys()):
        return BodyRead(problem="reserved", subject=", ".join(reserved))
    return BodyRead(fields)


def read_number(text: str, least: float, most: float) -> tuple[float | None, bool]:
    """Read a number that may be left out, with a point or a comma; returns it, and whether it can be used."""
    text = text.strip().replace("\u2009", "").replace(" ", "")
    if not text:
        return None, True
    try:
        number = float(text.replace(",", "."))
    except ValueError:
        return None, False
    is_good = least <= number <= most
    return (number, True) if is_good else (None, False)


def read_whole(text: str, least: int, most: int) -> tuple[int | None, bool]:
    """Read a whole number that may be left out, also as ``128k`` or ``128,000``."""
    text = text.strip().lower().replace(",", "").replace("\u2009", "").replace(" ", "")
    if not text:
        return None, True
    factor = {"k": 1_000, "m": 1_000_000}.get(text[-1], 1)
    digits = text[:-1] if factor > 1 else text
    if not (digits.isascii() and digits.isdigit()) or len(digits) > 12:
        return None, False
    number = int(digits) * factor
    return (number, True) if least <= number <= most else (None, False)
