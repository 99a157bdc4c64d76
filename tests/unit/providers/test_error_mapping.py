"""Errors of endpoints as people can use them: the right kind, the server's own words, never a key."""

import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest

from desktop.core.error_texts import ERROR_TEXTS, english
from desktop.providers.error_mapping import DETAIL_CHARS, ErrorMapper

KEY = "sEcReT-0123456789-abcdef"
ERRORS = Path(__file__).parents[4] / "shared" / "data" / "streams" / "ERRORS.json"


def mapper() -> ErrorMapper:
    return ErrorMapper(url="https://api.example/v1", model="m", secrets=[KEY])


@pytest.mark.parametrize(
    ("status", "body", "code", "detail"),
    [
        (401, {"error": {"message": "wrong key", "code": "401"}}, "model.unauthorized", "wrong key"),
        (401, {"detail": "Invalid API Key"}, "model.unauthorized", "Invalid API Key"),
        (402, {"error": {"message": "Insufficient Balance"}}, "model.no_credit", "Insufficient Balance"),
        (403, {"error": {"message": "not in your region"}}, "model.forbidden", "not in your region"),
        (404, {"error": {"message": "no such model", "code": "model_not_found"}}, "model.not_found", "no such model"),
        (404, "404 page not found", "model.not_found", "404 page not found"),
        (429, {"error": {"message": "slow down", "code": 429}}, "model.rate_limited", "slow down"),
        (
            429,
            {"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}},
            "model.no_credit",
            "You exceeded your current quota",
        ),
        (
            429,
            {"error": {"message": "Provider returned error", "metadata": {"raw": "try later"}}},
            "model.rate_limited",
            "try later",
        ),
        (
            429,
            {"error": {"message": "Provider returned error", "metadata": {"raw": '{"error":{"message":"inner"}}'}}},
            "model.rate_limited",
            "inner",
        ),
        (400, {"object": "error", "message": "bad field"}, "model.rejected", "bad field"),
        (400, {"code": "x", "error": "Argument not supported"}, "model.rejected", "Argument not supported"),
        (422, {"detail": [{"loc": ["body", "n"], "msg": "too big"}]}, "model.rejected", "body.n: too big"),
        (400, [{"error": {"message": "in a list"}}], "model.rejected", "in a list"),
        (
            400,
            {"error": {"message": "prompt is too long: 9 tokens"}},
            "model.context_full",
            "prompt is too long: 9 tokens",
        ),
        (
            500,
            {"error": {"message": "request (5020 tokens) exceeds the available context size (4096 tokens)"}},
            "model.context_full",
            "request (5020 tokens) exceeds the available context size (4096 tokens)",
        ),
        (500, {"error": {"message": "boom"}}, "model.server_error", "boom"),
        (503, {"error": {"message": "Loading model"}}, "model.loading", "Loading model"),
        (503, {"error": {"message": "Overloaded"}}, "model.server_error", "Overloaded"),
        (
            502,
            "<html><head><title>x</title></head><body><h1>Bad &amp; gone</h1></body></html>",
            "model.server_error",
            "Bad & gone",
        ),
        (500, "", "model.server_error", "HTTP 500"),
        (400, {}, "model.rejected", "HTTP 400"),
        (400, {"error": {"code": "weird"}}, "model.rejected", "weird"),
    ],
)
def test_status_errors(status: int, body: Any, code: str, detail: str) -> None:
    error = mapper().from_status(status, body if isinstance(body, str) else json.dumps(body))
    assert (error.code, error.params["status"]) == (code, status)
    assert error.params["detail"] in (detail, detail + ".")


def test_the_server_s_words_end_before_ours_begin() -> None:
    error = mapper().from_status(401, '{"detail": "bad key"}')
    assert "401: bad key. Check" in english(error.code, error.params).detail


def test_a_redirect_names_where_it_leads() -> None:
    error = mapper().from_status(307, "", location="https://elsewhere.example/v1")
    assert error.code == "model.redirected"
    assert "https://elsewhere.example/v1" in english(error.code, error.params).detail


@pytest.mark.parametrize(
    "text",
    [
        f"Incorrect API key provided: {KEY}. Get one at",
        f"Bearer {KEY}",
        "your key sk-proj-abcdefghijklmnop is wrong",
        "Incorrect API key provided: sk-abc***************wxyz.",
        "Authorization: Bearer abc.def-ghi",
        "x" * (DETAIL_CHARS - 10) + KEY,
        "key AIzaSyA0123456789abcdefg",
    ],
)
def test_keys_are_hidden(text: str) -> None:
    shown = mapper().clean(text)
    for secret in (KEY, KEY[:10], "abcdefghijklmnop", "wxyz", "abc.def", "AIzaSyA"):
        assert secret not in shown


def test_details_are_short_and_one_line() -> None:
    shown = mapper().clean("a\r\n\tb\x00\u202ec " + "word " * 500)
    assert shown.startswith("a b c word")
    assert len(shown) <= DETAIL_CHARS


def test_the_system_s_own_words_explain_an_unreachable_endpoint() -> None:
    outer = RuntimeError("Connection error.")
    outer.__cause__ = OSError("All connection attempts failed")
    outer.__cause__.__cause__ = ConnectionRefusedError(errno.ECONNREFUSED, os.strerror(errno.ECONNREFUSED))
    error = mapper().unreachable(outer)
    assert error.params["detail"] == os.strerror(errno.ECONNREFUSED)


def test_every_code_has_its_words() -> None:
    bodies = [({}, status) for status in (400, 401, 402, 403, 404, 408, 429, 500)]
    errors = [mapper().from_status(status, json.dumps(body)) for body, status in bodies]
    errors += [mapper().from_status(302, ""), mapper().from_body({"error": "x"}), mapper().unreachable(OSError("x"))]
    errors += [
        mapper().connection_lost(OSError("x")),
        mapper().error("model.bad_stream"),
        mapper().error("model.context_full"),
    ]
    for error in errors:
        assert error.code in ERROR_TEXTS
        assert "{" not in "".join(english(error.code, error.params))


@pytest.mark.skipif(not ERRORS.exists(), reason="the recorded error bodies are not here")
def test_recorded_error_bodies() -> None:
    for entry in json.loads(ERRORS.read_text("utf-8")):
        if entry["status"] is None:
            continue
        error = mapper().from_status(entry["status"], entry["body"])
        assert error.params["detail"]
        assert not str(error.params["detail"]).startswith(("{", "HTTP"))
        assert "maximum context length" not in entry["body"] or error.code == "model.context_full"
