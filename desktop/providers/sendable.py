"""Makes text and JSON values fit to be sent: no halves of surrogate pairs, no control characters, no NaN."""

import json
import math
import re
from collections.abc import Mapping
from typing import Any, NoReturn, cast

from desktop.core.nesting import is_nested_deeper
from desktop.providers.surrogates import clean_text

MAX_ARGUMENT_DEPTH = 60
"""Readers of JSON give up somewhere above this."""

_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_PICTURES = {code: 0x2400 + code for code in range(0x20) if chr(code) not in "\t\n\r"} | {0x7F: 0x2421}


def sendable_text(text: str) -> str:
    """Return ``text`` without halves of surrogate pairs, and with control characters as their pictures.

    Some gateways refuse the whole request for a single NUL, wherever it stands.
    """
    text = clean_text(text)
    return text.translate(_PICTURES) if _CONTROL.search(text) else text


def sendable_value(value: Any) -> Any:
    """Return a JSON value whose texts are sendable; what JSON cannot say becomes null or text."""
    if isinstance(value, str):
        return sendable_text(value)
    if isinstance(value, Mapping):
        return {sendable_text(str(key)): sendable_value(item) for key, item in cast(Any, value).items()}
    if isinstance(value, list | tuple):
        return [sendable_value(item) for item in cast(Any, value)]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if value is None or isinstance(value, bool | int) else sendable_text(str(value))


def sendable_arguments(text: str) -> str:
    """Return the arguments of an earlier call as a JSON object; ``{}`` where they cannot be read as one.

    They stay as the model wrote them where that is possible. An object that was encoded twice is decoded.
    """
    value = _parsed(text)
    if isinstance(value, str):
        text, value = value, _parsed(value)
    if not isinstance(value, dict) or is_nested_deeper(value, MAX_ARGUMENT_DEPTH):
        return "{}"
    if "\\" not in text and text.isascii():
        return text
    clean = sendable_value(value)
    return text if clean == value and clean_text(text) == text else json.dumps(clean, ensure_ascii=False)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=_no_number, parse_float=_finite)
    except (ValueError, RecursionError):
        return None


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _finite(digits: str) -> float:
    value = float(digits)
    return value if math.isfinite(value) else _no_number(digits)
