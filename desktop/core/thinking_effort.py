"""How much a model is to think: without the rest of the model port, since the first paint shows it."""

from enum import StrEnum


class ThinkingEffort(StrEnum):
    """How much a model that can reason should do so. What an endpoint has no word for becomes its nearest."""

    OFF = "off"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
