"""The options of a thread to columns and back."""

from collections.abc import Sequence
from typing import Any

from desktop.conversation.entities import ThreadOptions
from desktop.core.thinking_effort import ThinkingEffort
from desktop.storage.rows import clean

COLUMNS = "system_prompt, temperature, endpoint_id, model, thinking"
PLACES = "?, ?, ?, ?, ?"

Row = tuple[str | None, float | None, str | None, str | None, str | None]


def to_row(options: ThreadOptions) -> Row:
    return (
        _clean_or_none(options.system_prompt),
        options.temperature,
        _clean_or_none(options.endpoint_id),
        _clean_or_none(options.model),
        options.thinking,
    )


def from_row(row: Sequence[Any]) -> ThreadOptions:
    """Return what ``COLUMNS`` hold; a word for reasoning that this version does not know counts as none."""
    system_prompt, temperature, endpoint_id, model, thinking = row
    return ThreadOptions(
        system_prompt=system_prompt,
        temperature=temperature,
        endpoint_id=endpoint_id,
        model=model,
        thinking=ThinkingEffort(thinking) if thinking in list(ThinkingEffort) else None,
    )


def _clean_or_none(text: str | None) -> str | None:
    return None if text is None else clean(text)
