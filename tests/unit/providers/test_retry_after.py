"""How long an endpoint wants to be left alone, in every form in which endpoints say it."""

import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from desktop.providers.retry_after import MOST_SECONDS, wait_seconds


def in_ms(seconds: float) -> str:
    return str(int((time.time() + seconds) * 1000))


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7),
        ({"retry-after": " 7.5 "}, 7.5),
        ({"retry-after": "0"}, 0),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "1m30s"}, 90),
        ({"retry-after": "1e99"}, MOST_SECONDS),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": ""}, None),
        ({"x-ratelimit-reset-requests": "6s"}, 6),
        ({"x-ratelimit-reset-requests": "2m59.5s", "x-ratelimit-reset-tokens": "120ms"}, 179.5),
        (
            {
                "x-ratelimit-reset-requests": "2m59.5s",
                "x-ratelimit-reset-tokens": "120ms",
                "x-ratelimit-remaining-tokens": "0",
                "x-ratelimit-remaining-requests": "14",
            },
            0.12,
        ),
        ({"x-ratelimit-reset": "30"}, 30),
        ({"ratelimit-reset": "12"}, 12),
        ({"retry-after": "5", "x-ratelimit-reset": "300"}, 5),
        ({"content-type": "text/html"}, None),
    ],
)
def test_headers(headers: dict[str, str], seconds: float | None) -> None:
    assert wait_seconds(headers, None, "") == seconds


@pytest.mark.parametrize(
    ("body", "seconds"),
    [
        ({"error": {"metadata": {"headers": {"Retry-After": "11"}}}}, 11),
        ({"error": {"details": [{"@type": "RetryInfo", "retryDelay": "36s"}]}}, 36),
        ([{"error": {"details": [{"retryDelay": "36.5s"}]}}], 36.5),
        ({"retry_after": 3}, 3),
        ({"error": {"retry_after_ms": 1500}}, 1.5),
        ({"error": {"retry_after": None}}, None),
        ({"error": {"retry_after": True}}, None),
        ("text", None),
    ],
)
def test_bodies(body: Any, seconds: float | None) -> None:
    assert wait_seconds({}, body, "") == seconds


@pytest.mark.parametrize(
    ("words", "seconds"),
    [
        ("Rate limit reached. Please try again in 6.2s. Visit https://x", 6.2),
        ("Please try again in 20ms.", 0.02),
        ("try again in 1m3.5s", 63.5),
        ("Please retry after 30 seconds.", 30),
        ("Please wait 2 minutes before the next request", 120),
        ("retry in 1 hour and", 3600),
        ("请在 30 秒后重试", 30),
        ("try again later", None),
        ("limit: 20 requests per 60 s", None),
    ],
)
def test_words(words: str, seconds: float | None) -> None:
    found = wait_seconds({}, None, words)
    assert found == (None if seconds is None else pytest.approx(seconds))


def test_moments_become_durations() -> None:
    soon = datetime.now(UTC) + timedelta(seconds=40)
    for headers in (
        {"retry-after": format_datetime(soon, usegmt=True)},
        {"retry-after": soon.isoformat()},
        {"x-ratelimit-reset": in_ms(40)},
        {"x-ratelimit-reset": str(int(time.time() + 40))},
    ):
        found = wait_seconds(headers, None, "")
        assert found is not None
        assert 30 < found <= 41
    router = {"error": {"metadata": {"headers": {"X-RateLimit-Reset": in_ms(40)}}}}
    found = wait_seconds({}, router, "")
    assert found is not None
    assert 30 < found <= 41


def test_a_moment_that_has_passed_is_now() -> None:
    assert wait_seconds({"retry-after": "Fri, 01 Jan 2021 00:00:00 GMT"}, None, "") == 0
    assert wait_seconds({"retry-after": "Fri, 31 Dec 2100 23:59:59 GMT"}, None, "") == MOST_SECONDS
