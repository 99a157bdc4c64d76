"""Finds keys of providers in a text that is about to be sent: only what hardly can be anything else."""

import math
import re
from collections import Counter
from collections.abc import Iterator

from desktop.core.expressions import Expression

MOST_FOUND = 20
LONGEST_KEY = 400
BEFORE = 60
"""So many characters before it may call something a key."""
LONGEST_RUN = 20
"""So many letters and digits in a row, a digit among them, are no words: ``sk-learn-is-good-1`` is no key."""
LONGEST_WORD = 32
"""Also without a digit: some providers' keys are plain letters."""
LEAST_BITS = 3.5
"""Of a character of what is named a key; ``YOUR_KEY_GOES_HERE`` and repetitions have fewer."""

_EDGE, _END = r"(?<![A-Za-z0-9_/+.\-])", r"(?![A-Za-z0-9_/+])"
_TOKEN = re.compile(r"[A-Za-z0-9_\-.]{20,}")
"""What a text must hold to be looked at closely; few lines of prose or code do."""
_PREFIXED = Expression(
    _EDGE + r"(?:sk|rk|gsk|csk|xai|pplx|nvapi|hf|r8|fw|tgp|glpat|gh[opsu]|github_pat|xox[abp])[-_]([A-Za-z0-9_\-]{20,})"
)
_SHAPED = Expression(
    _EDGE + r"(?:AIza[A-Za-z0-9_\-]{35}|AKIA[0-9A-Z]{16}|[0-9a-f]{32}\.(?=[A-Za-z]*\d)[A-Za-z0-9]{16})" + _END
)
_NAMED = Expression(
    r"(?P<name>(?:api|access|auth|secret)[\w\- ]{0,12}?(?:key|token)|(?<![A-Za-z])(?:key|token|secret)|密钥|令牌)"
    r"[\"'`”]?\s*(?:[:=：]|是|为|\bis\b)\s*[\"'`“]?(?:bearer\s+)?(?P<value>[A-Za-z0-9_\-.]{24,200})" + _END,
    re.IGNORECASE,
)
_BEARER = Expression(r"(?P<name>bearer)\s+(?P<value>[A-Za-z0-9_\-.]{24,200})" + _END, re.IGNORECASE)
_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)
_RUN = re.compile(r"[A-Za-z0-9]+")
_HEX = re.compile(r"[0-9a-fA-F]+")


def keys_in(text: str) -> tuple[str, ...]:
    """Return what looks like a key, in the order of the text, each once.

    Known beginnings and shapes count anywhere; anything else only where the text itself calls it a key. UUIDs, hashes
    and base64 are none.
    """
    found: dict[str, None] = {}
    for token in _TOKEN.finditer(text):
        if len(token.group()) <= LONGEST_KEY:
            found.update(dict.fromkeys(_keys_at(text, max(0, token.start() - BEFORE), token.end() + 1)))
            if len(found) >= MOST_FOUND:
                break
    return tuple(found)


def without_keys(text: str) -> str:
    """Return the text with everything that looks like a key cut out of it."""
    while keys := keys_in(text):
        for key in keys:
            text = text.replace(key, "")
    return text


def _keys_at(text: str, start: int, end: int) -> Iterator[str]:
    for match in _PREFIXED.finditer(text, start, end):
        if _is_random(match.group(1)):
            yield match.group()
    for match in _SHAPED.finditer(text, start, end):
        yield match.group()
    for pattern in (_NAMED, _BEARER):
        for match in pattern.finditer(text, start, end):
            if _is_secret(match["value"], is_api_key="api" in match["name"].lower()):
                yield match["value"]


def _is_random(body: str) -> bool:
    longest = max(_RUN.findall(body), key=len)
    has_digit = any(character.isdigit() for character in longest)
    return len(longest) >= (LONGEST_RUN if has_digit else LONGEST_WORD) and len(set(longest)) >= 8


def _is_secret(value: str, *, is_api_key: bool) -> bool:
    """Whether a value that is called a key is one: by chance, not by a person or as the sum of something."""
    if _UUID.fullmatch(value) or _bits(value) < LEAST_BITS:
        return False
    if _HEX.fullmatch(value):
        return is_api_key
    kinds = (str.isupper, str.islower, str.isdigit)
    return sum(map(str.isdigit, value)) >= 2 and sum(any(map(kind, value)) for kind in kinds) >= (
        2 if is_api_key else 3
    )


def _bits(text: str) -> float:
    """Shannon's entropy of a character."""
    return -sum(count / len(text) * math.log2(count / len(text)) for count in Counter(text).values())
