"""The words by which endpoints say why an answer ended, and what they mean."""

import re
from collections.abc import Mapping
from enum import IntEnum
from typing import Any


class Finish(IntEnum):
    """Finish reasons by weight: of several in one stream the heaviest counts."""

    NONE = 0
    STOP = 1
    TOOL_CALLS = 2
    REFUSAL = 3
    LENGTH = 4
    CONTENT_FILTER = 5
    FAILED = 6


_WORDS = {
    Finish.TOOL_CALLS: "tool_calls tool_call function_call function_calls tool_use",
    Finish.REFUSAL: "refusal refused",
    Finish.LENGTH: (
        "length max_tokens max_output_tokens max_completion_tokens max_new_tokens max_length model_length length_limit"
        " token_limit limit truncated incomplete model_context_window_exceeded context_length_exceeded"
        " context_window_exceeded"
    ),
    Finish.CONTENT_FILTER: (
        "content_filter content_filtered filtered safety image_safety sensitive recitation language blocklist blocked"
        " prohibited_content spii moderation flagged guardrail_intervened content_policy_violation error_toxic"
    ),
    Finish.FAILED: (
        "error network_error server_error internal_error insufficient_system_resource abort aborted cancelled canceled"
        " user_cancel failed failure timeout error_limit engine_overloaded function_call_filter malformed_function_call"
        " malformed_model_output malformed_tool_use unexpected_tool_call too_many_tool_calls"
    ),
}
_FINISH = {word: finish for finish, words in _WORDS.items() for word in words.split()}
_OVERFLOW = frozenset({"model_context_window_exceeded", "context_length_exceeded", "context_window_exceeded"})

_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_WORD = re.compile(r"[a-z_]+")


def finish_of(reason: Any) -> Finish:
    """Return what a ``finish_reason`` of the wire means.

    A word that nobody knows is an ordinary end: whether calls came decides what it means.
    """
    words = _words(reason)
    return max((_FINISH.get(word, Finish.STOP) for word in words), default=Finish.NONE)


def is_overflow(reason: Any) -> bool:
    """True when the reason says that the model's context was full."""
    return not _OVERFLOW.isdisjoint(_words(reason))


def _words(reason: Any) -> list[str]:
    """The words of ``maxTokens``, ``content-filter`` or ``function_call_filter: MALFORMED_FUNCTION_CALL``."""
    if isinstance(reason, Mapping):  # SGLang's own form, with more beside it
        reason = reason.get("type")
    if not isinstance(reason, str):
        return []
    text = reason if reason.isupper() else _HUMP.sub("_", reason)
    words = _WORD.findall(text.lower().replace("-", "_"))
    return [] if words in (["null"], ["none"], ["undefined"]) else words
