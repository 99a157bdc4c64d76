"""Recognises that a request was too long for a model, and reads the limit and the length from the endpoint's words."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from desktop.core.expressions import Expression

LEAST, MOST = 64, 100_000_000
"""What a context length can be; any other number was something else."""

_TOO_LONG = Expression(
    r"context[ _]length[ _]exceeded|exceed_context_size|context_window_exceeded|tokens_limit_reached"
    r"|max_prompt_tokens_exceeded|maximum (?:context|prompt|model|sequence) length|max(?:imum)? context length"
    r"|exceed(?:s|ed)? (?:the |your |this model's )?(?:available |maximum |model'?s? )?"
    r"(?:context|token|input|prompt) (?:size|window|length|limit)"
    r"|exceed(?:s|ed)? (?:the )?maximum number of tokens|context window (?:exceeds|is full)|longer than the model's context"
    r"|(?:prompt|input) (?:is |token length )?too long|input is too long|prompt exceeds max length|input tokens exceed"
    r"|total length of all messages is too long|greater than the context length|model is loaded with context length"
    r"|range of input length should be|(?:inputs?|prompt)`? (?:tokens )?(?:\+ `max_new_tokens` )?must (?:be <=|have less than)"
    r"|prompt token count of|total number of tokens in the prompt cannot exceed|too large for model with"
    r"|reduce the length of (?:either|the (?:messages|input|prompt))"
    r"|(?:input|prompt)? ?length .{0,40}exceeds? .{0,30}(?:context|length)|current length is .{0,40}limit is"
    r"|request body too large for .{0,60}tokens|request too large for .{0,200}tokens per min"
    r"|(?:超过|超出|大于).{0,12}(?:上下文|最大长度|最大输入|token)|(?:上下文|输入)长度.{0,12}(?:超过|超出|限制)",
    re.IGNORECASE | re.DOTALL,
)
_TOO_FAST = Expression(
    r"too many (?:requests|tokens(?!:))|per[ -]?(?:second|minute|min|hour|day)\b|rate[_ -]?limit|throttl|please wait"
    r"|try again (?:later|in\b)|请稍后|频率",
    re.IGNORECASE,
)
_NEVER_FITS = Expression(r"request too large for|must be reduced in order to run", re.IGNORECASE)
"""Also said of a limit on tokens per minute, where waiting would not help: the request alone is above it."""

_NUMBER = r"(\d{1,3}(?:[,._'\u00a0\u202f ]\d{3})+(?!\d)|\d+)\s?([km]\b)?"


def _patterns(*templates: str) -> tuple[Expression, ...]:
    return tuple(Expression(template.replace("#", _NUMBER), re.IGNORECASE) for template in templates)


_LIMITS = _patterns(
    r"\+ [\d,._]+ > #",
    r"tokens? > #",
    r"too large for model with #",
    r"(?:maximum|max\.?) (?:context |prompt |model |sequence |input |allowed )*(?:length|window|size|len|tokens)?"
    r" ?(?:is|of|:|=|\()? ?(?:only )?#",
    r"(?:context|input) (?:size|window|length|limit) ?(?:is|of|:|=)? ?\(?(?:only )?#",
    r"(?:tokens )?allowed ?(?:is|of|:|=)? ?\(#",
    r"must (?:be <=|be less than|have less than|not exceed) #",
    r"cannot exceed #",
    r"limit(?: is| of|:)? #",
    r"should be \[\d+, ?#\]",
    r"(?:max(?:imum)?|最大|上限)[^\d]{0,20}#",
)
_LENGTHS = _patterns(
    r"(?:request|input|prompt|messages?) \((?:length )?#",
    r"(?:you |be )?requested:? (?:about |a total of )?#",
    r"(?:input|prompt) length \(?#",
    r"(?:your|the) request (?:has|contains) #",
    r"prompt contains #",
    r"resulted in #",
    r"(?:given|received):? #",
    r"too long: #",
    r"token count (?:of |\()#",
    r"current length is #",
    r"the first #",
)
_LIMIT_FIELDS = ("n_ctx", "context_length", "max_context_length", "max_model_len")
_LENGTH_FIELDS = ("n_prompt_tokens", "prompt_tokens")


@dataclass(frozen=True)
class Overflow:
    """How long the request may be and how long it was, in tokens as the endpoint counts; None where it did not say."""

    limit: int | None = None
    needed: int | None = None
    is_for_each_request: bool = True
    """False where the limit is one of the account for some time, not one of the model."""


def overflow_in(status: int | None, words: str, value: Any = None) -> Overflow | None:
    """Return what a refusal says of a request that was too long; None when it is about something else.

    ``words`` is the text of the whole body, ``value`` the body as parsed.
    """
    never_fits = _NEVER_FITS.search(words) is not None
    if status in (401, 402, 403, 404) or not _TOO_LONG.search(words):
        return None
    if (status == 429 or _TOO_FAST.search(words)) and not never_fits:
        return None
    limit = _field(value, _LIMIT_FIELDS) or _first(_LIMITS, words)
    needed = _field(value, _LENGTH_FIELDS) or _first(_LENGTHS, words)
    if limit is not None and needed is not None and needed <= limit:
        needed = None  # the rest is what the answer was to have
    return Overflow(limit, needed, is_for_each_request=not never_fits)


def _first(patterns: tuple[Expression, ...], words: str) -> int | None:
    for pattern in patterns:
        for match in pattern.finditer(words):
            if (number := _number(*match.groups()[:2])) is not None:
                return number
    return None


def _number(digits: str, unit: str | None) -> int | None:
    plain = re.sub(r"\D", "", digits)
    if len(plain) > 12:
        return None
    number = int(plain) * {"k": 1000, "m": 1_000_000}.get((unit or "").lower(), 1)
    return number if LEAST <= number <= MOST else None


def _field(value: Any, names: tuple[str, ...], depth: int = 0) -> int | None:
    if not isinstance(value, Mapping) or depth > 3:
        return None
    for name in names:
        found = value.get(name)
        if isinstance(found, int) and not isinstance(found, bool) and LEAST <= found <= MOST:
            return found
    for inner in value.values():
        if (found := _field(inner, names, depth + 1)) is not None:
            return found
    return None
