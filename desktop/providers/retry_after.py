"""Reads how long an endpoint wants to be left alone, in every form in which endpoints say it."""

import math
import re
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

MOST_SECONDS = 30 * 86400.0
"""Longer waits are cut to this; nobody counts them down."""

_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_AMOUNT = r"\d{1,12}(?:\.\d{1,12})?"
_PIECE = re.compile(rf"({_AMOUNT})\s*(ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?|d|days?)", re.I)
_DURATION = re.compile(rf"(?:{_PIECE.pattern}\s*)+", re.I)
_IN_WORDS = re.compile(
    rf"(?:try again|retry|wait|reset)[^.\d]{{0,40}}((?:{_AMOUNT}\s*"
    r"(?:ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?|d|days?)\b\s*)+"
    rf"|(?:{_AMOUNT}(?:ms|s|m|h|d))+)",
    re.I,
)
_IN_CHINESE = re.compile(rf"({_AMOUNT})\s*(秒|分钟|小时)")
_CHINESE_UNITS = {"秒": 1.0, "分钟": 60.0, "小时": 3600.0}

_RESETS = ("x-ratelimit-reset", "ratelimit-reset", "x-rate-limit-reset", "anthropic-ratelimit-requests-reset")
_RESETS_BY_KIND = ("requests", "tokens")
_FIELDS = ("retry_after", "retryAfter", "retry_after_seconds", "retryDelay", "retry_delay", "reset_after")


def wait_seconds(headers: Mapping[str, str], body: Any, words: str) -> float | None:
    """Return the wait that a refusal asks for; None when it names none.

    ``body`` is the refusal as parsed, ``words`` its text. Names of headers are in lower case.
    """
    found = _in_headers(headers)
    if found is None:
        found = _in_body(body)
    if found is None:
        found = _in_text(words)
    return None if found is None else min(max(found, 0.0), MOST_SECONDS)


def _in_headers(headers: Mapping[str, str]) -> float | None:
    if (milliseconds := _finite(headers.get("retry-after-ms", ""))) is not None:
        return milliseconds / 1000
    if (found := _moment_or_duration(headers.get("retry-after", ""))) is not None:
        return found
    resets: dict[str, float] = {}
    for kind in _RESETS_BY_KIND:
        if (found := _moment_or_duration(headers.get(f"x-ratelimit-reset-{kind}", ""))) is not None:
            resets[kind] = found
    used_up = [seconds for kind, seconds in resets.items() if headers.get(f"x-ratelimit-remaining-{kind}") == "0"]
    if used_up or resets:
        return max(used_up or resets.values())
    for name in _RESETS:
        if (found := _moment_or_duration(headers.get(name, ""))) is not None:
            return found
    return None


def _in_body(value: Any, depth: int = 0) -> float | None:
    if depth > 5:
        return None
    if isinstance(value, list):
        value = {str(place): item for place, item in enumerate(value[:10])}
    if not isinstance(value, Mapping):
        return None
    for name in _FIELDS:
        if (found := _moment_or_duration(value.get(name))) is not None:
            return found
    if (milliseconds := _finite(value.get("retry_after_ms"))) is not None:
        return milliseconds / 1000
    headers = value.get("headers")
    if isinstance(headers, Mapping):  # a router that repeats those of the provider
        lowered = {str(name).lower(): str(item) for name, item in headers.items()}
        if (found := _in_headers(lowered)) is not None:
            return found
    for inner in value.values():
        if (found := _in_body(inner, depth + 1)) is not None:
            return found
    return None


def _in_text(words: str) -> float | None:
    if (match := _IN_WORDS.search(words)) is not None:
        return _duration(match.group(1))
    if (match := _IN_CHINESE.search(words)) is not None:
        return float(match.group(1)) * _CHINESE_UNITS[match.group(2)]
    return None


def _moment_or_duration(value: Any) -> float | None:
    """Seconds, a duration such as ``1m30.5s``, a date, or a moment in seconds or milliseconds since 1970."""
    if isinstance(value, str) and not (value := value.strip()):
        return None
    number = _finite(value)
    if number is not None:
        if number > 1e12:
            return number / 1000 - time.time()
        return number - time.time() if number > 1e9 else number
    if not isinstance(value, str):
        return None
    if _DURATION.fullmatch(value):
        return _duration(value)
    for parse in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            moment = parse(value)
        except (ValueError, TypeError, OverflowError):
            continue
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return (moment - datetime.now(UTC)).total_seconds()
    return None


def _duration(text: str) -> float:
    total = 0.0
    for amount, unit in _PIECE.findall(text):
        word = unit.lower()
        total += float(amount) * _UNITS["ms" if word.startswith(("ms", "mil")) else word[0]]
    return total


def _finite(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) and number >= 0 else None
