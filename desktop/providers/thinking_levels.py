"""How much a model can be told to reason, for the switch beside the message field; nothing where it cannot reason."""

import re

from desktop.core.thinking_effort import ThinkingEffort
from desktop.providers.endpoint_traits import traits_of

_NEVER_REASONS = re.compile(
    r"\bgpt-(?:3|4)|\bchatgpt-4|\bllama|\bgemma-?[123](?!\d)|\bmi[sx]tral-(?:7b|nemo|large)|codestral|\bphi-?[123]"
    r"|qwen-?(?:1|2)(?!.*qwq)|qwen3?-?coder|deepseek-(?:coder|v2|v3(?!\.[1-9]))|\bcommand-r|\bsmollm|\btinyllama"
    r"|embed|-instruct(?:-\d+)?$",
    re.IGNORECASE,
)
"""Well-known families without any reasoning. What is not known may reason: whoever refuses it is remembered."""


def thinking_levels(base_url: str, model: str) -> tuple[ThinkingEffort, ...]:
    """Return the levels that differ at this endpoint, the lowest first; empty where the model cannot reason."""
    if not model or _NEVER_REASONS.search(model):
        return ()
    return traits_of(base_url, model).thinking.levels
