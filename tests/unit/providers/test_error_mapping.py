"""Errors of endpoints as people can use them: the right kind, the server's own words, never a key."""

import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest

from desktop.core.error_texts import ERROR_TEXTS, english
from desktop.providers.error_bodies import is_error_body
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
        (
            404,
            {"error": {"message": "no such model", "code": "model_not_found"}},
            "model.no_such_model",
            "no such model",
        ),
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
        (503, {"error": {"message": "Overloaded"}}, "model.overloaded", "Overloaded"),
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


@pytest.mark.parametrize(
    ("status", "body", "code"),
    [
        # the key
        (401, {"error": {"message": "Authentication Fails", "type": "authentication_error", "code": "invalid_request_error"}},
         "model.unauthorized"),
        (401, {"error": {"message": "Unauthorized", "type": "api_error", "param": None, "code": None}}, "model.unauthorized"),
        (400, [{"error": {"code": 400, "message": "API key not valid. Please pass a valid API key.",
                          "status": "INVALID_ARGUMENT"}}], "model.unauthorized"),
        (400, {"code": 400, "error": "Incorrect API key provided: sk***. You can obtain one at x"}, "model.unauthorized"),
        (403, {"error": {"message": "Invalid API key"}}, "model.unauthorized"),
        # no money
        (402, {"error": {"message": "Insufficient Balance", "type": "unknown_error"}}, "model.no_credit"),
        (402, {"error": {"code": 402, "message": "This request requires more credits"}}, "model.no_credit"),
        (400, {"type": "error", "error": {"message": "Your credit balance is too low to access the API."}},
         "model.no_credit"),
        (400, {"error": {"code": "Arrearage", "message": "Access denied, please make sure your account is in good standing."}},
         "model.no_credit"),
        (429, {"error": {"code": "1113", "message": "您的账户已欠费，请充值后重试。"}}, "model.no_credit"),
        (403, {"code": 30001, "message": "Sorry, your account balance is insufficient", "data": "insufficient_balance"},
         "model.no_credit"),
        # no such model
        (404, {"error": {"code": "DeploymentNotFound", "message": "The API deployment for this resource does not exist."}},
         "model.no_such_model"),
        (404, {"error": {"message": 'model "qwen9" not found, try pulling it first'}}, "model.no_such_model"),
        (400, {"error": {"message": "Model Not Exist", "type": "invalid_request_error"}}, "model.no_such_model"),
        (400, {"error": {"message": "foo/bar is not a valid model ID", "code": 400}}, "model.no_such_model"),
        (404, {"error": {"message": "No endpoints found for foo/bar.", "code": 404}}, "model.no_such_model"),
        (404, {"error": {"message": "Not found the model kimi-9 or Permission denied"}}, "model.no_such_model"),
        (400, {"error": {"code": "1211", "message": "模型不存在，请检查模型代码。"}}, "model.no_such_model"),
        (400, {"object": "error", "message": "Invalid model: mistral-9", "type": "invalid_model"}, "model.no_such_model"),
        (400, {"error": {"message": "The model `gpt-4.1-x` does not exist or you do not have access to it."}},
         "model.no_such_model"),
        (404, {"object": "error", "message": "The model `x` does not exist.", "type": "NotFoundError", "code": 404},
         "model.no_such_model"),
        # a wrong path
        (404, {"detail": "Not Found"}, "model.not_found"),
        (404, "404 page not found", "model.not_found"),
        (404, {"error": "path not found"}, "model.not_found"),
        # not allowed
        (403, {"error": {"code": "unsupported_country_region_territory", "message": "Country, region, or territory"}},
         "model.forbidden"),
        (400, [{"error": {"message": "User location is not supported for the API use.", "status": "FAILED_PRECONDITION"}}],
         "model.forbidden"),
        (403, {"error": {"code": "tier_not_allowed", "message": "Upgrade your plan"}}, "model.forbidden"),
        # too much, too fast
        (429, {"error": {"message": "Rate limit reached for requests", "type": "requests", "code": "rate_limit_exceeded"}},
         "model.rate_limited"),
        (429, {"error": {"code": 429, "message": "You exceeded your current quota, please check your plan and billing details.",
                         "details": [{"retryDelay": "36s"}]}}, "model.rate_limited"),
        (429, {"error": {"code": "insufficient_quota", "message": "You exceeded your current quota"}}, "model.no_credit"),
        (429, {"message": "Requests rate limit exceeded"}, "model.rate_limited"),
        (429, "Too many tokens, please wait before trying again.", "model.rate_limited"),
        (429, {"error": {"type": "engine_overloaded_error", "message": "The engine is currently overloaded"}},
         "model.overloaded"),
        (529, {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}, "model.overloaded"),
        (503, {"error": {"message": "The model is overloaded. Please try again later."}}, "model.overloaded"),
        (503, {"error": {"message": "Loading model", "type": "unavailable_error", "code": 503}}, "model.loading"),
        # filters
        (400, {"error": {"code": "content_filter", "message": "The response was filtered due to the prompt",
                         "innererror": {"code": "ResponsibleAIPolicyViolation"}}}, "model.filtered"),
        (400, {"id": "x", "object": "chat.completion", "choices": [{"finish_reason": "content_filter", "message": {}}]},
         "model.filtered"),
        (400, {"error": {"code": "data_inspection_failed", "message": "Input data may contain inappropriate content."}},
         "model.filtered"),
        (400, {"error": {"message": "Content Exists Risk"}}, "model.filtered"),
        (403, {"error": {"message": "m requires moderation. Your input was flagged for violence", "code": 403}},
         "model.filtered"),
        # calls
        (400, {"error": {"code": "tool_use_failed", "message": "Failed to call a function.", "failed_generation": "<f"}},
         "model.call_unreadable"),
        (500, {"error": {"message": "The model produced output that does not match the expected peg-native format"}},
         "model.call_unreadable"),
        (500, {"error": {"message": "Failed to parse tool call arguments as JSON: [json.exception.parse_error.101]"}},
         "model.server_error"),
        # too long
        (400, {"error": "The number of tokens to keep from the initial prompt is greater than the context length"},
         "model.context_full"),
        (400, {"error": {"type": "exceed_context_size_error", "n_ctx": 4096, "n_prompt_tokens": 5020, "message": "too long"}},
         "model.context_full"),
        # the rest
        (400, {"error": {"message": "Invalid 'messages[3]'.", "param": "messages[3]", "code": "invalid_value"}},
         "model.rejected"),
        (400, {"error": {"message": "You uploaded an unsupported image.", "code": "invalid_image_format"}}, "model.rejected"),
        (422, {"detail": [{"loc": ["body", "messages"], "msg": "field required", "type": "missing"}]}, "model.rejected"),
        (413, "<html><body>413 Request Entity Too Large</body></html>", "model.rejected"),
        (524, "<html><title>A timeout occurred</title></html>", "model.server_error"),
    ],
)  # fmt: skip
def test_errors_of_many_endpoints(status: int, body: Any, code: str) -> None:
    error = mapper().from_status(status, body if isinstance(body, str) else json.dumps(body, ensure_ascii=False))
    assert error.code == code, error
    assert error.code in ERROR_TEXTS


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ({"error": {"code": 502, "message": "Provider returned error", "metadata": {"raw": "upstream died"}}},
         "model.server_error"),
        ({"error": {"code": "rate_limit_exceeded", "message": "slow"}}, "model.rate_limited"),
        ({"error": {"code": "tool_use_failed", "message": "Failed to call a function", "failed_generation": "{"}},
         "model.call_unreadable"),
        ({"object": "error", "message": "maximum context length is 4096 tokens", "code": 400}, "model.context_full"),
        ({"error": "Model not found"}, "model.no_such_model"),
        ({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}, "model.overloaded"),
        ({"code": "InvalidApiKey", "message": "Invalid API-key provided. Authentication failed"}, "model.unauthorized"),
        ({"message": "something else", "code": "x"}, "model.server_error"),
        ({"detail": [{"loc": ["body", "messages"], "msg": "field required"}]}, "model.server_error"),
        ({"error_code": 17, "error_msg": "Open api daily request limit reached"}, "model.rate_limited"),
        ({"error_code": 110, "error_msg": "Access token invalid or no longer valid"}, "model.unauthorized"),
    ],
)  # fmt: skip
def test_errors_inside_an_answer(value: Any, code: str) -> None:
    assert is_error_body(value)
    error = mapper().from_body(value)
    assert (error.code, bool(error.params["detail"])) == (code, True)


