"""Refusals of requests that are too long, in the words of many endpoints: recognised, and their numbers read."""

import pytest

from desktop.providers.context_overflow import Overflow, overflow_in

TEXTS: list[tuple[str, int | None, int | None]] = [
    (
        "This model's maximum context length is 65536 tokens. However, you requested 68000 tokens (68000 in the messages,"
        " 0 in the completion). Please reduce the length of the messages or completion.",
        65536,
        68000,
    ),
    (
        "This endpoint's maximum context length is 200000 tokens. However, you requested about 2500021 tokens",
        200000,
        2500021,
    ),
    ("request (5020 tokens) exceeds the available context size (4096 tokens), try increasing it", 4096, 5020),
    ("the request exceeds the available context size. try increasing the context size", None, None),
    ("prompt is too long: 210000 tokens > 200000 maximum", 200000, 210000),
    (
        "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length",
        200000,
        None,
    ),
    ("This model's maximum context length is 8192 tokens. However, your request has 10000 input tokens.", 8192, 10000),
    ("The decoder prompt (length 10000) is longer than the maximum model length of 8192. Make sure that", 8192, 10000),
    (
        "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
        32768,
        40000,
    ),
    (
        "`inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 `inputs` tokens and 0 `max_new_tokens`",
        8193,
        9000,
    ),
    ("Input validation error: `inputs` must have less than 4096 tokens. Given: 5000", 4096, 5000),
    ("The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).", 1048576, 1200000),
    ("This model's maximum prompt length is 131072 but the request contains 537812 tokens.", 131072, 537812),
    ("<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 98304]", 98304, None),
    ("Invalid request: Your request exceeded model token limit: 8192 (requested: 9000)", 8192, 9000),
    ("Prompt exceeds max length", None, None),
    ("prompt too long; exceeded max context length by 4 tokens", None, None),
    ("the input length exceeds the context length", None, None),
    ("The input (10000 tokens) is longer than the model's context length (8192 tokens).", 8192, 10000),
    (
        "Requested token count exceeds the model's maximum context length of 8192 tokens. You requested a total of 9000",
        8192,
        9000,
    ),
    ("Input length (9000) exceeds model's maximum context length (8192).", 8192, 9000),
    (
        "Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context"
        " length of only 4096 tokens, which is not enough.",
        4096,
        5000,
    ),
    ("The number of tokens to keep from the initial prompt is greater than the context length.", None, None),
    ("Input is too long for requested model.", None, None),
    ("too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 5000.", 4081, 5000),
    ("Your input exceeds the context window of this model. Please adjust your input and try again.", None, None),
    (
        "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 280000 tokens.",
        272000,
        280000,
    ),
    (
        "Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192",
        8192,
        9000,
    ),
    ("Request body too large for gpt-4o model. Max size: 8000 tokens.", 8000, None),
    ("The prompt is too long: 140000, model maximum context length: 131072", 131072, 140000),
    ("prompt token count of 130000 exceeds the limit of 128000", 128000, 130000),
    ("This model's maximum context length is 128k tokens", 128000, None),
    ("maximum context length is 1,048,576 tokens; you requested 1,200,000 tokens", 1048576, 1200000),
    ("maximum context length is 1 048 576 tokens; you requested 1'200'000 tokens", 1048576, 1200000),
    ("context window exceeds limit (2013)", None, None),
    ("The total length of all messages is too long", None, None),
    ("输入长度超过限制", None, None),
    ("context_length_exceeded", None, None),
]


@pytest.mark.parametrize(("words", "limit", "needed"), TEXTS)
def test_known_words(words: str, limit: int | None, needed: int | None) -> None:
    assert overflow_in(400, words) == Overflow(limit, needed)
    assert overflow_in(None, words) == Overflow(limit, needed)  # LM Studio says it inside a stream


def test_fields_go_before_words() -> None:
    body = {
        "error": {"type": "exceed_context_size_error", "n_prompt_tokens": 5020, "n_ctx": 4096, "message": "too long"}
    }
    assert overflow_in(400, "exceed_context_size_error", body) == Overflow(4096, 5020)
    assert overflow_in(400, "exceed_context_size_error", {"n_ctx": True, "n_prompt_tokens": -3}) == Overflow()


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (429, "Too many tokens, please wait before trying again."),
        (400, "Too many tokens, please wait before trying again."),
        (429, "Rate limit reached for m on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000."),
        (429, "maximum context length"),
        (400, "max_tokens is too large: 8000"),
        (400, "Unsupported parameter: 'max_tokens'"),
        (401, "maximum context length"),
        (400, "The image is too large"),
        (400, "messages[1].content is too short"),
    ],
)
def test_other_refusals(status: int, words: str) -> None:
    assert overflow_in(status, words) is None


@pytest.mark.parametrize(
    ("status", "words", "limit", "needed"),
    [
        (
            413,
            "Request too large for model `x` on tokens per minute (TPM): Limit 6000, Requested 7000, please",
            6000,
            7000,
        ),
        (
            429,
            "Request too large for gpt-4o in organization org on tokens per min (TPM): Limit 30000, Requested 37544. The"
            " input or output tokens must be reduced in order to run successfully.",
            30000,
            37544,
        ),
    ],
)
def test_a_request_above_what_a_minute_allows_will_never_fit(status: int, words: str, limit: int, needed: int) -> None:
    assert overflow_in(status, words) == Overflow(limit, needed, is_for_each_request=False)


def test_numbers_that_are_none() -> None:
    assert overflow_in(400, "maximum context length is 7 tokens") == Overflow()
    assert overflow_in(400, f"maximum context length is {'9' * 40} tokens") == Overflow()
    assert overflow_in(400, "maximum context length is 8192; you requested 4000 tokens") == Overflow(8192, None)
