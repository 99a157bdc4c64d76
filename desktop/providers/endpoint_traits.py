"""What is known of an endpoint before it is asked: which forms it takes, by its host, else by the model's name."""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from desktop.providers.addresses import is_loopback
from desktop.providers.thinking_switch import EFFORT, ThinkingSwitch, thinking_switch

MAX_TOOLS = 128
"""OpenAI's limit, which others copied."""
MAX_LOCAL_TOOLS = 40
"""Small models lose their way among more, and their servers read every description before the first word."""
DESCRIPTION_CHARS = 4096
OPENAI_DESCRIPTION_CHARS = 1024
"""Longer descriptions of a tool are refused by OpenAI and Azure."""

_SHOWS_REASONING = re.compile(
    r"deepseek-?(?:reasoner|v3\.[2-9]|v[4-9])|\bkimi-(?:k2\.[5-9]|k[3-9]|.*thinking)", re.IGNORECASE
)
"""Models that reason unless they are told not to, and want to see what they thought before a call."""


@dataclass(frozen=True, kw_only=True)
class EndpointTraits:
    """The forms that one model at one endpoint takes. The defaults are for an endpoint of which nothing is known."""

    thinking: ThinkingSwitch = EFFORT
    is_loopback: bool = False
    gemini_like: bool = False
    """Takes few keywords of JSON Schema, and refuses the request for any other."""
    wants_signatures: bool = False
    """Refuses calls in the history without a thought signature."""
    plain_property_names: bool = False
    """Takes properties of tools only under names of Latin letters, digits and ``_.-``."""
    short_call_ids: bool = False
    """Takes ids of calls only as nine letters and digits."""
    long_call_ids: bool = False
    """Gives ids like ``functions.name:0`` and reads them better than others."""
    wants_reasoning: bool = False
    """Refuses its own earlier calls without the reasoning that led to them."""
    refuses_reasoning: bool = False
    wants_thinking_off_unstreamed: bool = False
    """Refuses to reason where the answer is not streamed."""
    max_tools: int = MAX_TOOLS
    description_chars: int = DESCRIPTION_CHARS
    sees_images: bool = True


def traits_of(
    base_url: str, model: str, *, max_tools: int | None = None, sees_images: bool | None = None
) -> EndpointTraits:
    """Return what is known of ``model`` at ``base_url``; ``max_tools`` and ``sees_images`` where they were learned."""
    parts = urlsplit(base_url)
    name = parts.hostname or ""
    host = f"{name}:{parts.port}" if parts.port is not None else name
    local = is_loopback(name)

    def is_one(hosts: str, models: str) -> bool:
        """By host where the provider has one; a relay shows what is behind it by the model's name only."""
        return bool(re.search(hosts, name, re.IGNORECASE) or re.search(models, model, re.IGNORECASE))

    kimi = is_one(r"moonshot", r"\bkimi\b")
    limit = MAX_LOCAL_TOOLS if local else MAX_TOOLS
    return EndpointTraits(
        thinking=thinking_switch(host, model),
        is_loopback=local,
        gemini_like=is_one(r"(?:^|\.)googleapis\.com$", r"\bgemini-"),
        wants_signatures=bool(re.search(r"\bgemini-[3-9]", model, re.IGNORECASE)),
        plain_property_names=is_one(r"(?:^|\.)anthropic\.com$", r"\bclaude\b"),
        short_call_ids=is_one(r"(?:^|\.)mistral\.ai$", r"(?:mi[sx]tral|codestral|magistral|devstral|pixtral)"),
        long_call_ids=kimi,
        wants_reasoning=bool(_SHOWS_REASONING.search(model)),
        refuses_reasoning=is_one(r"(?:^|\.)mistral\.ai$|groq\.com$|cerebras\.ai$", r"\bmistral-|deepseek-?r1"),
        wants_thinking_off_unstreamed=is_one(r"(?:dashscope|maas).*aliyuncs\.com$", r"^qwen-(?:turbo|plus|flash)"),
        max_tools=min(limit, max_tools) if max_tools is not None else limit,
        description_chars=(
            OPENAI_DESCRIPTION_CHARS
            if re.search(r"(?:^|\.)openai\.(?:com|azure\.com)$|\.azure\.com$", name)
            else DESCRIPTION_CHARS
        ),
        sees_images=sees_images is not False,
    )
