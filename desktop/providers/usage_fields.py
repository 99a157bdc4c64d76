"""Reads the token counts that endpoints report, under whatever name and wherever they stand."""

from collections.abc import Mapping
from typing import Any

from desktop.core.language_model import Usage


def usage_of(value: Any) -> Usage:
    """Return the counts in a ``usage`` object; without any where it is none."""
    if not isinstance(value, dict):
        return Usage()
    given = _first(value, "prompt_tokens", "input_tokens", "prompt_eval_count")
    made = _first(value, "completion_tokens", "output_tokens", "eval_count")
    before = _details(value, "prompt_tokens_details", "input_tokens_details")
    after = _details(value, "completion_tokens_details", "output_tokens_details")
    thought = _first({**value, **after}, "reasoning_tokens", "thinking_tokens")
    total = _first(value, "total_tokens")
    if given is not None and made is not None and thought and total == given + made + thought:
        made += thought  # xAI counts the reasoning beside the answer
    return Usage(
        input_tokens=given,
        output_tokens=made,
        cached_input_tokens=_first(
            {**value, **before}, "cached_tokens", "prompt_cache_hit_tokens", "cache_read_input_tokens"
        ),
        thinking_tokens=thought,
    )


def with_later(usage: Usage, later: Usage) -> Usage:
    """Return the counts after a further report: its own where it has some; some endpoints end with empty ones."""
    return Usage(
        input_tokens=_known(later.input_tokens, usage.input_tokens),
        output_tokens=_known(later.output_tokens, usage.output_tokens),
        cached_input_tokens=_known(later.cached_input_tokens, usage.cached_input_tokens),
        thinking_tokens=_known(later.thinking_tokens, usage.thinking_tokens),
    )


def _known(later: int | None, before: int | None) -> int | None:
    return later if later or before is None else before


def _details(usage: Mapping[str, Any], *names: str) -> Mapping[str, Any]:
    return next((found for name in names if isinstance(found := usage.get(name), dict)), {})


def _first(holder: Mapping[str, Any], *names: str) -> int | None:
    return next((count for name in names if (count := _count(holder.get(name))) is not None), None)


def _count(value: Any) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if 0 <= value < 10**15 else None
