"""Reads JSON that a model or a server wrote, by the letter: what readers disagree about is refused."""

import json
import math
import re
from collections import Counter
from typing import Any

MAX_CHARS = 1_000_000
MAX_DEPTH = 64
MAX_VALUES = 10_000
MAX_DIGITS = 100

_STRUCTURE = re.compile(r'"(?:[^"\\]++|\\.)*+"?|([\[{])|([\]}])|(,)', re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")


class UnreadableJson(Exception):  # noqa: N818  (a refusal, worded for the model)
    """The text is not JSON that can be used; the message says why, as the end of a sentence."""


def read_json(text: str) -> Any:
    """Return the value of a JSON text. Raises ``UnreadableJson``.

    Refused besides what is no JSON: NaN and infinities, numbers out of range or very long, a name given twice, halves
    of surrogate pairs, and what is too long, too deep or too much.
    """
    _check_structure(text)
    try:
        value: Any = json.loads(
            text, parse_int=_int, parse_float=_float, parse_constant=_constant, object_pairs_hook=_object
        )
    except json.JSONDecodeError as error:
        raise UnreadableJson(f"not valid JSON: {error.msg} (line {error.lineno}, column {error.colno})") from None
    if _SURROGATE.search(json.dumps(value, ensure_ascii=False)):
        raise UnreadableJson("they contain half of a surrogate pair; send whole characters")
    return value


def _check_structure(text: str) -> None:
    """Refuse by size and depth before anything is built: Python's own reader fails at some hundred levels."""
    if len(text) > MAX_CHARS:
        raise UnreadableJson(f"they are longer than {MAX_CHARS} characters")
    depth = count = 0
    for match in _STRUCTURE.finditer(text):
        opening, closing, comma = match.groups()
        depth += bool(opening) - bool(closing)
        count += bool(opening) + bool(comma)
        if depth > MAX_DEPTH:
            raise UnreadableJson(f"they are nested deeper than {MAX_DEPTH} levels")
        if count > MAX_VALUES:
            raise UnreadableJson(f"they hold more than {MAX_VALUES} values")


def _int(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise UnreadableJson(f"a number has more than {MAX_DIGITS} digits")
    return int(digits)


def _float(digits: str) -> float:
    number = float(digits)
    if len(digits) > MAX_DIGITS or not math.isfinite(number):
        raise UnreadableJson(f"the number {digits[:20]} is out of range")
    return number


def _constant(name: str) -> float:
    raise UnreadableJson(f"{name} is not valid JSON")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        twice, _ = Counter(name for name, _ in pairs).most_common(1)[0]
        raise UnreadableJson(f"the name {twice[:100]!r} is given twice")
    return result
