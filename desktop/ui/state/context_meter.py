"""How much of what a model can read a chat takes up, and what that means."""

from dataclasses import dataclass
from enum import StrEnum

FILLING_FROM = 80
FULL_FROM = 95
"""Per cent."""


class Fullness(StrEnum):
    UNKNOWN = "unknown"
    """Nobody says how much the model can read."""
    ROOMY = "roomy"
    FILLING = "filling"
    FULL = "full"
    """What is oldest will be left out, now or soon."""


@dataclass(frozen=True, kw_only=True)
class Shares:
    """What the tokens of the next message are for."""

    system: int = 0
    summary: int = 0
    messages: int = 0
    """Of the chat, sent as they are."""
    draft: int = 0
    tools: int = 0
    answer: int = 0
    """What is kept free for the answer."""
    left_out: int = 0
    """Messages that are sent in no form."""


@dataclass(frozen=True)
class ContextFill:
    """About how many tokens the next message takes with all that goes with it, and how many the model can read."""

    tokens: int
    limit: int | None
    shares: Shares = Shares()

    @property
    def percent(self) -> int | None:
        """Whole per cent, at least 1 and perhaps more than 100; None where the limit is not known."""
        return max(1, self.tokens * 100 // self.limit) if self.limit else None

    @property
    def fullness(self) -> Fullness:
        percent = self.percent
        if percent is None:
            return Fullness.UNKNOWN
        if percent >= FULL_FROM:
            return Fullness.FULL
        return Fullness.FILLING if percent >= FILLING_FROM else Fullness.ROOMY


def short_count(tokens: int) -> str:
    """Return a context length as models are advertised: ``128k`` for 131,072 and for 128,000, ``1M``."""
    step = 1024 if tokens % 1024 == 0 and tokens % 1000 else 1000
    if tokens < 1000:
        return str(tokens)
    thousands = round(tokens / step)
    return f"{thousands}k" if thousands < 1000 else f"{round(tokens / step**2, 1):g}M"