@pytest.mark.parametrize("value", [None, [], {}, {"detail": []}, {"detail": ["a"]}, {"choices": [], "error_msg": "x"}])
def test_what_is_no_error(value: Any) -> None:
    assert not is_error_body(value)


def test_what_was_asked_for_is_a_parameter_and_the_secret_is_none() -> None:
    body = {"error": {"message": f"slow down, {KEY}"}}
    error = mapper().from_status(429, json.dumps(body), headers={"retry-after": "7.2"})
    assert (error.wait, error.params["seconds"]) == (7.2, 8)
    assert KEY not in str(error)
    assert KEY not in repr(error)


EXPECTED = {
    "model_not_found": "model.no_such_model",
    "DeploymentNotFound": "model.no_such_model",
    "tool_use_failed": "model.call_unreadable",
    "invalid_value": "model.rejected",
    "unsupported_value": "model.rejected",
    "invalid_image_format": "model.rejected",
    "invalid_image_url": "model.rejected",
    "maximum context length": "model.context_full",
    "rate-limited": "model.rate_limited",
}
"""The code by what stands in a recorded body; those with a status of their own need none."""
BY_STATUS = {401: "model.unauthorized", 402: "model.no_credit", 403: "model.forbidden", 429: "model.rate_limited"}


@pytest.mark.skipif(not ERRORS.exists(), reason="the recorded error bodies are not here")
def test_recorded_error_bodies() -> None:
    for entry in json.loads(ERRORS.read_text("utf-8")):
        if entry["status"] is None:
            continue  # no error: an answer whose field for errors is null
        error = mapper().from_status(entry["status"], entry["body"])
        assert error.params["detail"]
        assert not str(error.params["detail"]).startswith(("{", "HTTP"))
        expected = next((code for words, code in EXPECTED.items() if words in entry["body"]), None)
        assert error.code == (expected or BY_STATUS[entry["status"]]), entry["body"]
        if error.code == "model.context_full":
            assert f"is {error.params['limit']} tokens" in entry["body"]
            assert int(error.params["needed"]) > int(error.params["limit"])


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ({"choices": None, "base_resp": {"status_code": 1008, "status_msg": "insufficient balance"}}, "model.no_credit"),
        ({"choices": [], "base_resp": {"status_code": 1002, "status_msg": "rate limit"}}, "model.rate_limited"),
        ({"base_resp": {"status_code": 1004, "status_msg": "login fail: carry the key"}}, "model.unauthorized"),
        ({"Response": {"Error": {"Code": "LimitExceeded", "Message": "too many"}}}, "model.server_error"),
        ({"ErrorMsg": {"Msg": "bad", "Code": 4001}}, "model.server_error"),
        ({"success": False, "errMsg": "boom"}, "model.server_error"),
        ({"detail": {"msg": "Server is busy", "type": "service_unavailable"}}, "model.overloaded"),
        ({"statusCode": 429, "message": "Rate limit is exceeded. Try again in 5 seconds."}, "model.rate_limited"),
        ({"status": "failed", "message": "boom"}, "model.server_error"),
    ],
)  # fmt: skip
def test_errors_under_the_names_of_other_houses(value: Any, code: str) -> None:
    assert is_error_body(value)
    error = mapper().from_body(value)
    assert (error.code, bool(error.params["detail"])) == (code, True)


@pytest.mark.parametrize(
    "value",
    [
        {"choices": [{}], "error": {"message": "", "type": "", "param": "", "code": None}},
        {"error": {"code": 0, "message": ""}},
        {"code": 0, "message": "Success", "sid": "1", "usage": {}},
        {"code": 200, "msg": "ok", "success": True},
        {"type": "keepalive", "message": "waiting in the queue"},
        {"status": "processing", "message": "3 before you"},
        {"base_resp": {"status_code": 0, "status_msg": ""}},
    ],
)
def test_a_word_of_success_or_of_work_is_no_error(value: Any) -> None:
    assert not is_error_body(value)


@pytest.mark.parametrize(
    "text",
    ["<script " * 12_500, "<head " * 16_000, "wait " + "1" * 99_000, "model" + ":" * 99_000, "length exceeds " * 7_000],
)
@pytest.mark.timeout(20)  # in quadratic time it takes a minute
def test_a_hostile_body_does_not_hold_up_the_window(text: str) -> None:
    mapper().from_status(500, text)
    mapper().from_body({"error": {"message": text}})


def test_what_follows_a_script_without_an_end_is_part_of_it() -> None:
    page = "<html><head><title>no</title></head><body>Bad <script>no</SCRIPT >gateway<style>no"
    assert mapper().from_status(502, page).params["detail"] == "Bad gateway"
